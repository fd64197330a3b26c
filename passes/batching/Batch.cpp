//===- Batch.cpp - Functions over batches ---------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Batch.h"

#include "Walk.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "wax/Passes/Differentiate.h"
#include "wax/Passes/Passes.h"

using namespace mlir;
using namespace mlir::wax;

/// What is said of an argument or a result, of a batch of them.
static DictionaryAttr getBatchedAttributes(MLIRContext *context,
                                           DictionaryAttr attributes,
                                           int64_t size) {
  if (!attributes)
    return DictionaryAttr::get(context);
  NamedAttrList list(attributes);
  list.erase("wax.donated");
  if (auto dims = dyn_cast_or_null<AffineMapAttr>(list.get("wax.dims"))) {
    list.erase("wax.dims");
    // A size that no symbol is known for is not spoken of.
    if (!ShapedType::isDynamic(size)) {
      AffineMap map = dims.getValue();
      SmallVector<AffineExpr> sizes{getAffineConstantExpr(size, context)};
      llvm::append_range(sizes, map.getResults());
      list.set("wax.dims", AffineMapAttr::get(AffineMap::get(
                               0, map.getNumSymbols(), sizes, context)));
    }
  }
  return list.getDictionary(context);
}

FailureOr<BatchedFunction> mlir::wax::batch(func::FuncOp function,
                                            const Batching &spec,
                                            BatchedCallees callees) {
  MLIRContext *context = function.getContext();
  Location loc = function.getLoc();
  llvm::SmallBitVector isBatched(function.getNumArguments());
  SmallVector<Type> arguments(function.getArgumentTypes());
  for (unsigned i : spec.arguments) {
    if (i >= arguments.size())
      return function.emitError() << "there is no argument " << i;
    isBatched.set(i);
    arguments[i] = getBatchedType(arguments[i], spec.size);
  }
  if (ShapedType::isDynamic(spec.size) && spec.arguments.empty())
    return function.emitError()
           << "no argument has the batch, whose size is not known";

  auto type = FunctionType::get(context, arguments, {});
  OwningOpRef<func::FuncOp> made(
      func::FuncOp::create(loc, function.getSymName(), type));
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    (*made)->setDiscardableAttr(attribute.getName(), attribute.getValue());
  made->setVisibility(function.getVisibility());
  Block *body = made->addEntryBlock();
  for (auto [own, old] :
       llvm::zip(body->getArguments(), function.getArguments()))
    own.setLoc(old.getLoc());
  for (unsigned i = 0; i < arguments.size(); ++i) {
    DictionaryAttr attributes = function.getArgAttrDict(i);
    if (isBatched[i])
      attributes = getBatchedAttributes(context, attributes, spec.size);
    if (attributes)
      made->setArgAttrs(i, attributes);
  }

  OpBuilder builder = OpBuilder::atBlockBegin(body);
  OpFoldResult size = builder.getIndexAttr(spec.size);
  if (ShapedType::isDynamic(spec.size))
    size = tensor::getMixedSize(builder, loc,
                                body->getArgument(spec.arguments.front()), 0);
  BatchWalk walk(context, size, spec.axis, callees);
  walk.builder = builder;
  for (auto [i, old] : llvm::enumerate(function.getArguments()))
    walk.set(old, body->getArgument(i), isBatched[i]);
  if (failed(walk.batchBlock(function.front())))
    return failure();

  Operation *end = function.front().getTerminator();
  BatchedFunction result;
  result.results.resize(end->getNumOperands());
  for (unsigned i : spec.results) {
    if (i >= end->getNumOperands())
      return function.emitError() << "there is no result " << i;
    result.results.set(i);
  }
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> attributes;
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    Row row = walk.get(value);
    if (row.isBatched)
      result.results.set(i);
    if (llvm::is_contained(spec.sums, i)) {
      result.results.reset(i);
      returned.push_back(
          sumRows(walk.builder, end->getLoc(), walk.getBatched(value)));
      attributes.push_back(function.getResultAttrDict(i));
      continue;
    }
    bool isRow = result.results[i];
    returned.push_back(isRow ? walk.getBatched(value) : row.value);
    DictionaryAttr given = function.getResultAttrDict(i);
    attributes.push_back(isRow ? getBatchedAttributes(context, given, spec.size)
                               : given);
  }
  func::ReturnOp::create(walk.builder, end->getLoc(), returned);
  made->setType(
      FunctionType::get(context, arguments, ValueRange(returned).getTypes()));
  for (auto [i, given] : llvm::enumerate(attributes))
    if (given)
      made->setResultAttrs(i, given);
  if (failed(simplify(*made)))
    return failure();
  result.function = std::move(made);
  return result;
}

void mlir::wax::registerBatching(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, WaxDialect *, tensor::TensorDialect *) {
        attachPointwiseBatching(context);
        attachReduceBatching(context);
        attachLayoutBatching(context);
        attachBoxBatching(context);
        attachIndexingBatching(context);
        attachWindowBatching(context);
        attachConvolveBatching(context);
        attachFftBatching(context);
        attachSortBatching(context);
        attachGlueBatching(context);
        attachCollectiveBatching(context);
        attachCheckpointBatching(context);
      });
}
