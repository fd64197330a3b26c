//===- Reduce.cpp - reductions ------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReduceVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::wax;

/// Compilers take a float sum or product for associative when they see one, and
/// vectorize it. Where the order counts, the same value is computed as
/// `acc - -x` and `-(acc * -x)`, exactly, which none recognises.
Value mlir::wax::keepInOrder(OpBuilder &builder, Value next,
                             Value accumulator) {
  Operation *op = next.getDefiningOp();
  if (!isa_and_present<arith::AddFOp, arith::MulFOp>(op) ||
      !llvm::is_contained(op->getOperands(), accumulator))
    return next;
  Location loc = op->getLoc();
  Value other = op->getOperand(op->getOperand(0) == accumulator ? 1 : 0);
  Value negated = arith::NegFOp::create(builder, loc, other);
  if (isa<arith::AddFOp>(op))
    return arith::SubFOp::create(builder, loc, accumulator, negated);
  Value product = arith::MulFOp::create(builder, loc, accumulator, negated);
  return arith::NegFOp::create(builder, loc, product);
}

/// True when all elements of `tensor` are one constant, as far as IREE may find
/// out by fusing what makes it.
static bool isConstantEverywhere(Value tensor) {
  if (getConstantElement(tensor))
    return true;
  Operation *op = tensor.getDefiningOp();
  if (auto fill = dyn_cast_if_present<linalg::FillOp>(op))
    return matchPattern(fill.getInputs()[0], m_Constant());
  if (isa_and_present<tensor::CastOp, tensor::CollapseShapeOp,
                      tensor::ExpandShapeOp, tensor::ExtractSliceOp,
                      linalg::TransposeOp>(op))
    return isConstantEverywhere(op->getOperand(0));
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  return generic && !generic.hasIndexSemantics() &&
         llvm::all_of(generic.getInputs(), isConstantEverywhere);
}

/// True when `value`, in the body of a reduction, is computed from a scalar of
/// an input that may vary.
static bool readsVaryingInput(Value value, linalg::GenericOp generic,
                              llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getArgNumber() < generic.getInputs().size() &&
           !isConstantEverywhere(generic.getInputs()[argument.getArgNumber()]);
  Operation *op = value.getDefiningOp();
  return op->getBlock() == generic.getBody() && seen.insert(op).second &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return readsVaryingInput(operand, generic, seen);
         });
}

/// IREE 3.13 miscompiles a vectorized reduction of a constant: the sum of 17
/// ones is 2. A condition that always holds keeps the constant from being seen.
/// It also reads what a reduction starts with where the step does not: that
/// would else be lost, and is the result where there is nothing to reduce.
void mlir::wax::hideConstantSteps(RewriterBase &rewriter,
                                  linalg::GenericOp generic,
                                  ArrayRef<SizedLoop> reduced,
                                  LoweringTarget target) {
  // Of one turn the condition would be seen to hold.
  const SizedLoop *several = llvm::find_if(
      reduced, [](SizedLoop loop) { return !isOneInteger(loop.size); });
  if (several == reduced.end())
    return;
  Operation *yield = generic.getBody()->getTerminator();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  Value size = getValueOrCreateConstantIndexOp(rewriter, generic.getLoc(),
                                               several->size);
  rewriter.setInsertionPoint(yield);
  bool mayBeEmpty = llvm::any_of(reduced, [](SizedLoop loop) {
    return getConstantIntValue(loop.size).value_or(0) == 0;
  });
  for (OpOperand &next : yield->getOpOperands()) {
    llvm::SmallPtrSet<Operation *, 16> seen;
    bool isStartRead =
        !generic.getRegionOutputArgs()[next.getOperandNumber()].use_empty();
    bool isStep = target != LoweringTarget::IREE ||
                  readsVaryingInput(next.get(), generic, seen);
    if (isStep && (isStartRead || !mayBeEmpty))
      continue;
    Location loc = generic.getLoc();
    Value index = linalg::IndexOp::create(rewriter, loc, several->number);
    Value inside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, index, size);
    Value accumulator = generic.getRegionOutputArgs()[next.getOperandNumber()];
    next.set(arith::SelectOp::create(rewriter, loc, inside, next.get(),
                                     accumulator));
  }
}

namespace {

/// One loop per operand dim, in the operands' order: for each result element
/// the reduced ones then come in row-major order, as a fold without `combine`
/// demands.
struct LowerReduce
    : LowerableOpInterface::ExternalModel<LowerReduce, ReduceOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    auto reduce = cast<ReduceOp>(op);
    Location loc = op->getLoc();
    // IREE's compiler divides by a size that is known to be 0.
    if (foldsNothing(reduce, rewriter, context))
      return createStarts(reduce, rewriter, context);
    if (context.usesVectors() && foldsOne(reduce))
      return lowerToMap(reduce, rewriter, context);
    if (context.usesVectors())
      if (auto reduced = reduceByVectors(reduce, rewriter, context))
        return std::move(*reduced);
    auto inputType = cast<RankedTensorType>(reduce.getInputs()[0].getType());
    int64_t rank = inputType.getRank();

    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    for (int64_t dim : reduce.getDims())
      loops[dim] = utils::IteratorType::reduction;
    SmallVector<int64_t> keptDims;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (loops[dim] == utils::IteratorType::parallel)
        keptDims.push_back(dim);

    SmallVector<Attribute> constants =
        llvm::map_to_vector(reduce.getInputs(), getConstantElement);
    // The loops' sizes come from an input that is read.
    if (llvm::all_of(constants, [](Attribute value) { return value; }))
      constants[0] = {};
    SmallVector<Value> read;
    for (auto [input, constant] :
         llvm::zip_equal(reduce.getInputs(), constants))
      if (!constant)
        read.push_back(input);

    SmallVector<AffineMap> maps(read.size(),
                                rewriter.getMultiDimIdentityMap(rank));
    maps.append(reduce.getNumResults(),
                getSelectionMap(op->getContext(), rank, keptDims));

    SmallVector<Value> starts = createStarts(reduce, rewriter, context);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, reduce.getResultTypes(), read, starts, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          SmallVector<Value> arguments;
          unsigned nextRead = 0;
          for (auto [input, constant] :
               llvm::zip_equal(reduce.getInputs(), constants)) {
            Type element = getElementTypeOrSelf(input.getType());
            arguments.push_back(constant
                                    ? createScalar(body, loc, element, constant)
                                    : scalars[nextRead++]);
          }
          llvm::append_range(arguments, scalars.drop_front(read.size()));
          SmallVector<Value> next =
              emitKernel(body, reduce.getFold(), arguments);
          if (!reduce.hasCombine())
            for (auto [value, accumulator] :
                 llvm::zip_equal(next, scalars.take_back(next.size())))
              value = keepInOrder(body, value, accumulator);
          linalg::YieldOp::create(body, loc, next);
        });
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(generic);
    SmallVector<SizedLoop> reduced;
    for (int64_t dim : reduce.getDims())
      reduced.push_back(
          {dim, context.getSize(rewriter, loc, reduce.getInputs()[0], dim)});
    hideConstantSteps(rewriter, generic, reduced, context.getTarget());
    return SmallVector<Value>(generic.getResults());
  }

private:
  /// True when a dim that is reduced is known to have no elements.
  static bool foldsNothing(ReduceOp reduce, OpBuilder &builder,
                           LoweringContext &context) {
    return llvm::any_of(reduce.getDims(), [&](int64_t dim) {
      OpFoldResult size =
          context.getSize(builder, reduce.getLoc(), reduce.getInputs()[0], dim);
      return isConstantIntValue(size, 0);
    });
  }

  /// True when one element is folded into each result.
  static bool foldsOne(ReduceOp reduce) {
    auto type = cast<RankedTensorType>(reduce.getInputs()[0].getType());
    return llvm::all_of(reduce.getDims(),
                        [&](int64_t dim) { return type.getDimSize(dim) == 1; });
  }

  /// As a map. IREE 3.13 may lose most of an outer product, `x @ x.T` of one
  /// column, with what reads it.
  static SmallVector<Value> lowerToMap(ReduceOp reduce, RewriterBase &rewriter,
                                       LoweringContext &context) {
    Location loc = reduce.getLoc();
    auto from = cast<RankedTensorType>(reduce.getInputs()[0].getType());
    auto type = cast<RankedTensorType>(reduce.getResult(0).getType());
    // Dims of one element go with those before them, or with the first one.
    SmallVector<ReassociationIndices> groups(type.getRank());
    int64_t group = -1;
    for (int64_t dim : llvm::seq(from.getRank())) {
      group += !llvm::is_contained(reduce.getDims(), dim);
      if (!groups.empty())
        groups[std::max<int64_t>(group, 0)].push_back(dim);
    }
    SmallVector<Value> read;
    SmallVector<AffineMap> maps;
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    for (Value input : reduce.getInputs()) {
      auto made = cast<RankedTensorType>(
          type.clone(getElementTypeOrSelf(input.getType())));
      read.push_back(
          tensor::CollapseShapeOp::create(rewriter, loc, made, input, groups));
      maps.push_back(identity);
    }
    for (Value init : reduce.getInits()) {
      read.push_back(init);
      maps.push_back(AffineMap::get(type.getRank(), 0, rewriter.getContext()));
    }
    SmallVector<Value> empties;
    for (Value result : reduce.getResults()) {
      empties.push_back(createEmptyLike(rewriter, loc, result, context));
      maps.push_back(identity);
    }
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto map = linalg::GenericOp::create(
        rewriter, loc, reduce.getResultTypes(), read, empties, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange scalars) {
          linalg::YieldOp::create(
              body, loc,
              emitKernel(body, reduce.getFold(),
                         llvm::to_vector(scalars.take_front(read.size()))));
        });
    return SmallVector<Value>(map.getResults());
  }

  /// What each result is before anything is folded into it.
  static SmallVector<Value> createStarts(ReduceOp reduce, OpBuilder &builder,
                                         LoweringContext &context) {
    Location loc = reduce.getLoc();
    SmallVector<Value> starts;
    for (auto [init, result] :
         llvm::zip_equal(reduce.getInits(), reduce.getResults())) {
      auto type = cast<RankedTensorType>(result.getType());
      Value start = createFilled(builder, loc, type,
                                 context.getSizes(builder, loc, result), init);
      starts.push_back(castTo(builder, loc, type, start));
    }
    return starts;
  }
};

} // namespace

void mlir::wax::attachReduceLowerings(MLIRContext *context) {
  ReduceOp::attachInterface<LowerReduce>(*context);
}
