//===- CheckpointOps.cpp - What is computed again -------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsolatedBody.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// checkpoint
//===----------------------------------------------------------------------===//

static bool isSaveRule(ArrayAttr rule) {
  if (rule.empty())
    return false;
  StringRef kind = cast<StringAttr>(rule[0]).getValue();
  if (llvm::is_contained({"everything", "dots", "unbatched_dots"}, kind))
    return rule.size() == 1;
  return llvm::is_contained({"names", "other_names", "unnamed"}, kind);
}

LogicalResult CheckpointOp::verify() {
  Fault fault(getLoc(), getOperationName());
  for (Attribute rule : getSaving())
    if (!isSaveRule(cast<ArrayAttr>(rule)))
      return fault("checkpoint_c3", rule, " is no rule of what is kept");
  if (std::optional<ArrayRef<int64_t>> places = getRecomputed())
    for (int64_t place : *places)
      if (place < 0 || place >= static_cast<int64_t>(getInputs().size()))
        return fault("checkpoint_c4", "there is no operand ", place);
  return success();
}

LogicalResult CheckpointOp::verifyRegions() {
  return checkIsolatedBody(*this, getBody(), "body", "checkpoint_c1",
                           "checkpoint_c2",
                           Fault(getLoc(), getOperationName()));
}

ParseResult CheckpointOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  header.location = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  ArrayAttr saving;
  if (parseBoundOperands(parser, header, operands) ||
      parser.parseKeyword("saving") || parser.parseAttribute(saving))
    return failure();
  result.addAttribute(getSavingAttrName(result.name), saving);
  if (succeeded(parser.parseOptionalKeyword("recomputed"))) {
    auto places = dyn_cast_or_null<DenseI64ArrayAttr>(
        DenseI64ArrayAttr::parse(parser, Type()));
    if (!places)
      return failure();
    result.addAttribute(getRecomputedAttrName(result.name), places);
  }
  if (succeeded(parser.parseOptionalKeyword("mergeable")))
    result.addAttribute(getMergeableAttrName(result.name),
                        parser.getBuilder().getUnitAttr());
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return parseIsolatedBody(parser, header, operands, result);
}

void CheckpointOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printBoundOperands(printer, getInputs(), getBody().getArguments());
  printer << " saving " << getSaving();
  if (DenseI64ArrayAttr places = getRecomputedAttr()) {
    printer << " recomputed ";
    places.print(printer);
  }
  if (getMergeable())
    printer << " mergeable";
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printIsolatedBody(printer, *this, getBody());
}

LogicalResult ReturnOp::verify() {
  if (isa<CheckpointOp, RecognizedOpInterface>((*this)->getParentOp()))
    return success();
  return emitOpError("stands in no checkpoint and no recognised operation");
}

//===----------------------------------------------------------------------===//
// name, barrier
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(NameOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  return relateSame(op.getOperand(), sizes, fault);
}

WAX_DERIVE_FROM_RULE(NameOp)
WAX_INFER_FROM_RULE(NameOp)

static FailureOr<ShapeRelation> relate(BarrierOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  return relateSame(op.getOperand(), sizes, fault);
}

WAX_DERIVE_FROM_RULE(BarrierOp)
WAX_INFER_FROM_RULE(BarrierOp)
