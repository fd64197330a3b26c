//===- FftLanes.h - Small transforms in the lanes of vectors ----*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane of some vectors has a small transform of its own, so that no lane
// asks for another one's numbers. And what moves numbers between lanes: between
// memory that holds a number's parts side by side and vectors of either part,
// and between rows and columns.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_FFTLANES_H
#define WAX_PASSES_LOWERING_FFTLANES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::wax {

/// A complex number in each lane.
struct LaneNumbers {
  Value re, im;
};

/// Emits what is computed with vectors of `lanes` numbers.
class FftLanes {
public:
  using Numbers = SmallVector<LaneNumbers>;

  /// `exp(sign · 2πi / r)` is what transforms of `r` numbers multiply with.
  FftLanes(ImplicitLocOpBuilder &builder, FloatType element, int64_t lanes,
           int64_t sign)
      : builder(builder), element(element), lanes(lanes), sign(sign) {}

  LaneNumbers add(LaneNumbers x, LaneNumbers y);
  LaneNumbers subtract(LaneNumbers x, LaneNumbers y);
  LaneNumbers multiply(LaneNumbers x, LaneNumbers y);
  LaneNumbers multiply(LaneNumbers x, double factor);
  LaneNumbers conjugate(LaneNumbers x);
  /// `x ± i·y`.
  LaneNumbers addTurned(LaneNumbers x, LaneNumbers y, bool isNegative);

  /// The transforms of as many numbers as there are, 2, 3, 4, 8, or an odd
  /// count.
  Numbers transform(ArrayRef<LaneNumbers> x);

  /// A vector's lanes, by the order in which numbers come out of `separate`.
  /// It is its own inverse.
  SmallVector<int64_t> getPairOrder() const;
  /// Two vectors that hold numbers with their parts side by side, in the order
  /// that takes one shuffle for each part; the other way round with `isTurned`.
  LaneNumbers separate(Value first, Value second, bool isTurned = false);
  /// Two vectors for memory, of numbers in that order.
  std::pair<Value, Value> interleave(LaneNumbers x, bool isTurned = false);

  /// Of one part.
  Value add(Value x, Value y);
  Value subtract(Value x, Value y);
  Value multiply(Value x, Value y);

private:
  Value splat(double value);
  Value shuffle(Value x, Value y, ArrayRef<int64_t> places);
  Numbers transformOdd(ArrayRef<LaneNumbers> x);
  Numbers transformEight(ArrayRef<LaneNumbers> x);
  /// `x ± exp(sign · πi / 2)·y`.
  std::pair<LaneNumbers, LaneNumbers> joinTurned(LaneNumbers x, LaneNumbers y);

  ImplicitLocOpBuilder &builder;
  FloatType element;
  int64_t lanes, sign;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_FFTLANES_H
