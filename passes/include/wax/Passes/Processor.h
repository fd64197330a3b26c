//===- Processor.h - What CPUs have ----------------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PROCESSOR_H
#define WAX_PASSES_PROCESSOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::wax {

/// `AVX2` is dot products of integers of 16 bits in registers of 32 bytes; with
/// `AVXVNNI` of bytes too. `AVX512` is 32 registers of 64 bytes; with
/// `AVX512VNNI` dot products of bytes, and with `AVX512BF16` of bf16 too; with
/// `AMX` products of squares of both.
enum class Processor {
  Any,
  AVX2,
  AVXVNNI,
  AVX512,
  AVX512VNNI,
  AVX512BF16,
  AMX
};

/// Whether registers have 64 bytes, and vectors are as fast under masks.
inline bool hasAVX512(Processor processor) {
  return processor >= Processor::AVX512;
}
/// Whether there are dot products of integers of 16 bits.
inline bool hasShortDots(Processor processor) {
  return processor >= Processor::AVX2;
}
/// Whether there are dot products of bytes.
inline bool hasByteDots(Processor processor) {
  return processor == Processor::AVXVNNI || processor >= Processor::AVX512VNNI;
}

/// What the scores of a block of queries may take in memory, to stay in the
/// second cache or near it.
int64_t getScoresBytes(Processor processor);

/// What an x86-64 processor has, by LLVM's name for it, or `host`. `Any` for
/// one that LLVM does not know. For `host` the system is asked for what
/// programs have to be allowed.
Processor getProcessor(llvm::StringRef name);

/// As the passes' option spells it.
llvm::StringRef spell(Processor processor);

/// The values of that option.
llvm::cl::ValuesClass getProcessorValues();

} // namespace mlir::wax

#endif // WAX_PASSES_PROCESSOR_H
