//===- ConstantFolding.cpp - Operations over known elements ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantFolding.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "wax/Dialect/ExactFolding.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::wax;

Attribute mlir::wax::getSplatElement(Attribute constant) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(constant);
  if (!elements || elements.getNumElements() == 0 || !elements.isSplat())
    return nullptr;
  return elements.getSplatValue<Attribute>();
}

Attribute ConstantElements::operator[](ArrayRef<int64_t> index) const {
  int64_t position = 0;
  for (auto [size, i] : llvm::zip(elements.getType().getShape(), index))
    position = position * size + i;
  return *(elements.value_begin<Attribute>() + position);
}

Attribute mlir::wax::foldToSplat(RankedTensorType type, Attribute element) {
  if (!element || !type.hasStaticShape())
    return nullptr;
  return DenseElementsAttr::get(type, ArrayRef(element));
}

Attribute mlir::wax::foldToElements(
    RankedTensorType type,
    llvm::function_ref<Attribute(ArrayRef<int64_t>)> element) {
  if (!type.hasStaticShape() || type.getNumElements() > maxFoldedElements)
    return nullptr;
  SmallVector<Attribute> elements;
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    elements.push_back(element(index));
    if (!elements.back())
      return nullptr;
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      if (++index[dim] < type.getDimSize(dim))
        break;
      index[dim] = 0;
    }
  }
  return DenseElementsAttr::get(type, elements);
}

bool mlir::wax::foldsExactly(Operation *op) {
  // Of zeros it gives NaN.
  if (isa<math::Atan2Op>(op))
    return false;
  return !isa_and_present<complex::ComplexDialect>(op->getDialect()) ||
         isa<complex::BitcastOp, complex::ConjOp, complex::CreateOp,
             complex::EqualOp, complex::ImOp, complex::NegOp,
             complex::NotEqualOp, complex::ReOp>(op);
}

/// What a kernel with one result yields for known arguments (null: unknown).
///
/// The folders of arith give nothing for inputs that upstream leaves undefined,
/// so what the dialect defines for them is left to the lowering.
static Attribute evaluate(Region &kernel, ArrayRef<Attribute> arguments) {
  llvm::DenseMap<Value, Attribute> known;
  for (auto [argument, value] : llvm::zip(kernel.getArguments(), arguments))
    known[argument] = value;
  for (Operation &op : kernel.front().without_terminator()) {
    Attribute constant;
    if (matchPattern(&op, m_Constant(&constant))) {
      known[op.getResult(0)] = constant;
      continue;
    }
    if (!foldsExactly(&op))
      continue;
    SmallVector<Attribute> operands = llvm::map_to_vector(
        op.getOperands(), [&](Value operand) { return known.lookup(operand); });
    // Folding may change an operation in place, so a copy is folded.
    Operation *copy = op.clone();
    SmallVector<OpFoldResult> results;
    if (succeeded(copy->fold(operands, results)) &&
        results.size() == op.getNumResults())
      for (auto [result, folded] : llvm::zip(op.getResults(), results)) {
        auto value = dyn_cast<Value>(folded);
        known[result] = value ? known.lookup(value) : cast<Attribute>(folded);
      }
    copy->destroy();
  }
  return known.lookup(kernel.front().getTerminator()->getOperand(0));
}

Attribute
mlir::wax::foldKernel(Region &kernel, RankedTensorType type,
                      ArrayRef<Attribute> operands,
                      llvm::function_ref<ArrayRef<int64_t>(unsigned)> getDims) {
  if (!type.hasStaticShape())
    return nullptr;
  Attribute yielded;
  if (matchPattern(kernel.front().getTerminator()->getOperand(0),
                   m_Constant(&yielded)))
    return foldToSplat(type, yielded);
  if (llvm::none_of(operands, [](Attribute operand) { return operand; }))
    return nullptr;
  if (Attribute constant = foldToSplat(
          type,
          evaluate(kernel, llvm::map_to_vector(operands, getSplatElement))))
    return constant;

  auto elements = llvm::map_to_vector(
      operands, [](Attribute operand) { return ConstantElements(operand); });
  if (!llvm::all_of(elements,
                    [](const ConstantElements &e) { return bool(e); }))
    return nullptr;
  return foldToElements(type, [&](ArrayRef<int64_t> index) {
    SmallVector<Attribute> arguments;
    for (auto [i, operand] : llvm::enumerate(elements))
      arguments.push_back(operand[llvm::map_to_vector(
          getDims(i), [&](int64_t dim) { return index[dim]; })]);
    return evaluate(kernel, arguments);
  });
}
