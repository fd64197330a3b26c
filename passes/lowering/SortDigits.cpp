//===- SortDigits.cpp - Numbers sorted digit by digit ---------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often each digit has each of its values is counted in one walk for all
// digits. A digit that is one for all numbers moves none.
//
//===----------------------------------------------------------------------===//

#include "SortDigits.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

static constexpr int64_t digitBits = 8, digitValues = 1 << digitBits;
/// As many elements for each digit take as long as their comparisons.
static constexpr int64_t fewestForDigit = 24;

//===----------------------------------------------------------------------===//
// Which comparators are an order of numbers
//===----------------------------------------------------------------------===//

/// The argument of the comparator that `value` is, widened or not.
static std::optional<unsigned> getArgument(Value value) {
  while (auto widened = value.getDefiningOp<arith::ExtFOp>())
    value = widened.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return std::nullopt;
  return argument.getArgNumber();
}

/// The order of `lesser < greater`.
static std::optional<NumberOrder> getOrder(Value lesser, Value greater,
                                           bool isSigned) {
  std::optional<unsigned> first = getArgument(lesser),
                          second = getArgument(greater);
  if (!first || !second || *first / 2 != *second / 2 || *first == *second)
    return std::nullopt;
  return NumberOrder{*first / 2, isSigned, /*isDescending=*/*first > *second};
}

static std::optional<NumberOrder> getIntegerOrder(Value value) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return getOrder(lhs, rhs, /*isSigned=*/true);
  case arith::CmpIPredicate::sgt:
    return getOrder(rhs, lhs, /*isSigned=*/true);
  case arith::CmpIPredicate::ult:
    return getOrder(lhs, rhs, /*isSigned=*/false);
  case arith::CmpIPredicate::ugt:
    return getOrder(rhs, lhs, /*isSigned=*/false);
  default:
    return std::nullopt;
  }
}

/// Less or not comparable, where what is less is a number.
static std::optional<NumberOrder> getFloatOrder(Value value) {
  auto both = value.getDefiningOp<arith::AndIOp>();
  if (!both)
    return std::nullopt;
  auto isOrdered = [](Value value) {
    auto compare = value.getDefiningOp<arith::CmpFOp>();
    return compare && compare.getPredicate() == arith::CmpFPredicate::ORD &&
           getArgument(compare.getLhs()) == getArgument(compare.getRhs());
  };
  Value less = both.getLhs(), number = both.getRhs();
  if (isOrdered(less))
    std::swap(less, number);
  auto compare = less.getDefiningOp<arith::CmpFOp>();
  if (!compare || !isOrdered(number))
    return std::nullopt;
  Value lesser = compare.getLhs(), greater = compare.getRhs();
  if (compare.getPredicate() == arith::CmpFPredicate::UGT)
    std::swap(lesser, greater);
  else if (compare.getPredicate() != arith::CmpFPredicate::ULT)
    return std::nullopt;
  std::optional<NumberOrder> order =
      getOrder(lesser, greater, /*isSigned=*/true);
  if (!order || getArgument(number.getDefiningOp<arith::CmpFOp>().getLhs()) !=
                    getArgument(lesser))
    return std::nullopt;
  return order;
}

std::optional<NumberOrder> mlir::wax::getNumberOrder(SortOp sort) {
  Value yielded = sort.getComparator().front().getTerminator()->getOperand(0);
  std::optional<NumberOrder> order = getIntegerOrder(yielded);
  if (!order)
    order = getFloatOrder(yielded);
  if (!order)
    return std::nullopt;
  Type element = getElementTypeOrSelf(sort.getInputs()[order->operand]);
  if (isa<IntegerType, BFloat16Type, Float16Type, Float32Type, Float64Type>(
          element))
    return order;
  return std::nullopt;
}

static int64_t countDigits(SortOp sort, NumberOrder order) {
  Type element = getElementTypeOrSelf(sort.getInputs()[order.operand]);
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), digitBits);
}

int64_t mlir::wax::getShortestByDigits(SortOp sort, NumberOrder order) {
  return fewestForDigit * countDigits(sort, order);
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

namespace {

class DigitLoops {
public:
  DigitLoops(SortLoops &loops, NumberOrder order, Value row, Value local)
      : l(loops), builder(loops.builder), loc(loops.loc), order(order),
        row(row), local(local), digits(countDigits(loops.sort, order)),
        values(loops.index(digitValues)) {
    std::optional<int64_t> known = getConstantIntValue(l.size);
    count = builder.getIntegerType(known && llvm::isInt<32>(*known) ? 32 : 64);
  }

  SmallVector<Value> emit(ValueRange outputs) {
    Value table = emitCounts();
    Value half = l.zero;
    SmallVector<Value> isMoved;
    for (int64_t digit = 0; digit < digits; ++digit) {
      Value moves;
      std::tie(table, moves) = emitStarts(table, digit);
      // The first walk is what takes them to the halves.
      if (digit == 0)
        continue;
      isMoved.push_back(moves);
      half = arith::XOrIOp::create(
          builder, loc, half,
          arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                       moves));
    }

    SmallVector<Value> carried(outputs);
    carried.push_back(table);
    carried = emitWalk(0, l.size, carried, half, [&](Value i, ValueRange) {
      return l.readInputs(row, i);
    });
    for (auto [last, moves] : llvm::enumerate(isMoved)) {
      Value end = l.select(moves, l.size, l.zero);
      Value other = arith::XOrIOp::create(builder, loc, half, l.one);
      carried = emitWalk(last + 1, end, carried, other,
                         [&](Value i, ValueRange tensors) {
                           return l.read(tensors, half, local, i);
                         });
      half = l.select(moves, other, half);
    }
    carried.pop_back();
    return carried;
  }

private:
  Value integer(Type type, APInt value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }

  /// A number as bits whose order, as of an integer without sign, is that of
  /// the sort.
  Value emitBits(Value number) {
    unsigned width = number.getType().getIntOrFloatBitWidth();
    Type type = builder.getIntegerType(width);
    auto constant = [&](APInt value) { return integer(type, value); };
    APInt sign = APInt::getSignMask(width);
    Value bits = number;
    if (auto real = dyn_cast<FloatType>(number.getType())) {
      APInt infinity =
          APFloat::getInf(real.getFloatSemantics()).bitcastToAPInt();
      bits = arith::BitcastOp::create(builder, loc, type, number);
      Value magnitude =
          arith::AndIOp::create(builder, loc, bits, constant(~sign));
      Value isZero =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                magnitude, constant(APInt::getZero(width)));
      Value isNaN =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                magnitude, constant(infinity));
      // Of negative ones all bits change, of others the sign.
      Value spread = arith::ShRSIOp::create(builder, loc, bits,
                                            constant(APInt(width, width - 1)));
      Value changed =
          arith::OrIOp::create(builder, loc, spread, constant(sign));
      bits = arith::XOrIOp::create(builder, loc, bits, changed);
      bits = l.select(isZero, constant(sign), bits);
      bits = l.select(isNaN, constant(APInt::getAllOnes(width)), bits);
    } else if (order.isSigned) {
      bits = arith::XOrIOp::create(builder, loc, bits, constant(sign));
    }
    if (order.isDescending)
      bits = arith::XOrIOp::create(builder, loc, bits,
                                   constant(APInt::getAllOnes(width)));
    return bits;
  }

  /// A digit as a place in the table.
  Value emitDigit(Value bits, int64_t digit) {
    Type type = bits.getType();
    unsigned width = type.getIntOrFloatBitWidth();
    if (width > digitBits) {
      bits = arith::ShRUIOp::create(
          builder, loc, bits, integer(type, APInt(width, digit * digitBits)));
      bits = arith::AndIOp::create(
          builder, loc, bits,
          integer(type, APInt::getLowBitsSet(width, digitBits)));
    }
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        bits);
  }

  Value placeInTable(int64_t digit, Value value) {
    return l.add(l.index(digit * digitValues), value);
  }
  Value readCount(Value table, int64_t digit, Value value) {
    return tensor::ExtractOp::create(builder, loc, table,
                                     placeInTable(digit, value));
  }
  Value writeCount(Value amount, Value table, int64_t digit, Value value) {
    return tensor::InsertOp::create(builder, loc, amount, table,
                                    placeInTable(digit, value));
  }
  Value addOne(Value amount) {
    return l.add(amount,
                 integer(count, APInt(count.getIntOrFloatBitWidth(), 1)));
  }

  /// How often each digit has each value.
  Value emitCounts() {
    Value table = tensor::EmptyOp::create(
        builder, loc, ArrayRef<int64_t>{digits * digitValues}, count);
    Value none = integer(count, APInt::getZero(count.getIntOrFloatBitWidth()));
    table = l.loop(l.zero, values, l.one, table,
                   [&](Value value, ValueRange carried) {
                     Value cleared = carried.front();
                     for (int64_t digit = 0; digit < digits; ++digit)
                       cleared = writeCount(none, cleared, digit, value);
                     return SmallVector<Value>{cleared};
                   })
                .front();
    return l
        .loop(l.zero, l.size, l.one, table,
              [&](Value i, ValueRange carried) {
                Value counted = carried.front();
                Value bits = emitBits(l.readInputs(row, i)[order.operand]);
                for (int64_t digit = 0; digit < digits; ++digit) {
                  Value value = emitDigit(bits, digit);
                  counted = writeCount(addOne(readCount(counted, digit, value)),
                                       counted, digit, value);
                }
                return SmallVector<Value>{counted};
              })
        .front();
  }

  /// Where numbers begin that have a value of a digit, in place of how many
  /// there are; and whether not all of them have one.
  std::pair<Value, Value> emitStarts(Value table, int64_t digit) {
    Value all =
        arith::IndexCastUIOp::create(builder, loc, count, l.size).getResult();
    Value none = integer(count, APInt::getZero(count.getIntOrFloatBitWidth()));
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
    SmallVector<Value> made =
        l.loop(l.zero, values, l.one, {table, none, no},
               [&](Value value, ValueRange carried) {
                 Value here = readCount(carried[0], digit, value);
                 Value isAll = arith::CmpIOp::create(
                     builder, loc, arith::CmpIPredicate::eq, here, all);
                 return SmallVector<Value>{
                     writeCount(carried[1], carried[0], digit, value),
                     l.add(carried[1], here),
                     arith::OrIOp::create(builder, loc, carried[2], isAll)};
               });
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    return {made[0], arith::XOrIOp::create(builder, loc, made[2], yes)};
  }

  /// Moves each element to `half`, to the next place of its digit's value.
  template <typename Read>
  SmallVector<Value> emitWalk(int64_t digit, Value end, ValueRange carried,
                              Value half, Read read) {
    return l.loop(l.zero, end, l.one, carried, [&](Value i, ValueRange now) {
      ValueRange tensors = now.drop_back();
      SmallVector<Value> element = read(i, tensors);
      Value value = emitDigit(emitBits(element[order.operand]), digit);
      Value next = readCount(now.back(), digit, value);
      Value place = arith::IndexCastUIOp::create(builder, loc,
                                                 builder.getIndexType(), next);
      SmallVector<Value> written =
          l.write(element, tensors, half, local, place);
      written.push_back(writeCount(addOne(next), now.back(), digit, value));
      return written;
    });
  }

  SortLoops &l;
  OpBuilder &builder;
  Location loc;
  NumberOrder order;
  Value row, local;
  int64_t digits;
  Value values;
  Type count;
};

} // namespace

SmallVector<Value> mlir::wax::sortByDigits(SortLoops &loops, NumberOrder order,
                                           Value row, Value local,
                                           ValueRange outputs) {
  return DigitLoops(loops, order, row, local).emit(outputs);
}
