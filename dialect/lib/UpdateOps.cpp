//===- UpdateOps.cpp - insert and scatter ---------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldKernels.h"
#include "IndexedDims.h"
#include "StridedBox.h"
#include "wax/Dialect/Kernel.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// insert
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(InsertOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RankedTensorType operand = getTensor(op.getOperand());
  RankedTensorType update = getTensor(op.getUpdate());
  StridedBox box{op.getOperand(), op.getStaticOffsets(), op.getStrides()};
  if (failed(checkEntries(box, op.getOffsets().size(), fault, "insert_c1")))
    return failure();
  if (update.getRank() != operand.getRank())
    return fault("insert_c1", "the update has rank ", update.getRank(),
                 ", but the operand has rank ", operand.getRank());
  if (update.getElementType() != operand.getElementType())
    return fault("insert_c5", "the update is of ", update,
                 ", but the operand of ", operand);
  auto getDims = [&](Value tensor) {
    return llvm::map_to_vector(
        llvm::seq(operand.getRank()),
        [&](int64_t dim) -> AffineExpr { return sizes.dim(tensor, dim); });
  };
  RelationBuilder builder(sizes, fault);
  if (failed(requireInside(builder, box, getDims(op.getUpdate()),
                           {/*strides=*/"insert_c2", /*offsets=*/"insert_c3",
                            /*fit=*/"insert_c4"})))
    return failure();
  builder.addResult(getDims(op.getOperand()));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(InsertOp)
WAX_INFER_FROM_RULE(InsertOp)

SmallVector<OpFoldResult> InsertOp::getMixedOffsets() {
  return mlir::getMixedValues(getStaticOffsets(), getOffsets(), getContext());
}

//===----------------------------------------------------------------------===//
// scatter: rule
//===----------------------------------------------------------------------===//

/// Joins tensors of one shape; the first is operand `number`.
static LogicalResult joinEqualShapes(JoinedDims &joined, ValueRange tensors,
                                     int64_t rank, unsigned number,
                                     Fault fault) {
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    if (getTensor(tensor).getRank() != rank)
      return fault("scatter_c2", "operand ", number + i, " has rank ",
                   getTensor(tensor).getRank(), ", but operand ", number,
                   " has rank ", rank);
    for (int64_t dim : llvm::seq(rank))
      if (failed(joined.join(dim, tensor, number + i, dim)))
        return failure();
  }
  return success();
}

static FailureOr<ShapeRelation> relate(ScatterOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (op.getUpdates().empty())
    return fault("scatter_c1", "there is no update");
  if (op.getInits().empty())
    return fault("scatter_c1", "there is no operand to update");
  Value update = op.getUpdates().front(), operand = op.getInits().front();
  int64_t updateRank = getTensor(update).getRank();
  int64_t operandRank = getTensor(operand).getRank();
  unsigned firstOperand = op.getUpdates().size();
  unsigned firstIndex = firstOperand + op.getInits().size();

  RelationBuilder builder(sizes, fault);
  JoinedDims updates(builder, updateRank, "scatter_c2", /*isMapped=*/false);
  JoinedDims operands(builder, operandRank, "scatter_c2", /*isMapped=*/false);
  if (failed(joinEqualShapes(updates, op.getUpdates(), updateRank, 0, fault)) ||
      failed(joinEqualShapes(operands, op.getInits(), operandRank, firstOperand,
                             fault)))
    return failure();

  IndexedDims places{operandRank, op.getOperandDims(), op.getIndices(),
                     op.getIndexDims()};
  FailureOr<int64_t> loops =
      getLoopCount(places, fault, /*countLabel=*/"scatter_c3",
                   /*loopsLabel=*/"scatter_c4", "update dim");
  if (failed(loops))
    return failure();
  if (*loops != updateRank)
    return fault("scatter_c4", "operand and indices have ",
                 count(*loops, "update dim"), ", but the updates have rank ",
                 updateRank);
  JoinedDims joined(builder, updateRank, "scatter_c5", /*isMapped=*/true,
                    "update dim");
  for (int64_t dim : llvm::seq(updateRank))
    (void)joined.join(dim, update, 0, dim);
  for (auto [dim, loop] : llvm::enumerate(op.getOperandDims()))
    if (loop != -1 && failed(joined.join(loop, operand, firstOperand, dim)))
      return failure();
  for (auto [i, index] : llvm::enumerate(op.getIndices()))
    for (auto [dim, loop] : llvm::enumerate(places.getDimsOfIndex(i)))
      if (failed(joined.join(loop, index, firstIndex + i, dim)))
        return failure();

  SmallVector<AffineExpr> dims = operands.take();
  for ([[maybe_unused]] Value init : op.getInits())
    builder.addResult(dims);
  return builder.take();
}

WAX_DERIVE_FROM_RULE(ScatterOp)

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> location,
                                          Adaptor op,
                                          SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()), fault);
  if (failed(relation) ||
      failed(checkFoldKernels(op.getFold(), op.getCombine(),
                              llvm::map_to_vector(op.getUpdates(), getElement),
                              llvm::map_to_vector(op.getInits(), getElement),
                              fault, "scatter_c6", "scatter_c7")))
    return failure();
  for (auto [init, dims] : llvm::zip(op.getInits(), relation->results))
    types.push_back(getTensorType(dims, getElement(init)));
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  return checkFoldBodies(getFold(), getCombine(),
                         Fault(getLoc(), getOperationName()), "scatter_c8");
}

//===----------------------------------------------------------------------===//
// scatter: assembly
//===----------------------------------------------------------------------===//

void ScatterOp::getAsmBlockArgumentNames(Region &region,
                                         OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, &region == &getFold() ? getUpdates().size() : 0,
                      setName);
}

ParseResult ScatterOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  bool isOrdered;
  SmallVector<OpAsmParser::UnresolvedOperand> updates, inits, indices;
  SmallVector<int64_t> operandDims;
  SmallVector<Attribute> indexDims;
  SmallVector<Type> elements, accumulators;
  FunctionType type;
  SMLoc initLoc, indexLoc;
  auto noSuffix = [] { return success(); };
  if (parseFoldHeader(parser, header, isOrdered) ||
      parseBoundOperands(parser, header, updates, noSuffix) ||
      parser.parseKeyword("into") || parser.getCurrentLocation(&initLoc) ||
      parseBoundOperands(parser, header, inits, noSuffix) ||
      parser.getCurrentLocation(&indexLoc) ||
      parseIndexedDims(parser, operandDims, indices, indexDims) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  size_t operands = updates.size() + inits.size() + indices.size();
  if (type.getNumInputs() != operands)
    return parser.emitError(header.location)
           << "there are " << operands << " operands, but "
           << type.getNumInputs() << " operand types";
  TypeRange types = type.getInputs();
  TypeRange updateTypes = types.take_front(updates.size());
  TypeRange initTypes = types.slice(updates.size(), inits.size());
  if (parser.resolveOperands(updates, updateTypes, header.location,
                             result.operands) ||
      parser.resolveOperands(inits, initTypes, initLoc, result.operands) ||
      parser.resolveOperands(indices, types.take_back(indices.size()), indexLoc,
                             result.operands) ||
      getElementTypes(parser, header.location, updateTypes, elements) ||
      getElementTypes(parser, initLoc, initTypes, accumulators))
    return failure();
  result.addTypes(type.getResults());
  auto &properties = result.getOrAddProperties<Properties>();
  properties.operand_dims =
      parser.getBuilder().getDenseI64ArrayAttr(operandDims);
  properties.index_dims = parser.getBuilder().getArrayAttr(indexDims);
  properties.operandSegmentSizes = {static_cast<int32_t>(updates.size()),
                                    static_cast<int32_t>(inits.size()),
                                    static_cast<int32_t>(indices.size())};
  return parseFoldKernels(parser, header, isOrdered, elements, accumulators,
                          result);
}

void ScatterOp::print(OpAsmPrinter &printer) {
  Operation *named = getUpdates().size() == 1 && getInits().size() == 1
                         ? getNamedFold(getFold(), getCombine())
                         : nullptr;
  printFoldHeader(printer, named, !hasCombine());
  ArrayRef<BlockArgument> arguments;
  if (!named)
    arguments = getFold().getArguments();
  size_t split = named ? 0 : getUpdates().size();
  auto noSuffix = [](unsigned) {};
  printBoundOperands(printer, getUpdates(), arguments.take_front(split),
                     noSuffix);
  printer << " into";
  printBoundOperands(printer, getInits(), arguments.drop_front(split),
                     noSuffix);
  printIndexedDims(printer, getOperandDims(), getIndices(), getIndexDims());
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
  if (!named)
    printFoldKernels(printer, getFold(), getCombine());
}
