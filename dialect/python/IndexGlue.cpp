//===- IndexGlue.cpp - Index arithmetic around the basis ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "FunctionBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/StringSwitch.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

int64_t FunctionBuilder::indexConstant(int64_t value) {
  MLIRContext *context = enter();
  auto [known, isNew] = indexConstants.try_emplace(value, 0);
  if (isNew) {
    OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
    known->second = number(arith::ConstantIndexOp::create(
        builder, UnknownLoc::get(context), value));
  }
  return known->second;
}

int64_t FunctionBuilder::dim(int64_t value, int64_t axis) {
  MLIRContext *context = enter();
  Value tensor = getTensor(value);
  auto type = cast<RankedTensorType>(tensor.getType());
  if (axis < 0 || axis >= type.getRank())
    throw DialectError("value " + Twine(value) + ", of rank " +
                       Twine(type.getRank()) + ", has no dim " + Twine(axis));
  if (!type.isDynamicDim(axis))
    return indexConstant(type.getDimSize(axis));
  if (auto known = dims.find({value, axis}); known != dims.end())
    return known->second;
  Value index = values[indexConstant(axis)];
  OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
  int64_t made = number(
      tensor::DimOp::create(builder, UnknownLoc::get(context), tensor, index));
  dims[{value, axis}] = made;
  return made;
}

/// Division that rounds down, 0 for a divisor of 0: sizes come from the user's
/// data, and outside kernels `arith` leaves such a division undefined.
static Value makeFloorDiv(OpBuilder &builder, Location loc, Value lhs,
                          Value rhs) {
  APInt divisor;
  if (matchPattern(rhs, m_ConstantInt(&divisor)) && !divisor.isZero())
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value isZero =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rhs, zero);
  Value safe = arith::SelectOp::create(builder, loc, isZero, one, rhs);
  Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, safe);
  return arith::SelectOp::create(builder, loc, isZero, zero, quotient);
}

/// What `makeFloorDiv` leaves; `lhs` for a divisor of 0.
static Value makeMod(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  Value quotient = makeFloorDiv(builder, loc, lhs, rhs);
  Value multiple = arith::MulIOp::create(builder, loc, quotient, rhs);
  return arith::SubIOp::create(builder, loc, lhs, multiple);
}

template <typename OpTy>
static Value make(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return OpTy::create(builder, loc, lhs, rhs);
}

int64_t FunctionBuilder::indexOp(const std::string &kind, int64_t lhs,
                                 int64_t rhs) {
  MLIRContext *context = enter();
  using Maker = Value (*)(OpBuilder &, Location, Value, Value);
  Maker maker = llvm::StringSwitch<Maker>(kind)
                    .Case("+", make<arith::AddIOp>)
                    .Case("-", make<arith::SubIOp>)
                    .Case("*", make<arith::MulIOp>)
                    .Case("floordiv", makeFloorDiv)
                    .Case("mod", makeMod)
                    .Case("max", make<arith::MaxSIOp>)
                    .Case("min", make<arith::MinSIOp>)
                    .Default(nullptr);
  if (!maker)
    throw DialectError("'" + kind + "' is not index arithmetic");
  OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
  return number(
      maker(builder, UnknownLoc::get(context), getIndex(lhs), getIndex(rhs)));
}

nb::tuple FunctionBuilder::indexToTensor(int64_t index,
                                         const std::string &element,
                                         At location) {
  enter();
  Value value = getIndex(index);
  Type type = parseElementType(element);
  if (!type.isInteger())
    throw DialectError("an index value becomes an integer, not '" + element +
                       "'");
  OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
  Location loc = at(location);
  Value scalar = arith::IndexCastOp::create(builder, loc, type, value);
  return describeOwn(number(tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, type), scalar)));
}
