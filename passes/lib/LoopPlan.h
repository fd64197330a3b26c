//===- LoopPlan.h - Which loops are one dispatch ----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is one dispatch where a turn computes with scalars and with tensors
// that are small enough for registers (`SmallTensors.h`). What is larger lies
// in memory, as does what is read or written at places that depend on the turn:
// a loop reads boxes of such a tensor, and writes boxes of one that it carries
// where no copy is needed for it, since each turn reads before it writes. What
// a loop in the loop writes so, and the outer one puts into what it carries, is
// a window of that.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_LOOPPLAN_H
#define WAX_PASSES_LIB_LOOPPLAN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {

/// Beyond these a turn is long enough for dispatches of its own, and the code
/// of a dispatch for all turns too long to compile: bytes of one tensor, and
/// operations on registers.
inline constexpr int64_t mostTurnBytes = 16384, mostTurnWork = 5120;

/// Runs of a box that are read or written one by one, since IREE takes long for
/// the code of many; more of them go by a loop through memory on the stack.
inline constexpr int64_t mostWrittenOut = 32;

/// How many elements a tensor has, if that is known and some.
std::optional<int64_t> getElementCount(Type type);

/// Whether a tensor has a place in registers.
bool isSmall(Type type);

/// How an operation on tensors goes through its loops' points.
struct Points {
  /// Nothing where the results are no plain arrangement of the parallel loops.
  static std::optional<Points> of(linalg::LinalgOp op);

  /// The loops' indices at the given parallel and folded points, both counted
  /// in row-major order.
  SmallVector<int64_t> getIndices(int64_t point, int64_t folded) const;
  /// Whether lanes are folded points, joined at the end, and not results.
  bool foldsLanes(int64_t lanes) const;
  /// How often the body is computed.
  int64_t getEmissions(int64_t lanes) const;

  SmallVector<int64_t> sizes;
  SmallVector<unsigned> parallel, reduction;
  int64_t count = 1, folded = 1;
  /// The operation that joins two accumulators, if the order is free.
  Operation *combiner = nullptr;
  TypedAttr neutral;
};

/// What becomes of the tensors of a loop that is one dispatch.
class LoopPlan {
public:
  /// Nothing where the loop computes with what has no place in registers.
  static std::optional<LoopPlan> of(Operation *loop);

  int64_t getLanes() const { return lanes; }
  /// Whether the loop carries a value in memory.
  bool isInMemory(Value value) const { return inMemory.contains(value); }
  /// What puts all of a value into what the loop carries in memory, if the
  /// value is a window of that: it lies there as it is made.
  tensor::InsertSliceOp getWindow(Value value) const {
    return windows.lookup(value);
  }
  /// Whether an operand is what a window would begin with by itself.
  bool beginsWindow(OpOperand &operand) const;
  /// The type of what a value in memory is, or is a window of.
  RankedTensorType getMemoryType(Value value) const;
  /// Whether a value is from outside of the loop.
  bool isOutside(Value value) const {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  }

private:
  LoopPlan(Operation *loop) : loop(loop) {}

  void chooseLanes();
  bool placeCarried();
  bool carryInMemory(scf::ForOp loop, unsigned place);
  bool carryInWindow(scf::ForOp inner, unsigned place);
  bool writesAlike(scf::ForOp inner, tensor::InsertSliceOp write,
                   tensor::InsertSliceOp window) const;
  bool isAlikeInTurns(Value value, scf::ForOp inner) const;
  std::optional<SmallVector<Value>> followCarried(scf::ForOp loop,
                                                  unsigned place) const;
  bool isReadable(Value memory) const;
  bool isRegister(Value value) const;
  bool isConvertible(Operation *op);
  bool isConvertible(linalg::LinalgOp op);

  Operation *loop;
  int64_t lanes = 1;
  /// An estimate of how many operations on registers a turn is.
  int64_t work = 0;
  /// Bytes of boxes that lie on the stack.
  int64_t stack = 0;
  llvm::DenseSet<Value> inMemory;
  DenseMap<Value, tensor::InsertSliceOp> windows;
};

/// Whether `op` is control flow, or ends a region of it.
bool isStructure(Operation *op);

/// Whether `op` only views a static part of a tensor.
bool isStaticView(Operation *op);

/// Whether all elements of two tensors are known to be the same one.
bool areFilledAlike(Value one, Value other);
/// What all elements of a tensor are, or nothing.
OpFoldResult getFilling(Value tensor);
/// The same where it is a constant, or null.
Attribute getConstantFilling(Value tensor);
/// The same, as a scalar that is emitted where it is a constant, or null.
Value createFilling(OpBuilder &builder, Location loc, Value tensor);

/// Whether a dispatch can hold such a tensor, in registers or in memory.
bool isHeldType(Type type);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_LOOPPLAN_H
