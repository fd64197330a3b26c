//===- RecognizedOps.cpp - What recognised operations have in common ------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

static std::string spell(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '(';
  llvm::interleaveComma(types, os);
  os << ')';
  return text;
}

/// Whether an operation may stand in a decomposition: the basis, and glue that
/// computes sizes.
static bool isBasisOrGlue(Operation *op) {
  return op->hasTrait<OpTrait::wax::Basis>() ||
         isa<tensor::DimOp, tensor::CastOp, ReturnOp>(op) ||
         (isa<arith::ArithDialect>(op->getDialect()) &&
          llvm::all_of(op->getResultTypes(), llvm::IsaPred<IndexType>));
}

LogicalResult mlir::wax::verifyDecomposition(Operation *op) {
  Fault fault(op->getLoc(), op->getName().getStringRef());
  Block &block = cast<RecognizedOpInterface>(op).getDecomposition().front();
  if (block.getArgumentTypes() != op->getOperandTypes())
    return fault("recognized_c1", "the decomposition takes ",
                 spell(block.getArgumentTypes()), ", but the operands are ",
                 spell(op->getOperandTypes()));
  auto end = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!end)
    return fault("recognized_c2",
                 "the decomposition does not end in wax.return");
  if (end.getValues().getTypes() != op->getResultTypes())
    return fault("recognized_c2", "the decomposition gives ",
                 spell(end.getValues().getTypes()), ", but the results are ",
                 spell(op->getResultTypes()));
  for (Operation &one : block)
    if (!isBasisOrGlue(&one))
      return fault("recognized_c3", "the decomposition holds '", one.getName(),
                   "', which is neither of the basis nor glue");
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

ParseResult mlir::wax::parseRecognized(OpAsmParser &parser,
                                       OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc here = parser.getCurrentLocation();
  auto parseBound = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseBound) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), here, result.operands))
    return failure();
  for (auto [argument, given] : llvm::zip(arguments, type.getInputs()))
    argument.type = given;
  result.addTypes(type.getResults());
  return parser.parseRegion(*result.addRegion(), arguments);
}

void mlir::wax::printRecognized(OpAsmPrinter &printer, Operation *op,
                                Region &decomposition) {
  printer << " (";
  llvm::interleaveComma(
      llvm::zip(decomposition.getArguments(), op->getOperands()), printer,
      [&](auto bound) {
        printer << std::get<0>(bound) << " = " << std::get<1>(bound);
      });
  printer << ')';
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op);
  printer << ' ';
  printer.printRegion(decomposition, /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// What verifiers share
//===----------------------------------------------------------------------===//

LogicalResult mlir::wax::checkIndices(ArrayRef<int64_t> dims, Value value,
                                      StringRef whose, StringRef label,
                                      Fault fault) {
  int64_t rank = getTensor(value).getRank();
  if (static_cast<int64_t>(dims.size()) != rank)
    return fault(label, whose, " of rank ", rank, " is given dims ",
                 list(dims));
  for (auto [place, dim] : llvm::enumerate(dims))
    if (dim < 0 || llvm::is_contained(dims.take_front(place), dim))
      return fault(label, "the dims ", list(dims), " of ", whose,
                   " are not distinct indices");
  return success();
}

bool mlir::wax::isWidening(Type from, Type to) {
  if (from == to)
    return true;
  auto narrow = dyn_cast<FloatType>(from), wide = dyn_cast<FloatType>(to);
  if (narrow && wide)
    return narrow.getWidth() < wide.getWidth();
  auto small = dyn_cast<IntegerType>(from), large = dyn_cast<IntegerType>(to);
  return small && large && small.getWidth() < large.getWidth();
}

LogicalResult mlir::wax::checkAccumulator(ValueRange operands, Type accumulator,
                                          StringRef label, Fault fault) {
  if (!isa<FloatType>(accumulator))
    return fault(label, accumulator, " is no float type");
  for (Value operand : operands)
    if (!isWidening(getElement(operand), accumulator))
      return fault(label, accumulator, " does not hold all ",
                   getElement(operand));
  return success();
}

LogicalResult mlir::wax::checkRounded(Type result, Type accumulator,
                                      StringRef label, Fault fault) {
  Type element = getElementTypeOrSelf(result);
  if (element == accumulator ||
      (isa<FloatType>(element) && isWidening(element, accumulator)))
    return success();
  return fault(label, "the result's elements are ", element,
               ", which are no rounded ", accumulator);
}

LogicalResult mlir::wax::checkSameShape(Value operand, Value result,
                                        StringRef label, Fault fault) {
  if (succeeded(verifyCompatibleShape(operand.getType(), result.getType())))
    return success();
  return fault(label, "the result is ", result.getType(),
               ", and the operand is ", operand.getType());
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

#define GET_OP_CLASSES
#include "wax/Dialect/RecognizedOps.cpp.inc"
