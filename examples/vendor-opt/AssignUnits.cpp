//===- AssignUnits.cpp - Which unit of the chip does what -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssignUnits.h"

#include "wax/Dialect/Wax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
/// Whether a kernel is `OpTy` and nothing else: what the kernel does counts,
/// not what the operation around it is called.
template <typename OpTy> bool isKernel(Region &kernel) {
  return isa_and_nonnull<OpTy>(wax::getNamedOperation(kernel));
}

/// The products that `reduce` sums, when that is what it does and it may be
/// done in any order.
wax::BroadcastOp getSummedProducts(wax::ReduceOp reduce) {
  if (reduce.getInputs().size() != 1 || !reduce.hasCombine() ||
      !isKernel<arith::AddFOp>(reduce.getFold()))
    return nullptr;
  auto products = reduce.getInputs()[0].getDefiningOp<wax::BroadcastOp>();
  if (!products || !isKernel<arith::MulFOp>(products.getKernel()))
    return nullptr;
  return products;
}

struct AssignUnits : PassWrapper<AssignUnits, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AssignUnits)

  StringRef getArgument() const override { return "vendor-assign-units"; }
  StringRef getDescription() const override {
    return "Say which unit of the chip does each operation of the basis";
  }

  void runOnOperation() override {
    getOperation().walk([this](Operation *op) {
      if (op->hasTrait<OpTrait::wax::Basis>())
        assign(op, op->getNumRegions() ? "vector" : "dma");
      // Operations come in order, so that the products have their unit already.
      if (auto reduce = dyn_cast<wax::ReduceOp>(op))
        if (wax::BroadcastOp products = getSummedProducts(reduce)) {
          assign(reduce, "matrix");
          if (products->hasOneUse())
            assign(products, "matrix");
        }
    });
  }

  void assign(Operation *op, StringRef unit) {
    op->setAttr("vendor.unit", StringAttr::get(&getContext(), unit));
  }
};
} // namespace

void vendor::registerAssignUnitsPass() { PassRegistration<AssignUnits>(); }
