//===- VerifyNormalForm.cpp - Check which operations occur ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/IREE.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::wax {
#define GEN_PASS_DEF_VERIFYNORMALFORM
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

static bool isFunctions(Operation *op) {
  return isa<ModuleOp, func::FuncOp, func::CallOp, func::ReturnOp>(op);
}

static bool isControl(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ConditionOp,
             scf::YieldOp>(op);
}

/// `arith` on index values, their comparisons and casts.
static bool isIndexGlue(Operation *op) {
  if (!isa<arith::ArithDialect>(op->getDialect()))
    return false;
  auto isScalar = [](Type type) { return type.isIntOrIndex(); };
  return llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

static bool isTensorGlue(Operation *op) {
  return isa<tensor::DimOp, tensor::ExtractOp, tensor::FromElementsOp,
             tensor::CastOp>(op);
}

static bool isCheckpoint(Operation *op) {
  return isa<CheckpointOp, ReturnOp, NameOp>(op);
}

static bool isBasis(Operation *op) {
  return op->hasTrait<OpTrait::wax::Basis>() || isFunctions(op) ||
         isControl(op) || isIndexGlue(op) || isTensorGlue(op) ||
         isCheckpoint(op) || isa<cf::AssertOp>(op);
}

static bool isRecognized(Operation *op) {
  return isBasis(op) || isa<RecognizedOpInterface>(op);
}

static bool isUpstream(Operation *op) {
  return isFunctions(op) || isa<cf::AssertOp>(op) ||
         isa_and_present<arith::ArithDialect, complex::ComplexDialect,
                         linalg::LinalgDialect, math::MathDialect,
                         scf::SCFDialect, tensor::TensorDialect>(
             op->getDialect());
}

static bool isIREE(Operation *op) {
  return isUpstream(op) || isa<LLVM::BitcastOp, LLVM::CallIntrinsicOp>(op) ||
         isa_and_present<iree::IREEFlowDialect, iree::IREELinalgExtDialect,
                         iree::IREETensorExtDialect, iree::IREEUtilDialect,
                         vector::VectorDialect>(op->getDialect());
}

static bool admits(NormalForm form, Operation *op) {
  switch (form) {
  case NormalForm::Basis:
    return isBasis(op);
  case NormalForm::Recognized:
    return isRecognized(op);
  case NormalForm::Upstream:
    return isUpstream(op);
  case NormalForm::IREE:
    return isIREE(op);
  }
  llvm_unreachable("not a normal form");
}

static StringRef spell(NormalForm form) {
  switch (form) {
  case NormalForm::Basis:
    return "basis";
  case NormalForm::Recognized:
    return "recognized";
  case NormalForm::Upstream:
    return "upstream";
  case NormalForm::IREE:
    return "iree";
  }
  llvm_unreachable("not a normal form");
}

namespace {
struct VerifyNormalForm : wax::impl::VerifyNormalFormBase<VerifyNormalForm> {
  using VerifyNormalFormBase::VerifyNormalFormBase;

  void runOnOperation() override {
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (admits(form, op)) {
            // Verifiers have looked into kernels and decompositions.
            bool isClosed = op->hasTrait<OpTrait::wax::Basis>() ||
                            isa<RecognizedOpInterface>(op);
            return isClosed ? WalkResult::skip() : WalkResult::advance();
          }
          op->emitOpError("does not occur in the normal form '")
              << spell(form) << "'";
          return WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
