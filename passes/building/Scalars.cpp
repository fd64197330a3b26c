//===- Scalars.cpp - Scalar operations, built -----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

template <typename FloatOp, typename ComplexOp, typename... Args>
static Value make(OpBuilder &builder, Location loc, Value x, Args... others) {
  if (isa<ComplexType>(x.getType()))
    return ComplexOp::create(builder, loc, x.getType(), x, others...);
  return FloatOp::create(builder, loc, x, others...);
}

Value scalar::add(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return make<arith::AddFOp, complex::AddOp>(builder, loc, lhs, rhs);
}
Value scalar::sub(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return make<arith::SubFOp, complex::SubOp>(builder, loc, lhs, rhs);
}
Value scalar::mul(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return make<arith::MulFOp, complex::MulOp>(builder, loc, lhs, rhs);
}
Value scalar::div(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  return make<arith::DivFOp, complex::DivOp>(builder, loc, lhs, rhs);
}
Value scalar::neg(OpBuilder &builder, Location loc, Value x) {
  return make<arith::NegFOp, complex::NegOp>(builder, loc, x);
}

Value scalar::constant(OpBuilder &builder, Location loc, Type type,
                       double value) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    return complex::ConstantOp::create(
        builder, loc, type,
        builder.getArrayAttr({builder.getFloatAttr(part, value),
                              builder.getFloatAttr(part, 0.0)}));
  }
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value scalar::convert(OpBuilder &builder, Location loc, Value x, Type type) {
  if (x.getType() == type)
    return x;
  unsigned from = x.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, x);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, x);
  // f16 and bf16: neither holds the other.
  Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), x);
  return arith::TruncFOp::create(builder, loc, type, wide);
}

SmallVector<Value> mlir::wax::inlineKernel(OpBuilder &body, Region &kernel,
                                           ValueRange arguments) {
  IRMapping mapping;
  mapping.map(kernel.front().getArguments(), arguments);
  for (Operation &op : kernel.front().without_terminator())
    body.clone(op, mapping);
  return llvm::map_to_vector(
      kernel.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}
