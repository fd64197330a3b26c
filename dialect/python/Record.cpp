//===- Record.cpp - Frozen dataclasses, made quickly ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record.h"

#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

namespace nb = nanobind;
using namespace mlir::wax::python;

RecordClass::RecordClass(nb::handle module, const char *name,
                         llvm::ArrayRef<const char *> fields) {
  nb::object cls = module.attr(name);
  nb::tuple declared = nb::cast<nb::tuple>(cls.attr("__match_args__"));
  bool agrees = declared.size() == fields.size();
  for (size_t i = 0; agrees && i < fields.size(); ++i)
    agrees = nb::cast<std::string>(declared[i]) == fields[i];
  if (!agrees || nb::hasattr(cls, "__post_init__"))
    throw std::runtime_error(
        std::string("wax._native was built for another wax_runtime.snapshot.") +
        name);
  for (const char *field : fields)
    slots.push_back(cls.attr("__dict__")[field].inc_ref().ptr());
  type = reinterpret_cast<PyTypeObject *>(cls.release().ptr());
}

nb::object RecordClass::allocate(unsigned fieldCount) {
  assert(fieldCount == slots.size() && "a value for each field");
  nb::object record = nb::steal(type->tp_alloc(type, 0));
  if (!record.is_valid())
    nb::raise_python_error();
  return record;
}

void RecordClass::set(nb::handle record, unsigned position, nb::handle value) {
  PyObject *slot = slots[position];
  if (Py_TYPE(slot)->tp_descr_set(slot, record.ptr(), value.ptr()) < 0)
    nb::raise_python_error();
}
