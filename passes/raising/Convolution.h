//===- Convolution.h - Products of windows with kernels ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_CONVOLUTION_H
#define WAX_PASSES_RAISING_CONVOLUTION_H

#include "Elements.h"

namespace mlir::wax {

/// By roles, numbered as in `wax.convolve`, the dims of a tensor: none, where
/// it has no dim for one, or several, the outermost first.
using Roles = SmallVector<SmallVector<int64_t>>;

/// What a convolution takes, and how its elements are widened, unless it is
/// null.
struct Convolved {
  Value value;
  Operation *widening = nullptr;
  Roles roles;
};

/// A tensor as the sum of the products of a kernel with windows of `lhs`.
struct Convolution {
  Convolved lhs, rhs;
  /// Those of the tensor.
  Roles roles;
  SmallVector<int64_t> strides, dilations;
  /// Groups are the outermost features and outs.
  int64_t groups = 1;
  Type accumulator;
};

std::optional<Convolution> readConvolution(Reader &reader, Value result);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_CONVOLUTION_H
