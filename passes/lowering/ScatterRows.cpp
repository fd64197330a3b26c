//===- ScatterRows.cpp - scatter by IREE's own operation ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `iree_linalg_ext.scatter` folds rows of an operand: an index selects one by
// the operand's first dims, the others are a row's own. It goes through the
// updates in order, and through the elements of a row in parallel.
//
//===----------------------------------------------------------------------===//

#include "ScatterRows.h"

#include "Box.h"
#include "Dispatch.h"
#include "Vectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

bool mlir::wax::isScatterOfRows(ScatterOp scatter) {
  return scatter.getUpdates().size() == 1 && scatter.getInits().size() == 1 &&
         !scatter.getIndices().empty() &&
         getElementTypeOrSelf(scatter.getUpdates()[0].getType()) ==
             getElementTypeOrSelf(scatter.getInits()[0].getType());
}

namespace {

/// The loops of a scatter, dealt to what selects rows and what runs along them.
struct RowLoops {
  /// The operand's first dims that make a row's number.
  int64_t rowDims = 0;
  /// Loops over updates, in order, and over the dims of a row.
  SmallVector<int64_t> batch, window;

  explicit RowLoops(ScatterOp scatter) {
    llvm::SmallDenseSet<int64_t> indexLoops;
    for (unsigned i : llvm::seq<unsigned>(0, scatter.getIndices().size()))
      indexLoops.insert_range(scatter.getDimsOfIndex(i));
    ArrayRef<int64_t> dims = scatter.getOperandDims();
    rowDims = dims.size();
    while (rowDims > 0 && dims[rowDims - 1] != -1 &&
           !indexLoops.contains(dims[rowDims - 1]))
      --rowDims;
    window.assign(dims.begin() + rowDims, dims.end());
    int64_t loops =
        cast<RankedTensorType>(scatter.getUpdates()[0].getType()).getRank();
    for (int64_t loop : llvm::seq(loops))
      if (!llvm::is_contained(window, loop))
        batch.push_back(loop);
  }

  SmallVector<int64_t> getOrder() const {
    return llvm::to_vector(llvm::concat<const int64_t>(batch, window));
  }
};

template <typename T>
SmallVector<T> select(ArrayRef<T> values, ArrayRef<int64_t> places) {
  return llvm::map_to_vector(places, [&](int64_t i) { return values[i]; });
}

/// For each update the number of its row, and `withMask` whether there is such
/// a row. Without, a number less than 0 says that there is none; with a mask it
/// is one of a row all the same, so that whatever IREE reads ahead of the mask
/// is memory of the operand's.
SmallVector<Value> numberRows(RewriterBase &rewriter, ScatterOp scatter,
                              const RowLoops &loops,
                              ArrayRef<OpFoldResult> batchSizes,
                              ArrayRef<OpFoldResult> operandSizes,
                              bool withMask) {
  Location loc = scatter.getLoc();
  int64_t rank = batchSizes.size();
  SmallVector<AffineMap> maps;
  for (unsigned i : llvm::seq<unsigned>(0, scatter.getIndices().size()))
    maps.push_back(getSelectionMap(
        rewriter.getContext(), rank,
        llvm::map_to_vector(
            scatter.getDimsOfIndex(i), [&](int64_t loop) -> int64_t {
              return llvm::find(loops.batch, loop) - loops.batch.begin();
            })));
  auto makeEmpty = [&](Type element) -> Value {
    return tensor::EmptyOp::create(rewriter, loc, batchSizes, element);
  };
  SmallVector<Value> outputs = {makeEmpty(rewriter.getI64Type())};
  if (withMask)
    outputs.push_back(makeEmpty(rewriter.getI1Type()));
  maps.append(outputs.size(), rewriter.getMultiDimIdentityMap(rank));
  SmallVector<Value> sizes =
      getValueOrCreateConstantIndexOp(rewriter, loc, operandSizes);
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, TypeRange(ValueRange(outputs)), scatter.getIndices(),
      outputs, maps, parallel,
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        Value row, isInside;
        unsigned next = 0;
        for (int64_t dim : llvm::seq(loops.rowDims)) {
          int64_t loop = scatter.getOperandDims()[dim];
          Value place;
          if (loop != -1) {
            place = linalg::IndexOp::create(
                body, loc, llvm::find(loops.batch, loop) - loops.batch.begin());
          } else {
            place = arith::IndexCastOp::create(body, loc, body.getIndexType(),
                                               scalars[next++]);
            // Negative indices are beyond any size, as unsigned.
            Value fits = arith::CmpIOp::create(
                body, loc, arith::CmpIPredicate::ult, place, sizes[dim]);
            isInside = isInside
                           ? arith::AndIOp::create(body, loc, isInside, fits)
                                 .getResult()
                           : fits;
          }
          if (row) {
            row = arith::MulIOp::create(body, loc, row, sizes[dim]);
            row = arith::AddIOp::create(body, loc, row, place);
          } else {
            row = place;
          }
        }
        Value none =
            arith::ConstantIndexOp::create(body, loc, withMask ? 0 : -1);
        row = arith::SelectOp::create(body, loc, isInside, row, none);
        Value number =
            arith::IndexCastOp::create(body, loc, body.getI64Type(), row);
        SmallVector<Value> yielded = {number, isInside};
        linalg::YieldOp::create(body, loc,
                                ArrayRef(yielded).take_front(outputs.size()));
      });
  return SmallVector<Value>(generic.getResults());
}

/// A tensor and its sizes, with a type that knows what is known of them.
struct Shaped {
  Value value;
  SmallVector<OpFoldResult> sizes;

  Shaped(OpBuilder &builder, Location loc, Value tensor,
         ArrayRef<OpFoldResult> sizes)
      : sizes(sizes) {
    value = castTo(builder, loc,
                   getTensorType(sizes, getElementTypeOrSelf(tensor.getType())),
                   tensor);
  }
};

/// The same elements in one dim of rows, and one of columns unless all rows
/// have one. IREE 3.13 fails on rows of several dims where some are 1.
struct Matrix {
  SmallVector<OpFoldResult> sizes;
  /// The dims of each of the matrix' dims.
  SmallVector<ReassociationIndices> groups;
  Value value;

  /// The first `rowDims` dims of `tensor` number its rows.
  Matrix(OpBuilder &builder, Location loc, const Shaped &tensor,
         int64_t rowDims) {
    ArrayRef<OpFoldResult> all(tensor.sizes);
    int64_t rank = all.size();
    OpFoldResult columns = multiply(builder, loc, all.drop_front(rowDims));
    if (isOneInteger(columns))
      rowDims = rank;
    sizes.push_back(multiply(builder, loc, all.take_front(rowDims)));
    if (rowDims > 0)
      groups.emplace_back(llvm::to_vector(llvm::seq(rowDims)));
    if (rowDims < rank) {
      sizes.push_back(columns);
      groups.emplace_back(llvm::to_vector(llvm::seq(rowDims, rank)));
    }
    Type element = getElementTypeOrSelf(tensor.value.getType());
    value = tensor.value;
    if (static_cast<int64_t>(groups.size()) != rank)
      value = tensor::CollapseShapeOp::create(
          builder, loc,
          getTensorType(ArrayRef<OpFoldResult>(sizes).take_back(groups.size()),
                        element),
          value, groups);
    if (groups.size() == sizes.size())
      return;
    // No dim numbers the row: there is one.
    SmallVector<ReassociationIndices> split;
    if (!groups.empty())
      split.push_back({0, 1});
    value = tensor::ExpandShapeOp::create(
        builder, loc, getTensorType(sizes, element), value, split, sizes);
  }
};

/// Columns that a workgroup has, of rows long enough for several.
constexpr int64_t strip = 256;
/// Rows shorter than this are folded element by element.
constexpr int64_t shortestRow = 8;

/// A scatter into rows that are all alike, by vectors, in one dispatch that
/// makes them: IREE's own operation takes some times as long. It is left what
/// updates an operand in place.
class VectorScatter {
public:
  VectorScatter(OpBuilder &builder, ScatterOp scatter)
      : scatter(scatter), fold(builder, scatter.getFold()),
        start(getConstantElement(scatter.getInits().front())),
        element(getElementTypeOrSelf(scatter.getInits().front())) {}

  bool isPossible(const LoweringContext &context, OpFoldResult columns) {
    std::optional<int64_t> known = getConstantIntValue(columns);
    return start && !context.isForGPU() && fold.hasLanes() &&
           (element.isF32() || element.isF64() || element.isInteger(32) ||
            element.isInteger(64)) &&
           (!known || *known >= shortestRow);
  }

  /// The rows, of `sizes`, from updates with the number of a row each, which is
  /// less than 0 where there is none.
  Value emit(OpBuilder &builder, LoweringContext &context,
             ArrayRef<OpFoldResult> sizes, Value updates, Value numbers,
             OpFoldResult count);

private:
  Value emitStart(OpBuilder &builder, Location loc, OpFoldResult rows,
                  OpFoldResult columns, Value output);
  Value emitUpdate(OpBuilder &builder, Location loc, Value updates,
                   Value number, Value row, Value first, OpFoldResult columns,
                   Value output);

  ScatterOp scatter;
  ScalarCode fold;
  Attribute start;
  Type element;
  int64_t lanes = 0;
};

Value VectorScatter::emitStart(OpBuilder &builder, Location loc,
                               OpFoldResult rows, OpFoldResult columns,
                               Value output) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value splat = createSplat(
      builder, loc,
      arith::ConstantOp::create(builder, loc, cast<TypedAttr>(start)), lanes);
  return emitLoop(
             builder, loc, zero,
             getValueOrCreateConstantIndexOp(builder, loc, rows), one, output,
             [&](OpBuilder &body, Location loc, Value row, ValueRange carried) {
               return emitPieces(
                   body, loc, columns, lanes, carried,
                   [&](OpBuilder &inside, Location loc, Value place, Value mask,
                       ValueRange filled) {
                     return SmallVector<Value>{writeLanes(
                         inside, loc, splat, filled[0], {row, place}, mask)};
                   });
             })
      .front();
}

Value VectorScatter::emitUpdate(OpBuilder &builder, Location loc, Value updates,
                                Value number, Value row, Value first,
                                OpFoldResult columns, Value output) {
  return emitPieces(
             builder, loc, columns, lanes, output,
             [&](OpBuilder &body, Location loc, Value place, Value mask,
                 ValueRange carried) {
               Value from = body.createOrFold<arith::AddIOp>(loc, first, place);
               Value update =
                   readLanes(body, loc, updates, {number, from}, lanes, mask);
               Value before =
                   readLanes(body, loc, carried[0], {row, place}, lanes, mask);
               Value after =
                   fold.emitOnLanes(body, {update, before}, lanes).front();
               return SmallVector<Value>{writeLanes(
                   body, loc, after, carried[0], {row, place}, mask)};
             })
      .front();
}

Value VectorScatter::emit(OpBuilder &builder, LoweringContext &context,
                          ArrayRef<OpFoldResult> sizes, Value updates,
                          Value numbers, OpFoldResult count) {
  Location loc = scatter.getLoc();
  std::optional<int64_t> known = getConstantIntValue(sizes[1]);
  int64_t run = strip;
  if (known && *known % strip != 0 && *known < 2 * strip)
    run = *known;
  lanes = std::min<int64_t>(getLanes(element), llvm::PowerOf2Ceil(run));
  RowsOutput output{getTensorType(sizes, element), llvm::to_vector(sizes)};
  return emitRows(
             builder, loc, context, output, /*rowDim=*/1,
             [&](OpBuilder &body, Location loc, Value first, Value end,
                 ValueRange outputs) {
               OpFoldResult columns =
                   known && *known % run == 0
                       ? OpFoldResult(body.getIndexAttr(run))
                       : body.createOrFold<arith::SubIOp>(loc, end, first);
               Value started =
                   emitStart(body, loc, sizes[0], columns, outputs[0]);
               Value zero = arith::ConstantIndexOp::create(body, loc, 0);
               Value one = arith::ConstantIndexOp::create(body, loc, 1);
               auto update = [&](OpBuilder &inside, Location loc, Value number,
                                 ValueRange carried) -> SmallVector<Value> {
                 Value row = arith::IndexCastOp::create(
                     inside, loc, inside.getIndexType(),
                     tensor::ExtractOp::create(inside, loc, numbers, number));
                 Value isRow = arith::CmpIOp::create(
                     inside, loc, arith::CmpIPredicate::sge, row, zero);
                 auto choice = scf::IfOp::create(
                     inside, loc, isRow,
                     [&](OpBuilder &then, Location loc) {
                       scf::YieldOp::create(then, loc,
                                            emitUpdate(then, loc, updates,
                                                       number, row, first,
                                                       columns, carried[0]));
                     },
                     [&](OpBuilder &otherwise, Location loc) {
                       scf::YieldOp::create(otherwise, loc, carried);
                     });
                 return choice.getResults();
               };
               return emitLoop(
                   body, loc, zero,
                   getValueOrCreateConstantIndexOp(body, loc, count), one,
                   started, update);
             },
             builder.getIndexAttr(run))
      .front();
}

} // namespace

Value mlir::wax::scatterRows(RewriterBase &rewriter, LoweringContext &context,
                             ScatterOp scatter, Value operand,
                             ArrayRef<OpFoldResult> updateSizes,
                             ArrayRef<OpFoldResult> operandSizes) {
  Location loc = scatter.getLoc();
  Type type = operand.getType();
  Type element = getElementTypeOrSelf(type);
  RowLoops loops(scatter);

  // What either side knows of a size that both have.
  SmallVector<OpFoldResult> loopSizes(updateSizes), dimSizes(operandSizes);
  for (auto [dim, loop] : llvm::enumerate(scatter.getOperandDims())) {
    if (loop == -1)
      continue;
    OpFoldResult &known =
        isa<Attribute>(loopSizes[loop]) ? loopSizes[loop] : dimSizes[dim];
    loopSizes[loop] = dimSizes[dim] = known;
  }
  SmallVector<OpFoldResult> batchSizes =
      select<OpFoldResult>(loopSizes, loops.batch);
  SmallVector<int64_t> order = loops.getOrder();
  SmallVector<OpFoldResult> ordered = select<OpFoldResult>(loopSizes, order);
  VectorScatter vectors(rewriter, scatter);
  bool isByVectors = vectors.isPossible(
      context,
      multiply(rewriter, loc, ArrayRef(dimSizes).drop_front(loops.rowDims)));
  SmallVector<Value> places =
      numberRows(rewriter, scatter, loops, batchSizes, dimSizes,
                 /*withMask=*/!isByVectors);

  Shaped update(rewriter, loc, scatter.getUpdates()[0], loopSizes);
  if (!llvm::is_sorted(order)) {
    Value empty = tensor::EmptyOp::create(rewriter, loc, ordered, element);
    update.value =
        linalg::TransposeOp::create(rewriter, loc, update.value, empty, order)
            ->getResult(0);
  }
  update.sizes = ordered;
  int64_t batch = batchSizes.size();
  Matrix updates(rewriter, loc, update, batch);
  Matrix numbers(rewriter, loc, Shaped(rewriter, loc, places[0], batchSizes),
                 batch);
  Shaped whole(rewriter, loc, operand, dimSizes);
  Matrix original(rewriter, loc, whole, loops.rowDims);
  auto restore = [&](Value made) {
    if (original.groups.size() != dimSizes.size())
      made = tensor::ExpandShapeOp::create(rewriter, loc, whole.value.getType(),
                                           made, original.groups, dimSizes);
    return castTo(rewriter, loc, type, made);
  };
  if (isByVectors)
    return restore(vectors.emit(
        rewriter, context, original.sizes,
        iree::createApart(rewriter, loc, updates.value, updates.sizes),
        iree::createApart(rewriter, loc, numbers.value, numbers.sizes),
        numbers.sizes.front()));

  Matrix masks(rewriter, loc, Shaped(rewriter, loc, places[1], batchSizes),
               batch);
  auto result = iree::ScatterOp::create(
      rewriter, loc, original.value.getType(),
      iree::createApart(rewriter, loc, updates.value, updates.sizes),
      iree::createApart(rewriter, loc, numbers.value, numbers.sizes),
      iree::createApart(rewriter, loc, masks.value, masks.sizes),
      original.value, rewriter.getDenseI64ArrayAttr({0}),
      rewriter.getBoolAttr(false));
  {
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&result.getRegion(), {},
                                       {element, element}, {loc, loc});
    iree::YieldOp::create(
        rewriter, loc,
        emitKernel(rewriter, scatter.getFold(), body->getArguments()));
  }
  return restore(result);
}
