//===- Tensors.h - Operations of the basis, built ---------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BUILDING_TENSORS_H
#define WAX_PASSES_BUILDING_TENSORS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {

/// What sums of such elements are computed in: f32 for narrower floats.
Type getSumType(Type element);

/// The sizes of a tensor, static where its type knows them.
SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                   Value tensor);

/// Static where both are.
OpFoldResult addSizes(OpBuilder &builder, Location loc, OpFoldResult lhs,
                      OpFoldResult rhs);

/// A rank 0 tensor of a number, which the element type must hold.
Value createScalarTensor(OpBuilder &builder, Location loc, Type element,
                         double value);

/// Zeros of an element type, with the shape of a tensor.
Value createZeros(OpBuilder &builder, Location loc, Value like, Type element);
/// Zeros of a tensor's type and sizes.
Value createZerosLike(OpBuilder &builder, Location loc, Value like);

/// Whether a constant's element is 0; of floats, −0 too with `anySign`.
bool isZero(Attribute element, bool anySign);

/// Whether all elements are known to be 0, or −0.
bool isZeros(Value value);

/// A rank 0 tensor along every index of `sizes`.
Value createFilled(OpBuilder &builder, Location loc, Value scalar,
                   ArrayRef<OpFoldResult> sizes);

/// The sum of two tensors; one of them where the other is null.
Value createAdd(OpBuilder &builder, Location loc, Value lhs, Value rhs);

/// What is joined by a kernel whose result may be zero.
struct Operand {
  Value value;
  SmallVector<int64_t> dims;
};

/// `wax.broadcast` to a space of these sizes, of the operands that the kernel
/// reads; null where it yields null. Without `sizes` all operands stay, and
/// have all dims.
Value createBroadcast(
    OpBuilder &builder, Location loc, ArrayRef<Operand> operands,
    ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> kernel);

/// A kernel over whole tensors of one shape.
Value createPointwise(
    OpBuilder &builder, Location loc, ValueRange operands,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> kernel);

/// The sum over `dims`, in any order.
Value createSum(OpBuilder &builder, Location loc, Value tensor,
                ArrayRef<int64_t> dims);

/// The elements converted to another float type.
Value createConverted(OpBuilder &builder, Location loc, Value tensor,
                      Type element);

/// What a tensor is a cast of.
Value withoutCasts(Value tensor);

/// `value` as a value of `type`, which may know more sizes or fewer.
Value castTo(OpBuilder &builder, Location loc, Type type, Value value);

/// The dims from 0 to `rank`.
SmallVector<int64_t> getAllDims(int64_t rank);
SmallVector<int64_t> getAllDims(Value tensor);

/// The dims below `rank` that `dims` does not list.
SmallVector<int64_t> getOtherDims(int64_t rank, ArrayRef<int64_t> dims);

/// A box of a tensor.
Value createSlice(OpBuilder &builder, Location loc, Value tensor,
                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                  ArrayRef<int64_t> strides);

/// Groups of dims, as `wax.reshape` has them.
ArrayAttr getDimGroups(Builder &builder,
                       ArrayRef<SmallVector<int64_t, 2>> groups);
/// A tensor of known sizes with other ones: dims of a group are merged, and
/// split again. The same where the shape is.
Value createReshape(OpBuilder &builder, Location loc, Value tensor,
                    ArrayRef<int64_t> shape,
                    ArrayRef<SmallVector<int64_t, 2>> from,
                    ArrayRef<SmallVector<int64_t, 2>> to);

/// A scalar as a tensor of rank 0; an index as an i64.
Value createRank0(OpBuilder &builder, Location loc, Value scalar);
/// The scalar that `createRank0` was given, which was of this type.
Value createScalar(OpBuilder &builder, Location loc, Value tensor, Type type);
/// A size as a tensor of rank 0 of i64.
Value createCount(OpBuilder &builder, Location loc, OpFoldResult size);

} // namespace mlir::wax

#endif // WAX_PASSES_BUILDING_TENSORS_H
