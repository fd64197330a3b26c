//===- FunctionAttributes.cpp - The calling convention's attributes -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a function says of its arguments and results beside their types; see
// docs/calling-convention.md.
//
// - (symbols_c1) `wax.symbols` stands on a function and lists
//   `{name = "…", min = … : i64, max = … : i64}`, the names distinct, with
//   0 <= min <= max;
// - (kept_c1) `wax.kept` stands on a function and lists different i64 that are
//   not negative, in order;
// - (dims_c1) `wax.dims` is an affine map over the function's symbols and no
//   dims, with one expression for each dim of a ranked tensor;
// - (dims_c2) where a dim is static, its expression is that size;
// - (sign_c1) `wax.sign` is "unsigned", on a tensor of integers;
// - (name_c1) `wax.name` is a string;
// - (donated_c1) `wax.donated` is a unit, on an argument;
// - (part_c1) `wax.part` is "re" or "im", of complex numbers that were split;
// - (part_c2) "re" stands right before "im", on the same type;
// - (attribute_c1) there are no others;
// - (max_steps_c1) of an operation, `wax.max_steps` is an i64 that is not
//   negative, on a loop: it takes no more turns where that matters.
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "wax/Dialect/MaxSteps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::wax;

static constexpr StringLiteral symbolsName = "wax.symbols",
                               keptName = "wax.kept";

static Fault getFault(Operation *op) {
  return Fault(op->getLoc(), op->getName().getStringRef());
}

//===----------------------------------------------------------------------===//
// Of a function
//===----------------------------------------------------------------------===//

static LogicalResult verifySymbols(Operation *op, Attribute attribute) {
  Fault fault = getFault(op);
  if (!isa<FunctionOpInterface>(op))
    return fault("symbols_c1", symbolsName, " does not stand on a function");
  auto symbols = dyn_cast<ArrayAttr>(attribute);
  if (!symbols)
    return fault("symbols_c1", symbolsName, " is not a list");
  llvm::StringSet<> names;
  for (Attribute entry : symbols) {
    auto symbol = dyn_cast<DictionaryAttr>(entry);
    auto name = symbol ? symbol.getAs<StringAttr>("name") : StringAttr();
    auto min = symbol ? symbol.getAs<IntegerAttr>("min") : IntegerAttr();
    auto max = symbol ? symbol.getAs<IntegerAttr>("max") : IntegerAttr();
    if (!name || !min || !max || symbol.size() != 3 ||
        !min.getType().isSignlessInteger(64) ||
        !max.getType().isSignlessInteger(64))
      return fault("symbols_c1", entry,
                   " is not {name = string, min = i64, max = i64}");
    if (!names.insert(name.getValue()).second)
      return fault("symbols_c1", "symbol ", name, " is listed twice");
    if (min.getInt() < 0 || max.getInt() < min.getInt())
      return fault("symbols_c1", "symbol ", name, " is at least ", min.getInt(),
                   " and at most ", max.getInt());
  }
  return success();
}

static LogicalResult verifyKept(Operation *op, Attribute attribute) {
  auto kept = dyn_cast<DenseI64ArrayAttr>(attribute);
  int64_t next = 0;
  bool isInOrder = kept && isa<FunctionOpInterface>(op);
  if (isInOrder)
    for (int64_t number : kept.asArrayRef()) {
      isInOrder &= number >= next;
      next = number + 1;
    }
  if (!isInOrder)
    return getFault(op)("kept_c1", keptName, " is ", attribute,
                        ", but must be different i64 in order, from 0 on, of "
                        "a function");
  return success();
}

static LogicalResult verifyMaxSteps(Operation *op, Attribute attribute) {
  auto most = dyn_cast<IntegerAttr>(attribute);
  if (!isa<scf::ForOp, scf::WhileOp>(op) || !most ||
      !most.getType().isInteger(64) || most.getInt() < 0)
    return getFault(op)("max_steps_c1", getMaxStepsName(), " is ", attribute,
                        ", but must be an i64 that is not negative, of a loop");
  return success();
}

LogicalResult WaxDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() == symbolsName)
    return verifySymbols(op, attribute.getValue());
  if (attribute.getName() == keptName)
    return verifyKept(op, attribute.getValue());
  if (attribute.getName() == getMaxStepsName())
    return verifyMaxSteps(op, attribute.getValue());
  return getFault(op)("attribute_c1", "the dialect has no attribute ",
                      attribute.getName(), " of an operation");
}

//===----------------------------------------------------------------------===//
// Of an argument or a result
//===----------------------------------------------------------------------===//

static LogicalResult verifyDims(Operation *function, Type type,
                                Attribute attribute, Fault fault,
                                const std::string &place) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto map = dyn_cast<AffineMapAttr>(attribute);
  if (!tensor || !map)
    return fault("dims_c1", "wax.dims of ", place, " is ", attribute, " on ",
                 type, ", but must be an affine map on a ranked tensor");
  auto symbols = function->getAttrOfType<ArrayAttr>(symbolsName);
  size_t known = symbols ? symbols.size() : 0;
  AffineMap dims = map.getValue();
  if (dims.getNumDims() != 0 || dims.getNumSymbols() != known)
    return fault("dims_c1", "wax.dims of ", place, " is over ",
                 count(dims.getNumDims(), "dim"), " and ",
                 count(dims.getNumSymbols(), "symbol"),
                 ", but must be over the function's ", count(known, "symbol"));
  if (dims.getNumResults() != tensor.getRank())
    return fault("dims_c1", "wax.dims of ", place, " has ",
                 count(dims.getNumResults(), "expression"), ", but ", tensor,
                 " has rank ", tensor.getRank());
  for (auto [dim, expr] : llvm::enumerate(dims.getResults()))
    if (int64_t size = tensor.getDimSize(dim);
        !ShapedType::isDynamic(size) && getStaticSize(expr) != size)
      return fault("dims_c2", "wax.dims of ", place, " says something else of ",
                   "dim ", dim, " than its type ", tensor);
  return success();
}

static LogicalResult verifyPart(FunctionOpInterface function, unsigned index,
                                Attribute attribute, Fault fault,
                                const std::string &place, bool isArgument) {
  auto part = dyn_cast<StringAttr>(attribute);
  if (!part || (part != "re" && part != "im"))
    return fault("part_c1", "wax.part of ", place, " is ", attribute,
                 ", but must be \"re\" or \"im\"");
  bool isReal = part == "re";
  ArrayRef<Type> types =
      isArgument ? function.getArgumentTypes() : function.getResultTypes();
  // Before the first there is none: it would be the greatest number.
  unsigned other = isReal ? index + 1 : index - 1;
  auto otherPart =
      other >= types.size() ? StringAttr()
      : isArgument
          ? function.getArgAttrOfType<StringAttr>(other, "wax.part")
          : function.getResultAttrOfType<StringAttr>(other, "wax.part");
  if (otherPart && otherPart == (isReal ? "im" : "re") &&
      types[other] == types[index])
    return success();
  return fault("part_c2", "wax.part of ", place, " is ", part, " on ",
               types[index], ", but ", isReal ? "after" : "before",
               " it there is no ", isReal ? "\"im\"" : "\"re\"",
               " of this type");
}

static LogicalResult verifyValueAttribute(FunctionOpInterface function,
                                          unsigned index,
                                          NamedAttribute attribute,
                                          bool isArgument) {
  Fault fault = getFault(function);
  Type type = isArgument ? function.getArgumentTypes()[index]
                         : function.getResultTypes()[index];
  std::string place =
      (isArgument ? "argument " : "result ") + std::to_string(index);
  StringRef name = attribute.getName();
  if (name == "wax.dims")
    return verifyDims(function, type, attribute.getValue(), fault, place);
  if (name == "wax.sign") {
    auto sign = dyn_cast<StringAttr>(attribute.getValue());
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (sign && sign == "unsigned" && tensor &&
        tensor.getElementType().isSignlessInteger())
      return success();
    return fault("sign_c1", "wax.sign of ", place, " is ", attribute.getValue(),
                 " on ", type,
                 ", but must be \"unsigned\" on a tensor of integers");
  }
  if (name == "wax.name") {
    if (isa<StringAttr>(attribute.getValue()))
      return success();
    return fault("name_c1", "wax.name of ", place, " is ", attribute.getValue(),
                 ", but must be a string");
  }
  if (name == "wax.donated") {
    if (isArgument && isa<UnitAttr>(attribute.getValue()))
      return success();
    return fault("donated_c1", "wax.donated of ", place, " is ",
                 attribute.getValue(), ", but must be a unit on an argument");
  }
  if (name == "wax.part")
    return verifyPart(function, index, attribute.getValue(), fault, place,
                      isArgument);
  return fault("attribute_c1", "the dialect has no attribute ", name, " of ",
               isArgument ? "an argument" : "a result");
}

LogicalResult WaxDialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned region,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  return verifyValueAttribute(cast<FunctionOpInterface>(op), argument,
                              attribute, /*isArgument=*/true);
}

LogicalResult WaxDialect::verifyRegionResultAttribute(
    Operation *op, unsigned region, unsigned result, NamedAttribute attribute) {
  return verifyValueAttribute(cast<FunctionOpInterface>(op), result, attribute,
                              /*isArgument=*/false);
}
