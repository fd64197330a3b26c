//===- CheckpointOps.cpp - What is computed again -------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// checkpoint
//===----------------------------------------------------------------------===//

/// Reports values that differ in number or type from those on the other side.
static LogicalResult checkTypes(TypeRange found, TypeRange wanted, Fault fault,
                                StringRef label, StringRef verb,
                                StringRef noun) {
  if (found.size() != wanted.size())
    return fault(label, "the body ", verb, " ", count(found.size(), "value"),
                 ", but ", thereAre(wanted.size(), noun));
  for (auto [i, type, other] : llvm::enumerate(found, wanted))
    if (type != other)
      return fault(label, "the body ", verb, " ", type, " in place ", i,
                   ", but ", noun, " ", i, " is ", other);
  return success();
}

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
  Fault fault(getLoc(), getOperationName());
  Block &block = getBody().front();
  if (failed(checkTypes(block.getArgumentTypes(), getInputs().getTypes(), fault,
                        "checkpoint_c1", "takes", "operand")))
    return failure();
  auto end = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!end)
    return fault("checkpoint_c2", "the body does not end in wax.return");
  return checkTypes(end.getValues().getTypes(), getResultTypes(), fault,
                    "checkpoint_c2", "gives", "result");
}

ParseResult CheckpointOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  ArrayAttr saving;
  FunctionType type;
  SMLoc here = parser.getCurrentLocation();
  auto parseBound = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseBound) ||
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
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), here, result.operands))
    return failure();
  for (auto [argument, given] : llvm::zip(arguments, type.getInputs()))
    argument.type = given;
  result.addTypes(type.getResults());
  return parser.parseRegion(*result.addRegion(), arguments);
}

void CheckpointOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()),
                        printer, [&](auto bound) {
                          printer << std::get<0>(bound) << " = "
                                  << std::get<1>(bound);
                        });
  printer << ") saving " << getSaving();
  if (DenseI64ArrayAttr places = getRecomputedAttr()) {
    printer << " recomputed ";
    places.print(printer);
  }
  if (getMergeable())
    printer << " mergeable";
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
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
