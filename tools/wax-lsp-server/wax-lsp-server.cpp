//===- wax-lsp-server.cpp - Language server for .mlir files -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  wax::registerAllDialects(registry);
  wax::registerAllPasses();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
