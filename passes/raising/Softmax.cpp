//===- Softmax.cpp - Exponentials as shares of their sum, recognised ------===//
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

/// Whether an element is the maximum of others along dims, widened before or
/// after it.
static bool isMaximum(Reader &reader, const Element &element,
                      const Element &other, RankedTensorType type,
                      ArrayRef<int64_t> dims) {
  Element largest = withoutWidening(reader, element);
  std::optional<Fold> fold = reader.getMaximum(largest);
  if (!fold)
    return false;
  Element compared = withoutWidening(reader, other);
  std::optional<SmallVector<int64_t>> folded =
      matchFolded(*fold, largest.indices, type, [&](const Element &term) {
        return reader.isSame(withoutWidening(reader, reader.resolve(term)),
                             compared);
      });
  return folded && ArrayRef(*folded) == dims;
}

std::optional<Recognition> mlir::wax::recognizeSoftmax(Reader &reader,
                                                       Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  Element whole = reader.read(result);
  std::optional<Pair> quotient =
      getQuotient(reader, withoutNarrowing(reader, reader.resolve(whole)));
  if (!quotient || !Reader::getOp<math::ExpOp>(quotient->first))
    return std::nullopt;
  auto [share, total] = *quotient;
  std::optional<Fold> sum = reader.getSum(total);
  if (!sum)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> dims =
      matchFolded(*sum, total.indices, type, [&](const Element &term) {
        return reader.isSame(term, share);
      });
  Element shifted = reader.getOperand(share);
  if (!dims || !Reader::getOp<arith::SubFOp>(shifted) ||
      !isMaximum(reader, reader.getOperand(shifted, 1),
                 reader.getOperand(shifted, 0), type, *dims))
    return std::nullopt;

  Operation *widening = nullptr;
  Element source = reader.getSource(Reader::getGiven(shifted), &widening,
                                    ArrayRef(whole.indices));
  if (!source.value)
    return std::nullopt;
  Builder builder(result.getContext());
  Recognition made;
  made.name = SoftmaxOp::getOperationName();
  made.results = {result};
  made.operands = {source.value};
  made.attributes.set("dims", builder.getDenseI64ArrayAttr(*dims));
  made.attributes.set("accumulator", TypeAttr::get(share.value.getType()));
  return made;
}
