//===- IREE.cpp - What is written of IREE's dialects ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"

#include "../lowering/Stored.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::wax::iree;

#include "wax/Passes/IREEABIDialect.cpp.inc"
#include "wax/Passes/IREEFlowDialect.cpp.inc"
#include "wax/Passes/IREELinalgExtDialect.cpp.inc"
#include "wax/Passes/IREETensorExtDialect.cpp.inc"
#include "wax/Passes/IREEUtilDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "wax/Passes/IREEAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "wax/Passes/IREETypes.cpp.inc"

#define GET_OP_CLASSES
#include "wax/Passes/IREEOps.cpp.inc"

void IREEFlowDialect::initialize() {
  addOperations<DispatchOp, DispatchRegionOp, DispatchTieShapeOp,
                ExecutableEndOp, ExecutableExportOp, ExecutableOp, ReturnOp,
                TensorBitcastOp, TensorReshapeOp, TensorUpdateOp, TieShapeOp>();
}

void IREETensorExtDialect::initialize() {
  addTypes<DispatchTensorType>();
  addOperations<DispatchTensorLoadOp, DispatchTensorStoreOp,
                WorkgroupCountFromSliceOp,
                WorkgroupCountSplitReductionModifierOp, WorkloadOrdinalOp>();
}

Type DispatchTensorType::parse(AsmParser &parser) {
  StringRef access;
  RankedTensorType tensor;
  if (parser.parseLess() || parser.parseKeyword(&access) ||
      parser.parseColon() || parser.parseType(tensor) || parser.parseGreater())
    return {};
  return get(parser.getContext(), access, tensor);
}

void DispatchTensorType::print(AsmPrinter &printer) const {
  printer << "<" << getAccess() << ":" << getTensor() << ">";
}

/// All of a tensor: where it begins, its sizes, and steps of one.
static std::array<SmallVector<int64_t>, 3> getWhole(RankedTensorType type) {
  size_t rank = type.getRank();
  return {SmallVector<int64_t>(rank, 0), llvm::to_vector(type.getShape()),
          SmallVector<int64_t>(rank, 1)};
}

void DispatchTensorLoadOp::build(OpBuilder &builder, OperationState &state,
                                 Value source, ValueRange openSizes) {
  RankedTensorType type =
      cast<DispatchTensorType>(source.getType()).getTensor();
  auto [offsets, sizes, strides] = getWhole(type);
  build(builder, state, type, source, openSizes, {}, openSizes, {}, offsets,
        sizes, strides);
}

void DispatchTensorStoreOp::build(OpBuilder &builder, OperationState &state,
                                  Value value, Value target,
                                  ValueRange openSizes) {
  auto [offsets, sizes, strides] =
      getWhole(cast<RankedTensorType>(value.getType()));
  build(builder, state, value, target, openSizes, {}, openSizes, {}, offsets,
        sizes, strides);
}

void IREEABIDialect::initialize() {}

void IREEUtilDialect::initialize() { addOperations<OptimizationBarrierOp>(); }

void IREELinalgExtDialect::initialize() {
  addOperations<ScatterOp, YieldOp>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "wax/Passes/IREEAttrs.cpp.inc"
      >();
}

int64_t SplitReductionMappingAttr::getMappingId() const {
  return getDimension();
}
bool SplitReductionMappingAttr::isLinearMapping() const { return false; }
int64_t SplitReductionMappingAttr::getRelativeIndex() const {
  return getDimension();
}

bool mlir::wax::iree::isView(Operation *op) {
  return isa_and_present<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, tensor::ExtractSliceOp>(op);
}

bool mlir::wax::iree::isTogether(tensor::ExtractSliceOp slice) {
  bool isBox = false;
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    int64_t whole = slice.getSourceType().getDimSize(dim);
    bool isWhole = isZeroInteger(offset) && isOneInteger(stride) &&
                   getConstantIntValue(size) == whole;
    if (isBox && !isWhole)
      return false;
    if (!isOneInteger(stride))
      return false;
    isBox |= !isOneInteger(size);
  }
  return true;
}

/// Whether what follows the dims along which tensors are joined is all that
/// they have.
static bool isOfOneRow(tensor::ConcatOp join) {
  return llvm::all_of(join.getResultType().getShape().take_front(join.getDim()),
                      [](int64_t size) { return size == 1; });
}

/// Whether an operation on the host is one of calls of executables, or of ways
/// to look at memory.
static bool isOfCalls(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return isTogether(slice) && slice.getOffsets().empty();
  if (auto join = dyn_cast<tensor::ConcatOp>(op))
    return isOfOneRow(join);
  return isView(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         isa<DispatchOp, OptimizationBarrierOp, TensorBitcastOp,
             TensorReshapeOp, tensor::EmptyOp, func::ReturnOp>(op);
}

/// Whether all types are of known sizes, and none of no elements.
static bool isKnown(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || (tensor.hasStaticShape() && !hasNoElements(tensor));
  });
}

/// Whether all functions have but one block, of known sizes, all operations of
/// which are such.
static bool isOf(ModuleOp module, llvm::function_ref<bool(Operation *)> is) {
  return llvm::all_of(
      module.getOps<func::FuncOp>(), [&](func::FuncOp function) {
        return function.isExternal() ||
               (function.getBody().hasOneBlock() &&
                isKnown(function.getArgumentTypes()) &&
                llvm::all_of(function.front(), [&](Operation &op) {
                  return isKnown(op.getResultTypes()) && is(&op);
                }));
      });
}

bool mlir::wax::iree::isAlone(ModuleOp module) {
  return isOf(module, isOfCalls);
}

bool mlir::wax::iree::mayBeAlone(ModuleOp module) {
  bool hasDonated = false;
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument argument : function.getArguments())
      hasDonated |=
          bool(function.getArgAttr(argument.getArgNumber(), "wax.donated"));
  return !hasDonated && isOf(module, [](Operation *op) {
    return isOfCalls(op) ||
           isa<DispatchRegionOp, linalg::LinalgOp, tensor::ConcatOp,
               tensor::ExtractSliceOp, tensor::PadOp>(op);
  });
}

Value mlir::wax::iree::getViewed(Value tensor) {
  while (isView(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

bool mlir::wax::iree::isRelaid(Operation *op) {
  return isView(op) || isa_and_present<linalg::TransposeOp>(op);
}

bool mlir::wax::iree::isMadeOfConstants(Value tensor) {
  SmallVector<Value> read{tensor};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!read.empty()) {
    Value value = getViewed(read.pop_back_val());
    if (matchPattern(value, m_Constant()))
      continue;
    Operation *op = value.getDefiningOp();
    auto loops = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!loops && !isa_and_present<tensor::ConcatOp>(op))
      return false;
    if (seen.insert(op).second)
      llvm::append_range(read,
                         loops ? loops.getDpsInputs() : op->getOperands());
  }
  return true;
}

bool mlir::wax::iree::isMadeOfNone(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (isRelaid(op))
    op = op->getOperand(0).getDefiningOp();
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return isa_and_nonnull<linalg::FillOp>(op) ||
         (generic &&
          llvm::none_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
            return generic.payloadUsesValueFromOperand(input);
          }));
}

bool mlir::wax::iree::isControlFlow(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op);
}

void mlir::wax::iree::walkHost(Operation *root,
                               llvm::function_ref<void(Operation *)> visit) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return isa<DispatchRegionOp, linalg::LinalgOp>(op) ? WalkResult::skip()
                                                       : WalkResult::advance();
  });
}

DenseSet<Operation *> mlir::wax::iree::findMadeOfConstants(
    ModuleOp module, llvm::function_ref<bool(DispatchRegionOp)> isApart) {
  DenseSet<Operation *> found;
  DenseSet<Value> constants;
  auto isConstant = [&](Value value) { return constants.contains(value); };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ModuleOp, FunctionOpInterface, OptimizationBarrierOp>(op))
      return WalkResult::advance();
    auto dispatch = dyn_cast<DispatchRegionOp>(op);
    SetVector<Value> read;
    getUsedValuesDefinedAbove(op->getRegions(), read);
    if (llvm::all_of(op->getOperands(), isConstant) &&
        llvm::all_of(read, isConstant)) {
      found.insert(op);
      if (!dispatch || !isApart(dispatch))
        constants.insert_range(op->getResults());
    }
    return dispatch || isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                                 : WalkResult::advance();
  });
  return found;
}

bool mlir::wax::iree::hasNoElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

bool mlir::wax::iree::hasOneElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1;
}

Value mlir::wax::iree::createApart(OpBuilder &builder, Location loc,
                                   Value tensor, ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value apart =
      OptimizationBarrierOp::create(builder, loc, type, tensor).getResult(0);
  SmallVector<Value> dynamicSizes;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(
          getValueOrCreateConstantIndexOp(builder, loc, size));
  if (dynamicSizes.empty())
    return apart;
  return TieShapeOp::create(builder, loc, type, apart, dynamicSizes);
}

void mlir::wax::iree::setApart(Value tensor,
                               std::optional<ArrayRef<OpFoldResult>> sizes) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : tensor.getUses())
    if (!isa<tensor::DimOp>(use.getOwner()))
      uses.push_back(&use);
  OpBuilder builder(tensor.getContext());
  builder.setInsertionPointAfterValue(tensor);
  Location loc = tensor.getLoc();
  Value apart =
      createApart(builder, loc, tensor,
                  sizes ? *sizes : tensor::getMixedSizes(builder, loc, tensor));
  for (OpOperand *use : uses)
    use->set(apart);
}

Value mlir::wax::iree::createBitcast(OpBuilder &builder, Location loc,
                                     Value tensor, ArrayRef<OpFoldResult> sizes,
                                     Type element) {
  SmallVector<Value> from, to;
  SmallVector<int64_t> known, shape;
  dispatchIndexOpFoldResults(tensor::getMixedSizes(builder, loc, tensor), from,
                             known);
  dispatchIndexOpFoldResults(sizes, to, shape);
  return TensorBitcastOp::create(
      builder, loc, RankedTensorType::get(shape, element), tensor, from, to);
}

Value mlir::wax::iree::createBitcast(OpBuilder &builder, Location loc,
                                     Value tensor, Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getElementType() == element)
    return tensor;
  // IREE 3.13 takes constants of truths for bits where it folds this.
  DenseElementsAttr elements;
  if (type.getElementType().isInteger(1) && element.isInteger(8) &&
      matchPattern(tensor, m_Constant(&elements)))
    return arith::ConstantOp::create(
        builder, loc,
        cast<TypedAttr>(elements.mapValues(
            element, [](const APInt &truth) { return truth.zext(8); })));
  // So that slices are still seen to be such.
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return tensor::ExtractSliceOp::create(
        builder, loc, cast<RankedTensorType>(type.clone(element)),
        createBitcast(builder, loc, slice.getSource(), element),
        slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides());
  return createBitcast(builder, loc, tensor,
                       tensor::getMixedSizes(builder, loc, tensor), element);
}

Value mlir::wax::iree::createCopy(OpBuilder &builder, Location loc,
                                  Value tensor) {
  Value holds = arith::ConstantIntOp::create(builder, loc, 1, 1);
  holds = OptimizationBarrierOp::create(builder, loc, holds.getType(), holds)
              ->getResult(0);
  return createElementwise(
      builder, loc, tensor, getElementTypeOrSelf(tensor.getType()),
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        return arith::SelectOp::create(body, loc, holds, scalars[0],
                                       scalars[1]);
      });
}

void mlir::wax::iree::setCopy(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  operand.set(createCopy(builder, operand.getOwner()->getLoc(), operand.get()));
}
