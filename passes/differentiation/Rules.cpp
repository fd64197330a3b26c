//===- Rules.cpp - What the rules of differentiation share ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::wax;

bool mlir::wax::isDifferentiable(Type type) {
  return isa<FloatType, ComplexType>(getElementTypeOrSelf(type));
}

SmallVector<Value> mlir::wax::pushThrough(Operation *op, unsigned dataCount,
                                          OpBuilder &builder,
                                          ArrayRef<Value> tangents) {
  if (llvm::none_of(tangents.take_front(dataCount),
                    [](Value tangent) { return tangent; }))
    return SmallVector<Value>(op->getNumResults());
  SmallVector<Value> operands(op->getOperands());
  for (unsigned i = 0; i < dataCount; ++i)
    operands[i] = tangents[i]
                      ? tangents[i]
                      : createZerosLike(builder, op->getLoc(), operands[i]);
  Operation *pushed = builder.clone(*op);
  pushed->setOperands(operands);
  return SmallVector<Value>(pushed->getResults());
}
