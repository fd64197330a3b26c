//===- SplitComplex.cpp - Complex numbers as pairs of real ones -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"
#include "wax/Passes/IREE.h"

namespace mlir::wax {
#define GEN_PASS_DEF_SPLITCOMPLEX
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Which of the two, as in `wax.part`.
static constexpr StringLiteral parts[] = {"re", "im"};

/// The type of either part of one of wax's complex numbers or of a tensor of
/// them; null for other types.
static Type getPartType(Type type) {
  auto element = dyn_cast<ComplexType>(getElementTypeOrSelf(type));
  if (!element ||
      !(element.getElementType().isF32() || element.getElementType().isF64()))
    return Type();
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensor.clone(element.getElementType());
  return type == element ? element.getElementType() : Type();
}

static bool mentionsComplex(Type type) {
  return type
      .walk<WalkOrder::PreOrder>(
          [](ComplexType) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool mentionsComplex(Operation *op) {
  auto mentions = [](Type type) { return mentionsComplex(type); };
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return mentionsComplex(function.getFunctionType());
  return llvm::any_of(op->getOperandTypes(), mentions) ||
         llvm::any_of(op->getResultTypes(), mentions) ||
         llvm::any_of(op->getRegions(), [&](Region &region) {
           return llvm::any_of(region.getArgumentTypes(), mentions);
         });
}

namespace {
struct PartTypes : TypeConverter {
  PartTypes() {
    // The last that was added is asked first.
    addConversion(
        [](Type type) { return mentionsComplex(type) ? Type() : type; });
    addConversion(
        [](Type type,
           SmallVectorImpl<Type> &converted) -> std::optional<LogicalResult> {
          Type part = getPartType(type);
          if (!part)
            return std::nullopt;
          converted.append(2, part);
          return success();
        });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    llvm::append_range(values, range);
  return values;
}

/// What stands for each value of `types`, of all that do in order.
static SmallVector<ValueRange> group(TypeRange types, ValueRange values) {
  return llvm::map_to_vector(types, [&](Type type) {
    unsigned count = getPartType(type) ? 2 : 1;
    ValueRange range = values.take_front(count);
    values = values.drop_front(count);
    return range;
  });
}

static Value createPart(OpBuilder &builder, Location loc, unsigned part,
                        Value number) {
  if (part == 0)
    return complex::ReOp::create(builder, loc, number);
  return complex::ImOp::create(builder, loc, number);
}

//===----------------------------------------------------------------------===//
// Operations that move numbers, or carry them
//===----------------------------------------------------------------------===//

namespace {
/// What does the same to both parts, knowing nothing of numbers, is done twice.
/// A region of it computes its numbers twice, and takes one part each time.
template <typename OpTy> struct SplitMove : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      OpTy op,
      typename OpTy::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    Type type = getPartType(op->getResult(0).getType());
    if (!type)
      return failure();
    SmallVector<Value> halves;
    for (unsigned part : {0, 1}) {
      Operation *half = op->cloneWithoutRegions();
      half->setOperands(
          llvm::map_to_vector(adaptor.getOperands(), [&](ValueRange range) {
            return range.size() == 1 ? range.front() : range[part];
          }));
      half->getResult(0).setType(type);
      rewriter.insert(half);
      for (auto [region, own] :
           llvm::zip_equal(op->getRegions(), half->getRegions()))
        takePart(region, own, part, rewriter);
      halves.push_back(half->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{halves});
    return success();
  }

private:
  static void takePart(Region &region, Region &own, unsigned part,
                       ConversionPatternRewriter &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.cloneRegionBefore(region, own, own.end());
    for (BlockArgument argument : own.getArguments())
      if (Type type = getPartType(argument.getType()))
        argument.setType(type);
    Operation *yield = own.front().getTerminator();
    rewriter.setInsertionPoint(yield);
    for (OpOperand &operand : yield->getOpOperands())
      if (getPartType(operand.get().getType()))
        operand.set(createPart(rewriter, yield->getLoc(), part, operand.get()));
  }
};

/// Ends a region with the parts where it ended with numbers.
template <typename OpTy> struct SplitEnd : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      OpTy op,
      typename OpTy::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    rewriter.modifyOpInPlace(
        op, [&] { op->setOperands(flatten(adaptor.getOperands())); });
    return success();
  }
};

struct SplitDim : OpConversionPattern<tensor::DimOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tensor::DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tensor::DimOp>(op, adaptor.getSource().front(),
                                               adaptor.getIndex().front());
    return success();
  }
};

struct SplitGeneric : OpConversionPattern<linalg::GenericOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(linalg::GenericOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps;
    for (auto [range, map] :
         llvm::zip_equal(adaptor.getOperands(), op.getIndexingMapsArray()))
      maps.append(range.size(), map);
    SmallVector<Type> types;
    if (failed(typeConverter->convertTypes(op->getResultTypes(), types)))
      return failure();
    auto split = linalg::GenericOp::create(
        rewriter, op.getLoc(), types, flatten(adaptor.getInputs()),
        flatten(adaptor.getOutputs()), rewriter.getAffineMapArrayAttr(maps),
        op.getIteratorTypes(), op.getDocAttr(), op.getLibraryCallAttr());
    split->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), split.getRegion(),
                                split.getRegion().end());
    if (failed(rewriter.convertRegionTypes(&split.getRegion(), *typeConverter)))
      return failure();
    rewriter.replaceOpWithMultiple(
        op, group(op->getResultTypes(), split->getResults()));
    return success();
  }
};

/// The memory of numbers as their parts, which take turns along the last dim.
struct SplitBitcast : OpConversionPattern<iree::TensorBitcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(iree::TensorBitcastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange source = adaptor.getSource();
    Type numbers = source.size() == 2 ? op.getSource().getType() : op.getType();
    auto part = cast<RankedTensorType>(getPartType(numbers));
    SmallVector<Value> dynamicSizes = flatten(adaptor.getResultDims());
    OpFoldResult zero = rewriter.getIndexAttr(0),
                 one = rewriter.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(part.getRank(), zero),
        strides(part.getRank(), one),
        sizes = getMixedValues(part.getShape(), dynamicSizes, rewriter);
    strides.back() = rewriter.getIndexAttr(2);
    Value joined;
    SmallVector<Value> halves;
    if (source.size() == 2)
      joined =
          tensor::EmptyOp::create(rewriter, loc, op.getType(), dynamicSizes);
    for (unsigned number : {0, 1}) {
      offsets.back() = rewriter.getIndexAttr(number);
      if (joined)
        joined = tensor::InsertSliceOp::create(rewriter, loc, source[number],
                                               joined, offsets, sizes, strides);
      else
        halves.push_back(tensor::ExtractSliceOp::create(
            rewriter, loc, part, source.front(), offsets, sizes, strides));
    }
    if (joined)
      halves = {joined};
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{halves});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

struct SplitFunction : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(func::FuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(
            typeConverter->convertSignatureArgs(type.getInputs(), signature)) ||
        failed(typeConverter->convertTypes(type.getResults(), results)) ||
        (!op.isExternal() && failed(rewriter.convertRegionTypes(
                                 &op.getBody(), *typeConverter, &signature))))
      return failure();
    SmallVector<DictionaryAttr> ofArguments, ofResults;
    op.getAllArgAttrs(ofArguments);
    op.getAllResultAttrs(ofResults);
    rewriter.modifyOpInPlace(op, [&] {
      op.setFunctionType(FunctionType::get(
          op.getContext(), signature.getConvertedTypes(), results));
      op.setAllArgAttrs(describe(type.getInputs(), ofArguments));
      op.setAllResultAttrs(describe(type.getResults(), ofResults));
    });
    return success();
  }

private:
  /// Each part has the attributes of the whole, and `wax.part`.
  static SmallVector<DictionaryAttr>
  describe(ArrayRef<Type> types, ArrayRef<DictionaryAttr> attributes) {
    SmallVector<DictionaryAttr> described;
    for (auto [type, whole] : llvm::zip_equal(types, attributes)) {
      if (!getPartType(type)) {
        described.push_back(whole);
        continue;
      }
      for (StringRef part : parts) {
        MLIRContext *context = type.getContext();
        NamedAttrList own(whole);
        own.set("wax.part", StringAttr::get(context, part));
        described.push_back(own.getDictionary(context));
      }
    }
    return described;
  }
};

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Of a splat its one number.
static DenseElementsAttr getPart(DenseElementsAttr elements, ShapedType type,
                                 unsigned part) {
  size_t size = type.getElementTypeBitWidth() / 8;
  ArrayRef<char> numbers = elements.getRawData();
  SmallVector<char> bytes;
  bytes.reserve(numbers.size() / 2);
  for (; !numbers.empty(); numbers = numbers.drop_front(2 * size))
    llvm::append_range(bytes, numbers.slice(part * size, size));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

struct SplitTensorConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    Type type = getPartType(op.getType());
    if (!elements || !type)
      return failure();
    SmallVector<Value> halves;
    for (unsigned part : {0, 1})
      halves.push_back(arith::ConstantOp::create(
          rewriter, op.getLoc(),
          getPart(elements, cast<ShapedType>(type), part)));
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{halves});
    return success();
  }
};

struct SplitConstant : OpConversionPattern<complex::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(complex::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> halves =
        llvm::map_to_vector(op.getValue(), [&](Attribute part) -> Value {
          return arith::ConstantOp::create(rewriter, op.getLoc(),
                                           cast<FloatAttr>(part));
        });
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{halves});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

struct SplitCreate : OpConversionPattern<complex::CreateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(complex::CreateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op, SmallVector<ValueRange>{adaptor.getOperands()});
    return success();
  }
};

template <typename OpTy, unsigned part>
struct SplitPart : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      OpTy op,
      typename OpTy::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getComplex()[part]);
    return success();
  }
};

/// Sums and differences.
template <typename OpTy, typename OfParts>
struct SplitSum : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      OpTy op,
      typename OpTy::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> halves;
    for (auto [lhs, rhs] : llvm::zip_equal(adaptor.getLhs(), adaptor.getRhs()))
      halves.push_back(OfParts::create(rewriter, op.getLoc(), lhs, rhs,
                                       op.getFastmathAttr()));
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{halves});
    return success();
  }
};

/// Negation, and the conjugate, which keeps the real part.
template <typename OpTy, bool keepsReal>
struct SplitNegation : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      OpTy op,
      typename OpTy::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    auto negate = [&](Value part) -> Value {
      return arith::NegFOp::create(rewriter, op.getLoc(), part,
                                   op.getFastmathAttr());
    };
    ValueRange number = adaptor.getComplex();
    SmallVector<Value> halves = {keepsReal ? number[0] : negate(number[0]),
                                 negate(number[1])};
    rewriter.replaceOpWithMultiple(op, SmallVector<ValueRange>{halves});
    return success();
  }
};

/// Numbers are equal where both parts are, and differ where one does.
template <typename OpTy, arith::CmpFPredicate predicate, typename Join>
struct SplitComparison : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(
      OpTy op,
      typename OpTy::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
      ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> halves;
    for (auto [lhs, rhs] : llvm::zip_equal(adaptor.getLhs(), adaptor.getRhs()))
      halves.push_back(
          arith::CmpFOp::create(rewriter, op.getLoc(), predicate, lhs, rhs));
    rewriter.replaceOpWithNewOp<Join>(op, halves[0], halves[1]);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

template <typename... OpTy>
void addMoves(RewritePatternSet &patterns, const TypeConverter &types) {
  patterns.add<SplitMove<OpTy>...>(types, patterns.getContext());
}

struct SplitComplex : wax::impl::SplitComplexBase<SplitComplex> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    PartTypes types;
    RewritePatternSet patterns(context);
    addMoves<arith::SelectOp, linalg::BroadcastOp, linalg::CopyOp,
             linalg::FillOp, linalg::TransposeOp, tensor::CastOp,
             tensor::CollapseShapeOp, tensor::ConcatOp, tensor::EmptyOp,
             tensor::ExpandShapeOp, tensor::ExtractOp, tensor::ExtractSliceOp,
             tensor::FromElementsOp, tensor::GenerateOp, tensor::InsertOp,
             tensor::InsertSliceOp, tensor::PadOp, tensor::ReshapeOp,
             tensor::SplatOp>(patterns, types);
    patterns.add<SplitEnd<linalg::YieldOp>, SplitEnd<func::ReturnOp>, SplitDim,
                 SplitGeneric, SplitBitcast, SplitFunction, SplitTensorConstant,
                 SplitConstant, SplitCreate, SplitPart<complex::ReOp, 0>,
                 SplitPart<complex::ImOp, 1>,
                 SplitSum<complex::AddOp, arith::AddFOp>,
                 SplitSum<complex::SubOp, arith::SubFOp>,
                 SplitNegation<complex::NegOp, /*keepsReal=*/false>,
                 SplitNegation<complex::ConjOp, /*keepsReal=*/true>,
                 SplitComparison<complex::EqualOp, arith::CmpFPredicate::OEQ,
                                 arith::AndIOp>,
                 SplitComparison<complex::NotEqualOp, arith::CmpFPredicate::UNE,
                                 arith::OrIOp>>(types, context);
    populateCallOpTypeConversionPattern(patterns, types);
    scf::populateSCFStructuralTypeConversions(types, patterns);

    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !mentionsComplex(op); });
    // Upstream's folders take (a + b) - b for a, which rounding forbids.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(getOperation(), target, std::move(patterns),
                                   config)))
      signalPassFailure();
  }
};
} // namespace
