//===- TreeTemplate.cpp - Results put into containers ---------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TreeTemplate.h"

#include "Owned.h"

#include <algorithm>

namespace nb = nanobind;
using namespace mlir::wax::python;

TreeTemplate::TreeTemplate(nb::handle tree) { add(tree, nb::object()); }

void TreeTemplate::add(nb::handle tree, nb::object key) {
  if (PyLong_CheckExact(tree.ptr())) {
    Py_ssize_t number = nb::cast<Py_ssize_t>(tree);
    if (number < 0)
      throw nb::value_error("leaves are numbered from 0");
    leafCount = std::max(leafCount, number + 1);
    nodes.push_back({Kind::Leaf, number, std::move(key)});
  } else if (tree.is_none()) {
    nodes.push_back({Kind::None, 0, std::move(key)});
  } else if (PyTuple_CheckExact(tree.ptr())) {
    nb::tuple tuple = nb::borrow<nb::tuple>(tree);
    nodes.push_back(
        {Kind::Tuple, static_cast<Py_ssize_t>(tuple.size()), std::move(key)});
    for (nb::handle child : tuple)
      add(child, nb::object());
  } else if (PyList_CheckExact(tree.ptr())) {
    nb::list list = nb::borrow<nb::list>(tree);
    nodes.push_back(
        {Kind::List, static_cast<Py_ssize_t>(list.size()), std::move(key)});
    for (nb::handle child : list)
      add(child, nb::object());
  } else if (PyDict_CheckExact(tree.ptr())) {
    nb::dict dict = nb::borrow<nb::dict>(tree);
    nodes.push_back(
        {Kind::Dict, static_cast<Py_ssize_t>(dict.size()), std::move(key)});
    for (auto [name, child] : dict) {
      if (!PyUnicode_CheckExact(name.ptr()) && !PyLong_CheckExact(name.ptr()))
        throw nb::value_error("keys are strings or integers");
      add(child, nb::borrow(name));
    }
  } else {
    throw nb::value_error(
        "only tuples, lists and dicts of leaves' numbers, and None");
  }
}

template <typename Leaves>
nb::object TreeTemplate::build(const Node *&node, const Leaves &leaves) const {
  const Node &here = *node++;
  switch (here.kind) {
  case Kind::Leaf:
    return nb::borrow(leaves[here.number]);
  case Kind::None:
    return nb::none();
  case Kind::Tuple: {
    nb::object made = owned(PyTuple_New(here.number));
    for (Py_ssize_t i = 0; i < here.number; ++i)
      PyTuple_SET_ITEM(made.ptr(), i, build(node, leaves).release().ptr());
    return made;
  }
  case Kind::List: {
    nb::object made = owned(PyList_New(here.number));
    for (Py_ssize_t i = 0; i < here.number; ++i)
      PyList_SET_ITEM(made.ptr(), i, build(node, leaves).release().ptr());
    return made;
  }
  case Kind::Dict: {
    nb::object made = owned(PyDict_New());
    for (Py_ssize_t i = 0; i < here.number; ++i) {
      nb::handle key = node->key;
      nb::object child = build(node, leaves);
      if (PyDict_SetItem(made.ptr(), key.ptr(), child.ptr()))
        nb::raise_python_error();
    }
    return made;
  }
  }
  return nb::object();
}

nb::object TreeTemplate::build(nb::handle leaves) const {
  PyObject *sequence = leaves.ptr();
  if (!PyList_CheckExact(sequence) && !PyTuple_CheckExact(sequence))
    throw nb::type_error("leaves are a list or a tuple");
  if (PySequence_Fast_GET_SIZE(sequence) < leafCount)
    throw nb::value_error("a leaf is missing");
  const Node *node = nodes.begin();
  return build(node, PySequence_Fast_ITEMS(sequence));
}

nb::object TreeTemplate::build(llvm::ArrayRef<nb::object> leaves) const {
  if (Py_ssize_t(leaves.size()) < leafCount)
    throw nb::value_error("a leaf is missing");
  const Node *node = nodes.begin();
  return build(node, leaves);
}

void mlir::wax::python::bindTreeTemplate(nb::module_ &m) {
  nb::class_<TreeTemplate>(m, "TreeTemplate",
                           "How containers are built around leaves.")
      .def(nb::init<nb::handle>(), nb::arg("tree").none())
      .def(
          "__call__",
          [](const TreeTemplate &self, nb::handle leaves) {
            return self.build(leaves);
          },
          nb::arg("leaves"));
}
