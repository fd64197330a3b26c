//===- ShapeRelation.cpp - How an operation's sizes relate ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/ShapeRelation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Whether an index value is at least 0 by the way it is computed.
static bool isNonNegative(Value index, unsigned depth = 4) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return !constant.isNegative();
  Operation *op = index.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto operand = [&](unsigned i) {
    return isNonNegative(op->getOperand(i), depth - 1);
  };
  if (isa<tensor::DimOp>(op))
    return true;
  if (isa<arith::MaxSIOp>(op))
    return operand(0) || operand(1);
  if (isa<arith::AddIOp, arith::MulIOp, arith::MinSIOp, arith::FloorDivSIOp,
          arith::CeilDivSIOp, arith::DivSIOp>(op))
    return operand(0) && operand(1);
  return false;
}

SizeSources::SizeSources(MLIRContext *context, ValueRange operands)
    : context(context) {
  for (Value operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.hasStaticShape())
      continue;
    if (llvm::any_of(sources, [&](const SizeSource &source) {
          return source.value == operand;
        }))
      continue;
    if (operand.getType().isIndex())
      sources.push_back({operand, -1, isNonNegative(operand)});
    if (!type)
      continue;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(size))
        sources.push_back({operand, static_cast<int64_t>(dim), true});
  }
}

AffineExpr SizeSources::find(Value value, int64_t dim) const {
  for (auto [number, source] : llvm::enumerate(sources))
    if (source.value == value && source.dim == dim)
      return getAffineDimExpr(number, context);
  llvm_unreachable("not a size that the operation can see");
}

AffineExpr SizeSources::dim(Value operand, int64_t dim) const {
  auto type = cast<RankedTensorType>(operand.getType());
  if (!type.isDynamicDim(dim))
    return constant(type.getDimSize(dim));
  return find(operand, dim);
}

AffineExpr SizeSources::size(Value index) const { return find(index, -1); }

AffineExpr SizeSources::size(OpFoldResult mixed) const {
  if (auto value = dyn_cast<Value>(mixed))
    return size(value);
  return constant(cast<IntegerAttr>(cast<Attribute>(mixed)).getInt());
}

AffineExpr SizeSources::constant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

int64_t mlir::wax::getStaticSize(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  return ShapedType::kDynamic;
}

/// A number that `expr` is never less than, if one is seen.
static std::optional<int64_t> getLowerBound(AffineExpr expr,
                                            const SizeSources &sources) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (sources.getSources()[dim.getPosition()].nonNegative)
      return 0;
    return std::nullopt;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> lhs = getLowerBound(binary.getLHS(), sources);
  std::optional<int64_t> rhs = getLowerBound(binary.getRHS(), sources);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *lhs + *rhs;
  case AffineExprKind::Mul:
    if (*lhs < 0 || *rhs < 0)
      return std::nullopt;
    return *lhs * *rhs;
  case AffineExprKind::FloorDiv:
    if (*lhs < 0 || *rhs < 1)
      return std::nullopt;
    return 0;
  case AffineExprKind::Mod:
    return 0;
  default:
    return std::nullopt;
  }
}

static AffineExpr getDifference(AffineExpr lhs, AffineExpr rhs,
                                const SizeSources &sources) {
  if (lhs == rhs)
    return sources.constant(0);
  AffineExpr difference = lhs - rhs;
  // Most sizes are single dims, of whose difference nothing can be simplified.
  if (!isa<AffineBinaryOpExpr>(lhs) && !isa<AffineBinaryOpExpr>(rhs))
    return difference;
  return simplifyAffineExpr(difference, sources.getSources().size(), 0);
}

bool mlir::wax::isProvablyTrue(const SizeConstraint &constraint,
                               const SizeSources &sources) {
  AffineExpr slack = getDifference(constraint.rhs, constraint.lhs, sources);
  if (constraint.kind == SizeConstraint::Kind::Equal)
    return slack == 0;
  std::optional<int64_t> bound = getLowerBound(slack, sources);
  return bound && *bound >= 0;
}

bool mlir::wax::isProvablyFalse(const SizeConstraint &constraint,
                                const SizeSources &sources) {
  auto isPositive = [&](AffineExpr expr) {
    std::optional<int64_t> bound = getLowerBound(expr, sources);
    return bound && *bound > 0;
  };
  if (isPositive(getDifference(constraint.lhs, constraint.rhs, sources)))
    return true;
  return constraint.kind == SizeConstraint::Kind::Equal &&
         isPositive(getDifference(constraint.rhs, constraint.lhs, sources));
}

bool mlir::wax::areSizesInReach(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (!ShapedType::isDynamic(size) && size != 0 &&
        (llvm::MulOverflow(count, size, count) || count > kMostElements))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Materialization
//===----------------------------------------------------------------------===//

OpFoldResult mlir::wax::materializeSize(OpBuilder &builder, Location loc,
                                        AffineExpr expr,
                                        const SizeSources &sources) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return builder.getIndexAttr(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    const SizeSource &source = sources.getSources()[dim.getPosition()];
    if (source.dim < 0)
      return source.value;
    return builder.createOrFold<tensor::DimOp>(loc, source.value, source.dim);
  }

  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto operand = [&](AffineExpr part) {
    return getValueOrCreateConstantIndexOp(
        builder, loc, materializeSize(builder, loc, part, sources));
  };
  Value lhs = operand(binary.getLHS());
  Value rhs = operand(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  case AffineExprKind::Mul:
    return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return builder.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return builder.createOrFold<arith::CeilDivSIOp>(loc, lhs, rhs);
  case AffineExprKind::Mod: {
    Value quotient = builder.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
    Value whole = builder.createOrFold<arith::MulIOp>(loc, quotient, rhs);
    return builder.createOrFold<arith::SubIOp>(loc, lhs, whole);
  }
  default:
    llvm_unreachable("not a binary expression");
  }
}
