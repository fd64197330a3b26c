//===- Formulas.cpp - Parts of formulas, as programs spell them -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// What 1 is divided by.
static std::optional<Element> getReciprocal(const Reader &reader,
                                            const Element &element) {
  std::optional<Pair> parts = getBoth<arith::DivFOp>(reader, element);
  if (!parts || getNumber(parts->first) != 1.0)
    return std::nullopt;
  return parts->second;
}

std::optional<Pair> mlir::wax::getQuotient(const Reader &reader,
                                           const Element &element) {
  if (std::optional<Pair> parts = getBoth<arith::DivFOp>(reader, element))
    return parts;
  std::optional<Pair> factors = getBoth<arith::MulFOp>(reader, element);
  if (!factors)
    return std::nullopt;
  if (std::optional<Element> divisor = getReciprocal(reader, factors->second))
    return Pair{factors->first, *divisor};
  if (std::optional<Element> divisor = getReciprocal(reader, factors->first))
    return Pair{factors->second, *divisor};
  return std::nullopt;
}

std::optional<Element> mlir::wax::getSquared(Reader &reader,
                                             const Element &element) {
  std::optional<Pair> factors = getBoth<arith::MulFOp>(reader, element);
  if (!factors || !reader.isSame(factors->first, factors->second))
    return std::nullopt;
  return factors->first;
}

SmallVector<Factors> mlir::wax::getProducts(const Reader &reader,
                                            const Element &element,
                                            unsigned most) {
  SmallVector<Factors> found{{{element}, {}}};
  Element whole = reader.resolve(element);
  bool isQuotient = bool(Reader::getOp<arith::DivFOp>(whole));
  if (!isQuotient && (!Reader::getOp<arith::MulFOp>(whole) || most < 2))
    return found;
  SmallVector<Factors> lefts, rights;
  if (isQuotient && getNumber(reader.getOperand(whole)) == 1.0)
    lefts = {{}};
  else if (most > 1)
    lefts = getProducts(reader, Reader::getGiven(whole), most - 1);
  if (isQuotient)
    rights = {{{}, {Reader::getGiven(whole, 1)}}};
  else
    rights = getProducts(reader, Reader::getGiven(whole, 1), most - 1);
  for (const Factors &left : lefts)
    for (const Factors &right : rights) {
      if (left.size() + right.size() > most)
        continue;
      Factors both = left;
      llvm::append_range(both.multiplied, right.multiplied);
      llvm::append_range(both.divisors, right.divisors);
      found.push_back(std::move(both));
    }
  return found;
}

std::optional<Scaled> mlir::wax::getScaled(const Reader &reader,
                                           const Element &element) {
  if (Reader::getOp<arith::MulFOp>(element))
    for (unsigned place : {0, 1})
      if (std::optional<double> factor =
              getNumber(reader.getOperand(element, place)))
        return Scaled{Reader::getGiven(element, 1 - place), *factor};
  if (Reader::getOp<arith::DivFOp>(element))
    if (std::optional<double> divisor =
            getNumber(reader.getOperand(element, 1)))
      return Scaled{Reader::getGiven(element), 1.0 / *divisor};
  return std::nullopt;
}

std::optional<Mean> mlir::wax::getMean(Reader &reader, const Element &element) {
  std::optional<Scaled> scaled = getScaled(reader, element);
  if (!scaled)
    return std::nullopt;
  Element total = reader.resolve(scaled->element);
  std::optional<Fold> sum = reader.getSum(total);
  if (!sum)
    return std::nullopt;
  double count = 1;
  for (int64_t size : sum->sizes) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    count *= size;
  }
  // Where elements are f32, the number or its reciprocal has been rounded.
  if (scaled->factor != 1.0 / count &&
      scaled->factor != static_cast<float>(1.0 / count) &&
      scaled->factor != 1.0 / static_cast<float>(count))
    return std::nullopt;
  return Mean{*sum, total.indices};
}

Element mlir::wax::withoutNarrowing(const Reader &reader,
                                    const Element &element) {
  return Reader::getOp<arith::TruncFOp>(element) ? reader.getOperand(element)
                                                 : element;
}

Element mlir::wax::withoutWidening(const Reader &reader,
                                   const Element &element) {
  return Reader::getOp<arith::ExtFOp>(element) ? reader.getOperand(element)
                                               : element;
}

Element mlir::wax::withoutRounding(const Reader &reader,
                                   const Element &element) {
  if (!Reader::getOp<arith::ExtFOp>(element))
    return element;
  Element rounded = reader.getOperand(element);
  if (!Reader::getOp<arith::TruncFOp>(rounded))
    return element;
  Element whole = reader.getOperand(rounded);
  return getElementTypeOrSelf(whole.value) == element.value.getType() ? whole
                                                                      : element;
}

std::optional<SmallVector<int64_t>>
mlir::wax::matchFolded(const Fold &fold, ArrayRef<int64_t> kept,
                       RankedTensorType type,
                       llvm::function_ref<bool(const Element &)> accept) {
  SmallVector<int64_t> others;
  for (int64_t index : llvm::seq(type.getRank()))
    if (!llvm::is_contained(kept, index))
      others.push_back(index);
  // A reshape may have dropped and inserted dims of size 1.
  if (others.size() > fold.folded.size())
    llvm::erase_if(others,
                   [&](int64_t index) { return type.getDimSize(index) == 1; });
  if (others.empty() || others.size() != fold.folded.size())
    return std::nullopt;
  SmallVector<int64_t> order(others);
  do {
    // An index that no tensor has tells nothing of how far it counts.
    SmallVector<int64_t> sizes = llvm::map_to_vector(
        order, [&](int64_t index) { return type.getDimSize(index); });
    if (sizes == fold.sizes &&
        accept(Reader::replaceIndices(fold.term, fold.folded, order)))
      return others;
  } while (std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}
