//===- TileProducts.cpp - Products of matrices in blocks of vectors -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has products of matrices made in tiles, with what is made of them, and what
// is before and behind them brought into the order that suits tiles.
//
//===----------------------------------------------------------------------===//

#include "Captured.h"
#include "FactorReader.h"
#include "LoopPlan.h"
#include "NestBuilder.h"
#include "ProductAnalysis.h"
#include "ProductWindows.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "wax/Passes/IREE.h"

namespace mlir::wax {
#define GEN_PASS_DEF_TILEPRODUCTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Has a factor that was transposed read as it lies, if that is a product yet.
void takeTransposition(linalg::GenericOp op, OpOperand *factor,
                       RewriterBase &rewriter) {
  auto transposition = factor->get().getDefiningOp<linalg::TransposeOp>();
  if (!transposition)
    return;
  SmallVector<AffineMap> before = op.getIndexingMapsArray(), maps(before);
  AffineMap &map = maps[factor->getOperandNumber()];
  SmallVector<AffineExpr> dims(map.getNumResults());
  for (auto [place, dim] : llvm::enumerate(transposition.getPermutation()))
    dims[dim] = map.getResult(place);
  map = AffineMap::get(map.getNumDims(), 0, dims, op.getContext());
  auto read = [&](Value tensor, ArrayRef<AffineMap> by) {
    rewriter.modifyOpInPlace(op, [&] {
      factor->set(tensor);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(by));
    });
  };
  Value turned = factor->get();
  read(transposition.getInput(), maps);
  ProductAnalysis analysis(op);
  if (!analysis.getProduct(analysis.getRuns()))
    read(turned, before);
}

/// Has factors extended where they are multiplied, not before; but those whose
/// elements are read several times.
void takeExtensions(linalg::GenericOp op, RewriterBase &rewriter) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Operation *extension = getExtension(operand->get());
    if (!extension ||
        !op.getMatchingIndexingMap(operand).isProjectedPermutation())
      continue;
    BlockArgument scalar = op.getMatchingBlockArgument(operand);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(op.getBody());
    rewriter.modifyOpInPlace(op, [&] {
      operand->set(operand->get().getDefiningOp()->getOperand(0));
      scalar.setType(extension->getOperand(0).getType());
      Operation *copy = rewriter.clone(*extension);
      scalar.replaceAllUsesWith(copy->getResult(0));
      copy->setOperand(0, scalar);
    });
    takeTransposition(op, operand, rewriter);
  }
}

/// Whether all elements are copied, alone, with dims in another order.
bool isTurningCopy(linalg::GenericOp op) {
  return op && op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getBody()->getTerminator()->getOperand(0) ==
             op.getBody()->getArgument(0) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}

/// What reads a value, alone, and as an operation that stands beside.
template <typename Op> Op getOnlyUser(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  auto user = dyn_cast<Op>(*value.user_begin());
  return user && user->getBlock() == value.getParentBlock() ? user : nullptr;
}

/// What copies a product's result, alone, to other places.
linalg::GenericOp getTurningCopy(linalg::GenericOp op) {
  if (!getFilling(op.getOutputs().front()))
    return nullptr;
  auto copy = getOnlyUser<linalg::GenericOp>(op.getResult(0));
  return isTurningCopy(copy) ? copy : nullptr;
}

/// The product whose result has its dims as what copies it has them.
linalg::GenericOp createTurned(linalg::GenericOp op, linalg::GenericOp copy,
                               RewriterBase &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(copy);
  Value element = createFilling(rewriter, loc, op.getOutputs().front());
  Value start =
      linalg::FillOp::create(rewriter, loc, element, copy.getOutputs().front())
          .getResult(0);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap read = copy.getIndexingMapsArray().front();
  AffineMap written = copy.getIndexingMapsArray().back();
  // The product's loop of each of the copy's, by the dim that both go along.
  SmallVector<AffineExpr> dims;
  for (AffineExpr loop : written.getResults())
    dims.push_back(maps.back().getResult(*read.getResultPosition(loop)));
  maps.back() = AffineMap::get(op.getNumLoops(), 0, dims, op.getContext());
  auto turned =
      linalg::GenericOp::create(rewriter, loc, start.getType(), op.getInputs(),
                                start, maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&turned.getRegion(), mapping);
  return turned;
}

} // namespace

/// Whether a product is in no dispatch with anything else.
static bool isAlone(linalg::GenericOp op) {
  auto dispatch = op->getParentOfType<iree::DispatchRegionOp>();
  return !dispatch ||
         (op->getParentOp() == dispatch &&
          llvm::all_of(dispatch.getBody().front(), [&](Operation &other) {
            return &other == op || isa<linalg::FillOp>(other) ||
                   other.getNumRegions() == 0;
          }));
}

/// Whether a product is one to tile.
static bool isWorthTiles(linalg::GenericOp op) {
  if (!addsProducts(op) || !hasVectors(op) || !isAlone(op))
    return false;
  ProductAnalysis analysis(op);
  return analysis.getProduct(analysis.getRuns()).has_value();
}

/// Takes loops of one turn out of the sums that a factor's dims are.
static void dropOneTurns(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    for (AffineMap &map : MutableArrayRef(maps).take_front(2))
      if (size == 1 && !map.getResultPosition(dim))
        map = map.replace(dim, getAffineConstantExpr(0, op.getContext()),
                          map.getNumDims(), 0);
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Takes a product out of the dispatch that it is alone in.
static void unwrap(linalg::GenericOp op, RewriterBase &rewriter) {
  auto dispatch = dyn_cast<iree::DispatchRegionOp>(op->getParentOp());
  if (!dispatch)
    return;
  Block &body = dispatch.getBody().front();
  auto end = cast<iree::ReturnOp>(body.getTerminator());
  SmallVector<Value> results(end.getOperands());
  rewriter.eraseOp(end);
  rewriter.inlineBlockBefore(&body, dispatch);
  rewriter.replaceOp(dispatch, results);
}

/// Replaces a product, if it is worth it, and says whether it was.
static bool tile(linalg::GenericOp op, Processor processor, unsigned captured,
                 RewriterBase &rewriter) {
  if (!isWorthTiles(op))
    return false;
  while (linalg::GenericOp merged = mergeWindows(op, rewriter)) {
    rewriter.replaceOp(op, merged);
    op = merged;
  }
  unwrap(op, rewriter);
  takeExtensions(op, rewriter);
  ProductAnalysis analysis(op);
  SmallVector<ReassociationIndices> runs = analysis.getRuns();
  std::optional<Product> product = analysis.getProduct(runs);
  if (!product)
    return false;
  // Anew, as operations have gone that it would know.
  CapturedValues values(op->getParentOfType<ModuleOp>(), captured);
  bool isCaptured = values.contains(op.getInputs()[1 - product->rowFactor]);
  analysis.fit(*product, runs, processor, isCaptured);
  ProductEpilogue epilogue = product->isInStrips
                                 ? ProductEpilogue()
                                 : analysis.getEpilogue(*product, runs);
  if (!epilogue.isEmpty()) {
    epilogue.gather(rewriter);
    rewriter.moveOpBefore(op, epilogue.getMaps().front());
  }
  product->op = mergeRuns(op, runs, rewriter);
  if (!product->op)
    return false;
  product->isMadeOfLess = isMadeOfLess(*product);
  // Made once it would take the memory of what is wider.
  if (product->isMadeOfLess)
    product->isCaptured = false;
  rewriter.setInsertionPoint(product->op);
  Value made = product->isInStrips ? emitStrips(rewriter, *product)
                                   : emitTiles(rewriter, *product, epilogue);
  if (!epilogue.isEmpty())
    epilogue.replace(rewriter, made);
  rewriter.replaceOp(product->op, made);
  return true;
}

/// Replaces a product with what copies its result, if tiles can write that at
/// once.
static bool tileTurned(linalg::GenericOp op, Processor processor,
                       unsigned captured, RewriterBase &rewriter) {
  linalg::GenericOp copy = getTurningCopy(op);
  if (!copy)
    return false;
  linalg::GenericOp turned = createTurned(op, copy, rewriter);
  rewriter.replaceAllUsesWith(copy.getResult(0), turned.getResult(0));
  if (tile(turned, processor, captured, rewriter)) {
    rewriter.eraseOp(copy);
    rewriter.eraseOp(op);
    return true;
  }
  rewriter.replaceAllUsesWith(turned.getResult(0), copy.getResult(0));
  rewriter.eraseOp(turned);
  return false;
}

/// Gives products the dims that their results are split into before these are
/// copied in another order.
static LogicalResult splitDims(Operation *module) {
  auto isTurnedNext = [](OpOperand *operand) {
    auto split = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
    auto product = operand->get().getDefiningOp<linalg::GenericOp>();
    return split && product &&
           isTurningCopy(getOnlyUser<linalg::GenericOp>(split.getResult())) &&
           isWorthTiles(product);
  };
  RewritePatternSet patterns(module->getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isTurnedNext);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     module->getContext());
  GreedyRewriteConfig config;
  config.enableFolding(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(module, std::move(patterns), config);
}

/// Whether all that read a tensor are maps of its elements.
static bool isReadByMaps(Value tensor) {
  return llvm::all_of(tensor.getUses(), [](OpOperand &use) {
    linalg::GenericOp map = getPointwise(use.getOwner());
    return map && map.isDpsInput(&use) &&
           map.getMatchingIndexingMap(&use).isIdentity();
  });
}

/// What `op` reads that was split to be joined again was joined before.
static void dropSplits(linalg::GenericOp op, RewriterBase &rewriter) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto join = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
    auto split =
        join ? join.getSrc().getDefiningOp<tensor::ExpandShapeOp>() : nullptr;
    if (!split || split.getSrcType() != join.getResultType() ||
        split.getReassociationIndices() != join.getReassociationIndices())
      continue;
    rewriter.replaceAllUsesWith(join.getResult(), split.getSrc());
    rewriter.eraseOp(join);
    SmallVector<OpFoldResult> sizes = split.getMixedOutputShape();
    for (Operation *user : llvm::make_early_inc_range(split->getUsers())) {
      auto size = dyn_cast<tensor::DimOp>(user);
      std::optional<int64_t> dim =
          size ? size.getConstantIndex() : std::nullopt;
      if (!dim)
        continue;
      rewriter.setInsertionPoint(size);
      rewriter.replaceOp(size, getValueOrCreateConstantIndexOp(
                                   rewriter, size.getLoc(), sizes[*dim]));
    }
    if (split->use_empty())
      rewriter.eraseOp(split);
  }
}

/// Has a map go through the dims that one of its operands had before they were
/// split, if that is one of `tensors`.
static linalg::GenericOp joinDims(linalg::GenericOp map,
                                  const llvm::DenseSet<Value> &tensors,
                                  RewriterBase &rewriter) {
  for (Value input : map.getInputs()) {
    auto split = input.getDefiningOp<tensor::ExpandShapeOp>();
    if (!split || !tensors.contains(split.getSrc()) || !isReadByMaps(input))
      continue;
    auto groups = split.getReassociationIndices();
    if (!linalg::areDimSequencesPreserved(map.getIndexingMapsArray(), groups))
      continue;
    linalg::GenericOp joined = mergeRuns(map, groups, rewriter);
    if (!joined)
      return map;
    dropSplits(joined, rewriter);
    return joined;
  }
  return map;
}

/// Has maps go through products' dims that would do so when these are split:
/// they can be what is made of the sums.
static void joinDims(Operation *module) {
  SmallVector<linalg::GenericOp> ops;
  module->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  llvm::DenseSet<Value> tensors;
  IRRewriter rewriter(module->getContext());
  for (linalg::GenericOp op : ops) {
    if (isWorthTiles(op)) {
      tensors.insert(op.getResult(0));
      continue;
    }
    if (!getPointwise(op))
      continue;
    op = joinDims(op, tensors, rewriter);
    if (llvm::any_of(op.getInputs(),
                     [&](Value input) { return tensors.contains(input); }))
      tensors.insert(op.getResult(0));
  }
}

namespace {
struct TileProducts : wax::impl::TileProductsBase<TileProducts> {
  using TileProductsBase::TileProductsBase;

  void runOnOperation() override {
    if (failed(splitDims(getOperation())))
      return signalPassFailure();
    joinDims(getOperation());
    SmallVector<linalg::GenericOp> sums;
    getOperation().walk([&](linalg::GenericOp op) {
      if (addsProducts(op) && hasVectors(op))
        sums.push_back(op);
    });
    llvm::for_each(sums, dropOneTurns);
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp sum : sums)
      if (!tileTurned(sum, processor, captured, rewriter))
        tile(sum, processor, captured, rewriter);
  }
};
} // namespace
