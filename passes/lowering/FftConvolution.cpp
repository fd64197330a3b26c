//===- FftConvolution.cpp - Transforms of lengths with large primes -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `jk = (j² + k² − (k − j)²) / 2` makes the sum over j a convolution with
// `exp(∓πi · m² / n)`, m from `1 − size` to `wanted − 1`, of what is turned by
// `exp(±πi · j² / n)` before, and by `exp(±πi · k² / n)` after.
//
//===----------------------------------------------------------------------===//

#include "Fft.h"
#include "FftRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

/// For an index m along `count` elements, `scale · exp(sign · πi · j² / n)`,
/// where j is m for m < `rising`, or the distance to the end, `count − m`, for
/// m > `count − falling`, and 0 between.
///
/// The exponent j² mod 2n is found in integers; its root is the product of two
/// that stand in tables. Parts of a number are neighbours with `isPaired`.
Planar FftEmitter::createChirp(int64_t n, int64_t sign, int64_t count,
                               int64_t rising, int64_t falling, double scale,
                               bool isPaired) {
  int64_t low = int64_t(1) << ((llvm::Log2_64_Ceil(2 * n) + 1) / 2);
  int64_t high = llvm::divideCeil(2 * n, low);
  auto createRoots = [&](int64_t entries, int64_t step, bool isReal) {
    return createTable({entries}, [&](ArrayRef<int64_t> index) {
      Root root = getRoot(sign * index[0] * step, 2 * n);
      return isReal ? root.re : root.im;
    });
  };
  Value lowRe = createRoots(low, 1, true), lowIm = createRoots(low, 1, false);
  Value highRe = createRoots(high, low, true),
        highIm = createRoots(high, low, false);

  SmallVector<OpFoldResult> sizes(3, builder.getIndexAttr(1));
  int64_t partDim = isPaired ? 2 : 1, dim = 3 - partDim;
  sizes[partDim] = builder.getIndexAttr(2);
  sizes[dim] = builder.getIndexAttr(count);
  Value chirp = createPass(
      sizes, element, {}, {}, [&](OpBuilder &body, ValueRange) -> Value {
        Type wide = body.getI64Type();
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(body, loc,
                                           body.getI64IntegerAttr(value));
        };
        auto toIndex = [&](Value value) -> Value {
          return arith::IndexCastOp::create(body, loc, body.getIndexType(),
                                            value);
        };
        auto isLess = [&](Value lhs, Value rhs) -> Value {
          return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt,
                                       lhs, rhs);
        };
        Value m = arith::IndexCastOp::create(
            body, loc, wide, linalg::IndexOp::create(body, loc, dim));
        Value isRising = isLess(m, number(rising));
        Value j = arith::SelectOp::create(
            body, loc, isRising, m,
            arith::SubIOp::create(body, loc, number(count), m));
        Value square = arith::MulIOp::create(body, loc, j, j);
        Value exponent =
            arith::RemUIOp::create(body, loc, square, number(2 * n));
        Value atHigh =
            toIndex(arith::DivUIOp::create(body, loc, exponent, number(low)));
        Value atLow =
            toIndex(arith::RemUIOp::create(body, loc, exponent, number(low)));
        auto read = [&](Value table, Value at) -> Value {
          return tensor::ExtractOp::create(body, loc, table, at);
        };
        ScalarNumber root = multiplyScalars(
            body, loc, {read(highRe, atHigh), read(highIm, atHigh)},
            {read(lowRe, atLow), read(lowIm, atLow)});
        Value part = choosePart(body, partDim, root.re, root.im);
        auto scalar = [&](double value) -> Value {
          return arith::ConstantOp::create(body, loc,
                                           body.getFloatAttr(element, value));
        };
        if (scale != 1)
          part = arith::MulFOp::create(body, loc, part, scalar(scale));
        if (rising < count) {
          Value isFalling = isLess(number(count - falling), m);
          Value isSet = arith::OrIOp::create(body, loc, isRising, isFalling);
          part = arith::SelectOp::create(body, loc, isSet, part, scalar(0));
        }
        return part;
      });
  OpFoldResult one = builder.getIndexAttr(1);
  return {flatten(chirp), one, one, 2, count};
}

Planar FftEmitter::multiply(const Planar &x, const Planar &factors,
                            int64_t size) {
  auto constant = [&](int64_t size) -> OpFoldResult {
    return builder.getIndexAttr(size);
  };
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps(x.parts, select(4, {0, 2, 3}));
  for (int64_t part : llvm::seq(x.parts))
    inputs.push_back(takePart(x, part, size));
  // Without outer and inner dims, which have size 1.
  Value table =
      expand(factors.value, constant(1), {constant(2), constant(factors.size)});
  for (int64_t part : {0, 1}) {
    inputs.push_back(tensor::ExtractSliceOp::create(
        builder, loc, RankedTensorType::get({size}, element), table,
        {constant(0), constant(part), constant(0)},
        {constant(1), constant(1), constant(size)},
        {constant(1), constant(1), constant(1)}));
    maps.push_back(select(4, {2}));
  }
  SmallVector<OpFoldResult> sizes{x.outer, constant(2), constant(size),
                                  x.inner};
  Value product = createPass(
      sizes, element, inputs, maps,
      [&](OpBuilder &body, ValueRange scalars) -> Value {
        ValueRange root = scalars.take_back(2);
        ScalarNumber turned;
        if (x.parts == 2)
          turned = multiplyScalars(body, loc, {scalars[0], scalars[1]},
                                   {root[0], root[1]});
        else
          turned = {arith::MulFOp::create(body, loc, scalars[0], root[0]),
                    arith::MulFOp::create(body, loc, scalars[0], root[1])};
        return choosePart(body, 1, turned.re, turned.im);
      });
  return pack(product, x.outer, x.inner);
}

/// Of constants alone, it is computed once, since contractions are.
Planar FftEmitter::createSpectrum(const Convolution &convolution) {
  Planar kernel =
      createChirp(convolution.n, -sign, convolution.length, convolution.wanted,
                  convolution.size, 1.0 / convolution.length);
  return transformSmooth(kernel, *getRadices(convolution.length),
                         convolution.length, false, -1);
}

Planar FftEmitter::transformByConvolution(Planar x, int64_t n, int64_t wanted) {
  Convolution convolution{x.size, n, wanted, 0};
  if (isConstantIntValue(x.inner, 1)) {
    RowForm from = x.parts == 2 ? RowForm::Parts : RowForm::Reals;
    if (std::optional<Value> made = convolveRows(
            {x.value, x.outer, from, RowForm::Parts, sign}, convolution))
      return crop({*made, x.outer, x.inner, 2, convolution.length}, wanted);
  }
  convolution.length = getConvolutionLength(x.size + wanted - 1);
  SmallVector<int64_t> radices = *getRadices(convolution.length);
  int64_t most = std::max(x.size, wanted);
  Planar chirp = createChirp(n, sign, most, most, 0, 1);
  Planar spectrum = createSpectrum(convolution);
  Planar turned = multiply(x, chirp, x.size);
  Planar transformed =
      transformSmooth(turned, radices, convolution.length, false, -1);
  Planar product = multiply(transformed, spectrum, convolution.length);
  Planar convolved = transformSmooth(product, radices, wanted, false, 1);
  return multiply(convolved, chirp, wanted);
}

std::optional<Value> FftEmitter::convolveRows(FftRows rows,
                                              Convolution &convolution) {
  std::optional<int64_t> length = planConvolution(
      context, element, convolution.size + convolution.wanted - 1);
  if (!length)
    return std::nullopt;
  convolution.length = *length;
  RowForm from = rows.from, to = rows.to;
  auto createTurns = [&](RowForm form) {
    return createChirp(convolution.n, sign, *length, *length, 0, 1,
                       /*isPaired=*/form == RowForm::Pairs)
        .value;
  };
  rows.plan =
      *planRows(context, element, rows.rows, *length, from, RowForm::Parts);
  rows.size = convolution.size;
  rows.to = RowForm::Parts;
  rows.sign = -1;
  rows.factorsBefore = createTurns(from);
  rows.factorsAfter = createSpectrum(convolution).value;
  rows.source = emitFftRows(builder, loc, context, rows);
  rows.size = 0;
  rows.from = RowForm::Parts;
  rows.to = to;
  rows.sign = 1;
  rows.factorsBefore = Value();
  rows.factorsAfter = createTurns(to);
  return emitFftRows(builder, loc, context, rows);
}
