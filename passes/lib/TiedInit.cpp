//===- TiedInit.cpp - What results begin with -----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/TiedInit.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

OpOperand *mlir::wax::getTiedInit(OpResult result) {
  Operation *op = result.getOwner();
  if (auto workgroups = dyn_cast<scf::ForallOp>(op))
    return workgroups.getTiedOpOperand(result);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return loop.getTiedLoopInit(result);
  if (auto insertion = dyn_cast<DestinationStyleOpInterface>(op))
    return insertion.getTiedOpOperand(result);
  return nullptr;
}
