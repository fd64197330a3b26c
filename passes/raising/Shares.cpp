//===- Shares.cpp - What each key has of a query, recognised --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shares.h"
#include "Formulas.h"
#include "Recognitions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::wax;

namespace {
/// A value that may have been replaced where it is infinite, or zero.
struct Guarded {
  Element element;
  bool isGuarded;
};

/// A choice, by how something compares with a number, whose operand `place` is
/// the number `replaced`.
struct Choice {
  unsigned place;
  double replaced;
  arith::CmpFPredicate predicate;
  double number;
};
} // namespace

/// What an element keeps of itself, if it is such a choice by itself, which
/// `getTested` finds in what is compared; or all of it.
static Guarded
getKept(Reader &reader, const Element &element, const Choice &choice,
        llvm::function_ref<std::optional<Element>(const Element &)> getTested) {
  Guarded plain{element, false};
  if (!Reader::getOp<arith::SelectOp>(element) ||
      getNumber(reader.getOperand(element, choice.place)) != choice.replaced)
    return plain;
  Element test = reader.getOperand(element);
  auto compare = Reader::getOp<arith::CmpFOp>(test);
  if (!compare || compare.getPredicate() != choice.predicate ||
      getNumber(reader.getOperand(test, 1)) != choice.number)
    return plain;
  Element kept = reader.getOperand(element, 3 - choice.place);
  std::optional<Element> tested = getTested(reader.getOperand(test));
  return tested && reader.isSame(*tested, kept) ? Guarded{kept, true} : plain;
}

/// `total == 0 ? 1 : total`, or the total.
static Guarded getUnlessZero(Reader &reader, const Element &element) {
  return getKept(reader, element, {1, 1, arith::CmpFPredicate::OEQ, 0},
                 [](const Element &compared) { return compared; });
}

/// `|largest| ≠ ∞ ? largest : 0`, false of NaN, or the largest.
static Guarded getIfFinite(Reader &reader, const Element &element) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return getKept(reader, element, {2, 0, arith::CmpFPredicate::ONE, infinity},
                 [&](const Element &magnitude) -> std::optional<Element> {
                   if (!Reader::getOp<math::AbsFOp>(magnitude))
                     return std::nullopt;
                   return reader.getOperand(magnitude);
                 });
}

/// The term of a fold over all of `indices`, which count up to `sizes`, that
/// `accept` takes, whatever the order in which the fold has them.
static std::optional<Element>
matchTerm(const Fold &fold, ArrayRef<int64_t> indices, ArrayRef<int64_t> sizes,
          llvm::function_ref<bool(const Element &)> accept) {
  // Orders of more are too many.
  constexpr size_t mostIndices = 4;
  if (fold.folded.size() != indices.size() || indices.size() > mostIndices)
    return std::nullopt;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(indices.size()));
  do {
    auto pick = [&](ArrayRef<int64_t> from) {
      return llvm::map_to_vector(order,
                                 [&](int64_t place) { return from[place]; });
    };
    if (pick(sizes) != fold.sizes)
      continue;
    Element term =
        Reader::replaceIndices(fold.term, fold.folded, pick(indices));
    if (accept(term))
      return term;
  } while (std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

std::optional<Share> mlir::wax::readShare(Reader &reader,
                                          const Element &element,
                                          ArrayRef<int64_t> indices,
                                          ArrayRef<int64_t> sizes) {
  if (!Reader::getOp<math::ExpOp>(element))
    return std::nullopt;
  Element shifted = reader.getOperand(element);
  if (!Reader::getOp<arith::SubFOp>(shifted))
    return std::nullopt;
  Element score = reader.getOperand(shifted);
  auto [largest, isGuarded] =
      getIfFinite(reader, reader.getOperand(shifted, 1));
  Element folded = withoutWidening(reader, largest);
  std::optional<Fold> maximum = reader.getMaximum(folded);
  if (!maximum ||
      !matchTerm(*maximum, indices, sizes, [&](const Element &compared) {
        return reader.isSame(withoutWidening(reader, reader.resolve(compared)),
                             withoutWidening(reader, score));
      }))
    return std::nullopt;
  return Share{score, folded.value.getDefiningOp(), isGuarded};
}

std::optional<Total> mlir::wax::readTotal(Reader &reader,
                                          const Element &element,
                                          const Element &share,
                                          ArrayRef<int64_t> indices,
                                          ArrayRef<int64_t> sizes) {
  Guarded total = getUnlessZero(reader, element);
  std::optional<Fold> sum = reader.getSum(total.element);
  if (!sum)
    return std::nullopt;
  std::optional<Element> term =
      matchTerm(*sum, indices, sizes, [&](const Element &summed) {
        return reader.isSame(summed, share);
      });
  if (!term)
    return std::nullopt;
  return Total{total.element.value.getDefiningOp(), reader.resolve(*term),
               total.isGuarded};
}

/// The tensor of which an element is computed last.
static Value getTensorOf(const Element &element) {
  Value value = element.value;
  Operation *kernel = value.getParentBlock()->getParentOp();
  Operation *yield = kernel->getRegion(0).front().getTerminator();
  return kernel->getNumResults() == 1 && yield->getOperand(0) == value
             ? kernel->getResult(0)
             : Value();
}

std::optional<CausalMix> mlir::wax::readCausalMix(Reader &reader, Value mixed) {
  std::optional<Contraction> found =
      readContraction(reader, reader.resolve(reader.read(mixed)));
  if (!found || found->summed.size() != 1)
    return std::nullopt;
  int64_t key = found->summed.front();
  int64_t rank = cast<RankedTensorType>(mixed.getType()).getRank();
  for (unsigned place : {0, 1}) {
    CausalMix mix;
    mix.values = found->factors[1 - place].source.value;
    if (!mix.values)
      continue;
    Element element = withoutRounding(reader, found->factors[place].element);
    std::optional<Pair> quotient = getQuotient(reader, element);
    if (quotient) {
      std::optional<Total> total = readTotal(
          reader, quotient->second, quotient->first, key, found->sizes);
      if (!total)
        continue;
      mix.folds.push_back(total->sum);
      element = quotient->first;
    }
    mix.shares = getTensorOf(element);
    // A number that multiplies all changes none that is 0.
    for (std::optional<Scaled> scaled = getScaled(reader, element);
         scaled && std::isfinite(scaled->factor);
         scaled = getScaled(reader, element))
      element = reader.resolve(scaled->element);
    std::optional<Share> share = readShare(reader, element, key, found->sizes);
    if (!share)
      continue;
    std::optional<Causal> causal = readHidden(reader, share->score, key, rank);
    if (!causal)
      continue;
    mix.causal = *causal;
    mix.folds.push_back(share->maximum);
    return mix;
  }
  return std::nullopt;
}
