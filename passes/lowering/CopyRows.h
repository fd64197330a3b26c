//===- CopyRows.h - Rows taken from elsewhere, by vectors -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE 3.13 reads an operand at computed places element by element. Where a row
// of the result is a row of the operand, only the row's place is computed, and
// vectors copy it. It copies to a part of each row no faster.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_COPYROWS_H
#define WAX_PASSES_LOWERING_COPYROWS_H

#include "Lowering.h"

namespace mlir::wax {

/// Where in the operand the row of the result with these indices is.
using RowPlace = llvm::function_ref<SmallVector<Value>(OpBuilder &, Location,
                                                       ValueRange indices)>;

/// Whether vectors copy rows of `sizes`, of `element`, and better than IREE's
/// own code.
bool canCopyRows(Type element, ArrayRef<OpFoldResult> sizes);

/// The tensor of `type` and `sizes` whose rows, along the last `along` dims,
/// are those of `operand`, in one dispatch of IREE's. `isReversed` ones begin
/// at the end.
Value copyRows(OpBuilder &builder, Location loc, LoweringContext &context,
               RankedTensorType type, ArrayRef<OpFoldResult> sizes,
               Value operand, int64_t along, bool isReversed, RowPlace place);

/// The tensor of `type` and `sizes` whose rows, along the last `along` dims,
/// are those of `operands` one after the other, in one dispatch of IREE's.
Value joinRows(OpBuilder &builder, Location loc, LoweringContext &context,
               RankedTensorType type, ArrayRef<OpFoldResult> sizes,
               ValueRange operands, int64_t along);

/// What stands around a tensor: `number`, so often along each dim, of which the
/// last `along` ones are a row. Of these the first alone has any.
struct RowPadding {
  Value number;
  SmallVector<int64_t> low, high;
  int64_t along;
};

/// `operand` with that around it, in one dispatch of IREE's.
Value padRows(OpBuilder &builder, Location loc, LoweringContext &context,
              const RowPadding &padding, RankedTensorType type, Value operand);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_COPYROWS_H
