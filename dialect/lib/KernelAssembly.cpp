//===- KernelAssembly.cpp - How kernels are written -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAssembly.h"

#include "wax/Dialect/Wax.h"

using namespace mlir;
using namespace mlir::wax;

ParseResult mlir::wax::parseKernelName(OpAsmParser &parser,
                                       KernelHeader &header) {
  header.location = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return success();
  OperationName operation(name, parser.getContext());
  if (!operation.isRegistered() || !isScalarOperation(operation))
    return parser.emitError(header.location)
           << "'" << name
           << "' is not an operation of arith, math or complex, nor a special "
              "function, and no other can be a kernel by its name";
  header.operation = operation;
  return success();
}

ParseResult mlir::wax::parseBoundOperands(
    OpAsmParser &parser, KernelHeader &header,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    llvm::function_ref<ParseResult()> parseSuffix) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        if (!header.operation &&
            (parser.parseArgument(header.arguments.emplace_back()) ||
             parser.parseEqual()))
          return failure();
        if (parser.parseOperand(operands.emplace_back()))
          return failure();
        return parseSuffix ? parseSuffix() : success();
      });
}

void mlir::wax::printBoundOperands(
    OpAsmPrinter &printer, ValueRange operands,
    ArrayRef<BlockArgument> arguments,
    llvm::function_ref<void(unsigned)> printSuffix) {
  printer << '(';
  llvm::interleaveComma(llvm::seq<unsigned>(0, operands.size()), printer,
                        [&](unsigned i) {
                          if (!arguments.empty())
                            printer << arguments[i] << " = ";
                          printer << operands[i];
                          if (printSuffix)
                            printSuffix(i);
                        });
  printer << ')';
}

ParseResult mlir::wax::buildNamedKernel(OpAsmParser &parser, SMLoc loc,
                                        OperationName name,
                                        ArrayRef<Type> arguments, Type result,
                                        Region &region) {
  OpBuilder builder(parser.getContext());
  Location location = parser.getEncodedSourceLoc(loc);
  Block *block =
      builder.createBlock(&region, {}, arguments,
                          SmallVector<Location>(arguments.size(), location));
  OperationState state(location, name, block->getArguments(), {result});
  Operation *op = builder.create(state);
  YieldOp::create(builder, location, op->getResults());
  return success();
}

ParseResult mlir::wax::parseKernelBody(OpAsmParser &parser,
                                       KernelHeader &header,
                                       ArrayRef<Type> arguments, Type result,
                                       Region &region) {
  if (header.operation)
    return buildNamedKernel(parser, header.location, *header.operation,
                            arguments, result, region);
  if (header.arguments.size() != arguments.size())
    return parser.emitError(header.location)
           << "there are " << header.arguments.size() << " operands, but "
           << arguments.size() << " operand types";
  for (auto [argument, type] : llvm::zip(header.arguments, arguments))
    argument.type = type;
  return parser.parseRegion(region, header.arguments,
                            /*enableNameShadowing=*/true);
}

void mlir::wax::printKernelBody(OpAsmPrinter &printer, Region &region) {
  printer << ' ';
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

ParseResult mlir::wax::getElementTypes(OpAsmParser &parser, SMLoc loc,
                                       TypeRange types,
                                       SmallVectorImpl<Type> &elements) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return parser.emitError(loc) << "expected ranked tensors, not " << type;
    elements.push_back(tensor.getElementType());
  }
  return success();
}

void mlir::wax::nameKernelArguments(Region &region, unsigned accumulators,
                                    OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (number >= accumulators)
      setName(argument, "acc");
    else
      setName(argument, std::string(1, 'a' + number % 26));
  }
}
