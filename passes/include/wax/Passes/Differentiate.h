//===- Differentiate.h - Functions that compute derivatives ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DIFFERENTIATE_H
#define WAX_PASSES_DIFFERENTIATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::wax {

enum class DifferentiationMode;

struct Differentiation {
  DifferentiationMode mode;
  /// The arguments that are differentiated by, in increasing order: floats or
  /// complex numbers.
  SmallVector<unsigned> arguments;
  /// The results that are differentiated; by default, all floats and complex
  /// numbers.
  std::optional<SmallVector<unsigned>> results = std::nullopt;
};

/// How calls of a function are differentiated, where not by what it does. The
/// functions are of the call's operands, and hold no calls that have no rules.
struct CallRule {
  enum class Kind {
    /// There is no derivative: it is zero.
    Zero,
    /// `forward`: `(operands…) → (results…, residuals…)`; `backward`:
    /// `(residuals…, cotangents of differentiable results…, operands…) →
    /// (cotangents of differentiable operands…)`. Forward mode takes `jvp`,
    /// which is what `forward` is for the other kind, and refuses without.
    Reverse,
    /// `forward`: `(operands…, tangents of differentiable operands…) →
    /// (results…, tangents of differentiable results…)`.
    Forward,
  };
  Kind kind;
  func::FuncOp forward, backward, jvp;
};
using CallRules = function_ref<const CallRule *(func::CallOp)>;

/// Makes of a function one that computes what it did, and derivatives. In
/// forward mode it takes a tangent for each of the spec's arguments, and gives
/// one for each result that is differentiable; in reverse mode it takes
/// cotangents of these results, and gives those of the spec's arguments. Calls
/// that the function holds must have rules. What is not differentiable is an
/// error on the operation.
LogicalResult differentiate(
    func::FuncOp function, const Differentiation &spec,
    CallRules rules = [](func::CallOp) { return nullptr; });

/// Puts the body of a function of one block in the place of a call.
void inlineCall(func::CallOp call, func::FuncOp callee);

/// Puts the bodies of all functions that a function calls, and that those do,
/// in it. Fails after an error where there is none.
LogicalResult inlineCalls(func::FuncOp function, SymbolTable &symbols);

/// The function of a name, with the bodies of all that it calls in it. Fails
/// after an error where there is none.
FailureOr<func::FuncOp> findWhole(ModuleOp module, SymbolTable &symbols,
                                  StringRef name);

/// Canonicalizes a function, and computes what is equal once.
LogicalResult simplify(func::FuncOp function);

/// A function in two: what its leading arguments determine, and the rest.
struct SplitFunction {
  /// `(leading…) → (leading results…, residuals…)`
  OwningOpRef<func::FuncOp> first;
  /// `(residuals…, other arguments…) → (other results…)`
  OwningOpRef<func::FuncOp> second;
  /// Where the second part's residuals are found: among the leading arguments,
  /// or, counted after these, among the first part's results.
  SmallVector<unsigned> residuals;
};

/// Splits a function after `argumentCount` arguments and `resultCount` results,
/// which do not depend on the other arguments. The second part computes anew
/// what costs nothing.
SplitFunction split(func::FuncOp function, unsigned argumentCount,
                    unsigned resultCount);

} // namespace mlir::wax

#endif // WAX_PASSES_DIFFERENTIATE_H
