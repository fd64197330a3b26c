//===- SplitConstants.cpp - Complex constants by their parts --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lowering/Stored.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SPLITCONSTANTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;

/// A constant of the parts that `getPart` takes of each number.
template <typename GetPart>
static Value createPart(OpBuilder &builder, Location loc,
                        DenseElementsAttr numbers, GetPart getPart) {
  auto complex = cast<ComplexType>(numbers.getElementType());
  auto type =
      cast<ShapedType>(numbers.getType().clone(complex.getElementType()));
  DenseElementsAttr parts;
  if (numbers.isSplat()) {
    parts = DenseElementsAttr::get(
        type, getPart(numbers.getSplatValue<std::complex<APFloat>>()));
  } else {
    auto values = llvm::map_to_vector(
        numbers.getValues<std::complex<APFloat>>(), getPart);
    parts = DenseElementsAttr::get(type, ArrayRef<APFloat>(values));
  }
  return arith::ConstantOp::create(builder, loc, parts);
}

static void split(arith::ConstantOp op, DenseElementsAttr numbers) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Value parts[] = {
      createPart(builder, loc, numbers,
                 [](const std::complex<APFloat> &z) { return z.real(); }),
      createPart(builder, loc, numbers,
                 [](const std::complex<APFloat> &z) { return z.imag(); })};
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<AffineMap> maps(3,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, type, parts, empty, maps, loops,
      [&](OpBuilder &body, Location loc, ValueRange scalars) {
        Value number = complex::CreateOp::create(
            body, loc, type.getElementType(), scalars[0], scalars[1]);
        linalg::YieldOp::create(body, loc, number);
      });
  op.replaceAllUsesWith(generic.getResult(0));
  op.erase();
}

/// Makes a number that fills a tensor from its parts, where it is yielded.
static void split(complex::ConstantOp op) {
  auto createNumber = [&](OpBuilder &builder, Location loc) -> Value {
    SmallVector<Value> parts =
        llvm::map_to_vector(op.getValue(), [&](Attribute part) -> Value {
          return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(part));
        });
    return complex::CreateOp::create(builder, loc, op.getType(), parts[0],
                                     parts[1]);
  };
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    Operation *user = use.getOwner();
    OpBuilder builder(user);
    if (isa<linalg::YieldOp>(user))
      use.set(createNumber(builder, user->getLoc()));
    auto fill = dyn_cast<linalg::FillOp>(user);
    if (!fill || fill->getNumResults() == 0)
      continue;
    Value filled = fill.getOutputs()[0];
    int64_t rank = cast<ShapedType>(filled.getType()).getRank();
    SmallVector<AffineMap> maps = {builder.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        builder, fill.getLoc(), filled.getType(), ValueRange(), filled, maps,
        loops, [&](OpBuilder &body, Location loc, ValueRange) {
          linalg::YieldOp::create(body, loc, createNumber(body, loc));
        });
    generic->setDiscardableAttrs(fill->getDiscardableAttrDictionary());
    fill->replaceAllUsesWith(generic);
    fill->erase();
  }
}

/// MLIR 22 writes more booleans than these as the digits of their bits, where
/// IREE 3.13 reads bytes.
static constexpr int64_t mostBooleans = 100;

/// Booleans as the bytes that memory has.
static void widen(arith::ConstantOp op, DenseElementsAttr booleans) {
  OpBuilder builder(op);
  Type byte = wax::getStoredType(booleans.getElementType());
  auto bytes = llvm::map_to_vector(booleans.getValues<bool>(),
                                   [](bool bit) -> int8_t { return bit; });
  Value stored = arith::ConstantOp::create(
      builder, op.getLoc(),
      DenseElementsAttr::get(cast<ShapedType>(op.getType()).clone(byte),
                             ArrayRef<int8_t>(bytes)));
  op.replaceAllUsesWith(wax::convertStored(builder, op.getLoc(), stored,
                                           booleans.getElementType()));
  op.erase();
}

namespace {
struct SplitConstants : wax::impl::SplitConstantsBase<SplitConstants> {
  void runOnOperation() override {
    getOperation().walk([](arith::ConstantOp op) {
      auto numbers = dyn_cast<DenseElementsAttr>(op.getValue());
      if (numbers && isa<RankedTensorType>(op.getType()) &&
          isa<ComplexType>(numbers.getElementType()))
        split(op, numbers);
      else if (numbers && isa<RankedTensorType>(op.getType()) &&
               numbers.getElementType().isInteger(1) && !numbers.isSplat() &&
               numbers.getNumElements() > mostBooleans)
        widen(op, numbers);
    });
    getOperation().walk([](complex::ConstantOp op) { split(op); });
  }
};
} // namespace
