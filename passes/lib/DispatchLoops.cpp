//===- DispatchLoops.cpp - Loops over scalars become one dispatch ---------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::wax {
#define GEN_PASS_DEF_DISPATCHLOOPS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// A tensor of one element, which becomes a scalar.
static bool isOne(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

static bool isScalarOrOne(Type type) {
  return isOne(type) || type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

/// Whether `op`, inside of `loop`, has a scalar's form.
static bool isConvertible(Operation *op, Operation *loop) {
  if (!llvm::all_of(op->getResultTypes(), isScalarOrOne))
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return generic.getNumLoops() == 0 && generic.hasPureTensorSemantics();
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp>(
          op))
    return llvm::all_of(op->getOperandTypes(), isScalarOrOne);
  if (isa<tensor::EmptyOp, tensor::FromElementsOp>(op))
    return true;
  // Elements of tensors that the loop only reads.
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return isOne(extract.getTensor().getType()) ||
           !loop->isAncestor(
               extract.getTensor().getParentRegion()->getParentOp());
  if (isa<arith::ConstantOp>(op))
    return true;
  return isa_and_present<arith::ArithDialect, math::MathDialect,
                         complex::ComplexDialect>(op->getDialect()) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
}

/// Whether a loop computes with scalars only.
static bool isScalar(Operation *loop) {
  bool isFound = isConvertible(loop, loop);
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isConvertible(op, loop)) {
      isFound = false;
      return WalkResult::interrupt();
    }
    return isa<linalg::GenericOp>(op) ? WalkResult::skip()
                                      : WalkResult::advance();
  });
  return isFound;
}

namespace {

/// Writes a loop anew, with scalars for its tensors of one element.
class Scalars {
public:
  Scalars(OpBuilder &builder) : builder(builder) {}

  void convert(Operation *op);
  Value get(Value value) const { return known.lookup(value); }
  void set(Value value, Value scalar) { known.map(value, scalar); }

private:
  SmallVector<Value> get(ValueRange values) const {
    return llvm::map_to_vector(values, [&](Value value) { return get(value); });
  }
  SmallVector<Type> typesOf(TypeRange types) const {
    return llvm::map_to_vector(types, [](Type type) {
      return isOne(type) ? getElementTypeOrSelf(type) : type;
    });
  }
  void setAll(ValueRange values, ValueRange scalars) {
    for (auto [value, scalar] : llvm::zip_equal(values, scalars))
      set(value, scalar);
  }
  /// Fills an empty region with what `from` holds.
  void fill(Region &from, Region &to);
  void convertGeneric(linalg::GenericOp generic);

  OpBuilder &builder;
  IRMapping known;
};

} // namespace

void Scalars::fill(Region &from, Region &to) {
  OpBuilder::InsertionGuard guard(builder);
  Block &source = from.front();
  Block *block = builder.createBlock(&to);
  for (BlockArgument argument : source.getArguments())
    set(argument, block->addArgument(typesOf({argument.getType()}).front(),
                                     argument.getLoc()));
  for (Operation &op : source)
    convert(&op);
}

void Scalars::convertGeneric(linalg::GenericOp generic) {
  Block *body = generic.getBody();
  for (auto [argument, operand] :
       llvm::zip_equal(body->getArguments(), generic->getOperands()))
    if (!argument.use_empty())
      set(argument, get(operand));
  for (Operation &op : body->without_terminator())
    builder.clone(op, known);
  for (auto [result, yielded] : llvm::zip_equal(
           generic.getResults(), body->getTerminator()->getOperands()))
    set(result, known.lookupOrDefault(yielded));
}

void Scalars::convert(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return convertGeneric(generic);
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
    return set(op->getResult(0), get(elements.getElements().front()));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op);
      extract && isOne(extract.getTensor().getType()))
    return set(extract, get(extract.getTensor()));
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
      return set(
          op->getResult(0),
          builder.createOrFold<tensor::ExtractOp>(
              op->getLoc(), builder.clone(*op)->getResult(0), ValueRange()));
  if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp>(
          op)) {
    setAll(op->getResults(), builder.clone(*op, known)->getResults());
    return;
  }
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(get(op->getOperands()));
  state.addTypes(typesOf(op->getResultTypes()));
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), made->getRegions()))
    if (!from.empty())
      fill(from, to);
  setAll(op->getResults(), made->getResults());
}

/// What `loop` reads of the program around it.
static SetVector<Value> getCaptured(Operation *loop) {
  SetVector<Value> captured;
  loop->walk([&](Operation *op) {
    for (Value value : op->getOperands())
      if (op == loop ||
          !loop->isAncestor(value.getParentRegion()->getParentOp()))
        captured.insert(value);
  });
  return captured;
}

static void dispatch(Operation *loop) {
  OpBuilder builder(loop);
  Location loc = loop->getLoc();
  // IREE 3.13 cannot insert an i1.
  auto stored = [&](Type type) -> Type {
    Type element = getElementTypeOrSelf(type);
    if (element.isInteger(1))
      element = builder.getI8Type();
    return RankedTensorType::get({}, element);
  };
  SmallVector<Type> types(llvm::map_range(loop->getResultTypes(), stored));
  auto region = iree::DispatchRegionOp::create(builder, loc, types,
                                               ValueRange(), ValueRange());
  SmallVector<Value> made;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region.getBody());
    Scalars scalars(builder);
    for (Value value : getCaptured(loop))
      scalars.set(value, isOne(value.getType())
                             ? builder.createOrFold<tensor::ExtractOp>(
                                   loc, value, ValueRange())
                             : value);
    scalars.convert(loop);
    for (auto [result, type] : llvm::zip_equal(loop->getResults(), types)) {
      Value scalar = scalars.get(result);
      Type element = getElementTypeOrSelf(type);
      if (scalar.getType() != element)
        scalar = arith::ExtUIOp::create(builder, loc, element, scalar);
      Value empty =
          tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), element);
      made.push_back(
          tensor::InsertOp::create(builder, loc, scalar, empty, ValueRange()));
    }
    iree::ReturnOp::create(builder, loc, made);
  }
  for (auto [result, value] :
       llvm::zip_equal(loop->getResults(), region.getOutputs())) {
    Value replacement = value;
    if (value.getType() != result.getType()) {
      Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(),
                                            builder.getI1Type());
      AffineMap map = builder.getMultiDimIdentityMap(0);
      replacement =
          linalg::GenericOp::create(
              builder, loc, result.getType(), value, empty,
              ArrayRef<AffineMap>{map, map}, ArrayRef<utils::IteratorType>(),
              [&](OpBuilder &body, Location loc, ValueRange scalars) {
                linalg::YieldOp::create(
                    body, loc,
                    arith::TruncIOp::create(body, loc, body.getI1Type(),
                                            scalars[0])
                        .getResult());
              })
              .getResult(0);
    }
    result.replaceAllUsesWith(replacement);
  }
  loop->erase();
}

namespace {
struct DispatchLoops : wax::impl::DispatchLoopsBase<DispatchLoops> {
  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What is in a dispatch is in one, and kernels have no tensors.
      if (isa<iree::DispatchRegionOp, linalg::LinalgOp>(op))
        return WalkResult::skip();
      bool isLoop = isa<scf::ForOp, scf::WhileOp>(op) && op->getNumResults() &&
                    llvm::all_of(op->getResultTypes(), isOne) && isScalar(op);
      if (isLoop)
        loops.push_back(op);
      return isLoop ? WalkResult::skip() : WalkResult::advance();
    });
    for (Operation *loop : loops)
      dispatch(loop);
  }
};
} // namespace
