//===- LoopRows.cpp - Rows that no turn of a loop mixes -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRows.h"

#include "../building/Tensors.h"
#include "../differentiation/Folds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

static RankedTensorType getTensor(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Sums over rows
//===----------------------------------------------------------------------===//

/// Whether a kernel adds its two arguments up.
static bool isAddition(Block &kernel) {
  Operation *add = kernel.getTerminator()->getOperand(0).getDefiningOp();
  Value first = kernel.getArgument(0), second = kernel.getArgument(1);
  return isa_and_present<arith::AddFOp, arith::AddIOp>(add) &&
         ((add->getOperand(0) == first && add->getOperand(1) == second) ||
          (add->getOperand(0) == second && add->getOperand(1) == first));
}

/// The other one of two tensors of one shape that are added up.
static Value getAddend(Operation *op, Value value) {
  auto join = dyn_cast<BroadcastOp>(op);
  if (!join || join.getInputs().size() != 2)
    return {};
  SmallVector<int64_t> all = getAllDims(join.getResult());
  if (join.getOperandDims(0) != ArrayRef(all) ||
      join.getOperandDims(1) != ArrayRef(all) ||
      !isAddition(join.getKernel().front()))
    return {};
  Value other = join.getInputs()[join.getInputs()[0] == value ? 1 : 0];
  return other == value ? Value() : other;
}

/// The place of a carried value that begins with zeros, and that a sum is added
/// to, or written into, if that is all that the sum and the value are for.
std::optional<unsigned> LoopRows::findAccumulator(ReduceOp reduce) {
  if (reduce.getNumResults() != 1 ||
      !isSum(reduce.getFold(), reduce.getInputs().size()) ||
      !isZeros(reduce.getInits().front()))
    return std::nullopt;
  Value value = reduce->getResult(0), addend;
  Operation *reader = nullptr;
  while (value.hasOneUse()) {
    reader = *value.user_begin();
    if (!isa<ReshapeOp, PermuteOp>(reader)) {
      Value other = addend ? Value() : getAddend(reader, value);
      if (!other)
        break;
      addend = other;
    }
    value = reader->getResult(0);
  }
  if (!value.hasOneUse())
    return std::nullopt;
  Value carried = addend;
  if (auto insert = dyn_cast<InsertOp>(reader)) {
    carried = insert.getOperand();
    // It is added to what was where it is written.
    auto slice = addend ? addend.getDefiningOp<SliceOp>() : SliceOp();
    if (insert.getUpdate() != value || !insert->hasOneUse() ||
        (addend &&
         (!slice || slice.getOperand() != carried || !slice->hasOneUse() ||
          slice.getMixedOffsets() != insert.getMixedOffsets() ||
          slice.getStrides() != insert.getStrides() ||
          slice.getType() != value.getType())))
      return std::nullopt;
    value = insert.getResult();
  }
  OpOperand &last = *value.use_begin();
  auto argument = dyn_cast_if_present<BlockArgument>(carried);
  if (last.getOwner() != loop.getBody()->getTerminator() || !argument ||
      argument != loop.getRegionIterArg(last.getOperandNumber()) ||
      !isZeros(loop.getInitArgs()[last.getOperandNumber()]))
    return std::nullopt;
  bool isRead = addend && addend != carried;
  if (llvm::range_size(argument.getUses()) != (isRead ? 2 : 1))
    return std::nullopt;
  return last.getOperandNumber();
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

void LoopRows::uniteAll(Value one, Value other) {
  for (int64_t dim : getAllDims(one))
    unite(one, dim, other, dim);
}

void LoopRows::fixAll(ValueRange values) {
  for (Value value : values)
    if (getTensor(value))
      for (int64_t dim : getAllDims(value))
        fix(value, dim);
}

void LoopRows::collectWalk(Operation &op, const Walk &walk) {
  // A dim of each loop stands for it.
  SmallVector<std::optional<TensorDim>> dims(walk.loops);
  auto add = [&](Value tensor, const Dims &of) {
    if (getTensor(tensor))
      for (auto [dim, number] : llvm::enumerate(of)) {
        TensorDim here(tensor, dim);
        classes.insert(here);
        if (dims[number])
          classes.unionSets(*dims[number], here);
        else
          dims[number] = here;
      }
  };
  for (auto [operand, of] : llvm::zip_equal(op.getOperands(), walk.operands))
    add(operand, of);
  for (auto [result, of] : llvm::zip_equal(op.getResults(), walk.results))
    add(result, of);
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce)
    return;
  std::optional<unsigned> place = findAccumulator(reduce);
  for (int64_t number : walk.whole)
    if (place)
      sums.emplace_back(*dims[number], *place);
    else
      fixed.push_back(*dims[number]);
}

void LoopRows::collectReshape(ReshapeOp reshape) {
  Value operand = reshape.getOperand(), result = reshape.getResult();
  for (auto [from, to] : llvm::zip_equal(
           reshape.getSourceGroups().getAsRange<DenseI64ArrayAttr>(),
           reshape.getResultGroups().getAsRange<DenseI64ArrayAttr>())) {
    if (from.size() == 1 && to.size() == 1) {
      unite(operand, from[0], result, to[0]);
      continue;
    }
    for (int64_t dim : from.asArrayRef())
      fix(operand, dim);
    for (int64_t dim : to.asArrayRef())
      fix(result, dim);
  }
}

void LoopRows::collectConcat(ConcatOp concat) {
  Value result = concat.getResult();
  int64_t along = concat.getDim();
  fix(result, along);
  for (Value operand : concat.getOperands())
    for (int64_t dim : getAllDims(operand))
      if (dim == along)
        fix(operand, dim);
      else
        unite(operand, dim, result, dim);
}

void LoopRows::collectBox(Value part, Value whole,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<int64_t> strides) {
  for (auto [dim, offset, stride] : llvm::enumerate(offsets, strides)) {
    int64_t size = getTensor(part).getDimSize(dim);
    if (isZeroInteger(offset) && stride == 1 && !ShapedType::isDynamic(size) &&
        size == getTensor(whole).getDimSize(dim)) {
      unite(part, dim, whole, dim);
      continue;
    }
    fix(part, dim);
    fix(whole, dim);
  }
}

/// Whether vectors can compute what a kernel does, as far as it is known before
/// functions are formulas.
static bool isOfLanes(Operation &op) {
  auto isLane = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return isa<Float32Type, Float64Type, IndexType>(element) ||
           element.isInteger(1) || element.isInteger(32) ||
           element.isInteger(64);
  };
  for (Region &kernel : op.getRegions())
    for (Operation &one : kernel.getOps())
      if (!one.hasTrait<OpTrait::IsTerminator>() &&
          (!isa<arith::ArithDialect, math::MathDialect>(one.getDialect()) ||
           isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
               one) ||
           !llvm::all_of(one.getResultTypes(), isLane)))
        return false;
  return llvm::all_of(op.getOperandTypes(), isLane) &&
         llvm::all_of(op.getResultTypes(), isLane);
}

bool LoopRows::collect(Operation &op) {
  for (Value operand : op.getOperands())
    if (!loop->isAncestor(operand.getParentBlock()->getParentOp()))
      captured.insert(operand);
  if (!isOfLanes(op))
    return false;
  if (std::optional<Walk> walk = Walk::of(&op)) {
    collectWalk(op, *walk);
    auto reduce = dyn_cast<ReduceOp>(op);
    return !reduce || reduce.hasCombine();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    collectReshape(reshape);
  } else if (auto slice = dyn_cast<SliceOp>(op)) {
    collectBox(slice.getResult(), slice.getOperand(), slice.getMixedOffsets(),
               slice.getStrides());
  } else if (auto insert = dyn_cast<InsertOp>(op)) {
    uniteAll(insert.getOperand(), insert.getResult());
    collectBox(insert.getUpdate(), insert.getOperand(),
               insert.getMixedOffsets(), insert.getStrides());
  } else if (auto concat = dyn_cast<ConcatOp>(op)) {
    collectConcat(concat);
  } else {
    fixAll(op.getOperands());
    fixAll(op.getResults());
    // What blocks do alike.
    return isa<IotaOp, ConstantOp>(op) ||
           (isa<arith::ArithDialect>(op.getDialect()) &&
            llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>));
  }
  return true;
}

bool LoopRows::collect() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!collect(op))
      return false;
  for (auto [carried, init, yielded, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs(),
                       loop.getYieldedValues(), loop.getResults())) {
    if (!getTensor(carried) ||
        !loop->isAncestor(yielded.getParentBlock()->getParentOp()))
      return false;
    for (Value other : {init, yielded, Value(result)})
      uniteAll(carried, other);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

int64_t LoopRows::count(Value tensor, const TensorDim &of) const {
  if (!getTensor(tensor))
    return 0;
  return llvm::count_if(getAllDims(tensor), [&](int64_t dim) {
    return classes.isEquivalent(of, TensorDim(tensor, dim));
  });
}

int64_t LoopRows::getSize(const TensorDim &dim) {
  return getTensor(dim.first).getDimSize(dim.second);
}

bool LoopRows::areRows(const TensorDim &dim) {
  auto isOfClass = [&](const TensorDim &other) {
    return classes.isEquivalent(dim, other);
  };
  // A square of rows is no block of rows.
  auto hasSquare = [&](Value value) { return count(value, dim) > 1; };
  return llvm::none_of(fixed, isOfClass) &&
         llvm::none_of(loop.getRegionIterArgs(), hasSquare) &&
         llvm::none_of(*loop.getBody(),
                       [&](Operation &op) {
                         return llvm::any_of(op.getResults(), hasSquare);
                       }) &&
         // Where sizes are not known to be the same, that is yet to be checked.
         llvm::all_of(classes.members(dim), [&](const TensorDim &other) {
           return getSize(other) == getSize(dim);
         });
}

SmallVector<TensorDim> LoopRows::getAxes() {
  SmallVector<TensorDim> axes;
  for (BlockArgument carried : loop.getRegionIterArgs())
    for (int64_t dim : getAllDims(carried)) {
      TensorDim axis(carried, dim);
      if (llvm::none_of(axes,
                        [&](const TensorDim &other) {
                          return classes.isEquivalent(axis, other);
                        }) &&
          areRows(axis))
        axes.push_back(axis);
    }
  return axes;
}

std::optional<int64_t> LoopRows::getDim(Value tensor, unsigned axis) const {
  if (getTensor(tensor))
    for (int64_t dim : getAllDims(tensor))
      if (classes.isEquivalent(rows[axis], TensorDim(tensor, dim)))
        return dim;
  return std::nullopt;
}

bool LoopRows::isOfRows(Value tensor) const {
  return llvm::any_of(llvm::seq(getAxisCount()), [&](unsigned axis) {
    return getDim(tensor, axis).has_value();
  });
}

bool LoopRows::isSummed(unsigned place, unsigned axis) const {
  return llvm::any_of(sums, [&](auto &sum) {
    return sum.second == place && classes.isEquivalent(rows[axis], sum.first);
  });
}

bool LoopRows::isSummed(unsigned place) const {
  return llvm::any_of(llvm::seq(getAxisCount()),
                      [&](unsigned axis) { return isSummed(place, axis); });
}

bool LoopRows::hasSums() const {
  return llvm::any_of(sums, [&](auto &sum) { return isSummed(sum.second); });
}

bool LoopRows::hasWholeSums() {
  return llvm::all_of(llvm::seq(loop.getNumResults()), [&](unsigned place) {
    return !isSummed(place) ||
           llvm::all_of(llvm::seq(getAxisCount()), [&](unsigned axis) {
             return isSummed(place, axis) ||
                    getDim(loop.getResult(place), axis);
           });
  });
}

bool LoopRows::isOnlySliced(Value tensor) const {
  return captured.contains(tensor) &&
         llvm::all_of(tensor.getUsers(), [&](Operation *user) {
           return isa<SliceOp>(user) || !loop->isProperAncestor(user);
         });
}
