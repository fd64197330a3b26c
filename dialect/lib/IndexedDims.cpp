//===- IndexedDims.cpp - How gather and scatter name places ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexedDims.h"

using namespace mlir;
using namespace mlir::wax;

FailureOr<int64_t> mlir::wax::getLoopCount(const IndexedDims &dims, Fault fault,
                                           StringRef countLabel,
                                           StringRef loopsLabel,
                                           StringRef noun) {
  size_t indexed = llvm::count(dims.operandDims, -1);
  if (static_cast<int64_t>(dims.operandDims.size()) != dims.operandRank)
    return fault(countLabel, thereAre(dims.operandDims.size(), "entry"),
                 " for the operand's dims, but it has rank ", dims.operandRank);
  if (indexed != dims.indices.size() ||
      dims.indexDims.size() != dims.indices.size())
    return fault(countLabel, thereAre(dims.indices.size(), "index operand"),
                 ", ", count(indexed, "operand dim"), " read at an index, and ",
                 count(dims.indexDims.size(), "list"), " of index dims");
  for (auto [i, index] : llvm::enumerate(dims.indices))
    if (static_cast<int64_t>(dims.getDimsOfIndex(i).size()) !=
        getTensor(index).getRank())
      return fault(countLabel, "index ", i, " has rank ",
                   getTensor(index).getRank(), ", but its dims are ",
                   list(dims.getDimsOfIndex(i)));

  llvm::SmallDenseSet<int64_t> all;
  auto collect = [&](ArrayRef<int64_t> loops, const Twine &what) {
    llvm::SmallDenseSet<int64_t> own;
    for (int64_t loop : loops) {
      if (loop < 0)
        return LogicalResult(fault(loopsLabel, what.str(), " has dim ", loop,
                                   ", which is negative"));
      if (!own.insert(loop).second)
        return LogicalResult(
            fault(loopsLabel, what.str(), " has dim ", loop, " twice"));
      all.insert(loop);
    }
    return success();
  };
  SmallVector<int64_t> straight(llvm::make_filter_range(
      dims.operandDims, [](int64_t loop) { return loop != -1; }));
  if (failed(collect(straight, "the operand")))
    return failure();
  for (unsigned i : llvm::seq<unsigned>(0, dims.indices.size()))
    if (failed(collect(dims.getDimsOfIndex(i), "index " + Twine(i))))
      return failure();
  int64_t loops = all.size();
  for (int64_t loop : llvm::seq(loops))
    if (!all.contains(loop))
      return fault(loopsLabel, "neither operand nor index has ", noun, " ",
                   loop);
  return loops;
}

ParseResult mlir::wax::parseIndexedDims(
    OpAsmParser &parser, SmallVectorImpl<int64_t> &operandDims,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
    SmallVectorImpl<Attribute> &indexDims) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
        OpAsmParser::UnresolvedOperand index;
        OptionalParseResult parsed = parser.parseOptionalOperand(index);
        if (!parsed.has_value())
          return parser.parseInteger(operandDims.emplace_back());
        if (failed(*parsed))
          return failure();
        indices.push_back(index);
        operandDims.push_back(-1);
        indexDims.push_back(DenseI64ArrayAttr::parse(parser, Type()));
        return success(bool(indexDims.back()));
      });
}

void mlir::wax::printIndexedDims(OpAsmPrinter &printer,
                                 ArrayRef<int64_t> operandDims,
                                 ValueRange indices, ArrayAttr indexDims) {
  printer << '[';
  unsigned next = 0;
  llvm::interleaveComma(operandDims, printer, [&](int64_t dim) {
    if (dim != -1) {
      printer << dim;
      return;
    }
    printer << indices[next];
    cast<DenseI64ArrayAttr>(indexDims[next++]).print(printer);
  });
  printer << ']';
}
