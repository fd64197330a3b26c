//===- Scores.cpp - How well queries match keys, recognised ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scores.h"
#include "Formulas.h"
#include "Recognitions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// An index, and what is added to it.
struct Place {
  int64_t index = kNoIndex;
  int64_t offset = 0;
};

class ScoreReader {
public:
  ScoreReader(Reader &reader, int64_t key, int64_t rank)
      : reader(reader), key(key), rank(rank) {}

  /// From what is done last to the products.
  std::optional<Scores> read(Element element) {
    while (auto select = Reader::getOp<arith::SelectOp>(element)) {
      std::optional<double> kept = getNumber(reader.getOperand(element, 1));
      std::optional<double> other = getNumber(reader.getOperand(element, 2));
      // A number on either side is what the other one is not.
      if (kept.has_value() == other.has_value() ||
          (scores.fill && *scores.fill != kept.value_or(other.value_or(0))) ||
          !readCondition(Reader::getGiven(element), other.has_value()))
        return std::nullopt;
      scores.fill = kept ? *kept : *other;
      element = reader.getOperand(element, kept ? 2 : 1);
    }
    if (Reader::getOp<arith::AddFOp>(element)) {
      for (unsigned place : {0, 1})
        if (readProducts(reader.getOperand(element, place)))
          return withBias(Reader::getGiven(element, 1 - place));
      return std::nullopt;
    }
    if (!readProducts(element))
      return std::nullopt;
    return scores;
  }

  /// From what is done last to what hides keys.
  std::optional<Causal> readHidden(Element element) {
    while (auto select = Reader::getOp<arith::SelectOp>(element)) {
      std::optional<double> kept = getNumber(reader.getOperand(element, 1));
      std::optional<double> other = getNumber(reader.getOperand(element, 2));
      if (kept.has_value() == other.has_value() ||
          kept.value_or(other.value_or(0)) !=
              -std::numeric_limits<double>::infinity())
        return std::nullopt;
      if (std::optional<Causal> causal =
              findCausal(Reader::getGiven(element), other.has_value()))
        return causal;
      element = reader.getOperand(element, kept ? 2 : 1);
    }
    return std::nullopt;
  }

private:
  /// What hides keys, of all that does.
  std::optional<Causal> findCausal(const Element &given, bool keeps) const {
    Element element = reader.resolve(given);
    if (keeps ? bool(Reader::getOp<arith::AndIOp>(element))
              : bool(Reader::getOp<arith::OrIOp>(element)))
      for (unsigned place : {0, 1})
        if (std::optional<Causal> causal =
                findCausal(Reader::getGiven(element, place), keeps))
          return causal;
    return readCausal(element, keeps);
  }

  /// Where scores stand, or, if not `keeps`, where the number stands.
  bool readCondition(const Element &given, bool keeps) {
    Element element = reader.resolve(given);
    if (keeps && Reader::getOp<arith::AndIOp>(element))
      return readCondition(Reader::getGiven(element), keeps) &&
             readCondition(Reader::getGiven(element, 1), keeps);
    if (std::optional<Causal> causal = readCausal(element, keeps)) {
      if (scores.causal)
        return false;
      scores.causal = causal;
      return true;
    }
    if (!keeps || scores.mask.value)
      return false;
    scores.mask = reader.getSource(given);
    return bool(scores.mask.value);
  }

  /// A counter of 32 bits or more, and a number that is too small to make it
  /// overflow.
  std::optional<Place> readPlace(const Element &element) const {
    if (auto iota = Reader::getOp<IotaOp>(element)) {
      auto type = dyn_cast<IntegerType>(iota.getType().getElementType());
      if (!type || type.getWidth() < 32)
        return std::nullopt;
      return Place{element.indices[iota.getDim()], 0};
    }
    if (std::optional<Pair> terms = getBoth<arith::AddIOp>(reader, element))
      for (auto &[term, other] : {std::pair(terms->first, terms->second),
                                  std::pair(terms->second, terms->first)})
        if (std::optional<double> number = getNumber(other);
            number && std::abs(*number) < (1 << 30))
          if (std::optional<Place> place = readPlace(term)) {
            place->offset += static_cast<int64_t>(*number);
            return place;
          }
    return std::nullopt;
  }

  std::optional<Causal> readCausal(const Element &element, bool keeps) const {
    using Predicate = arith::CmpIPredicate;
    auto compare = Reader::getOp<arith::CmpIOp>(element);
    if (!compare)
      return std::nullopt;
    std::optional<Place> left = readPlace(reader.getOperand(element));
    std::optional<Place> right = readPlace(reader.getOperand(element, 1));
    if (!left || !right)
      return std::nullopt;
    Predicate predicate = compare.getPredicate();
    if (!keeps)
      predicate = arith::invertPredicate(predicate);
    if (left->index != key) {
      std::swap(left, right);
      predicate = swapOperands(predicate);
    }
    if (left->index != key || right->index < 0 || right->index >= rank)
      return std::nullopt;
    int64_t offset = right->offset - left->offset;
    if (predicate == Predicate::sle)
      return Causal{right->index, offset};
    if (predicate == Predicate::slt)
      return Causal{right->index, offset - 1};
    return std::nullopt;
  }

  static arith::CmpIPredicate swapOperands(arith::CmpIPredicate predicate) {
    using Predicate = arith::CmpIPredicate;
    switch (predicate) {
    case Predicate::sge:
      return Predicate::sle;
    case Predicate::sgt:
      return Predicate::slt;
    case Predicate::sle:
      return Predicate::sge;
    case Predicate::slt:
      return Predicate::sgt;
    default:
      return predicate;
    }
  }

  std::optional<Scores> withBias(const Element &given) {
    Operation *widening = nullptr;
    scores.bias = reader.getSource(given, &widening);
    if (!scores.bias.value)
      return std::nullopt;
    return scores;
  }

  /// A scaled sum of products of queries and keys.
  bool readProducts(Element element) {
    scores.scale = 1;
    while (std::optional<Scaled> scaled = getScaled(reader, element)) {
      scores.scale *= scaled->factor;
      element = reader.resolve(scaled->element);
    }
    std::optional<Contraction> found =
        readContraction(reader, withoutRounding(reader, element));
    if (!found)
      return false;
    scores.width = found->summed;
    for (Factor &factor : found->factors) {
      std::optional<Scaled> scaled = getScaled(reader, factor.element);
      if (!scaled)
        continue;
      Operation *widening = nullptr;
      Element source = reader.getSource(scaled->element, &widening);
      if (!source.value)
        continue;
      scores.scale *= scaled->factor;
      factor.source = source;
    }
    auto &[first, second] = found->factors;
    bool isSwapped = llvm::is_contained(first.source.indices, key);
    scores.query = (isSwapped ? second : first).source;
    scores.key = (isSwapped ? first : second).source;
    return scores.query.value && scores.key.value &&
           llvm::is_contained(scores.key.indices, key) &&
           !llvm::is_contained(scores.query.indices, key) &&
           llvm::all_of(scores.width, [&](int64_t index) {
             return llvm::is_contained(scores.query.indices, index) &&
                    llvm::is_contained(scores.key.indices, index);
           });
  }

  Reader &reader;
  int64_t key, rank;
  Scores scores;
};
} // namespace

std::optional<Scores> mlir::wax::readScores(Reader &reader,
                                            const Element &element, int64_t key,
                                            int64_t rank) {
  return ScoreReader(reader, key, rank).read(element);
}

std::optional<Causal> mlir::wax::readHidden(Reader &reader,
                                            const Element &element, int64_t key,
                                            int64_t rank) {
  return ScoreReader(reader, key, rank).readHidden(element);
}
