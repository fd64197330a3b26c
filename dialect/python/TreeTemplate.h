//===- TreeTemplate.h - Results put into containers -------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_TREETEMPLATE_H
#define WAX_PYTHON_TREETEMPLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

/// How nested tuples, lists and dicts are built around a sequence of leaves.
class TreeTemplate {
public:
  /// `tree` has the numbers of the leaves in their places; throws ValueError
  /// for anything but exact tuples, lists and dicts (with keys that are exact
  /// strings or integers, so that no code of a user's runs), and `None`.
  explicit TreeTemplate(nanobind::handle tree);

  /// The tree with `leaves`, a list or a tuple, in place of their numbers.
  nanobind::object build(nanobind::handle leaves) const;
  nanobind::object build(llvm::ArrayRef<nanobind::object> leaves) const;

private:
  enum class Kind { Leaf, None, Tuple, List, Dict };

  /// A container is followed by its children; a dict's have their keys.
  struct Node {
    Kind kind;
    /// The number of a leaf, or of a container's children.
    Py_ssize_t number = 0;
    nanobind::object key;
  };

  void add(nanobind::handle tree, nanobind::object key);
  template <typename Leaves>
  nanobind::object build(const Node *&node, const Leaves &leaves) const;

  llvm::SmallVector<Node, 4> nodes;
  Py_ssize_t leafCount = 0;
};

void bindTreeTemplate(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_TREETEMPLATE_H
