//===- Lowering.h - What the lowerings of all families share ----*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_LOWERING_H
#define WAX_PASSES_LOWERING_LOWERING_H

#include "../building/Tensors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {

using LoweringResult = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Families: each attaches `LowerableOpInterface` to its operations.
//===----------------------------------------------------------------------===//

void attachBarrierLowering(MLIRContext *context);
void attachPointwiseLowerings(MLIRContext *context);
void attachReduceLowerings(MLIRContext *context);
void attachScanLowerings(MLIRContext *context);
void attachSortLowerings(MLIRContext *context);
void attachViewLowerings(MLIRContext *context);
void attachAssemblyLowerings(MLIRContext *context);
void attachIndexingLowerings(MLIRContext *context);
void attachSpectralLowerings(MLIRContext *context);
void attachInsertLowerings(MLIRContext *context);
void attachScatterLowerings(MLIRContext *context);
void attachWindowLowerings(MLIRContext *context);
void attachConvolveLowerings(MLIRContext *context);

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Emits the scalar operation `op` on `operands` with wax's semantics, which
/// give every input a result (TotalScalars.cpp).
SmallVector<Value> emitTotalScalar(OpBuilder &builder, Operation *op,
                                   ValueRange operands);

/// Emits a kernel's operations on `arguments`, and returns what it yields.
SmallVector<Value> emitKernel(OpBuilder &builder, Region &kernel,
                              ValueRange arguments);

/// The scalar that all elements of `tensor` are, when it is a constant.
Attribute getConstantElement(Value tensor);

/// A scalar constant; complex ones included.
Value createScalar(OpBuilder &builder, Location loc, Type type,
                   Attribute value);

/// A zero, as a tensor of rank 0.
Value createZero(OpBuilder &builder, Location loc, Type element);

/// A loop of a nest, and how many turns it takes.
struct SizedLoop {
  int64_t number;
  OpFoldResult size;
};

/// Makes the step of a reduction that it be not seen to be constant, and that
/// it read what it starts with (Reduce.cpp); `reduced` are the loops that
/// reduce.
void hideConstantSteps(RewriterBase &rewriter, linalg::GenericOp generic,
                       ArrayRef<SizedLoop> reduced, LoweringTarget target);

/// A float sum or product `next` of `accumulator`, as no compiler may reorder
/// it (Reduce.cpp).
Value keepInOrder(OpBuilder &builder, Value next, Value accumulator);

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// How many elements there are of `sizes`.
OpFoldResult multiply(OpBuilder &builder, Location loc,
                      ArrayRef<OpFoldResult> sizes);

/// The tensor type of these sizes, which knows what is known of them.
RankedTensorType getTensorType(ArrayRef<OpFoldResult> sizes, Type element);

/// A tensor of unspecified elements, as large as `like`.
Value createEmptyLike(OpBuilder &builder, Location loc, Value like,
                      LoweringContext &context);

/// True when a size is known to be 0. Upstream refuses boxes in empty tensors,
/// and at the end of dims, so what has no elements is not moved but made.
bool isKnownEmpty(ArrayRef<OpFoldResult> sizes);

/// True when there are known to be so few elements that it does not show how
/// they are gone through.
bool isOfFew(ArrayRef<OpFoldResult> sizes);

/// A tensor of `type` and `sizes` with the rank 0 tensor `value` everywhere.
Value createFilled(OpBuilder &builder, Location loc, RankedTensorType type,
                   ArrayRef<OpFoldResult> sizes, Value value);

/// What goes around and between the elements along each dim, as `wax.pad` has
/// it; negative `low` and `high` crop.
struct Padding {
  ArrayRef<int64_t> low, high, interior;
};

SmallVector<OpFoldResult> getPaddedSizes(OpBuilder &builder, Location loc,
                                         ArrayRef<OpFoldResult> sizes,
                                         Padding padding);

/// `operand` with the rank 0 tensor `value` put around and between its
/// elements. `sizes` are those of what comes out, none of them known to be 0.
Value createPadded(OpBuilder &builder, Location loc, Value operand,
                   ArrayRef<OpFoldResult> operandSizes, Value value,
                   Padding padding, ArrayRef<OpFoldResult> sizes);

/// `value` with the dims of each group of `merge` merged, which is then split
/// into those of the group in the same place of `split`, of `sizes`.
Value createReshape(OpBuilder &builder, Location loc, LoweringTarget target,
                    Value value, ArrayRef<ReassociationIndices> merge,
                    ArrayRef<ReassociationIndices> split,
                    ArrayRef<OpFoldResult> sizes);

/// `value`, which has one dim for each group of sizes that has any, as a tensor
/// of `type`, which has a dim for each size.
Value splitDims(OpBuilder &builder, Location loc, LoweringTarget target,
                Value value, RankedTensorType type,
                ArrayRef<ArrayRef<OpFoldResult>> groups);

/// The map from `rank` loops to the loops in `dims`.
AffineMap getSelectionMap(MLIRContext *context, int64_t rank,
                          ArrayRef<int64_t> dims);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_LOWERING_H
