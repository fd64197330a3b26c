//===- SymbolicSizes.cpp - The sizes of a function's values ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/SymbolicSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

SymbolicSizes::SymbolicSizes(FunctionOpInterface function)
    : function(function), context(function.getContext()) {
  if (!function.isExternal())
    takeSymbols();
}

/// Reads `wax.symbols` and `wax.dims`. A symbol is represented by the first
/// argument dim that is the symbol alone.
void SymbolicSizes::takeSymbols() {
  auto symbols = function->getAttrOfType<ArrayAttr>("wax.symbols");
  if (!symbols)
    return;
  numSymbols = symbols.size();
  for (Attribute symbol : symbols) {
    auto facts = cast<DictionaryAttr>(symbol);
    auto bound = [&](StringRef name, int64_t otherwise) {
      auto attr = facts.getAs<IntegerAttr>(name);
      return attr ? attr.getInt() : otherwise;
    };
    auto name = facts.getAs<StringAttr>("name");
    roots.push_back({Value(), -1, std::max<int64_t>(bound("min", 0), 0),
                     bound("max", kMax), name ? name.str() : ""});
  }
  for (BlockArgument argument : function.getArguments()) {
    auto dims = function.getArgAttrOfType<AffineMapAttr>(
        argument.getArgNumber(), "wax.dims");
    if (!dims)
      continue;
    auto &known = sizes[argument];
    for (auto [dim, expr] : llvm::enumerate(dims.getValue().getResults())) {
      known.push_back(simplify(expr));
      auto symbol = dyn_cast<AffineSymbolExpr>(expr);
      if (!symbol || roots[symbol.getPosition()].value)
        continue;
      Root &root = roots[symbol.getPosition()];
      root.value = argument;
      root.dim = dim;
      rootNumbers[{argument, dim}] = symbol.getPosition();
    }
  }
}

AffineExpr SymbolicSizes::getRoot(Value value, int64_t dim) {
  auto [it, isNew] = rootNumbers.try_emplace({value, dim}, roots.size());
  if (isNew)
    roots.push_back({value, dim, dim < 0 ? kMin : 0, kMax, ""});
  return getAffineSymbolExpr(it->second, context);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

AffineExpr SymbolicSizes::simplify(AffineExpr expr) const {
  if (isa<AffineConstantExpr, AffineSymbolExpr>(expr))
    return expr;
  return simplifyAffineExpr(expr, 0, roots.size());
}

AffineExpr SymbolicSizes::evaluate(AffineExpr expr,
                                   ArrayRef<AffineExpr> sources) const {
  return simplify(expr.replaceDims(sources));
}

SmallVector<AffineExpr> SymbolicSizes::getSources(Operation *op) {
  SizeSources sources(context, op->getOperands());
  SmallVector<AffineExpr> exprs;
  for (const SizeSource &source : sources.getSources())
    exprs.push_back(source.dim < 0 ? getIndex(source.value)
                                   : getSize(source.value, source.dim));
  return exprs;
}

void SymbolicSizes::computeResults(Operation *op) {
  FailureOr<ShapeRelation> relation =
      cast<ShapeRelationOpInterface>(op).getShapeRelation();
  assert(succeeded(relation) && "a verified operation has a relation");
  SmallVector<AffineExpr> sources = getSources(op);
  for (auto [result, dims] :
       llvm::zip_equal(op->getResults(), relation->results))
    sizes[result] = llvm::map_to_vector(
        dims, [&](AffineExpr dim) { return evaluate(dim, sources); });
}

AffineExpr SymbolicSizes::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), context);

  if (auto it = sizes.find(tensor); it != sizes.end())
    return it->second[dim];
  Operation *op = tensor.getDefiningOp();
  if (isa_and_present<ShapeRelationOpInterface>(op)) {
    computeResults(op);
    return sizes[tensor][dim];
  }
  if (auto cast = dyn_cast_if_present<tensor::CastOp>(op))
    return getSize(cast.getSource(), dim);
  if (computeControl(tensor))
    return sizes[tensor][dim];
  return getRoot(tensor, dim);
}

AffineExpr SymbolicSizes::getIndex(Value index) {
  IntegerAttr constant;
  if (matchPattern(index, m_Constant(&constant)))
    return getAffineConstantExpr(constant.getInt(), context);

  Operation *op = index.getDefiningOp();
  if (!op)
    return getRoot(index, -1);
  auto combined = [&](auto combine) {
    return simplify(
        combine(getIndex(op->getOperand(0)), getIndex(op->getOperand(1))));
  };
  // A division rounds as `floordiv` does only where nothing is negative.
  auto divided = [&](auto combine) -> AffineExpr {
    AffineExpr lhs = getIndex(op->getOperand(0));
    AffineExpr rhs = getIndex(op->getOperand(1));
    if (getBounds(lhs).min < 0 || getBounds(rhs).min <= 0)
      return getRoot(index, -1);
    return simplify(combine(lhs, rhs));
  };
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](tensor::DimOp dim) -> AffineExpr {
        if (std::optional<int64_t> constant = dim.getConstantIndex())
          if (isa<RankedTensorType>(dim.getSource().getType()))
            return getSize(dim.getSource(), *constant);
        return getRoot(index, -1);
      })
      .Case([&](arith::AddIOp) {
        return combined([](AffineExpr l, AffineExpr r) { return l + r; });
      })
      .Case([&](arith::SubIOp) {
        return combined([](AffineExpr l, AffineExpr r) { return l - r; });
      })
      .Case([&](arith::MulIOp) {
        return combined([](AffineExpr l, AffineExpr r) { return l * r; });
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>([&](auto) {
        return divided(
            [](AffineExpr l, AffineExpr r) { return l.floorDiv(r); });
      })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) {
        return divided([](AffineExpr l, AffineExpr r) { return l % r; });
      })
      .Default([&](Operation *) { return getRoot(index, -1); });
}

bool SymbolicSizes::isItself(AffineExpr expr, Value index) const {
  auto symbol = dyn_cast<AffineSymbolExpr>(expr);
  return symbol && roots[symbol.getPosition()].value == index;
}

void SymbolicSizes::replace(Value from, Value to) {
  auto it = sizes.find(from);
  if (it == sizes.end())
    return;
  SmallVector<AffineExpr> known = std::move(it->second);
  sizes.erase(it);
  sizes[to] = std::move(known);
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

SmallVector<SizeConstraint> SymbolicSizes::getOpenConstraints(Operation *op) {
  SmallVector<SizeConstraint> open;
  auto shaped = dyn_cast<ShapeRelationOpInterface>(op);
  if (!shaped)
    return open;
  FailureOr<ShapeRelation> relation = shaped.getShapeRelation();
  assert(succeeded(relation) && "a verified operation has a relation");
  if (relation->constraints.empty())
    return open;
  SmallVector<AffineExpr> sources = getSources(op);
  for (const SizeConstraint &constraint : relation->constraints) {
    SizeConstraint evaluated = constraint;
    evaluated.lhs = evaluate(constraint.lhs, sources);
    evaluated.rhs = evaluate(constraint.rhs, sources);
    if (!isKnown(evaluated))
      open.push_back(evaluated);
  }
  return open;
}

bool SymbolicSizes::isKnown(const SizeConstraint &constraint) const {
  AffineExpr slack = simplify(constraint.rhs - constraint.lhs);
  if (constraint.kind == SizeConstraint::Kind::Equal)
    return slack == getAffineConstantExpr(0, context);
  return getBounds(slack).min >= 0;
}

/// Whether an expression is a multiple of a number but for a constant that is
/// none, and so is never zero.
static bool hasRest(AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return false;
  auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS());
  return constant &&
         constant.getValue() % sum.getLHS().getLargestKnownDivisor() != 0;
}

bool SymbolicSizes::isRefuted(const SizeConstraint &constraint) const {
  AffineExpr slack = simplify(constraint.rhs - constraint.lhs);
  Interval bounds = getBounds(slack);
  bool isEqual = constraint.kind == SizeConstraint::Kind::Equal;
  return bounds.max < 0 || (isEqual && (bounds.min > 0 || hasRest(slack)));
}

SymbolicSizes::Interval SymbolicSizes::getBounds(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return {roots[symbol.getPosition()].min, roots[symbol.getPosition()].max};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {kMin, kMax};
  Interval lhs = getBounds(binary.getLHS()), rhs = getBounds(binary.getRHS());
  // The extreme values stand for "unbounded", and saturation keeps them so.
  auto add = [](int64_t a, int64_t b, int64_t unbounded) {
    int64_t sum;
    if (a == unbounded || b == unbounded || llvm::AddOverflow(a, b, sum))
      return unbounded;
    return sum;
  };
  auto multiply = [](int64_t a, int64_t b) -> int64_t {
    int64_t product;
    if (!llvm::MulOverflow(a, b, product))
      return product;
    return (a < 0) == (b < 0) ? kMax : kMin;
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {add(lhs.min, rhs.min, kMin), add(lhs.max, rhs.max, kMax)};
  case AffineExprKind::Mul: {
    int64_t corners[] = {multiply(lhs.min, rhs.min), multiply(lhs.min, rhs.max),
                         multiply(lhs.max, rhs.min),
                         multiply(lhs.max, rhs.max)};
    return {*llvm::min_element(corners), *llvm::max_element(corners)};
  }
  case AffineExprKind::FloorDiv:
    if (lhs.min >= 0 && rhs.min > 0)
      return {lhs.min / rhs.max, lhs.max / rhs.min};
    break;
  case AffineExprKind::Mod:
    if (rhs.min > 0)
      return {0, rhs.max - 1};
    break;
  default:
    break;
  }
  return {kMin, kMax};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool SymbolicSizes::isKnownAtStart(AffineExpr expr) const {
  bool known = true;
  expr.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part)) {
      Value value = roots[symbol.getPosition()].value;
      auto argument = dyn_cast_if_present<BlockArgument>(value);
      known &= argument && argument.getOwner() == &function.front();
    }
  });
  return known;
}

OpBuilder SymbolicSizes::atStart() {
  OpBuilder builder(context);
  if (lastAtStart)
    builder.setInsertionPointAfter(lastAtStart);
  else
    builder.setInsertionPointToStart(&function.front());
  return builder;
}

OpFoldResult SymbolicSizes::materialize(OpBuilder &builder, Location loc,
                                        AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return builder.getIndexAttr(constant.getValue());
  return isKnownAtStart(expr) ? emitAtStart(loc, expr)
                              : emit(builder, loc, expr);
}

Value SymbolicSizes::emitAtStart(Location loc, AffineExpr expr) {
  if (Value value = startValues.lookup(expr))
    return value;
  // The operands of a binary expression come first, each shared.
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    emitAtStart(loc, binary.getLHS());
    emitAtStart(loc, binary.getRHS());
  }
  OpBuilder builder = atStart();
  Value value = emit(builder, function.getLoc(), expr);
  startValues[expr] = value;
  if (Operation *op = value.getDefiningOp())
    lastAtStart = op;
  return value;
}

Value SymbolicSizes::emit(OpBuilder &builder, Location loc, AffineExpr expr) {
  if (Value value = startValues.lookup(expr))
    return value;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    const Root &root = roots[symbol.getPosition()];
    if (root.dim < 0)
      return root.value;
    return tensor::DimOp::create(builder, loc, root.value, root.dim);
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emit(builder, loc, binary.getLHS());
  Value rhs = emit(builder, loc, binary.getRHS());
  // A divisor of zero must not crash before the check that refuses it.
  auto positive = [&](Value divisor) -> Value {
    if (getBounds(binary.getRHS()).min > 0)
      return divisor;
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    return arith::MaxSIOp::create(builder, loc, divisor, one);
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv: {
    rhs = positive(rhs);
    Value quotient = arith::DivSIOp::create(builder, loc, lhs, rhs);
    if (getBounds(binary.getLHS()).min >= 0)
      return quotient;
    // Simplification takes multiples out of a division, and what remains may
    // be negative.
    Value rest = arith::RemSIOp::create(builder, loc, lhs, rhs);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value isAbove = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, rest, zero);
    Value below = arith::SubIOp::create(builder, loc, quotient, one);
    return arith::SelectOp::create(builder, loc, isAbove, below, quotient);
  }
  case AffineExprKind::Mod: {
    rhs = positive(rhs);
    Value rest = arith::RemSIOp::create(builder, loc, lhs, rhs);
    if (getBounds(binary.getLHS()).min >= 0)
      return rest;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isNegative = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, rest, zero);
    Value above = arith::AddIOp::create(builder, loc, rest, rhs);
    return arith::SelectOp::create(builder, loc, isNegative, above, rest);
  }
  default:
    llvm_unreachable("sizes are made of + * floordiv mod");
  }
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string SymbolicSizes::describeArgument(unsigned index) const {
  auto name = function.getArgAttrOfType<StringAttr>(index, "wax.name");
  return name ? ("argument '" + name.getValue() + "'").str()
              : "argument " + std::to_string(index);
}

std::string SymbolicSizes::describe(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    const Root &root = roots[symbol.getPosition()];
    if (!root.name.empty())
      return root.name;
    auto argument = dyn_cast_if_present<BlockArgument>(root.value);
    if (argument && argument.getOwner() == &function.front() && root.dim >= 0)
      return "dim " + std::to_string(root.dim) + " of " +
             describeArgument(argument.getArgNumber());
    return "a computed size";
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  StringRef sign = expr.getKind() == AffineExprKind::Add        ? " + "
                   : expr.getKind() == AffineExprKind::Mul      ? " * "
                   : expr.getKind() == AffineExprKind::FloorDiv ? " // "
                                                                : " % ";
  return "(" + describe(binary.getLHS()) + sign.str() +
         describe(binary.getRHS()) + ")";
}
