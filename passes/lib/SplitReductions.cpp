//===- SplitReductions.cpp - Reductions for all of a GPU ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Workgroups that are to share a reduction or a product, as far as there are
/// fewer.
static constexpr int64_t workgroupsOfRows = 512, workgroupsOfColumns = 1024,
                         workgroupsOfProducts = 256;
/// What one of them then has left at least: elements of a row, rows of columns,
/// and what is summed up for a product.
static constexpr int64_t shortestRow = 1024, shortestColumn = 32,
                         shortestProduct = 128;
/// Elements below which a second dispatch takes longer than it saves.
static constexpr int64_t fewElements = 1 << 15;
/// Columns and elements of a product that a workgroup has, and what products go
/// along at a time.
static constexpr int64_t columnsTile = 128, productTile = 64, summedTile = 16;

namespace {

/// Into how many parts a loop of a reduction is to be split. Neighbours are in
/// one part, or in different ones: where threads read columns side by side,
/// these become so many more columns.
struct Split {
  unsigned loop = 0;
  int64_t parts = 1;
  bool ofNeighbours = true;
};

struct SplitReductions : wax::impl::SplitReductionsBase<SplitReductions> {
  void runOnOperation() override;
};

} // namespace

/// The operation that combines, where reassociating it is fine.
static Operation *getCombiner(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || combiners.front()->getNumOperands() != 2 ||
      !arith::getNeutralElement(combiners.front()))
    return nullptr;
  return combiners.front();
}

/// What leaves all that it is combined with as it is: of sums that is not 0,
/// which makes 0 of -0.
static TypedAttr getNeutral(Operation *combiner, Builder &builder) {
  if (isa<arith::AddFOp>(combiner))
    return builder.getFloatAttr(combiner->getResult(0).getType(), -0.0);
  return *arith::getNeutralElement(combiner);
}

static bool isSplittable(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumReductionLoops() != 0 && !op.hasIndexSemantics() &&
         llvm::none_of(op.getStaticLoopRanges(),
                       [](int64_t size) {
                         return ShapedType::isDynamic(size) || size == 0;
                       }) &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         op->getDiscardableAttrs().empty() && getCombiner(op);
}

/// The greatest number of parts up to `most` in which `size` has at least
/// `least` each, and a multiple of `of`.
static int64_t getParts(int64_t size, int64_t most, int64_t least, int64_t of) {
  for (int64_t parts = std::min(most, size / least); parts > 1; --parts)
    if (size % parts == 0 && size / parts % of == 0)
      return parts;
  return 1;
}

static int64_t getTotal(ArrayRef<int64_t> sizes, ArrayRef<unsigned> loops,
                        int64_t tile = 1) {
  int64_t total = 1;
  for (unsigned loop : loops)
    total *= sizes[loop];
  return llvm::divideCeil(total, tile);
}

static Split chooseForProduct(linalg::GenericOp op) {
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.size() != 1)
    return {};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t workgroups = getTotal(sizes, dims->batch) *
                       getTotal(sizes, dims->m, productTile) *
                       getTotal(sizes, dims->n, productTile);
  Split split;
  split.loop = dims->k.front();
  split.parts = getParts(sizes[split.loop], workgroupsOfProducts / workgroups,
                         shortestProduct, summedTile);
  return split;
}

static Split choose(linalg::GenericOp op) {
  if (linalg::isaContractionOpInterface(op))
    return chooseForProduct(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> parallel, reduced;
  op.getParallelDims(parallel);
  op.getReductionDims(reduced);
  int64_t results = getTotal(sizes, parallel),
          perResult = getTotal(sizes, reduced);
  if (results * perResult < fewElements)
    return {};
  // How what is read most of lies in memory.
  AffineMap largest;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!largest || map.getNumResults() > largest.getNumResults())
      largest = map;
  }
  if (!largest || largest.getNumResults() == 0)
    return {};
  SmallVector<unsigned> order;
  for (AffineExpr result : largest.getResults())
    order.push_back(cast<AffineDimExpr>(result).getPosition());
  auto isReduced = [&](unsigned loop) {
    return llvm::is_contained(reduced, loop);
  };
  Split best;
  best.ofNeighbours = isReduced(order.back());
  if (!best.ofNeighbours) {
    // The parts of what lies next to the columns are more of these.
    auto next = llvm::find_if(llvm::reverse(order), isReduced);
    if (next == order.rend())
      return {};
    reduced = {*next};
  }
  int64_t workgroups =
      best.ofNeighbours ? results : llvm::divideCeil(results, columnsTile);
  int64_t wanted = (best.ofNeighbours ? workgroupsOfRows : workgroupsOfColumns);
  int64_t least = best.ofNeighbours ? shortestRow : shortestColumn;
  for (unsigned loop : order) {
    if (!isReduced(loop))
      continue;
    // What remains of each part, with what the other loops go over.
    int64_t others = perResult / sizes[loop];
    int64_t parts =
        getParts(sizes[loop], wanted / workgroups,
                 std::max<int64_t>(1, llvm::divideCeil(least, others)), 1);
    // Of an outer loop parts lie together.
    if (best.parts == 1 || parts > 2 * best.parts) {
      best.loop = loop;
      best.parts = parts;
    }
  }
  return best;
}

/// `op` in two: each part by itself, and then the parts.
static void splitInTwo(linalg::GenericOp op, Split split,
                       RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  int64_t size = op.getStaticLoopRanges()[split.loop] / split.parts;
  AffineExpr part = rewriter.getAffineDimExpr(0);
  unsigned loops = op.getNumLoops() + 1;

  // A loop over the parts comes before the others.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = cast<RankedTensorType>(input->get().getType());
    SmallVector<AffineExpr> results;
    SmallVector<int64_t> shape;
    SmallVector<ReassociationIndices> groups;
    for (auto [dim, result] :
         llvm::enumerate(op.getMatchingIndexingMap(input).getResults())) {
      unsigned loop = cast<AffineDimExpr>(result).getPosition();
      AffineExpr along = rewriter.getAffineDimExpr(loop + 1);
      int64_t next = shape.size();
      if (loop != split.loop) {
        groups.push_back({next});
        results.push_back(along);
        shape.push_back(type.getDimSize(dim));
        continue;
      }
      groups.push_back({next, next + 1});
      if (split.ofNeighbours) {
        results.append({part, along});
        shape.append({split.parts, size});
      } else {
        results.append({along, part});
        shape.append({size, split.parts});
      }
    }
    maps.push_back(AffineMap::get(loops, 0, results, context));
    inputs.push_back(shape.size() == static_cast<size_t>(type.getRank())
                         ? input->get()
                         : tensor::ExpandShapeOp::create(rewriter, loc,
                                                         type.clone(shape),
                                                         input->get(), groups));
  }

  OpOperand *init = op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init->get().getType());
  SmallVector<AffineExpr> outer = {part};
  for (AffineExpr result : op.getMatchingIndexingMap(init).getResults())
    outer.push_back(result.shiftDims(op.getNumLoops(), 1));
  maps.push_back(AffineMap::get(loops, 0, outer, context));
  SmallVector<int64_t> shape = {split.parts};
  llvm::append_range(shape, type.getShape());
  SmallVector<utils::IteratorType> iterators = {utils::IteratorType::parallel};
  llvm::append_range(iterators, op.getIteratorTypesArray());

  Operation *combiner = getCombiner(op);
  Value neutral =
      arith::ConstantOp::create(rewriter, loc, getNeutral(combiner, rewriter));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  Value filled =
      linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  auto partial = linalg::GenericOp::create(rewriter, loc, filled.getType(),
                                           inputs, filled, maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), partial.getRegion(),
                             partial.getRegion().end());

  // Then the parts are combined, in their order.
  unsigned rank = type.getRank();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank + 1);
  SmallVector<utils::IteratorType> combined(rank + 1,
                                            utils::IteratorType::parallel);
  combined.front() = utils::IteratorType::reduction;
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op.getResultTypes(), partial.getResults(), init->get(),
      ArrayRef<AffineMap>{all, all.dropResult(0)}, combined,
      [&](OpBuilder &builder, Location at, ValueRange values) {
        Operation *again = builder.clone(*combiner);
        again->setOperands({values[0], values[1]});
        linalg::YieldOp::create(builder, at, again->getResults());
      });
}

void SplitReductions::runOnOperation() {
  SmallVector<linalg::GenericOp> reductions;
  getOperation().walk([&](linalg::GenericOp op) {
    if (isSplittable(op))
      reductions.push_back(op);
  });
  IRRewriter rewriter(&getContext());
  for (linalg::GenericOp op : reductions) {
    Split split = choose(op);
    if (split.parts > 1)
      splitInTwo(op, split, rewriter);
  }
}
