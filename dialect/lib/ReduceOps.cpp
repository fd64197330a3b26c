//===- ReduceOps.cpp - reductions and scans -------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"
#include "KernelAssembly.h"
#include "SizeRule.h"
#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(ReduceOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> joined = joinFoldedInputs(
      builder, op.getInputs(), op.getInits(), "reduce_c1", "reduce_c2");
  if (failed(joined))
    return failure();
  int64_t rank = joined->size();
  if (failed(
          checkIncreasing(op.getDims(), rank, "reduce_c3", "operands'", fault)))
    return failure();
  SmallVector<AffineExpr> kept;
  for (int64_t dim : llvm::seq(rank))
    if (!llvm::is_contained(op.getDims(), dim))
      kept.push_back((*joined)[dim]);
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
      failed(checkFoldKernels(op.getInputs(), op.getInits(), op.getFold(),
                              op.getCombine(), fault, "reduce_c4",
                              "reduce_c5")))
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
  return checkFoldBodies(getFold(), getCombine(),
                         Fault(getLoc(), getOperationName()), "reduce_c6");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, &region == &getFold() ? getInputs().size() : 0,
                      setName);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  return parseFold(parser, result, properties.operandSegmentSizes,
                   [&]() -> ParseResult {
                     if (parser.parseKeyword("over"))
                       return failure();
                     Attribute dims = DenseI64ArrayAttr::parse(parser, Type());
                     properties.dims = cast_if_present<DenseI64ArrayAttr>(dims);
                     return success(bool(dims));
                   });
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printFold(printer, *this, getInputs(), getInits(), getFold(), getCombine(),
            [&] {
              printer << "over ";
              getDimsAttr().print(printer);
            });
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(ScanOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> joined = joinFoldedInputs(
      builder, op.getInputs(), op.getInits(), "scan_c1", "scan_c2");
  if (failed(joined))
    return failure();
  if (failed(
          checkDim(op.getDim(), joined->size(), "scan_c3", "operands'", fault)))
    return failure();
  for ([[maybe_unused]] Value init : op.getInits())
    builder.addResult(*joined);
  return builder.take();
}

WAX_DERIVE_FROM_RULE(ScanOp)

LogicalResult ScanOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()), fault);
  if (failed(relation) ||
      failed(checkFoldKernels(op.getInputs(), op.getInits(), op.getFold(),
                              op.getCombine(), fault, "scan_c4", "scan_c5")))
    return failure();
  for (auto [init, dims] : llvm::zip(op.getInits(), relation->results))
    types.push_back(getTensorType(dims, getElement(init)));
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  return checkFoldBodies(getFold(), getCombine(),
                         Fault(getLoc(), getOperationName()), "scan_c6");
}

void ScanOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, &region == &getFold() ? getInputs().size() : 0,
                      setName);
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  auto &properties = result.getOrAddProperties<Properties>();
  Builder &builder = parser.getBuilder();
  return parseFold(
      parser, result, properties.operandSegmentSizes, [&]() -> ParseResult {
        int64_t dim;
        if (parser.parseKeyword("along") || parser.parseInteger(dim))
          return failure();
        properties.dim = builder.getI64IntegerAttr(dim);
        if (succeeded(parser.parseOptionalKeyword("exclusive")))
          properties.exclusive = builder.getUnitAttr();
        if (succeeded(parser.parseOptionalKeyword("reverse")))
          properties.reverse = builder.getUnitAttr();
        return success();
      });
}

void ScanOp::print(OpAsmPrinter &printer) {
  printFold(printer, *this, getInputs(), getInits(), getFold(), getCombine(),
            [&] {
              printer << "along " << getDim();
              if (getExclusive())
                printer << " exclusive";
              if (getReverse())
                printer << " reverse";
            });
}
