//===- VectorizeMaps.cpp - Maps of open sizes by vectors ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all that is read goes along all dims, a tensor is one row; else the
// last dim is one, and what has it not is read once for each. Of rows shorter
// than vectors, as many are taken at a time as are some whole vectors: then it
// is known at which places of rows each of these begins.
//
//===----------------------------------------------------------------------===//

#include "CPUContext.h"
#include "LastLoops.h"
#include "LastMaps.h"
#include "LoopPlan.h"
#include "Scaling.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Dispatch.h"
#include "../lowering/Rare.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "wax/Passes/IREE.h"

#include <numeric>

namespace mlir::wax {
#define GEN_PASS_DEF_VECTORIZEMAPS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Rows that are better gone through one after the other than in tiles, and
/// tensors that are worth it.
static constexpr int64_t longRow = 256, fewestElements = 65536;
/// Elements below which a dispatch takes longer to start than to run, and below
/// which masks take no time that can be seen.
static constexpr int64_t fewestScaled = 4096, fewestMasked = 64;
/// Elements of a row between which others lie.
static constexpr int64_t fewestApart = 32;
/// Elements of a row that are no more than a few of a vector's, and operations
/// of such a block of rows.
static constexpr int64_t mostOfShort = 31, mostOfBlock = 512;

/// What IREE's tiles have of a map that is one row to it, and of the last dim
/// of another.
static constexpr int64_t tileOfRow = 4096, tileOfDim = 64;

/// Whether IREE computes a map of known sizes by vectors under masks, all of
/// them: where its tiles are not all alike, or have no whole vectors.
static bool hasMasks(RankedTensorType type, bool isRow) {
  Type stored = getStoredType(type.getElementType());
  int64_t lanes = 256 / stored.getIntOrFloatBitWidth();
  int64_t size = isRow ? type.getNumElements() : type.getShape().back();
  int64_t tile = isRow ? tileOfRow : tileOfDim;
  return size % (size > tile ? tile : lanes) != 0;
}

/// Whether a map reads more than constants and what is made of no tensor, which
/// IREE computes ahead, or anew for each who reads it.
static bool readsArguments(linalg::GenericOp op) {
  return llvm::any_of(op.getInputs(), [](Value input) {
    return !matchPattern(input, m_Constant()) && !iree::isMadeOfNone(input);
  });
}

/// The part of another tensor that a tensor shows, of which IREE has its own
/// loops read that, and others get a copy; null if it does not.
static tensor::ExtractSliceOp getSlice(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (iree::isView(op) && !isa<tensor::ExtractSliceOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<tensor::ExtractSliceOp>(op);
}

static bool isSliced(Value tensor) { return bool(getSlice(tensor)); }

/// Whether that part lies apart, which rows of it do not.
static bool isApart(Value tensor) {
  tensor::ExtractSliceOp slice = getSlice(tensor);
  return slice && !iree::isTogether(slice);
}

/// Whether IREE makes loops of what makes a tensor.
static bool isComputed(Value tensor) {
  return isa_and_present<linalg::LinalgOp>(
      iree::getViewed(tensor).getDefiningOp());
}

/// Whether it does of what a map reads, or a map reads that only it reads.
static bool readsComputed(linalg::GenericOp op) {
  return llvm::any_of(op.getInputs(), [](Value input) {
    if (!isComputed(input))
      return false;
    auto map = iree::getViewed(input).getDefiningOp<linalg::GenericOp>();
    if (!map)
      return true;
    return map.getNumReductionLoops() > 0 || !map->hasOneUse() ||
           readsComputed(map);
  });
}

/// Whether an argument may be written over where an operation is.
static bool hasDonated(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function &&
         llvm::any_of(function.getArguments(), [&](BlockArgument a) {
           return bool(function.getArgAttr(a.getArgNumber(), "wax.donated"));
         });
}

namespace {

/// Emits one map, and those that are read by it alone.
class VectorMap {
public:
  VectorMap(linalg::GenericOp op, int64_t along)
      : op(op), along(along),
        reader(op, op.getNumLoops(), along, /*isLate=*/true) {}

  bool isPossible() { return reader.addMade(op); }
  /// Whether a map that only this one reads stays by itself.
  bool leavesMaps() const { return reader.hasProducersLeft(); }
  /// Whether it reads what lies apart, with rows of some length between.
  bool readsRowsApart() const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    return type.hasStaticShape() && type.getShape().back() >= fewestApart &&
           llvm::any_of(reader.getReadAlong(), isApart);
  }
  /// Whether IREE would compute it more slowly: by masks where sizes are open
  /// or no multiples, with all that few elements need, without an instruction
  /// that scales by powers of two, and long rows in tiles of 64 by 64.
  bool isFaster(Processor processor) {
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    if (!type.hasStaticShape() ||
        (reader.isMadeBy(hasRare) && readsArguments(op)))
      return true;
    auto read = reader.getReadAlong();
    bool isApartFromIREE = !leavesMaps() && llvm::none_of(read, isComputed) &&
                           !readsComputed(op) && !hasDonated(op);
    if (reader.readsEveryFew() && type.getNumElements() >= fewestMasked &&
        isApartFromIREE)
      return true;
    if (hasAVX512(processor) && type.getNumElements() >= fewestScaled &&
        reader.isMadeBy(hasScaling) && readsArguments(op) &&
        llvm::none_of(read, isSliced))
      return true;
    // What lies apart is read where it lies, by rows. IREE has one dispatch of
    // what it makes loops of and what reads that, and writes over what was
    // donated.
    if (!hasAVX512(processor) && type.getNumElements() >= fewestMasked &&
        hasMasks(type, along == op.getNumLoops()) && readsArguments(op) &&
        (along == 1 || llvm::none_of(read, isApart)) && isApartFromIREE)
      return true;
    return along == 1 && along < op.getNumLoops() &&
           type.getShape().back() >= longRow &&
           type.getNumElements() >= fewestElements && readsArguments(op);
  }
  /// Whether it goes through many rows, one by one, that are less than a few
  /// vectors.
  bool isOfManyRows();
  /// Whether it has fewer tensors than a dispatch may have.
  bool isOfFewTensors();
  /// Whether it reads what lies apart, of which it would get a copy.
  bool readsApart();
  Value emit(RewriterBase &rewriter);

private:
  bool isOfShortRows() const;
  Value emitShortRows(RewriterBase &rewriter, RankedTensorType stored);
  Value emitWithin(OpBuilder &builder, Location loc, Value first, Value end,
                   Value output);
  SmallVector<Value> emitRow(OpBuilder &builder, Location loc,
                             ValueRange indices, Value first, OpFoldResult size,
                             ValueRange outputs, ArrayRef<Value> place);

  linalg::GenericOp op;
  int64_t along, lanes = 0;
  RowReader reader;
  /// What is read of short rows along all dims, or all but the last one, as
  /// tensors of one dim.
  llvm::MapVector<Value, Value> merged;
};

} // namespace

/// How a tensor is read by rows that are taken several at a time.
static bool isScalar(AffineMap map) { return map.getNumResults() == 0; }
static bool isOfColumns(AffineMap map) {
  return map.getNumResults() == 1 && map.isFunctionOfDim(map.getNumDims() - 1);
}
static bool isOfRows(AffineMap map) {
  return map ==
         AffineMap::getMultiDimIdentityMap(map.getNumDims(), map.getContext())
             .dropResult(map.getNumDims() - 1);
}

bool VectorMap::isOfShortRows() const {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t width = type.getRank() < 2 ? 0 : type.getShape().back();
  if (along != 1 || width < 2 || width > mostOfShort)
    return false;
  int64_t count = 0;
  bool hasIndices = reader.isMadeBy([&](Block &body) {
    count += body.getOperations().size();
    return !body.getOps<linalg::IndexOp>().empty();
  });
  bool isKnown = true;
  reader.walkReads([&](Value tensor, AffineMap map) {
    isKnown &= isScalar(map) || isOfColumns(map) ||
               ((isOfRows(map) || map.isIdentity()) && !isApart(tensor));
  });
  return isKnown && !hasIndices && count * width <= mostOfBlock;
}

bool VectorMap::isOfFewTensors() {
  llvm::SmallPtrSet<Value, 16> read;
  reader.walkReads([&](Value tensor, AffineMap map) { read.insert(tensor); });
  return read.size() < iree::mostTensors;
}

bool VectorMap::readsApart() {
  bool isAny = false;
  reader.walkReads(
      [&](Value tensor, AffineMap map) { isAny |= isApart(tensor); });
  return isAny;
}

bool VectorMap::isOfManyRows() {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return along < op.getNumLoops() && type.getShape().back() <= mostOfShort &&
         type.getNumElements() > fewestScaled && !isOfShortRows();
}

/// Fills the rows from element `first` up to `end` of all.
Value VectorMap::emitWithin(OpBuilder &builder, Location loc, Value first,
                            Value end, Value output) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t width = type.getShape().back();
  int64_t vectors = width / std::gcd(width, lanes),
          rows = vectors * lanes / width;
  auto constant = [&](OpBuilder &builder, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // What each vector of a block has of a row that is the same for all.
  llvm::DenseMap<std::pair<Value, AffineMap>, SmallVector<Value>> same;
  reader.walkReads([&](Value tensor, AffineMap map) {
    SmallVector<Value> &known = same[{tensor, map}];
    if (!known.empty() || !(isScalar(map) || isOfColumns(map)))
      return;
    SmallVector<Value> elements;
    for (int64_t place : llvm::seq(isScalar(map) ? 1 : width))
      elements.push_back(tensor::ExtractOp::create(
          builder, loc, tensor,
          isScalar(map) ? ValueRange() : constant(builder, place)));
    for (int64_t vector : llvm::seq(vectors)) {
      SmallVector<Value> chosen;
      for (int64_t lane : llvm::seq(lanes))
        chosen.push_back(elements[(vector * lanes + lane) % elements.size()]);
      known.push_back(vector::FromElementsOp::create(
          builder, loc, VectorType::get(lanes, chosen.front().getType()),
          chosen));
    }
  });
  auto emitBlock = [&](OpBuilder &body, Location loc, Value piece, Value mask,
                       ValueRange carried) -> SmallVector<Value> {
    Value rest = mask ? countLanes(mask) : Value();
    auto createMask = [&](int64_t size, Value there) -> Value {
      return there ? wax::createMask(body, loc, size, there) : Value();
    };
    Value from = body.createOrFold<arith::AddIOp>(loc, first, piece);
    Value row = arith::DivUIOp::create(body, loc, from, constant(body, width));
    Value restRows = rest ? body.createOrFold<arith::DivUIOp>(
                                loc, rest, constant(body, width))
                          : Value();
    llvm::DenseMap<Value, Value> ofRows;
    Value written = carried.front();
    for (int64_t vector : llvm::seq(vectors)) {
      Value start = constant(body, vector * lanes);
      Value isThere = createMask(
          lanes,
          rest ? body.createOrFold<arith::SubIOp>(loc, rest, start) : Value());
      auto load = [&](OpBuilder &inside, Location loc, Value tensor,
                      AffineMap map) -> Value {
        if (ArrayRef<Value> known = same[{tensor, map}]; !known.empty())
          return known[vector];
        Value read;
        if (isOfRows(map)) {
          Value &all = ofRows[tensor];
          if (!all)
            all = readLanes(inside, loc, merged.lookup(tensor), row, rows,
                            createMask(rows, restRows));
          SmallVector<int64_t> places;
          for (int64_t lane : llvm::seq(lanes))
            places.push_back((vector * lanes + lane) / width);
          read = createShuffle(inside, loc, all, places);
        } else {
          read = readLanes(inside, loc, merged.lookup(tensor),
                           inside.createOrFold<arith::AddIOp>(loc, from, start),
                           lanes, isThere);
        }
        return convertStored(inside, loc, read, getElementTypeOrSelf(tensor));
      };
      reader.setLoad(load, lanes);
      Value made = reader.read(body, loc, Value(), isThere).front();
      made = convertStored(body, loc, made,
                           getElementTypeOrSelf(written.getType()));
      written = writeLanes(body, loc, made, written,
                           body.createOrFold<arith::AddIOp>(loc, piece, start),
                           isThere);
    }
    return {written};
  };
  Value size = arith::SubIOp::create(builder, loc, end, first);
  return emitPieces(builder, loc, size, vectors * lanes, output, emitBlock)
      .front();
}

/// All rows as one tensor of one dim.
Value VectorMap::emitShortRows(RewriterBase &rewriter,
                               RankedTensorType stored) {
  Location loc = op.getLoc();
  CPUContext context;
  reader.walkReads([&](Value tensor, AffineMap map) {
    if (isScalar(map) || isOfColumns(map) || merged.contains(tensor))
      return;
    Value memory = iree::createBitcast(
        rewriter, loc, tensor, getStoredType(getElementTypeOrSelf(tensor)));
    merged[tensor] = mergeRow(rewriter, loc, memory, map.getNumResults());
  });
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getOutputs().front());
  OpFoldResult count = multiply(rewriter, loc, sizes);
  int64_t block = std::lcm(lanes, stored.getShape().back());
  Value made =
      emitRows(
          rewriter, loc, context,
          RowsOutput{getTensorType(count, stored.getElementType()), {count}},
          /*rowDim=*/0,
          [&](OpBuilder &builder, Location loc, Value first, Value end,
              ValueRange outputs) -> SmallVector<Value> {
            return {emitWithin(builder, loc, first, end, outputs.front())};
          },
          rewriter.getIndexAttr(llvm::alignTo(workgroupElements, block)))
          .front();
  return splitDims(rewriter, loc, context.getTarget(), made, stored, {sizes});
}

/// Fills `size` elements of a row from `first` on; `place` is where `outputs`
/// have that.
SmallVector<Value> VectorMap::emitRow(OpBuilder &builder, Location loc,
                                      ValueRange indices, Value first,
                                      OpFoldResult size, ValueRange outputs,
                                      ArrayRef<Value> place) {
  reader.startRow(builder, loc, indices, lanes);
  return emitPieces(
      builder, loc, size, lanes, outputs,
      [&](OpBuilder &body, Location loc, Value piece, Value mask,
          ValueRange carried) -> SmallVector<Value> {
        Value from = body.createOrFold<arith::AddIOp>(loc, first, piece);
        SmallVector<Value> to(place);
        to.back() = body.createOrFold<arith::AddIOp>(loc, to.back(), piece);
        Value made = reader.read(body, loc, from, mask).front();
        made = convertStored(body, loc, made,
                             getElementTypeOrSelf(carried.front().getType()));
        return {writeLanes(body, loc, made, carried.front(), to, mask)};
      },
      /*mayRepeat=*/!hasDonated(op));
}

Value VectorMap::emit(RewriterBase &rewriter) {
  Location loc = op.getLoc();
  CPUContext context;
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  auto stored =
      cast<RankedTensorType>(type.clone(getStoredType(type.getElementType())));
  SmallVector<Type> elements(reader.getElements());
  elements.push_back(stored.getElementType());
  // Registers hold the constants of functions besides.
  lanes = getLanes(elements) / 2;
  if (isOfShortRows())
    return iree::createBitcast(rewriter, loc, emitShortRows(rewriter, stored),
                               type.getElementType());
  reader.mergeRows(rewriter, loc);

  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getOutputs().front());
  ArrayRef<OpFoldResult> outer = ArrayRef(sizes).drop_back(along);
  OpFoldResult width =
      multiply(rewriter, loc, ArrayRef(sizes).take_back(along));
  SmallVector<OpFoldResult> madeSizes;
  if (!outer.empty())
    madeSizes.push_back(multiply(rewriter, loc, outer));
  // A tensor that is one row is dealt by elements.
  OpFoldResult run = getRunOfRows(
      rewriter, loc, outer.empty() ? rewriter.getIndexAttr(1) : width);
  madeSizes.push_back(width);
  RowsOutput output{getTensorType(madeSizes, stored.getElementType()),
                    madeSizes};
  Value made =
      emitRows(
          rewriter, loc, context, output, /*rowDim=*/0,
          [&](OpBuilder &builder, Location loc, Value first, Value end,
              ValueRange empties) {
            Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
            if (outer.empty()) {
              Value size = arith::SubIOp::create(builder, loc, end, first);
              return emitRow(builder, loc, {}, first, size, empties, zero);
            }
            Value one = arith::ConstantIndexOp::create(builder, loc, 1);
            return emitLoop(
                builder, loc, first, end, one, empties,
                [&](OpBuilder &body, Location loc, Value row,
                    ValueRange carried) {
                  Value at = arith::SubIOp::create(body, loc, row, first);
                  return emitRow(body, loc,
                                 getRowIndices(body, loc, row, outer), zero,
                                 width, carried, {at, zero});
                });
          },
          run)
          .front();
  made = splitDims(rewriter, loc, context.getTarget(), made, stored,
                   {outer, ArrayRef(sizes).take_back(along)});
  return iree::createBitcast(rewriter, loc, made, type.getElementType());
}

/// The map as one row, unless rows along the last dim have more maps in them,
/// or a slice of known sizes is read, which is no row.
static std::optional<VectorMap> choose(linalg::GenericOp op) {
  VectorMap whole(op, op.getNumLoops()), rows(op, 1);
  bool isWhole = whole.isPossible();
  if (isWhole && whole.readsRowsApart() && rows.isPossible())
    return rows;
  if (isWhole && !whole.leavesMaps())
    return whole;
  if (rows.isPossible() && !(isWhole && rows.leavesMaps()))
    return rows;
  return isWhole ? std::optional(whole) : std::nullopt;
}

/// Whether IREE makes loops of what makes a tensor, and takes maps of their
/// result into them.
static bool isReduced(Value tensor) {
  auto op = iree::getViewed(tensor).getDefiningOp<linalg::LinalgOp>();
  return op && op.getNumReductionLoops() > 0;
}

/// Whether a map stands where IREE would make a dispatch of it: what else IREE
/// makes loops of takes it into its own, and of a slice IREE makes no more than
/// that. It does not get those with branches,
/// since it makes no vectors of these.
static bool isRoot(linalg::GenericOp op) {
  Value result = op.getResult(0);
  bool isTaken =
      llvm::any_of(op.getInputs(), isReduced) ||
      llvm::any_of(result.getUsers(), llvm::IsaPred<linalg::LinalgOp>) ||
      llvm::all_of(result.getUsers(), llvm::IsaPred<tensor::ExtractSliceOp>);
  return !result.use_empty() &&
         isStoredLaneType(getStoredType(getElementTypeOrSelf(result))) &&
         !llvm::hasSingleElement(*op.getBody()) &&
         !op->getParentOfType<iree::DispatchRegionOp>() &&
         !op->getParentOfType<LoopLikeOpInterface>() &&
         llvm::none_of(op.getInputs(),
                       [](Value input) { return bool(getFilling(input)); }) &&
         (!isTaken || (hasRare(*op.getBody()) && readsArguments(op)));
}

/// Whether IREE makes loops of what a tensor, or a view of it, is read by.
static bool isReadByLoops(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](Operation *user) {
    return isa<linalg::LinalgOp>(user) ||
           (iree::isView(user) && isReadByLoops(user->getResult(0)));
  });
}

/// Whether it is a transposition of known sizes that IREE would make a dispatch
/// of alone: of an argument or a result of ours, as it is in memory. No
/// argument is to be written over by it.
static bool isForUs(linalg::TransposeOp op) {
  if (op->getNumResults() != 1)
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Operation *made = iree::getViewed(op.getInput()).getDefiningOp();
  return type.hasStaticShape() &&
         isStoredLaneType(getStoredType(type.getElementType())) &&
         !hasDonated(op) && !op->getParentOfType<LoopLikeOpInterface>() &&
         (!made || isa<scf::ForallOp, iree::DispatchRegionOp>(made)) &&
         !isApart(op.getInput()) && !isReadByLoops(op->getResult(0));
}

/// Whether vectors do a map of known sizes as fast as IREE, which would make
/// loops of it.
static bool isForUs(linalg::GenericOp op, bool isAlone = false) {
  if (op.getNumParallelLoops() != op.getNumLoops() || op.getNumLoops() == 0 ||
      op->getNumResults() != 1)
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() ||
      !isStoredLaneType(getStoredType(type.getElementType())) ||
      hasDonated(op) || (!isAlone && !readsArguments(op)))
    return false;
  std::optional<VectorMap> vectors = choose(op);
  return vectors && vectors->isOfFewTensors() &&
         (isAlone || !vectors->readsApart()) && !vectors->isOfManyRows();
}

namespace {
struct VectorizeMaps : wax::impl::VectorizeMapsBase<VectorizeMaps> {
  using VectorizeMapsBase::VectorizeMapsBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> maps;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getNumParallelLoops() == op.getNumLoops() &&
          op.getNumLoops() > 0 && op->getNumResults() == 1)
        maps.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // Those that read come before what they read.
    for (linalg::GenericOp map : llvm::reverse(maps)) {
      if (map->use_empty()) {
        rewriter.eraseOp(map);
        continue;
      }
      if (!isRoot(map))
        continue;
      std::optional<VectorMap> vectors = choose(map);
      if (vectors && vectors->isFaster(processor)) {
        rewriter.setInsertionPoint(map);
        rewriter.replaceOp(map, vectors->emit(rewriter));
      }
    }
    if (alone)
      emitAll(rewriter);
    else
      emitLast(rewriter);
    // IREE makes no vectors of branches; other loops than its own take them.
    getOperation().walk([&](Operation *op) {
      scf::IfOp branch = getRare(op);
      if (branch && branch->getParentOfType<linalg::LinalgOp>())
        inlineRare(rewriter, branch);
      else if (branch)
        forgetRare(branch);
    });
  }

private:
  /// What is left, where all of it is maps that vectors do.
  void emitLast(RewriterBase &rewriter) {
    SmallVector<linalg::GenericOp> maps =
        takeLast(getOperation(), processor, rewriter, [](linalg::LinalgOp op) {
          if (auto map = dyn_cast<linalg::GenericOp>(*op))
            return isForUs(map);
          auto transpose = dyn_cast<linalg::TransposeOp>(*op);
          return transpose && isForUs(transpose);
        });
    for (linalg::GenericOp map : llvm::reverse(maps)) {
      if (map->use_empty()) {
        rewriter.eraseOp(map);
        continue;
      }
      std::optional<VectorMap> vectors = choose(map);
      if (!vectors || !vectors->isOfFewTensors())
        continue;
      rewriter.setInsertionPoint(map);
      rewriter.replaceOp(map, vectors->emit(rewriter));
    }
  }

  /// All that is left and that it is known how to do, by vectors or one by one.
  void emitAll(RewriterBase &rewriter) {
    SmallVector<linalg::GenericOp> last = findLast(getOperation(), rewriter);
    for (linalg::GenericOp loops : llvm::reverse(last)) {
      if (loops->use_empty()) {
        rewriter.eraseOp(loops);
        continue;
      }
      std::optional<VectorMap> vectors = chooseAlone(loops);
      if (!vectors || (vectors->leavesMaps() &&
                       isCheap(loops, [](Value) { return false; }))) {
        loops = fuseMaps(loops, rewriter);
        vectors = chooseAlone(loops);
      }
      rewriter.setInsertionPoint(loops);
      if (vectors)
        rewriter.replaceOp(loops, vectors->emit(rewriter));
      else if (auto made = emitElements(loops, rewriter))
        rewriter.replaceOp(loops, *made);
    }
  }

  /// Rows where some lie apart: as they are, they would be copied first.
  static std::optional<VectorMap> chooseAlone(linalg::GenericOp map) {
    if (!isForUs(map, /*isAlone=*/true))
      return std::nullopt;
    std::optional<VectorMap> chosen = choose(map);
    VectorMap rows(map, 1);
    if (!chosen->readsApart() || !rows.isPossible())
      return chosen;
    return rows.isOfManyRows() ? std::nullopt : std::optional(rows);
  }
};
} // namespace
