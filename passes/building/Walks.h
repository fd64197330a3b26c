//===- Walks.h - How operations go through tensors --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BUILDING_WALKS_H
#define WAX_PASSES_BUILDING_WALKS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::wax {

/// The loop that each dim of a tensor is.
using Dims = SmallVector<int64_t>;

/// How an operation goes through its operands and results.
struct Walk {
  /// None for operations that are no such walk.
  static std::optional<Walk> of(Operation *op);

  int64_t loops;
  SmallVector<Dims> operands, results;
  /// Loops of which a part cannot be done alone.
  SmallVector<int64_t> whole;
};

} // namespace mlir::wax

#endif // WAX_PASSES_BUILDING_WALKS_H
