//===- MachineCode.h - From executables to machine code ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executables of our loops (`wax-outline-dispatches`) as object files, which
// IREE links into a program as they are: docs/decisions/0055.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MACHINECODE_H
#define WAX_PASSES_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace mlir::wax {

#define GEN_PASS_DECL
#include "wax/Passes/MachinePasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "wax/Passes/MachinePasses.h.inc"

/// What machine code is for, in LLVM's words.
struct Machine {
  std::string triple;
  std::string processor;
  /// Those that LLVM does not know are left out.
  std::string features;
};

/// This machine, as IREE names it for programs that need nothing of a system.
Machine getHost();

/// What functions of executables are made of, and lowered by.
void registerExecutables(DialectRegistry &registry);

/// What `emitObject` needs of dialects.
void registerObjects(DialectRegistry &registry);

/// An object file of functions of executables, lowered to LLVM's dialect. For
/// each it has one that IREE's runtime calls for a workgroup, named `prefix`
/// and as the function. Emits an error where there is none, as where it would
/// call anything outside.
FailureOr<SmallVector<char, 0>> emitObject(ModuleOp module, StringRef prefix,
                                           const Machine &machine);

/// A function for workgroups, of an object file that `emitObject` made, and how
/// many words and tensors it is given.
struct Kernel {
  std::string name;
  uint8_t numWords;
  uint8_t numTensors;
};

/// An object file with the function, of the name `query`, by which IREE's
/// runtime asks a program for its kernels: these, in order. None, and why, if
/// LLVM does not know the machine.
FailureOr<SmallVector<char, 0>> emitLibrary(ArrayRef<Kernel> kernels,
                                            StringRef prefix, StringRef query,
                                            const Machine &machine,
                                            std::string &complaint);

} // namespace mlir::wax

#endif // WAX_PASSES_MACHINECODE_H
