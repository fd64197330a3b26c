//===- Contract.cpp - Sums of products, recognised ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognitions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "wax/Dialect/Recognized.h"

using namespace mlir;
using namespace mlir::wax;

std::optional<Contraction> mlir::wax::readContraction(Reader &reader,
                                                      const Element &element) {
  std::optional<Fold> sum = reader.getSum(element);
  if (!sum)
    return std::nullopt;
  Element product = reader.resolve(sum->term);
  if (!isa_and_present<arith::MulFOp, arith::MulIOp, complex::MulOp>(
          product.value.getDefiningOp()))
    return std::nullopt;
  Contraction found;
  found.accumulator = product.value.getType();
  found.summed = sum->folded;
  found.sizes = sum->sizes;
  for (auto [place, factor] : llvm::enumerate(found.factors)) {
    Element given = Reader::getGiven(product, place);
    factor.element = reader.resolve(given);
    factor.source = reader.getSource(given, &factor.widening);
  }
  return found;
}

/// Whether each index of the result is one of a factor, and each that is summed
/// over one of both.
static bool arePaired(const Contraction &found, int64_t rank) {
  auto count = [&](int64_t index) {
    return llvm::count_if(found.factors, [&](const Factor &factor) {
      return llvm::is_contained(factor.source.indices, index);
    });
  };
  return llvm::all_of(llvm::seq(rank),
                      [&](int64_t index) { return count(index) > 0; }) &&
         llvm::all_of(found.summed,
                      [&](int64_t index) { return count(index) == 2; });
}

std::optional<Recognition> mlir::wax::recognizeContract(Reader &reader,
                                                        Value result) {
  Element element = reader.resolve(reader.read(result));
  if (Reader::getOp<arith::TruncFOp>(element))
    element = reader.getOperand(element);
  std::optional<Contraction> found = readContraction(reader, element);
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  if (!found || !found->factors[0].source.value ||
      !found->factors[1].source.value || !arePaired(*found, rank))
    return std::nullopt;

  Builder builder(result.getContext());
  Recognition made;
  made.name = ContractOp::getOperationName();
  made.results = {result};
  SmallVector<Attribute> dims;
  llvm::SmallDenseSet<StringRef> widenings;
  for (const Factor &factor : found->factors) {
    made.operands.push_back(factor.source.value);
    dims.push_back(builder.getDenseI64ArrayAttr(factor.source.indices));
    if (factor.widening)
      widenings.insert(factor.widening->getName().getStringRef());
  }
  // One is widened by its sign, and the other by zeros.
  if (widenings.size() > 1)
    return std::nullopt;
  made.attributes.set("dims", builder.getArrayAttr(dims));
  made.attributes.set("accumulator", TypeAttr::get(found->accumulator));
  if (widenings.contains(arith::ExtUIOp::getOperationName()))
    made.attributes.set("is_unsigned", builder.getUnitAttr());
  return made;
}
