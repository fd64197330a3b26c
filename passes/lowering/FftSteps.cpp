//===- FftSteps.cpp - The steps of a Fourier transform --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fft.h"
#include "FftPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::wax;

/// Entries of a table of roots; more are the products of several tables.
static constexpr int64_t kMostEntries = 2048;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

OpFoldResult FftEmitter::times(int64_t factor, OpFoldResult size) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return builder.getIndexAttr(factor * *constant);
  if (factor == 1)
    return size;
  Value value = arith::ConstantIndexOp::create(builder, loc, factor);
  return arith::MulIOp::create(builder, loc, cast<Value>(size), value)
      .getResult();
}

AffineMap FftEmitter::select(int64_t rank, ArrayRef<int64_t> dims) {
  return getSelectionMap(builder.getContext(), rank, dims);
}

Value FftEmitter::expand(Value value, OpFoldResult outer,
                         ArrayRef<OpFoldResult> tail) {
  if (tail.size() == 1)
    return value;
  SmallVector<ReassociationIndices> groups(2);
  groups[0].push_back(0);
  for (size_t dim : llvm::seq(tail.size()))
    groups[1].push_back(dim + 1);
  SmallVector<OpFoldResult> sizes{outer};
  llvm::append_range(sizes, tail);
  return tensor::ExpandShapeOp::create(
      builder, loc, getTensorType(sizes, element), value, groups, sizes);
}

Value FftEmitter::flatten(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (rank == 2)
    return value;
  SmallVector<ReassociationIndices> groups(2);
  groups[0].push_back(0);
  for (int64_t dim : llvm::seq<int64_t>(1, rank))
    groups[1].push_back(dim);
  return tensor::CollapseShapeOp::create(builder, loc, value, groups);
}

Value FftEmitter::spread(const Planar &x) {
  return expand(
      x.value, x.outer,
      {builder.getIndexAttr(x.parts), builder.getIndexAttr(x.size), x.inner});
}

Planar FftEmitter::pack(Value spread, OpFoldResult outer, OpFoldResult inner) {
  auto type = cast<RankedTensorType>(spread.getType());
  return {flatten(spread), outer, inner, type.getDimSize(1),
          type.getDimSize(2)};
}

Planar FftEmitter::crop(const Planar &x, int64_t size) {
  if (x.size == size)
    return x;
  SmallVector<OpFoldResult> offsets(4, builder.getIndexAttr(0)),
      strides(4, builder.getIndexAttr(1)),
      sizes{x.outer, builder.getIndexAttr(x.parts), builder.getIndexAttr(size),
            x.inner};
  Value box = tensor::ExtractSliceOp::create(builder, loc, spread(x), offsets,
                                             sizes, strides);
  return pack(box, x.outer, x.inner);
}

Planar FftEmitter::padTo(const Planar &x, int64_t size) {
  if (x.size == size)
    return x;
  OpFoldResult none = builder.getIndexAttr(0);
  SmallVector<OpFoldResult> low(4, none), high(4, none);
  high[2] = builder.getIndexAttr(size - x.size);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  auto type = getTensorType({x.outer, builder.getIndexAttr(x.parts),
                             builder.getIndexAttr(size), x.inner},
                            element);
  Value padded =
      tensor::PadOp::create(builder, loc, type, spread(x), low, high, zero);
  return pack(padded, x.outer, x.inner);
}

Value FftEmitter::takePart(const Planar &x, int64_t part, int64_t size) {
  auto constant = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };
  if (x.parts == 1 && x.size == size)
    return expand(x.value, x.outer, {constant(size), x.inner});
  OpFoldResult one = constant(1), none = constant(0);
  return tensor::ExtractSliceOp::create(
      builder, loc, getTensorType({x.outer, constant(size), x.inner}, element),
      spread(x), {none, constant(part), none, none},
      {x.outer, one, constant(size), x.inner}, {one, one, one, one});
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value FftEmitter::createPass(
    ArrayRef<OpFoldResult> sizes, Type type, ValueRange inputs,
    ArrayRef<AffineMap> maps,
    function_ref<Value(OpBuilder &, ValueRange)> body) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, type);
  SmallVector<AffineMap> all(maps);
  all.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> loops(sizes.size(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, all, loops,
             [&](OpBuilder &inside, Location loc, ValueRange scalars) {
               linalg::YieldOp::create(inside, loc,
                                       body(inside, scalars.drop_back()));
             })
      .getResult(0);
}

Value FftEmitter::choosePart(OpBuilder &body, int64_t dim, Value real,
                             Value imaginary) {
  Value part = linalg::IndexOp::create(body, loc, dim);
  Value first = arith::ConstantIndexOp::create(body, loc, 0);
  Value isReal =
      arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, part, first);
  return arith::SelectOp::create(body, loc, isReal, real, imaginary);
}

/// The sum over the last loop of products, for each element of a tensor of
/// `sizes`.
Value FftEmitter::contract(Value lhs, Value rhs, AffineMap lhsMap,
                           AffineMap rhsMap, ArrayRef<OpFoldResult> sizes) {
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  int64_t rank = sizes.size();
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  SmallVector<int64_t> kept = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return linalg::GenericOp::create(
             builder, loc, start.getType(), ValueRange{lhs, rhs}, start,
             {lhsMap, rhsMap, select(rank + 1, kept)}, loops,
             [](OpBuilder &body, Location loc, ValueRange scalars) {
               Value product =
                   arith::MulFOp::create(body, loc, scalars[0], scalars[1]);
               Value sum =
                   arith::AddFOp::create(body, loc, scalars[2], product);
               linalg::YieldOp::create(body, loc, sum);
             })
      .getResult(0);
}

ScalarNumber mlir::wax::multiplyScalars(OpBuilder &body, Location loc,
                                        ScalarNumber a, ScalarNumber b) {
  auto times = [&](Value x, Value y) -> Value {
    return arith::MulFOp::create(body, loc, x, y);
  };
  return {
      arith::SubFOp::create(body, loc, times(a.re, b.re), times(a.im, b.im)),
      arith::AddFOp::create(body, loc, times(a.re, b.im), times(a.im, b.re))};
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value mlir::wax::createTable(OpBuilder &builder, Location loc,
                             FloatType element, ArrayRef<int64_t> shape,
                             TableEntry entry) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<double> entries;
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t left = type.getNumElements(); left > 0; --left) {
    long double value = entry(index);
    entries.push_back(element.isF32() ? static_cast<float>(value)
                                      : static_cast<double>(value));
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
  DenseElementsAttr attribute;
  if (element.isF32())
    attribute = DenseElementsAttr::get(
        type, ArrayRef(llvm::map_to_vector(
                  entries, [](double x) { return static_cast<float>(x); })));
  else
    attribute = DenseElementsAttr::get(type, ArrayRef(entries));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// The transform of `radix` elements as one real matrix: entry (q, j; p, k) is
/// what part q of element j adds to part p of result k. Rows are the results,
/// columns the elements, or the other way round.
Value FftEmitter::createMatrix(int64_t radix, int64_t rows, int64_t rowParts,
                               int64_t columns, int64_t columnParts,
                               bool isTransposed, int64_t sign) {
  SmallVector<int64_t> shape{rowParts * rows, columnParts * columns};
  if (isTransposed)
    std::swap(shape[0], shape[1]);
  return createTable(shape, [&](ArrayRef<int64_t> index) {
    int64_t row = index[isTransposed], column = index[!isTransposed];
    int64_t p = row / rows, k = row % rows;
    int64_t q = column / columns, j = column % columns;
    Root root = getRoot(sign * j * k, radix);
    if (p == q)
      return root.re;
    return p ? root.im : 0 - root.im;
  });
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// What stands between two contractions: result k of the first, of `radix`, is
/// turned by `exp(±2πi · j · k / (radix · Π rest))` for the elements j of what
/// is left, and put behind them. `y` is `tensor<outer x 2 x radix x rest x
/// innermost>`, or, transposed, `tensor<outer x rest x 2 x radix>`. The root is
/// a product of one for each of the numbers that j is made of.
Value FftEmitter::multiplyByRoots(Value y, OpFoldResult outer,
                                  bool isTransposed, int64_t radix,
                                  ArrayRef<int64_t> rest,
                                  OpFoldResult innermost, int64_t sign) {
  SmallVector<int64_t> groups = groupRadices(rest, kMostEntries / radix);
  auto constant = [&](int64_t size) -> OpFoldResult {
    return builder.getIndexAttr(size);
  };
  // The result's dims: outer, part, groups, radix, innermost.
  SmallVector<OpFoldResult> shape{outer}, sizes{outer, constant(2)};
  llvm::append_range(sizes, llvm::map_range(groups, constant));
  sizes.push_back(constant(radix));
  int64_t count = groups.size(), radixDim = count + 2;
  SmallVector<int64_t> read{0};
  if (isTransposed) {
    llvm::append_range(shape, llvm::map_range(groups, constant));
    shape.append({constant(2), constant(radix)});
    llvm::append_range(read, llvm::seq<int64_t>(2, radixDim + 1));
  } else {
    sizes.push_back(innermost);
    shape.append({constant(2), constant(radix)});
    llvm::append_range(shape, llvm::map_range(groups, constant));
    shape.push_back(innermost);
    read.push_back(radixDim);
    llvm::append_range(read, llvm::seq<int64_t>(2, radixDim));
    read.push_back(radixDim + 1);
  }
  Value elements = expand(flatten(y), outer, ArrayRef(shape).drop_front());
  int64_t partDim = isTransposed ? count + 1 : 1, rank = sizes.size();
  SmallVector<OpFoldResult> offsets(shape.size(), constant(0)),
      strides(shape.size(), constant(1)), box(shape), kept(shape);
  box[partDim] = constant(1);
  kept.erase(kept.begin() + partDim);
  SmallVector<Value> inputs;
  for (int64_t part : {0, 1}) {
    offsets[partDim] = constant(part);
    inputs.push_back(tensor::ExtractSliceOp::create(
        builder, loc, getTensorType(kept, element), elements, offsets, box,
        strides));
  }
  SmallVector<AffineMap> maps(2, select(rank, read));

  int64_t n = radix * getProduct(rest), step = getProduct(rest);
  for (auto [group, size] : llvm::enumerate(groups)) {
    step /= size;
    for (bool isReal : {true, false}) {
      inputs.push_back(createTable({size, radix}, [&](ArrayRef<int64_t> index) {
        Root root = getRoot(sign * index[0] * step * index[1], n);
        return isReal ? root.re : root.im;
      }));
      maps.push_back(select(rank, {static_cast<int64_t>(group) + 2, radixDim}));
    }
  }
  Value turned = createPass(
      sizes, element, inputs, maps,
      [&](OpBuilder &body, ValueRange scalars) -> Value {
        ScalarNumber value{scalars[0], scalars[1]};
        for (scalars = scalars.drop_front(2); !scalars.empty();
             scalars = scalars.drop_front(2))
          value = multiplyScalars(body, loc, value, {scalars[0], scalars[1]});
        return choosePart(body, 1, value.re, value.im);
      });
  return flatten(turned);
}

Planar FftEmitter::transformSmooth(Planar x, ArrayRef<int64_t> radices,
                                   int64_t wanted, bool isRealWanted,
                                   int64_t sign) {
  auto constant = [&](int64_t size) -> OpFoldResult {
    return builder.getIndexAttr(size);
  };
  int64_t done = 1;
  for (size_t stage : llvm::seq(radices.size())) {
    int64_t radix = radices[stage];
    ArrayRef<int64_t> rest = radices.drop_front(stage + 1);
    int64_t between = getProduct(rest);
    bool isLast = rest.empty();
    // Elements known to be zero, and results nobody wants, are left out.
    int64_t columns = radix, rows = radix, parts = 2;
    if (stage == 0) {
      columns = llvm::divideCeil(x.size, between);
      x = padTo(x, columns * between);
    }
    if (isLast) {
      rows = llvm::divideCeil(wanted, done);
      parts = isRealWanted ? 1 : 2;
    }

    // Loops run over the result's innermost dim: where there is nothing inside
    // the transformed dim yet, the results come to stand there.
    OpFoldResult inside = times(done, x.inner),
                 columnsOf = times(between, inside);
    bool isTransposed = isConstantIntValue(inside, 1);
    Value matrix =
        createMatrix(radix, rows, parts, columns, x.parts, isTransposed, sign);
    Value elements =
        expand(x.value, x.outer, {constant(x.parts * columns), columnsOf});
    Value y;
    if (isTransposed)
      y = contract(elements, matrix, select(4, {0, 3, 1}), select(4, {3, 2}),
                   {x.outer, columnsOf, constant(parts * rows)});
    else
      y = contract(matrix, elements, select(4, {1, 3}), select(4, {0, 3, 2}),
                   {x.outer, constant(parts * rows), columnsOf});
    if (!isLast)
      y = multiplyByRoots(y, x.outer, isTransposed, radix, rest, inside, sign);
    done *= radix;
    x = {flatten(y), x.outer, x.inner, parts,
         isLast ? rows * (done / radix) : done * between};
  }
  return x;
}

std::optional<Planar> FftEmitter::transformRows(Planar x, int64_t n) {
  RowForm from = x.parts == 2 ? RowForm::Parts : RowForm::Reals;
  std::optional<RowPlan> plan =
      planRows(context, element, x.outer, n, from, RowForm::Parts);
  if (!plan || !isConstantIntValue(x.inner, 1))
    return std::nullopt;
  x = padTo(x, n);
  Value rows =
      emitFftRows(builder, loc, context,
                  {x.value, x.outer, from, RowForm::Parts, sign, *plan});
  return Planar{rows, x.outer, x.inner, 2, n};
}

Planar FftEmitter::transform(Planar x, int64_t n, int64_t wanted,
                             bool isRealWanted) {
  if (std::optional<Planar> made = transformRows(x, n))
    return *made;
  if (std::optional<SmallVector<int64_t>> radices = getRadices(n))
    return transformSmooth(x, *radices, wanted, isRealWanted, sign);
  return transformByConvolution(x, n, wanted);
}
