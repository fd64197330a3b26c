//===- Sort.cpp - Derivatives of sort -----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::wax;

/// A sort that carries more operands, which its order does not depend on, in
/// the place of `op`. Gives what they become.
static SmallVector<Value> carry(SortOp op, ValueRange extra) {
  OpBuilder builder(op);
  SmallVector<Value> inputs(op.getInputs());
  llvm::append_range(inputs, extra);
  // Any operand may tell the sizes of all results.
  SmallVector<Type> types(op->getResultTypes());
  for (Value value : extra)
    types.push_back(cast<RankedTensorType>(types.front())
                        .clone(getElementTypeOrSelf(value.getType())));
  auto made = SortOp::create(builder, op.getLoc(), types, inputs, op.getDim());
  IRMapping mapping;
  op.getComparator().cloneInto(&made.getComparator(), mapping);
  for (Value value : extra)
    for (int i = 0; i < 2; ++i)
      made.getComparator().front().addArgument(
          getElementTypeOrSelf(value.getType()), op.getLoc());
  for (auto [old, value] : llvm::zip(op->getResults(), made.getResults()))
    old.replaceAllUsesWith(value);
  return SmallVector<Value>(made.getResults().take_back(extra.size()));
}

namespace {

struct DifferentiateSort
    : DifferentiableOpInterface::ExternalModel<DifferentiateSort, SortOp> {
  Derivatives jvp(Operation *op, OpBuilder &, ArrayRef<Value> tangents) const {
    SmallVector<Value> extra = llvm::to_vector(llvm::make_filter_range(
        tangents, [](Value tangent) { return bool(tangent); }));
    SmallVector<Value> carried = carry(cast<SortOp>(op), extra);
    SmallVector<Value> results(op->getNumResults());
    auto next = carried.begin();
    for (auto [result, tangent] : llvm::zip_equal(results, tangents))
      if (tangent)
        result = *next++;
    return results;
  }

  /// A sorted counter tells where each element was.
  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto sort = cast<SortOp>(op);
    Location loc = op->getLoc();
    int64_t dim = sort.getDim();
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    OpBuilder before(op);
    SmallVector<Value> dynamic;
    for (OpFoldResult size : getSizes(before, loc, op->getOperand(0)))
      if (auto value = dyn_cast<Value>(size))
        dynamic.push_back(value);
    bool isSmall = !type.isDynamicDim(dim) && type.getDimSize(dim) < (1u << 31);
    Type word = isSmall ? before.getI32Type() : before.getI64Type();
    Value counter = IotaOp::create(before, loc, type.clone(word), dynamic, dim);
    Value origin = carry(sort, counter).front();

    SmallVector<int64_t> places = getAllDims(type.getRank());
    ArrayAttr indexDims =
        builder.getArrayAttr(builder.getDenseI64ArrayAttr(places));
    places[dim] = -1;
    SmallVector<Value> results(op->getNumOperands());
    for (unsigned i : wanted.set_bits()) {
      if (!cotangents[i])
        continue;
      Type element = getElementTypeOrSelf(cotangents[i].getType());
      Value zeros = createZerosLike(builder, loc, op->getOperand(i));
      auto scatter =
          ScatterOp::create(builder, loc, zeros.getType(), cotangents[i], zeros,
                            origin, places, indexDims);
      buildKernel(builder, loc, scatter.getFold(), {element, element},
                  addAccumulators);
      buildKernel(builder, loc, scatter.getCombine(), {element, element},
                  addAccumulators);
      results[i] = scatter->getResult(0);
    }
    return results;
  }
};

} // namespace

void mlir::wax::attachSortDerivatives(MLIRContext *context) {
  SortOp::attachInterface<DifferentiateSort>(*context);
}
