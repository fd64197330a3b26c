//===- Vectors.h - Scalar operations on vectors -----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a dispatch of ours IREE leaves loops as they are, and takes operations of
// the `vector` dialect in them. What is written so does not depend on which
// loops IREE vectorizes.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_VECTORS_H
#define WAX_PASSES_LOWERING_VECTORS_H

#include "Lowering.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::wax {

/// True for elements that vectors are made of, in registers.
bool isLaneType(Type type);
/// True for elements that vectors are read from memory of. Booleans are not: a
/// vector has bits, and memory bytes.
bool isStoredLaneType(Type type);

/// How many elements of these types fill two of the widest registers.
int64_t getLanes(ArrayRef<Type> elements);

/// `scalar` in each of `lanes` lanes.
Value createSplat(OpBuilder &builder, Location loc, Value scalar,
                  int64_t lanes);

/// Some lanes of `vector`, in the order of `places`.
Value createShuffle(OpBuilder &builder, Location loc, Value vector,
                    ArrayRef<int64_t> places);

/// Makes rows of the columns of a square of vectors, of a power of two of them
/// and at least four.
void transposeLanes(OpBuilder &builder, Location loc,
                    SmallVectorImpl<Value> &vectors);

/// `lanes` elements of `tensor` along its last dim from `position` on, those
/// where `mask`, if any, is set.
Value readLanes(OpBuilder &builder, Location loc, Value tensor,
                ValueRange position, int64_t lanes, Value mask = {});
/// The same of every element that is `stride` after another, from the one at
/// `position` on. Where they are the elements `phase` of groups that follow
/// each other, from `position` on, whole groups are read, which several such
/// reads share. `mask` is one of `createMask`.
Value readApart(OpBuilder &builder, Location loc, Value tensor,
                ValueRange position, int64_t lanes, int64_t stride,
                std::optional<int64_t> phase, Value mask = {});
/// `tensor` with the lanes of `vector` written along its last dim.
Value writeLanes(OpBuilder &builder, Location loc, Value vector, Value tensor,
                 ValueRange position, Value mask = {});

using PieceBody = llvm::function_ref<SmallVector<Value>(
    OpBuilder &, Location, Value first, Value mask, ValueRange carried)>;

/// Emits `body` for the pieces of `lanes` elements that `size` is made of, then
/// for the rest, with a mask. Where `mayRepeat`, what is done of an element may
/// be done twice: then the rest of a known number is a piece too, which begins
/// within the last one.
SmallVector<Value> emitPieces(OpBuilder &builder, Location loc,
                              OpFoldResult size, int64_t lanes,
                              ValueRange carried, PieceBody body,
                              bool mayRepeat = false);

/// A mask that sets so many lanes, from the first on; none if `count` is not
/// positive.
Value createMask(OpBuilder &builder, Location loc, int64_t lanes, Value count);
/// How many lanes such a mask sets.
Value countLanes(Value mask);

/// True for a scalar operation of `arith` or `math` that has a counterpart on
/// vectors, and for `linalg.index`.
bool isLaneOperation(Operation &op);

/// True when the block's scalar operations have counterparts on vectors:
/// `arith`, of `math` what is one instruction, all of it if it is taken, and
/// `linalg.index` in the body of a loop.
bool hasLanes(Block &block, bool takesMath = false);

/// The loop indices that `linalg.index` tells: a vector's lanes follow each
/// other along the last of them.
using LaneIndices = ArrayRef<Value>;

/// Emits the operations of `block` on vectors that take the place of its
/// arguments, and returns what its terminator, if any, or `results` hold.
SmallVector<Value> emitOnLanes(OpBuilder &builder, Block &block,
                               ValueRange results, ArrayRef<Value> vectors,
                               int64_t lanes, LaneIndices indices = {});

/// A kernel's total scalar operations in a block of their own. What of its
/// arguments is constant may prove that no guard is needed.
class ScalarCode {
public:
  ScalarCode(OpBuilder &builder, Region &kernel,
             ArrayRef<Attribute> constants = {});

  bool hasLanes() { return wax::hasLanes(block); }
  SmallVector<Value> emitOnLanes(OpBuilder &builder, ArrayRef<Value> vectors,
                                 int64_t lanes) {
    return wax::emitOnLanes(builder, block, results, vectors, lanes);
  }

private:
  Block block;
  SmallVector<Value> results;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_VECTORS_H
