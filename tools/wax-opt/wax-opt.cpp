//===- wax-opt.cpp - Runs passes over a file ------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/MachineCode.h"
#include "wax/Passes/Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::wax::registerAllDialects(registry);
  mlir::wax::registerExecutables(registry);
  mlir::wax::registerAllPasses();
  mlir::wax::registerWaxMachinePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "wax optimizer driver\n", registry));
}
