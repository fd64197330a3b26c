//===- vendor-opt.cpp - wax's passes and a vendor's own -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssignUnits.h"

#include "wax/Passes/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::wax::registerAllDialects(registry);
  mlir::wax::registerAllPasses();
  vendor::registerAssignUnitsPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "a vendor's optimizer driver\n", registry));
}
