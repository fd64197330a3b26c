//===- CallKey.cpp - What of a call's arguments finds its program ---------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any allocation may start Python's garbage collector, and with it finalizers
// that change the very containers that are read. So every element is held as
// soon as it is seen, and a container whose size has changed is not read on.
//
//===----------------------------------------------------------------------===//

#include "CallKey.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <limits>

namespace nb = nanobind;
using namespace mlir::wax::python;

/// Deeper trees are Python's to read; it knows what to do about a list that
/// contains itself.
static constexpr unsigned kMaxDepth = 64;

//===----------------------------------------------------------------------===//
// CallKey
//===----------------------------------------------------------------------===//

void CallKey::add(Kind kind, uint64_t word, nb::object object, uint64_t hash) {
  // A multiplication spreads to the left only; rotation brings that back.
  uint64_t mixed = digest ^ (word + hash + (uint64_t(kind) << 56));
  digest = llvm::rotl(mixed * 0x9E3779B97F4A7C15ull, 29);
  tokens.push_back({kind, word, std::move(object)});
}

static bool comparesByValue(CallKey::Kind kind) {
  switch (kind) {
  case CallKey::Kind::Name:
  case CallKey::Kind::NumPyDtype:
  case CallKey::Kind::NumPyShape:
  case CallKey::Kind::StaticValue:
    return true;
  default:
    return false;
  }
}

bool CallKey::operator==(const CallKey &other) const {
  if (digest != other.digest || tokens.size() != other.tokens.size())
    return false;
  for (auto [mine, theirs] : llvm::zip_equal(tokens, other.tokens)) {
    if (mine.kind != theirs.kind || mine.word != theirs.word)
      return false;
    if (mine.object.is(theirs.object))
      continue;
    if (!comparesByValue(mine.kind))
      return false;
    int equal =
        PyObject_RichCompareBool(mine.object.ptr(), theirs.object.ptr(), Py_EQ);
    if (equal < 0)
      nb::raise_python_error();
    if (!equal)
      return false;
  }
  return true;
}

int CallKey::traverse(visitproc visit, void *arg) const {
  for (const Token &token : tokens)
    Py_VISIT(token.object.ptr());
  return 0;
}

//===----------------------------------------------------------------------===//
// CallConvention
//===----------------------------------------------------------------------===//

bool CallConvention::isStatic(Py_ssize_t position) const {
  if (PySet_GET_SIZE(staticNumbers.ptr()) == 0)
    return false;
  return PySet_Contains(staticNumbers.ptr(), nb::int_(position).ptr()) == 1;
}

bool CallConvention::isStatic(nb::handle name) const {
  return PySet_GET_SIZE(staticNames.ptr()) != 0 &&
         PySet_Contains(staticNames.ptr(), name.ptr()) == 1;
}

int CallConvention::traverse(visitproc visit, void *arg) const {
  Py_VISIT(arrayType.ptr());
  Py_VISIT(numpyType.ptr());
  Py_VISIT(specSlot.ptr());
  Py_VISIT(staticNumbers.ptr());
  Py_VISIT(staticNames.ptr());
  return 0;
}

//===----------------------------------------------------------------------===//
// CallReader
//===----------------------------------------------------------------------===//

using Kind = CallKey::Kind;

/// The hash of an object; false, and no error, if it has none.
static bool hashOf(nb::handle object, uint64_t &hash) {
  Py_hash_t found = PyObject_Hash(object.ptr());
  if (found == -1) {
    PyErr_Clear();
    return false;
  }
  hash = static_cast<uint64_t>(found);
  return true;
}

nb::object mlir::wax::python::attributeOf(nb::handle instance,
                                          nb::handle name) {
  nb::object value = nb::steal(PyObject_GetAttr(instance.ptr(), name.ptr()));
  if (!value.is_valid())
    PyErr_Clear();
  return value;
}

bool CallReader::read(nb::handle args, nb::handle kwargs) {
  Py_ssize_t count = PyTuple_GET_SIZE(args.ptr());
  key.add(Kind::Tuple, count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    nb::handle arg = PyTuple_GET_ITEM(args.ptr(), i);
    if (convention.isStatic(i)) {
      key.add(Kind::StaticPosition, i);
      if (!readStatic(arg, 0))
        return false;
    } else if (!readTree(arg, 0)) {
      return false;
    }
  }
  if (PyDict_GET_SIZE(kwargs.ptr()) == 0)
    return true;
  return readDict(kwargs, 0, /*areKeywords=*/true);
}

bool CallReader::readTree(nb::handle tree, unsigned depth) {
  PyObject *object = tree.ptr();
  PyTypeObject *type = Py_TYPE(object);
  if (type == reinterpret_cast<PyTypeObject *>(convention.arrayType.ptr())) {
    leaves.push_back(nb::borrow(tree));
    PyObject *slot = convention.specSlot.ptr();
    nb::object spec = nb::steal(Py_TYPE(slot)->tp_descr_get(
        slot, object, reinterpret_cast<PyObject *>(type)));
    if (!spec.is_valid()) {
      PyErr_Clear();
      return false;
    }
    // Specs are interned: one object for all arrays that are alike.
    uint64_t identity = reinterpret_cast<uintptr_t>(spec.ptr());
    key.add(Kind::Array, identity, std::move(spec));
    return true;
  }
  if (type == reinterpret_cast<PyTypeObject *>(convention.numpyType.ptr()))
    return readNumPy(tree);
  if (type == &PyFloat_Type || type == &PyBool_Type ||
      type == &PyComplex_Type) {
    leaves.push_back(nb::borrow(tree));
    key.add(type == &PyFloat_Type  ? Kind::Float
            : type == &PyBool_Type ? Kind::Bool
                                   : Kind::Complex,
            0);
    return true;
  }
  if (type == &PyLong_Type)
    return readInteger(tree);
  if (object == Py_None) {
    key.add(Kind::None, 0);
    return true;
  }
  if (depth == kMaxDepth)
    return false;
  if (type == &PyTuple_Type) {
    Py_ssize_t count = PyTuple_GET_SIZE(object);
    key.add(Kind::Tuple, count);
    for (Py_ssize_t i = 0; i < count; ++i)
      if (!readTree(PyTuple_GET_ITEM(object, i), depth + 1))
        return false;
    return true;
  }
  if (type == &PyList_Type) {
    Py_ssize_t count = PyList_GET_SIZE(object);
    key.add(Kind::List, count);
    for (Py_ssize_t i = 0; i < count && i < PyList_GET_SIZE(object); ++i) {
      nb::object child = nb::borrow(PyList_GET_ITEM(object, i));
      if (!readTree(child, depth + 1))
        return false;
    }
    return PyList_GET_SIZE(object) == count;
  }
  if (type == &PyDict_Type)
    return readDict(tree, depth, /*areKeywords=*/false);
  auto known = classes.find(type);
  if (known == classes.end())
    return false;
  // Attributes may be properties, whose code may change what is known.
  ContainerClass copy = known->second;
  return readInstance(tree, copy, depth);
}

bool CallReader::readInstance(nb::handle instance, const ContainerClass &known,
                              unsigned depth) {
  key.add(Kind::Instance, reinterpret_cast<uintptr_t>(known.type.ptr()),
          known.type);
  if (known.children.is_none()) {
    Py_ssize_t count = PyTuple_GET_SIZE(instance.ptr());
    key.add(Kind::Tuple, count);
    for (Py_ssize_t i = 0; i < count; ++i)
      if (!readTree(PyTuple_GET_ITEM(instance.ptr(), i), depth + 1))
        return false;
    return true;
  }
  for (nb::handle name : nb::borrow<nb::tuple>(known.children)) {
    nb::object child = attributeOf(instance, name);
    if (!child.is_valid() || !readTree(child, depth + 1))
      return false;
  }
  for (nb::handle name : known.fixed) {
    nb::object value = attributeOf(instance, name);
    if (!value.is_valid() || !readStatic(value, 0))
      return false;
  }
  return true;
}

bool CallReader::readDict(nb::handle dict, unsigned depth, bool areKeywords) {
  Py_ssize_t count = PyDict_GET_SIZE(dict.ptr()), seen = 0, position = 0;
  key.add(Kind::Dict, count);
  PyObject *nextName, *nextChild;
  while (PyDict_Next(dict.ptr(), &position, &nextName, &nextChild)) {
    nb::object name = nb::borrow(nextName), child = nb::borrow(nextChild);
    uint64_t hash;
    if (++seen > count || !PyUnicode_CheckExact(name.ptr()) ||
        !hashOf(name, hash))
      return false;
    bool isStatic = areKeywords && convention.isStatic(name);
    key.add(Kind::Name, isStatic, std::move(name), hash);
    if (isStatic ? !readStatic(child, 0) : !readTree(child, depth + 1))
      return false;
  }
  return seen == count && PyDict_GET_SIZE(dict.ptr()) == count;
}

bool CallReader::readNumPy(nb::handle array) {
  static PyObject *const dtypeName = PyUnicode_InternFromString("dtype");
  static PyObject *const shapeName = PyUnicode_InternFromString("shape");
  nb::object dtype = attributeOf(array, dtypeName);
  nb::object shape = attributeOf(array, shapeName);
  uint64_t dtypeHash, shapeHash;
  if (!dtype.is_valid() || !shape.is_valid() || !hashOf(dtype, dtypeHash) ||
      !hashOf(shape, shapeHash))
    return false;
  leaves.push_back(nb::borrow(array));
  key.add(Kind::NumPyDtype, 0, std::move(dtype), dtypeHash);
  key.add(Kind::NumPyShape, 0, std::move(shape), shapeHash);
  return true;
}

bool CallReader::readInteger(nb::handle number) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow)
    return false;
  leaves.push_back(nb::borrow(number));
  bool fits = std::numeric_limits<int32_t>::min() <= value &&
              value <= std::numeric_limits<int32_t>::max();
  key.add(fits ? Kind::Int32 : Kind::Int64, 0);
  return true;
}

/// As `static_key` in Python does: what is equal may be another program still.
bool CallReader::readStatic(nb::handle value, unsigned depth) {
  PyTypeObject *type = Py_TYPE(value.ptr());
  key.add(Kind::StaticType, reinterpret_cast<uintptr_t>(type),
          nb::borrow(reinterpret_cast<PyObject *>(type)));
  if (type == &PyFloat_Type) {
    key.add(Kind::StaticBits,
            llvm::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(value.ptr())));
    return true;
  }
  if (type == &PyComplex_Type) {
    Py_complex parts = PyComplex_AsCComplex(value.ptr());
    key.add(Kind::StaticBits, llvm::bit_cast<uint64_t>(parts.real));
    key.add(Kind::StaticBits, llvm::bit_cast<uint64_t>(parts.imag));
    return true;
  }
  if (type == &PyTuple_Type) {
    if (depth == kMaxDepth)
      return false;
    Py_ssize_t count = PyTuple_GET_SIZE(value.ptr());
    key.add(Kind::Tuple, count);
    for (Py_ssize_t i = 0; i < count; ++i)
      if (!readStatic(PyTuple_GET_ITEM(value.ptr(), i), depth + 1))
        return false;
    return true;
  }
  uint64_t hash;
  if (!hashOf(value, hash))
    return false;
  key.add(Kind::StaticValue, 0, nb::borrow(value), hash);
  return true;
}
