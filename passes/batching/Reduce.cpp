//===- Reduce.cpp - Batches of reduce and scan ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "../building/Scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// A fold that starts elsewhere in each row. What it starts from comes with the
/// elements, and one more accumulator tells whether it has started.
class StartedFold {
public:
  StartedFold(OpBuilder &builder, Operation *op, ValueRange rows,
              ValueRange inits)
      : loc(op->getLoc()), inputs(rows), starts(inits) {
    SmallVector<OpFoldResult> sizes = getSizes(builder, loc, inputs.front());
    for (Value start : starts) {
      Value along = createBroadcast(
          builder, loc, Operand{start, {0}}, sizes,
          [](OpBuilder &, Location, ValueRange in) { return in[0]; });
      inputs.push_back(castTo(builder, loc,
                              cast<RankedTensorType>(inputs.front().getType())
                                  .clone(getElementTypeOrSelf(start.getType())),
                              along));
      states.push_back(getElementTypeOrSelf(start.getType()));
    }
    states.push_back(builder.getI1Type());
    for (Type state : states)
      this->inits.push_back(createScalarTensor(builder, loc, state, 0));
  }

  ArrayRef<Value> getInputs() const { return inputs; }
  ArrayRef<Value> getInits() const { return inits; }
  ArrayRef<Type> getStates() const { return states; }

  void build(OpBuilder &builder, Region &fold, Region &made) const {
    SmallVector<Type> arguments = llvm::map_to_vector(
        inputs, [](Value input) { return getElementTypeOrSelf(input); });
    llvm::append_range(arguments, states);
    size_t count = starts.size();
    buildKernel(
        builder, loc, made, arguments,
        [&](OpBuilder &body, Location loc, ValueRange in) {
          SmallVector<Value> given(in.take_front(inputs.size() - count));
          for (size_t i = 0; i < count; ++i)
            given.push_back(arith::SelectOp::create(
                body, loc, in.back(), in[inputs.size() + i],
                in[inputs.size() - count + i]));
          SmallVector<Value> next = inlineKernel(body, fold, given);
          next.push_back(
              arith::ConstantOp::create(body, loc, body.getBoolAttr(true)));
          return next;
        });
  }

  void buildCombine(OpBuilder &builder, Region &combine, Region &made) const {
    SmallVector<Type> arguments(states);
    llvm::append_range(arguments, states);
    size_t count = starts.size();
    buildKernel(builder, loc, made, arguments,
                [&](OpBuilder &body, Location loc, ValueRange in) {
                  ValueRange lhs = in.take_front(count + 1),
                             rhs = in.drop_front(count + 1);
                  SmallVector<Value> both(lhs.drop_back());
                  llvm::append_range(both, rhs.drop_back());
                  SmallVector<Value> joined = inlineKernel(body, combine, both);
                  for (size_t i = 0; i < count; ++i) {
                    Value value = arith::SelectOp::create(body, loc, rhs.back(),
                                                          joined[i], lhs[i]);
                    joined[i] = arith::SelectOp::create(body, loc, lhs.back(),
                                                        value, rhs[i]);
                  }
                  joined.push_back(
                      arith::OrIOp::create(body, loc, lhs.back(), rhs.back()));
                  return joined;
                });
  }

  /// What has not started is what it would start from.
  SmallVector<Value> finish(OpBuilder &builder, ValueRange results) const {
    Value hasStarted = results.back();
    SmallVector<Value> finished;
    for (auto [result, start] : llvm::zip(results, starts)) {
      SmallVector<int64_t> all = getAllDims(result);
      SmallVector<Operand> operands{
          {hasStarted, all}, {result, all}, {start, {0}}};
      finished.push_back(createBroadcast(
          builder, loc, operands, getSizes(builder, loc, result),
          [](OpBuilder &body, Location loc, ValueRange in) -> Value {
            return arith::SelectOp::create(body, loc, in[0], in[1], in[2]);
          }));
    }
    return finished;
  }

private:
  Location loc;
  SmallVector<Value> inputs, starts, inits;
  SmallVector<Type> states;
};

struct BatchReduce
    : BatchableOpInterface::ExternalModel<BatchReduce, ReduceOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto reduce = cast<ReduceOp>(op);
    size_t count = reduce.getInputs().size();
    SmallVector<Value> all =
        repeatOthers(builder, op->getLoc(), operands, batched);
    ArrayRef<Value> inputs = ArrayRef(all).take_front(count);
    SmallVector<int64_t> dims = shiftDims(reduce.getDims());
    if (batched.find_last() < static_cast<int>(count)) {
      SmallVector<Value> given(inputs);
      llvm::append_range(given, operands.drop_front(count));
      FailureOr<ReduceOp> made = cloneBatched(reduce, builder, given, batched);
      made->setDims(dims);
      return getResults(*made);
    }
    StartedFold started(builder, op, inputs, ArrayRef(all).drop_front(count));
    SmallVector<Type> types;
    Type row = getBatchedType(
        reduce.getResult(0).getType(),
        cast<RankedTensorType>(inputs.front().getType()).getDimSize(0));
    for (Type state : started.getStates())
      types.push_back(cast<RankedTensorType>(row).clone(state));
    auto made = ReduceOp::create(builder, op->getLoc(), types,
                                 started.getInputs(), started.getInits(), dims);
    started.build(builder, reduce.getFold(), made.getFold());
    if (reduce.hasCombine())
      started.buildCombine(builder, reduce.getCombine(), made.getCombine());
    return started.finish(builder, made.getResults());
  }
};

struct BatchScan : BatchableOpInterface::ExternalModel<BatchScan, ScanOp> {
  Rows batch(Operation *op, OpBuilder &builder, ArrayRef<Value> operands,
             const llvm::SmallBitVector &batched) const {
    auto scan = cast<ScanOp>(op);
    size_t count = scan.getInputs().size();
    SmallVector<Value> all =
        repeatOthers(builder, op->getLoc(), operands, batched);
    ArrayRef<Value> inputs = ArrayRef(all).take_front(count);
    if (batched.find_last() < static_cast<int>(count)) {
      SmallVector<Value> given(inputs);
      llvm::append_range(given, operands.drop_front(count));
      FailureOr<ScanOp> made = cloneBatched(scan, builder, given, batched);
      made->setDim(scan.getDim() + 1);
      return getResults(*made);
    }
    StartedFold started(builder, op, inputs, ArrayRef(all).drop_front(count));
    SmallVector<Type> types;
    for (Type state : started.getStates())
      types.push_back(
          cast<RankedTensorType>(inputs.front().getType()).clone(state));
    auto made = ScanOp::create(
        builder, op->getLoc(), types, started.getInputs(), started.getInits(),
        scan.getDim() + 1, scan.getExclusive(), scan.getReverse());
    started.build(builder, scan.getFold(), made.getFold());
    if (scan.hasCombine())
      started.buildCombine(builder, scan.getCombine(), made.getCombine());
    return started.finish(builder, made.getResults());
  }
};

} // namespace

void mlir::wax::attachReduceBatching(MLIRContext *context) {
  ReduceOp::attachInterface<BatchReduce>(*context);
  ScanOp::attachInterface<BatchScan>(*context);
}
