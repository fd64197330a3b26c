//===- Overwrites.h - What is read of overwritten memory --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE 3.13 runs the dispatch that makes an update's source where it stands,
// and has it write to the target's memory, though others read that afterwards,
// or though the dispatch itself does. What IREE may do, and who reads the
// memory, is found out here.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_OVERWRITES_H
#define WAX_PASSES_OVERWRITES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::wax {

/// The memory of a tensor that is to be overwritten, and who reads it before.
class Overwritten {
public:
  /// `isOwn` says that IREE may write to `target` if it is an argument.
  explicit Overwritten(Value target, bool isOwn = false);

  /// Whether `value` is in the memory, or a view of what is.
  bool contains(Value value) const;

  /// Whether `value` is in the memory, or in that which it is a copy of: IREE
  /// may take one for the other where it copies boxes of them.
  bool isPart(Value value) const;

  /// Whether `source` can be computed in the place of `box` of the target, of
  /// all of it if there is none: nobody but what computes it reads the memory
  /// from then on, and that only the very elements that it overwrites. What
  /// depends on `update`, which writes it, reads a copy that IREE makes.
  /// `reductions` are given those that are to be kept apart for it.
  bool takes(Value source, Operation *update = nullptr,
             tensor::InsertSliceOp box = {},
             SetVector<Operation *> *reductions = nullptr) const;

  /// Whether something reads the memory after `update` through a barrier that
  /// stands before, of which IREE takes no notice.
  bool isReadBehindBarrier(Operation *update) const;

  /// Whether something that reads the memory before `op` may not be done by
  /// then: `op`, which writes there or has it written in it, neither depends on
  /// it nor is given to the device together with it or what it depends on.
  bool isReadUnordered(Operation *op) const;

  /// Whether the memory is made outside of a loop that `update` is in: each
  /// turn begins with what is there, but IREE has one write over it.
  bool isOutside(Operation *update) const;

private:
  void addReaders(Value value, Operation *barrier = nullptr);

  Value target;
  /// What is in the memory: the target, and what that is an update of; and what
  /// IREE copies there.
  SetVector<Value> values;
  Value copied;
  /// What reads it, and behind which barriers.
  SetVector<Operation *> readers;
  SmallVector<std::pair<Operation *, Operation *>> hidden;
};

} // namespace mlir::wax

#endif // WAX_PASSES_OVERWRITES_H
