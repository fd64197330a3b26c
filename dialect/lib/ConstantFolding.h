//===- ConstantFolding.h - Operations over known elements -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_CONSTANTFOLDING_H
#define WAX_DIALECT_LIB_CONSTANTFOLDING_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Region.h"

namespace mlir::wax {

/// Folding writes elements out one by one up to this many; constants that are
/// one element repeated are folded whatever their size.
constexpr int64_t maxFoldedElements = 64;

/// The element that a constant tensor repeats; null if `constant` is null, has
/// no element, or has different ones.
Attribute getSplatElement(Attribute constant);

/// The elements of a constant tensor by their indices.
class ConstantElements {
public:
  explicit ConstantElements(Attribute constant)
      : elements(dyn_cast_or_null<DenseElementsAttr>(constant)) {}
  explicit operator bool() const { return bool(elements); }
  Attribute operator[](ArrayRef<int64_t> index) const;

private:
  DenseElementsAttr elements;
};

/// A constant of a static type that repeats `element`; null if either is not
/// given or static.
Attribute foldToSplat(RankedTensorType type, Attribute element);

/// A constant of a small static type with `element(index)` at each index; null
/// if the type is something else, or an element is.
Attribute
foldToElements(RankedTensorType type,
               llvm::function_ref<Attribute(ArrayRef<int64_t>)> element);

/// The constant that a kernel gives over operands, each a constant or null;
/// `getDims` tells the result dims that an operand's dims are.
Attribute foldKernel(Region &kernel, RankedTensorType type,
                     ArrayRef<Attribute> operands,
                     llvm::function_ref<ArrayRef<int64_t>(unsigned)> getDims);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_CONSTANTFOLDING_H
