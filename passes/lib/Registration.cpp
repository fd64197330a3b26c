//===- Registration.cpp - What wax's programs register -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {
/// Every operation of wax may stand in any function.
struct WaxInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};
} // namespace

void mlir::wax::registerAllDialects(DialectRegistry &registry) {
  registry.insert<WaxDialect, affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  scf::SCFDialect, tensor::TensorDialect, iree::IREEFlowDialect,
                  iree::IREEABIDialect, iree::IREELinalgExtDialect,
                  iree::IREETensorExtDialect, iree::IREEUtilDialect>();
  registry.addExtension(+[](MLIRContext *, WaxDialect *dialect) {
    dialect->addInterfaces<WaxInlinerInterface>();
  });
  func::registerInlinerExtension(registry);
  registerLoweringInterfaces(registry);
  registerDerivatives(registry);
  registerBatching(registry);
}

void mlir::wax::registerAllPasses() {
  registerWaxPasses();
  registerWaxPipelines();
  registerCanonicalizerPass();
  registerCSEPass();
  registerInlinerPass();
  registerSymbolDCEPass();
  registerStripDebugInfoPass();
}
