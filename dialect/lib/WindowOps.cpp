//===- WindowOps.cpp - window and fold ------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldKernels.h"
#include "WindowSizes.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::wax;

/// Sizes are checked with what they are the sizes of.
static LogicalResult checkSteps(RelationBuilder &builder,
                                ArrayRef<int64_t> strides,
                                ArrayRef<int64_t> dilations,
                                ArrayRef<int64_t> dims, StringRef countLabel,
                                StringRef entryLabel) {
  std::pair<StringRef, ArrayRef<int64_t>> lists[] = {{"strides", strides},
                                                     {"dilations", dilations}};
  for (auto [name, entries] : lists)
    if (failed(checkOneEntryPerDim(entries, dims.size(), countLabel, name,
                                   builder.fault)) ||
        failed(builder.requireWithin(entries, 1, kGreatestAmount, entryLabel,
                                     name.drop_back(), dims)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// window
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(WindowOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  int64_t rank = getTensor(op.getOperand()).getRank();
  RelationBuilder builder(sizes, fault);
  if (failed(checkIncreasing(op.getDims(), rank, "window_c1", "operand's",
                             fault)) ||
      failed(checkOneEntryPerDim(op.getSizes(), op.getDims().size(),
                                 "window_c2", "sizes", fault)) ||
      failed(builder.requireWithin(op.getSizes(), 0, kGreatestAmount,
                                   "window_c3", "size", op.getDims())) ||
      failed(checkSteps(builder, op.getStrides(), op.getDilations(),
                        op.getDims(), "window_c2", "window_c3")))
    return failure();

  SmallVector<AffineExpr> dims =
      llvm::map_to_vector(llvm::seq(rank), [&](int64_t dim) {
        return sizes.dim(op.getOperand(), dim);
      });
  for (auto [dim, size, stride, dilation] : llvm::zip(
           op.getDims(), op.getSizes(), op.getStrides(), op.getDilations())) {
    AffineExpr extent = sizes.constant(size);
    FailureOr<AffineExpr> windows =
        countWindows(builder, dims[dim], getSpan(extent, dilation), stride,
                     "window_c4", dim);
    if (failed(windows))
      return failure();
    dims[dim] = *windows;
    dims.push_back(extent);
  }
  builder.addResult(std::move(dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(WindowOp)
WAX_INFER_FROM_RULE(WindowOp)

//===----------------------------------------------------------------------===//
// fold: rule
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(FoldOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  int64_t windowed = op.getDims().size();
  int64_t rank = getTensor(op.getOperand()).getRank() - windowed;
  if (rank < 0)
    return fault("fold_c1", "the operand of rank ", rank + windowed,
                 " has no windows along ", count(windowed, "dim"));
  RelationBuilder builder(sizes, fault);
  if (failed(
          checkIncreasing(op.getDims(), rank, "fold_c1", "result's", fault)) ||
      failed(checkOneEntryPerDim(op.getStaticSizes(), windowed, "fold_c2",
                                 "sizes", fault)) ||
      failed(checkSteps(builder, op.getStrides(), op.getDilations(),
                        op.getDims(), "fold_c2", "fold_c3")))
    return failure();

  FailureOr<SmallVector<AffineExpr>> stated =
      builder.getSizes(op.getStaticSizes(), op.getSizes(), "fold_c3");
  if (failed(stated))
    return failure();
  SmallVector<AffineExpr> dims =
      llvm::map_to_vector(llvm::seq(rank), [&](int64_t dim) {
        return sizes.dim(op.getOperand(), dim);
      });
  for (auto [i, dim, size, stride, dilation] : llvm::enumerate(
           op.getDims(), *stated, op.getStrides(), op.getDilations())) {
    AffineExpr span = getSpan(sizes.dim(op.getOperand(), rank + i), dilation);
    FailureOr<AffineExpr> windows =
        countWindows(builder, size, span, stride, "fold_c5", dim);
    if (failed(windows) ||
        failed(builder.requireEqual(
            dims[dim], *windows, "fold_c4", "operand dim ", dim, " has size ",
            getStaticSize(dims[dim]), ", but a dim of size ",
            getStaticSize(size), " has ", getStaticSize(*windows),
            " windows that span ", getStaticSize(span), " at stride ", stride)))
      return failure();
    dims[dim] = size;
  }
  builder.addResult(std::move(dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(FoldOp)

LogicalResult FoldOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()), fault);
  if (failed(relation) || failed(checkFoldKernels(op.getFold(), op.getCombine(),
                                                  getElement(op.getOperand()),
                                                  getElement(op.getInit()),
                                                  fault, "fold_c6", "fold_c7")))
    return failure();
  types.push_back(
      getTensorType(relation->results.front(), getElement(op.getInit())));
  return success();
}

LogicalResult FoldOp::verifyRegions() {
  return checkFoldBodies(getFold(), getCombine(),
                         Fault(getLoc(), getOperationName()), "fold_c8");
}

//===----------------------------------------------------------------------===//
// fold: assembly
//===----------------------------------------------------------------------===//

void FoldOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, &region == &getFold() ? 1 : 0, setName);
}

ParseResult FoldOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits, sizes;
  DenseI64ArrayAttr staticSizes;
  SmallVector<Type> elements;
  FunctionType type;
  auto noSuffix = [] { return success(); };
  auto &properties = result.getOrAddProperties<Properties>();
  auto parseList = [&](StringRef keyword,
                       DenseI64ArrayAttr &entries) -> ParseResult {
    if (parser.parseKeyword(keyword))
      return failure();
    entries = llvm::cast_if_present<DenseI64ArrayAttr>(
        DenseI64ArrayAttr::parse(parser, Type()));
    return success(bool(entries));
  };
  bool isOrdered;
  if (parseFoldHeader(parser, header, isOrdered) ||
      parseBoundOperands(parser, header, operands, noSuffix) ||
      parseList("dims", properties.dims) || parser.parseKeyword("sizes") ||
      parseDynamicIndexList(parser, sizes, properties.static_sizes) ||
      parseList("strides", properties.strides) ||
      parseList("dilations", properties.dilations) ||
      parser.parseKeyword("init") ||
      parseBoundOperands(parser, header, inits, noSuffix) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  if (operands.size() != 1 || inits.size() != 1)
    return parser.emitError(header.location, "expected one operand and one "
                                             "initial value");
  operands.append(inits);
  if (parser.resolveOperands(operands, type.getInputs(), header.location,
                             result.operands) ||
      parser.resolveOperands(sizes, parser.getBuilder().getIndexType(),
                             result.operands) ||
      getElementTypes(parser, header.location, type.getInputs(), elements))
    return failure();
  result.addTypes(type.getResults());
  return parseFoldKernels(parser, header, isOrdered, elements.front(),
                          elements.back(), result);
}

void FoldOp::print(OpAsmPrinter &printer) {
  Operation *named = getNamedFold(getFold(), getCombine());
  printFoldHeader(printer, named, !hasCombine());
  ArrayRef<BlockArgument> arguments;
  if (!named)
    arguments = getFold().getArguments();
  auto noSuffix = [](unsigned) {};
  printBoundOperands(printer, getOperand(), arguments.take_front(1), noSuffix);
  printer << " dims ";
  getDimsAttr().print(printer);
  printer << " sizes ";
  printDynamicIndexList(printer, *this, getSizes(), getStaticSizes());
  printer << " strides ";
  getStridesAttr().print(printer);
  printer << " dilations ";
  getDilationsAttr().print(printer);
  printer << " init";
  printBoundOperands(printer, getInit(), arguments.drop_front(named ? 0 : 1),
                     noSuffix);
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(
      TypeRange{getOperand().getType(), getInit().getType()},
      (*this)->getResultTypes());
  if (!named)
    printFoldKernels(printer, getFold(), getCombine());
}
