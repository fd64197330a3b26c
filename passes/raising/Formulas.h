//===- Formulas.h - Parts of formulas, as programs spell them ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements are resolved, those that are taken and those that are given.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_FORMULAS_H
#define WAX_PASSES_RAISING_FORMULAS_H

#include "Elements.h"

namespace mlir::wax {

struct Pair {
  Element first, second;
};

/// The operands of an operation of this kind, if an element is one.
template <typename OpTy>
std::optional<Pair> getBoth(const Reader &reader, const Element &element) {
  if (!Reader::getOp<OpTy>(element))
    return std::nullopt;
  return Pair{reader.getOperand(element, 0), reader.getOperand(element, 1)};
}

/// Dividend and divisor, also of a product with a reciprocal.
std::optional<Pair> getQuotient(const Reader &reader, const Element &element);

/// What is multiplied by itself.
std::optional<Element> getSquared(Reader &reader, const Element &element);

/// What is multiplied, and divided by; not resolved.
struct Factors {
  SmallVector<Element> multiplied, divisors;
  size_t size() const { return multiplied.size() + divisors.size(); }
};
/// All ways to read an element as a product of so many factors at most.
SmallVector<Factors> getProducts(const Reader &reader, const Element &element,
                                 unsigned most);

/// An element, not resolved, and the number that multiplies it, or whose
/// reciprocal does.
struct Scaled {
  Element element;
  double factor;
};
std::optional<Scaled> getScaled(const Reader &reader, const Element &element);

/// A sum, divided by the number of its terms, and the indices that it has.
struct Mean {
  Fold sum;
  SmallVector<int64_t> kept;
};
std::optional<Mean> getMean(Reader &reader, const Element &element);

/// What a conversion to a narrower type rounds, or to a wider one takes, or the
/// element itself.
Element withoutNarrowing(const Reader &reader, const Element &element);
Element withoutWidening(const Reader &reader, const Element &element);
/// An element that is rounded to a narrower type and widened again, as it was.
Element withoutRounding(const Reader &reader, const Element &element);

/// The dims of `type`, in increasing order, over which a fold goes that keeps
/// the indices `kept`: those, but for dims of size 1, at whose indices `accept`
/// takes the term, which it is asked for every order.
std::optional<SmallVector<int64_t>>
matchFolded(const Fold &fold, ArrayRef<int64_t> kept, RankedTensorType type,
            llvm::function_ref<bool(const Element &)> accept);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_FORMULAS_H
