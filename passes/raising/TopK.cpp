//===- TopK.cpp - The greatest elements along a dim, recognised -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognitions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "wax/Dialect/Recognized.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// What a comparator compares: the elements of one operand, the greatest first.
struct Order {
  unsigned operand;
  bool isUnsigned;
};

/// The two elements that a comparison `greater > less` is of.
struct Compared {
  Value less, greater;
};
} // namespace

/// Of which integers one is greater.
static std::optional<Compared> readIntegers(arith::CmpIOp compare,
                                            bool &isUnsigned) {
  using Predicate = arith::CmpIPredicate;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  isUnsigned = predicate == Predicate::ult || predicate == Predicate::ugt;
  if (predicate == Predicate::slt || predicate == Predicate::ult)
    return Compared{lhs, rhs};
  if (predicate == Predicate::sgt || predicate == Predicate::ugt)
    return Compared{rhs, lhs};
  return std::nullopt;
}

/// Of which floats one is greater or NaN, and the other is not NaN.
static std::optional<Compared> readFloats(arith::AndIOp both) {
  using Predicate = arith::CmpFPredicate;
  for (auto [first, second] : {std::pair(both.getLhs(), both.getRhs()),
                               std::pair(both.getRhs(), both.getLhs())}) {
    auto compare = first.getDefiningOp<arith::CmpFOp>();
    auto isNumber = second.getDefiningOp<arith::CmpFOp>();
    if (!compare || !isNumber || isNumber.getPredicate() != Predicate::ORD ||
        isNumber.getLhs() != isNumber.getRhs())
      continue;
    Compared found{compare.getLhs(), compare.getRhs()};
    if (compare.getPredicate() == Predicate::UGT)
      std::swap(found.less, found.greater);
    else if (compare.getPredicate() != Predicate::ULT)
      continue;
    if (isNumber.getLhs() == found.less)
      return found;
  }
  return std::nullopt;
}

static std::optional<Order> readOrder(SortOp sort) {
  Block &comparator = sort.getComparator().front();
  Operation *test = comparator.getTerminator()->getOperand(0).getDefiningOp();
  bool isUnsigned = false;
  std::optional<Compared> found;
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(test))
    found = readIntegers(compare, isUnsigned);
  else if (auto both = dyn_cast_or_null<arith::AndIOp>(test))
    found = readFloats(both);
  if (!found)
    return std::nullopt;
  // What goes before is the greater one.
  auto before = dyn_cast<BlockArgument>(found->greater);
  auto after = dyn_cast<BlockArgument>(found->less);
  if (!before || !after || before.getArgNumber() % 2 != 0 ||
      after.getArgNumber() != before.getArgNumber() + 1)
    return std::nullopt;
  return Order{before.getArgNumber() / 2, isUnsigned};
}

/// Whether a size is that of a dim of what is sorted.
static bool isSizeOf(OpFoldResult size, SortOp sort, int64_t dim) {
  auto value = dyn_cast<Value>(size);
  auto asked = value ? value.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  return asked && asked.getConstantIndex() == dim &&
         (asked.getSource().getDefiningOp() == sort ||
          llvm::is_contained(sort.getInputs(), asked.getSource()));
}

/// Whether a slice takes the first ones along a dim, and all along the others.
static bool takesFirst(SliceOp slice, SortOp sort) {
  int64_t dim = sort.getDim();
  auto source = cast<RankedTensorType>(slice.getOperand().getType());
  auto type = cast<RankedTensorType>(slice.getResult().getType());
  auto isZero = [](OpFoldResult offset) {
    return isConstantIntValue(offset, 0);
  };
  if (!llvm::all_of(slice.getMixedOffsets(), isZero) ||
      llvm::any_of(slice.getStrides(),
                   [](int64_t stride) { return stride != 1; }))
    return false;
  for (auto [other, size] : llvm::enumerate(slice.getMixedSizes())) {
    if (static_cast<int64_t>(other) == dim) {
      if (type.isDynamicDim(other))
        return false;
      continue;
    }
    bool isWhole = source.isDynamicDim(other)
                       ? isSizeOf(size, sort, other)
                       : isConstantIntValue(size, source.getDimSize(other));
    if (!isWhole)
      return false;
  }
  return true;
}

/// Whether a tensor counts its elements along a dim, and does not overflow.
static bool countsAlong(Reader &reader, Value tensor, int64_t dim) {
  Element element = reader.resolve(reader.read(tensor));
  auto iota = Reader::getOp<IotaOp>(element);
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(tensor));
  return iota && type && type.getWidth() >= 32 &&
         element.indices[iota.getDim()] == dim;
}

std::optional<Recognition> mlir::wax::recognizeTopK(Reader &reader,
                                                    Value result) {
  auto slice = result.getDefiningOp<SliceOp>();
  auto sort = slice ? slice.getOperand().getDefiningOp<SortOp>() : SortOp();
  if (!sort || sort.getInputs().size() > 2 || reader.stops.contains(result))
    return std::nullopt;
  int64_t dim = sort.getDim();
  std::optional<Order> order = readOrder(sort);
  if (!order)
    return std::nullopt;

  Builder builder(result.getContext());
  Recognition made;
  made.name = TopKOp::getOperationName();
  made.operands = {sort.getInputs()[order->operand]};
  SmallVector<StringRef> gives;
  for (auto [place, sorted] : llvm::enumerate(sort.getOutputs())) {
    bool isValue = place == order->operand;
    if (!isValue && !countsAlong(reader, sort.getInputs()[place], dim))
      return std::nullopt;
    if (sorted.use_empty())
      continue;
    auto taken = dyn_cast<SliceOp>(*sorted.user_begin());
    if (!sorted.hasOneUse() || !taken || !takesFirst(taken, sort) ||
        taken->getBlock() != slice->getBlock() ||
        taken.getType().getShape() != slice.getType().getShape())
      return std::nullopt;
    made.results.push_back(taken.getResult());
    gives.push_back(isValue ? "values" : "indices");
  }
  made.attributes.set("dim", builder.getI64IntegerAttr(dim));
  made.attributes.set("gives", builder.getStrArrayAttr(gives));
  if (order->isUnsigned)
    made.attributes.set("is_unsigned", builder.getUnitAttr());
  return made;
}
