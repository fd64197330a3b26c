//===- wax-lsp-server.cpp - Language server for .mlir files ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::wax::registerAllDialects(registry);
  mlir::wax::registerAllPasses();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
