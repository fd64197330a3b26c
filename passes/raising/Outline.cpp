//===- Outline.cpp - Operations put into one ------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// The operations between operands and results.
class Slice {
public:
  explicit Slice(const Recognition &found)
      : found(found), block(getBlock(found)) {}

  /// Gives the value that is in the way, if there is one.
  Value collect() {
    for (Value result : found.results)
      if (Value obstacle = add(result))
        return obstacle;
    for (Operation *op : inside)
      if (isMoved(op))
        for (Value result : op->getResults())
          if (!llvm::is_contained(found.results, result) &&
              isReadOutside(result))
            return result;
    return {};
  }

  /// What the slice reads beside the operands, which are sizes.
  ArrayRef<Value> getSizes() const { return sizes.getArrayRef(); }

  /// The operations in program order.
  SmallVector<Operation *> getOrdered() const {
    SmallVector<Operation *> ordered;
    Operation *function = block->getParentOp();
    while (!function->hasTrait<OpTrait::IsIsolatedFromAbove>())
      function = function->getParentOp();
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (inside.contains(op))
        ordered.push_back(op);
    });
    return ordered;
  }

private:
  static Block *getBlock(const Recognition &found) {
    Value result = found.results.front();
    return result.getParentBlock();
  }

  /// All else is copied, and stays where others read it.
  bool isMoved(Operation *op) const {
    return op->getBlock() == block && op->hasTrait<OpTrait::wax::Basis>() &&
           !isFromNothing(op->getResult(0));
  }

  bool isReadOutside(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !inside.contains(user);
    });
  }

  Value add(Value value) {
    if (llvm::is_contained(found.operands, value))
      return {};
    Operation *op = value.getDefiningOp();
    if (value.getType().isIndex())
      return addSize(value, op);
    if (!op ||
        !(isa<tensor::CastOp>(op) || isFromNothing(value) ||
          (op->hasTrait<OpTrait::wax::Basis>() && op->getBlock() == block)))
      return value;
    return addOperation(op);
  }

  Value addOperation(Operation *op) {
    if (inside.contains(op))
      return {};
    for (Value operand : op->getOperands())
      if (Value obstacle = add(operand))
        return obstacle;
    inside.insert(op);
    return {};
  }

  /// Sizes of operands are asked inside; all others are given.
  Value addSize(Value value, Operation *op) {
    auto dim = dyn_cast_or_null<tensor::DimOp>(op);
    if (isa_and_present<arith::ConstantOp>(op) ||
        (dim && llvm::is_contained(found.operands, dim.getSource())))
      return addOperation(op);
    sizes.insert(value);
    return {};
  }

  const Recognition &found;
  Block *block;
  llvm::SetVector<Operation *> inside;
  llvm::SetVector<Value> sizes;
};
} // namespace

/// The location of an operation, and with it of all others.
static Location fuse(Operation *root, ArrayRef<Operation *> ops) {
  SmallVector<Location> locations{root->getLoc()};
  for (Operation *op : ops)
    if (!isFromNothing(op->getResult(0)))
      locations.push_back(op->getLoc());
  return FusedLoc::get(root->getContext(), locations);
}

/// The first of the operations that give the results.
static Operation *getRoot(const Recognition &found) {
  Operation *root = found.results.front().getDefiningOp();
  for (Value result : found.results)
    if (Operation *op = result.getDefiningOp(); op->isBeforeInBlock(root))
      root = op;
  return root;
}

/// Whether a value may be read where an operation stands.
static bool isThere(Value value, Operation *op) {
  Operation *maker = value.getDefiningOp();
  return !maker || maker->getBlock() != op->getBlock() ||
         maker->isBeforeInBlock(op);
}

SmallVector<Block *> mlir::wax::getBlocksOfBasis(Operation *root) {
  SmallVector<Block *> blocks;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasTrait<OpTrait::wax::Basis>() || isa<RecognizedOpInterface>(op))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
    return WalkResult::advance();
  });
  return blocks;
}

Value mlir::wax::findObstacle(const Recognition &found) {
  return Slice(found).collect();
}

Location mlir::wax::getLocation(const Recognition &found) {
  Slice slice(found);
  (void)slice.collect();
  return fuse(getRoot(found), slice.getOrdered());
}

Value mlir::wax::outline(IRRewriter &rewriter, const Recognition &found) {
  Slice slice(found);
  if (Value obstacle = slice.collect())
    return obstacle;
  SmallVector<Value> operands(found.operands);
  llvm::append_range(operands, slice.getSizes());
  Operation *root = getRoot(found);
  for (Value operand : operands)
    if (!isThere(operand, root))
      return operand;
  SmallVector<Operation *> ops = slice.getOrdered();
  NamedAttrList attributes = found.attributes;
  if (!found.segments.empty()) {
    SmallVector<int32_t> segments(found.segments);
    segments.push_back(slice.getSizes().size());
    attributes.set("operandSegmentSizes",
                   rewriter.getDenseI32ArrayAttr(segments));
  }
  Location loc = fuse(root, ops);
  OperationState state(loc, found.name, operands,
                       ValueRange(found.results).getTypes(), attributes);
  Region *region = state.addRegion();
  Block &body = region->emplaceBlock();
  IRMapping mapping;
  for (Value operand : operands) {
    BlockArgument argument = body.addArgument(operand.getType(), loc);
    if (!mapping.contains(operand))
      mapping.map(operand, argument);
  }
  rewriter.setInsertionPointToEnd(&body);
  for (Operation *op : ops)
    rewriter.clone(*op, mapping);
  SmallVector<Value> given = llvm::map_to_vector(
      found.results, [&](Value value) { return mapping.lookup(value); });
  ReturnOp::create(rewriter, root->getLoc(), given);

  rewriter.setInsertionPoint(root);
  Operation *made = rewriter.create(state);
  for (auto [from, to] : llvm::zip_equal(found.results, made->getResults()))
    rewriter.replaceAllUsesWith(from, to);
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      rewriter.eraseOp(op);
  return {};
}
