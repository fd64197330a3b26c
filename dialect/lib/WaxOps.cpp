//===- WaxOps.cpp - The dialect's generated definitions -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Assembly of the groups of a reshape: [[0], [1, 2]]
//===----------------------------------------------------------------------===//

static ParseResult parseDimGroups(OpAsmParser &parser, ArrayAttr &groups) {
  SmallVector<Attribute> parsed;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
            parsed.push_back(DenseI64ArrayAttr::parse(parser, Type()));
            return success(bool(parsed.back()));
          }))
    return failure();
  groups = parser.getBuilder().getArrayAttr(parsed);
  return success();
}

static void printDimGroups(OpAsmPrinter &printer, Operation *,
                           ArrayAttr groups) {
  printer << '[';
  llvm::interleaveComma(groups, printer, [&](Attribute group) {
    cast<DenseI64ArrayAttr>(group).print(printer);
  });
  printer << ']';
}

#include "wax/Dialect/WaxInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "wax/Dialect/WaxOps.cpp.inc"
