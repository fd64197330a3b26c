//===- Fft.h - The steps of a Fourier transform -----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transform of `n = r_1 ⋯ r_s` elements is `s` contractions with small
// matrices and, between them, passes that turn each element by a root of unity
// and reorder (Cooley and Tukey's, in Stockham's order, so that no permutation
// is left to the end). Real and imaginary parts stand one after the other: a
// contraction multiplies both by one real matrix of `2r` by `2r`, which
// compilers know for a matmul, and nothing but the ends sees complex numbers.
//
// Lengths with a large prime factor are a convolution (Bluestein's), which is
// two transforms of another length.
//
// Where vectors may be used, rows and columns in memory take another way, in
// one dispatch: FftRows.h.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_FFT_H
#define WAX_PASSES_LOWERING_FFT_H

#include "FftRows.h"
#include "Lowering.h"

namespace mlir::wax {

/// Elements to be transformed along one dim: `value` is a
/// `tensor<outer x (parts · size · inner)>`, in this order, where `parts` is 2
/// for real and imaginary parts, and 1 if all imaginary parts are zero.
struct Planar {
  Value value;
  OpFoldResult outer, inner;
  int64_t parts, size;
};

using TableEntry = llvm::function_ref<long double(ArrayRef<int64_t>)>;

/// A constant tensor whose elements are told by their indices.
Value createTable(OpBuilder &builder, Location loc, FloatType element,
                  ArrayRef<int64_t> shape, TableEntry entry);

/// A transform of length `n` of elements that are zero from `size` on, of which
/// some are wanted, as a convolution of a length of its own.
struct Convolution {
  int64_t size, n, wanted, length;
};

/// Parts of a complex number.
struct ScalarNumber {
  Value re, im;
};
ScalarNumber multiplyScalars(OpBuilder &body, Location loc, ScalarNumber a,
                             ScalarNumber b);

/// Emits the steps of transforms.
class FftEmitter {
public:
  FftEmitter(OpBuilder &builder, Location loc, LoweringContext &context,
             FloatType element, bool inverse)
      : builder(builder), loc(loc), context(context), element(element),
        sign(inverse ? 1 : -1) {}

  /// The transform of length `n` of elements that are zero from `x.size` on;
  /// at least its first `wanted` elements. With `isRealWanted` the imaginary
  /// parts may be left out.
  Planar transform(Planar x, int64_t n, int64_t wanted, bool isRealWanted);

  /// `tensor<outer x parts x size x inner>`.
  Value spread(const Planar &x);
  /// From that form.
  Planar pack(Value spread, OpFoldResult outer, OpFoldResult inner);
  /// The first `size` elements of each part.
  Planar crop(const Planar &x, int64_t size);
  /// The first `size` elements of one part, `tensor<outer x size x inner>`.
  Value takePart(const Planar &x, int64_t part, int64_t size);

  /// An operation without loops that carry anything: for each element of a
  /// tensor of `sizes`, `body` of the elements that `maps` select.
  Value createPass(ArrayRef<OpFoldResult> sizes, Type type, ValueRange inputs,
                   ArrayRef<AffineMap> maps,
                   function_ref<Value(OpBuilder &, ValueRange)> body);

  /// The transform of rows by a convolution by vectors, in which they have
  /// become longer; tells the length.
  std::optional<Value> convolveRows(FftRows rows, Convolution &convolution);

  /// Either of two scalars, by whether loop `dim` stands at 0.
  Value choosePart(OpBuilder &body, int64_t dim, Value real, Value imaginary);

private:
  Planar transformSmooth(Planar x, ArrayRef<int64_t> radices, int64_t wanted,
                         bool isRealWanted, int64_t sign);
  /// By vectors of rows, if there is a plan for them.
  std::optional<Planar> transformRows(Planar x, int64_t n);
  Planar createSpectrum(const Convolution &convolution);
  Planar transformByConvolution(Planar x, int64_t n, int64_t wanted);
  Value multiplyByRoots(Value y, OpFoldResult outer, bool isTransposed,
                        int64_t radix, ArrayRef<int64_t> rest,
                        OpFoldResult innermost, int64_t sign);
  Planar padTo(const Planar &x, int64_t size);

  Value contract(Value lhs, Value rhs, AffineMap lhsMap, AffineMap rhsMap,
                 ArrayRef<OpFoldResult> sizes);
  Value createMatrix(int64_t radix, int64_t rows, int64_t rowParts,
                     int64_t columns, int64_t columnParts, bool isTransposed,
                     int64_t sign);
  /// `exp(±πi · j² / n)` for `count` numbers j, as planar constants; see there.
  Planar createChirp(int64_t n, int64_t sign, int64_t count, int64_t rising,
                     int64_t falling, double scale, bool isPaired = false);
  /// Each of the first `size` elements times the factor at its place.
  Planar multiply(const Planar &x, const Planar &factors, int64_t size);

  Value createTable(ArrayRef<int64_t> shape, TableEntry entry) {
    return wax::createTable(builder, loc, element, shape, entry);
  }
  /// `tensor<outer x rest>` as `tensor<outer x tail…>`, and back.
  Value expand(Value value, OpFoldResult outer, ArrayRef<OpFoldResult> tail);
  Value flatten(Value value);
  OpFoldResult times(int64_t factor, OpFoldResult size);
  AffineMap select(int64_t rank, ArrayRef<int64_t> dims);

  OpBuilder &builder;
  Location loc;
  LoweringContext &context;
  FloatType element;
  int64_t sign;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_FFT_H
