//===- Tensors.cpp - What the lowerings of all families share -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

using namespace mlir;
using namespace mlir::wax;

void mlir::wax::registerLoweringInterfaces(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, WaxDialect *) {
    // What lowerings make has to be loaded before a multithreaded pass runs.
    context->loadDialect<arith::ArithDialect, complex::ComplexDialect,
                         linalg::LinalgDialect, math::MathDialect,
                         scf::SCFDialect, tensor::TensorDialect,
                         iree::IREEFlowDialect, iree::IREELinalgExtDialect,
                         iree::IREEUtilDialect, vector::VectorDialect>();
    attachBarrierLowering(context);
    attachPointwiseLowerings(context);
    attachReduceLowerings(context);
    attachScanLowerings(context);
    attachSortLowerings(context);
    attachViewLowerings(context);
    attachAssemblyLowerings(context);
    attachIndexingLowerings(context);
    attachSpectralLowerings(context);
    attachInsertLowerings(context);
    attachScatterLowerings(context);
    attachWindowLowerings(context);
    attachConvolveLowerings(context);
  });
}

Attribute mlir::wax::getConstantElement(Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return elements.getSplatValue<Attribute>();
}

Value mlir::wax::createScalar(OpBuilder &builder, Location loc, Type type,
                              Attribute value) {
  if (isa<ComplexType>(type))
    return complex::ConstantOp::create(builder, loc, type,
                                       cast<ArrayAttr>(value));
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
}

Value mlir::wax::createZero(OpBuilder &builder, Location loc, Type element) {
  auto type = RankedTensorType::get({}, element);
  TypedAttr zero = builder.getZeroAttr(type);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = cast<FloatType>(complex.getElementType());
    APFloat nothing = APFloat::getZero(part.getFloatSemantics());
    zero =
        DenseElementsAttr::get(type, std::complex<APFloat>(nothing, nothing));
  }
  return arith::ConstantOp::create(builder, loc, zero);
}

OpFoldResult mlir::wax::multiply(OpBuilder &builder, Location loc,
                                 ArrayRef<OpFoldResult> sizes) {
  OpFoldResult product = builder.getIndexAttr(1);
  for (OpFoldResult size : sizes) {
    std::optional<int64_t> lhs = getConstantIntValue(product);
    std::optional<int64_t> rhs = getConstantIntValue(size);
    if (lhs && rhs)
      product = builder.getIndexAttr(*lhs * *rhs);
    else if (lhs == 1)
      product = size;
    else if (rhs != 1)
      product = builder.createOrFold<arith::MulIOp>(
          loc, getValueOrCreateConstantIndexOp(builder, loc, product),
          getValueOrCreateConstantIndexOp(builder, loc, size));
  }
  return product;
}

RankedTensorType mlir::wax::getTensorType(ArrayRef<OpFoldResult> sizes,
                                          Type element) {
  return RankedTensorType::get(
      decomposeMixedValues(SmallVector<OpFoldResult>(sizes)).first, element);
}

Value mlir::wax::createEmptyLike(OpBuilder &builder, Location loc, Value like,
                                 LoweringContext &context) {
  auto type = cast<RankedTensorType>(like.getType());
  Value empty = tensor::EmptyOp::create(builder, loc,
                                        context.getSizes(builder, loc, like),
                                        type.getElementType());
  return castTo(builder, loc, type, empty);
}

bool mlir::wax::isKnownEmpty(ArrayRef<OpFoldResult> sizes) {
  return llvm::any_of(sizes,
                      [](OpFoldResult size) { return isZeroInteger(size); });
}

/// What takes some microseconds one by one.
static constexpr int64_t fewElements = 4096;

bool mlir::wax::isOfFew(ArrayRef<OpFoldResult> sizes) {
  int64_t elements = 1;
  return llvm::all_of(sizes, [&](OpFoldResult size) {
    std::optional<int64_t> known = getConstantIntValue(size);
    elements = known ? elements * std::min(*known, fewElements + 1) : 0;
    return known && elements <= fewElements;
  });
}

/// Of complex numbers, whose parts are filled in: IREE 3.13 has no fill of 128
/// bits.
static Value createFilledByParts(OpBuilder &builder, Location loc, Value empty,
                                 ArrayRef<OpFoldResult> sizes,
                                 ArrayAttr value) {
  auto type = cast<ComplexType>(getElementTypeOrSelf(empty));
  SmallVector<Value> parts;
  for (Attribute part : value) {
    Value scalar =
        arith::ConstantOp::create(builder, loc, cast<FloatAttr>(part));
    Value real =
        tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
    parts.push_back(
        linalg::FillOp::create(builder, loc, scalar, real).getResult(0));
  }
  AffineMap identity = builder.getMultiDimIdentityMap(sizes.size());
  SmallVector<AffineMap> maps(3, identity);
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), parts, empty, maps, loops,
             [&](OpBuilder &body, Location loc, ValueRange scalars) {
               Value number = complex::CreateOp::create(body, loc, type,
                                                        scalars[0], scalars[1]);
               linalg::YieldOp::create(body, loc, number);
             })
      .getResult(0);
}

Value mlir::wax::createFilled(OpBuilder &builder, Location loc,
                              RankedTensorType type,
                              ArrayRef<OpFoldResult> sizes, Value value) {
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  if (Attribute constant = getConstantElement(value)) {
    if (auto parts = dyn_cast<ArrayAttr>(constant))
      return createFilledByParts(builder, loc, empty, sizes, parts);
    Value scalar = createScalar(builder, loc, type.getElementType(), constant);
    return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  }
  if (sizes.empty())
    return value;
  // Not a fill: taking the scalar out of its tensor would make the host wait
  // for the device.
  int64_t rank = sizes.size();
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps = {AffineMap::get(rank, 0, context),
                                 builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), value, empty, maps, loops,
             [](OpBuilder &body, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(body, loc, arguments[0]);
             })
      .getResult(0);
}

AffineMap mlir::wax::getSelectionMap(MLIRContext *context, int64_t rank,
                                     ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs = llvm::map_to_vector(
      dims, [&](int64_t dim) { return getAffineDimExpr(dim, context); });
  return AffineMap::get(rank, 0, exprs, context);
}
