//===- SnapshotKernel.cpp - Kernels as trees of scalar expressions --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "Errors.h"
#include "ScalarAttributes.h"
#include "Snapshot.h"
#include "SnapshotClasses.h"
#include "Types.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

namespace {

/// Turns a kernel's values into expressions, each into one.
class KernelReader {
public:
  nb::object read(Block &block);

private:
  void read(Operation &op);
  nb::object readAttributes(Operation &op, unsigned result);

  SnapshotClasses &classes = SnapshotClasses::get();
  llvm::DenseMap<Value, nb::object> expressions;
};

} // namespace

static nb::object makeEmptyMapping() {
  static PyObject *empty = makeMapping(nb::dict()).release().ptr();
  return nb::borrow(empty);
}

nb::object KernelReader::readAttributes(Operation &op, unsigned result) {
  nb::dict entries;
  for (NamedAttribute attribute : op.getAttrDictionary()) {
    if (isDefaultScalarAttribute(attribute.getValue()))
      continue;
    nb::object value = spellEnumeration(op.getName(), attribute.getName(),
                                        attribute.getValue());
    entries[spell(attribute.getName())] =
        value.is_valid() ? value : toPython(attribute.getValue());
  }
  if (op.getNumResults() > 1)
    entries["result"] = result;
  return entries.size() ? makeMapping(entries) : makeEmptyMapping();
}

void KernelReader::read(Operation &op) {
  Attribute constant;
  if (matchPattern(&op, m_Constant(&constant))) {
    Value result = op.getResult(0);
    expressions[result] =
        classes.literal(scalarToPython(constant), spell(result.getType()));
    return;
  }
  nb::list operands;
  for (Value operand : op.getOperands())
    operands.append(expressions.at(operand));
  nb::tuple inputs(operands);
  nb::str name = spell(op.getName().getIdentifier());
  for (OpResult result : op.getResults())
    expressions[result] =
        classes.apply(name, inputs, spell(result.getType()),
                      readAttributes(op, result.getResultNumber()));
}

nb::object KernelReader::read(Block &block) {
  nb::list arguments, results;
  for (BlockArgument argument : block.getArguments()) {
    nb::str element = spell(argument.getType());
    arguments.append(element);
    expressions[argument] =
        classes.argument(nb::int_(argument.getArgNumber()), element);
  }
  for (Operation &op : block.without_terminator())
    read(op);
  for (Value result : block.getTerminator()->getOperands())
    results.append(expressions.at(result));
  return classes.kernel(nb::tuple(arguments), nb::tuple(results));
}

nb::object mlir::wax::python::snapshotKernel(Region &region) {
  return KernelReader().read(region.front());
}
