//===- BlockScores.cpp - Attention by blocks of queries -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention makes a score for each query and key, of which each operation reads
// and writes all, and these are in no cache near by. Here a loop goes through
// blocks of queries, and does with those of a block all that is done.
//
//===----------------------------------------------------------------------===//

#include "ScoreBlocks.h"

#include "../building/Tensors.h"

#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::wax {
#define GEN_PASS_DEF_BLOCKSCORES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What all scores take in memory at least to be worth a loop, and those of
/// known sizes where others are open.
static constexpr int64_t fewestBytes = 4 << 20, fewestKnownBytes = 512 << 10;

/// How many elements a tensor has along the dims of known sizes.
static int64_t countKnown(Type type) {
  int64_t count = 1;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    count *= ShapedType::isDynamic(size) ? 1 : size;
  return count;
}

/// How many sizes of a tensor are open.
static int64_t countOpen(Type type) {
  return cast<RankedTensorType>(type).getNumDynamicDims();
}

/// The most of `size`, up to `most`, that goes into it without remainder.
static int64_t getDivisor(int64_t size, int64_t most) {
  int64_t divisor = std::clamp<int64_t>(most, 1, size);
  while (size % divisor != 0)
    --divisor;
  return divisor;
}

/// How many queries a block has, so that all have the same; the last one may
/// have some of the one before again.
static int64_t getQueries(int64_t size, int64_t most) {
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}

bool Blocks::isLarge(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && countOpen(type) >= open && countKnown(type) >= count;
}

bool Blocks::isCutEverywhere(const Cuts &dims) const {
  return llvm::count_if(dims, [](auto cut) { return cut.has_value(); }) ==
         static_cast<int64_t>(cuts.size());
}

/// Cuts `dims` of the scores, of which the last are the queries. Products are
/// of several queries with all keys, so heads are cut before these are few.
Cuts Blocks::chooseCuts(RankedTensorType scores, ArrayRef<int64_t> dims,
                        int64_t blockBytes) {
  int64_t bytes = llvm::divideCeil(scores.getElementTypeBitWidth(), 8);
  int64_t rows = 1;
  for (int64_t dim : dims)
    if (!scores.isDynamicDim(dim))
      rows *= scores.getDimSize(dim);
  int64_t queries = scores.getDimSize(dims.back());
  int64_t most = blockBytes / bytes / (count / rows);
  int64_t enough = isCausal ? std::min(queries / fewestBlocks, enoughQueries)
                            : enoughQueries;
  int64_t few =
      std::min(queries, std::max(std::min(most, enough), fewestQueries));
  most = std::max(most, few);
  Cuts numbers(scores.getRank());
  auto cut = [&](int64_t dim, int64_t part) {
    most = std::max<int64_t>(most / part, 1);
    if (part == scores.getDimSize(dim))
      return;
    numbers[dim] = cuts.size();
    cuts.push_back({scores.getDimSize(dim), part});
  };
  for (int64_t dim : llvm::reverse(dims.drop_back())) {
    bool isWhole = cuts.empty() && !scores.isDynamicDim(dim);
    cut(dim, isWhole ? getDivisor(scores.getDimSize(dim), most / few) : 1);
  }
  cut(dims.back(), getQueries(queries, most));
  return numbers;
}

/// Cuts `dims` of the scores into parts that are chosen when sizes are known.
Cuts Blocks::chooseOpenCuts(RankedTensorType scores, ArrayRef<int64_t> dims) {
  Cuts numbers(scores.getRank());
  SmallVector<int64_t> order(llvm::reverse(dims.drop_back()));
  order.push_back(dims.back());
  for (int64_t dim : order) {
    if (scores.getDimSize(dim) == 1)
      continue;
    numbers[dim] = cuts.size();
    cuts.push_back({scores.getDimSize(dim), ShapedType::kDynamic});
  }
  return numbers;
}

std::optional<Blocks> Blocks::of(ReduceOp sum, unsigned factor,
                                 int64_t blockBytes) {
  auto products = sum.getInputs().front().getDefiningOp<BroadcastOp>();
  Value scores = products.getInputs()[factor];
  auto type = cast<RankedTensorType>(scores.getType());
  ArrayRef<int64_t> along = products.getOperandDims(factor);
  Blocks blocks;
  blocks.scores = scores;
  blocks.blockBytes = blockBytes;
  bool areKeysOpen = false;
  for (int64_t dim : llvm::seq(type.getRank())) {
    if (!llvm::is_contained(sum.getDims(), along[dim]))
      blocks.scoreDims.push_back(dim);
    else
      areKeysOpen |= type.isDynamicDim(dim);
  }
  if (!type.getElementType().isIntOrFloat() || blocks.scoreDims.empty() ||
      llvm::is_contained(type.getShape(), 0))
    return std::nullopt;

  ArrayRef<int64_t> dims = blocks.scoreDims;
  blocks.count = countKnown(type);
  blocks.open = countOpen(type);
  int64_t queries = type.getDimSize(dims.back());
  bool isOpen = areKeysOpen || ShapedType::isDynamic(queries);
  int64_t fewest = type.hasStaticShape() ? fewestBytes : fewestKnownBytes;
  // A few queries of a decoder's step are one block, whatever the keys.
  if (isOpen ? !ShapedType::isDynamic(queries) && queries < fewestQueries
             : blocks.count * type.getElementTypeBitWidth() < fewest * 8)
    return std::nullopt;
  Reader reader(sum->getBlock());
  blocks.isCausal = readCausalMix(reader, sum->getResult(0)).has_value();
  blocks.made[scores] = isOpen ? blocks.chooseOpenCuts(type, dims)
                               : blocks.chooseCuts(type, dims, blockBytes);
  if (blocks.cuts.empty() || !blocks.collect(scores) || !blocks.isAttention() ||
      !blocks.isConsistent() || !blocks.findResults() || !blocks.hasOpenSizes())
    return std::nullopt;
  blocks.hideKeys(sum);
  return blocks;
}

/// Adds what makes large tensors, and what reads them.
bool Blocks::collect(Value scores) {
  for (next.push_back(scores); !next.empty();) {
    Value tensor = next.pop_back_val();
    auto makes = dyn_cast<OpResult>(tensor);
    std::optional<Walk> walk =
        makes ? Walk::of(makes.getOwner()) : std::nullopt;
    if (!walk || !add(makes.getOwner(), tensor,
                      walk->results[makes.getResultNumber()], *walk))
      return false;
    for (OpOperand &use : tensor.getUses()) {
      walk = Walk::of(use.getOwner());
      if (!walk || !add(use.getOwner(), tensor,
                        walk->operands[use.getOperandNumber()], *walk))
        return false;
    }
  }
  return true;
}

/// Adds an operation with a tensor whose cuts are known.
bool Blocks::add(Operation *op, Value known, const Dims &dims,
                 const Walk &walk) {
  Cuts cut(walk.loops);
  for (auto [loop, number] : llvm::zip_equal(dims, made[known]))
    cut[loop] = number;
  if (auto found = loops.find(op); found != loops.end())
    return found->second == cut;
  if ((!ops.empty() && op->getBlock() != ops.front()->getBlock()) ||
      llvm::any_of(walk.whole,
                   [&](int64_t loop) { return cut[loop].has_value(); }))
    return false;
  loops[op] = cut;
  ops.push_back(op);
  auto setCuts = [&](Value tensor, const Cuts &tensorCuts) {
    if (made.try_emplace(tensor, tensorCuts).second && isLarge(tensor))
      next.push_back(tensor);
  };
  for (auto [result, loopsOf] :
       llvm::zip_equal(op->getResults(), walk.results)) {
    setCuts(result, getCuts(loopsOf, cut));
  }
  for (auto [operand, loopsOf] :
       llvm::zip_equal(op->getOperands(), walk.operands)) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    Cuts operandCuts = getCuts(loopsOf, cut);
    Operation *maker = operand.getDefiningOp();
    if (isLarge(operand) && isCutEverywhere(operandCuts) && maker &&
        Walk::of(maker))
      setCuts(operand, operandCuts);
  }
  return true;
}

/// Whether the scores are sums of products, and folded otherwise too.
bool Blocks::isAttention() const {
  bool hasProducts = false, hasFolds = false;
  for (Operation *op : ops)
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      Type type = reduce.getInputs().front().getType();
      int64_t terms = countKnown(type);
      hasProducts |= terms > count && isLarge(reduce->getResult(0));
      hasFolds |= terms == count && countOpen(type) == open;
    }
  return hasProducts && hasFolds;
}

/// Whether what is made for a block is read for the same one.
bool Blocks::isConsistent() const {
  return llvm::all_of(ops, [&](Operation *op) {
    Walk walk = *Walk::of(op);
    return llvm::all_of(llvm::zip_equal(op->getOperands(), walk.operands),
                        [&](auto read) {
                          auto [operand, dims] = read;
                          auto found = made.find(operand);
                          return found == made.end() ||
                                 found->second == getCuts(dims, loops.at(op));
                        });
  });
}

/// Finds what others read, which has to be after the loop: that goes where the
/// last operation is.
bool Blocks::findResults() {
  llvm::sort(ops, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  Operation *last = ops.back();
  for (Operation *op : ops)
    for (Value result : op->getResults()) {
      bool isRead = false;
      for (Operation *reader : result.getUsers()) {
        if (loops.contains(reader))
          continue;
        Operation *ancestor = last->getBlock()->findAncestorOpInBlock(*reader);
        if (!ancestor || !last->isBeforeInBlock(ancestor))
          return false;
        isRead = true;
      }
      if (isRead)
        results.push_back(result);
    }
  return true;
}

/// A tensor that is there before the loop, and the dim of it whose size is that
/// of one that is made in the loop. Nothing if there is none.
std::optional<std::pair<Value, int64_t>> Blocks::getSource(Value tensor,
                                                           int64_t dim) const {
  SmallVector<std::pair<Value, int64_t>> next{{tensor, dim}};
  DenseSet<std::pair<Value, int64_t>> seen;
  while (!next.empty()) {
    auto [value, place] = next.pop_back_val();
    auto result = dyn_cast<OpResult>(value);
    if (!result || !loops.contains(result.getOwner()))
      return std::pair(value, place);
    if (!seen.insert({value, place}).second)
      continue;
    Walk walk = *Walk::of(result.getOwner());
    int64_t loop = walk.results[result.getResultNumber()][place];
    for (auto [operand, dims] :
         llvm::zip_equal(result.getOwner()->getOperands(), walk.operands))
      for (auto [other, along] : llvm::enumerate(dims))
        if (along == loop)
          next.emplace_back(operand, other);
  }
  return std::nullopt;
}

/// Whether all open sizes that the loop needs are known before it.
bool Blocks::hasOpenSizes() const {
  auto areKnown = [&](Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return llvm::all_of(llvm::seq(type.getRank()), [&](int64_t dim) {
      return !type.isDynamicDim(dim) || getSource(tensor, dim);
    });
  };
  return areKnown(scores) && llvm::all_of(results, areKnown);
}

/// Whether an operation makes of the keys that are left what it makes of all,
/// where others are hidden. `loop` are the keys.
bool Blocks::leavesKeysOut(Operation *op, int64_t loop, ReduceOp sum,
                           const CausalMix &mix) const {
  if (llvm::any_of(results, [&](Value result) {
        return result.getDefiningOp() == op &&
               llvm::is_contained(
                   Walk::of(op)
                       ->results[cast<OpResult>(result).getResultNumber()],
                   loop);
      }))
    return false;
  if (!llvm::is_contained(Walk::of(op)->whole, loop))
    return true;
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || reduce == sum || llvm::is_contained(mix.folds, op))
    return bool(reduce);
  // The sum of shares that divides what is mixed.
  Reader reader(op->getBlock());
  std::optional<Fold> total =
      reader.getSum(reader.resolve(reader.read(op->getResult(0))));
  return total && isa<BlockArgument>(total->term.value) &&
         reduce.getInputs().front() == mix.shares;
}

/// Leaves keys out of blocks that see none of them.
void Blocks::hideKeys(ReduceOp sum) {
  Operation *products = sum.getInputs().front().getDefiningOp();
  Reader reader(sum->getBlock());
  std::optional<CausalMix> mix = readCausalMix(reader, sum->getResult(0));
  if (!mix || made.contains(mix->values) || sum.getDims().size() != 1)
    return;
  int64_t key = sum.getDims().front();
  auto type = cast<RankedTensorType>(sum.getInputs().front().getType());
  std::optional<unsigned> queries =
      loops[sum][getOtherDims(type.getRank(), key)[mix->causal.dim]];
  if (!queries)
    return;

  DenseMap<Operation *, int64_t> keys;
  SmallVector<std::pair<Operation *, int64_t>> found{{products, key}};
  while (!found.empty()) {
    auto [op, loop] = found.pop_back_val();
    auto [known, isNew] = keys.try_emplace(op, loop);
    if (known->second != loop || loops[op][loop] ||
        !leavesKeysOut(op, loop, sum, *mix))
      return;
    if (!isNew)
      continue;
    Walk walk = *Walk::of(op);
    auto follow = [&](Value tensor, const Dims &dims) {
      const auto *place = llvm::find(dims, loop);
      auto result = dyn_cast<OpResult>(tensor);
      if (place == dims.end() || !result || !loops.contains(result.getOwner()))
        return;
      int64_t dim = place - dims.begin();
      Walk making = *Walk::of(result.getOwner());
      found.emplace_back(result.getOwner(),
                         making.results[result.getResultNumber()][dim]);
      for (OpOperand &use : tensor.getUses())
        if (loops.contains(use.getOwner()))
          found.emplace_back(
              use.getOwner(),
              Walk::of(use.getOwner())->operands[use.getOperandNumber()][dim]);
    };
    for (auto [operand, dims] :
         llvm::zip_equal(op->getOperands(), walk.operands))
      follow(operand, dims);
    for (auto [result, dims] : llvm::zip_equal(op->getResults(), walk.results))
      follow(result, dims);
  }
  hidden = HiddenKeys{*queries, mix->causal.offset, mix->values};
  for (auto [op, loop] : keys) {
    loops[op][loop] = cuts.size();
    Walk walk = *Walk::of(op);
    for (auto [result, dims] : llvm::zip_equal(op->getResults(), walk.results))
      made[result] = getCuts(dims, loops[op]);
  }
}

/// Whether a sum is of products of two factors that are joined.
static bool addsProducts(ReduceOp sum) {
  if (sum.getInputs().size() != 1)
    return false;
  auto products = sum.getInputs().front().getDefiningOp<BroadcastOp>();
  return products && products.getInputs().size() == 2 &&
         products->hasOneUse() &&
         llvm::any_of(products.getKernel().getOps(),
                      [](Operation &op) { return isa<arith::MulFOp>(op); });
}

namespace {
struct BlockScores : wax::impl::BlockScoresBase<BlockScores> {
  using BlockScoresBase::BlockScoresBase;

  void runOnOperation() override {
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp reduce) {
      if (addsProducts(reduce))
        sums.push_back(reduce);
    });
    IRRewriter rewriter(&getContext());
    DenseSet<Operation *> done;
    for (ReduceOp sum : llvm::reverse(sums))
      for (unsigned factor : {0u, 1u}) {
        if (done.contains(sum))
          break;
        std::optional<Blocks> blocks = Blocks::of(sum, factor, blockBytes);
        if (!blocks)
          continue;
        done.insert_range(blocks->getOps());
        blocks->emit(rewriter);
      }
  }
};
} // namespace
