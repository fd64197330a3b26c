//===- FftRows.h - Transforms of rows by vectors ----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of numbers in memory is read as a matrix. Vectors hold some of its
// columns, all of which are transformed alike, one in each lane; then each
// number is turned by a root of unity, and vectors hold some of its rows, for
// which squares of numbers are transposed in registers. What comes out stands
// in order, since results of the rows are the columns of the result.
//
// All of it is one dispatch. A side of the matrix has at most as many numbers
// as the nearest cache takes, a vector of each.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_FFTROWS_H
#define WAX_PASSES_LOWERING_FFTROWS_H

#include "FftPlan.h"
#include "Lowering.h"

namespace mlir::wax {

/// How the numbers of a row lie in memory.
enum class RowForm {
  /// Each imaginary part follows its real one.
  Pairs,
  /// All imaginary parts follow the real ones.
  Parts,
  /// There are real parts only.
  Reals,
  /// Pairs of the first half of a transform of real numbers, of the middle
  /// included; these numbers are a row of `Pairs` of half the length, or, of an
  /// odd count of them, of `Reals`.
  Half,
};

/// Rows to be transformed: `source` is a tensor of `rows` and what `from` has
/// for each of them.
struct FftRows {
  Value source;
  OpFoldResult rows;
  RowForm from, to;
  int64_t sign;
  RowPlan plan{};
  /// How many numbers a row of the source has, if not all: others are zero.
  int64_t size = 0;
  /// What numbers are multiplied by before and after: rows, in those forms.
  Value factorsBefore{}, factorsAfter{};
};

/// The plan for `rows` rows of `n` numbers, where vectors may be used. Between
/// `Reals` and a half there are only those for short rows.
std::optional<RowPlan> planRows(LoweringContext &context, FloatType element,
                                OpFoldResult rows, int64_t n, RowForm from,
                                RowForm to);

/// A length of at least `least` for a convolution, that has a plan.
std::optional<int64_t> planConvolution(LoweringContext &context,
                                       FloatType element, int64_t least);

/// Their transforms, in the form `to`, as one dispatch.
Value emitFftRows(OpBuilder &builder, Location loc, LoweringContext &context,
                  const FftRows &fft);

/// The same of rows that are a column each.
Value emitFftShortRows(OpBuilder &builder, Location loc,
                       LoweringContext &context, const FftRows &fft);

/// Numbers of `Pairs` to be transformed along the middle one of three dims.
struct FftColumns {
  Value source;
  OpFoldResult outer;
  int64_t inner;
  int64_t sign;
  RowPlan plan;
};

/// The plan for transforms of `n` numbers along a dim that `inner` numbers
/// follow, where vectors may be used.
std::optional<RowPlan> planColumns(LoweringContext &context, FloatType element,
                                   int64_t n, OpFoldResult inner);

/// Their transforms, as one dispatch.
Value emitFftColumns(OpBuilder &builder, Location loc, LoweringContext &context,
                     const FftColumns &fft);

/// Whether numbers of such parts are transformed by vectors.
bool takesNumberLanes(LoweringContext &context, FloatType element);

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_FFTROWS_H
