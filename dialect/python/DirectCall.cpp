//===- DirectCall.cpp - Kernels of a program, called at once --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectCall.h"

#include "Block.h"
#include "CallKey.h"
#include "Slots.h"

#include "llvm/ADT/StringSwitch.h"

#include <nanobind/stl/string.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace nb = nanobind;
using namespace mlir::wax::python;

DirectCall::DirectCall(nb::handle steps)
    : run(reinterpret_cast<Run>(nb::cast<uintptr_t>(steps.attr("run")))),
      program(reinterpret_cast<const void *>(
          nb::cast<uintptr_t>(steps.attr("program")))),
      memorySlot(checkedSlot(steps.attr("memory_slot"))),
      memoryOf(steps.attr("memory_of")), failure(steps.attr("fail")),
      storageType(nb::cast<nb::type_object>(steps.attr("storage_type"))),
      bufferType(nb::cast<nb::type_object>(steps.attr("buffer_type"))),
      storageMemorySlot(checkedSlot(steps.attr("storage_slot"))),
      specSlot(checkedSlot(steps.attr("buffer_slots")[0])),
      storageSlot(checkedSlot(steps.attr("buffer_slots")[1])),
      isShort(nb::cast<bool>(steps.attr("short"))),
      owners(steps.attr("owners")) {
  for (nb::handle dtype : steps.attr("dtypes")) {
    using Kind = Argument::Kind;
    auto name = nb::cast<std::string>(dtype.attr("name"));
    Kind kind = llvm::StringSwitch<Kind>(name)
                    .Case("bool", Kind::Bool)
                    .Case("int32", Kind::Int32)
                    .Case("int64", Kind::Int64)
                    .Case("float32", Kind::Float32)
                    .Case("float64", Kind::Float64)
                    .Default(Kind::Other);
    arguments.push_back({nb::borrow(dtype), kind});
  }
  for (nb::handle size : steps.attr("made"))
    made.push_back(nb::cast<size_t>(size));
  for (nb::handle result : steps.attr("results")) {
    nb::object spec = result[2];
    results.push_back({nb::cast<size_t>(result[0]), nb::cast<size_t>(result[1]),
                       nb::cast<size_t>(spec.attr("nbytes")), spec});
    if (results.back().block >= made.size() ||
        results.back().offset + results.back().size >
            made[results.back().block])
      throw nb::value_error("a result is in one of the blocks that are made");
  }
}

template <typename T> static nb::object blockOf(T number) {
  Slab slab(sizeof(T));
  std::memcpy(slab.data(), &number, sizeof(T));
  return slab.block(0, sizeof(T));
}

nb::object DirectCall::take(size_t number, nb::handle leaf) const {
  using Kind = Argument::Kind;
  const Argument &argument = arguments[number];
  PyTypeObject *type = Py_TYPE(leaf.ptr());
  if (type == &PyFloat_Type) {
    double value = PyFloat_AS_DOUBLE(leaf.ptr());
    if (argument.kind == Kind::Float64)
      return blockOf(value);
    // NumPy warns of what is too large.
    if (argument.kind == Kind::Float32 &&
        !(std::abs(value) > std::numeric_limits<float>::max() &&
          std::isfinite(value)))
      return blockOf(float(value));
    return {};
  }
  if (type == &PyBool_Type)
    return argument.kind == Kind::Bool ? blockOf(leaf.ptr() == Py_True)
                                       : nb::object();
  if (type == &PyLong_Type) {
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(leaf.ptr(), &overflow);
    if (argument.kind == Kind::Int64 && !overflow)
      return blockOf(int64_t(value));
    if (argument.kind == Kind::Int32 && value == int32_t(value) && !overflow)
      return blockOf(int32_t(value));
    return {};
  }
  static PyObject *const dtypeName = PyUnicode_InternFromString("dtype");
  nb::object dtype = attributeOf(leaf, dtypeName);
  return argument.dtype.is(dtype) ? blockOn(leaf) : nb::object();
}

nb::object DirectCall::memoryIn(nb::handle array) const {
  if (dataOf(array))
    return nb::borrow(array);
  nb::object memory = slotOf(memorySlot, array);
  if (memory.is_valid() && dataOf(memory))
    return memory;
  memory = blockOn(owned(PyObject_CallOneArg(memoryOf.ptr(), array.ptr())));
  if (!memory.is_valid())
    throw nb::type_error("`memory_of` has to give bytes in one piece");
  setSlot(memorySlot, array, memory);
  return memory;
}

nb::object DirectCall::wrap(const nb::object &memory, nb::handle spec) const {
  nb::object storage = instantiate(storageType, {{storageMemorySlot, memory}});
  return instantiate(
      bufferType,
      {{specSlot, spec}, {storageSlot, storage}, {memorySlot, memory}});
}

void DirectCall::fail() const {
  nb::object error = owned(PyObject_CallFunction(
      PyExc_RuntimeError, "s", "a kernel of the program failed"));
  owned(PyObject_CallOneArg(failure.ptr(), error.ptr()));
  throw nb::type_error("`fail` has to raise");
}

bool DirectCall::call(llvm::ArrayRef<nb::object> arrays,
                      Results &results) const {
  llvm::SmallVector<nb::object, 8> held;
  llvm::SmallVector<char *, 16> regions;
  for (const nb::object &array : arrays) {
    held.push_back(memoryIn(array));
    regions.push_back(dataOf(held.back()));
  }
  llvm::SmallVector<Slab, 2> slabs;
  for (size_t size : made) {
    slabs.emplace_back(size);
    regions.push_back(slabs.back().data());
  }
  int status;
  {
    std::optional<nb::gil_scoped_release> released;
    if (!isShort)
      released.emplace();
    status = run(program, regions.data());
  }
  if (status)
    fail();
  for (const Result &result : this->results)
    results.push_back(wrap(
        slabs[result.block].block(result.offset, result.size), result.spec));
  return true;
}

int DirectCall::traverse(visitproc visit, void *arg) const {
  for (nb::handle held :
       {nb::handle(memorySlot), nb::handle(memoryOf), nb::handle(failure),
        nb::handle(storageType), nb::handle(bufferType),
        nb::handle(storageMemorySlot), nb::handle(specSlot),
        nb::handle(storageSlot), nb::handle(owners)})
    Py_VISIT(held.ptr());
  for (const Argument &argument : arguments)
    Py_VISIT(argument.dtype.ptr());
  for (const Result &result : results)
    Py_VISIT(result.spec.ptr());
  return 0;
}
