//===- Fold.cpp - What operations that fold have in common ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fold.h"

#include "KernelAssembly.h"
#include "wax/Dialect/Kernel.h"

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
  SmallVector<Type> accumulators = llvm::map_to_vector(inits, getElement);
  auto check = [&](Region &kernel, ArrayRef<Type> arguments, StringRef name,
                   StringRef label) -> LogicalResult {
    if (failed(
            checkKernelSignature(kernel, arguments, fault, name, label, label)))
      return failure();
    if (getYieldedTypes(kernel) != TypeRange(accumulators)) {
      size_t yielded = getYieldedTypes(kernel).size();
      if (yielded != accumulators.size())
        return fault(label, "the ", name, " yields ", count(yielded, "scalar"),
                     " for ", count(accumulators.size(), "accumulator"));
      for (auto [i, type] : llvm::enumerate(accumulators))
        if (Type got = getYieldedTypes(kernel)[i]; got != type)
          return fault(label, "the ", name, " yields ", got,
                       " for accumulator ", i, " of ", type);
    }
    return success();
  };

  SmallVector<Type> arguments = llvm::map_to_vector(inputs, getElement);
  arguments.append(accumulators);
  if (failed(check(fold, arguments, "fold", foldLabel)))
    return failure();
  if (combine.empty())
    return success();
  arguments.assign(accumulators);
  arguments.append(accumulators);
  return check(combine, arguments, "combine", combineLabel);
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
  bool ordered = succeeded(parser.parseOptionalKeyword("ordered"));
  if (parseKernelName(parser, header) ||
      parseBoundOperands(parser, header, inputs, noSuffix) || parseExtent() ||
      parser.parseKeyword("init") || parser.getCurrentLocation(&initLoc) ||
      parseBoundOperands(parser, header, inits, noSuffix) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  if (ordered && !header.operation)
    return parser.emitError(header.location,
                            "expected an operation's name after 'ordered'");
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

  elements.append(accumulators);
  Region &fold = *result.addRegion();
  Region &combine = *result.addRegion();
  if (header.operation && accumulators.size() != 1)
    return parser.emitError(header.location,
                            "a fold written by its name has one accumulator");
  if (parseKernelBody(parser, header, elements,
                      accumulators.empty() ? Type() : accumulators.front(),
                      fold))
    return failure();
  accumulators.append(accumulators);
  if (header.operation)
    return ordered
               ? success()
               : buildNamedKernel(parser, header.location, *header.operation,
                                  accumulators, accumulators.front(), combine);
  if (failed(parser.parseOptionalKeyword("combine")))
    return success();
  KernelHeader combineHeader;
  combineHeader.location = parser.getCurrentLocation();
  if (parser.parseArgumentList(combineHeader.arguments,
                               OpAsmParser::Delimiter::Paren))
    return failure();
  return parseKernelBody(parser, combineHeader, accumulators, Type(), combine);
}

void mlir::wax::printFold(OpAsmPrinter &printer, Operation *op,
                          ValueRange inputs, ValueRange inits, Region &fold,
                          Region &combine,
                          llvm::function_ref<void()> printExtent) {
  bool hasCombine = !combine.empty();
  Operation *named = inputs.size() == 1 && inits.size() == 1
                         ? getNamedOperation(fold)
                         : nullptr;
  if (named && hasCombine) {
    Operation *joined = getNamedOperation(combine);
    if (!joined || joined->getName() != named->getName())
      named = nullptr;
  }
  printer << ' ';
  if (named)
    printer << (hasCombine ? "" : "ordered ") << named->getName();
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
  if (named)
    return;
  printKernelBody(printer, fold);
  if (!hasCombine)
    return;
  printer << " combine (";
  llvm::interleaveComma(combine.getArguments(), printer);
  printer << ")";
  printKernelBody(printer, combine);
}
