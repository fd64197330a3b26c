//===- LoopRegisters.h - Loops over registers -------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a loop anew as its plan has it (`LoopPlan.h`): small tensors in
// registers, larger ones as tensors of rank 1 in memory.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_LOOPREGISTERS_H
#define WAX_PASSES_LIB_LOOPREGISTERS_H

#include "LoopPlan.h"
#include "SmallTensors.h"

namespace mlir::wax {

/// `tensor` as one of rank 1, of what memory holds.
Value flatten(OpBuilder &builder, Value tensor);
/// What `flatten` made a tensor like `like` of.
Value unflatten(OpBuilder &builder, Value flat, Value like);

class LoopRegisters {
public:
  LoopRegisters(OpBuilder &builder, const LoopPlan &plan)
      : builder(builder), plan(plan), registers(builder, plan.getLanes()) {}

  /// Takes a value from outside, of which `flat`, if any, has the elements in
  /// memory.
  void enter(Value value, Value flat);
  /// Takes what is carried in memory, of `size` elements.
  void enterCarried(Value init, Value size) { sizes[init] = size; }
  /// Writes the loop, whose values are entered.
  void convert(Operation *loop);
  /// A result of the loop as a tensor of rank 1, or 0 as it is itself.
  Value store(Value result);

private:
  /// A copy, to be written to, of what a loop begins with.
  Value copy(Value init);
  void keepApart(Value empty);
  Registers get(Value value);
  Registers get(ValueRange values);
  /// The registers' types, or those of what is in memory.
  SmallVector<Type> getTypes(Value value);
  void setAll(ValueRange values, ValueRange converted);
  void fill(Region &from, Region &to);

  SmallVector<Element> getElements(Value tensor);
  /// Where in memory, in row-major order, `indices` of a tensor are.
  Value getPlace(Location loc, Value tensor, ArrayRef<OpFoldResult> indices);
  /// Where the run of a number begins of a box that begins at `start`, in a
  /// tensor of that shape.
  Value getRunPlace(Location loc, Value start, ArrayRef<int64_t> shape,
                    ArrayRef<int64_t> sizes, Value number);
  /// Copies a box of many short runs from memory to where it lies in one run,
  /// or back, in a loop.
  Value copyRuns(Location loc, Value from, Value to, Value start,
                 ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes, Type element,
                 bool isBack);
  void convertStructure(Operation *op);
  void convertPoints(linalg::LinalgOp op);
  SmallVector<Value> read(linalg::LinalgOp op, const Points &points,
                          ArrayRef<SmallVector<int64_t>> lanes, bool onVectors);
  SmallVector<Value> foldAcross(linalg::LinalgOp op, const Points &points,
                                int64_t first);
  Value foldAlong(linalg::LinalgOp op, const Points &points, int64_t point);
  void convertSlice(tensor::ExtractSliceOp slice);
  void convertInsert(tensor::InsertSliceOp insert);

  OpBuilder &builder;
  const LoopPlan &plan;
  RegisterBuilder registers;
  DenseMap<Value, Registers> known;
  DenseMap<Value, Value> memory, sizes;
  /// How many tensors were copied to be written to.
  int64_t copies = 0;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_LOOPREGISTERS_H
