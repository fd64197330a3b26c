//===- IndexingOps.cpp - slice and gather ---------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexedDims.h"
#include "StridedBox.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(SliceOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  int64_t rank = getTensor(op.getOperand()).getRank();
  StridedBox box{op.getOperand(), op.getStaticOffsets(), op.getStrides()};
  if (failed(checkEntries(box, op.getOffsets().size(), fault, "slice_c1")))
    return failure();
  if (static_cast<int64_t>(op.getStaticSizes().size()) != rank)
    return fault("slice_c1", thereAre(op.getStaticSizes().size(), "entry"),
                 " of sizes, but the operand has rank ", rank);
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> dims =
      builder.getSizes(op.getStaticSizes(), op.getSizes(), "slice_c3");
  if (failed(dims) ||
      failed(requireInside(builder, box, *dims,
                           {/*strides=*/"slice_c2", /*offsets=*/"slice_c3",
                            /*fit=*/"slice_c4"})))
    return failure();
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

static FailureOr<ShapeRelation> relate(GatherOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  IndexedDims places{getTensor(op.getOperand()).getRank(), op.getOperandDims(),
                     op.getIndices(), op.getIndexDims()};
  FailureOr<int64_t> rank =
      getLoopCount(places, fault, /*countLabel=*/"gather_c1",
                   /*loopsLabel=*/"gather_c2", "result dim");
  if (failed(rank))
    return failure();
  RelationBuilder builder(sizes, fault);
  JoinedDims joined(builder, *rank, "gather_c3", /*isMapped=*/true);
  for (auto [dim, resultDim] : llvm::enumerate(op.getOperandDims()))
    if (resultDim != -1 &&
        failed(joined.join(resultDim, op.getOperand(), 0, dim)))
      return failure();
  for (auto [i, index] : llvm::enumerate(op.getIndices()))
    for (auto [dim, resultDim] : llvm::enumerate(places.getDimsOfIndex(i)))
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
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<int64_t> operandDims;
  SmallVector<Attribute> indexDims;
  FunctionType type;
  if (parser.parseOperand(operands.emplace_back()) ||
      parseIndexedDims(parser, operandDims, operands, indexDims) ||
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
  printer << ' ' << getOperand();
  printIndexedDims(printer, getOperandDims(), getIndices(), getIndexDims());
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
}
