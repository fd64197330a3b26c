//===- IsolatedBody.cpp - Bodies that see operands only -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsolatedBody.h"

#include "wax/Dialect/Wax.h"

using namespace mlir;
using namespace mlir::wax;

/// Whether what the body `verb`s is as the operation's `noun`s are.
static LogicalResult checkTypes(TypeRange found, TypeRange wanted, Fault fault,
                                StringRef name, StringRef label, StringRef verb,
                                StringRef noun) {
  if (found.size() != wanted.size())
    return fault(label, "the ", name, " ", verb, " ",
                 count(found.size(), "value"), ", but ",
                 thereAre(wanted.size(), noun));
  for (auto [i, type, other] : llvm::enumerate(found, wanted))
    if (type != other)
      return fault(label, "the ", name, " ", verb, " ", type, " in place ", i,
                   ", but ", noun, " ", i, " is ", other);
  return success();
}

LogicalResult mlir::wax::checkIsolatedBody(Operation *op, Region &body,
                                           StringRef name, StringRef takesLabel,
                                           StringRef givesLabel, Fault fault) {
  Block &block = body.front();
  if (failed(checkTypes(block.getArgumentTypes(), op->getOperandTypes(), fault,
                        name, takesLabel, "takes", "operand")))
    return failure();
  auto end = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!end)
    return fault(givesLabel, "the ", name, " does not end in wax.return");
  return checkTypes(end.getValues().getTypes(), op->getResultTypes(), fault,
                    name, givesLabel, "gives", "result");
}

ParseResult
mlir::wax::parseIsolatedBody(OpAsmParser &parser, KernelHeader &header,
                             ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                             OperationState &result) {
  FunctionType type;
  if (parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), header.location,
                             result.operands))
    return failure();
  for (auto [argument, given] : llvm::zip(header.arguments, type.getInputs()))
    argument.type = given;
  result.addTypes(type.getResults());
  return parser.parseRegion(*result.addRegion(), header.arguments);
}

void mlir::wax::printIsolatedBody(OpAsmPrinter &printer, Operation *op,
                                  Region &body) {
  printer << " : ";
  printer.printFunctionalType(op);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}
