//===- FoldKernels.cpp - The kernels of operations that fold --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldKernels.h"

#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

LogicalResult mlir::wax::checkFoldKernels(Region &fold, Region &combine,
                                          ArrayRef<Type> elements,
                                          ArrayRef<Type> accumulators,
                                          Fault fault, StringRef foldLabel,
                                          StringRef combineLabel) {
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

  SmallVector<Type> arguments(elements);
  llvm::append_range(arguments, accumulators);
  if (failed(check(fold, arguments, "fold", foldLabel)))
    return failure();
  if (combine.empty())
    return success();
  arguments.assign(accumulators.begin(), accumulators.end());
  llvm::append_range(arguments, accumulators);
  return check(combine, arguments, "combine", combineLabel);
}

LogicalResult mlir::wax::checkFoldBodies(Region &fold, Region &combine,
                                         Fault fault, StringRef label) {
  if (failed(checkKernelBody(fold, fault, label)))
    return failure();
  return combine.empty() ? success() : checkKernelBody(combine, fault, label);
}

ParseResult mlir::wax::parseFoldHeader(OpAsmParser &parser,
                                       KernelHeader &header, bool &isOrdered) {
  isOrdered = succeeded(parser.parseOptionalKeyword("ordered"));
  if (parseKernelName(parser, header))
    return failure();
  if (isOrdered && !header.operation)
    return parser.emitError(header.location,
                            "expected an operation's name after 'ordered'");
  return success();
}

ParseResult mlir::wax::parseFoldKernels(OpAsmParser &parser,
                                        KernelHeader &header, bool isOrdered,
                                        ArrayRef<Type> elements,
                                        ArrayRef<Type> accumulators,
                                        OperationState &result) {
  Region &fold = *result.addRegion();
  Region &combine = *result.addRegion();
  if (header.operation && accumulators.size() != 1)
    return parser.emitError(header.location,
                            "a fold written by its name has one accumulator");
  SmallVector<Type> arguments(elements);
  llvm::append_range(arguments, accumulators);
  if (parseKernelBody(parser, header, arguments,
                      accumulators.empty() ? Type() : accumulators.front(),
                      fold))
    return failure();
  arguments.assign(accumulators.begin(), accumulators.end());
  llvm::append_range(arguments, accumulators);
  if (header.operation)
    return isOrdered
               ? success()
               : buildNamedKernel(parser, header.location, *header.operation,
                                  arguments, accumulators.front(), combine);
  if (failed(parser.parseOptionalKeyword("combine")))
    return success();
  KernelHeader combineHeader;
  combineHeader.location = parser.getCurrentLocation();
  if (parser.parseArgumentList(combineHeader.arguments,
                               OpAsmParser::Delimiter::Paren))
    return failure();
  return parseKernelBody(parser, combineHeader, arguments, Type(), combine);
}

Operation *mlir::wax::getNamedFold(Region &fold, Region &combine) {
  Operation *named = getNamedOperation(fold);
  if (!named || combine.empty())
    return named;
  Operation *joined = getNamedOperation(combine);
  return joined && joined->getName() == named->getName() ? named : nullptr;
}

void mlir::wax::printFoldHeader(OpAsmPrinter &printer, Operation *named,
                                bool isOrdered) {
  printer << ' ';
  if (named)
    printer << (isOrdered ? "ordered " : "") << named->getName();
}

void mlir::wax::printFoldKernels(OpAsmPrinter &printer, Region &fold,
                                 Region &combine) {
  printKernelBody(printer, fold);
  if (combine.empty())
    return;
  printer << " combine (";
  llvm::interleaveComma(combine.getArguments(), printer);
  printer << ")";
  printKernelBody(printer, combine);
}
