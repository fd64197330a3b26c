//===- Processor.cpp - What CPUs have -------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Processor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace mlir::wax;

/// Whether Linux lets this process have squares in registers, for which threads
/// need 8 KB more each (Documentation/arch/x86/xstate.rst).
static bool allowsSquares() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr int requestPermission = 0x1023, tileData = 18;
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
#else
  return false;
#endif
}

static llvm::StringSet<> getFeatures(llvm::StringRef name) {
  llvm::StringSet<> features;
  if (name == "host") {
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      if (feature.second)
        features.insert(feature.first());
    return features;
  }
  if (llvm::X86::parseArchX86(name) == llvm::X86::CK_None)
    return features;
  llvm::SmallVector<llvm::StringRef> known;
  llvm::X86::getFeaturesForCPU(name, known);
  features.insert_range(known);
  return features;
}

int64_t mlir::wax::getScoresBytes(Processor processor) {
  switch (processor) {
  case Processor::Any:
  case Processor::AVX2:
  case Processor::AVXVNNI:
    return 512 << 10;
  case Processor::AVX512:
  case Processor::AVX512VNNI:
  case Processor::AVX512BF16:
    return 2 << 20;
  case Processor::AMX:
    return 1 << 20;
  }
  llvm_unreachable("not a processor");
}

Processor mlir::wax::getProcessor(llvm::StringRef name) {
  llvm::StringSet<> features = getFeatures(name);
  auto has = [&](std::initializer_list<llvm::StringRef> wanted) {
    return llvm::all_of(
        wanted, [&](llvm::StringRef one) { return features.contains(one); });
  };
  // As all of them have that are no Xeon Phi.
  if (!has({"avx512vl", "avx512bw", "avx512dq"}))
    return has({"avxvnni"}) ? Processor::AVXVNNI
           : has({"avx2"})  ? Processor::AVX2
                            : Processor::Any;
  if (!has({"avx512vnni"}))
    return Processor::AVX512;
  if (!has({"avx512bf16"}))
    return Processor::AVX512VNNI;
  bool hasSquares = has({"amx-tile", "amx-int8", "amx-bf16"}) &&
                    (name != "host" || allowsSquares());
  return hasSquares ? Processor::AMX : Processor::AVX512BF16;
}

llvm::StringRef mlir::wax::spell(Processor processor) {
  switch (processor) {
  case Processor::Any:
    return "any";
  case Processor::AVX2:
    return "avx2";
  case Processor::AVXVNNI:
    return "avxvnni";
  case Processor::AVX512:
    return "avx512";
  case Processor::AVX512VNNI:
    return "avx512vnni";
  case Processor::AVX512BF16:
    return "avx512bf16";
  case Processor::AMX:
    return "amx";
  }
  llvm_unreachable("not a processor");
}

llvm::cl::ValuesClass mlir::wax::getProcessorValues() {
  auto value = [](Processor processor, llvm::StringRef description) {
    return llvm::cl::OptionEnumValue{spell(processor),
                                     static_cast<int>(processor), description};
  };
  return llvm::cl::values(
      value(Processor::Any, "vectors of some size"),
      value(Processor::AVX2, "dot products of integers of 16 bits in 32 bytes"),
      value(Processor::AVXVNNI, "the same, and of bytes"),
      value(Processor::AVX512, "32 registers of 64 bytes"),
      value(Processor::AVX512VNNI,
            "the same, and dot products of bytes in 64 bytes"),
      value(Processor::AVX512BF16, "the same, and of bf16"),
      value(Processor::AMX, "the same, and products of squares of both"));
}
