//===- Dispatch.h - Loops that run as one dispatch --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no `linalg` operation says (a scan, a sort) is loops over scalars that
// extract elements of tensors and insert them. IREE would run such a loop on
// the host, with a dispatch for each iteration, unless it is told that the
// whole of it is one.
//
// Tensors that the loops only work in have to be parts of a result, to be cut
// off outside: what is allocated inside of a dispatch is on a small stack.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_DISPATCH_H
#define WAX_PASSES_LOWERING_DISPATCH_H

#include "Lowering.h"
#include "Stored.h"

namespace mlir::wax {

/// Emits `body`, whose tensors are of `types` with `dynamicSizes` in order, so
/// that it runs as one dispatch on IREE; upstream as it is. It may read any
/// value that stands before.
SmallVector<Value>
emitDispatch(OpBuilder &builder, Location loc, LoweringContext &context,
             TypeRange types, ValueRange dynamicSizes,
             llvm::function_ref<SmallVector<Value>(OpBuilder &)> body);

/// What loops in a dispatch begin to write to: `empty`, and for a GPU that
/// filled. IREE's translation for GPUs goes by an operation on whole tensors,
/// and without one not at all; the fill is marked for the compiler half, which
/// says there that all that is with it is for one thread.
Value startLoops(OpBuilder &builder, Location loc, LoweringContext &context,
                 Value empty);

/// Elements of a workgroup: enough to make up for starting it.
inline constexpr int64_t workgroupElements = 16384;

/// Where a part of a tensor begins, and of what sizes it is.
struct TensorPart {
  SmallVector<OpFoldResult> offsets, sizes;
};

/// A loop in a dispatch whose turns, `count` of them, are dealt to workgroups.
/// Each fills the parts of `tensors` that `place` tells by its number, one of
/// each.
SmallVector<Value> emitWorkgroups(
    OpBuilder &builder, Location loc, Value count, ValueRange tensors,
    llvm::function_ref<SmallVector<TensorPart>(OpBuilder &, Value number)>
        place,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange parts)> fill);

/// A tensor that `emitRows` makes.
struct RowsOutput {
  RankedTensorType type;
  SmallVector<OpFoldResult> sizes;
  /// Whether it has a row for each workgroup, to work in, instead of those that
  /// are dealt.
  bool isWorkspace = false;
};

/// What workgroups that `rows` rows are dealt to evenly have for themselves:
/// `width` elements each. IREE would drop it where it is not used.
RowsOutput createWorkspace(OpBuilder &builder, OpFoldResult rows, int64_t width,
                           Type element);

/// Fills the rows from `first` up to `end` of tensors that hold these only, so
/// that row `first` is their row 0, and returns them.
using RowsBody = llvm::function_ref<SmallVector<Value>(
    OpBuilder &, Location, Value first, Value end, ValueRange outputs)>;

/// One dispatch that makes `outputs`, whose dim `rowDim` counts rows which know
/// nothing of each other: they are dealt to workgroups in runs of neighbours,
/// evenly to a number of workgroups, or `run` to each. Without `rowDim` there
/// is one row.
SmallVector<Value> emitRows(OpBuilder &builder, Location loc,
                            LoweringContext &context,
                            ArrayRef<RowsOutput> outputs,
                            std::optional<int64_t> rowDim, RowsBody body,
                            OpFoldResult run = {});

/// How many rows of `width` elements make up for starting a workgroup.
OpFoldResult getRunOfRows(OpBuilder &builder, Location loc, OpFoldResult width);

/// Fills row `row` of all, which is row `at` of `outputs`.
using RowBody = llvm::function_ref<SmallVector<Value>(
    OpBuilder &, Location, Value row, Value at, ValueRange outputs)>;

/// As `emitRows` along the first dim, row by row.
SmallVector<Value> emitEachRow(OpBuilder &builder, Location loc,
                               LoweringContext &context,
                               ArrayRef<RowsOutput> outputs, RowBody body);

/// The type that loops keep elements of `element` in.
Type getStoredType(LoweringContext &context, Type element);

/// The element types of tensors.
SmallVector<Type> getElementTypes(ValueRange tensors);

/// The elements of `tensors` at a position, of the types `elements`.
SmallVector<Value> readElements(OpBuilder &builder, Location loc,
                                ValueRange tensors, ValueRange position,
                                TypeRange elements);
/// `tensors` with `values` at a position.
SmallVector<Value> writeElements(OpBuilder &builder, Location loc,
                                 ValueRange values, ValueRange tensors,
                                 ValueRange position);

/// A loop from `from` up to `to` by `step` that carries `values`.
SmallVector<Value>
emitLoop(OpBuilder &builder, Location loc, Value from, Value to, Value step,
         ValueRange values,
         llvm::function_ref<SmallVector<Value>(OpBuilder &, Location, Value,
                                               ValueRange)>
             body);

using NestBody = llvm::function_ref<SmallVector<Value>(
    OpBuilder &, Location, ValueRange indices, ValueRange carried)>;

/// Loops over all indices below `sizes`, the last one innermost.
SmallVector<Value> emitNest(OpBuilder &builder, Location loc, ValueRange sizes,
                            ValueRange values, NestBody body);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_DISPATCH_H
