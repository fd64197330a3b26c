//===- Spectral.cpp - fft -------------------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fft.h"
#include "FftRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "wax/Passes/IREE.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// One operation's way to its result: the sizes that the operand has come to,
/// and how they are reached.
class FftLowering {
public:
  FftLowering(FftOp op, OpBuilder &builder, LoweringContext &context)
      : op(op), builder(builder), context(context), loc(op.getLoc()),
        element(getPartType(op)),
        emitter(builder, op.getLoc(), context, element, op.getInverse()),
        sizes(context.getSizes(builder, op.getLoc(), op.getOperand())) {}

  Value run();

private:
  static FloatType getPartType(FftOp op) {
    Type type = op.getOperand().getType().getElementType();
    if (auto complexType = dyn_cast<ComplexType>(type))
      type = complexType.getElementType();
    return cast<FloatType>(type);
  }
  int64_t getSize(int64_t dim) { return *getConstantIntValue(sizes[dim]); }

  /// The length of the transform along `dim`, and what of its result is wanted.
  struct Lengths {
    int64_t length, wanted;
  };
  Lengths getLengths(int64_t dim);

  /// What rows along `dim` are in memory, before and after. An even count of
  /// real numbers is half as many complex ones.
  std::pair<RowForm, RowForm> getForms(int64_t dim);

  OpFoldResult product(ArrayRef<OpFoldResult> factors);
  ArrayRef<OpFoldResult> before(int64_t dim) {
    return ArrayRef(sizes).take_front(dim);
  }
  ArrayRef<OpFoldResult> after(int64_t dim) {
    return ArrayRef(sizes).drop_front(dim + 1);
  }
  Value reshape(Value value, ArrayRef<ReassociationIndices> merge,
                ArrayRef<ReassociationIndices> split,
                ArrayRef<OpFoldResult> shape) {
    return createReshape(builder, loc, context.getTarget(), value, merge, split,
                         shape);
  }

  /// A real operand's half dim comes first, a real result's last.
  SmallVector<int64_t> getDimsInOrder() {
    SmallVector<int64_t> dims(op.getDims());
    if (op.hasRealOperand())
      std::reverse(dims.begin(), dims.end());
    return dims;
  }

  /// Dims of more than one element, each with its plan, or as a convolution
  /// without one.
  using Transforms = SmallVector<std::pair<int64_t, std::optional<RowPlan>>>;
  std::optional<Transforms> planVectors();
  /// A dispatch, or those of a convolution, from numbers in memory, pairs or
  /// real ones, to such.
  Value transformAlong(Value numbers, int64_t dim, std::optional<RowPlan> plan);
  /// The result by vectors, where all dims have plans.
  std::optional<Value> runByVectors();

  Planar load(int64_t dim);
  Planar turnTo(Planar x, int64_t from, int64_t dim);
  Value store(const Planar &x, int64_t dim, int64_t wanted);
  /// `part` times how often an element of a half dim occurs in the whole.
  Value weigh(OpBuilder &body, int64_t loop, Value part, int64_t length);
  bool isWeighed(int64_t dim) {
    return op.hasRealResult() && dim == op.getDims().back();
  }

  FftOp op;
  OpBuilder &builder;
  LoweringContext &context;
  Location loc;
  FloatType element;
  FftEmitter emitter;
  SmallVector<OpFoldResult> sizes;
};

} // namespace

FftLowering::Lengths FftLowering::getLengths(int64_t dim) {
  int64_t size = getSize(dim);
  if (dim == op.getDims().back()) {
    if (op.hasRealResult())
      return {static_cast<int64_t>(*op.getLength()),
              static_cast<int64_t>(*op.getLength())};
    if (op.hasRealOperand())
      return {size, size / 2 + 1};
  }
  return {size, size};
}

std::pair<RowForm, RowForm> FftLowering::getForms(int64_t dim) {
  RowForm real = getLengths(dim).length % 2 ? RowForm::Reals : RowForm::Pairs;
  if (dim + 1 == static_cast<int64_t>(sizes.size())) {
    if (op.hasRealOperand())
      return {real, RowForm::Half};
    if (op.hasRealResult())
      return {RowForm::Half, real};
  }
  return {RowForm::Pairs, RowForm::Pairs};
}

OpFoldResult FftLowering::product(ArrayRef<OpFoldResult> factors) {
  int64_t known = 1;
  Value unknown;
  for (OpFoldResult factor : factors) {
    if (std::optional<int64_t> constant = getConstantIntValue(factor)) {
      known *= *constant;
      continue;
    }
    Value value = cast<Value>(factor);
    unknown =
        unknown
            ? arith::MulIOp::create(builder, loc, unknown, value).getResult()
            : value;
  }
  if (!unknown || known == 0)
    return builder.getIndexAttr(known);
  if (known == 1)
    return unknown;
  Value constant = arith::ConstantIndexOp::create(builder, loc, known);
  return arith::MulIOp::create(builder, loc, unknown, constant).getResult();
}

Value FftLowering::weigh(OpBuilder &body, int64_t loop, Value part,
                         int64_t length) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(body, loc, value);
  };
  auto equals = [&](Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, lhs, rhs);
  };
  Value k = linalg::IndexOp::create(body, loc, loop);
  Value isSingle = equals(k, index(0));
  if (length % 2 == 0)
    isSingle =
        arith::OrIOp::create(body, loc, isSingle, equals(k, index(length / 2)));
  Value twice = arith::AddFOp::create(body, loc, part, part);
  return arith::SelectOp::create(body, loc, isSingle, part, twice);
}

/// The operand, to be transformed along `dim`.
Planar FftLowering::load(int64_t dim) {
  int64_t rank = sizes.size();
  OpFoldResult outer = product(before(dim)), inner = product(after(dim));
  // Groups with nothing in them, of size 1, go with the transformed dim.
  SmallVector<ReassociationIndices> merge, split;
  auto list = [](int64_t from, int64_t to) {
    return llvm::to_vector<2>(llvm::seq(from, to));
  };
  if (dim > 0) {
    merge.push_back(list(0, dim));
    split.push_back({0});
  }
  merge.push_back({dim});
  split.push_back(dim > 0 ? ReassociationIndices{1}
                          : ReassociationIndices{0, 1});
  if (dim + 1 < rank) {
    merge.push_back(list(dim + 1, rank));
    split.push_back({2});
  } else {
    split.back().push_back(2);
  }
  Value elements =
      reshape(op.getOperand(), merge, split, {outer, sizes[dim], inner});
  if (op.hasRealOperand())
    return {reshape(elements, {{0}, {1, 2}}, {{0}, {1}},
                    {outer, product({sizes[dim], inner})}),
            outer, inner, 1, getSize(dim)};

  SmallVector<OpFoldResult> spread{outer, builder.getIndexAttr(2), sizes[dim],
                                   inner};
  AffineMap map = getSelectionMap(builder.getContext(), 4, {0, 2, 3});
  Value parts = emitter.createPass(
      spread, element, elements, map,
      [&](OpBuilder &body, ValueRange scalars) -> Value {
        Value re = complex::ReOp::create(body, loc, scalars[0]);
        Value im = complex::ImOp::create(body, loc, scalars[0]);
        Value part = emitter.choosePart(body, 1, re, im);
        return isWeighed(dim) ? weigh(body, 2, part, getLengths(dim).length)
                              : part;
      });
  return emitter.pack(parts, outer, inner);
}

/// What is transformed along dim `from`, to be transformed along `dim`.
Planar FftLowering::turnTo(Planar x, int64_t from, int64_t dim) {
  OpFoldResult outer = product(before(dim)), inner = product(after(dim));
  // The parts move to just before `dim`.
  int64_t first = std::min(from, dim), second = std::max(from, dim);
  OpFoldResult between =
      product(ArrayRef(sizes).slice(first + 1, second - first - 1));
  OpFoldResult parts = builder.getIndexAttr(x.parts);
  SmallVector<OpFoldResult> shape, turned;
  SmallVector<int64_t> read;
  SmallVector<ReassociationIndices> split;
  int64_t loop;
  if (dim < from) {
    OpFoldResult rest = product({sizes[from], x.inner});
    shape = {outer, sizes[dim], between, parts, rest};
    turned = {outer, parts, sizes[dim], between, rest};
    read = {0, 2, 3, 1, 4};
    split = {{0, 1, 2}, {3, 4}};
    loop = 2;
  } else {
    OpFoldResult rest = product({sizes[from], between});
    turned = {x.outer, rest, parts, sizes[dim], inner};
    // One part moves without its elements.
    shape = x.parts == 1 ? turned
                         : SmallVector<OpFoldResult>{x.outer, parts, rest,
                                                     sizes[dim], inner};
    read = {0, 2, 1, 3, 4};
    split = {{0}, {1, 2, 3, 4}};
    loop = 3;
  }
  Value elements = reshape(x.value, {{0}, {1}}, split, shape);
  AffineMap map = getSelectionMap(builder.getContext(), 5, read);
  if (x.parts == 2)
    elements = emitter.createPass(
        turned, element, elements, map,
        [&](OpBuilder &body, ValueRange scalars) -> Value {
          return isWeighed(dim)
                     ? weigh(body, loop, scalars[0], getLengths(dim).length)
                     : scalars[0];
        });
  SmallVector<ReassociationIndices> merge = {{0}, {1, 2, 3, 4}};
  if (dim > from)
    merge = {{0, 1}, {2, 3, 4}};
  OpFoldResult flat = product({parts, sizes[dim], inner});
  Value value = reshape(elements, merge, {{0}, {1}}, {outer, flat});
  return {value, outer, inner, x.parts, getSize(dim)};
}

/// The result, of what is transformed along `dim`.
Value FftLowering::store(const Planar &x, int64_t dim, int64_t wanted) {
  int64_t rank = sizes.size();
  Value value = emitter.takePart(x, 0, wanted);
  if (!op.hasRealResult()) {
    SmallVector<Value> parts{value};
    if (x.parts == 2)
      parts.push_back(emitter.takePart(x, 1, wanted));
    SmallVector<AffineMap> maps(parts.size(),
                                builder.getMultiDimIdentityMap(3));
    auto type = ComplexType::get(element);
    value = emitter.createPass(
        {x.outer, builder.getIndexAttr(wanted), x.inner}, type, parts, maps,
        [&](OpBuilder &body, ValueRange scalars) -> Value {
          Value im = scalars.back();
          if (x.parts == 1)
            im =
                arith::ConstantOp::create(body, loc, body.getZeroAttr(element));
          return complex::CreateOp::create(body, loc, type, scalars.front(),
                                           im);
        });
  }
  auto list = [](int64_t from, int64_t to) {
    return llvm::to_vector<2>(llvm::seq(from, to));
  };
  SmallVector<ReassociationIndices> merge, split;
  if (dim > 0) {
    merge.push_back({0});
    split.push_back(list(0, dim));
  }
  merge.push_back(dim > 0 ? ReassociationIndices{1}
                          : ReassociationIndices{0, 1});
  split.push_back({dim});
  if (dim + 1 < rank) {
    merge.push_back({2});
    split.push_back(list(dim + 1, rank));
  } else {
    merge.back().push_back(2);
  }
  return reshape(value, merge, split, sizes);
}

std::optional<FftLowering::Transforms> FftLowering::planVectors() {
  Transforms transforms;
  int64_t last = sizes.size() - 1;
  bool isReal = op.hasRealOperand() || op.hasRealResult();
  // A half is along rows.
  if (isReal && op.getDims().back() != last)
    return std::nullopt;
  SmallVector<OpFoldResult> sizesThen(sizes);
  for (int64_t dim : getDimsInOrder()) {
    auto [length, wanted] = getLengths(dim);
    bool isHalf = isReal && dim == last;
    auto [from, to] = getForms(dim);
    int64_t n = isHalf && from != RowForm::Reals && to != RowForm::Reals
                    ? length / 2
                    : length;
    std::optional<RowPlan> plan =
        dim == last
            ? planRows(context, element,
                       product(ArrayRef(sizesThen).take_front(dim)), n, from,
                       to)
            : planColumns(context, element, n,
                          product(ArrayRef(sizesThen).drop_front(dim + 1)));
    bool isConvolution = !plan && dim == last && !isHalf && n > 1 &&
                         !getRadices(n) &&
                         planConvolution(context, element, 2 * n - 1);
    if (!plan && !isConvolution && (n != 1 || isHalf))
      return std::nullopt;
    if (plan || isConvolution)
      transforms.push_back({dim, plan});
    sizesThen[dim] = builder.getIndexAttr(wanted);
  }
  return transforms;
}

Value FftLowering::transformAlong(Value numbers, int64_t dim,
                                  std::optional<RowPlan> plan) {
  auto constant = [&](int64_t size) -> OpFoldResult {
    return builder.getIndexAttr(size);
  };
  int64_t rank = sizes.size();
  auto list = [](int64_t from, int64_t to) {
    return llvm::to_vector<2>(llvm::seq(from, to));
  };
  OpFoldResult outer = product(before(dim));
  bool isLast = dim + 1 == rank;
  SmallVector<ReassociationIndices> all, few;
  if (dim > 0)
    all = {list(0, dim), {dim}}, few = {{0}, {1}};
  else
    all = {{0}}, few = {{0, 1}};
  if (!isLast) {
    all.push_back(list(dim + 1, rank));
    few.push_back({2});
  }
  int64_t sign = op.getInverse() ? 1 : -1;
  auto [length, wanted] = getLengths(dim);
  auto sizesInMemory = [&](bool isReal) {
    SmallVector<OpFoldResult> inMemory(sizes);
    if (!isReal)
      inMemory.back() = constant(2 * getSize(rank - 1));
    return inMemory;
  };
  if (!isLast) {
    int64_t inner = *getConstantIntValue(product(after(dim)));
    Value source =
        reshape(numbers, all, few, {outer, sizes[dim], constant(2 * inner)});
    Value made = emitFftColumns(builder, loc, context,
                                {source, outer, inner, sign, *plan});
    return reshape(made, few, all, sizesInMemory(/*isReal=*/false));
  }
  bool isFromReal = op.hasRealOperand(), isToReal = op.hasRealResult();
  auto [from, to] = getForms(dim);
  OpFoldResult width = sizesInMemory(isFromReal).back();
  FftRows fft{reshape(numbers, all, few, {outer, width}), outer, from, to,
              sign};
  sizes[dim] = constant(wanted);
  SmallVector<OpFoldResult> result = sizesInMemory(isToReal);
  Value made;
  if (plan) {
    fft.plan = *plan;
    made = emitFftRows(builder, loc, context, fft);
  } else {
    Convolution convolution{length, length, length, 0};
    Value longer = *emitter.convolveRows(fft, convolution);
    SmallVector<OpFoldResult> kept{outer, result.back()};
    made = tensor::ExtractSliceOp::create(
        builder, loc, getTensorType(kept, element), longer,
        {constant(0), constant(0)}, kept, {constant(1), constant(1)});
  }
  return reshape(made, few, all, result);
}

std::optional<Value> FftLowering::runByVectors() {
  std::optional<Transforms> transforms = planVectors();
  if (!transforms || transforms->empty())
    return std::nullopt;
  auto getSizesInMemory = [&] {
    SmallVector<OpFoldResult> inMemory(sizes);
    inMemory.back() = builder.getIndexAttr(2 * getSize(sizes.size() - 1));
    return inMemory;
  };
  Value numbers = op.getOperand();
  if (!op.hasRealOperand())
    numbers =
        iree::createBitcast(builder, loc, numbers, getSizesInMemory(), element);
  for (auto [dim, plan] : *transforms)
    numbers = transformAlong(numbers, dim, plan);
  if (op.hasRealResult())
    return numbers;
  return iree::createBitcast(builder, loc, numbers, sizes,
                             ComplexType::get(element));
}

Value FftLowering::run() {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (isKnownEmpty(sizes)) {
    // Sums of nothing. Not a fill: IREE 3.13 has none of 128 bits.
    SmallVector<OpFoldResult> wanted =
        context.getSizes(builder, loc, op.getResult());
    Value empty = tensor::EmptyOp::create(builder, loc, wanted, element);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    Value zeros =
        linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
    AffineMap map = builder.getMultiDimIdentityMap(wanted.size());
    Type complexType = type.getElementType();
    Value made = emitter.createPass(
        wanted, complexType, zeros, map,
        [&](OpBuilder &body, ValueRange scalars) -> Value {
          return complex::CreateOp::create(body, loc, complexType, scalars[0],
                                           scalars[0]);
        });
    return castTo(builder, loc, type, made);
  }

  if (std::optional<Value> result = runByVectors())
    return castTo(builder, loc, type, *result);

  SmallVector<int64_t> dims = getDimsInOrder();
  Planar x = load(dims.front());
  Lengths lengths{};
  for (auto [place, dim] : llvm::enumerate(dims)) {
    if (place > 0)
      x = turnTo(emitter.crop(x, lengths.wanted), dims[place - 1], dim);
    lengths = getLengths(dim);
    if (lengths.length != 1)
      x = emitter.transform(x, lengths.length, lengths.wanted, isWeighed(dim));
    sizes[dim] = builder.getIndexAttr(lengths.wanted);
  }
  return castTo(builder, loc, type, store(x, dims.back(), lengths.wanted));
}

namespace {
struct LowerFft : LowerableOpInterface::ExternalModel<LowerFft, FftOp> {
  LoweringResult lower(Operation *op, RewriterBase &rewriter,
                       LoweringContext &context) const {
    return SmallVector<Value>{
        FftLowering(cast<FftOp>(op), rewriter, context).run()};
  }
};
} // namespace

void mlir::wax::attachSpectralLowerings(MLIRContext *context) {
  FftOp::attachInterface<LowerFft>(*context);
}
