//===- OrderingOps.cpp - elements put in order ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAssembly.h"
#include "SizeRule.h"
#include "wax/Dialect/Kernel.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Rule
//===----------------------------------------------------------------------===//

/// What a comparator of these operands takes.
static SmallVector<Type> getComparedTypes(ValueRange inputs) {
  SmallVector<Type> types;
  for (Value input : inputs)
    types.append(2, getElement(input));
  return types;
}

static LogicalResult checkComparator(SortOp::Adaptor op, Fault fault) {
  Region &comparator = op.getComparator();
  if (failed(checkKernelSignature(comparator, getComparedTypes(op.getInputs()),
                                  fault, "comparator", "sort_c4", "sort_c4")))
    return failure();
  TypeRange yielded = getYieldedTypes(comparator);
  if (yielded.size() != 1)
    return fault("sort_c4", "the comparator yields ",
                 count(yielded.size(), "scalar"), ", but must yield one");
  if (!yielded.front().isInteger(1))
    return fault("sort_c4", "the comparator yields ", yielded.front(),
                 ", but must yield i1");
  return success();
}

static FailureOr<ShapeRelation> relate(SortOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (op.getInputs().empty())
    return fault("sort_c1", "there is no operand");
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> joined =
      joinEqualShapes(builder, op.getInputs(), "sort_c2");
  if (failed(joined))
    return failure();
  if (failed(
          checkDim(op.getDim(), joined->size(), "sort_c3", "operands'", fault)))
    return failure();
  for ([[maybe_unused]] Value input : op.getInputs())
    builder.addResult(*joined);
  return builder.take();
}

WAX_DERIVE_FROM_RULE(SortOp)

LogicalResult SortOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  Fault fault(location, getOperationName());
  FailureOr<ShapeRelation> relation =
      relate(op, SizeSources(context, op.getOperands()), fault);
  if (failed(relation) || failed(checkComparator(op, fault)))
    return failure();
  for (auto [input, dims] : llvm::zip(op.getInputs(), relation->results))
    types.push_back(getTensorType(dims, getElement(input)));
  return success();
}

LogicalResult SortOp::verifyRegions() {
  return checkKernelBody(getComparator(), Fault(getLoc(), getOperationName()),
                         "sort_c5");
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

void SortOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  nameKernelArguments(region, region.getNumArguments(), setName);
}

ParseResult SortOp::parse(OpAsmParser &parser, OperationState &result) {
  KernelHeader header;
  header.location = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<Type> elements, compared;
  FunctionType type;
  int64_t dim;
  auto parseOperand = [&]() -> ParseResult {
    return failure(parser.parseArgument(header.arguments.emplace_back()) ||
                   parser.parseComma() ||
                   parser.parseArgument(header.arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(inputs.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseOperand) ||
      parser.parseKeyword("along") || parser.parseInteger(dim) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), header.location,
                             result.operands) ||
      getElementTypes(parser, header.location, type.getInputs(), elements))
    return failure();
  result.addTypes(type.getResults());
  result.getOrAddProperties<Properties>().dim =
      parser.getBuilder().getI64IntegerAttr(dim);
  for (Type element : elements)
    compared.append(2, element);
  return parseKernelBody(parser, header, compared, Type(), *result.addRegion());
}

void SortOp::print(OpAsmPrinter &printer) {
  printer << " (";
  ArrayRef<BlockArgument> arguments = getComparator().getArguments();
  llvm::interleaveComma(
      llvm::seq<size_t>(0, getInputs().size()), printer, [&](size_t i) {
        printer << arguments[2 * i] << ", " << arguments[2 * i + 1] << " = "
                << getInputs()[i];
      });
  printer << ") along " << getDim();
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(*this);
  printKernelBody(printer, getComparator());
}
