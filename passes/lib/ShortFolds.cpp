//===- ShortFolds.cpp - Folds of few elements, or of few columns ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Scalars.h"
#include "../building/Tensors.h"
#include "../lowering/ReduceVectors.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SHORTFOLDS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Elements of a row that are folded one after the other, and rows that pay for
/// it: vectors take every second to fourth element at once. Not where rows are
/// needed again: these are better read once.
static constexpr int64_t mostElements = 4, fewestRows = 4096;
/// Columns that fill no vector, and elements of rows that are taken as one.
static constexpr int64_t mostColumns = 15, widestRow = 128;
/// So many of those pay for a second fold.
static constexpr int64_t fewestWideRows = 64;

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// One element of each row, whose dim is left out.
static Value takeElement(OpBuilder &builder, Location loc, Value tensor,
                         int64_t number) {
  ArrayRef<int64_t> shape = getTensor(tensor).getShape();
  int64_t rank = shape.size();
  SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), ArrayRef<int64_t>(shape));
  offsets.back() = builder.getIndexAttr(number);
  sizes.back() = builder.getIndexAttr(1);
  Value taken = createSlice(builder, loc, tensor, offsets, sizes,
                            SmallVector<int64_t>(rank, 1));
  SmallVector<ReassociationIndices> from, to;
  for (int64_t dim = 0; dim < rank; ++dim) {
    from.push_back({dim});
    to.push_back({dim});
  }
  to.back().clear();
  return createReshape(builder, loc, taken, shape.drop_back(), from, to);
}

/// The number that an operation counts with along the last dim.
static Value createNumber(OpBuilder &builder, Location loc, Type type,
                          int64_t number) {
  if (isa<FloatType>(type))
    return scalar::constant(builder, loc, type, number);
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, number));
}

static bool countsAlongRows(Value tensor) {
  auto iota = tensor.getDefiningOp<IotaOp>();
  return iota &&
         static_cast<int64_t>(iota.getDim()) == getTensor(tensor).getRank() - 1;
}

/// Whether its size is known, and vectors take its elements.
static bool isPlain(Value tensor) {
  return getTensor(tensor).hasStaticShape() &&
         isa<IntegerType, FloatType>(getElementTypeOrSelf(tensor));
}

/// What `wax-widen-folds` folds in f32.
static bool isNarrow(Value tensor) {
  Type element = getElementTypeOrSelf(tensor);
  return element.isBF16() || element.isF16();
}

namespace {

/// What a fold reads, without the maps that make it for this fold alone.
struct FoldInput {
  Value tensor;
  /// The last one first.
  SmallVector<MapOp> maps;
  /// Counts along rows, and is not read.
  bool isNumber;

  explicit FoldInput(Value input) : tensor(input) {
    auto map = input.getDefiningOp<MapOp>();
    while (map && map->hasOneUse() && isPlain(map.getOperand())) {
      maps.push_back(map);
      tensor = map.getOperand();
      map = tensor.getDefiningOp<MapOp>();
    }
    isNumber = countsAlongRows(tensor);
  }

  /// What the maps make of an element.
  Value emit(OpBuilder &builder, Value element) {
    for (MapOp map : llvm::reverse(maps))
      element = inlineKernel(builder, map.getKernel(), element).front();
    return element;
  }
};

} // namespace

/// Rows of few elements: one join of what is folded first, then, and so on.
static bool foldByElements(ReduceOp reduce, RewriterBase &rewriter) {
  RankedTensorType type = getTensor(reduce.getInputs()[0]);
  int64_t rank = type.getRank(), count = type.getShape().back();
  if (reduce.getDims() != ArrayRef<int64_t>{rank - 1} || count < 2 ||
      count > mostElements || type.getNumElements() / count < fewestRows ||
      llvm::any_of(reduce.getInits(), isNarrow) || isSpread(reduce))
    return false;
  SmallVector<FoldInput> inputs;
  for (Value input : reduce.getInputs()) {
    inputs.emplace_back(input);
    // Sums of products have loops of their own, and a join would be made
    // before.
    if (inputs.back().tensor.getDefiningOp<BroadcastOp>())
      return false;
  }
  Location loc = reduce.getLoc();
  // The first elements of all that is read, then the second ones, and so on;
  // and what the fold begins with.
  SmallVector<Operand> operands;
  for (int64_t number : llvm::seq(count))
    for (FoldInput &input : inputs)
      if (!input.isNumber)
        operands.push_back({takeElement(rewriter, loc, input.tensor, number),
                            getAllDims(rank - 1)});
  for (Value init : reduce.getInits())
    operands.push_back({init, {}});
  auto fold = [&](OpBuilder &body, ValueRange arguments) {
    SmallVector<Value> folded(arguments.take_back(reduce.getInits().size()));
    for (int64_t number : llvm::seq(count)) {
      SmallVector<Value> next;
      for (FoldInput &input : inputs) {
        Value element;
        if (input.isNumber) {
          element = createNumber(body, loc, getElementTypeOrSelf(input.tensor),
                                 number);
        } else {
          element = arguments.front();
          arguments = arguments.drop_front();
        }
        next.push_back(input.emit(body, element));
      }
      next.append(folded);
      folded = inlineKernel(body, reduce.getFold(), next);
    }
    return folded;
  };
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
      rewriter.getContext(), type.getShape().drop_back());
  for (auto [place, result] : llvm::enumerate(reduce.getResults())) {
    if (result.use_empty())
      continue;
    Value folded =
        createBroadcast(rewriter, loc, operands, sizes,
                        [&](OpBuilder &body, Location, ValueRange arguments) {
                          return fold(body, arguments)[place];
                        });
    rewriter.replaceAllUsesWith(
        result, castTo(rewriter, loc, result.getType(), folded));
  }
  rewriter.eraseOp(reduce);
  return true;
}

/// Few columns: rows are taken together, as one that fills vectors, and what is
/// left of its parts is folded at the end, with the rows that are left over.
static bool foldRowsTogether(ReduceOp reduce, RewriterBase &rewriter) {
  RankedTensorType type = getTensor(reduce.getInputs()[0]);
  ArrayRef<int64_t> dims = reduce.getDims(), shape = type.getShape();
  int64_t count = dims.size();
  if (!reduce.hasCombine() || dims.empty() || dims.back() != count - 1 ||
      count == type.getRank())
    return false;
  // What else is made in the fold's own loop would be made before.
  if (llvm::any_of(reduce.getInputs(), [](Value input) {
        return isa_and_present<MapOp, BroadcastOp, IotaOp>(
            input.getDefiningOp());
      }))
    return false;
  int64_t rows = ShapedType::getNumElements(shape.take_front(count)),
          columns = ShapedType::getNumElements(shape.drop_front(count));
  if (columns == 0 || columns > mostColumns)
    return false;
  int64_t together = llvm::bit_floor<uint64_t>(widestRow / columns);
  int64_t left = rows % together;
  if (rows / together < fewestWideRows)
    return false;

  Location loc = reduce.getLoc();
  auto all = [](int64_t first, int64_t end) {
    return ReassociationIndices(llvm::to_vector<2>(llvm::seq(first, end)));
  };
  auto kernel = [](Region &region) {
    return [&](OpBuilder &body, Location, ValueRange arguments) {
      return inlineKernel(body, region, arguments);
    };
  };
  auto fold = kernel(reduce.getFold()), combine = kernel(reduce.getCombine());
  auto foldRows = [&](ArrayRef<Value> tensors) {
    return ReduceOp::create(rewriter, loc, tensors, reduce.getInits(), {0},
                            fold, combine)
        .getResults();
  };
  SmallVector<Value> wide, rest;
  for (Value input : reduce.getInputs()) {
    Value flat = createReshape(rewriter, loc, input, {rows, columns},
                               {all(0, count), all(count, shape.size())},
                               {all(0, 1), all(1, 2)});
    auto takeRows = [&](int64_t first, int64_t number) {
      Attribute none = rewriter.getIndexAttr(0);
      return createSlice(
          rewriter, loc, flat, {rewriter.getIndexAttr(first), none},
          {rewriter.getIndexAttr(number), rewriter.getIndexAttr(columns)},
          {1, 1});
    };
    if (left != 0)
      rest.push_back(takeRows(rows - left, left));
    wide.push_back(createReshape(
        rewriter, loc, left == 0 ? flat : takeRows(0, rows - left),
        {rows / together, together * columns}, all(0, 2), all(0, 2)));
  }
  SmallVector<Value> parts =
      llvm::map_to_vector(foldRows(wide), [&](Value result) {
        return createReshape(rewriter, loc, result, {together, columns},
                             all(0, 1), all(0, 2));
      });
  auto last = ReduceOp::create(
      rewriter, loc, parts, reduce.getInits(), {0},
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        // What has been folded so far comes first.
        int64_t half = arguments.size() / 2;
        SmallVector<Value> turned(arguments.drop_front(half));
        llvm::append_range(turned, arguments.take_front(half));
        return combine(body, loc, turned);
      },
      combine);
  SmallVector<Value> folded(last.getResults());
  if (left != 0) {
    SmallVector<Value> both(folded);
    llvm::append_range(both, foldRows(rest));
    for (auto [place, result] : llvm::enumerate(folded))
      result = createPointwise(
          rewriter, loc, both,
          [&](OpBuilder &body, Location loc, ValueRange arguments) {
            return combine(body, loc, arguments)[place];
          });
  }
  SmallVector<Value> results;
  for (auto [result, made] : llvm::zip_equal(reduce.getResults(), folded)) {
    int64_t rank = shape.size() - count;
    Value split = createReshape(rewriter, loc, made, shape.drop_front(count),
                                all(0, 1), all(0, rank));
    results.push_back(castTo(rewriter, loc, result.getType(), split));
  }
  rewriter.replaceOp(reduce, results);
  return true;
}

namespace {
struct ShortFolds : wax::impl::ShortFoldsBase<ShortFolds> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ReduceOp> reductions;
    getOperation().walk([&](ReduceOp reduce) { reductions.push_back(reduce); });
    for (ReduceOp reduce : reductions) {
      rewriter.setInsertionPoint(reduce);
      if (llvm::all_of(reduce->getOperands(), isPlain) &&
          !foldByElements(reduce, rewriter))
        foldRowsTogether(reduce, rewriter);
    }
  }
};
} // namespace
