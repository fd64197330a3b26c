//===- Attention.cpp - Values mixed by scores, recognised -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"
#include "Recognitions.h"
#include "Shares.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Dialect/Recognized.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// Finds the parts of attention, one after the other.
class Attention {
public:
  Attention(Reader &reader, Value result)
      : reader(reader), result(result),
        rank(cast<RankedTensorType>(result.getType()).getRank()) {}

  std::optional<Recognition> find() {
    Element whole =
        withoutNarrowing(reader, reader.resolve(reader.read(result)));
    accumulator = getElementTypeOrSelf(whole.value);
    // The division comes after the values are mixed, or before.
    std::optional<Pair> quotient = getQuotient(reader, whole);
    if (quotient ? !findMixed(quotient->first, quotient->second)
                 : !findMixed(whole, std::nullopt))
      return std::nullopt;
    return make();
  }

private:
  bool findMixed(const Element &mixed, std::optional<Element> total) {
    std::optional<Contraction> found = readContraction(reader, mixed);
    if (!found || found->summed.size() != 1)
      return false;
    key = found->summed.front();
    keys = found->sizes;
    for (unsigned place : {0, 1}) {
      Element share = withoutRounding(reader, found->factors[place].element);
      value = found->factors[1 - place].source;
      if (!value.value || !llvm::is_contained(value.indices, key))
        continue;
      if (total ? findShare(share, *total) : findDivided(share))
        return true;
    }
    return false;
  }

  bool findDivided(const Element &share) {
    std::optional<Pair> quotient = getQuotient(reader, share);
    return quotient && findShare(quotient->first, quotient->second);
  }

  /// `exp(s − max s)`, and its sum.
  bool findShare(const Element &share, const Element &divisor) {
    std::optional<Share> found = readShare(reader, share, key, keys);
    std::optional<Total> total = readTotal(reader, divisor, share, key, keys);
    if (!found || !total)
      return false;
    isZeroUnmatched = found->isGuarded && total->isGuarded;
    scores = readScores(reader, found->score, key, rank);
    return scores.has_value();
  }

  /// The numbers that the operation gives to indices.
  std::optional<SmallVector<int64_t>>
  getNumbers(ArrayRef<int64_t> indices) const {
    SmallVector<int64_t> numbers;
    for (int64_t index : indices) {
      const auto *shared = llvm::find(scores->width, index);
      if (index >= 0 && index < rank)
        numbers.push_back(index);
      else if (index == key)
        numbers.push_back(rank);
      else if (shared != scores->width.end())
        numbers.push_back(rank + 1 + (shared - scores->width.begin()));
      else
        return std::nullopt;
    }
    return numbers;
  }

  std::optional<Recognition> make() const {
    Builder builder(result.getContext());
    Recognition made;
    made.name = AttentionOp::getOperationName();
    made.results = {result};
    SmallVector<Attribute> dims;
    for (const Element *operand :
         {&scores->query, &scores->key, &value, &scores->mask, &scores->bias}) {
      made.segments.push_back(operand->value ? 1 : 0);
      if (!operand->value)
        continue;
      std::optional<SmallVector<int64_t>> numbers =
          getNumbers(operand->indices);
      if (!numbers)
        return std::nullopt;
      made.operands.push_back(operand->value);
      dims.push_back(builder.getDenseI64ArrayAttr(*numbers));
    }
    made.attributes.set("dims", builder.getArrayAttr(dims));
    made.attributes.set("scale", builder.getF64FloatAttr(scores->scale));
    made.attributes.set("accumulator", TypeAttr::get(accumulator));
    if (scores->fill)
      made.attributes.set("fill", builder.getF64FloatAttr(*scores->fill));
    if (scores->causal) {
      made.attributes.set("causal_dim",
                          builder.getI64IntegerAttr(scores->causal->dim));
      made.attributes.set("causal_offset",
                          builder.getI64IntegerAttr(scores->causal->offset));
    }
    if (isZeroUnmatched)
      made.attributes.set("zero_unmatched", builder.getUnitAttr());
    return made;
  }

  Reader &reader;
  Value result;
  int64_t rank;
  Type accumulator;
  /// The index that counts keys, and how many there are.
  int64_t key = kNoIndex;
  SmallVector<int64_t> keys;
  Element value;
  std::optional<Scores> scores;
  bool isZeroUnmatched = false;
};
} // namespace

std::optional<Recognition> mlir::wax::recognizeAttention(Reader &reader,
                                                         Value result) {
  return Attention(reader, result).find();
}
