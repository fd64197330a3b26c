//===- IndexingOps.cpp - slice and gather ---------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(SliceOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RankedTensorType operand = getTensor(op.getOperand());
  int64_t rank = operand.getRank();
  auto checkRank = [&](ArrayRef<int64_t> values, StringRef name) {
    if (static_cast<int64_t>(values.size()) == rank)
      return success();
    return LogicalResult(fault("slice_c1", thereAre(values.size(), "entry"),
                               " of ", name, ", but the operand has rank ",
                               rank));
  };
  if (failed(checkRank(op.getStaticOffsets(), "offsets")) ||
      failed(checkRank(op.getStaticSizes(), "sizes")) ||
      failed(checkRank(op.getStrides(), "strides")))
    return failure();
  size_t dynamicOffsets =
      llvm::count_if(op.getStaticOffsets(), ShapedType::isDynamic);
  if (dynamicOffsets != op.getOffsets().size())
    return fault("slice_c1", thereAre(op.getOffsets().size(), "SSA offset"),
                 " for ", count(dynamicOffsets, "dynamic entry"),
                 " of offsets");
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> dims =
      builder.getSizes(op.getStaticSizes(), op.getSizes(), "slice_c3");
  if (failed(dims) ||
      failed(builder.requireWithin(op.getStrides(), 1, kGreatestAmount,
                                   "slice_c2", "stride")))
    return failure();

  for (int64_t dim : llvm::seq(rank)) {
    int64_t stride = op.getStrides()[dim];
    int64_t offset = op.getStaticOffsets()[dim];
    AffineExpr size = (*dims)[dim];
    bool isStatic = !ShapedType::isDynamic(offset);
    if (isStatic && (offset < 0 || offset > kMostElements))
      return fault("slice_c3", "offset ", offset, " of dim ", dim,
                   offset < 0 ? " is negative" : " is more than 2^47");
    // For an empty dynamic dim this is less than the span, and holds as well.
    AffineExpr span = getStaticSize(size) == 0 ? size : (size - 1) * stride + 1;
    // No dim holds so much that this overflows.
    if (int64_t known = getStaticSize(size);
        known > 0 && known - 1 > kMostElements / stride)
      span = sizes.constant(kMostElements + 1);
    AffineExpr end = isStatic ? span + offset : span;
    if (failed(builder.requireAtMost(
            end, sizes.dim(op.getOperand(), dim), "slice_c4", "dim ", dim,
            " of size ", operand.getDimSize(dim), " does not hold ",
            op.getStaticSizes()[dim], " elements at stride ", stride,
            isStatic ? " from offset " + std::to_string(offset) : "")))
      return failure();
  }
  builder.addResult(std::move(*dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(SliceOp)
WAX_INFER_FROM_RULE(SliceOp)

SmallVector<OpFoldResult> SliceOp::getMixedOffsets() {
  return mlir::getMixedValues(getStaticOffsets(), getOffsets(), getContext());
}

SmallVector<OpFoldResult> SliceOp::getMixedSizes() {
  return mlir::getMixedValues(getStaticSizes(), getSizes(), getContext());
}

//===----------------------------------------------------------------------===//
// gather: rule
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getDimsOfIndex(GatherOp::Adaptor op, unsigned i) {
  return cast<DenseI64ArrayAttr>(op.getIndexDims()[i]).asArrayRef();
}

/// How many result dims there are when each of them is listed, else failure.
static FailureOr<int64_t> getGatherRank(GatherOp::Adaptor op, Fault fault) {
  int64_t operandRank = getTensor(op.getOperand()).getRank();
  ArrayRef<int64_t> operandDims = op.getOperandDims();
  size_t indexed = llvm::count(operandDims, -1);
  if (static_cast<int64_t>(operandDims.size()) != operandRank)
    return fault("gather_c1", thereAre(operandDims.size(), "entry"),
                 " for the operand's dims, but it has rank ", operandRank);
  if (indexed != op.getIndices().size() ||
      op.getIndexDims().size() != op.getIndices().size())
    return fault("gather_c1", thereAre(op.getIndices().size(), "index operand"),
                 ", ", count(indexed, "operand dim"), " read at an index, and ",
                 count(op.getIndexDims().size(), "list"), " of index dims");
  for (auto [i, index] : llvm::enumerate(op.getIndices()))
    if (static_cast<int64_t>(getDimsOfIndex(op, i).size()) !=
        getTensor(index).getRank())
      return fault("gather_c1", "index ", i, " has rank ",
                   getTensor(index).getRank(), ", but its dims are ",
                   list(getDimsOfIndex(op, i)));

  llvm::SmallDenseSet<int64_t> all;
  auto collect = [&](ArrayRef<int64_t> dims, const Twine &what) {
    llvm::SmallDenseSet<int64_t> own;
    for (int64_t dim : dims) {
      if (dim < 0)
        return LogicalResult(fault("gather_c2", what.str(), " has dim ", dim,
                                   ", which is negative"));
      if (!own.insert(dim).second)
        return LogicalResult(
            fault("gather_c2", what.str(), " has dim ", dim, " twice"));
      all.insert(dim);
    }
    return success();
  };
  SmallVector<int64_t> straight(
      llvm::make_filter_range(operandDims, [](int64_t d) { return d != -1; }));
  if (failed(collect(straight, "the operand")))
    return failure();
  for (unsigned i : llvm::seq<unsigned>(0, op.getIndices().size()))
    if (failed(collect(getDimsOfIndex(op, i), "index " + Twine(i))))
      return failure();
  int64_t rank = all.size();
  for (int64_t dim : llvm::seq(rank))
    if (!all.contains(dim))
      return fault("gather_c2", "neither operand nor index has result dim ",
                   dim);
  return rank;
}

static FailureOr<ShapeRelation> relate(GatherOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  FailureOr<int64_t> rank = getGatherRank(op, fault);
  if (failed(rank))
    return failure();
  RelationBuilder builder(sizes, fault);
  JoinedDims joined(builder, *rank, "gather_c3", /*isMapped=*/true);
  for (auto [dim, resultDim] : llvm::enumerate(op.getOperandDims()))
    if (resultDim != -1 &&
        failed(joined.join(resultDim, op.getOperand(), 0, dim)))
      return failure();
  for (auto [i, index] : llvm::enumerate(op.getIndices()))
    for (auto [dim, resultDim] : llvm::enumerate(getDimsOfIndex(op, i)))
      if (failed(joined.join(resultDim, index, i + 1, dim)))
        return failure();

  SmallVector<AffineExpr> dims = joined.take();
  bool isEmpty = llvm::any_of(
      dims, [](AffineExpr dim) { return getStaticSize(dim) == 0; });
  for (auto [dim, resultDim] : llvm::enumerate(op.getOperandDims()))
    if (resultDim == -1 && !isEmpty &&
        failed(builder.requireAtMost(
            sizes.constant(1), sizes.dim(op.getOperand(), dim), "gather_c4",
            "operand dim ", dim,
            " is read at an index, but has no element to read")))
      return failure();
  builder.addResult(std::move(dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(GatherOp)
WAX_INFER_FROM_RULE(GatherOp)

//===----------------------------------------------------------------------===//
// gather: assembly
//===----------------------------------------------------------------------===//

ParseResult GatherOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  OpAsmParser::UnresolvedOperand operand;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<int64_t> operandDims;
  SmallVector<Attribute> indexDims;
  FunctionType type;
  if (parser.parseOperand(operands.emplace_back()) ||
      parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Square,
          [&]() -> ParseResult {
            OpAsmParser::UnresolvedOperand index;
            OptionalParseResult parsed = parser.parseOptionalOperand(index);
            if (!parsed.has_value())
              return parser.parseInteger(operandDims.emplace_back());
            if (failed(*parsed))
              return failure();
            operands.push_back(index);
            operandDims.push_back(-1);
            indexDims.push_back(DenseI64ArrayAttr::parse(parser, Type()));
            return success(bool(indexDims.back()));
          }) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operand_dims =
      parser.getBuilder().getDenseI64ArrayAttr(operandDims);
  properties.index_dims = parser.getBuilder().getArrayAttr(indexDims);
  return success();
}

void GatherOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getOperand() << '[';
  unsigned next = 0;
  llvm::interleaveComma(getOperandDims(), printer, [&](int64_t dim) {
    if (dim != -1) {
      printer << dim;
      return;
    }
    printer << getIndices()[next];
    cast<DenseI64ArrayAttr>(getIndexDims()[next++]).print(printer);
  });
  printer << ']';
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
}
