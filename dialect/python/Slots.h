//===- Slots.h - Instances made without their __init__ ----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_SLOTS_H
#define WAX_PYTHON_SLOTS_H

#include "Owned.h"

#include <initializer_list>
#include <utility>

namespace mlir::wax::python {

/// What a slot of a class with `__slots__` holds; invalid, and no error, if it
/// is unset or the object is of another class.
inline nanobind::object slotOf(nanobind::handle slot, nanobind::handle object) {
  PyObject *found =
      Py_TYPE(slot.ptr())
          ->tp_descr_get(slot.ptr(), object.ptr(),
                         reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())));
  if (!found)
    PyErr_Clear();
  return nanobind::steal(found);
}

inline void setSlot(nanobind::handle slot, nanobind::handle object,
                    nanobind::handle value) {
  if (Py_TYPE(slot.ptr())->tp_descr_set(slot.ptr(), object.ptr(), value.ptr()))
    nanobind::raise_python_error();
}

/// A new instance with these values in its slots, and nothing else.
inline nanobind::object
instantiate(const nanobind::type_object &type,
            std::initializer_list<std::pair<nanobind::handle, nanobind::handle>>
                values) {
  auto *made = reinterpret_cast<PyTypeObject *>(type.ptr());
  nanobind::object instance = owned(made->tp_alloc(made, 0));
  for (auto [slot, value] : values)
    setSlot(slot, instance, value);
  return instance;
}

inline nanobind::object checkedSlot(nanobind::handle slot) {
  if (!Py_TYPE(slot.ptr())->tp_descr_get || !Py_TYPE(slot.ptr())->tp_descr_set)
    throw nanobind::type_error("a slot is what __slots__ makes");
  return nanobind::borrow(slot);
}

} // namespace mlir::wax::python

#endif // WAX_PYTHON_SLOTS_H
