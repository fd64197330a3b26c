//===- ScaleByExponents.cpp - Products with powers of two -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processors with AVX-512 have an instruction for what takes eight otherwise.
//
//===----------------------------------------------------------------------===//

#include "Scaling.h"
#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Vectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SCALEBYEXPONENTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Whether a value is this number, in each lane.
static bool isNumber(Value value, int64_t number) {
  if (auto splat = value.getDefiningOp<vector::BroadcastOp>())
    value = splat.getSource();
  APInt found;
  return matchPattern(value, m_ConstantInt(&found)) &&
         found.getSExtValue() == number;
}

/// k, of a number that is made of its bits to be 2^k.
static Value getExponent(Value power) {
  auto made = power.getDefiningOp<arith::BitcastOp>();
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(power.getType()));
  if (!made || !type)
    return {};
  auto bits = made.getIn().getDefiningOp<arith::ShLIOp>();
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (!bits || !isNumber(bits.getRhs(), type.getFPMantissaWidth() - 1))
    return {};
  auto biased = bits.getLhs().getDefiningOp<arith::AddIOp>();
  if (!biased || !isNumber(biased.getRhs(),
                           llvm::APFloat::semanticsMaxExponent(semantics)))
    return {};
  return biased.getLhs();
}

/// As `getScaling`, where 2^k is the product of a power that `value` is
/// multiplied with and this one.
static std::optional<Scaling> getScaling(Value value, Value power) {
  Value rest = getExponent(power);
  auto difference =
      rest ? rest.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  if (!difference)
    return std::nullopt;
  auto half = difference.getRhs().getDefiningOp<arith::ShRSIOp>();
  if (!half || half.getLhs() != difference.getLhs() ||
      !isNumber(half.getRhs(), 1))
    return std::nullopt;
  auto isHalf = [&](Value other) {
    return getExponent(other) == half.getResult();
  };
  Value exponent = difference.getLhs();
  if (auto sum = value.getDefiningOp<math::FmaOp>()) {
    if (sum.getB() == sum.getC() && isHalf(sum.getC()))
      return Scaling{sum.getA(), /*addsOne=*/true, exponent};
  } else if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    if (isHalf(product.getRhs()))
      return Scaling{product.getLhs(), /*addsOne=*/false, exponent};
    if (isHalf(product.getLhs()))
      return Scaling{product.getRhs(), /*addsOne=*/false, exponent};
  }
  return std::nullopt;
}

std::optional<Scaling> mlir::wax::getScaling(arith::MulFOp product) {
  if (std::optional<Scaling> found =
          ::getScaling(product.getLhs(), product.getRhs()))
    return found;
  return ::getScaling(product.getRhs(), product.getLhs());
}

bool mlir::wax::hasScaling(Block &block) {
  return block
      .walk([](arith::MulFOp product) {
        return getScaling(product) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// An exponent as a number of the type that is scaled; it was one before it was
/// an integer, most times.
static Value toFloat(OpBuilder &builder, Location loc, Value exponent,
                     Type type) {
  Value narrow = exponent;
  if (auto wide = exponent.getDefiningOp<arith::ExtSIOp>())
    narrow = wide.getIn();
  auto whole = narrow.getDefiningOp<arith::FPToSIOp>();
  if (whole && whole.getIn().getType() == type)
    return whole.getIn();
  return arith::SIToFPOp::create(builder, loc, type, exponent);
}

/// `value` times 2^`exponent`, of registers of 64 bytes.
static Value createScaled(OpBuilder &builder, Location loc, Value value,
                          Value exponent) {
  auto type = cast<VectorType>(value.getType());
  int64_t lanes = type.getNumElements();
  bool isDouble = type.getElementType().isF64();
  int64_t most = isDouble ? 8 : 16;
  if (lanes > most) {
    auto emitHalf = [&](int64_t first) {
      auto places = llvm::to_vector(llvm::seq(first, first + lanes / 2));
      return createScaled(builder, loc,
                          createShuffle(builder, loc, value, places),
                          createShuffle(builder, loc, exponent, places));
    };
    Value low = emitHalf(0), high = emitHalf(lanes / 2);
    return vector::ShuffleOp::create(builder, loc, low, high,
                                     llvm::to_vector(llvm::seq(lanes)));
  }
  Value all = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(builder.getIntegerType(most), -1));
  // Rounding is as it is everywhere.
  Value current = arith::ConstantIntOp::create(builder, loc, 4, 32);
  StringRef name = isDouble ? "llvm.x86.avx512.mask.scalef.pd.512"
                            : "llvm.x86.avx512.mask.scalef.ps.512";
  return LLVM::CallIntrinsicOp::create(
             builder, loc, type, builder.getStringAttr(name),
             ValueRange{value, exponent, value, all, current})
      .getResult(0);
}

/// Whether registers of 64 bytes hold such vectors.
static bool fillsRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || vector.isScalable())
    return false;
  Type element = vector.getElementType();
  int64_t most = element.isF32() ? 16 : element.isF64() ? 8 : 0;
  return most && vector.getNumElements() >= most &&
         llvm::isPowerOf2_64(vector.getNumElements());
}

static LogicalResult scale(arith::MulFOp product, PatternRewriter &rewriter) {
  if (!fillsRegisters(product.getType()))
    return failure();
  std::optional<Scaling> found = getScaling(product);
  if (!found)
    return failure();
  Location loc = product.getLoc();
  Value value = found->value;
  if (found->addsOne) {
    Value one = arith::ConstantOp::create(
        rewriter, loc, rewriter.getOneAttr(product.getType()));
    value = arith::AddFOp::create(rewriter, loc, value, one);
  }
  rewriter.replaceOp(
      product,
      createScaled(rewriter, loc, value,
                   toFloat(rewriter, loc, found->exponent, value.getType())));
  return success();
}

namespace {
struct ScaleByExponents : wax::impl::ScaleByExponentsBase<ScaleByExponents> {
  using ScaleByExponentsBase::ScaleByExponentsBase;

  void runOnOperation() override {
    if (!hasAVX512(processor))
      return;
    SmallVector<Operation *> products;
    getOperation().walk(
        [&](arith::MulFOp product) { products.push_back(product); });
    RewritePatternSet patterns(&getContext());
    patterns.add(scale);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    if (failed(applyOpPatternsGreedily(products, std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
