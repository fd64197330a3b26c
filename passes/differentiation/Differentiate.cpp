//===- Differentiate.cpp - Functions that compute derivatives -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Differentiate.h"

#include "Walk.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "wax/Passes/Passes.h"

using namespace mlir;
using namespace mlir::wax;

/// The attributes of an argument or result that a derivative of it has too.
static DictionaryAttr getShapeAttributes(MLIRContext *context,
                                         DictionaryAttr attributes) {
  SmallVector<NamedAttribute> kept;
  if (attributes)
    if (Attribute dims = attributes.get("wax.dims"))
      kept.emplace_back(StringAttr::get(context, "wax.dims"), dims);
  return DictionaryAttr::get(context, kept);
}

namespace {

/// A function on its way to its derivative.
class Differentiator {
public:
  Differentiator(func::FuncOp function, const Differentiation &spec,
                 CallRules rules)
      : function(function), block(function.front()),
        walk(function.getContext(), rules) {
    for (unsigned i : spec.arguments)
      active.push_back(block.getArgument(i));
    if (spec.results)
      results = *spec.results;
    else
      for (auto [i, result] :
           llvm::enumerate(block.getTerminator()->getOperands()))
        if (isDifferentiable(result.getType()))
          results.push_back(i);
  }

  LogicalResult push();
  LogicalResult pull();

private:
  /// An argument for a derivative of `like`.
  Value addArgument(Value like, DictionaryAttr attributes) {
    unsigned place = block.getNumArguments();
    (void)function.insertArgument(
        place, like.getType(),
        getShapeAttributes(function.getContext(), attributes), like.getLoc());
    return block.getArgument(place);
  }

  DictionaryAttr getAttributes(Value argument) {
    return function.getArgAttrDict(
        cast<BlockArgument>(argument).getArgNumber());
  }

  /// Returns derivatives after what is returned already. `attributes` has an
  /// entry for each.
  void addResults(ArrayRef<Value> likes, ArrayRef<DictionaryAttr> attributes) {
    Operation *end = block.getTerminator();
    walk.builder.setInsertionPoint(end);
    SmallVector<Value> returned(end->getOperands());
    for (auto [like, given] : llvm::zip_equal(likes, attributes)) {
      returned.push_back(walk.getOrZeros(like));
      (void)function.insertResult(
          function.getNumResults(), like.getType(),
          getShapeAttributes(function.getContext(), given));
    }
    end->setOperands(returned);
  }

  func::FuncOp function;
  Block &block;
  Walk walk;
  SmallVector<Value> active;
  SmallVector<unsigned> results;
};

} // namespace

LogicalResult Differentiator::push() {
  for (Value argument : active)
    walk.derivatives.set(argument,
                         addArgument(argument, getAttributes(argument)));
  if (failed(walk.pushBlock(block)))
    return failure();
  SmallVector<Value> likes;
  SmallVector<DictionaryAttr> attributes;
  for (unsigned i : results) {
    likes.push_back(block.getTerminator()->getOperand(i));
    attributes.push_back(function.getResultAttrDict(i));
  }
  addResults(likes, attributes);
  return success();
}

LogicalResult Differentiator::pull() {
  walk.reached.insert(active.begin(), active.end());
  if (failed(walk.reachBlock(block)))
    return failure();
  Operation *end = block.getTerminator();
  walk.builder.setInsertionPoint(end);
  for (unsigned i : results) {
    Value result = end->getOperand(i);
    Value cotangent = addArgument(result, function.getResultAttrDict(i));
    if (walk.reached.contains(result))
      walk.derivatives.add(walk.builder, result, cotangent);
  }
  if (failed(walk.pullBack()))
    return failure();
  addResults(active, llvm::map_to_vector(active, [&](Value argument) {
               return getAttributes(argument);
             }));
  return success();
}

LogicalResult mlir::wax::differentiate(func::FuncOp function,
                                       const Differentiation &spec,
                                       CallRules rules) {
  for (unsigned i : spec.arguments)
    if (i >= function.getNumArguments() ||
        !isDifferentiable(function.getArgumentTypes()[i]))
      return function.emitError()
             << "argument " << i << " is not one that is differentiated by";
  {
    // It holds copies of loops, which read what simplification may drop.
    Differentiator differentiator(function, spec, rules);
    if (failed(spec.mode == DifferentiationMode::Forward
                   ? differentiator.push()
                   : differentiator.pull()))
      return failure();
  }
  return simplify(function);
}

void mlir::wax::inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  SmallVector<Value> results = emitBody(builder, callee, call.getOperands());
  call.replaceAllUsesWith(results);
  call.erase();
}

LogicalResult mlir::wax::simplify(func::FuncOp function) {
  PassManager manager(function.getContext(), func::FuncOp::getOperationName());
  manager.enableVerifier(false);
  manager.addPass(createCSEPass());
  manager.addPass(createSimplify());
  manager.addPass(createCSEPass());
  return manager.run(function);
}

void mlir::wax::registerDerivatives(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, WaxDialect *, tensor::TensorDialect *) {
        attachPointwiseDerivatives(context);
        attachReduceDerivatives(context);
        attachScanDerivatives(context);
        attachLayoutDerivatives(context);
        attachAssemblyDerivatives(context);
        attachIndexingDerivatives(context);
        attachWindowDerivatives(context);
        attachConvolveDerivatives(context);
        attachFftDerivatives(context);
        attachSortDerivatives(context);
        attachCollectiveDerivatives(context);
        attachCheckpointDerivatives(context);
      });
}
