//===- Processor.h - What CPUs have that programs are written for -*- C++
//-*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PROCESSOR_H
#define WAX_PASSES_PROCESSOR_H

#include "llvm/ADT/StringRef.h"

namespace mlir::wax {

/// Each has what those before it have. `AVX512` is 32 registers of 64 bytes;
/// with `AVX512VNNI` dot products of bytes, with `AVX512BF16` of bf16.
enum class Processor { Any, AVX512, AVX512VNNI, AVX512BF16 };

/// What an x86-64 processor has, by LLVM's name for it, or `host`. `Any` for
/// one that LLVM does not know.
Processor getProcessor(llvm::StringRef name);

/// As the passes' option spells it.
llvm::StringRef spell(Processor processor);

} // namespace mlir::wax

#endif // WAX_PASSES_PROCESSOR_H
