//===- Normalize.cpp - Elements divided by their deviation, recognised ----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"
#include "Recognitions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "wax/Dialect/Recognized.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// Finds the parts of a normalization, one after the other.
class Normalization {
public:
  Normalization(Reader &reader, Value result)
      : reader(reader), result(result),
        type(cast<RankedTensorType>(result.getType())),
        whole(reader.read(result)) {}

  std::optional<Recognition> find() {
    Element element = withoutNarrowing(reader, reader.resolve(whole));
    if (Reader::getOp<arith::AddFOp>(element)) {
      // Either operand may be the bias.
      for (unsigned place : {0, 1})
        if (findScaled(Reader::getGiven(element, place)) &&
            findParameter(Reader::getGiven(element, 1 - place), bias))
          return make(element.value.getType());
      return std::nullopt;
    }
    if (!findScaled(element))
      return std::nullopt;
    return make(element.value.getType());
  }

private:
  /// `(x − μ) / √(v + ε) · weight`, in any order.
  bool findScaled(const Element &element) {
    return llvm::any_of(getProducts(reader, element, /*most=*/3),
                        [&](Factors &factors) { return findScaled(factors); });
  }

  bool findScaled(Factors &factors) {
    std::optional<Element> radicand = takeRadicand(factors);
    if (!radicand || !factors.divisors.empty() || factors.multiplied.empty())
      return false;
    Element variance = takeEpsilon(*radicand);
    for (auto [place, deviation] : llvm::enumerate(factors.multiplied)) {
      weight = {};
      if (findVariance(variance, deviation) &&
          (factors.multiplied.size() == 1 ||
           findParameter(factors.multiplied[1 - place], weight)))
        return true;
    }
    return false;
  }

  /// What a root is taken of that is divided by.
  std::optional<Element> takeRadicand(Factors &factors) const {
    if (factors.divisors.size() == 1) {
      Element root = reader.resolve(factors.divisors.pop_back_val());
      if (Reader::getOp<math::SqrtOp>(root))
        return reader.getOperand(root);
      return std::nullopt;
    }
    for (const Element &factor : factors.multiplied) {
      Element root = reader.resolve(factor);
      if (!Reader::getOp<math::RsqrtOp>(root))
        continue;
      factors.multiplied.erase(&factor);
      return reader.getOperand(root);
    }
    return std::nullopt;
  }

  /// What a number is added to.
  Element takeEpsilon(const Element &radicand) {
    epsilon = 0;
    if (std::optional<Pair> parts = getBoth<arith::AddFOp>(reader, radicand))
      for (auto &[number, other] : {std::pair(parts->first, parts->second),
                                    std::pair(parts->second, parts->first)})
        if (std::optional<double> value = getNumber(number)) {
          epsilon = *value;
          return other;
        }
    return radicand;
  }

  /// Whether it is the mean of the squares of what is divided, or of the
  /// elements themselves.
  bool findVariance(const Element &variance, const Element &factor) {
    isCentered = isRaw = false;
    Element deviation = reader.resolve(factor);
    if (Reader::getOp<arith::SubFOp>(deviation)) {
      Element given = reader.getOperand(deviation, 0);
      if (std::optional<Pair> moments =
              getBoth<arith::SubFOp>(reader, variance)) {
        std::optional<Element> mean = getSquared(reader, moments->second);
        isRaw = mean && findSquares(moments->first, given) &&
                reader.isSame(*mean, reader.getOperand(deviation, 1));
      }
      if ((isRaw || findSquares(variance, deviation)) &&
          isMeanOf(reader.getOperand(deviation, 1), given) &&
          findSource(Reader::getGiven(deviation))) {
        isCentered = true;
        return true;
      }
      isRaw = false;
    }
    return findSquares(variance, deviation) && findSource(factor);
  }

  /// Whether an element is the mean of another one's squares, along dims that
  /// are told by it.
  bool findSquares(const Element &element, const Element &squared) {
    std::optional<Mean> mean = getMean(reader, element);
    if (!mean)
      return false;
    std::optional<SmallVector<int64_t>> found =
        matchFolded(mean->sum, mean->kept, type, [&](const Element &term) {
          std::optional<Element> factor =
              getSquared(reader, reader.resolve(term));
          return factor && reader.isSame(*factor, squared);
        });
    if (found)
      dims = *found;
    return found.has_value();
  }

  bool isMeanOf(const Element &element, const Element &other) {
    std::optional<Mean> mean = getMean(reader, element);
    if (!mean)
      return false;
    std::optional<SmallVector<int64_t>> found =
        matchFolded(mean->sum, mean->kept, type, [&](const Element &term) {
          return reader.isSame(term, other);
        });
    return found && *found == dims;
  }

  bool findSource(const Element &element) {
    Operation *widening = nullptr;
    source = reader.getSource(element, &widening, ArrayRef(whole.indices));
    return bool(source.value);
  }

  /// A weight or bias is the same for all that is normalized by itself, or
  /// along all that is normalized together. A factor or term of all dims is
  /// something else.
  bool findParameter(const Element &element, Element &parameter) {
    Operation *widening = nullptr;
    parameter = reader.getSource(element, &widening);
    auto isNormalized = [&](int64_t index) {
      return llvm::is_contained(dims, index);
    };
    return parameter.value && (llvm::all_of(parameter.indices, isNormalized) ||
                               llvm::none_of(parameter.indices, isNormalized));
  }

  Recognition make(Type accumulator) const {
    Builder builder(result.getContext());
    Recognition made;
    made.name = NormalizeOp::getOperationName();
    made.results = {result};
    made.operands = {source.value};
    made.segments = {1};
    auto add = [&](StringRef name, const Element &parameter) {
      made.segments.push_back(parameter.value ? 1 : 0);
      if (!parameter.value)
        return;
      made.operands.push_back(parameter.value);
      made.attributes.set(name,
                          builder.getDenseI64ArrayAttr(parameter.indices));
    };
    add("weight_dims", weight);
    add("bias_dims", bias);
    made.attributes.set("dims", builder.getDenseI64ArrayAttr(dims));
    made.attributes.set("epsilon", builder.getF64FloatAttr(epsilon));
    made.attributes.set("accumulator", TypeAttr::get(accumulator));
    if (isCentered)
      made.attributes.set("centered", builder.getUnitAttr());
    if (isRaw)
      made.attributes.set("raw_moments", builder.getUnitAttr());
    return made;
  }

  Reader &reader;
  Value result;
  RankedTensorType type;
  Element whole, source, weight, bias;
  SmallVector<int64_t> dims;
  double epsilon = 0;
  bool isCentered = false, isRaw = false;
};
} // namespace

std::optional<Recognition> mlir::wax::recognizeNormalize(Reader &reader,
                                                         Value result) {
  return Normalization(reader, result).find();
}
