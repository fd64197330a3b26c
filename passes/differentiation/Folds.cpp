//===- Folds.cpp - Derivatives of operations that fold ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace mlir::wax;

bool mlir::wax::isSum(Region &fold, unsigned inputCount) {
  Block &block = fold.front();
  llvm::DenseSet<Value> dependent;
  for (BlockArgument argument : block.getArguments().drop_front(inputCount))
    dependent.insert(argument);
  auto depends = [&](Value value) { return dependent.contains(value); };
  llvm::DenseSet<Value> sums;
  for (Operation &op : block.without_terminator()) {
    if (!llvm::any_of(op.getOperands(), depends))
      continue;
    dependent.insert(op.result_begin(), op.result_end());
  }
  for (auto [i, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    Operation *op = value.getDefiningOp();
    Value accumulator = block.getArgument(inputCount + i);
    if (!isa_and_present<arith::AddFOp, complex::AddOp, arith::AddIOp>(op) ||
        !llvm::is_contained(op->getOperands(), accumulator) ||
        llvm::count_if(op->getOperands(), depends) != 1)
      return false;
  }
  return true;
}

bool mlir::wax::isExtremum(Region &fold) {
  Block &block = fold.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return false;
  Operation &op = block.front();
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op) &&
         op.getOperand(0) != op.getOperand(1) &&
         llvm::all_of(op.getOperands(),
                      [](Value value) { return isa<BlockArgument>(value); }) &&
         block.getTerminator()->getOperand(0) == op.getResult(0);
}

SmallVector<Value> mlir::wax::addAccumulators(OpBuilder &builder, Location loc,
                                              ValueRange arguments) {
  size_t count = arguments.size() / 2;
  SmallVector<Value> sums;
  for (auto [lhs, rhs] :
       llvm::zip(arguments.take_front(count), arguments.drop_front(count)))
    sums.push_back(scalar::add(builder, loc, lhs, rhs));
  return sums;
}

SmallVector<unsigned> mlir::wax::getDifferentiable(TypeRange accumulators) {
  SmallVector<unsigned> places;
  for (auto [i, type] : llvm::enumerate(accumulators))
    if (isDifferentiable(type))
      places.push_back(i);
  return places;
}

/// A number for an argument that nothing will read.
static Value createUnread(OpBuilder &builder, Location loc, Type type) {
  if (isDifferentiable(type))
    return scalar::constant(builder, loc, type, 0);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {

/// A fold that carries tangents: of the elements that have any, which come
/// after the elements, and of all accumulators that have derivatives, which
/// come after the accumulators.
class PushedFold {
public:
  PushedFold(const Folding &folding, ArrayRef<Value> tangents)
      : alone(isSum(folding.fold, folding.inputs.size())), folding(folding),
        tangents(tangents),
        differentiable(getDifferentiable(folding.accumulators())) {}

  /// Whether the fold carries the tangents only: it is a sum.
  const bool alone;

  SmallVector<Value> getInputs() const;
  SmallVector<Value> getInits(OpBuilder &builder) const;
  LogicalResult build(OpBuilder &builder, Region &region) const;
  /// Joins parts as `combine` does, and their tangents as its derivative does.
  LogicalResult buildCombine(OpBuilder &builder, Region &region) const;
  /// The tangents among an operation's results, in their places.
  SmallVector<Value> pick(ValueRange results) const;

private:
  /// What a fold or a combination of tangents yields.
  SmallVector<Value> pushBody(OpBuilder &body, Region &kernel,
                              ArrayRef<Value> primal, ArrayRef<Value> pushed,
                              LogicalResult &outcome) const;

  const Folding &folding;
  ArrayRef<Value> tangents;
  SmallVector<unsigned> differentiable;
};

} // namespace

SmallVector<Value> PushedFold::getInputs() const {
  SmallVector<Value> inputs(folding.inputs);
  for (unsigned i = 0, e = folding.inputs.size(); i < e; ++i)
    if (tangents[i])
      inputs.push_back(tangents[i]);
  return inputs;
}

SmallVector<Value> PushedFold::getInits(OpBuilder &builder) const {
  SmallVector<Value> inits;
  if (!alone)
    inits = folding.inits;
  for (unsigned i : differentiable) {
    Value tangent = tangents[folding.inputs.size() + i];
    inits.push_back(tangent ? tangent
                            : createZerosLike(builder, folding.op->getLoc(),
                                              folding.inits[i]));
  }
  return inits;
}

SmallVector<Value> PushedFold::pushBody(OpBuilder &body, Region &kernel,
                                        ArrayRef<Value> primal,
                                        ArrayRef<Value> pushed,
                                        LogicalResult &outcome) const {
  FailureOr<Pushed> made = pushKernel(body, kernel, primal, pushed);
  outcome = made;
  SmallVector<Type> accumulators = folding.accumulators();
  SmallVector<Value> yielded;
  if (!alone)
    yielded = failed(made)
                  ? SmallVector<Value>(primal.take_back(accumulators.size()))
                  : made->values;
  for (unsigned i : differentiable) {
    Value tangent = failed(made) ? Value() : made->tangents[i];
    yielded.push_back(tangent ? tangent
                              : scalar::constant(body, folding.op->getLoc(),
                                                 accumulators[i], 0));
  }
  return yielded;
}

LogicalResult PushedFold::build(OpBuilder &builder, Region &region) const {
  Location loc = folding.op->getLoc();
  size_t inputCount = folding.inputs.size();
  SmallVector<Type> accumulators = folding.accumulators(), arguments;
  for (Value input : getInputs())
    arguments.push_back(getElementTypeOrSelf(input.getType()));
  if (!alone)
    llvm::append_range(arguments, accumulators);
  for (unsigned i : differentiable)
    arguments.push_back(accumulators[i]);

  LogicalResult outcome = success();
  buildKernel(builder, loc, region, arguments,
              [&](OpBuilder &body, Location loc, ValueRange in) {
                SmallVector<Value> primal(in.take_front(inputCount));
                in = in.drop_front(inputCount);
                SmallVector<Value> pushed(inputCount + accumulators.size());
                for (size_t i = 0; i < inputCount; ++i)
                  if (tangents[i]) {
                    pushed[i] = in.front();
                    in = in.drop_front();
                  }
                for (Type type : accumulators) {
                  if (alone) {
                    primal.push_back(createUnread(body, loc, type));
                    continue;
                  }
                  primal.push_back(in.front());
                  in = in.drop_front();
                }
                for (auto [i, tangent] : llvm::zip_equal(differentiable, in))
                  pushed[inputCount + i] = tangent;
                return pushBody(body, folding.fold, primal, pushed, outcome);
              });
  return outcome;
}

LogicalResult PushedFold::buildCombine(OpBuilder &builder,
                                       Region &region) const {
  Location loc = folding.op->getLoc();
  SmallVector<Type> accumulators = folding.accumulators(), half;
  if (!alone)
    half = accumulators;
  for (unsigned i : differentiable)
    half.push_back(accumulators[i]);
  SmallVector<Type> arguments(half);
  llvm::append_range(arguments, half);
  if (alone) {
    buildKernel(builder, loc, region, arguments, addAccumulators);
    return success();
  }
  LogicalResult outcome = success();
  size_t count = accumulators.size();
  buildKernel(builder, loc, region, arguments,
              [&](OpBuilder &body, Location loc, ValueRange in) {
                SmallVector<Value> primal, pushed;
                for (ValueRange part :
                     {in.take_front(half.size()), in.drop_front(half.size())}) {
                  llvm::append_range(primal, part.take_front(count));
                  pushed.resize(primal.size());
                  for (auto [i, tangent] :
                       llvm::zip_equal(differentiable, part.drop_front(count)))
                    pushed[primal.size() - count + i] = tangent;
                }
                return pushBody(body, folding.combine, primal, pushed, outcome);
              });
  return outcome;
}

SmallVector<Value> PushedFold::pick(ValueRange results) const {
  SmallVector<Value> picked(folding.inits.size());
  for (auto [i, tangent] : llvm::zip_equal(
           differentiable, results.take_back(differentiable.size())))
    picked[i] = tangent;
  return picked;
}

Derivatives mlir::wax::pushFold(
    OpBuilder &builder, const Folding &folding, ArrayRef<Value> tangents,
    function_ref<Operation *(TypeRange, ValueRange, ValueRange)> create) {
  PushedFold pushed(folding, tangents);
  SmallVector<Value> inits = pushed.getInits(builder);
  auto like = cast<RankedTensorType>(folding.op->getResult(0).getType());
  SmallVector<Type> types = llvm::map_to_vector(inits, [&](Value init) -> Type {
    return like.clone(getElementTypeOrSelf(init.getType()));
  });
  Operation *made = create(types, pushed.getInputs(), inits);
  if (failed(pushed.build(builder, made->getRegion(0))))
    return failure();
  if (!folding.combine.empty() &&
      failed(pushed.buildCombine(builder, made->getRegion(1))))
    return failure();
  if (!pushed.alone)
    for (auto [old, value] :
         llvm::zip(folding.op->getResults(), made->getResults()))
      old.replaceAllUsesWith(value);
  return pushed.pick(made->getResults());
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

Derivatives mlir::wax::pullSum(OpBuilder &builder, const Folding &folding,
                               ArrayRef<Operand> cotangents,
                               const llvm::SmallBitVector &wanted) {
  Location loc = folding.op->getLoc();
  size_t inputCount = folding.inputs.size();
  SmallVector<OpFoldResult> sizes =
      getSizes(builder, loc, folding.inputs.front());
  SmallVector<Operand> operands;
  for (Value input : folding.inputs)
    operands.push_back({input, getAllDims(input)});
  for (const Operand &cotangent : cotangents)
    if (cotangent.value)
      operands.push_back(cotangent);
  SmallVector<Type> accumulators = folding.accumulators();
  SmallVector<Value> results(inputCount);
  for (size_t i = 0; i < inputCount; ++i) {
    if (!wanted[i])
      continue;
    llvm::SmallBitVector one(inputCount + accumulators.size());
    one.set(i);
    bool isRefused = false;
    results[i] = createBroadcast(
        builder, loc, operands, sizes,
        [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
          SmallVector<Value> arguments(in.take_front(inputCount)), pulled;
          for (Type type : accumulators)
            arguments.push_back(createUnread(body, loc, type));
          in = in.drop_front(inputCount);
          for (const Operand &cotangent : cotangents) {
            pulled.push_back(cotangent.value ? in.front() : Value());
            if (cotangent.value)
              in = in.drop_front();
          }
          Derivatives made =
              pullKernel(body, folding.fold, arguments, pulled, one);
          isRefused = failed(made);
          return isRefused ? Value() : (*made)[i];
        });
    if (isRefused)
      return failure();
  }
  return results;
}

Value mlir::wax::sumToStart(OpBuilder &builder, Location loc, Value cotangent) {
  return cotangent ? createSum(builder, loc, cotangent, getAllDims(cotangent))
                   : Value();
}

static SmallVector<Type> getScanTypes(Value like, ArrayRef<Type> elements) {
  auto type = cast<RankedTensorType>(like.getType());
  return llvm::map_to_vector(
      elements, [&](Type element) -> Type { return type.clone(element); });
}

SmallVector<Value> mlir::wax::createPrefixes(OpBuilder &builder,
                                             const Folding &folding,
                                             int64_t dim, bool reverse) {
  auto scan = ScanOp::create(
      builder, folding.op->getLoc(),
      getScanTypes(folding.inputs.front(), folding.accumulators()),
      folding.inputs, folding.inits, dim, /*exclusive=*/true, reverse);
  IRMapping mapping;
  folding.fold.cloneInto(&scan.getFold(), mapping);
  if (!folding.combine.empty())
    folding.combine.cloneInto(&scan.getCombine(), mapping);
  return SmallVector<Value>(scan.getResults());
}

/// Backward along the dim, the cotangents of the accumulators before each
/// element come from those after it; what comes to the element itself is then
/// pointwise.
Derivatives ScanPull::run(OpBuilder &builder) const {
  Location loc = folding.op->getLoc();
  size_t inputCount = folding.inputs.size();
  SmallVector<Type> accumulators = folding.accumulators();
  SmallVector<unsigned> differentiable = getDifferentiable(accumulators);

  // Inputs, accumulators before, cotangents that there are.
  SmallVector<Value> read(folding.inputs);
  llvm::append_range(read, before);
  for (Value cotangent : cotangents)
    if (cotangent)
      read.push_back(cotangent);
  size_t primalCount = inputCount + accumulators.size();

  // The cotangents of the accumulators after an element, as the fold yields
  // them, from those that come later and the element's own.
  auto getAfter = [&](OpBuilder &body, Location loc, ValueRange own,
                      ValueRange later) {
    SmallVector<Value> after(accumulators.size());
    for (auto [i, value] : llvm::zip_equal(differentiable, later))
      after[i] = value;
    for (size_t i = 0; i < after.size() && !exclusive; ++i)
      if (cotangents[i]) {
        after[i] = scalar::add(body, loc, after[i], own.front());
        own = own.drop_front();
      }
    return after;
  };

  SmallVector<Type> elements = llvm::map_to_vector(
      read, [](Value value) { return getElementTypeOrSelf(value.getType()); });
  SmallVector<Type> carried;
  SmallVector<Value> starts;
  for (unsigned i : differentiable) {
    carried.push_back(accumulators[i]);
    starts.push_back(createScalarTensor(builder, loc, accumulators[i], 0));
  }
  auto scan = ScanOp::create(builder, loc, getScanTypes(read.front(), carried),
                             read, starts, dim, /*exclusive=*/true, !reverse);
  llvm::append_range(elements, carried);
  LogicalResult outcome = success();
  buildKernel(builder, loc, scan.getFold(), elements,
              [&](OpBuilder &body, Location loc, ValueRange in) {
                ValueRange own =
                    in.slice(primalCount, read.size() - primalCount);
                ValueRange later = in.drop_front(read.size());
                llvm::SmallBitVector some(primalCount);
                for (unsigned i : differentiable)
                  some.set(inputCount + i);
                Derivatives made =
                    pullKernel(body, folding.fold, in.take_front(primalCount),
                               getAfter(body, loc, own, later), some);
                outcome = made;
                SmallVector<Value> yielded;
                for (auto [i, value] : llvm::zip_equal(differentiable, later)) {
                  Value pulled = failed(made) ? value : (*made)[inputCount + i];
                  if (exclusive && cotangents[i]) {
                    unsigned place =
                        llvm::count_if(cotangents.take_front(i),
                                       [](Value given) { return given; });
                    pulled = pulled ? scalar::add(body, loc, pulled, own[place])
                                    : own[place];
                  }
                  yielded.push_back(
                      pulled ? pulled
                             : scalar::constant(body, loc, accumulators[i], 0));
                }
                return yielded;
              });
  if (failed(outcome))
    return failure();

  SmallVector<Operand> operands;
  for (Value value : read)
    operands.push_back({value, getAllDims(value)});
  for (Value value : scan.getResults())
    operands.push_back({value, getAllDims(value)});
  SmallVector<OpFoldResult> sizes = getSizes(builder, loc, read.front());
  SmallVector<Value> results(inputCount);
  for (size_t i = 0; i < inputCount; ++i) {
    if (!wanted[i])
      continue;
    llvm::SmallBitVector one(primalCount);
    one.set(i);
    results[i] = createBroadcast(
        builder, loc, operands, sizes,
        [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
          ValueRange own = in.slice(primalCount, read.size() - primalCount);
          Derivatives made = pullKernel(
              body, folding.fold, in.take_front(primalCount),
              getAfter(body, loc, own, in.drop_front(read.size())), one);
          outcome = made;
          return failed(made) ? Value() : (*made)[i];
        });
    if (failed(outcome))
      return failure();
  }
  return results;
}
