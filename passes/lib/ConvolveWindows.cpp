//===- ConvolveWindows.cpp - Convolutions of what shows windows -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Tensors.h"
#include "../raising/Convolution.h"
#include "../raising/Outline.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_CONVOLVEWINDOWS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// One dim for each role
//===----------------------------------------------------------------------===//

namespace {
/// Where roles stand if dims move as little as they can: those that dims play,
/// in the order of these, and then the others.
struct Layout {
  explicit Layout(const Roles &roles)
      : order(llvm::to_vector(llvm::seq<int64_t>(roles.size()))),
        places(roles.size()) {
    llvm::stable_sort(order, [&](int64_t a, int64_t b) {
      if (roles[a].empty() || roles[b].empty())
        return !roles[a].empty() && roles[b].empty();
      return roles[a].front() < roles[b].front();
    });
    for (auto [place, role] : llvm::enumerate(order)) {
      places[role] = place;
      llvm::append_range(dims, roles[role]);
    }
  }

  SmallVector<int64_t> order, places;
  /// The dims of all roles in this order.
  SmallVector<int64_t> dims;
};
} // namespace

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Groups of neighbouring dims, one for each role.
static ArrayAttr getGroups(Builder &builder, const Roles &roles,
                           const Layout &layout) {
  SmallVector<Attribute> groups;
  int64_t next = 0;
  for (int64_t role : layout.order) {
    int64_t end = next + roles[role].size();
    groups.push_back(
        builder.getDenseI64ArrayAttr(llvm::to_vector(llvm::seq(next, end))));
    next = end;
  }
  return builder.getArrayAttr(groups);
}

static ArrayAttr getSingles(Builder &builder, int64_t count) {
  return builder.getArrayAttr(
      llvm::map_to_vector(llvm::seq(count), [&](int64_t dim) -> Attribute {
        return builder.getDenseI64ArrayAttr(dim);
      }));
}

static bool isOneEach(const Roles &roles) {
  return llvm::all_of(roles, [](const auto &dims) { return dims.size() == 1; });
}

/// The size of neighbouring dims that become one.
static int64_t getMergedSize(ArrayRef<int64_t> sizes) {
  if (llvm::is_contained(sizes, 0))
    return 0;
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return ShapedType::kDynamic;
  return llvm::product_of(sizes);
}

/// A tensor with one dim for each role.
static Value arrange(OpBuilder &builder, Location loc, Value value,
                     const Roles &roles, const Layout &layout) {
  if (!llvm::is_sorted(layout.dims))
    value = PermuteOp::create(builder, loc, value, layout.dims);
  if (isOneEach(roles))
    return value;
  ArrayRef<int64_t> rest = getTensor(value).getShape();
  SmallVector<int64_t> shape;
  for (int64_t role : layout.order) {
    shape.push_back(getMergedSize(rest.take_front(roles[role].size())));
    rest = rest.drop_front(roles[role].size());
  }
  return ReshapeOp::create(builder, loc, getTensor(value).clone(shape), value,
                           /*sizes=*/ValueRange(),
                           getGroups(builder, roles, layout),
                           getSingles(builder, roles.size()));
}

/// The way back, to dims of these sizes; none is needed of a dim that plays a
/// role alone.
static Value disarrange(OpBuilder &builder, Location loc, Value value,
                        const Roles &roles, const Layout &layout,
                        ArrayRef<OpFoldResult> dimSizes) {
  if (!isOneEach(roles)) {
    SmallVector<int64_t> merged(getTensor(value).getShape()), shape;
    SmallVector<Value> sizes;
    for (auto [place, role] : llvm::enumerate(layout.order)) {
      if (roles[role].empty())
        merged[place] = 1;
      if (roles[role].size() == 1)
        shape.push_back(merged[place]);
      if (roles[role].size() < 2)
        continue;
      for (int64_t dim : roles[role]) {
        auto size = dyn_cast<Value>(dimSizes[dim]);
        shape.push_back(size ? ShapedType::kDynamic
                             : *getConstantIntValue(dimSizes[dim]));
        if (size)
          sizes.push_back(size);
      }
    }
    value = castTo(builder, loc, getTensor(value).clone(merged), value);
    value = ReshapeOp::create(builder, loc, getTensor(value).clone(shape),
                              value, sizes, getSingles(builder, roles.size()),
                              getGroups(builder, roles, layout));
  }
  SmallVector<int64_t> permutation(layout.dims.size());
  for (auto [place, dim] : llvm::enumerate(layout.dims))
    permutation[dim] = place;
  if (llvm::is_sorted(permutation))
    return value;
  return PermuteOp::create(builder, loc, value, permutation);
}

//===----------------------------------------------------------------------===//
// The convolution
//===----------------------------------------------------------------------===//

/// Whether a convolution widens the elements of both as the program does.
static bool isWidenedAlike(const Convolved &lhs, const Convolved &rhs) {
  Type element = getElementTypeOrSelf(lhs.value);
  if (element != getElementTypeOrSelf(rhs.value) || element.isInteger(1))
    return false;
  if (!lhs.widening || !rhs.widening)
    return lhs.widening == rhs.widening;
  return lhs.widening->getName() == rhs.widening->getName() &&
         !isa<arith::ExtUIOp>(lhs.widening);
}

static Value widen(OpBuilder &builder, Location loc, const Convolved &operand) {
  if (!operand.widening)
    return operand.value;
  return createPointwise(builder, loc, operand.value,
                         [&](OpBuilder &body, Location, ValueRange in) {
                           Operation *made = body.clone(*operand.widening);
                           made->setOperands(in);
                           return made->getResult(0);
                         });
}

/// The sizes of the dims of the result that share a role.
static SmallVector<OpFoldResult>
getSharedSizes(OpBuilder &builder, Location loc, const Convolution &found) {
  SmallVector<OpFoldResult> sizes(llvm::sum_of(llvm::map_range(
      found.roles, [](const auto &dims) { return dims.size(); })));
  auto read = [&](ConvolveOp::DimRole role, const Convolved &operand) {
    if (found.roles[role].size() < 2)
      return;
    for (auto [dim, from] : llvm::zip(found.roles[role], operand.roles[role]))
      sizes[dim] = tensor::getMixedSize(builder, loc, operand.value, from);
  };
  read(ConvolveOp::kBatch, found.lhs);
  read(ConvolveOp::kOut, found.rhs);
  return sizes;
}

/// The user's lines in a location, each as file, line and column.
static ArrayAttr getLines(Builder &builder, Location loc) {
  llvm::SetVector<Attribute> lines;
  loc->walk([&](Location part) {
    if (auto at = dyn_cast<FileLineColLoc>(part))
      lines.insert(builder.getArrayAttr(
          {at.getFilename(), builder.getI64IntegerAttr(at.getLine()),
           builder.getI64IntegerAttr(at.getColumn())}));
    return WalkResult::advance();
  });
  return builder.getArrayAttr(lines.getArrayRef());
}

static Value convolve(OpBuilder &builder, Location loc,
                      const Convolution &found, RankedTensorType type,
                      bool tellLines) {
  bool isAlike = isWidenedAlike(found.lhs, found.rhs);
  auto take = [&](const Convolved &from, const Layout &layout) {
    return arrange(builder, loc,
                   isAlike ? from.value : widen(builder, loc, from), from.roles,
                   layout);
  };
  Layout lhsLayout(found.lhs.roles), rhsLayout(found.rhs.roles),
      layout(found.roles);
  Value lhs = take(found.lhs, lhsLayout);
  Value rhs = take(found.rhs, rhsLayout);
  SmallVector<int64_t> none(found.strides.size(), 0);
  SmallVector<int64_t> one(found.strides.size(), 1);
  auto op = ConvolveOp::create(
      builder, loc, lhs, rhs, lhsLayout.places, rhsLayout.places, layout.places,
      found.strides, /*low=*/none,
      /*high=*/none, /*lhs_dilations=*/one, found.dilations, found.groups,
      /*batch_groups=*/1, found.accumulator);
  if (tellLines)
    op->setAttr("lines", getLines(builder, loc));
  Value made = createConverted(builder, loc, op, type.getElementType());
  made = disarrange(builder, loc, made, found.roles, layout,
                    getSharedSizes(builder, loc, found));
  return castTo(builder, loc, type, made);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvolveWindows : wax::impl::ConvolveWindowsBase<ConvolveWindows> {
  using ConvolveWindowsBase::ConvolveWindowsBase;

  void runOnOperation() override {
    WalkResult found =
        getOperation()->walk([](WindowOp) { return WalkResult::interrupt(); });
    if (!found.wasInterrupted())
      return;
    IRRewriter rewriter(&getContext());
    for (Block *block : getBlocksOfBasis(getOperation()))
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (op.hasTrait<OpTrait::wax::Basis>() && isOpTriviallyDead(&op))
          rewriter.eraseOp(&op);
        else if (isa<ReduceOp, PermuteOp, ReshapeOp, MapOp, BroadcastOp>(op))
          replace(&op, block, rewriter);
  }

private:
  /// As for recognised operations, what others read too is not looked through.
  void replace(Operation *op, Block *block, IRRewriter &rewriter) {
    Reader reader(block);
    Value result = op->getResult(0);
    while (std::optional<Convolution> found = readConvolution(reader, result)) {
      Recognition parts;
      parts.operands = {found->lhs.value, found->rhs.value};
      parts.results = {result};
      if (Value obstacle = findObstacle(parts)) {
        if (!reader.stops.insert(obstacle).second)
          return;
        continue;
      }
      Location loc = getLocation(parts);
      rewriter.setInsertionPoint(op);
      Value made =
          convolve(rewriter, loc, *found, getTensor(result), tellLines);
      rewriter.replaceAllUsesWith(result, made);
      rewriter.eraseOp(op);
      return;
    }
  }
};
} // namespace
