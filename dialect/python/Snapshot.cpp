//===- Snapshot.cpp - The immutable picture of a program ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snapshot.h"
#include "Attributes.h"
#include "Context.h"
#include "Errors.h"
#include "SnapshotClasses.h"
#include "Types.h"

#include "mlir/IR/SymbolTable.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/DenseMap.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;
using mlir::wax::RecognizedOpInterface;

namespace {

/// Reads one function.
class FunctionReader {
public:
  nb::object read(func::FuncOp function);

private:
  nb::tuple numbersOf(ValueRange values) const;
  nb::object readType(Type type);
  nb::object readLocation(Location location);
  nb::object readOperation(Operation &op);
  nb::object readRegion(Region &region);
  nb::tuple readOperations(Block &block);

  SnapshotClasses &classes = SnapshotClasses::get();
  llvm::DenseMap<Value, int64_t> numbers;
  llvm::DenseMap<Type, nb::object> knownTypes;
  llvm::DenseMap<Attribute, nb::object> knownLocations;
};

} // namespace

static void appendValues(Region &region, SmallVectorImpl<Value> &values) {
  for (Block &block : region) {
    llvm::append_range(values, block.getArguments());
    for (Operation &op : block) {
      llvm::append_range(values, op.getResults());
      if (!op.hasTrait<OpTrait::wax::Basis>())
        for (Region &inner : op.getRegions())
          appendValues(inner, values);
    }
  }
}

SmallVector<Value> mlir::wax::python::numberValues(func::FuncOp function) {
  SmallVector<Value> values;
  appendValues(function.getBody(), values);
  return values;
}

nb::tuple FunctionReader::numbersOf(ValueRange values) const {
  nb::list list;
  for (Value value : values)
    list.append(numbers.at(value));
  return nb::tuple(list);
}

nb::object FunctionReader::readType(Type type) {
  nb::object &known = knownTypes[type];
  if (known.is_valid())
    return known;
  nb::list shape;
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = tensor.getElementType();
    for (int64_t size : tensor.getShape()) {
      if (ShapedType::isDynamic(size))
        shape.append(nb::none());
      else
        shape.append(size);
    }
  }
  known = classes.tensorType(nb::tuple(shape), spell(element));
  return known;
}

nb::object FunctionReader::readLocation(Location location) {
  auto at = location->findInstanceOf<FileLineColLoc>();
  if (!at)
    return nb::none();
  nb::object &known = knownLocations[at];
  if (!known.is_valid())
    known = classes.location(spell(at.getFilename()), nb::int_(at.getLine()),
                             nb::int_(at.getColumn()));
  return known;
}

/// How many operands each group that ODS declares has. The traits that ODS
/// gives tell: without segments, at most one group is variadic, and by the
/// dialect's custom it is the last.
static nb::tuple readSegments(Operation &op) {
  nb::list segments;
  if (op.hasTrait<OpTrait::AttrSizedOperandSegments>()) {
    auto sizes = op.getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
    for (int32_t size : sizes.asArrayRef())
      segments.append(size);
    return nb::tuple(segments);
  }
  unsigned count = op.getNumOperands();
  unsigned single = count;
  bool isVariadic = true;
  if (op.hasTrait<OpTrait::VariadicOperands>())
    single = 0;
  else if (op.hasTrait<OpTrait::AtLeastNOperands<1>::Impl>())
    single = 1;
  else if (op.hasTrait<OpTrait::AtLeastNOperands<2>::Impl>())
    single = 2;
  else
    isVariadic = false;
  for (unsigned i = 0; i < single; ++i)
    segments.append(1);
  if (isVariadic)
    segments.append(count - single);
  return nb::tuple(segments);
}

static Block &getOnlyBlock(Region &region) {
  if (!region.hasOneBlock())
    throw DialectError(
        "'" + region.getParentOp()->getName().getStringRef() +
        "' has a region of several blocks, which a snapshot does not hold");
  return region.front();
}

nb::object FunctionReader::readRegion(Region &region) {
  Block &block = getOnlyBlock(region);
  nb::tuple operations = readOperations(block);
  return classes.region(numbersOf(block.getArguments()), operations,
                        numbersOf(block.getTerminator()->getOperands()));
}

nb::object FunctionReader::readOperation(Operation &op) {
  nb::tuple operands = numbersOf(op.getOperands());
  nb::tuple results = numbersOf(op.getResults());
  bool hasKernels = op.hasTrait<OpTrait::wax::Basis>();
  nb::list kernels, regions;
  for (Region &region : op.getRegions()) {
    if (region.empty())
      kernels.append(nb::none());
    else if (hasKernels)
      kernels.append(snapshotKernel(region));
    else
      regions.append(readRegion(region));
  }
  return classes.operation(
      spell(op.getName().getIdentifier()), operands, results,
      toMapping(op.getAttrDictionary().getValue(), {"operandSegmentSizes"}),
      readSegments(op), nb::tuple(kernels), nb::tuple(regions),
      readLocation(op.getLoc()));
}

nb::tuple FunctionReader::readOperations(Block &block) {
  nb::list operations;
  for (Operation &op : block.without_terminator())
    operations.append(readOperation(op));
  return nb::tuple(operations);
}

/// One mapping for each argument or result.
static nb::tuple readAttributes(ArrayAttr dictionaries, unsigned count) {
  nb::list mappings;
  for (unsigned i = 0; i < count; ++i)
    mappings.append(toMapping(
        dictionaries ? cast<DictionaryAttr>(dictionaries[i]).getValue()
                     : ArrayRef<NamedAttribute>()));
  return nb::tuple(mappings);
}

nb::object FunctionReader::read(func::FuncOp function) {
  if (function.isExternal())
    throw DialectError("'" + function.getSymName() +
                       "' has no body, so a snapshot cannot hold it");
  Block &block = getOnlyBlock(function.getBody());
  nb::list types;
  for (auto [i, value] : llvm::enumerate(numberValues(function))) {
    numbers[value] = i;
    types.append(readType(value.getType()));
  }
  nb::tuple arguments = numbersOf(block.getArguments());
  nb::tuple operations = readOperations(block);
  nb::tuple results = numbersOf(block.getTerminator()->getOperands());
  return classes.function(
      spell(function.getSymNameAttr()), arguments, operations, results,
      nb::tuple(types),
      readAttributes(function.getArgAttrsAttr(), function.getNumArguments()),
      toMapping(llvm::to_vector(function->getDiscardableAttrs())),
      readAttributes(function.getResAttrsAttr(), function.getNumResults()));
}

nb::object mlir::wax::python::snapshotFunction(func::FuncOp function) {
  return FunctionReader().read(function);
}

func::FuncOp mlir::wax::python::findEntry(ModuleOp module) {
  // The entry is `main`, or else the first that others may call.
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && (!entry || (function.getSymName() == "main" &&
                                           entry.getSymName() != "main")))
      entry = function;
  if (!entry)
    throw DialectError("the module has no public function");
  return entry;
}

nb::tuple mlir::wax::python::recognizedOperations() {
  nb::list names;
  for (RegisteredOperationName op : getContext()->getRegisteredOperations())
    if (op.hasInterface<RecognizedOpInterface>())
      names.append(spell(op.getIdentifier()));
  return nb::tuple(names);
}

nb::object mlir::wax::python::snapshotModule(ModuleOp module) {
  nb::dict functions;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      throw DialectError("'" + op.getName().getStringRef() +
                         "' stands beside the module's functions, which a "
                         "snapshot does not hold");
    functions[spell(function.getSymNameAttr())] = snapshotFunction(function);
  }
  return SnapshotClasses::get().module(
      makeMapping(functions), spell(findEntry(module).getSymNameAttr()));
}
