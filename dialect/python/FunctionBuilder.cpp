//===- FunctionBuilder.cpp - Builds one function, a call an operation -----===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"
#include "Errors.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "wax/Dialect/Wax.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

FunctionBuilder::FunctionBuilder(const std::string &name, At location) {
  MLIRContext *context = getContext();
  if (name.empty())
    throw DialectError("a function needs a name");
  function = HeldOp<func::FuncOp>(func::FuncOp::create(
      at(location), name, FunctionType::get(context, {}, {})));
  function->addEntryBlock();
}

MLIRContext *FunctionBuilder::enter() const {
  if (finished)
    throw DialectError("the function is finished");
  return getContext();
}

mlir::Location FunctionBuilder::at(At location) const {
  return toLocation(location, getContext());
}

int64_t FunctionBuilder::number(Value value) {
  values.push_back(value);
  numbers[value] = values.size() - 1;
  return values.size() - 1;
}

Value FunctionBuilder::getValue(int64_t number) const {
  if (number < 0 || number >= static_cast<int64_t>(values.size()))
    throw DialectError("there is no value " + Twine(number) +
                       " in the function, which has " + Twine(values.size()));
  return values[number];
}

Value FunctionBuilder::getTensor(int64_t number) const {
  Value value = getValue(number);
  if (!isa<RankedTensorType>(value.getType()))
    throw DialectError("value " + Twine(number) +
                       " is an index, where a tensor is meant");
  return value;
}

SmallVector<Value>
FunctionBuilder::getTensors(ArrayRef<int64_t> numbers) const {
  return llvm::map_to_vector(numbers,
                             [&](int64_t number) { return getTensor(number); });
}

Value FunctionBuilder::getIndex(int64_t number) const {
  Value value = getValue(number);
  if (!value.getType().isIndex())
    throw DialectError("value " + Twine(number) +
                       " is a tensor, where an index is meant");
  return value;
}

RankedTensorType FunctionBuilder::makeTensorType(const Sizes &shape,
                                                 Type element) const {
  SmallVector<int64_t> sizes;
  for (const SizeArgument &size : shape) {
    bool isStatic = size.kind == SizeArgument::Kind::Static;
    if (isStatic && size.number < 0)
      throw DialectError("a dim cannot have size " + Twine(size.number));
    sizes.push_back(isStatic ? size.number : ShapedType::kDynamic);
  }
  return RankedTensorType::get(sizes, element);
}

SmallVector<int64_t>
FunctionBuilder::splitSizes(const Sizes &sizes,
                            SmallVectorImpl<Value> &operands,
                            StringRef what) const {
  SmallVector<int64_t> statics;
  for (const SizeArgument &size : sizes) {
    switch (size.kind) {
    case SizeArgument::Kind::Static:
      // The dialect words what is wrong with a negative number, but the one
      // that stands for "dynamic" would not look wrong to it.
      if (ShapedType::isDynamic(size.number))
        throw DialectError("'" + what + "' cannot hold " + Twine(size.number));
      statics.push_back(size.number);
      break;
    case SizeArgument::Kind::Value:
      operands.push_back(getIndex(size.number));
      statics.push_back(ShapedType::kDynamic);
      break;
    case SizeArgument::Kind::Inferred:
      throw DialectError("'" + what + "' cannot hold None");
    }
  }
  return statics;
}

int64_t FunctionBuilder::argument(const Sizes &shape,
                                  const std::string &element, At location) {
  enter();
  for (const SizeArgument &size : shape)
    if (size.kind == SizeArgument::Kind::Value)
      throw DialectError("an argument's size is a number or None");
  Type elementType = parseElementTypeOrIndex(element);
  Type type = elementType;
  if (!elementType.isIndex())
    type = makeTensorType(shape, elementType);
  else if (!shape.empty())
    throw DialectError("an index value has shape ()");
  argumentAttributes.emplace_back();
  return number(getBlock().addArgument(type, at(location)));
}

NamedAttribute FunctionBuilder::parseAttribute(const std::string &name,
                                               const std::string &text) const {
  MLIRContext *context = enter();
  if (name.empty())
    throw DialectError("an attribute needs a name");
  DiagnosticCapture diagnostics;
  Attribute attribute = mlir::parseAttribute(text, context);
  if (!attribute)
    throw DialectError("'" + text + "' is not an attribute: " +
                       diagnostics.text("it cannot be parsed"));
  return NamedAttribute(StringAttr::get(context, name), attribute);
}

void FunctionBuilder::setArgumentAttribute(int64_t value,
                                           const std::string &name,
                                           const std::string &attribute) {
  NamedAttribute parsed = parseAttribute(name, attribute);
  auto argument = dyn_cast<BlockArgument>(getValue(value));
  if (!argument)
    throw DialectError("value " + Twine(value) + " is not an argument");
  argumentAttributes[argument.getArgNumber()].set(parsed.getName(),
                                                  parsed.getValue());
}

void FunctionBuilder::setResultAttribute(int64_t result,
                                         const std::string &name,
                                         const std::string &attribute) {
  NamedAttribute parsed = parseAttribute(name, attribute);
  if (result < 0)
    throw DialectError("there is no result " + Twine(result));
  resultAttributes.emplace_back(result, parsed);
}

void FunctionBuilder::setAttribute(const std::string &name,
                                   const std::string &attribute) {
  NamedAttribute parsed = parseAttribute(name, attribute);
  // The names as they were registered. FuncOp::getAttributeNames() must not be
  // called: this compiler sets its array up at run time, MLIR's did when it
  // was compiled, and the linker keeps one array and either's code.
  if (llvm::is_contained(
          function->getOperation()->getName().getAttributeNames(),
          parsed.getName()))
    throw DialectError("attribute '" + name + "' is not free to be set");
  function->getOperation()->setAttr(parsed.getName(), parsed.getValue());
}

nb::tuple FunctionBuilder::describe(int64_t number, nb::object shape) const {
  auto type = cast<RankedTensorType>(values[number].getType());
  return nb::make_tuple(number, std::move(shape), spell(type.getElementType()));
}

nb::tuple FunctionBuilder::describeOwn(int64_t number) const {
  auto type = dyn_cast<RankedTensorType>(values[number].getType());
  if (!type)
    return nb::make_tuple(number, nb::tuple(), spell(values[number].getType()));
  nb::list shape;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size))
      shape.append(nb::make_tuple("dim", number, axis));
    else
      shape.append(size);
  }
  return describe(number, nb::tuple(shape));
}

nb::tuple FunctionBuilder::call(std::shared_ptr<Function> callee,
                                const Numbers &operands, At location) {
  enter();
  FunctionType type = callee->op->getFunctionType();
  SmallVector<Value> arguments;
  for (int64_t operand : operands)
    arguments.push_back(getValue(operand));
  TypeRange given = ValueRange(arguments).getTypes();
  if (given != TypeRange(type.getInputs())) {
    std::string message;
    llvm::raw_string_ostream os(message);
    os << "'" << callee->op->getSymName() << "' takes (";
    llvm::interleaveComma(type.getInputs(), os);
    os << "), but is called with (";
    llvm::interleaveComma(given, os);
    os << ")";
    throw DialectError(message);
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
  auto call = func::CallOp::create(builder, at(location), type.getResults(),
                                   FlatSymbolRefAttr::get(claimSymbol(callee)),
                                   arguments);
  nb::list results;
  for (Value result : call.getResults())
    results.append(describeOwn(number(result)));
  return nb::tuple(results);
}

std::shared_ptr<Function> FunctionBuilder::finish(const Numbers &results) {
  MLIRContext *context = enter();
  SmallVector<Value> returned;
  for (int64_t result : results)
    returned.push_back(getValue(result));
  std::vector<NamedAttrList> resultLists(returned.size());
  for (auto &[result, attribute] : resultAttributes) {
    if (result >= static_cast<int64_t>(returned.size()))
      throw DialectError("there is no result " + Twine(result));
    resultLists[result].set(attribute.getName(), attribute.getValue());
  }

  // Nothing is kept of an attempt that fails: the builder can go on.
  DiagnosticCapture diagnostics;
  OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
  auto end = func::ReturnOp::create(builder, function->getLoc(), returned);
  function->setType(FunctionType::get(context, getBlock().getArgumentTypes(),
                                      ValueRange(returned).getTypes()));
  auto toDictionaries = [&](const std::vector<NamedAttrList> &lists) {
    return llvm::map_to_vector(lists, [&](const NamedAttrList &list) {
      return list.getDictionary(context);
    });
  };
  function->setAllArgAttrs(toDictionaries(argumentAttributes));
  function->setAllResultAttrs(toDictionaries(resultLists));
  // The operations have been verified one by one.
  if (failed(verify(function.get(), /*verifyRecursively=*/false)) ||
      failed(verify(end, /*verifyRecursively=*/false))) {
    end->erase();
    function->removeArgAttrsAttr();
    function->removeResAttrsAttr();
    function->setType(FunctionType::get(context, {}, {}));
    diagnostics.raise("the function is not valid");
  }
  finished = true;
  auto made = std::make_shared<Function>();
  made->op = std::move(function);
  made->callees = std::move(callees);
  return made;
}
