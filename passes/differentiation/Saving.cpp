//===- Saving.cpp - What of a checkpoint is kept --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checkpoint.h"
#include "Folds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::wax;

/// The argument that a scalar of a kernel is, in whatever format.
static BlockArgument getArgument(Value scalar) {
  while (auto wide = scalar.getDefiningOp<arith::ExtFOp>())
    scalar = wide.getIn();
  return dyn_cast<BlockArgument>(scalar);
}

/// Whether a value is a sum of products of two tensors' elements; where it is
/// to be `unbatched`, such that each dim which is left is one of them alone.
static bool isDot(Value value, bool unbatched) {
  auto sum = value.getDefiningOp<ReduceOp>();
  if (!sum || sum.getInputs().size() != 1 ||
      !isSum(sum.getFold(), /*inputCount=*/1))
    return false;
  auto product = sum.getInputs().front().getDefiningOp<BroadcastOp>();
  if (!product)
    return false;
  Operation *scalar = product.getKernel()
                          .front()
                          .getTerminator()
                          ->getOperand(0)
                          .getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::MulIOp, complex::MulOp>(scalar))
    return false;
  BlockArgument lhs = getArgument(scalar->getOperand(0)),
                rhs = getArgument(scalar->getOperand(1));
  if (!lhs || !rhs)
    return false;
  if (!unbatched)
    return true;
  ArrayRef<int64_t> other = product.getOperandDims(rhs.getArgNumber());
  return llvm::none_of(product.getOperandDims(lhs.getArgNumber()),
                       [&](int64_t dim) {
                         return llvm::is_contained(other, dim) &&
                                !llvm::is_contained(sum.getDims(), dim);
                       });
}

/// What a sum of half floats, which is made in f32, is read as.
static Value getRounded(Value value) {
  if (!value.hasOneUse())
    return value;
  auto map = dyn_cast<MapOp>(*value.user_begin());
  if (!map)
    return value;
  Operation *scalar =
      map.getKernel().front().getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<arith::TruncFOp>(scalar) &&
                 isa<BlockArgument>(scalar->getOperand(0))
             ? map.getResult()
             : value;
}

static bool hasName(ArrayAttr rule, NameOp name) {
  return llvm::is_contained(rule.getValue().drop_front(), name.getNameAttr());
}

/// Whether a rule that keeps values by default leaves this one out.
static bool isNamed(ArrayAttr rule, Value value) {
  auto own = value.getDefiningOp<NameOp>();
  return (own && hasName(rule, own)) ||
         llvm::any_of(value.getUsers(), [&](Operation *user) {
           auto name = dyn_cast<NameOp>(user);
           return name && hasName(rule, name);
         });
}

static bool isKept(ArrayAttr rule, Value value) {
  StringRef kind = cast<StringAttr>(rule[0]).getValue();
  auto name = value.getDefiningOp<NameOp>();
  if (kind == "names")
    return name && hasName(rule, name);
  if (kind == "other_names")
    return name && !hasName(rule, name);
  if (kind == "unnamed")
    return !isNamed(rule, value);
  if (kind == "everything")
    return true;
  return isDot(value, /*unbatched=*/kind == "unbatched_dots");
}

SmallVector<Value> mlir::wax::getSaved(CheckpointOp op) {
  llvm::DenseSet<Value> saved;
  Block &block = op.getBody().front();
  for (Operation &one : block.without_terminator()) {
    // What costs nothing is made anew.
    if (one.hasTrait<OpTrait::ConstantLike>() ||
        isa<IotaOp, tensor::CastOp>(one))
      continue;
    for (Value value : one.getResults())
      if (isa<RankedTensorType>(value.getType()) &&
          llvm::any_of(op.getSaving(), [&](Attribute rule) {
            return isKept(cast<ArrayAttr>(rule), value);
          }))
        saved.insert(getRounded(value));
  }
  SmallVector<Value> ordered;
  for (Operation &one : block)
    llvm::copy_if(one.getResults(), std::back_inserter(ordered),
                  [&](Value value) { return saved.contains(value); });
  return ordered;
}
