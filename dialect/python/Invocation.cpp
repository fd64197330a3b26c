//===- Invocation.cpp - Compiled programs, called natively ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Invocation.h"

#include "Owned.h"
#include "Slots.h"

#include "llvm/ADT/STLExtras.h"

namespace nb = nanobind;
using namespace mlir::wax::python;

static constexpr size_t maxSpareLists = 4;

Invocation::Invocation(nb::handle steps)
    : pack(steps.attr("pack")), packContext(steps.attr("pack_context")),
      noKeywords(nb::dict()), invoke(steps.attr("invoke")),
      function(steps.attr("function")), failure(steps.attr("fail")),
      listType(steps.attr("list_type")), cast(steps.attr("cast")),
      getAsRef(listType.attr("get_as_ref")),
      specs(nb::cast<nb::tuple>(steps.attr("specs"))),
      storageType(nb::cast<nb::type_object>(steps.attr("storage_type"))),
      bufferType(nb::cast<nb::type_object>(steps.attr("buffer_type"))),
      viewSlot(checkedSlot(steps.attr("storage_slots")[0])),
      exclusiveSlot(checkedSlot(steps.attr("storage_slots")[1])),
      specSlot(checkedSlot(steps.attr("buffer_slots")[0])),
      storageSlot(checkedSlot(steps.attr("buffer_slots")[1])),
      handleSlot(checkedSlot(steps.attr("buffer_slots")[2])),
      keepsOutputs(nb::cast<bool>(steps.attr("spare"))) {
  size = nb::int_(specs.size());
}

nb::object Invocation::takeOutputs() const {
  if (!spare.empty())
    return spare.pop_back_val();
  return owned(PyObject_CallOneArg(listType.ptr(), size.ptr()));
}

nb::object Invocation::wrap(const nb::object &view, nb::handle spec) const {
  nb::object storage =
      instantiate(storageType, {{viewSlot, view}, {exclusiveSlot, Py_True}});
  return instantiate(
      bufferType,
      {{specSlot, spec}, {storageSlot, storage}, {handleSlot, view}});
}

void Invocation::fail() const {
  if (!PyErr_ExceptionMatches(PyExc_RuntimeError) &&
      !PyErr_ExceptionMatches(PyExc_ValueError))
    nb::raise_python_error();
  nb::python_error error;
  owned(PyObject_CallOneArg(failure.ptr(), error.value().ptr()));
  throw nb::type_error("`fail` has to raise");
}

bool Invocation::call(llvm::ArrayRef<nb::object> arrays,
                      Results &results) const {
  nb::object handles = owned(PyTuple_New(arrays.size()));
  for (auto [i, array] : llvm::enumerate(arrays)) {
    nb::object handle = slotOf(handleSlot, array);
    if (!handle.is_valid())
      return false;
    PyTuple_SET_ITEM(handles.ptr(), i, handle.release().ptr());
  }
  PyObject *toPack[] = {packContext.ptr(), handles.ptr(), noKeywords.ptr()};
  nb::object inputs =
      nb::steal(PyObject_Vectorcall(pack.ptr(), toPack, 3, nullptr));
  if (!inputs.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError) &&
        !PyErr_ExceptionMatches(PyExc_AttributeError))
      nb::raise_python_error();
    PyErr_Clear();
    return false;
  }

  nb::object outputs = takeOutputs();
  PyObject *toInvoke[] = {function.ptr(), inputs.ptr(), outputs.ptr()};
  PyObject *done = PyObject_Vectorcall(invoke.ptr(), toInvoke, 3, nullptr);
  if (!done)
    fail();
  Py_DECREF(done);

  for (Py_ssize_t i = 0, count = nb::len(specs); i < count; ++i) {
    nb::object index = nb::int_(i);
    PyObject *toGet[] = {outputs.ptr(), index.ptr()};
    nb::object ref =
        owned(PyObject_Vectorcall(getAsRef.ptr(), toGet, 2, nullptr));
    results.push_back(
        wrap(owned(PyObject_CallOneArg(cast.ptr(), ref.ptr())), specs[i]));
  }
  if (keepsOutputs && spare.size() < maxSpareLists)
    spare.push_back(std::move(outputs));
  return true;
}

int Invocation::traverse(visitproc visit, void *arg) const {
  for (nb::handle held :
       {nb::handle(pack), nb::handle(packContext), nb::handle(invoke),
        nb::handle(function), nb::handle(failure), nb::handle(listType),
        nb::handle(cast), nb::handle(getAsRef), nb::handle(specs),
        nb::handle(storageType), nb::handle(bufferType), nb::handle(viewSlot),
        nb::handle(exclusiveSlot), nb::handle(specSlot),
        nb::handle(storageSlot), nb::handle(handleSlot)})
    Py_VISIT(held.ptr());
  return 0;
}
