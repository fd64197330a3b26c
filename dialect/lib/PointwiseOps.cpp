//===- PointwiseOps.cpp - map and broadcast -------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAssembly.h"
#include "SizeRule.h"
#include "wax/Dialect/Kernel.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// map
//===----------------------------------------------------------------------===//

static LogicalResult checkKernel(MapOp::Adaptor op, Fault fault) {
  if (failed(checkKernelSignature(op.getKernel(), {getElement(op.getOperand())},
                                  fault, "kernel", "map_c1", "map_c2")))
    return failure();
  if (size_t yielded = getYieldedTypes(op.getKernel()).size(); yielded != 1)
    return fault("map_c2", "the kernel yields ", count(yielded, "scalar"),
                 ", not one");
  return success();
}

static FailureOr<ShapeRelation> relate(MapOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RelationBuilder builder(sizes, fault);
  int64_t rank = cast<RankedTensorType>(op.getOperand().getType()).getRank();
  builder.addResult(
      llvm::map_to_vector(llvm::seq(rank), [&](int64_t dim) -> AffineExpr {
        return sizes.dim(op.getOperand(), dim);
      }));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(MapOp)

LogicalResult MapOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> location,
                                      Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  if (failed(checkKernel(op, fault)))
    return failure();
  types.push_back(cast<RankedTensorType>(op.getOperand().getType())
                      .clone(getYieldedTypes(op.getKernel()).front()));
  return success();
}

void MapOp::build(OpBuilder &builder, OperationState &state, Value operand,
                  KernelBody kernel) {
  state.addOperands(operand);
  Region *region = state.addRegion();
  buildKernel(builder, state.location, *region, getElement(operand), kernel);
  state.addTypes(getTensor(operand).clone(getYieldedTypes(*region).front()));
}

LogicalResult MapOp::verifyRegions() {
  return checkKernelBody(getKernel(), Fault(getLoc(), getOperationName()),
                         "map_c3");
}

void MapOp::getAsmBlockArgumentNames(Region &region,
                                     OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, 1, setName);
}

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SmallVector<Type> elements, results;
  if (parseKernelName(parser, header) ||
      parseBoundOperands(parser, header, operands, [] { return success(); }) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), header.location,
                             result.operands) ||
      getElementTypes(parser, header.location, type.getInputs(), elements) ||
      getElementTypes(parser, header.location, type.getResults(), results))
    return failure();
  if (results.size() != 1)
    return parser.emitError(header.location, "expected one result type");
  result.addTypes(type.getResults());
  return parseKernelBody(parser, header, elements, results.front(),
                         *result.addRegion());
}

void MapOp::print(OpAsmPrinter &printer) {
  Operation *named = getNamedOperation(getKernel());
  ArrayRef<BlockArgument> arguments;
  if (!named)
    arguments = getKernel().getArguments();
  printer << ' ';
  if (named)
    printer << named->getName();
  printBoundOperands(printer, getOperand(), arguments, [](unsigned) {});
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
  if (!named)
    printKernelBody(printer, getKernel());
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getOperandDims(BroadcastOp::Adaptor op, unsigned i) {
  return cast<DenseI64ArrayAttr>(op.getDims()[i]).asArrayRef();
}

static LogicalResult checkKernel(BroadcastOp::Adaptor op, Fault fault) {
  if (failed(checkKernelSignature(
          op.getKernel(), llvm::map_to_vector(op.getInputs(), getElement),
          fault, "kernel", "broadcast_c5", "broadcast_c6")))
    return failure();
  if (size_t yielded = getYieldedTypes(op.getKernel()).size(); yielded != 1)
    return fault("broadcast_c6", "the kernel yields ", count(yielded, "scalar"),
                 ", not one");
  return success();
}

static FailureOr<ShapeRelation> relate(BroadcastOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  size_t operands = op.getInputs().size();
  if (operands == 0)
    return fault("broadcast_c1", "there is no operand");
  if (op.getDims().size() != operands)
    return fault("broadcast_c1", thereAre(operands, "operand"), " and ",
                 count(op.getDims().size(), "list"), " of dims");

  llvm::SmallDenseSet<int64_t> covered;
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
    ArrayRef<int64_t> dims = getOperandDims(op, i);
    if (static_cast<int64_t>(dims.size()) != rank)
      return fault("broadcast_c1", "operand ", i, " has rank ", rank,
                   ", but its dims are ", list(dims));
    covered.insert(dims.begin(), dims.end());
  }
  int64_t rank = covered.size() + op.getStaticSizes().size();
  for (unsigned i : llvm::seq<unsigned>(0, operands)) {
    llvm::SmallBitVector seen(rank);
    for (int64_t dim : getOperandDims(op, i)) {
      if (dim < 0 || dim >= rank)
        return fault("broadcast_c2", "operand ", i, " has dim ", dim, " among ",
                     list(getOperandDims(op, i)), ", but the result has rank ",
                     rank, ": ", count(covered.size(), "dim"),
                     " of operands and ",
                     count(op.getStaticSizes().size(), "free dim"));
      if (seen.test(dim))
        return fault("broadcast_c2", "operand ", i, " has dim ", dim,
                     " twice in ", list(getOperandDims(op, i)));
      seen.set(dim);
    }
  }

  RelationBuilder builder(sizes, fault);
  JoinedDims joined(builder, rank, "broadcast_c3", /*isMapped=*/true);
  for (auto [i, operand] : llvm::enumerate(op.getInputs()))
    for (auto [dim, resultDim] : llvm::enumerate(getOperandDims(op, i)))
      if (failed(joined.join(resultDim, operand, i, dim)))
        return failure();
  FailureOr<SmallVector<AffineExpr>> free =
      builder.getSizes(op.getStaticSizes(), op.getSizes(), "broadcast_c4");
  if (failed(free))
    return failure();
  ArrayRef<AffineExpr> next = *free;
  for (int64_t dim : llvm::seq(rank))
    if (!joined.has(dim)) {
      joined.set(dim, next.front());
      next = next.drop_front();
    }
  builder.addResult(joined.take());
  return builder.take();
}

WAX_DERIVE_FROM_RULE(BroadcastOp)

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()), fault);
  if (failed(relation) || failed(checkKernel(op, fault)))
    return failure();
  types.push_back(getTensorType(relation->results.front(),
                                getYieldedTypes(op.getKernel()).front()));
  return success();
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange inputs, ArrayRef<SmallVector<int64_t>> dims,
                        ArrayRef<OpFoldResult> sizes, KernelBody kernel) {
  SmallVector<Value> dynamicSizes;
  SmallVector<int64_t> staticSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  SmallVector<Attribute> dimMaps =
      llvm::map_to_vector(dims, [&](ArrayRef<int64_t> map) -> Attribute {
        return builder.getDenseI64ArrayAttr(map);
      });
  state.addOperands(inputs);
  state.addOperands(dynamicSizes);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.dims = builder.getArrayAttr(dimMaps);
  properties.static_sizes = builder.getDenseI64ArrayAttr(staticSizes);
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(dynamicSizes.size())};
  Region *region = state.addRegion();
  buildKernel(builder, state.location, *region,
              llvm::map_to_vector(inputs, getElement), kernel);
  inferTypes<BroadcastOp>(state);
}

LogicalResult BroadcastOp::verifyRegions() {
  return checkKernelBody(getKernel(), Fault(getLoc(), getOperationName()),
                         "broadcast_c7");
}

SmallVector<OpFoldResult> BroadcastOp::getMixedSizes() {
  return mlir::getMixedValues(getStaticSizes(), getSizes(), getContext());
}

SmallVector<int64_t> BroadcastOp::getFreeDims() {
  llvm::SmallBitVector free(getType().getRank(), true);
  for (unsigned i : llvm::seq<unsigned>(0, getInputs().size()))
    for (int64_t dim : getOperandDims(i))
      free.reset(dim);
  return llvm::map_to_vector(free.set_bits(),
                             [](unsigned dim) -> int64_t { return dim; });
}

void BroadcastOp::getAsmBlockArgumentNames(Region &region,
                                           OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, region.getNumArguments(), setName);
}

ParseResult BroadcastOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  SmallVector<OpAsmParser::UnresolvedOperand> operands, sizes;
  SmallVector<Attribute> dims;
  auto staticSizes = DenseI64ArrayAttr::get(parser.getContext(), {});
  FunctionType type;
  SmallVector<Type> elements, results;
  if (parseKernelName(parser, header) ||
      parseBoundOperands(parser, header, operands, [&]() -> ParseResult {
        dims.push_back(DenseI64ArrayAttr::parse(parser, Type()));
        return success(bool(dims.back()));
      }))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("sizes")) &&
      parseDynamicIndexList(parser, sizes, staticSizes))
    return failure();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), header.location,
                             result.operands) ||
      parser.resolveOperands(sizes, parser.getBuilder().getIndexType(),
                             result.operands) ||
      getElementTypes(parser, header.location, type.getInputs(), elements) ||
      getElementTypes(parser, header.location, type.getResults(), results))
    return failure();
  if (results.size() != 1)
    return parser.emitError(header.location, "expected one result type");
  result.addTypes(type.getResults());
  auto &properties = result.getOrAddProperties<Properties>();
  properties.dims = parser.getBuilder().getArrayAttr(dims);
  properties.static_sizes = staticSizes;
  properties.operandSegmentSizes = {static_cast<int32_t>(operands.size()),
                                    static_cast<int32_t>(sizes.size())};
  return parseKernelBody(parser, header, elements, results.front(),
                         *result.addRegion());
}

void BroadcastOp::print(OpAsmPrinter &printer) {
  Operation *named = getNamedOperation(getKernel());
  ArrayRef<BlockArgument> arguments;
  if (!named)
    arguments = getKernel().getArguments();
  printer << ' ';
  if (named)
    printer << named->getName();
  printBoundOperands(printer, getInputs(), arguments, [&](unsigned i) {
    cast<DenseI64ArrayAttr>(getDims()[i]).print(printer);
  });
  if (!getStaticSizes().empty()) {
    printer << " sizes ";
    printDynamicIndexList(printer, *this, getSizes(), getStaticSizes());
  }
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(getInputs().getTypes(),
                              (*this)->getResultTypes());
  if (!named)
    printKernelBody(printer, getKernel());
}
