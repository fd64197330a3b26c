//===- CPUContext.h - What is lowered after lowering ------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_CPUCONTEXT_H
#define WAX_PASSES_LIB_CPUCONTEXT_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "wax/Dialect/LoweringTarget.h"

namespace mlir::wax {

/// Of dispatches for a CPU by IREE. Sizes that are asked for are those of
/// tensors.
class CPUContext : public LoweringContext {
public:
  CPUContext() : LoweringContext(LoweringTarget::IREE) {}
  OpFoldResult getSize(OpBuilder &builder, Location loc, Value tensor,
                       int64_t dim) override {
    return tensor::getMixedSize(builder, loc, tensor, dim);
  }
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_CPUCONTEXT_H
