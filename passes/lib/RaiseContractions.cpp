//===- RaiseContractions.cpp - Contractions of computed factors ----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE 3.13 tiles a sum of products as a product of matrices where its body
// multiplies two elements, extended at most. With anything else in the body it
// takes ten times as long, and computes that for each product anew.
//
//===----------------------------------------------------------------------===//

#include "RaiseContractions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// A factor of the product that a body adds up.
struct Factor {
  Value scalar;
  /// The other sign is what is multiplied.
  bool isNegated = false;
  /// The body's operations that compute it, in their order there.
  SmallVector<Operation *> slice;
  /// The numbers of the inputs that it reads, and the loops that these have.
  llvm::SmallBitVector inputs, loops;

  /// Whether it is an element of an input, or one extended.
  bool isElement() const {
    return !isNegated && slice.size() <= 1 &&
           llvm::all_of(slice, [](Operation *op) {
             return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
           });
  }
};

/// `value` without changes of sign, of which an odd number flips `isNegated`.
Value withoutSigns(Value value, bool &isNegated) {
  while (auto negation = value.getDefiningOp<arith::NegFOp>()) {
    value = negation.getOperand();
    isNegated = !isNegated;
  }
  return value;
}

/// Finds what a factor is made of. Fails if it reads the accumulator, or in
/// any other way than along loops.
LogicalResult analyze(linalg::GenericOp op, Factor &factor) {
  Block *body = op.getBody();
  factor.inputs.resize(op.getNumDpsInputs());
  factor.loops.resize(op.getNumLoops());
  llvm::SmallPtrSet<Operation *, 8> needed;
  SmallVector<Value> waiting{factor.scalar};
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == body) {
      if (argument.getArgNumber() >= op.getNumDpsInputs())
        return failure();
      factor.inputs.set(argument.getArgNumber());
      continue;
    }
    Operation *maker = value.getDefiningOp();
    if (!maker || maker->getBlock() != body)
      continue;
    if (isa<linalg::IndexOp>(maker) || maker->getNumRegions() != 0)
      return failure();
    if (needed.insert(maker).second)
      waiting.append(maker->operand_begin(), maker->operand_end());
  }
  for (unsigned input : factor.inputs.set_bits()) {
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(input));
    if (!map.isProjectedPermutation())
      return failure();
    for (AffineExpr expr : map.getResults())
      factor.loops.set(cast<AffineDimExpr>(expr).getPosition());
  }
  for (Operation &inner : *body)
    if (needed.contains(&inner))
      factor.slice.push_back(&inner);
  return success(factor.inputs.any() && !factor.loops.all());
}

AffineMap getMap(MLIRContext *context, const llvm::SmallBitVector &loops) {
  SmallVector<AffineExpr> exprs;
  for (unsigned loop : loops.set_bits())
    exprs.push_back(getAffineDimExpr(loop, context));
  return AffineMap::get(loops.size(), 0, exprs, context);
}

/// Clones what computes a factor, of these elements.
Value emitScalar(OpBuilder &builder, const Factor &factor, IRMapping mapping) {
  for (Operation *op : factor.slice)
    builder.clone(*op, mapping);
  Value scalar = mapping.lookupOrDefault(factor.scalar);
  if (factor.isNegated)
    return arith::NegFOp::create(builder, scalar.getLoc(), scalar);
  return scalar;
}

/// The factor as a tensor of its own dims.
Value emitFactor(RewriterBase &rewriter, linalg::GenericOp op,
                 const Factor &factor) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  SmallVector<BlockArgument> elements;
  for (unsigned number : factor.inputs.set_bits()) {
    OpOperand *input = op.getDpsInputOperand(number);
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      sizes[cast<AffineDimExpr>(expr).getPosition()] =
          tensor::getMixedSize(rewriter, op.getLoc(), input->get(), dim);
    inputs.push_back(input->get());
    maps.push_back(compressDims(map, ~factor.loops));
    elements.push_back(op.getMatchingBlockArgument(input));
  }
  SmallVector<OpFoldResult> own;
  for (unsigned loop : factor.loops.set_bits())
    own.push_back(sizes[loop]);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), own,
                                        factor.scalar.getType());
  maps.push_back(rewriter.getMultiDimIdentityMap(own.size()));
  SmallVector<utils::IteratorType> iterators(own.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, op.getLoc(), empty.getType(), inputs, empty, maps,
             iterators,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               IRMapping mapping;
               for (auto [from, to] : llvm::zip(elements, arguments))
                 mapping.map(from, to);
               linalg::YieldOp::create(builder, loc,
                                       emitScalar(builder, factor, mapping));
             })
      .getResult(0);
}

/// Multiplies and adds the factors' elements.
void replace(linalg::GenericOp op, ArrayRef<Factor> factors, Operation *product,
             Operation *sum, RewriterBase &rewriter) {
  Value accumulator = op.getRegionOutputArgs().front();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::SmallBitVector read(op.getNumDpsInputs());
  for (const Factor &factor : factors) {
    if (factor.isElement()) {
      OpOperand *input = op.getDpsInputOperand(factor.inputs.find_first());
      inputs.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
    } else {
      inputs.push_back(emitFactor(rewriter, op, factor));
      maps.push_back(getMap(op.getContext(), factor.loops));
    }
    read |= factor.inputs;
  }
  // What nobody reads tells the sizes of loops.
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (read.test(input->getOperandNumber()))
      continue;
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto raised = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        SmallVector<Value> scalars(arguments.take_front(2));
        for (auto [scalar, factor] : llvm::zip_equal(scalars, factors)) {
          if (!factor.isElement() || factor.slice.empty())
            continue;
          Operation *extension = builder.clone(*factor.slice.front());
          extension->setOperand(0, scalar);
          scalar = extension->getResult(0);
        }
        Operation *multiplied = builder.clone(*product);
        multiplied->setOperands(scalars);
        Operation *added = builder.clone(*sum);
        unsigned place = sum->getOperand(0) == accumulator ? 0 : 1;
        added->setOperand(place, arguments.back());
        added->setOperand(1 - place, multiplied->getResult(0));
        linalg::YieldOp::create(builder, loc, added->getResults());
      });
  rewriter.replaceOp(op, raised.getResults());
}

} // namespace

void mlir::wax::raiseContraction(RewriterBase &rewriter, linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return;
  BlockArgument accumulator = op.getRegionOutputArgs().front();
  Operation *sum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(sum) ||
      !accumulator.hasOneUse() ||
      !llvm::is_contained(sum->getOperands(), accumulator))
    return;
  unsigned place = sum->getOperand(0) == accumulator ? 1 : 0;
  bool isNegated = false;
  Operation *product =
      withoutSigns(sum->getOperand(place), isNegated).getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::MulIOp>(product) ||
      product->getBlock() != op.getBody())
    return;
  Factor factors[2];
  for (auto [factor, operand] : llvm::zip(factors, product->getOperands())) {
    factor.scalar = withoutSigns(operand, isNegated);
    if (failed(analyze(op, factor)))
      return;
  }
  // What is computed anyway takes the sign.
  factors[factors[0].isElement() && !factors[1].isElement()].isNegated =
      isNegated;
  if (factors[0].isElement() && factors[1].isElement() &&
      llvm::hasNItems(*op.getBody(),
                      3 + factors[0].slice.size() + factors[1].slice.size()))
    return;
  rewriter.setInsertionPoint(op);
  replace(op, factors, product, sum, rewriter);
}
