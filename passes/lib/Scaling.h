//===- Scaling.h - Products with powers of two ------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions end in a product with 2^k, as eˣ = 2^k·eʳ does: in two factors made
// of their bits, since one may be no normal number (`formula::assemble`).
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_SCALING_H
#define WAX_PASSES_LIB_SCALING_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::wax {

/// `value`, or 1 + `value`, times 2^`exponent`.
struct Scaling {
  Value value;
  bool addsOne;
  Value exponent;
};

/// What a product is of these, if it is the last one of such a function.
std::optional<Scaling> getScaling(arith::MulFOp product);

/// Whether the block, or what it has in it, has such a product.
bool hasScaling(Block &block);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_SCALING_H
