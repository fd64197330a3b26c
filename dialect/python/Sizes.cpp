//===- Sizes.cpp - Sizes and constraints as Python sees them --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "wax/Dialect/Wax.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

static nb::object literal(const char *text) {
  return nb::steal(makeInterned(text));
}

nb::object
mlir::wax::python::spellSize(AffineExpr expr,
                             function_ref<nb::object(AffineExpr)> spellLeaf) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return nb::int_(constant.getValue());
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr))
    return spellLeaf(expr);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  nb::object lhs = spellSize(binary.getLHS(), spellLeaf);
  nb::object rhs = spellSize(binary.getRHS(), spellLeaf);
  auto apply = [](const char *op, nb::object a, nb::object b) {
    return nb::make_tuple(literal(op), std::move(a), std::move(b));
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return apply("+", lhs, rhs);
  case AffineExprKind::Mul:
    return apply("*", lhs, rhs);
  case AffineExprKind::FloorDiv:
    return apply("floordiv", lhs, rhs);
  case AffineExprKind::Mod:
    return apply("mod", lhs, rhs);
  case AffineExprKind::CeilDiv: {
    // a ceildiv b == -(-a floordiv b)
    nb::int_ minusOne(-1);
    nb::object negated = apply("*", lhs, minusOne);
    return apply("*", apply("floordiv", negated, rhs), minusOne);
  }
  default:
    llvm_unreachable("every kind of size expression is spelled");
  }
}

nb::object mlir::wax::python::spellSource(int64_t value, int64_t dim) {
  if (dim < 0)
    return nb::make_tuple(literal("index"), value);
  return nb::make_tuple(literal("dim"), value, dim);
}

nb::object FunctionBuilder::spellSize(AffineExpr expr,
                                      const SizeSources &sources) const {
  return python::spellSize(expr, [&](AffineExpr leaf) {
    unsigned position = cast<AffineDimExpr>(leaf).getPosition();
    const SizeSource &source = sources.getSources()[position];
    return spellSource(numbers.at(source.value), source.dim);
  });
}

nb::tuple FunctionBuilder::spellSizes(ArrayRef<AffineExpr> sizes,
                                      RankedTensorType type,
                                      const SizeSources &sources) const {
  nb::list shape;
  for (auto [size, expr] : llvm::zip_equal(type.getShape(), sizes)) {
    if (ShapedType::isDynamic(size))
      shape.append(spellSize(expr, sources));
    else
      shape.append(size);
  }
  return nb::tuple(shape);
}

nb::tuple
FunctionBuilder::spellConstraints(ArrayRef<SizeConstraint> constraints,
                                  const SizeSources &sources) const {
  nb::list spelled;
  for (const SizeConstraint &constraint : constraints) {
    bool isEqual = constraint.kind == SizeConstraint::Kind::Equal;
    spelled.append(nb::make_tuple(
        literal(isEqual ? "eq" : "le"), spellSize(constraint.lhs, sources),
        spellSize(constraint.rhs, sources),
        nb::str(constraint.label.data(), constraint.label.size())));
  }
  return nb::tuple(spelled);
}
