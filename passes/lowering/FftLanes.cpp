//===- FftLanes.cpp - Small transforms in the lanes of vectors ------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FftLanes.h"

#include "FftPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

/// A product and the sum that takes it up round once where processors can.
static constexpr auto contract = arith::FastMathFlags::contract;

Value FftLanes::add(Value x, Value y) {
  return arith::AddFOp::create(builder, x, y, contract);
}
Value FftLanes::subtract(Value x, Value y) {
  return arith::SubFOp::create(builder, x, y, contract);
}
Value FftLanes::multiply(Value x, Value y) {
  return arith::MulFOp::create(builder, x, y, contract);
}

Value FftLanes::splat(double value) {
  auto type = VectorType::get(lanes, element);
  return arith::ConstantOp::create(
      builder,
      DenseElementsAttr::get(type, builder.getFloatAttr(element, value)));
}

Value FftLanes::shuffle(Value x, Value y, ArrayRef<int64_t> places) {
  return vector::ShuffleOp::create(builder, x, y, places);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

LaneNumbers FftLanes::add(LaneNumbers x, LaneNumbers y) {
  return {add(x.re, y.re), add(x.im, y.im)};
}

LaneNumbers FftLanes::subtract(LaneNumbers x, LaneNumbers y) {
  return {subtract(x.re, y.re), subtract(x.im, y.im)};
}

LaneNumbers FftLanes::multiply(LaneNumbers x, LaneNumbers y) {
  return {subtract(multiply(x.re, y.re), multiply(x.im, y.im)),
          add(multiply(x.re, y.im), multiply(x.im, y.re))};
}

LaneNumbers FftLanes::multiply(LaneNumbers x, double factor) {
  Value splat = this->splat(factor);
  return {multiply(x.re, splat), multiply(x.im, splat)};
}

LaneNumbers FftLanes::conjugate(LaneNumbers x) {
  return {x.re, arith::NegFOp::create(builder, x.im)};
}

LaneNumbers FftLanes::addTurned(LaneNumbers x, LaneNumbers y, bool isNegative) {
  if (isNegative)
    return {add(x.re, y.im), subtract(x.im, y.re)};
  return {subtract(x.re, y.im), add(x.im, y.re)};
}

std::pair<LaneNumbers, LaneNumbers> FftLanes::joinTurned(LaneNumbers x,
                                                         LaneNumbers y) {
  return {addTurned(x, y, sign < 0), addTurned(x, y, sign > 0)};
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// Eighths of the circle are sums and differences of parts, times a root of a
/// half.
FftLanes::Numbers FftLanes::transformEight(ArrayRef<LaneNumbers> x) {
  Numbers even = transform({x[0], x[2], x[4], x[6]}),
          odd = transform({x[1], x[3], x[5], x[7]});
  auto turnByEighth = [&](LaneNumbers y) {
    return multiply(addTurned(y, y, sign < 0), getRoot(1, 8).re);
  };
  odd[1] = turnByEighth(odd[1]);
  odd[3] = turnByEighth(odd[3]);
  Numbers y(8);
  for (int64_t k : {0, 1}) {
    y[k] = add(even[k], odd[k]);
    y[k + 4] = subtract(even[k], odd[k]);
    std::tie(y[k + 2], y[k + 6]) = joinTurned(even[k + 2], odd[k + 2]);
  }
  return y;
}

/// Elements j and r − j are multiplied by numbers whose real parts are the same
/// and whose imaginary parts are opposite.
FftLanes::Numbers FftLanes::transformOdd(ArrayRef<LaneNumbers> x) {
  int64_t count = x.size(), half = count / 2;
  Numbers sums, differences, y(count);
  y[0] = x[0];
  for (int64_t j : llvm::seq_inclusive<int64_t>(1, half)) {
    sums.push_back(add(x[j], x[count - j]));
    differences.push_back(subtract(x[j], x[count - j]));
    y[0] = add(y[0], sums.back());
  }
  for (int64_t k : llvm::seq_inclusive<int64_t>(1, half)) {
    LaneNumbers even = x[0], odd;
    for (int64_t j : llvm::seq_inclusive<int64_t>(1, half)) {
      Root root = getRoot(j * k, count);
      even = add(multiply(sums[j - 1], root.re), even);
      LaneNumbers term = multiply(differences[j - 1], root.im);
      odd = j == 1 ? term : add(term, odd);
    }
    std::tie(y[k], y[count - k]) = joinTurned(even, odd);
  }
  return y;
}

FftLanes::Numbers FftLanes::transform(ArrayRef<LaneNumbers> x) {
  switch (x.size()) {
  case 2:
    return {add(x[0], x[1]), subtract(x[0], x[1])};
  case 4: {
    LaneNumbers a = add(x[0], x[2]), b = subtract(x[0], x[2]),
                c = add(x[1], x[3]), d = subtract(x[1], x[3]);
    auto [second, fourth] = joinTurned(b, d);
    return {add(a, c), second, subtract(a, c), fourth};
  }
  case 8:
    return transformEight(x);
  default:
    return transformOdd(x);
  }
}

//===----------------------------------------------------------------------===//
// Between lanes
//===----------------------------------------------------------------------===//

/// Processors shuffle two registers by one instruction within their halves of
/// 128 bits: so the quarters in the middle change places.
SmallVector<int64_t> FftLanes::getPairOrder() const {
  SmallVector<int64_t> order;
  int64_t quarter = lanes / 4;
  for (int64_t from : {0, 2, 1, 3})
    llvm::append_range(order,
                       llvm::seq(from * quarter, from * quarter + quarter));
  return order;
}

LaneNumbers FftLanes::separate(Value first, Value second, bool isTurned) {
  SmallVector<int64_t> re, im;
  for (int64_t number : getPairOrder()) {
    int64_t place = isTurned ? lanes - 1 - number : number;
    re.push_back(2 * place);
    im.push_back(2 * place + 1);
  }
  return {shuffle(first, second, re), shuffle(first, second, im)};
}

std::pair<Value, Value> FftLanes::interleave(LaneNumbers x, bool isTurned) {
  SmallVector<int64_t> places, order = getPairOrder();
  for (int64_t number : llvm::seq(lanes)) {
    int64_t lane = order[isTurned ? lanes - 1 - number : number];
    places.append({lane, lanes + lane});
  }
  ArrayRef<int64_t> all(places);
  return {shuffle(x.re, x.im, all.take_front(lanes)),
          shuffle(x.re, x.im, all.take_back(lanes))};
}
