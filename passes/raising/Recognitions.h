//===- Recognitions.h - What is recognised ----------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function tells whether a tensor is what an operation gives, and of what.
// The formulas that they look for are those of the operations.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_RECOGNITIONS_H
#define WAX_PASSES_RAISING_RECOGNITIONS_H

#include "Elements.h"
#include "Outline.h"

namespace mlir::wax {

/// What is multiplied: as it is computed, and as a tensor that an operation may
/// take, unless there is none. Elements of that one are perhaps widened.
struct Factor {
  Element element;
  Element source;
  Operation *widening = nullptr;
};

/// A sum of products of two factors, over indices that count up to these sizes.
struct Contraction {
  Factor factors[2];
  SmallVector<int64_t> summed, sizes;
  Type accumulator;
};

std::optional<Contraction> readContraction(Reader &reader,
                                           const Element &element);

std::optional<Recognition> recognizeAttention(Reader &reader, Value result);
std::optional<Recognition> recognizeContract(Reader &reader, Value result);
std::optional<Recognition> recognizeNormalize(Reader &reader, Value result);
std::optional<Recognition> recognizeSoftmax(Reader &reader, Value result);
std::optional<Recognition> recognizeTopK(Reader &reader, Value result);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_RECOGNITIONS_H
