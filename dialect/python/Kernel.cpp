//===- Kernel.cpp - Kernels: regions over scalars -------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Errors.h"
#include "ScalarAttributes.h"
#include "Snapshot.h"
#include "Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "wax/Dialect/Wax.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

Kernel::~Kernel() {
  if (isForkedChild())
    (void)region.release();
}

void Kernel::cloneInto(Region &target, Location location) const {
  IRMapping mapping;
  region->cloneInto(&target, mapping);
  for (Operation &op : target.front())
    if (isa<UnknownLoc>(op.getLoc()))
      op.setLoc(location);
  for (BlockArgument argument : target.getArguments())
    argument.setLoc(location);
}

std::string Kernel::text() const {
  MLIRContext *context = getContext();
  // Only an operation can be printed, and only a function can stand alone.
  OpBuilder builder(context);
  Location unknown = builder.getUnknownLoc();
  HeldOp<func::FuncOp> holder(func::FuncOp::create(
      unknown, "kernel",
      builder.getFunctionType(getArgumentTypes(), getResultTypes())));
  cloneInto(holder->getBody(), unknown);
  Operation *yield = holder->getBody().front().getTerminator();
  builder.setInsertionPoint(yield);
  func::ReturnOp::create(builder, unknown, yield->getOperands());
  yield->erase();
  std::string text;
  llvm::raw_string_ostream os(text);
  holder->print(os);
  return text;
}

KernelBuilder::KernelBuilder(const std::vector<std::string> &argumentTypes)
    : region(std::make_unique<Region>()) {
  Location unknown = UnknownLoc::get(getContext());
  Block &block = region->emplaceBlock();
  for (const std::string &name : argumentTypes)
    scalars.push_back(block.addArgument(parseElementType(name), unknown));
}

KernelBuilder::~KernelBuilder() {
  if (isForkedChild())
    (void)region.release();
}

MLIRContext *KernelBuilder::enter() const {
  if (!region)
    throw DialectError("the kernel is finished");
  return getContext();
}

Value KernelBuilder::getScalar(int64_t number) const {
  if (number < 0 || number >= static_cast<int64_t>(scalars.size()))
    throw DialectError("there is no scalar " + Twine(number) +
                       " in the kernel, which has " + Twine(scalars.size()));
  return scalars[number];
}

SmallVector<Value> KernelBuilder::getScalars(ArrayRef<int64_t> numbers) const {
  return llvm::map_to_vector(numbers,
                             [&](int64_t number) { return getScalar(number); });
}

int64_t KernelBuilder::insert(OperationState &state) {
  DiagnosticCapture diagnostics;
  if (failed(state.name.verifyInherentAttrs(state.attributes, [&] {
        return mlir::emitError(state.location) << "'" << state.name << "' op ";
      })))
    diagnostics.raise("the attributes are not valid");
  Operation *op = Operation::create(state);
  region->front().push_back(op);
  if (failed(verify(op, /*verifyRecursively=*/false))) {
    op->erase();
    diagnostics.raise("the operation is not valid");
  }
  scalars.push_back(op->getResult(0));
  return scalars.size() - 1;
}

int64_t KernelBuilder::constant(nb::handle value, const std::string &type) {
  MLIRContext *context = enter();
  Type element = parseElementType(type);
  StringRef name = isa<ComplexType>(element)
                       ? complex::ConstantOp::getOperationName()
                       : arith::ConstantOp::getOperationName();
  OperationState state(UnknownLoc::get(context), OperationName(name, context));
  state.addAttribute("value", parseScalarConstant(value, element));
  state.addTypes(element);
  return insert(state);
}

int64_t KernelBuilder::op(const std::string &name,
                          const std::vector<int64_t> &operands,
                          const std::string &resultType,
                          std::optional<nb::dict> attributes,
                          const SourceLocation *location) {
  MLIRContext *context = enter();
  std::optional<RegisteredOperationName> known =
      RegisteredOperationName::lookup(name, context);
  if (!known || !isScalarOperation(*known))
    throw DialectError("'" + name +
                       "' is not an operation of arith, math or complex, nor a "
                       "special function");
  if (known->hasTrait<OpTrait::ConstantLike>())
    throw DialectError("'" + name + "' is built with constant()");
  OperationState state(toLocation(location, context), *known);
  state.addOperands(getScalars(operands));
  state.addTypes(parseElementType(resultType));
  if (attributes)
    for (auto [key, value] : *attributes) {
      std::string keyword = nb::cast<std::string>(key);
      state.addAttribute(keyword, parseScalarAttribute(*known, keyword, value));
    }
  return insert(state);
}

std::shared_ptr<Kernel>
KernelBuilder::finish(const std::vector<int64_t> &results) {
  MLIRContext *context = enter();
  SmallVector<Value> values = getScalars(results);
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&region->front());
  wax::YieldOp::create(builder, builder.getUnknownLoc(), values);
  return std::make_shared<Kernel>(std::move(region), ValueRange(values));
}

static nb::tuple spellTypes(TypeRange types) {
  nb::list names;
  for (Type type : types)
    names.append(spell(type));
  return nb::tuple(names);
}

void mlir::wax::python::bindKernel(nb::module_ &m) {
  nb::class_<Kernel>(m, "Kernel",
                     "A finished kernel region, to be used by any number of "
                     "builder calls.")
      .def_prop_ro("argument_types",
                   [](const Kernel &kernel) {
                     return spellTypes(kernel.getArgumentTypes());
                   })
      .def_prop_ro("result_types",
                   [](const Kernel &kernel) {
                     return spellTypes(kernel.getResultTypes());
                   })
      .def("snapshot",
           [](const Kernel &kernel) {
             getContext();
             return snapshotKernel(kernel.getRegion());
           })
      .def("__str__", &Kernel::text);

  nb::class_<KernelBuilder>(m, "KernelBuilder",
                            "Builds a kernel, one call a scalar operation. "
                            "Scalars are numbers, arguments first.")
      .def(nb::init<const std::vector<std::string> &>(),
           nb::arg("argument_types"))
      .def("constant", &KernelBuilder::constant, nb::arg("value"),
           nb::arg("type"))
      .def("op", &KernelBuilder::op, nb::arg("name"), nb::arg("operands"),
           nb::arg("result_type"), nb::arg("attributes") = nb::none(),
           nb::arg("location") = nb::none())
      .def("finish", &KernelBuilder::finish, nb::arg("results"));
}
