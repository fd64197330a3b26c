//===- WaxInterfaces.td - What wax operations declare ------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXINTERFACES_TD
#define WAX_DIALECT_WAXINTERFACES_TD

include "mlir/IR/OpBase.td"

/// Marks the operations of the basis; normal forms are stated with it.
def Wax_Basis : NativeOpTrait<"Basis"> {
  let cppNamespace = "::mlir::OpTrait::wax";
}

/// Marks the functions of scalars that kernels may hold beside the operations of
/// upstream dialects.
def Wax_ScalarFunction : NativeOpTrait<"ScalarFunction"> {
  let cppNamespace = "::mlir::OpTrait::wax";
}

def ShapeRelationOpInterface : OpInterface<"ShapeRelationOpInterface"> {
  let cppNamespace = "::mlir::wax";
  let description = [{
    The one place that knows how an operation's sizes relate. Type inference,
    verification, `tensor.dim` folding, run-time checks and the frontend's
    symbolic dims are all evaluations of the relation returned here.
  }];
  let methods = [
    InterfaceMethod<
      "The relation between the dims of operands, size operands and results.",
      "::mlir::FailureOr<::mlir::wax::ShapeRelation>", "getShapeRelation">
  ];
}

def LowerableOpInterface : OpInterface<"LowerableOpInterface"> {
  let cppNamespace = "::mlir::wax";
  let description = [{
    How an operation leaves the basis. Attached to each operation by the file
    of its family in `passes/lowering/`; a target that has nothing better to
    say takes the upstream lowering.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Emits, at the rewriter's insertion point, what replaces the operation
        on `context`'s target, and returns one value a result, of the result's
        type. Sizes are asked of `context`, which knows them for the whole
        function, rather than computed anew.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "lower",
      (ins "::mlir::RewriterBase &":$rewriter,
           "::mlir::wax::LoweringContext &":$context)>
  ];
}

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::wax";
  let description = [{
    How an operation is differentiated, in both directions. Attached to each
    operation by the file of its family in `passes/differentiation/`. The rules
    build operations of the basis, so that what they give differentiates again.

    A derivative that is zero is no value at all: a null `Value`. Integers and
    booleans never have one.

    A rule that needs more of an operation than it gives may put a larger one in
    its place, and replace the uses of its results.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Emits, at the builder's insertion point, which comes after the
        operation, the tangents of the results from those of the operands.
        Fails after an error on the operation where it cannot.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "jvp",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$tangents)>,
    InterfaceMethod<
      [{
        Emits, at the builder's insertion point, which comes after everything
        that uses the results, the cotangents of the operands in `wanted` from
        those of the results. What it gives for other operands is not read.
        Fails after an error on the operation where it cannot.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "vjp",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$cotangents,
           "const ::llvm::SmallBitVector &":$wanted)>
  ];
}

def BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::mlir::wax";
  let description = [{
    How an operation is done for a whole batch. Attached to each operation by
    the file of its family in `passes/batching/`. The rules build operations of
    the basis, and no loops.

    A batched tensor has one more dim, in front: its row is what the operation
    saw. A batched scalar is such a tensor of rank 1, of i64 for an index. What
    is not batched is the same for all rows, and stays as it is.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Emits, at the builder's insertion point, what gives the operation's
        results for all rows, all of them batched. `operands` are the
        operation's operands in the batched function; `batched` says which of
        them are batched: one at least. Fails after an error on the operation
        where it cannot.
      }],
      "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>", "batch",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$operands,
           "const ::llvm::SmallBitVector &":$batched)>
  ];
}

def RecognizedOpInterface : OpInterface<"RecognizedOpInterface"> {
  let cppNamespace = "::mlir::wax";
  let description = [{
    An operation that stands for several of the basis, which it holds: its
    decomposition. `wax-raise` introduces it where a backend wants it, and
    nothing else does; `wax-decompose` puts the decomposition in its place,
    which is to the bit what stood there before.

    Constraints of all such operations:
    - (recognized_c1) the decomposition takes the operands;
    - (recognized_c2) the decomposition gives the results;
    - (recognized_c3) the decomposition holds the basis and glue only.
  }];
  let methods = [
    InterfaceMethod<
      "The region that computes the results of the operands, in the basis.",
      "::mlir::Region &", "getDecomposition">
  ];
  let verify = [{ return ::mlir::wax::verifyDecomposition($_op); }];
  let verifyWithRegions = 1;
}

#endif // WAX_DIALECT_WAXINTERFACES_TD
