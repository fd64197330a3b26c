//===- ReduceOps.cpp - reductions -----------------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldKernels.h"
#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Rule
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(ReduceOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (op.getInputs().empty())
    return fault("reduce_c1", "there is no operand");
  if (op.getInits().empty())
    return fault("reduce_c1", "there is no accumulator");

  auto getRank = [](Value operand) {
    return cast<RankedTensorType>(operand.getType()).getRank();
  };
  int64_t rank = getRank(op.getInputs().front());
  RelationBuilder builder(sizes, fault);
  JoinedDims joined(builder, rank, "reduce_c2", /*isMapped=*/false);
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    if (getRank(operand) != rank)
      return fault("reduce_c2", "operand ", i, " has rank ", getRank(operand),
                   ", but operand 0 has rank ", rank);
    for (int64_t dim : llvm::seq(rank))
      if (failed(joined.join(dim, operand, i, dim)))
        return failure();
  }

  int64_t previous = -1;
  for (int64_t dim : op.getDims()) {
    if (dim < 0 || dim >= rank)
      return fault("reduce_c3", "dim ", dim, " of ", list(op.getDims()),
                   " does not lie in the operands' rank ", rank);
    if (dim <= previous)
      return fault("reduce_c3", "dims ", list(op.getDims()),
                   " do not increase");
    previous = dim;
  }
  SmallVector<AffineExpr> kept;
  for (int64_t dim : llvm::seq(rank))
    if (!llvm::is_contained(op.getDims(), dim))
      kept.push_back(joined[dim]);
  for ([[maybe_unused]] Value init : op.getInits())
    builder.addResult(kept);
  return builder.take();
}

WAX_DERIVE_FROM_RULE(ReduceOp)

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()), fault);
  if (failed(relation) ||
      failed(checkFoldKernels(op.getFold(), op.getCombine(),
                              llvm::map_to_vector(op.getInputs(), getElement),
                              llvm::map_to_vector(op.getInits(), getElement),
                              fault, "reduce_c4", "reduce_c5")))
    return failure();
  for (auto [init, dims] : llvm::zip(op.getInits(), relation->results))
    types.push_back(getTensorType(dims, getElement(init)));
  return success();
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange inputs, ValueRange inits,
                     ArrayRef<int64_t> dims, KernelBody fold,
                     KernelBody combine) {
  state.addOperands(inputs);
  state.addOperands(inits);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.dims = builder.getDenseI64ArrayAttr(dims);
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(inits.size())};
  SmallVector<Type> accumulators = llvm::map_to_vector(inits, getElement);
  SmallVector<Type> arguments = llvm::map_to_vector(inputs, getElement);
  arguments.append(accumulators);
  buildKernel(builder, state.location, *state.addRegion(), arguments, fold);
  Region *combineRegion = state.addRegion();
  if (combine) {
    arguments.assign(accumulators);
    arguments.append(accumulators);
    buildKernel(builder, state.location, *combineRegion, arguments, combine);
  }
  inferTypes<ReduceOp>(state);
}

LogicalResult ReduceOp::verifyRegions() {
  Fault fault(getLoc(), getOperationName());
  if (failed(checkKernelBody(getFold(), fault, "reduce_c6")))
    return failure();
  return hasCombine() ? checkKernelBody(getCombine(), fault, "reduce_c6")
                      : success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

void ReduceOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, &region == &getFold() ? getInputs().size() : 0,
                      setName);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SmallVector<Type> elements, accumulators;
  FunctionType type;
  auto noSuffix = [] { return success(); };
  bool isOrdered;
  if (parseFoldHeader(parser, header, isOrdered) ||
      parseBoundOperands(parser, header, inputs, noSuffix) ||
      parser.parseKeyword("over"))
    return failure();
  Attribute dims = DenseI64ArrayAttr::parse(parser, Type());
  SMLoc initLoc;
  if (!dims || parser.parseKeyword("init") ||
      parser.getCurrentLocation(&initLoc) ||
      parseBoundOperands(parser, header, inits, noSuffix) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  if (type.getNumInputs() != inputs.size() + inits.size())
    return parser.emitError(header.location)
           << "there are " << inputs.size() + inits.size() << " operands, but "
           << type.getNumInputs() << " operand types";
  TypeRange inputTypes = type.getInputs().take_front(inputs.size());
  TypeRange initTypes = type.getInputs().drop_front(inputs.size());
  if (parser.resolveOperands(inputs, inputTypes, header.location,
                             result.operands) ||
      parser.resolveOperands(inits, initTypes, initLoc, result.operands) ||
      getElementTypes(parser, header.location, inputTypes, elements) ||
      getElementTypes(parser, initLoc, initTypes, accumulators))
    return failure();
  result.addTypes(type.getResults());
  auto &properties = result.getOrAddProperties<Properties>();
  properties.dims = cast<DenseI64ArrayAttr>(dims);
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                    static_cast<int32_t>(inits.size())};
  return parseFoldKernels(parser, header, isOrdered, elements, accumulators,
                          result);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  Operation *named = getInputs().size() == 1 && getInits().size() == 1
                         ? getNamedFold(getFold(), getCombine())
                         : nullptr;
  printFoldHeader(printer, named, !hasCombine());
  ArrayRef<BlockArgument> arguments;
  if (!named)
    arguments = getFold().getArguments();
  size_t split = named ? 0 : getInputs().size();
  printBoundOperands(printer, getInputs(), arguments.take_front(split),
                     [](unsigned) {});
  printer << " over ";
  getDimsAttr().print(printer);
  printer << " init";
  printBoundOperands(printer, getInits(), arguments.drop_front(split),
                     [](unsigned) {});
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
  if (!named)
    printFoldKernels(printer, getFold(), getCombine());
}
