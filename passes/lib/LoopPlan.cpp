//===- LoopPlan.cpp - Which loops are one dispatch ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlan.h"

#include "../lowering/Vectors.h"
#include "SmallTensors.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::wax;

/// Pieces of a box, beyond which it is too long as the others are.
static constexpr int64_t mostRuns = 512;
/// Half of what IREE gives a dispatch.
static constexpr int64_t mostOfStack = 16384;

std::optional<int64_t> mlir::wax::getElementCount(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0)
    return std::nullopt;
  return tensor.getNumElements();
}

bool mlir::wax::isStaticView(Operation *op) {
  if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op))
    return slice.hasUnitStride() &&
           llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
           llvm::none_of(slice.getStaticSizes(), ShapedType::isDynamic);
  return isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::optional<Points> Points::of(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() == 0)
    return std::nullopt;
  Points points;
  points.sizes = op.getStaticLoopRanges();
  if (llvm::any_of(points.sizes, [](int64_t size) { return size <= 0; }))
    return std::nullopt;
  AffineMap order = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != order)
      return std::nullopt;
  if (!order.isProjectedPermutation())
    return std::nullopt;
  for (AffineExpr result : order.getResults()) {
    points.parallel.push_back(cast<AffineDimExpr>(result).getPosition());
    points.count *= points.sizes[points.parallel.back()];
  }
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isParallel = llvm::is_contained(points.parallel, dim);
    if (kind != (isParallel ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction))
      return std::nullopt;
    if (isParallel)
      continue;
    points.reduction.push_back(dim);
    points.folded *= points.sizes[dim];
  }
  if (!points.reduction.empty() && op->getNumResults() == 1) {
    SmallVector<Operation *> combiners;
    if (matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
        combiners.size() == 1)
      if (auto neutral = arith::getNeutralElement(combiners.front())) {
        points.combiner = combiners.front();
        points.neutral = *neutral;
      }
  }
  return points;
}

SmallVector<int64_t> Points::getIndices(int64_t point, int64_t folded) const {
  SmallVector<int64_t> indices(sizes.size(), 0);
  for (unsigned dim : llvm::reverse(parallel)) {
    indices[dim] = point % sizes[dim];
    point /= sizes[dim];
  }
  for (unsigned dim : llvm::reverse(reduction)) {
    indices[dim] = folded % sizes[dim];
    folded /= sizes[dim];
  }
  return indices;
}

/// Emissions of the body where each lane is a result, or a folded point.
static int64_t getAcross(const Points &points, int64_t lanes) {
  return llvm::divideCeil(points.count, lanes) * points.folded;
}
static int64_t getAlong(const Points &points, int64_t lanes) {
  return points.count *
         (llvm::divideCeil(points.folded, lanes) + llvm::Log2_64_Ceil(lanes));
}

bool Points::foldsLanes(int64_t lanes) const {
  return combiner && getAlong(*this, lanes) < getAcross(*this, lanes);
}

int64_t Points::getEmissions(int64_t lanes) const {
  return foldsLanes(lanes) ? getAlong(*this, lanes) : getAcross(*this, lanes);
}

//===----------------------------------------------------------------------===//
// LoopPlan
//===----------------------------------------------------------------------===//

bool mlir::wax::isStructure(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp,
             scf::ConditionOp>(op);
}

static bool isScalar(Type type) {
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

bool mlir::wax::isSmall(Type type) {
  std::optional<int64_t> count = getElementCount(type);
  if (!count)
    return false;
  Type element = getElementTypeOrSelf(type);
  if (*count == 1)
    return isScalar(element);
  return isLaneType(element) && !element.isIndex() &&
         *count * element.getIntOrFloatBitWidth() / 8 <= mostTurnBytes;
}

/// A tensor that boxes of known sizes are read from: only its first size may
/// be open.
static bool isMemory(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0 ||
      isa<ComplexType>(tensor.getElementType()))
    return false;
  return isLaneType(tensor.getElementType()) &&
         !tensor.getElementType().isIndex() &&
         llvm::none_of(tensor.getShape().drop_front(), ShapedType::isDynamic) &&
         !llvm::is_contained(tensor.getShape(), 0);
}

bool mlir::wax::isHeldType(Type type) {
  return isSmall(type) || isMemory(type);
}

void LoopPlan::chooseLanes() {
  int64_t bits = 32;
  auto widen = [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    if (isa<RankedTensorType>(type) && element.isIntOrFloat())
      bits = std::max<int64_t>(bits, element.getIntOrFloatBitWidth());
  };
  loop->walk([&](Operation *op) {
    llvm::for_each(op->getOperandTypes(), widen);
    llvm::for_each(op->getResultTypes(), widen);
  });
  lanes = 512 / bits;
}

/// Lanes that hold no element may divide by zero.
static bool isDivision(Operation &op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

/// Whether a use only reads boxes or elements of a tensor.
static bool isBoxRead(OpOperand &use) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
    return use.get() == slice.getSource();
  return isa<tensor::ExtractOp>(use.getOwner());
}

/// What the loop would otherwise write to where it is.
static bool isDonated(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function &&
         function.getArgAttr(argument.getArgNumber(), "wax.donated");
}

OpFoldResult mlir::wax::getFilling(Value tensor) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)) && constant.isSplat())
    return constant.getSplatValue<Attribute>();
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return fill.getInputs().front();
  return {};
}

Attribute mlir::wax::getConstantFilling(Value tensor) {
  OpFoldResult filling = getFilling(tensor);
  auto constant = dyn_cast_if_present<Attribute>(filling);
  if (filling && !constant)
    matchPattern(cast<Value>(filling), m_Constant(&constant));
  return constant;
}

bool mlir::wax::areFilledAlike(Value one, Value other) {
  OpFoldResult first = getFilling(one);
  Attribute constant = getConstantFilling(one);
  return first && (first == getFilling(other) ||
                   (constant && constant == getConstantFilling(other)));
}

Value mlir::wax::createFilling(OpBuilder &builder, Location loc, Value tensor) {
  OpFoldResult element = getFilling(tensor);
  if (!element)
    return {};
  if (auto scalar = dyn_cast<Value>(element))
    return scalar;
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(cast<Attribute>(element)));
}

/// What a loop carries at a place as a turn changes it, the result last, if the
/// turn only reads boxes of it, and then writes one, again and again.
std::optional<SmallVector<Value>>
LoopPlan::followCarried(scf::ForOp loop, unsigned place) const {
  Value current = loop.getRegionIterArg(place);
  Block *body = loop.getBody();
  SmallVector<Value> versions;
  while (true) {
    versions.push_back(current);
    tensor::InsertSliceOp write;
    bool isYielded = false;
    for (OpOperand &use : current.getUses()) {
      if (isBoxRead(use))
        continue;
      auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
      if (insert && insert->getBlock() == body && !write &&
          use.get() == insert.getDest() && use.get() != insert.getSource())
        write = insert;
      else if (use.getOwner() == body->getTerminator() && !isYielded &&
               use.getOperandNumber() == place)
        isYielded = true;
      else
        return std::nullopt;
    }
    if (isYielded == static_cast<bool>(write))
      return std::nullopt;
    if (isYielded)
      break;
    for (Operation *user : current.getUsers())
      if (user != write &&
          !body->findAncestorOpInBlock(*user)->isBeforeInBlock(write))
        return std::nullopt;
    current = write.getResult();
  }
  versions.push_back(loop.getResult(place));
  return versions;
}

bool LoopPlan::carryInMemory(scf::ForOp loop, unsigned place) {
  std::optional<SmallVector<Value>> versions = followCarried(loop, place);
  Value init = loop.getInitArgs()[place];
  if (!versions || !isMemory(versions->front().getType()) ||
      !isMemory(init.getType()) || (!getFilling(init) && isDonated(init)))
    return false;
  inMemory.insert_range(*versions);
  return true;
}

/// Whether a number in a loop of the loop is the same in all turns of the outer
/// one, for each turn of its own.
bool LoopPlan::isAlikeInTurns(Value value, scf::ForOp inner) const {
  if (isOutside(value) || value == inner.getInductionVar())
    return true;
  Operation *definition = value.getDefiningOp();
  return definition && isa<arith::ArithDialect>(definition->getDialect()) &&
         llvm::all_of(definition->getOperands(), [&](Value operand) {
           return isAlikeInTurns(operand, inner);
         });
}

/// Whether what is written of a window is the same part of it in all turns of
/// the loop: all of it along dims in which windows are not at the same place.
/// Else what another turn wrote would be left where it begins with a filling.
bool LoopPlan::writesAlike(scf::ForOp inner, tensor::InsertSliceOp write,
                           tensor::InsertSliceOp window) const {
  ArrayRef<int64_t> shape = write.getDestType().getShape();
  for (auto [at, offset, size, length] :
       llvm::zip_equal(window.getMixedOffsets(), write.getMixedOffsets(),
                       write.getStaticSizes(), shape)) {
    auto value = dyn_cast<Value>(offset);
    if (value && !isAlikeInTurns(value, inner))
      return false;
    auto place = dyn_cast<Value>(at);
    if (place && !isAlikeInTurns(place, inner) &&
        (!isZeroInteger(offset) || ShapedType::isDynamic(length) ||
         size != length))
      return false;
  }
  return write.hasUnitStride();
}

bool LoopPlan::carryInWindow(scf::ForOp inner, unsigned place) {
  Value result = inner.getResult(place);
  auto write = result.hasOneUse()
                   ? dyn_cast<tensor::InsertSliceOp>(*result.user_begin())
                   : tensor::InsertSliceOp();
  if (!write || write.getSource() != result || !write.hasUnitStride() ||
      write->getBlock() != inner->getBlock() ||
      write.getSourceType().getRank() != write.getDestType().getRank())
    return false;
  // Nothing else has to see what the outer loop carries as it was.
  Value whole = write.getDest();
  if (!inMemory.contains(whole) || !whole.hasOneUse())
    return false;
  SmallVector<Value> before(write.getOffsets());
  before.push_back(whole);
  for (Value value : before)
    if (Operation *definition = value.getDefiningOp();
        definition && definition->getBlock() == inner->getBlock() &&
        !definition->isBeforeInBlock(inner))
      return false;
  // What no turn writes is as the outer loop began.
  auto carried = dyn_cast<BlockArgument>(whole);
  if (!carried ||
      !areFilledAlike(inner.getInitArgs()[place],
                      cast<scf::ForOp>(loop).getTiedLoopInit(carried)->get()) ||
      !llvm::all_of(ValueRange{inner.getLowerBound(), inner.getUpperBound(),
                               inner.getStep()},
                    [&](Value bound) { return isAlikeInTurns(bound, inner); }))
    return false;
  std::optional<SmallVector<Value>> versions = followCarried(inner, place);
  if (!versions)
    return false;
  for (Value version : *versions) {
    // Other windows may have written where this one is.
    if (version != result && llvm::any_of(version.getUses(), isBoxRead))
      return false;
    if (auto inside = version.getDefiningOp<tensor::InsertSliceOp>();
        inside && !writesAlike(inner, inside, write))
      return false;
    inMemory.insert(version);
    windows[version] = write;
  }
  return true;
}

RankedTensorType LoopPlan::getMemoryType(Value value) const {
  while (tensor::InsertSliceOp window = getWindow(value))
    value = window.getDest();
  return cast<RankedTensorType>(value.getType());
}

/// Whether a turn asks for a value's elements at places that it computes.
static bool hasOpenPlaces(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      return llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return llvm::any_of(insert.getStaticOffsets(), ShapedType::isDynamic);
    auto extract = dyn_cast<tensor::ExtractOp>(user);
    return extract && getElementCount(extract.getTensor().getType()) != 1;
  });
}

bool LoopPlan::placeCarried() {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted)
    return true;
  auto isLarge = [](Value carried) {
    return isa<RankedTensorType>(carried.getType()) &&
           (!isSmall(carried.getType()) || hasOpenPlaces(carried));
  };
  for (auto [place, carried] : llvm::enumerate(counted.getRegionIterArgs()))
    if (isLarge(carried) && !carryInMemory(counted, place))
      return false;
  for (auto inner : counted.getBody()->getOps<scf::ForOp>())
    for (auto [place, carried] : llvm::enumerate(inner.getRegionIterArgs()))
      if (isLarge(carried) && !carryInWindow(inner, place))
        return false;
  return true;
}

bool LoopPlan::beginsWindow(OpOperand &operand) const {
  auto counted = dyn_cast<scf::ForOp>(operand.getOwner());
  BlockArgument carried =
      counted ? counted.getTiedLoopRegionIterArg(&operand) : BlockArgument();
  return carried && getWindow(carried);
}

bool LoopPlan::isReadable(Value memory) const {
  return inMemory.contains(memory) ||
         (isOutside(memory) && isMemory(memory.getType()));
}

bool LoopPlan::isRegister(Value value) const {
  return !inMemory.contains(value) &&
         (isScalar(value.getType()) || isSmall(value.getType()));
}

bool LoopPlan::isConvertible(linalg::LinalgOp op) {
  std::optional<Points> points = Points::of(op);
  if (!points)
    return false;
  int64_t emissions = points->getEmissions(lanes);
  Block &body = op->getRegion(0).front();
  work += emissions * std::max<int64_t>(body.getOperations().size() - 1, 1);
  bool isOnVectors = points->count > 1 || points->foldsLanes(lanes);
  return llvm::all_of(body.without_terminator(), [&](Operation &one) {
    return isOnVectors ? isLaneOperation(one) && !isDivision(one)
                       : one.getNumRegions() == 0 &&
                             llvm::none_of(one.getOperandTypes(),
                                           llvm::IsaPred<TensorType>);
  });
}

bool LoopPlan::isConvertible(Operation *op) {
  auto isHeld = [&](Value value) {
    return isRegister(value) ||
           (inMemory.contains(value) &&
            (op == loop || isa<scf::YieldOp>(op) || getWindow(value)));
  };
  if (isStructure(op))
    return llvm::all_of(op->getResults(), isHeld) &&
           llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
             return isHeld(operand.get()) || beginsWindow(operand) ||
                    (op == loop && isMemory(operand.get().getType()));
           });
  auto countPieces = [&](RankedTensorType box, ArrayRef<Run> runs) {
    int64_t count = runs.size(), elements = box.getNumElements();
    work += llvm::divideCeil(elements, lanes) + count;
    if (count > mostWrittenOut)
      stack += elements * llvm::divideCeil(box.getElementTypeBitWidth(), 8);
    return count <= mostRuns && stack <= mostOfStack;
  };
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.hasUnitStride() || !isRegister(slice.getResult()) ||
        llvm::any_of(slice.getStaticSizes(), ShapedType::isDynamic))
      return false;
    if (isReadable(slice.getSource()))
      return countPieces(
          slice.getType(),
          getRuns(slice.getSourceType().getShape(), slice.getStaticSizes()));
    return isRegister(slice.getSource()) && isStaticView(op);
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (getWindow(insert.getSource()) == insert)
      return true;
    if (!insert.hasUnitStride() || !isRegister(insert.getSource()) ||
        llvm::any_of(insert.getStaticSizes(), ShapedType::isDynamic))
      return false;
    if (inMemory.contains(insert.getDest()))
      return countPieces(insert.getSourceType(),
                         getRuns(getMemoryType(insert.getDest()).getShape(),
                                 insert.getStaticSizes()));
    return isRegister(insert.getDest()) &&
           llvm::none_of(insert.getStaticOffsets(), ShapedType::isDynamic);
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    ++work;
    Value tensor = extract.getTensor();
    return isScalar(extract.getType()) &&
           (isOutside(tensor) || inMemory.contains(tensor) ||
            (isRegister(tensor) && getElementCount(tensor.getType()) == 1));
  }
  if (!llvm::all_of(op->getResults(),
                    [&](Value value) { return isRegister(value); }) ||
      !llvm::all_of(op->getOperands(),
                    [&](Value value) { return isRegister(value); }))
    return false;
  if (auto generic = dyn_cast<linalg::LinalgOp>(op))
    return isConvertible(generic);
  if (isa<tensor::EmptyOp, tensor::FromElementsOp, tensor::ConcatOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp, arith::ConstantOp>(
          op)) {
    for (Value result : op->getResults())
      if (std::optional<int64_t> count = getElementCount(result.getType()))
        work += llvm::divideCeil(*count, lanes);
    return true;
  }
  ++work;
  return isa_and_present<arith::ArithDialect, math::MathDialect,
                         complex::ComplexDialect>(op->getDialect()) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
}

std::optional<LoopPlan> LoopPlan::of(Operation *loop) {
  LoopPlan plan(loop);
  // What one turn stacks is what it carries: IREE merges the two results, and
  // writes one of them.
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    if (std::optional<APInt> turns = counted.getStaticTripCount();
        turns && turns->ule(1))
      return std::nullopt;
  if (loop->getNumResults() == 0 ||
      !llvm::all_of(loop->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return std::nullopt;
  plan.chooseLanes();
  if (!plan.placeCarried())
    return std::nullopt;
  WalkResult walked = loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!plan.isConvertible(op) || plan.work > mostTurnWork)
      return WalkResult::interrupt();
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return std::nullopt;
  return plan;
}
