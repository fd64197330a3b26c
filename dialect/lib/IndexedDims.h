//===- IndexedDims.h - How gather and scatter name places -------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The places of an operand are written by its dims, `[0, %i[1, 2]]`: each dim
// is a loop, or is read from an index operand, whose own dims are loops. The
// loops are the dims of what is gathered, or of what is scattered.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_INDEXEDDIMS_H
#define WAX_DIALECT_LIB_INDEXEDDIMS_H

#include "SizeRule.h"

#include "mlir/IR/OpImplementation.h"

namespace mlir::wax {

struct IndexedDims {
  int64_t operandRank;
  /// For each operand dim its loop, or −1 for the next index operand.
  ArrayRef<int64_t> operandDims;
  ValueRange indices;
  ArrayAttr indexDims;

  ArrayRef<int64_t> getDimsOfIndex(unsigned i) const {
    return cast<DenseI64ArrayAttr>(indexDims[i]).asArrayRef();
  }
};

/// How many loops there are, when the lists fit (`countLabel`), and each loop
/// is listed (`loopsLabel`). A loop is called `noun`.
FailureOr<int64_t> getLoopCount(const IndexedDims &dims, Fault fault,
                                StringRef countLabel, StringRef loopsLabel,
                                StringRef noun);

ParseResult
parseIndexedDims(OpAsmParser &parser, SmallVectorImpl<int64_t> &operandDims,
                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                 SmallVectorImpl<Attribute> &indexDims);
void printIndexedDims(OpAsmPrinter &printer, ArrayRef<int64_t> operandDims,
                      ValueRange indices, ArrayAttr indexDims);

} // namespace mlir::wax

#endif // WAX_DIALECT_LIB_INDEXEDDIMS_H
