//===- LastLoops.cpp - Loops over few elements ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastLoops.h"
#include "CPUContext.h"

#include "../lowering/CopyRows.h"
#include "../lowering/Dispatch.h"
#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Passes/IREE.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::wax;

/// Operations, in all turns, of maps and of other loops up to which these take
/// no more than a microsecond or two, one by one.
static constexpr int64_t mostOfMaps = 16384, mostOfFolds = 2048;

/// Whether loops take next to no time element by element.
static bool isShort(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (!isOfFew(getAsIndexOpFoldResult(op.getContext(), ranges)))
    return false;
  int64_t operations = 0;
  op.getBody()->walk([&](Operation *) { ++operations; });
  for (int64_t range : ranges)
    operations *= range;
  return operations <=
         (op.getNumReductionLoops() == 0 ? mostOfMaps : mostOfFolds);
}

/// A number everywhere, as a map of nothing.
static linalg::GenericOp createMap(linalg::FillOp fill,
                                   RewriterBase &rewriter) {
  Value result = fill.getResult(0), number = fill.getInputs()[0];
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      rewriter, fill.getLoc(), result.getType(), ValueRange(),
      fill.getOutputs(), rewriter.getMultiDimIdentityMap(rank), loops,
      [&](OpBuilder &body, Location loc, ValueRange) {
        linalg::YieldOp::create(body, loc, number);
      });
}

/// Whether a number everywhere is no more than what loops begin with.
static bool isStart(linalg::FillOp fill) {
  return llvm::all_of(fill->getUses(), [](OpOperand &use) {
    auto loops = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return loops && loops.isDpsInit(&use);
  });
}

SmallVector<linalg::GenericOp> mlir::wax::findLast(ModuleOp module,
                                                   RewriterBase &rewriter) {
  SmallVector<linalg::LinalgOp> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<iree::DispatchRegionOp, scf::ForallOp>(op))
      return WalkResult::skip();
    auto loops = dyn_cast<linalg::LinalgOp>(op);
    if (!loops)
      return WalkResult::advance();
    found.push_back(loops);
    return WalkResult::skip();
  });
  SmallVector<linalg::GenericOp> last;
  for (linalg::LinalgOp loops : found) {
    rewriter.setInsertionPoint(loops);
    if (auto fill = dyn_cast<linalg::FillOp>(*loops)) {
      if (isStart(fill))
        continue;
      last.push_back(createMap(fill, rewriter));
      rewriter.replaceAllUsesWith(fill.getResult(0), last.back().getResult(0));
    } else if (auto generic = dyn_cast<linalg::GenericOp>(*loops)) {
      last.push_back(generic);
    } else if (auto made = linalg::generalizeNamedOp(rewriter, loops);
               succeeded(made)) {
      last.push_back(*made);
    }
  }
  return last;
}

/// Spells out the indices of loops that were taken into others.
static void expandApplied(linalg::GenericOp op, RewriterBase &rewriter) {
  for (auto apply : llvm::make_early_inc_range(
           op.getBody()->getOps<affine::AffineApplyOp>())) {
    rewriter.setInsertionPoint(apply);
    std::optional<SmallVector<Value, 8>> index = affine::expandAffineMap(
        rewriter, apply.getLoc(), apply.getAffineMap(), apply.getOperands());
    if (index)
      rewriter.replaceOp(apply, *index);
  }
}

linalg::GenericOp mlir::wax::fuseMaps(linalg::GenericOp op,
                                      RewriterBase &rewriter) {
  auto fuseOne = [&]() -> bool {
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto made = input->get().getDefiningOp<linalg::GenericOp>();
      if (!made || !input->get().hasOneUse() || made->getNumResults() != 1 ||
          made.getNumParallelLoops() != made.getNumLoops() ||
          made->getBlock() != op->getBlock() || isMadeOnce(input->get()) ||
          // Of what is read several times it would be made as often.
          op.getMatchingIndexingMap(input).getNumResults() !=
              op.getNumLoops() ||
          !linalg::areElementwiseOpsFusable(input))
        continue;
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, input);
      if (failed(fused))
        continue;
      SmallVector<Value> results =
          llvm::map_to_vector(op->getResults(), [&](Value result) {
            return fused->replacements.lookup(result);
          });
      rewriter.replaceOp(op, results);
      op = cast<linalg::GenericOp>(fused->fusedOp);
      return true;
    }
    return false;
  };
  while (fuseOne())
    ;
  expandApplied(op, rewriter);
  return op;
}

/// What a result begins with.
static Value getStart(OpBuilder &builder, Location loc, Value init,
                      ValueRange position) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return fill.getInputs()[0];
  Type element = getElementTypeOrSelf(init);
  if (init.getDefiningOp<tensor::EmptyOp>())
    return createScalar(builder, loc, element,
                        getConstantElement(createZero(builder, loc, element)));
  return readElements(builder, loc, init, position, element).front();
}

std::optional<SmallVector<Value>>
mlir::wax::emitElements(linalg::GenericOp op, RewriterBase &rewriter) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto isStored = [](Value tensor) {
    return isLaneType(getElementTypeOrSelf(tensor));
  };
  if (!isShort(op) || llvm::is_contained(ranges, 0) ||
      !llvm::all_of(op->getOperands(), isStored) ||
      op.getInputs().size() + op->getNumResults() > iree::mostTensors)
    return std::nullopt;

  Location loc = op.getLoc();
  CPUContext context;
  auto asStored = [&](Value tensor) {
    Type stored = getStoredType(getElementTypeOrSelf(tensor));
    return iree::createBitcast(rewriter, loc, tensor, stored);
  };
  SmallVector<Value> read =
      llvm::map_to_vector(op.getInputs(), [&](Value input) {
        return isa<RankedTensorType>(input.getType()) ? asStored(input) : input;
      });
  SmallVector<RowsOutput> outputs;
  for (Value result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    Type stored = getStoredType(type.getElementType());
    outputs.push_back(
        {cast<RankedTensorType>(type.clone(stored)),
         getAsIndexOpFoldResult(op.getContext(), type.getShape())});
  }
  SmallVector<unsigned> kept, folded;
  op.getParallelDims(kept);
  op.getReductionDims(folded);
  auto emitBody = [&](OpBuilder &body, ArrayRef<Value> indices,
                      ValueRange carried) {
    auto getPlace = [&](AffineMap map) {
      return llvm::to_vector(*affine::expandAffineMap(body, loc, map, indices));
    };
    IRMapping inside;
    Block *block = op.getBody();
    for (auto [operand, tensor] :
         llvm::zip_equal(op.getDpsInputOperands(), read)) {
      BlockArgument scalar = op.getMatchingBlockArgument(operand);
      inside.map(scalar, isa<RankedTensorType>(tensor.getType())
                             ? readElements(
                                   body, loc, tensor,
                                   getPlace(op.getMatchingIndexingMap(operand)),
                                   scalar.getType())
                                   .front()
                             : tensor);
    }
    inside.map(op.getRegionOutputArgs(), carried);
    for (Operation &inner : block->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        inside.map(index.getResult(), indices[index.getDim()]);
      else
        body.clone(inner, inside);
    }
    return llvm::map_to_vector(
        block->getTerminator()->getOperands(),
        [&](Value value) { return inside.lookupOrDefault(value); });
  };
  auto getSizes = [&](ArrayRef<unsigned> loops) {
    return llvm::map_to_vector(loops, [&](unsigned loop) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, ranges[loop]);
    });
  };
  SmallVector<Value> outer = getSizes(kept), inner = getSizes(folded);
  SmallVector<Value> made = emitRows(
      rewriter, loc, context, outputs, /*rowDim=*/std::nullopt,
      [&](OpBuilder &builder, Location loc, Value, Value,
          ValueRange empties) -> SmallVector<Value> {
        return emitNest(
            builder, loc, outer, empties,
            [&](OpBuilder &rows, Location loc, ValueRange place,
                ValueRange written) -> SmallVector<Value> {
              Value zero = arith::ConstantIndexOp::create(rows, loc, 0);
              SmallVector<Value> indices(ranges.size(), zero);
              for (auto [loop, index] : llvm::zip_equal(kept, place))
                indices[loop] = index;
              SmallVector<SmallVector<Value>> places;
              SmallVector<Value> starts;
              for (OpOperand &init : op.getDpsInitsMutable()) {
                places.push_back(llvm::to_vector(*affine::expandAffineMap(
                    rows, loc, op.getMatchingIndexingMap(&init), indices)));
                starts.push_back(
                    getStart(rows, loc, init.get(), places.back()));
              }
              SmallVector<Value> folds = emitNest(
                  rows, loc, inner, starts,
                  [&](OpBuilder &body, Location, ValueRange at,
                      ValueRange carried) {
                    for (auto [loop, index] : llvm::zip_equal(folded, at))
                      indices[loop] = index;
                    return emitBody(body, indices, carried);
                  });
              SmallVector<Value> next;
              for (auto [value, tensor, position] :
                   llvm::zip_equal(folds, written, places))
                next.push_back(
                    writeElements(rows, loc, value, tensor, position).front());
              return next;
            });
      });
  SmallVector<Value> results;
  for (auto [value, result] : llvm::zip_equal(made, op->getResults()))
    results.push_back(iree::createBitcast(rewriter, loc, value,
                                          getElementTypeOrSelf(result)));
  return results;
}

/// A copy of a slice, whose rows are copied by vectors.
static Value copyByRows(OpBuilder &builder, Location loc, RankedTensorType type,
                        Value source, ArrayRef<OpFoldResult> sizes,
                        RowPlace place) {
  CPUContext context;
  ArrayRef<OpFoldResult> outer = sizes.drop_back(1);
  OpFoldResult count = multiply(builder, loc, outer), width = sizes.back();
  int64_t lanes =
      std::min<int64_t>(getLanes(type.getElementType()),
                        llvm::bit_floor<uint64_t>(type.getShape().back()));
  RowsOutput output{getTensorType({count, width}, type.getElementType()),
                    {count, width}};
  Value made =
      emitEachRow(
          builder, loc, context, output,
          [&](OpBuilder &rows, Location loc, Value row, Value at,
              ValueRange carried) {
            SmallVector<Value> indices = getRowIndices(rows, loc, row, outer);
            return emitPieces(
                rows, loc, width, lanes, carried,
                [&](OpBuilder &body, Location loc, Value first, Value mask,
                    ValueRange written) {
                  SmallVector<Value> all(indices);
                  all.push_back(first);
                  Value piece = readLanes(body, loc, source,
                                          place(body, loc, all), lanes, mask);
                  return SmallVector<Value>{writeLanes(
                      body, loc, piece, written.front(), {at, first}, mask)};
                },
                /*mayRepeat=*/true);
          })
          .front();
  return splitDims(builder, loc, context.getTarget(), made, type,
                   {outer, sizes.take_back(1)});
}

/// A copy of a slice, element by element.
static Value copyOneByOne(OpBuilder &builder, Location loc,
                          RankedTensorType type, Value source,
                          ArrayRef<OpFoldResult> sizes, RowPlace place) {
  CPUContext context;
  SmallVector<Value> ends = getValueOrCreateConstantIndexOp(
      builder, loc, SmallVector<OpFoldResult>(sizes));
  return emitRows(
             builder, loc, context, RowsOutput{type, llvm::to_vector(sizes)},
             /*rowDim=*/std::nullopt,
             [&](OpBuilder &inside, Location loc, Value, Value,
                 ValueRange empties) {
               return emitNest(
                   inside, loc, ends, empties,
                   [&](OpBuilder &body, Location loc, ValueRange indices,
                       ValueRange carried) {
                     Value element = tensor::ExtractOp::create(
                         body, loc, source, place(body, loc, indices));
                     return writeElements(body, loc, element, carried, indices);
                   });
             })
      .front();
}

Value mlir::wax::copySlice(tensor::ExtractSliceOp slice,
                           RewriterBase &rewriter) {
  Location loc = slice.getLoc();
  RankedTensorType from = slice.getSourceType();
  if (!slice.getType().hasStaticShape() || !from.hasStaticShape() ||
      iree::hasNoElements(slice.getType()) || from.getRank() == 0 ||
      llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
      !isLaneType(from.getElementType()))
    return nullptr;
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  Type stored = getStoredType(from.getElementType());
  auto type = RankedTensorType::get(slice.getStaticSizes(), stored);
  bool isOfRows = slice.getStaticStrides().back() == 1 &&
                  canCopyRows(stored, ArrayRef(sizes).take_back(1));
  if (!isOfRows && !isOfFew(sizes))
    return nullptr;
  Value source = iree::createBitcast(rewriter, loc, slice.getSource(), stored);
  auto place = [&](OpBuilder &builder, Location loc, ValueRange indices) {
    SmallVector<Value> places;
    for (auto [index, offset, stride] : llvm::zip_equal(
             indices, slice.getMixedOffsets(), slice.getMixedStrides())) {
      Value step = getValueOrCreateConstantIndexOp(builder, loc, stride);
      Value begin = getValueOrCreateConstantIndexOp(builder, loc, offset);
      Value moved = builder.createOrFold<arith::MulIOp>(loc, index, step);
      places.push_back(builder.createOrFold<arith::AddIOp>(loc, moved, begin));
    }
    return places;
  };
  Value made = isOfRows
                   ? copyByRows(rewriter, loc, type, source, sizes, place)
                   : copyOneByOne(rewriter, loc, type, source, sizes, place);
  made = iree::createBitcast(rewriter, loc, made, from.getElementType());
  if (made.getType() == slice.getType())
    return made;
  SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, slice.getType(), made,
                                        zeros, sizes, ones);
}
