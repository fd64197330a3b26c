//===- ExpandMath.cpp - Elementary functions as arithmetic ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "../math/Formulas.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::wax {
#define GEN_PASS_DEF_EXPANDMATH
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::formula;

/// The float type of all operands and results, if they are scalars of one.
static FloatType getFormat(Operation *op) {
  auto type = op->getNumOperands()
                  ? dyn_cast<FloatType>(op->getOperand(0).getType())
                  : FloatType();
  auto has = [&](Type other) { return other == type; };
  bool isKnown =
      type && (type.isF16() || type.isBF16() || type.isF32() || type.isF64());
  return isKnown && llvm::all_of(op->getOperandTypes(), has) &&
                 llvm::all_of(op->getResultTypes(), has)
             ? type
             : FloatType();
}

/// Computes in f32 what is narrower, and rounds once.
static void expand(Operation *op, FloatType type, const Formula &formula,
                   bool branches) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  bool narrow = type.getWidth() < 32;
  FloatType format = narrow ? builder.getF32Type() : type;
  Emitter emitter(builder, loc, format, branches);

  SmallVector<Real> operands;
  for (Value operand : op->getOperands())
    operands.emplace_back(
        emitter, narrow ? arith::ExtFOp::create(builder, loc, format, operand)
                        : operand);
  for (auto [result, real] :
       llvm::zip_equal(op->getResults(), formula(operands)))
    result.replaceAllUsesWith(
        narrow ? arith::TruncFOp::create(builder, loc, type, real.value)
               : real.value);
  op->erase();
}

namespace {
struct ExpandMath : wax::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    Formulas formulas;
    addExponentials(formulas);
    addLogarithms(formulas);
    addPowers(formulas);
    addRoots(formulas);
    addRemainder(formulas);
    addTrigonometrics(formulas);
    addInverseTrigonometrics(formulas);
    addHyperbolics(formulas);
    addErrorFunctions(formulas);

    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (formulas.lookup(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (FloatType type = getFormat(op))
        expand(op, type, *formulas.lookup(op), branches);
  }
};
} // namespace
