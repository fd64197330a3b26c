//===- RecognizedOps.cpp - What recognised operations have in common ------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognized.h"

#include "IsolatedBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

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
  Region &body = cast<RecognizedOpInterface>(op).getDecomposition();
  if (failed(checkIsolatedBody(op, body, "decomposition", "recognized_c1",
                               "recognized_c2", fault)))
    return failure();
  for (Operation &one : body.front())
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
  KernelHeader header;
  header.location = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parseBoundOperands(parser, header, operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return parseIsolatedBody(parser, header, operands, result);
}

void mlir::wax::printRecognized(OpAsmPrinter &printer, Operation *op,
                                Region &decomposition) {
  printer << ' ';
  printBoundOperands(printer, op->getOperands(), decomposition.getArguments());
  printer.printOptionalAttrDict(op->getAttrs());
  printIsolatedBody(printer, op, decomposition);
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
