//===- Outline.h - Operations put into one ----------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISING_OUTLINE_H
#define WAX_PASSES_RAISING_OUTLINE_H

#include "mlir/IR/PatternMatch.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {

/// What was found: the operation that stands for it, without its region, and
/// the values that it takes and gives.
struct Recognition {
  StringRef name;
  SmallVector<Value> operands;
  SmallVector<Value> results;
  NamedAttrList attributes;
  /// How many operands each group has, where the operation has several that
  /// may be absent; sizes come after them.
  SmallVector<int32_t> segments;
};

/// The blocks in which operations of the basis may be put into one.
SmallVector<Block *> getBlocksOfBasis(Operation *root);

/// Where what computes the results from the operands cannot be put into one,
/// the value that is in the way: others read it, or it is none of the operands,
/// and is not computed from them.
Value findObstacle(const Recognition &found);

/// The location of what was found: that of what gives the results, and with it
/// of all others.
Location getLocation(const Recognition &found);

/// Moves all that computes the results from the operands into a recognised
/// operation. Where that cannot be, changes nothing and gives the value that is
/// in the way: others read it, or it is none of the operands, and is not
/// computed from them. Null when it is done.
Value outline(IRRewriter &rewriter, const Recognition &found);

} // namespace mlir::wax

#endif // WAX_PASSES_RAISING_OUTLINE_H
