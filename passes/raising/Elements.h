//===- Elements.h - Tensors read element by element -------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program computes, seen as expressions of elements: `x[i, k]`, and of
// it `exp(x[i, k] - m[i])`, whatever operations these are spread over. An
// expression is never written down. An element is a value and its indices; what
// it is computed of are elements again.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_ELEMENTS_H
#define WAX_PASSES_RAISING_ELEMENTS_H

#include "wax/Dialect/Wax.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::wax {

/// An element of a tensor at an index for each of its dims; or a scalar in a
/// kernel, at an index for each dim of what the kernel goes over. Indices are
/// numbers that stand for any index; `kNoIndex` is the one of a dim of size 1.
struct Element {
  Value value;
  SmallVector<int64_t> indices;
};
inline constexpr int64_t kNoIndex = -1;

/// The number that an element is, if it is a constant.
std::optional<double> getNumber(const Element &element);

/// A fold of one accumulator: what is folded in, at `folded` indices which
/// nothing else has, and up to which sizes these count, as far as it is known.
struct Fold {
  Element term;
  SmallVector<int64_t> folded, sizes;
};

/// Reads the elements of one block.
class Reader {
public:
  explicit Reader(Block *block) : block(block) {}

  /// Values that are not to be looked through, because others read them too.
  llvm::DenseSet<Value> stops;

  /// An element of a tensor at indices of its own, from 0 on; forgets all
  /// others.
  Element read(Value tensor);

  /// The element that this one is, one step nearer to where it is computed.
  std::optional<Element> step(const Element &element) const;
  /// The scalar operation, or the tensor that is not looked into, which an
  /// element is in the end.
  Element resolve(Element element) const;

  /// The operation that computes a resolved element.
  template <typename OpTy> static OpTy getOp(const Element &element) {
    return element.value.getDefiningOp<OpTy>();
  }
  /// What a scalar operation is given: as it stands there, or resolved.
  static Element getGiven(const Element &element, unsigned number = 0) {
    return {element.value.getDefiningOp()->getOperand(number), element.indices};
  }
  Element getOperand(const Element &element, unsigned number = 0) const {
    return resolve(getGiven(element, number));
  }

  /// The sum, or the maximum that keeps NaN, that a resolved element is, in any
  /// order.
  std::optional<Fold> getSum(const Element &element);
  std::optional<Fold> getMaximum(const Element &element);
  /// A term at other indices.
  static Element replaceIndices(Element element, ArrayRef<int64_t> from,
                                ArrayRef<int64_t> to);

  /// Whether two elements are computed alike of the same tensors.
  bool isSame(const Element &lhs, const Element &rhs);

  /// The tensor nearest to the function's arguments that an element is one of,
  /// at distinct indices, which are `indices` in this order where given; null
  /// if there is none. Looks through a conversion to a wider type too, of which
  /// `widening` tells, unless it is null.
  Element
  getSource(Element element, Operation **widening = nullptr,
            std::optional<ArrayRef<int64_t>> indices = std::nullopt) const;

  /// Whether what computes a tensor may be looked at.
  bool isVisible(Value tensor) const;

private:
  bool isSame(Element lhs, Element rhs, unsigned &budget);
  std::optional<Fold> getFold(const Element &element,
                              llvm::function_ref<bool(Operation *)> joins,
                              llvm::function_ref<bool(Attribute)> isIdentity);

  Block *block;
  int64_t next = 0;
};

/// Whether a tensor is computed of constants and counters only.
bool isFromNothing(Value tensor);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_ELEMENTS_H
