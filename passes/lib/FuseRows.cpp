//===- FuseRows.cpp - Row by row in one dispatch --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dispatch of ours is fused with no other. A softmax's rows would be read and
// written four times over, and a row is in the nearest cache each time but the
// first.
//
//===----------------------------------------------------------------------===//

#include "CPUContext.h"
#include "RowChain.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Dispatch.h"
#include "../lowering/VectorFold.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Passes/IREE.h"

#include <deque>

namespace mlir::wax {
#define GEN_PASS_DEF_FUSEROWS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Operations that registers hold the constants of besides two registers of
/// each vector, and rows of which more are worth it.
static constexpr int64_t fewOperations = 12, longRow = 1024;
/// Elements by which rows that are kept differ in size.
static constexpr int64_t fewApart = 16;

namespace {

/// What goes along a row once: the folds and what they read, and what is
/// written.
struct TurnCode {
  std::deque<VectorFold> folds;
  RowReader reader;
  ArrayRef<Value> written, held;
  int64_t lanes = 0;

  TurnCode(Operation *op, const RowChain &chain)
      : reader(op, chain.getRank(), chain.getAlong(), /*isLate=*/true) {}
};

/// The sizes of a reduction's results are those of what it folds.
class FoldContext : public CPUContext {
public:
  OpFoldResult getSize(OpBuilder &builder, Location loc, Value tensor,
                       int64_t dim) override {
    // None of the dims before the last ones is folded.
    if (auto fold = tensor.getDefiningOp<ReduceOp>())
      tensor = fold.getInputs()[0];
    return CPUContext::getSize(builder, loc, tensor, dim);
  }
};

class ChainBuilder {
public:
  ChainBuilder(RewriterBase &rewriter, const RowChain &chain)
      : rewriter(rewriter), chain(chain),
        loc(rewriter.getFusedLoc(llvm::map_to_vector(
            chain.getMembers(), [](Operation *op) { return op->getLoc(); }))) {}

  /// Finds what each turn reads. False where vectors cannot.
  bool prepare();
  /// Emits all turns as one dispatch, whose results take the members' place.
  void emit();

private:
  void prepareSizes();
  void chooseLanes(TurnCode &code, const RowChain::Turn &turn);
  SmallVector<Value> emitRow(OpBuilder &builder, Value row, Value at,
                             ValueRange carried);
  void emitTurn(OpBuilder &builder, TurnCode &code);
  Value getElement(OpBuilder &builder, Value tensor);
  /// Where a row is that is written: in which of what loops carry, and there.
  std::pair<unsigned, SmallVector<Value>> getPlace(Value value) const;
  Value spread(Value made, Value result);

  RewriterBase &rewriter;
  const RowChain &chain;
  Location loc;
  CPUContext context;
  std::deque<TurnCode> turns;
  SmallVector<OpFoldResult> sizes, outer;
  OpFoldResult count, width;
  /// Results by their place, and what is kept by that of its memory.
  llvm::DenseMap<Value, unsigned> slots;

  // Of the row that is emitted.
  SmallVector<Value> indices, state;
  Value at;
  llvm::DenseMap<Value, Value> elements;
};

} // namespace

bool ChainBuilder::prepare() {
  for (const RowChain::Turn &turn : chain.getTurns()) {
    TurnCode &code = turns.emplace_back(chain.getMembers().front(), chain);
    SmallVector<Value> read;
    for (ReduceOp fold : turn.folds) {
      VectorFold &folds = code.folds.emplace_back(rewriter, fold, Layout::Rows,
                                                  chain.getRank());
      for (auto [i, result] : llvm::enumerate(fold.getResults()))
        folds.needed.push_back(i);
      llvm::append_range(read, folds.getRead());
    }
    code.written = turn.written;
    code.held = turn.held.getArrayRef();
    llvm::append_range(read, turn.written);
    if (!code.reader.add(read, turn.made.getArrayRef(),
                         turn.held.getArrayRef()))
      return false;
  }
  return true;
}

void ChainBuilder::prepareSizes() {
  auto *fold = llvm::find_if(chain.getMembers(), llvm::IsaPred<ReduceOp>);
  Value rows = cast<ReduceOp>(*fold).getInputs()[0];
  if (auto map = rows.getDefiningOp<linalg::GenericOp>())
    rows = map.getOutputs().front();
  sizes = tensor::getMixedSizes(rewriter, loc, rows);
  outer = llvm::to_vector(ArrayRef(sizes).drop_back(chain.getAlong()));
  count = multiply(rewriter, loc, outer);
  width = multiply(rewriter, loc, ArrayRef(sizes).take_back(chain.getAlong()));
}

void ChainBuilder::chooseLanes(TurnCode &code, const RowChain::Turn &turn) {
  SmallVector<Type> types(code.reader.getElements());
  int64_t operations = 0;
  for (Operation *op : turn.made) {
    types.push_back(
        getStoredType(getElementTypeOrSelf(op->getResult(0).getType())));
    operations += llvm::range_size(op->getRegion(0).front());
  }
  for (ReduceOp fold : turn.folds)
    for (Value init : fold.getInits())
      types.push_back(getStoredType(getElementTypeOrSelf(init.getType())));
  code.lanes = getLanes(types);
  std::optional<int64_t> known = getConstantIntValue(width);
  if (operations > fewOperations)
    code.lanes /= 2;
  else if (turn.made.empty() && known && *known >= longRow)
    code.lanes *= 2;
  if (known)
    code.lanes = std::min<int64_t>(code.lanes, llvm::PowerOf2Ceil(*known));
  for (VectorFold &fold : code.folds)
    fold.lanes = code.lanes;
}

/// The element of the row that a tensor has.
Value ChainBuilder::getElement(OpBuilder &builder, Value tensor) {
  if (Value known = elements.lookup(tensor))
    return known;
  Operation *op = tensor.getDefiningOp();
  auto map = cast<linalg::GenericOp>(op);
  SmallVector<Value> vectors;
  for (OpOperand *input : map.getDpsInputOperands()) {
    Value read = input->get(), element;
    if (llvm::is_contained(chain.getMembers(), read.getDefiningOp())) {
      element = getElement(builder, read);
    } else {
      SmallVector<Value> position;
      for (AffineExpr expr : map.getMatchingIndexingMap(input).getResults())
        position.push_back(indices[cast<AffineDimExpr>(expr).getPosition()]);
      element = tensor::ExtractOp::create(builder, loc, read, position);
    }
    vectors.push_back(createSplat(builder, loc, element, 1));
  }
  Block *body = map.getBody();
  vectors.resize(body->getNumArguments());
  Value made = emitOnLanes(builder, *body, body->getTerminator()->getOperands(),
                           vectors, /*lanes=*/1, indices)
                   .front();
  return elements[tensor] = vector::ExtractOp::create(builder, loc, made,
                                                      ArrayRef<int64_t>{0});
}

std::pair<unsigned, SmallVector<Value>>
ChainBuilder::getPlace(Value value) const {
  unsigned slot = slots.lookup(value);
  if (slot < chain.getRows().size())
    return {slot, {at}};
  return {slot, {}};
}

void ChainBuilder::emitTurn(OpBuilder &builder, TurnCode &code) {
  for (Value read : llvm::to_vector(code.reader.getReadOnce()))
    if (llvm::is_contained(chain.getMembers(), read.getDefiningOp()))
      code.reader.setElement(read, getElement(builder, read));
  code.reader.startRow(builder, loc, indices, code.lanes);

  SmallVector<Value> carried;
  for (VectorFold &fold : code.folds)
    llvm::append_range(carried, fold.createInits(builder, loc));
  // Where rows are written.
  size_t firstRow = carried.size();
  for (Value value : code.written)
    carried.push_back(state[getPlace(value).first]);
  auto getRow = [&](Value value, ValueRange next) {
    unsigned slot = getPlace(value).first;
    for (auto [i, written] : llvm::enumerate(code.written))
      if (getPlace(written).first == slot)
        return next[firstRow + i];
    return state[slot];
  };

  SmallVector<Value> made = emitPieces(
      builder, loc, width, code.lanes, carried,
      [&](OpBuilder &body, Location loc, Value first, Value mask,
          ValueRange next) {
        for (Value value : code.held)
          code.reader.setHeld(value, getRow(value, next),
                              getPlace(value).second);
        SmallVector<Value> read = code.reader.read(body, loc, first, mask);
        SmallVector<Value> results;
        ArrayRef<Value> left(read);
        for (VectorFold &fold : code.folds) {
          size_t operands = fold.getRead().size();
          ValueRange before =
              next.slice(results.size(), fold.reduce.getNumResults());
          llvm::append_range(
              results, VectorFold::keepBeyond(
                           body, loc,
                           fold.foldVectors(body, loc,
                                            left.take_front(operands), before),
                           before, mask));
          left = left.drop_front(operands);
        }
        for (auto [value, vector] : llvm::zip_equal(code.written, left)) {
          SmallVector<Value> place = getPlace(value).second;
          place.push_back(first);
          Value stored = convertStored(
              body, loc, vector, getStoredType(getElementTypeOrSelf(value)));
          results.push_back(
              writeLanes(body, loc, stored, next[results.size()], place, mask));
        }
        return results;
      });
  ArrayRef<Value> left(made);
  for (VectorFold &fold : code.folds) {
    size_t results = fold.reduce.getNumResults();
    SmallVector<Value> folded =
        fold.joinLanes(builder, loc, llvm::to_vector(left.take_front(results)));
    for (auto [result, element] : llvm::zip_equal(
             fold.reduce.getResults(), fold.select(builder, loc, folded)))
      elements[result] = element;
    left = left.drop_front(results);
  }
  for (auto [value, row] : llvm::zip_equal(code.written, left))
    state[getPlace(value).first] = row;
}

SmallVector<Value> ChainBuilder::emitRow(OpBuilder &builder, Value row,
                                         Value place, ValueRange carried) {
  indices = getRowIndices(builder, loc, row, outer);
  state = llvm::to_vector(carried);
  at = place;
  elements.clear();
  for (TurnCode &turn : turns)
    emitTurn(builder, turn);
  for (Value tensor : chain.getElements()) {
    Value &slot = state[slots.lookup(tensor)];
    Value element = convertStored(builder, loc, getElement(builder, tensor),
                                  getStoredType(getElementTypeOrSelf(tensor)));
    slot = tensor::InsertOp::create(builder, loc, element, slot, at);
  }
  return state;
}

/// What was made for merged dims, as the result is.
Value ChainBuilder::spread(Value made, Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  ArrayRef<OpFoldResult> all(sizes);
  return splitDims(rewriter, loc, context.getTarget(), made, type,
                   {all.take_front(outer.size()),
                    all.take_front(type.getRank()).drop_front(outer.size())});
}

void ChainBuilder::emit() {
  prepareSizes();
  for (auto [code, turn] : llvm::zip_equal(turns, chain.getTurns())) {
    chooseLanes(code, turn);
    code.reader.mergeRows(rewriter, loc, [&](Value tensor) {
      return llvm::is_contained(chain.getMembers(), tensor.getDefiningOp());
    });
  }

  SmallVector<RowsOutput> outputs;
  auto addOutput = [&](Value value, SmallVector<OpFoldResult> shape) {
    slots[value] = outputs.size();
    Type stored = getStoredType(getElementTypeOrSelf(value));
    outputs.push_back({getTensorType(shape, stored), shape});
  };
  for (Value value : chain.getRows())
    addOutput(value, {count, width});
  for (Value value : chain.getElements())
    addOutput(value, {count});
  SmallVector<Value> onStack;
  for (auto [value, place] : chain.getKept()) {
    slots[value] = place
                       ? slots.lookup(place)
                       : static_cast<unsigned>(outputs.size() + onStack.size());
    if (!place)
      onStack.push_back(value);
  }

  SmallVector<Value> made = emitRows(
      rewriter, loc, context, outputs, /*rowDim=*/0,
      [&](OpBuilder &builder, Location loc, Value first, Value end,
          ValueRange empties) {
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        SmallVector<Value> begun(empties);
        // Of two alike one would be made, and bufferization would let loops
        // that carry it twice have but one memory: each is of another size.
        for (auto [number, value] : llvm::enumerate(onStack)) {
          Value more =
              arith::ConstantIndexOp::create(builder, loc, number * fewApart);
          Value size = builder.createOrFold<arith::AddIOp>(
              loc, getValueOrCreateConstantIndexOp(builder, loc, width), more);
          begun.push_back(tensor::EmptyOp::create(
              builder, loc, ArrayRef<OpFoldResult>{getAsOpFoldResult(size)},
              getStoredType(getElementTypeOrSelf(value))));
        }
        SmallVector<Value> filled = emitLoop(
            builder, loc, first, end, one, begun,
            [&](OpBuilder &body, Location loc, Value row, ValueRange carried) {
              Value at = arith::SubIOp::create(body, loc, row, first);
              return emitRow(body, row, at, carried);
            });
        filled.resize(empties.size());
        return filled;
      },
      getRunOfRows(rewriter, loc, width));

  for (ArrayRef<Value> results : {chain.getRows(), chain.getElements()})
    for (Value result : results)
      rewriter.replaceAllUsesWith(result,
                                  spread(made[slots.lookup(result)], result));
}

namespace {
struct FuseRows : wax::impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    SmallVector<ReduceOp> folds;
    getOperation().walk([&](ReduceOp fold) { folds.push_back(fold); });
    llvm::SmallPtrSet<Operation *, 16> done;
    IRRewriter rewriter(&getContext());
    for (ReduceOp fold : folds) {
      if (done.contains(fold))
        continue;
      std::optional<RowChain> chain = RowChain::of(fold);
      if (!chain || !fuse(rewriter, *chain)) {
        if (failed(lower(rewriter, fold)))
          return signalPassFailure();
        continue;
      }
      done.insert_range(chain->getMembers());
    }
  }

  /// Replaces a chain by one dispatch behind its last member, and what reads it
  /// goes behind that.
  static bool fuse(RewriterBase &rewriter, const RowChain &chain) {
    ChainBuilder builder(rewriter, chain);
    if (!builder.prepare())
      return false;
    Operation *last = chain.getMembers().back(), *next = last->getNextNode();
    rewriter.setInsertionPoint(next);
    builder.emit();
    for (Operation *reader : chain.getReaders())
      rewriter.moveOpBefore(reader, next);
    for (Operation *member : llvm::reverse(chain.getMembers()))
      rewriter.eraseOp(member);
    return true;
  }

  /// Lowers a reduction by itself.
  static LogicalResult lower(RewriterBase &rewriter, ReduceOp fold) {
    FoldContext context;
    rewriter.setInsertionPoint(fold);
    FailureOr<SmallVector<Value>> lowered =
        cast<LowerableOpInterface>(fold.getOperation())
            .lower(rewriter, context);
    if (failed(lowered))
      return failure();
    rewriter.replaceOp(fold, *lowered);
    return success();
  }
};
} // namespace
