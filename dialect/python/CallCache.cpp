//===- CallCache.cpp - Calls that were made before ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallCache.h"

#include "Owned.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <nanobind/stl/pair.h>

namespace nb = nanobind;
using namespace mlir::wax::python;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

CallCache::EntryRef CallCache::find(const CallKey &key) const {
  // Comparing may run Python code, which may change the table.
  llvm::SmallVector<EntryRef, 1> candidates;
  auto [begin, end] = entries.equal_range(key.hash());
  for (auto it = begin; it != end; ++it)
    candidates.push_back(it->second);
  for (const EntryRef &candidate : candidates)
    if (candidate->key == key)
      return candidate;
  return nullptr;
}

nb::object CallCache::call(nb::handle args, nb::handle kwargs) {
  if (madeIn != epoch)
    clear();
  CallReader reader(convention, classes);
  if (!reader.read(args, kwargs))
    return nb::borrow(Py_NotImplemented);
  EntryRef entry = find(reader.key);
  if (!entry)
    return nb::borrow(Py_NotImplemented);

  NativeRunRef native = nativeOf(*entry);
  llvm::SmallVector<nb::object, 8> arrays(reader.leaves.size());
  for (auto [leaf, number] : llvm::zip_equal(reader.leaves, entry->numbers)) {
    if (Py_TYPE(leaf.ptr()) !=
        reinterpret_cast<PyTypeObject *>(convention.arrayType.ptr())) {
      nb::object taken;
      if (native)
        taken = native->take(number, leaf);
      if (!taken.is_valid())
        taken = owned(PyObject_CallOneArg(
            PyTuple_GET_ITEM(entry->takes.ptr(), number), leaf.ptr()));
      leaf = std::move(taken);
    }
    arrays[number] = std::move(leaf);
  }
  return run(*entry, native.get(), arrays);
}

NativeRunRef CallCache::nativeOf(Entry &entry) {
  NativeRunRef native = entry.runNatively;
  if (native && native->takeTurn())
    return native;
  entry.runNatively = nullptr;
  return nullptr;
}

nb::object CallCache::run(Entry &entry, const NativeRun *native,
                          llvm::ArrayRef<nb::object> arrays) {
  nb::object results;
  NativeRun::Results made;
  if (native && native->call(arrays, made)) {
    if (entry.rebuildNatively)
      return entry.rebuildNatively->build(made);
    results = owned(PyList_New(made.size()));
    for (auto [i, result] : llvm::enumerate(made))
      PyList_SET_ITEM(results.ptr(), i, result.release().ptr());
  } else {
    nb::object passed = owned(PyTuple_New(arrays.size()));
    for (auto [i, array] : llvm::enumerate(arrays))
      PyTuple_SET_ITEM(passed.ptr(), i, nb::object(array).release().ptr());
    results = owned(PyObject_CallOneArg(entry.run.ptr(), passed.ptr()));
    // Another thread may have found it meanwhile, and be in the middle of it.
    if (!entry.runNatively)
      entry.runNatively = NativeRun::of(entry.run);
    if (entry.rebuildNatively)
      return entry.rebuildNatively->build(results);
  }
  return owned(PyObject_CallOneArg(entry.rebuild.ptr(), results.ptr()));
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Walks a tree, in the order in which a CallReader reads it, together with
/// the same tree of numbers, which nobody else has. False where they differ.
static bool collectNumbers(nb::handle tree, nb::handle numbers,
                           const ContainerClasses &classes,
                           llvm::SmallVectorImpl<Py_ssize_t> &found) {
  PyObject *mine = tree.ptr(), *theirs = numbers.ptr();
  if (PyLong_CheckExact(theirs)) {
    found.push_back(PyLong_AsSsize_t(theirs));
    return true;
  }
  if (Py_TYPE(mine) != Py_TYPE(theirs))
    return false;
  auto known = classes.find(Py_TYPE(theirs));
  bool isKnown = known != classes.end();
  if (isKnown && !known->second.children.is_none()) {
    for (nb::handle name : nb::borrow<nb::tuple>(known->second.children)) {
      nb::object child = attributeOf(tree, name);
      nb::object number = attributeOf(numbers, name);
      if (!child.is_valid() || !number.is_valid() ||
          !collectNumbers(child, number, classes, found))
        return false;
    }
    return true;
  }
  if (isKnown || PyTuple_CheckExact(theirs) || PyList_CheckExact(theirs)) {
    Py_ssize_t count = PySequence_Fast_GET_SIZE(theirs), i = 0;
    for (; i < count && i < PySequence_Fast_GET_SIZE(mine); ++i) {
      nb::object child = nb::borrow(PySequence_Fast_GET_ITEM(mine, i));
      if (!collectNumbers(child, PySequence_Fast_GET_ITEM(theirs, i), classes,
                          found))
        return false;
    }
    return i == count && PySequence_Fast_GET_SIZE(mine) == count;
  }
  if (!PyDict_CheckExact(theirs))
    return mine == Py_None;
  if (PyDict_GET_SIZE(mine) != PyDict_GET_SIZE(theirs))
    return false;
  PyObject *nextName, *nextChild;
  for (Py_ssize_t position = 0;
       PyDict_Next(mine, &position, &nextName, &nextChild);) {
    nb::object name = nb::borrow(nextName), child = nb::borrow(nextChild);
    PyObject *number = PyDict_GetItem(theirs, name.ptr());
    if (!number || !collectNumbers(child, number, classes, found))
      return false;
  }
  return true;
}

/// Whether each leaf, in the order in which it was read, is the one that has
/// its number, and no two have the same.
static bool areNumbered(llvm::ArrayRef<nb::object> read, nb::tuple leaves,
                        llvm::ArrayRef<Py_ssize_t> numbers) {
  if (read.size() != leaves.size() || read.size() != numbers.size())
    return false;
  llvm::BitVector seen(read.size());
  for (auto [leaf, number] : llvm::zip_equal(read, numbers)) {
    if (number < 0 || size_t(number) >= read.size() || seen[number] ||
        !leaf.is(leaves[number]))
      return false;
    seen.set(number);
  }
  return true;
}

bool CallCache::add(nb::tuple args, nb::dict kwargs, nb::tuple traced,
                    nb::tuple leaves, nb::tuple numbers, nb::tuple takes,
                    nb::object run, nb::object rebuild, nb::dict containers) {
  if (takes.size() != leaves.size())
    throw nb::value_error("each leaf has something that takes it");
  if (madeIn != epoch)
    clear();
  learn(containers);
  CallReader reader(convention, classes);
  auto entry = llvm::makeIntrusiveRefCnt<Entry>();
  // Another thread may have changed a container since Python read it. With the
  // same leaves in the same places it is still the call that Python means.
  if (!reader.read(args, kwargs) ||
      !collectNumbers(traced, numbers, classes, entry->numbers) ||
      !areNumbered(reader.leaves, leaves, entry->numbers))
    return false;
  if (find(reader.key))
    return true;
  if (entries.size() >= capacity) {
    clear();
    learn(containers);
  }
  entry->takes = std::move(takes);
  entry->run = std::move(run);
  entry->rebuild = std::move(rebuild);
  if (nb::isinstance<TreeTemplate>(entry->rebuild))
    entry->rebuildNatively = nb::inst_ptr<TreeTemplate>(entry->rebuild);
  entry->key = std::move(reader.key);
  entries.emplace(entry->key.hash(), std::move(entry));
  return true;
}

void CallCache::clear() {
  // What is freed may run Python code, which must find the tables in order.
  decltype(entries) dropped;
  dropped.swap(entries);
  ContainerClasses forgotten;
  forgotten.swap(classes);
  madeIn = epoch;
}

uint64_t CallCache::epoch = 0;

void CallCache::learn(nb::dict containers) {
  for (auto [type, names] : containers) {
    auto [children, fixed] = nb::cast<std::pair<nb::object, nb::tuple>>(names);
    auto *key = reinterpret_cast<PyTypeObject *>(type.ptr());
    if (!PyType_Check(type.ptr()) ||
        !(children.is_none() ? PyType_IsSubtype(key, &PyTuple_Type)
                             : nb::isinstance<nb::tuple>(children)))
      throw nb::type_error("a named tuple, or a class and its fields' names");
    classes.try_emplace(key, ContainerClass{nb::borrow(type), children, fixed});
  }
}

int CallCache::traverse(visitproc visit, void *arg) const {
  for (const auto &[hash, entry] : entries) {
    if (int result = entry->key.traverse(visit, arg))
      return result;
    Py_VISIT(entry->takes.ptr());
    Py_VISIT(entry->run.ptr());
    Py_VISIT(entry->rebuild.ptr());
    if (entry->runNatively)
      if (int result = entry->runNatively->traverse(visit, arg))
        return result;
  }
  for (const auto &[type, known] : classes) {
    Py_VISIT(known.type.ptr());
    Py_VISIT(known.children.ptr());
    Py_VISIT(known.fixed.ptr());
  }
  return convention.traverse(visit, arg);
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static int traverseCache(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self)
             ? nb::inst_ptr<CallCache>(self)->traverse(visit, arg)
             : 0;
}

static int clearCache(PyObject *self) {
  if (nb::inst_ready(self))
    nb::inst_ptr<CallCache>(self)->clear();
  return 0;
}

void mlir::wax::python::bindCallCache(nb::module_ &m) {
  static const PyType_Slot slots[] = {
      {Py_tp_traverse, reinterpret_cast<void *>(traverseCache)},
      {Py_tp_clear, reinterpret_cast<void *>(clearCache)},
      {0, nullptr}};
  nb::class_<CallCache>(m, "CallCache", nb::type_slots(slots),
                        "A jitted function's calls, found without Python.")
      .def(
          "__init__",
          [](CallCache *self, nb::type_object arrayType,
             nb::type_object numpyType, nb::frozenset staticNumbers,
             nb::frozenset staticNames, size_t capacity) {
            CallConvention convention{arrayType, numpyType,
                                      arrayType.attr("spec"), staticNumbers,
                                      staticNames};
            new (self) CallCache(std::move(convention), capacity);
          },
          nb::arg("array_type"), nb::arg("numpy_type"),
          nb::arg("static_argnums"), nb::arg("static_argnames"),
          nb::arg("capacity"))
      .def(
          "call",
          [](CallCache &self, nb::tuple args, nb::dict kwargs) {
            return self.call(args, kwargs);
          },
          nb::arg("args"), nb::arg("kwargs"))
      .def("add", &CallCache::add, nb::arg("args"), nb::arg("kwargs"),
           nb::arg("traced"), nb::arg("leaves"), nb::arg("numbers"),
           nb::arg("takes"), nb::arg("run"), nb::arg("rebuild"),
           nb::arg("containers"))
      .def_static("forget_containers", &CallCache::forgetContainers)
      .def("clear", &CallCache::clear)
      .def("__len__", &CallCache::size);
}
