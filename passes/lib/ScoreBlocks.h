//===- ScoreBlocks.h - Attention by blocks of queries -----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_SCOREBLOCKS_H
#define WAX_PASSES_LIB_SCOREBLOCKS_H

#include "../building/Walks.h"
#include "../raising/Shares.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir {
class IRMapping;
} // namespace mlir

namespace mlir::wax {

/// A loop of which a block has a part. How large a part is may be open.
struct Cut {
  int64_t size, part;
};

/// How many turns of a loop there are, how many of them a block has, and how
/// many blocks that makes.
struct Extent {
  OpFoldResult size, part, count;
};

/// Queries beside each other, below which products are slow, and from which on
/// keys and values are read often enough for each time they are copied.
inline constexpr int64_t fewestQueries = 128, enoughQueries = 256;
/// Blocks of queries that leave out enough keys that these do not see.
inline constexpr int64_t fewestBlocks = 4;

/// The number of the cut that each loop, or dim of a tensor, has.
using Cuts = SmallVector<std::optional<unsigned>>;

/// Keys that no query of a block sees. The keys that one has are a cut, after
/// all others.
struct HiddenKeys {
  /// The cut of the queries. One sees keys up to its own number and `offset`.
  unsigned queries;
  int64_t offset;
  /// What the weights of all keys are multiplied with.
  Value values;
};

/// The block of a turn: where it begins along each cut, and what it has.
struct Turn {
  SmallVector<Value> offsets;
  SmallVector<OpFoldResult> sizes;
};

/// Operations that are done for blocks of scores, one after the other.
class Blocks {
public:
  /// The scores are the factor with this number of the products that a sum
  /// adds up. None if they need no blocks.
  static std::optional<Blocks> of(ReduceOp sum, unsigned factor,
                                  int64_t blockBytes);

  ArrayRef<Operation *> getOps() const { return ops; }
  void emit(RewriterBase &rewriter);

private:
  Cuts chooseCuts(RankedTensorType scores, ArrayRef<int64_t> dims,
                  int64_t blockBytes);
  Cuts chooseOpenCuts(RankedTensorType scores, ArrayRef<int64_t> dims);
  bool collect(Value scores);
  bool add(Operation *op, Value known, const Dims &dims, const Walk &walk);
  bool isAttention() const;
  bool isConsistent() const;
  bool findResults();
  bool hasOpenSizes() const;
  void hideKeys(ReduceOp sum);
  bool leavesKeysOut(Operation *op, int64_t loop, ReduceOp sum,
                     const CausalMix &mix) const;

  /// Whether a tensor has as many elements as there are scores, or more.
  bool isLarge(Value value) const;
  Cuts getCuts(const Dims &dims, const Cuts &loops) const;
  bool isCutEverywhere(const Cuts &dims) const;
  std::optional<std::pair<Value, int64_t>> getSource(Value tensor,
                                                     int64_t dim) const;

  RankedTensorType getBlockType(Value tensor, const Cuts &dims) const;
  OpFoldResult emitSize(Value tensor, int64_t dim, OpBuilder &builder,
                        Location loc) const;
  void emitOpenParts(MutableArrayRef<Extent> extents, OpBuilder &builder,
                     Location loc) const;
  SmallVector<Extent> emitExtents(OpBuilder &builder, Location loc) const;
  Turn emitTurn(Value number, ArrayRef<Extent> extents, OpFoldResult keys,
                Value everyKey, OpBuilder &builder, Location loc) const;
  Value emitEveryKey(OpFoldResult keys, OpBuilder &builder, Location loc) const;
  Value emitCounted(Value tensor, const Cuts &dims, const Turn &turn,
                    OpBuilder &builder, Location loc) const;
  Value emitBlock(Value tensor, const Cuts &dims, const Turn &turn,
                  OpBuilder &builder, Location loc) const;
  void emitOp(Operation *op, const Turn &turn, IRMapping &blocks,
              OpBuilder &builder) const;

  /// How many there are along dims of known sizes, and how many others.
  int64_t count = 0, open = 0;
  /// The scores, and the dims that are cut, the last of which are the queries.
  Value scores;
  SmallVector<int64_t> scoreDims;
  int64_t blockBytes = 0;
  /// Whether keys of later queries are hidden.
  bool isCausal = false;
  SmallVector<Cut> cuts;
  /// The operations, at last in their order, and the cuts of their loops.
  SmallVector<Operation *> ops;
  DenseMap<Operation *, Cuts> loops;
  /// The cuts of the tensors that they make.
  DenseMap<Value, Cuts> made;
  /// Large ones of which not all readers are known yet.
  SmallVector<Value> next;
  /// What others read.
  SmallVector<Value> results;
  std::optional<HiddenKeys> hidden;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_SCOREBLOCKS_H
