//===- BoundSizes.h - Sizes whose products do not overflow ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_BOUNDSIZES_H
#define WAX_PASSES_BOUNDSIZES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir::wax {

/// Makes `wax-bound-sizes`: bounds the open sizes of arguments where loops
/// carry tensors, or branches give some, whose bytes might not be counted in 64
/// bits.
///
/// IREE 3.13 computes where in a block of memory a tensor lies from the sizes
/// of those before it, and looks for what such numbers may be. Of a product of
/// sizes that may overflow it finds nothing (`util.align` then states no
/// range), and takes the place of what a turn gives for the one that is known,
/// that with which the loop begins. With sizes of at most a power of two, of
/// which a check assures it, products fit; bounds that are declared leave more
/// to other dims.
std::unique_ptr<Pass> createBoundSizes();

} // namespace mlir::wax

#endif // WAX_PASSES_BOUNDSIZES_H
