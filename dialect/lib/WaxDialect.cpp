//===- WaxDialect.cpp - The wax dialect -----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Recognized.h"
#include "wax/Dialect/Wax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::wax;

#include "wax/Dialect/WaxDialect.cpp.inc"

namespace {
/// A function of wax operations may be inlined anywhere, into checkpoints too.
/// Kernels call nothing.
struct WaxInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void WaxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "wax/Dialect/WaxOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "wax/Dialect/RecognizedOps.cpp.inc"
      >();
  addInterfaces<WaxInliner>();
}

Operation *WaxDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  if (auto elements = dyn_cast<ElementsAttr>(value);
      elements && elements.getType() == type)
    return ConstantOp::create(builder, loc, elements);
  // Special functions are operations of this dialect on scalars.
  if (isa<FloatType>(type))
    return arith::ConstantOp::materialize(builder, value, type, loc);
  return nullptr;
}
