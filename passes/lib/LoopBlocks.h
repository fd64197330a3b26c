//===- LoopBlocks.h - Blocks of rows that a loop goes through ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_LOOPBLOCKS_H
#define WAX_PASSES_LIB_LOOPBLOCKS_H

#include "LoopRows.h"

namespace mlir::wax {

/// Which rows of a loop are a block: what its turns compute with is then small
/// enough for registers, by an estimate.
class LoopBlocks {
public:
  explicit LoopBlocks(scf::ForOp loop) : loop(loop), rows(loop) {}

  /// Finds the rows, and how many are a block. False where the loop has none,
  /// or is better as it is.
  bool choose();

  const LoopRows &getRows() const { return rows; }
  /// How many rows of each axis are a block.
  ArrayRef<int64_t> getParts() const { return parts; }
  int64_t countBlocks(unsigned axis) const {
    return llvm::divideCeil(rows.getSize(axis), parts[axis]);
  }
  int64_t countBlocks() const;
  /// The type of a block of a tensor of the loop.
  RankedTensorType getType(Value tensor) const;

private:
  using Parts = SmallVector<int64_t>;

  bool chooseParts();
  bool arePaying(const Parts &whole);
  bool areColumns(unsigned axis);
  bool isOneDispatch();
  bool goesThroughMemory(Value tensor);
  int64_t getPiece(Value tensor);
  int64_t getWork(Operation &op, const Parts &parts) const;
  int64_t getTurnWork(const Parts &parts);
  int64_t getWorkOfSums();
  bool fits(const Parts &parts, int64_t mostWork, int64_t mostElements);
  int64_t getElements(Value tensor, const Parts &parts) const;
  /// The same of all rows, with the loop's turns for a size that is not known.
  int64_t countElements(Value tensor);
  int64_t countTurns();

  scf::ForOp loop;
  LoopRows rows;
  Parts parts;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_LOOPBLOCKS_H
