//===- DelayDivisions.cpp - A softmax divided after its product -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Tensors.h"
#include "../raising/Formulas.h"
#include "../raising/Recognitions.h"
#include "../raising/Shares.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_DELAYDIVISIONS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
/// A sum of products of which one factor is a softmax over what is summed.
struct Mixture {
  Contraction contraction;
  /// The number of that factor.
  unsigned place;
  Location division;
  bool isDivisorGuarded;
  /// The exponentials, and the indices of their dims.
  Element exponentials;

  const Factor &getValues() const { return contraction.factors[1 - place]; }
};
} // namespace

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The tensor that a resolved element is one of, if it is what a kernel gives.
static std::optional<Element> getMade(const Element &element, Block *block) {
  Operation *op = element.value.getDefiningOp()->getParentOp();
  if (!isa<MapOp, BroadcastOp>(op) || op->getBlock() != block ||
      op->getRegion(0).front().getTerminator()->getOperand(0) != element.value)
    return std::nullopt;
  return Element{op->getResult(0), element.indices};
}

/// The product of sizes, none if one is open.
static std::optional<int64_t> multiply(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

/// Whether results are fewer than weights: both are as many along all indices
/// but those of values alone, and those that are summed over.
static bool areResultsFewer(const Contraction &contraction,
                            ArrayRef<int64_t> weights, RankedTensorType type) {
  SmallVector<int64_t> others;
  for (int64_t dim : llvm::seq(type.getRank()))
    if (!llvm::is_contained(weights, dim))
      others.push_back(type.getDimSize(dim));
  std::optional<int64_t> results = multiply(others);
  std::optional<int64_t> keys = multiply(contraction.sizes);
  return results && keys && *results < *keys;
}

static std::optional<Mixture> readMixture(Reader &reader, ReduceOp sum) {
  Value result = sum->getResult(0);
  std::optional<Contraction> found =
      readContraction(reader, reader.read(result));
  if (!found || !isa<Float32Type, Float64Type>(found->accumulator))
    return std::nullopt;
  for (unsigned place : {0, 1}) {
    const Element &weight = found->factors[place].element;
    const Factor &values = found->factors[1 - place];
    std::optional<Pair> quotient = getQuotient(reader, weight);
    if (!quotient || !values.source.value)
      continue;
    const Element &share = quotient->first;
    std::optional<Total> total =
        readTotal(reader, quotient->second, share, found->summed, found->sizes);
    if (!total || !readShare(reader, share, found->summed, found->sizes))
      continue;
    // Of what the sum and the weights compute alike, either may be a tensor.
    std::optional<Element> made = getMade(share, sum->getBlock());
    if (!made)
      made = getMade(total->term, sum->getBlock());
    // Values made of the same weights are no reason to compute these twice.
    if (!made || values.element.value == weight.value ||
        values.element.value == share.value)
      continue;
    auto hasBoth = [&](int64_t index) {
      return llvm::is_contained(made->indices, index) &&
             llvm::is_contained(values.source.indices, index);
    };
    auto hasEither = [&](int64_t index) {
      return llvm::is_contained(made->indices, index) ||
             llvm::is_contained(values.source.indices, index);
    };
    RankedTensorType type = getTensor(result);
    if (llvm::all_of(found->summed, hasBoth) &&
        llvm::all_of(llvm::seq(type.getRank()), hasEither) &&
        areResultsFewer(*found, made->indices, type))
      return Mixture{*found, place, weight.value.getLoc(), total->isGuarded,
                     *made};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The same, divided afterwards
//===----------------------------------------------------------------------===//

/// The exponentials, none above the reciprocal of how many are summed up, at
/// least: so their products with values do not overflow where those of weights
/// do not. A power of 2 rounds nothing.
static Element scale(OpBuilder &builder, const Mixture &mixture) {
  Value tensor = mixture.exponentials.value;
  Operation *made = builder.clone(*tensor.getDefiningOp());
  Operation *end = made->getRegion(0).front().getTerminator();
  OpBuilder kernel(end);
  Location loc = made->getLoc();
  auto type = cast<FloatType>(mixture.contraction.accumulator);
  int64_t count = *multiply(mixture.contraction.sizes);
  Value factor = arith::ConstantOp::create(
      kernel, loc,
      kernel.getFloatAttr(type, std::ldexp(1.0, -llvm::Log2_64_Ceil(count))));
  end->setOperand(
      0, arith::MulFOp::create(kernel, loc, end->getOperand(0), factor));
  return {made->getResult(0), mixture.exponentials.indices};
}

/// A tensor without its dims that have no index.
static Element dropUnits(OpBuilder &builder, Location loc, Element element) {
  RankedTensorType type = getTensor(element.value);
  SmallVector<Attribute> from, to;
  SmallVector<int64_t> shape, indices;
  for (auto [dim, index] : llvm::enumerate(element.indices)) {
    from.push_back(builder.getDenseI64ArrayAttr({static_cast<int64_t>(dim)}));
    if (index == kNoIndex) {
      to.push_back(builder.getDenseI64ArrayAttr({}));
      continue;
    }
    to.push_back(
        builder.getDenseI64ArrayAttr({static_cast<int64_t>(indices.size())}));
    indices.push_back(index);
    shape.push_back(type.getDimSize(dim));
  }
  if (indices.size() == element.indices.size())
    return element;
  Value dropped = ReshapeOp::create(
      builder, loc, type.clone(shape), element.value, /*sizes=*/ValueRange(),
      builder.getArrayAttr(from), builder.getArrayAttr(to));
  return {dropped, indices};
}

static Value widen(OpBuilder &builder, Operation *widening, Value scalar) {
  if (!widening)
    return scalar;
  Operation *made = builder.clone(*widening);
  made->setOperands(scalar);
  return made->getResult(0);
}

/// Gives the new sum, which takes the old one's place but for the division.
static ReduceOp divideLast(RewriterBase &rewriter, ReduceOp sum,
                           const Mixture &mixture) {
  rewriter.setInsertionPoint(sum);
  const Contraction &contraction = mixture.contraction;
  RankedTensorType type = getTensor(sum->getResult(0));
  // Indices that are summed over are the last dims of products.
  auto getDim = [&](int64_t index) -> int64_t {
    const int64_t *place = llvm::find(contraction.summed, index);
    return place == contraction.summed.end()
               ? index
               : type.getRank() + (place - contraction.summed.begin());
  };
  auto getDims = [&](ArrayRef<int64_t> indices) {
    return llvm::map_to_vector(indices, getDim);
  };

  Element weights = scale(rewriter, mixture);
  Location weighing = weights.value.getLoc();
  weights = dropUnits(rewriter, weighing, weights);
  SmallVector<int64_t> folded, kept;
  for (auto [dim, index] : llvm::enumerate(weights.indices))
    if (llvm::is_contained(contraction.summed, index))
      folded.push_back(dim);
    else
      kept.push_back(index);
  Value total = createSum(rewriter, weighing, weights.value, folded);

  SmallVector<Operand> factors{{weights.value, getDims(weights.indices)},
                               {mixture.getValues().source.value,
                                getDims(mixture.getValues().source.indices)}};
  if (mixture.place == 1)
    std::swap(factors[0], factors[1]);
  Location loc = sum.getLoc();
  Value products = createBroadcast(
      rewriter, loc, factors, {},
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        SmallVector<Value> both(in);
        Value &value = both[1 - mixture.place];
        value = widen(body, mixture.getValues().widening, value);
        return arith::MulFOp::create(body, loc, both[0], both[1]);
      });
  Value mixed = createSum(rewriter, loc, products, getDims(contraction.summed));

  Value quotient = createBroadcast(
      rewriter, mixture.division, {{mixed, getAllDims(mixed)}, {total, kept}},
      {}, [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Value divisor = in[1];
        if (mixture.isDivisorGuarded) {
          auto number = [&](double value) -> Value {
            return arith::ConstantOp::create(
                body, loc, body.getFloatAttr(divisor.getType(), value));
          };
          Value isZero = arith::CmpFOp::create(
              body, loc, arith::CmpFPredicate::OEQ, divisor, number(0));
          divisor =
              arith::SelectOp::create(body, loc, isZero, number(1), divisor);
        }
        return arith::DivFOp::create(body, loc, in[0], divisor);
      });
  rewriter.replaceAllUsesWith(sum->getResult(0),
                              castTo(rewriter, loc, type, quotient));
  return mixed.getDefiningOp<ReduceOp>();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct DelayDivisions : wax::impl::DelayDivisionsBase<DelayDivisions> {
  void runOnOperation() override {
    WalkResult found = getOperation()->walk(
        [](math::ExpOp) { return WalkResult::interrupt(); });
    if (!found.wasInterrupted())
      return;
    IRRewriter rewriter(&getContext());
    for (Block *block : getBlocksOfBasis(getOperation())) {
      llvm::SetVector<Operation *> sums;
      for (ReduceOp sum : block->getOps<ReduceOp>())
        sums.insert(sum);
      while (!sums.empty()) {
        auto sum = cast<ReduceOp>(sums.pop_back_val());
        std::optional<Mixture> mixture = findMixture(sum);
        if (!mixture)
          continue;
        // The other factor may be a softmax too.
        sums.insert(divideLast(rewriter, sum, *mixture));
        eraseUnread(rewriter, sum, sums);
      }
    }
  }

private:
  /// One of which nothing but the result is read elsewhere.
  static std::optional<Mixture> findMixture(ReduceOp sum) {
    Reader reader(sum->getBlock());
    while (std::optional<Mixture> mixture = readMixture(reader, sum)) {
      Recognition parts;
      parts.results = {sum->getResult(0)};
      parts.operands = {mixture->getValues().source.value};
      llvm::append_range(
          parts.operands,
          mixture->exponentials.value.getDefiningOp()->getOperands());
      Value obstacle = findObstacle(parts);
      if (!obstacle)
        return mixture;
      if (!reader.stops.insert(obstacle).second)
        break;
    }
    return std::nullopt;
  }

  static void eraseUnread(RewriterBase &rewriter, Operation *root,
                          llvm::SetVector<Operation *> &sums) {
    llvm::SetVector<Operation *> next;
    next.insert(root);
    while (!next.empty()) {
      Operation *op = next.pop_back_val();
      if (!isOpTriviallyDead(op))
        continue;
      for (Value operand : op->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          next.insert(maker);
      sums.remove(op);
      rewriter.eraseOp(op);
    }
  }
};
} // namespace
