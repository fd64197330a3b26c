//===- FftLoops.h - What loops of transforms are made of --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform in each lane of vectors goes in steps, with a buffer between them
// that stays in the nearest cache.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_FFTLOOPS_H
#define WAX_PASSES_LOWERING_FFTLOOPS_H

#include "FftLanes.h"
#include "FftPlan.h"
#include "LoopBuilder.h"
#include "Vectors.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::wax {

/// How many numbers of such parts vectors have. Of 16 registers of 32 bytes, a
/// step on four numbers needs no more.
inline int64_t getNumberLanes(FloatType element) {
  return 256 / element.getWidth();
}

/// Emits loops, memory and steps.
class FftLoops : protected LoopBuilder {
protected:
  using Numbers = FftLanes::Numbers;
  /// What loops carry: the buffer first.
  using Body = llvm::function_ref<Values(Value, ValueRange)>;
  using BlockBody =
      llvm::function_ref<Values(Value block, Value first, ValueRange)>;
  using Load = llvm::function_ref<LaneNumbers(Value place, ValueRange)>;
  using Store =
      llvm::function_ref<Values(Value place, LaneNumbers, ValueRange)>;

  FftLoops(ImplicitLocOpBuilder &builder, FloatType element, int64_t sign,
           const RowPlan &plan);

  Value subtractFrom(int64_t lhs, Value rhs) {
    return subtract(constant(lhs), rhs);
  }
  /// A loop of `count` turns.
  Values loop(int64_t count, ValueRange carried, Body body);
  /// Blocks of a vector's lanes that `count` things are; the last one may
  /// overlap the one before.
  Values loopBlocks(int64_t count, ValueRange carried, BlockBody body);
  int64_t countBlocks(int64_t count) {
    return llvm::divideCeil(count, laneCount);
  }
  int64_t getStart(int64_t block, int64_t count) {
    return std::min(block * laneCount, count - laneCount);
  }

  Root getTurn(int64_t numerator, int64_t n) {
    return getRoot(sign * numerator, n);
  }
  Value createRoots(ArrayRef<int64_t> shape,
                    llvm::function_ref<Root(ArrayRef<int64_t>)> root);
  /// The same number in all lanes.
  LaneNumbers splatEntry(Value table, Value row, Value column);

  Value createEmpty(int64_t size, int64_t numbers);
  Value createBuffer() {
    return createEmpty(std::max(rows, columns), laneCount);
  }
  Value read(Value tensor, ValueRange row, Value place, Value mask = {});
  /// Vectors at two places of a row.
  LaneNumbers readTwo(Value tensor, ValueRange row, Value re, Value im) {
    return {read(tensor, row, re), read(tensor, row, im)};
  }
  Value writeTwo(LaneNumbers x, Value tensor, ValueRange row, Value re,
                 Value im);
  /// Numbers whose parts are side by side, from number `first` of a row on.
  LaneNumbers readPairs(Value tensor, ValueRange row, Value first,
                        bool isTurned = false);
  Value writePairs(LaneNumbers x, Value tensor, ValueRange row, Value first,
                   bool isTurned = false);
  LaneNumbers readBuffer(Value place, ValueRange carried) {
    return readTwo(carried.front(), place, constant(0), constant(laneCount));
  }
  Values writeBuffer(Value place, LaneNumbers x, ValueRange carried);

  /// The small transforms of a side of the matrix: in steps, of which the first
  /// one loads, and the last one stores.
  Values emitDown(ValueRange carried, Load load, Store store) {
    return emitSteps(plan.down, rootsDown, carried, load, store);
  }
  Values emitAcross(ValueRange carried, Load load, Store store) {
    return emitSteps(plan.across, rootsAcross, carried, load, store);
  }

  FloatType element;
  int64_t sign;
  const RowPlan &plan;
  int64_t laneCount, rows, columns, length;
  FftLanes lanes;

private:
  Value reverseDigits(Value number, ArrayRef<int64_t> radices);
  SmallVector<Value> createStepRoots(ArrayRef<int64_t> radices);
  Values emitSteps(ArrayRef<int64_t> radices, ArrayRef<Value> roots,
                   ValueRange carried, Load load, Store store);

  SmallVector<Value> rootsDown, rootsAcross;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_FFTLOOPS_H
