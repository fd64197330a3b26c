//===- HoistProducts.cpp - Products of what a loop goes through -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlan.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_HOISTPRODUCTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Rows from which on a product is as fast by itself.
static constexpr int64_t manyRows = 64;
/// What the products of all turns may take in memory.
static constexpr int64_t mostBytes = 32 << 20;

namespace {

/// A factor that is a box of one place along a dim of a tensor.
struct Turn {
  Value tensor;
  int64_t dim;
  OpFoldResult place;
};

/// A product in a loop, one of whose factors is a turn of what the loop goes
/// through, and all else the same in each turn.
struct HoistedProduct {
  linalg::GenericOp op;
  unsigned factor;
  Turn turn;
};

} // namespace

/// Whether a box has one place along `dim` and all of the other dims, which are
/// `shape`.
static bool isPlace(tensor::ExtractSliceOp box, int64_t dim,
                    ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> sizes = box.getSourceType().getShape();
  SmallVector<int64_t> rest(sizes);
  rest.erase(rest.begin() + dim);
  return box.getStaticSizes()[dim] == 1 && llvm::equal(rest, shape) &&
         llvm::all_of(llvm::seq<int64_t>(sizes.size()), [&](int64_t other) {
           return other == dim ||
                  (box.getStaticSizes()[other] == sizes[other] &&
                   isConstantIntValue(box.getMixedOffsets()[other], 0));
         });
}

/// The turn that a factor is. `loop` has so many turns.
static std::optional<Turn> getTurn(Value factor, scf::ForOp loop,
                                   int64_t turns) {
  auto type = cast<RankedTensorType>(factor.getType());
  if (auto collapsed = factor.getDefiningOp<tensor::CollapseShapeOp>())
    factor = collapsed.getSrc();
  auto box = factor.getDefiningOp<tensor::ExtractSliceOp>();
  if (!box || !box.hasUnitStride() || !box.getSourceType().hasStaticShape() ||
      !loop.isDefinedOutsideOfLoop(box.getSource()) ||
      loop.isDefinedOutsideOfLoop(box.getResult()))
    return std::nullopt;
  for (int64_t dim : llvm::seq(box.getSourceType().getRank()))
    if (isPlace(box, dim, type.getShape()) &&
        box.getSourceType().getDimSize(dim) <= turns)
      return Turn{box.getSource(), dim, box.getMixedOffsets()[dim]};
  return std::nullopt;
}

/// How many rows one turn's product has.
static int64_t countRows(linalg::GenericOp op, unsigned factor) {
  AffineMap map = op.getIndexingMapsArray()[factor];
  int64_t rows = 1;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        map.isFunctionOfDim(loop))
      rows *= size;
  return rows;
}

/// Whether all that a value is made of is the same in each turn.
static bool isKnownBefore(OpFoldResult value, scf::ForOp loop) {
  auto made = dyn_cast<Value>(value);
  return !made || loop.isDefinedOutsideOfLoop(made);
}

/// Whether elements of two tensors are folded, from one start, by nothing that
/// differs between turns.
static bool isProduct(linalg::GenericOp op, scf::ForOp loop) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || op.hasIndexSemantics())
    return false;
  OpFoldResult start = getFilling(op.getOutputs().front());
  if (!start || !isKnownBefore(start, loop))
    return false;
  bool isSame = true;
  visitUsedValuesDefinedAbove(op.getRegion(), [&](OpOperand *operand) {
    isSame &= loop.isDefinedOutsideOfLoop(operand->get());
  });
  return isSame;
}

static std::optional<HoistedProduct> match(linalg::GenericOp op,
                                           scf::ForOp loop, int64_t turns) {
  if (!isProduct(op, loop))
    return std::nullopt;
  for (unsigned factor : {0u, 1u}) {
    std::optional<Turn> turn = getTurn(op.getInputs()[factor], loop, turns);
    if (!turn || !loop.isDefinedOutsideOfLoop(op.getInputs()[1 - factor]) ||
        countRows(op, factor) >= manyRows)
      continue;
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    int64_t places =
        cast<RankedTensorType>(turn->tensor.getType()).getDimSize(turn->dim);
    int64_t bits =
        places * type.getNumElements() * type.getElementTypeBitWidth();
    if (bits <= mostBytes * 8)
      return HoistedProduct{op, factor, *turn};
  }
  return std::nullopt;
}

/// The products of all turns, with these as the first dim.
static Value createAll(const HoistedProduct &product, scf::ForOp loop,
                       RewriterBase &rewriter) {
  linalg::GenericOp op = product.op;
  rewriter.setInsertionPoint(loop);
  Location loc = op.getLoc();
  int64_t places = cast<RankedTensorType>(product.turn.tensor.getType())
                       .getDimSize(product.turn.dim);
  SmallVector<AffineMap> maps;
  for (auto [number, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    SmallVector<AffineExpr> dims;
    for (AffineExpr dim : map.getResults())
      dims.push_back(dim.shiftDims(map.getNumDims(), 1));
    AffineExpr turn = rewriter.getAffineDimExpr(0);
    if (number == product.factor)
      dims.insert(dims.begin() + product.turn.dim, turn);
    else if (number == 2)
      dims.insert(dims.begin(), turn);
    maps.push_back(
        AffineMap::get(map.getNumDims() + 1, 0, dims, rewriter.getContext()));
  }
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  loops.insert(loops.begin(), utils::IteratorType::parallel);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), places);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  Value start =
      linalg::FillOp::create(
          rewriter, loc, createFilling(rewriter, loc, op.getOutputs().front()),
          empty)
          .getResult(0);
  SmallVector<Value> inputs(op.getInputs());
  inputs[product.factor] = product.turn.tensor;
  auto all = linalg::GenericOp::create(rewriter, loc, start.getType(), inputs,
                                       start, maps, loops);
  IRMapping mapping;
  op.getRegion().cloneInto(&all.getRegion(), mapping);
  return all.getResult(0);
}

/// Computes a product for all turns before the loop, and takes a turn's there.
static void hoist(const HoistedProduct &product, scf::ForOp loop,
                  RewriterBase &rewriter) {
  Value all = createAll(product, loop, rewriter);
  linalg::GenericOp op = product.op;
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<OpFoldResult> offsets(type.getRank() + 1,
                                    rewriter.getIndexAttr(0)),
      strides(type.getRank() + 1, rewriter.getIndexAttr(1)),
      sizes{rewriter.getIndexAttr(1)};
  for (int64_t size : type.getShape())
    sizes.push_back(rewriter.getIndexAttr(size));
  offsets.front() = product.turn.place;
  rewriter.replaceOp(op, tensor::ExtractSliceOp::create(rewriter, op.getLoc(),
                                                        type, all, offsets,
                                                        sizes, strides));
}

namespace {
struct HoistProducts : wax::impl::HoistProductsBase<HoistProducts> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](scf::ForOp loop) {
      std::optional<APInt> turns = loop.getStaticTripCount();
      if (!turns)
        return;
      SmallVector<HoistedProduct> found;
      for (auto op : loop.getBody()->getOps<linalg::GenericOp>())
        if (std::optional<HoistedProduct> product =
                match(op, loop, turns->getSExtValue()))
          found.push_back(*product);
      for (const HoistedProduct &product : found)
        hoist(product, loop, rewriter);
    });
  }
};
} // namespace
