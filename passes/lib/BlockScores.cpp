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

#include "../building/Tensors.h"
#include "../lowering/Lowering.h"

#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_BLOCKSCORES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What the scores of a block may take in memory, all of them at least to be
/// worth a loop, and those of known sizes where others are open.
static constexpr int64_t blockBytes = 2 << 20, fewestBytes = 4 << 20,
                         fewestKnownBytes = 512 << 10;
/// Queries beside each other, below which products are slow.
static constexpr int64_t fewestQueries = 32;

namespace {

/// The loop that each dim of a tensor is.
using Dims = SmallVector<int64_t>;

/// How an operation goes through its operands and results.
struct Walk {
  /// None for operations that are no such walk.
  static std::optional<Walk> of(Operation *op);

  int64_t loops;
  SmallVector<Dims> operands, results;
  /// Loops of which a part cannot be done alone.
  SmallVector<int64_t> whole;
};

/// A loop of which a block has a part. Of an open size it is one turn.
struct Cut {
  bool isOpen() const { return ShapedType::isDynamic(size); }
  OpFoldResult countParts(OpBuilder &builder, Location loc) const;

  int64_t size, part;
  /// Where an open size is found.
  Value tensor = {};
  int64_t dim = 0;
};

/// The number of the cut that each loop, or dim of a tensor, has.
using Cuts = SmallVector<std::optional<unsigned>>;

/// Operations that are done for blocks of scores, one after the other.
class Blocks {
public:
  /// The scores are the factor with this number of the products that a sum
  /// adds up. None if they need no blocks.
  static std::optional<Blocks> of(ReduceOp sum, unsigned factor);

  ArrayRef<Operation *> getOps() const { return ops; }
  void emit(RewriterBase &rewriter);

private:
  Cuts chooseCuts(RankedTensorType scores, ArrayRef<int64_t> dims);
  bool collect(Value scores);
  bool add(Operation *op, Value known, const Dims &dims, const Walk &walk);
  bool isAttention() const;
  bool isConsistent() const;
  bool findResults();
  bool findOpenSizes();

  /// Whether a tensor has as many elements as there are scores, or more.
  bool isLarge(Value value) const;
  Cuts getCuts(const Dims &dims, const Cuts &loops) const;
  bool areOpenDimsCut(Value tensor, const Cuts &dims) const;
  bool isCutEverywhere(const Cuts &dims) const;

  RankedTensorType getBlockType(Value tensor, const Cuts &dims) const;
  SmallVector<Value> emitOffsets(Value turn, ArrayRef<OpFoldResult> parts,
                                 OpBuilder &builder, Location loc) const;
  Value emitBlock(Value tensor, const Cuts &dims, ValueRange offsets,
                  OpBuilder &builder, Location loc) const;
  void emitOp(Operation *op, ValueRange offsets, IRMapping &blocks,
              OpBuilder &builder) const;

  /// Of known sizes.
  int64_t count = 0;
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
};

} // namespace

static int64_t getRank(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

/// How many elements a tensor has along the dims of known sizes.
static int64_t countKnown(Type type) {
  int64_t count = 1;
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    count *= ShapedType::isDynamic(size) ? 1 : size;
  return count;
}

std::optional<Walk> Walk::of(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Walk>>(op)
      .Case([](MapOp map) {
        Dims all = getAllDims(map.getOperand());
        return Walk{getRank(map.getOperand()), {all}, {all}, {}};
      })
      .Case([](BroadcastOp join) {
        int64_t rank = getRank(join.getResult());
        Walk walk{rank, {}, {getAllDims(rank)}, join.getFreeDims()};
        for (unsigned i : llvm::seq(join.getInputs().size()))
          walk.operands.push_back(llvm::to_vector(join.getOperandDims(i)));
        walk.operands.append(join.getSizes().size(), {});
        return walk;
      })
      .Case([](ReduceOp reduce) {
        int64_t rank = getRank(reduce.getInputs().front());
        Walk walk{rank, {}, {}, llvm::to_vector(reduce.getDims())};
        walk.operands.append(reduce.getInputs().size(), getAllDims(rank));
        walk.operands.append(reduce.getInits().size(), {});
        walk.results.append(reduce.getNumResults(),
                            getOtherDims(rank, reduce.getDims()));
        return walk;
      })
      .Case([](PermuteOp permute) {
        int64_t rank = getRank(permute.getOperand());
        return Walk{rank,
                    {getAllDims(rank)},
                    {llvm::to_vector(permute.getPermutation())},
                    {}};
      })
      .Default([](Operation *) { return std::nullopt; });
}

OpFoldResult Cut::countParts(OpBuilder &builder, Location loc) const {
  if (isOpen())
    return getSizes(builder, loc, tensor)[dim];
  return builder.getIndexAttr(llvm::divideCeil(size, part));
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
  return type && countKnown(type) >= count;
}

Cuts Blocks::getCuts(const Dims &dims, const Cuts &loops) const {
  return llvm::map_to_vector(dims, [&](int64_t loop) { return loops[loop]; });
}

bool Blocks::isCutEverywhere(const Cuts &dims) const {
  return llvm::count_if(dims, [](auto cut) { return cut.has_value(); }) ==
         static_cast<int64_t>(cuts.size());
}

bool Blocks::areOpenDimsCut(Value tensor, const Cuts &dims) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  return llvm::all_of(llvm::zip_equal(type.getShape(), dims), [](auto dim) {
    auto [size, cut] = dim;
    return !ShapedType::isDynamic(size) || cut;
  });
}

/// Cuts `dims` of the scores, of which the last are the queries. Products are
/// of several queries with all keys, so heads are cut before these are few.
Cuts Blocks::chooseCuts(RankedTensorType scores, ArrayRef<int64_t> dims) {
  int64_t bytes = llvm::divideCeil(scores.getElementTypeBitWidth(), 8);
  int64_t rows = 1;
  for (int64_t dim : dims)
    if (!scores.isDynamicDim(dim))
      rows *= scores.getDimSize(dim);
  int64_t queries = scores.getDimSize(dims.back());
  int64_t few = std::min(queries, fewestQueries);
  int64_t most = std::max(blockBytes / bytes / (count / rows), few);
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

std::optional<Blocks> Blocks::of(ReduceOp sum, unsigned factor) {
  auto products = sum.getInputs().front().getDefiningOp<BroadcastOp>();
  Value scores = products.getInputs()[factor];
  auto type = cast<RankedTensorType>(scores.getType());
  ArrayRef<int64_t> along = products.getOperandDims(factor);
  SmallVector<int64_t> dims;
  for (int64_t dim : llvm::seq(type.getRank())) {
    if (!llvm::is_contained(sum.getDims(), along[dim]))
      dims.push_back(dim);
    else if (type.isDynamicDim(dim))
      return std::nullopt;
  }
  if (!type.getElementType().isIntOrFloat() || dims.empty() ||
      type.isDynamicDim(dims.back()) || llvm::is_contained(type.getShape(), 0))
    return std::nullopt;

  Blocks blocks;
  blocks.count = countKnown(type);
  int64_t fewest = type.hasStaticShape() ? fewestBytes : fewestKnownBytes;
  if (blocks.count * type.getElementTypeBitWidth() < fewest * 8)
    return std::nullopt;
  blocks.made[scores] = blocks.chooseCuts(type, dims);
  if (blocks.cuts.empty() || !blocks.collect(scores) || !blocks.isAttention() ||
      !blocks.isConsistent() || !blocks.findResults() ||
      !blocks.findOpenSizes())
    return std::nullopt;
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
    Cuts resultCuts = getCuts(loopsOf, cut);
    if (!areOpenDimsCut(result, resultCuts))
      return false;
    setCuts(result, resultCuts);
  }
  for (auto [operand, loopsOf] :
       llvm::zip_equal(op->getOperands(), walk.operands)) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    Cuts operandCuts = getCuts(loopsOf, cut);
    if (!areOpenDimsCut(operand, operandCuts))
      return false;
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
      int64_t terms = countKnown(reduce.getInputs().front().getType());
      hasProducts |= terms > count && isLarge(reduce->getResult(0));
      hasFolds |= terms == count;
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

/// Finds open sizes of loops at what is there before them.
bool Blocks::findOpenSizes() {
  for (Operation *op : ops) {
    Walk walk = *Walk::of(op);
    for (auto [operand, dims] :
         llvm::zip_equal(op->getOperands(), walk.operands)) {
      if (made.contains(operand))
        continue;
      for (auto [dim, loop] : llvm::enumerate(dims))
        if (std::optional<unsigned> number = loops[op][loop]) {
          cuts[*number].tensor = operand;
          cuts[*number].dim = dim;
        }
    }
  }
  return llvm::all_of(
      cuts, [](const Cut &cut) { return !cut.isOpen() || cut.tensor; });
}

RankedTensorType Blocks::getBlockType(Value tensor, const Cuts &dims) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, number] : llvm::zip_equal(shape, dims))
    if (number)
      size = cuts[*number].part;
  return type.clone(shape);
}

/// Where the block of a turn begins along each cut.
SmallVector<Value> Blocks::emitOffsets(Value turn, ArrayRef<OpFoldResult> parts,
                                       OpBuilder &builder, Location loc) const {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> offsets(cuts.size());
  for (unsigned number = cuts.size(); number-- > 0;) {
    const Cut &cut = cuts[number];
    Value place = turn;
    if (number != 0) {
      Value count =
          getValueOrCreateConstantIndexOp(builder, loc, parts[number]);
      place = arith::RemUIOp::create(builder, loc, turn, count);
      turn = arith::DivUIOp::create(builder, loc, turn, count);
    }
    if (cut.part != 1)
      place = arith::MulIOp::create(builder, loc, place, constant(cut.part));
    if (!cut.isOpen() && cut.size % cut.part != 0)
      place = arith::MinUIOp::create(builder, loc, place,
                                     constant(cut.size - cut.part));
    offsets[number] = place;
  }
  return offsets;
}

/// Where a block begins in a tensor.
static SmallVector<OpFoldResult> getBegins(const Cuts &dims, ValueRange offsets,
                                           OpBuilder &builder) {
  return llvm::map_to_vector(dims, [&](auto number) -> OpFoldResult {
    if (number)
      return offsets[*number];
    return builder.getIndexAttr(0);
  });
}

Value Blocks::emitBlock(Value tensor, const Cuts &dims, ValueRange offsets,
                        OpBuilder &builder, Location loc) const {
  RankedTensorType type = getBlockType(tensor, dims);
  if (llvm::none_of(dims, [](auto number) { return number.has_value(); }))
    return tensor;
  return createSlice(
      builder, loc, tensor, getBegins(dims, offsets, builder),
      getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      SmallVector<int64_t>(dims.size(), 1));
}

/// Does for a block what an operation does for all.
void Blocks::emitOp(Operation *op, ValueRange offsets, IRMapping &blocks,
                    OpBuilder &builder) const {
  const Cuts &cut = loops.at(op);
  Walk walk = *Walk::of(op);
  // One tensor may be two operands, of which blocks are different ones.
  SmallVector<Value> operands;
  for (auto [operand, dims] : llvm::zip_equal(op->getOperands(), walk.operands))
    operands.push_back(isa<RankedTensorType>(operand.getType()) &&
                               !blocks.contains(operand)
                           ? emitBlock(operand, getCuts(dims, cut), offsets,
                                       builder, op->getLoc())
                           : blocks.lookupOrDefault(operand));
  Operation *done = builder.clone(*op);
  done->setOperands(operands);
  for (auto [result, block] :
       llvm::zip_equal(op->getResults(), done->getResults())) {
    block.setType(getBlockType(result, made.at(result)));
    blocks.map(result, block);
  }
}

void Blocks::emit(RewriterBase &rewriter) {
  Location loc = ops.back()->getLoc();
  rewriter.setInsertionPoint(ops.back());
  SmallVector<OpFoldResult> parts = llvm::map_to_vector(
      cuts, [&](const Cut &cut) { return cut.countParts(rewriter, loc); });
  OpFoldResult turns = multiply(rewriter, loc, parts);
  SmallVector<Value> starts;
  for (Value result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    for (auto [size, number] : llvm::zip_equal(sizes, made.at(result)))
      if (number && cuts[*number].isOpen())
        size = parts[*number];
    Value zero = createScalarTensor(rewriter, loc, type.getElementType(), 0);
    starts.push_back(createFilled(rewriter, loc, zero, sizes));
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto loop = scf::ForOp::create(
      rewriter, loc, constant(0),
      getValueOrCreateConstantIndexOp(rewriter, loc, turns), constant(1),
      starts, [&](OpBuilder &body, Location, Value turn, ValueRange carried) {
        SmallVector<Value> offsets = emitOffsets(turn, parts, body, loc), next;
        IRMapping blocks;
        for (Operation *op : ops)
          emitOp(op, offsets, blocks, body);
        for (auto [result, all] : llvm::zip_equal(results, carried)) {
          SmallVector<Value> begins;
          SmallVector<int64_t> known;
          dispatchIndexOpFoldResults(getBegins(made.at(result), offsets, body),
                                     begins, known);
          next.push_back(
              InsertOp::create(body, loc, blocks.lookup(result), all, begins,
                               known, SmallVector<int64_t>(known.size(), 1)));
        }
        scf::YieldOp::create(body, loc, next);
      });
  for (auto [result, all] : llvm::zip_equal(results, loop.getResults()))
    rewriter.replaceUsesWithIf(result, all, [&](OpOperand &use) {
      return !loops.contains(use.getOwner());
    });
  for (Operation *op : llvm::reverse(ops))
    rewriter.eraseOp(op);
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
        std::optional<Blocks> blocks = Blocks::of(sum, factor);
        if (!blocks)
          continue;
        done.insert_range(blocks->getOps());
        blocks->emit(rewriter);
      }
  }
};
} // namespace
