//===- Fold.cpp - What operations that fold have in common ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Rule
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<AffineExpr>>
mlir::wax::joinFoldedInputs(RelationBuilder &builder, ValueRange inputs,
                            ValueRange inits, StringRef presenceLabel,
                            StringRef shapeLabel) {
  if (inputs.empty())
    return builder.fault(presenceLabel, "there is no operand");
  if (inits.empty())
    return builder.fault(presenceLabel, "there is no accumulator");
  return joinEqualShapes(builder, inputs, shapeLabel);
}

LogicalResult mlir::wax::checkFoldKernels(ValueRange inputs, ValueRange inits,
                                          Region &fold, Region &combine,
                                          Fault fault, StringRef foldLabel,
                                          StringRef combineLabel) {
  return checkFoldKernels(
      fold, combine, llvm::map_to_vector(inputs, getElement),
      llvm::map_to_vector(inits, getElement), fault, foldLabel, combineLabel);
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

ParseResult
mlir::wax::parseFold(OpAsmParser &parser, OperationState &result,
                     MutableArrayRef<int32_t> operandSegmentSizes,
                     llvm::function_ref<ParseResult()> parseExtent) {
  KernelHeader header;
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SmallVector<Type> elements, accumulators;
  FunctionType type;
  SMLoc initLoc;
  auto noSuffix = [] { return success(); };
  bool isOrdered;
  if (parseFoldHeader(parser, header, isOrdered) ||
      parseBoundOperands(parser, header, inputs, noSuffix) || parseExtent() ||
      parser.parseKeyword("init") || parser.getCurrentLocation(&initLoc) ||
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
  operandSegmentSizes[0] = static_cast<int32_t>(inputs.size());
  operandSegmentSizes[1] = static_cast<int32_t>(inits.size());
  return parseFoldKernels(parser, header, isOrdered, elements, accumulators,
                          result);
}

void mlir::wax::printFold(OpAsmPrinter &printer, Operation *op,
                          ValueRange inputs, ValueRange inits, Region &fold,
                          Region &combine,
                          llvm::function_ref<void()> printExtent) {
  Operation *named = inputs.size() == 1 && inits.size() == 1
                         ? getNamedFold(fold, combine)
                         : nullptr;
  printFoldHeader(printer, named, combine.empty());
  ArrayRef<BlockArgument> arguments;
  if (!named)
    arguments = fold.getArguments();
  size_t split = named ? 0 : inputs.size();
  printBoundOperands(printer, inputs, arguments.take_front(split),
                     [](unsigned) {});
  printer << ' ';
  printExtent();
  printer << " init";
  printBoundOperands(printer, inits, arguments.drop_front(split),
                     [](unsigned) {});
  printer.printOptionalAttrDict(op->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(op);
  if (!named)
    printFoldKernels(printer, fold, combine);
}
