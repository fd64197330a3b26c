//===- WidenContractions.cpp - Products of bf16 matrices in f32 -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lowering/Stored.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::wax {
#define GEN_PASS_DEF_WIDENCONTRACTIONS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether each element of an operand is used several times, for rows or for
/// columns of a product: what it costs to write it down in f32 is made up for.
static bool isProductOfMatrices(linalg::GenericOp generic) {
  if (!linalg::isaContractionOpInterface(generic))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(generic);
  if (failed(dims))
    return false;
  SmallVector<int64_t> sizes = generic.getStaticLoopRanges();
  auto areSeveral = [&](ArrayRef<unsigned> loops) {
    return llvm::any_of(loops, [&](unsigned loop) { return sizes[loop] != 1; });
  };
  return areSeveral(dims->m) && areSeveral(dims->n);
}

/// Whether the body reads an operand of bf16 as f32 only.
static bool isReadWide(Value scalar) {
  return scalar.getType().isBF16() &&
         llvm::all_of(scalar.getUsers(), [](Operation *user) {
           return isa<arith::ExtFOp>(user) &&
                  user->getResult(0).getType().isF32();
         });
}

/// A tensor of bf16 in f32. The bits are moved: an extension IREE would take
/// back into the product.
static Value createWidened(ImplicitLocOpBuilder &builder, Value tensor) {
  return createElementwise(
      builder, builder.getLoc(), tensor, builder.getF32Type(),
      [](OpBuilder &body, Location loc, ValueRange scalars) {
        Type word = body.getI32Type();
        Value bits =
            arith::BitcastOp::create(body, loc, body.getI16Type(), scalars[0]);
        Value low = arith::ExtUIOp::create(body, loc, word, bits);
        Value count =
            arith::ConstantOp::create(body, loc, body.getI32IntegerAttr(16));
        Value high = arith::ShLIOp::create(body, loc, low, count);
        return arith::BitcastOp::create(body, loc, body.getF32Type(), high)
            .getResult();
      });
}

namespace {
struct WidenContractions : wax::impl::WidenContractionsBase<WidenContractions> {
  void runOnOperation() override {
    getOperation().walk([](linalg::GenericOp generic) {
      if (!isProductOfMatrices(generic))
        return;
      ImplicitLocOpBuilder builder(generic.getLoc(), generic);
      for (OpOperand *operand : generic.getDpsInputOperands()) {
        BlockArgument scalar = generic.getMatchingBlockArgument(operand);
        if (!isReadWide(scalar))
          continue;
        operand->set(createWidened(builder, operand->get()));
        scalar.setType(builder.getF32Type());
        for (Operation *user : llvm::make_early_inc_range(scalar.getUsers())) {
          user->getResult(0).replaceAllUsesWith(scalar);
          user->erase();
        }
      }
    });
  }
};
} // namespace
