//===- Passes.h - Passes over the wax dialect ------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PASSES_H
#define WAX_PASSES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"
#include "wax/Dialect/LoweringTarget.h"
#include "wax/Passes/Processor.h"

namespace mlir::wax {

/// What operations may occur at a stage of compilation.
enum class NormalForm { Basis, Recognized, Upstream, IREE };

/// Which derivatives a function gives: tangents of its results, or cotangents
/// of its arguments.
enum class DifferentiationMode { Forward, Reverse };

#define GEN_PASS_DECL
#include "wax/Passes/Passes.h.inc"

/// `wax-to-linalg{target=upstream|iree split-complex=false|true
/// gpu=false|true processor=any|avx2|avxvnni|avx512|avx512vnni|avx512bf16|amx
/// optimize=true|false}`: from the basis to the target.
void buildWaxToLinalgPipeline(OpPassManager &manager, LoweringTarget target,
                              bool splitComplex = false, bool gpu = false,
                              Processor processor = Processor::Any);

/// Makes the pipelines known by name.
void registerWaxPipelines();

/// Attaches to each operation of the basis how it is lowered.
void registerLoweringInterfaces(DialectRegistry &registry);

/// Attaches to each operation of the basis how it is differentiated.
void registerDerivatives(DialectRegistry &registry);

/// Attaches to each operation of the basis how it is done for a batch.
void registerBatching(DialectRegistry &registry);

#define GEN_PASS_REGISTRATION
#include "wax/Passes/Passes.h.inc"

/// Every dialect that may occur at some stage of wax, from traced to lowered,
/// with what the passes attach to it.
void registerAllDialects(DialectRegistry &registry);

/// The passes and pipelines of wax, and the passes of MLIR that they use.
void registerAllPasses();

} // namespace mlir::wax

#endif // WAX_PASSES_PASSES_H
