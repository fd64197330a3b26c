//===- CallKey.h - What of a call's arguments finds its program -*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_CALLKEY_H
#define WAX_PYTHON_CALLKEY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

/// A call's arguments without their values: how containers nest, what kind of
/// leaf stands where, and static values. It keeps no argument alive, but those
/// that are static.
class CallKey {
public:
  enum class Kind : uint8_t {
    // Containers, with the number of their children; a dict's have their keys.
    Tuple,
    List,
    Dict,
    None,
    Name,
    // An instance of a container class; what it contains follows.
    Instance,
    // Leaves.
    Array,
    NumPyDtype,
    NumPyShape,
    Bool,
    Int32,
    Int64,
    Float,
    Complex,
    // Static arguments: where, and of which type and value.
    StaticPosition,
    StaticType,
    StaticValue,
    StaticBits,
  };

  /// `hash` is the object's, for those that compare by value.
  void add(Kind kind, uint64_t word, nanobind::object object = {},
           uint64_t hash = 0);

  uint64_t hash() const { return digest; }

  /// May run code of static values' types. Throws what that throws.
  bool operator==(const CallKey &other) const;

  int traverse(visitproc visit, void *arg) const;

private:
  struct Token {
    Kind kind;
    uint64_t word;
    nanobind::object object;
  };

  llvm::SmallVector<Token, 12> tokens;
  uint64_t digest = 0;
};

/// What a jitted function's calls have in common: the classes whose instances
/// are leaves, and which arguments are static.
struct CallConvention {
  nanobind::object arrayType, numpyType, specSlot;
  nanobind::object staticNumbers, staticNames;

  bool isStatic(Py_ssize_t position) const;
  bool isStatic(nanobind::handle name) const;
  int traverse(visitproc visit, void *arg) const;
};

/// A class of a user's whose instances are containers.
struct ContainerClass {
  nanobind::object type;
  /// The names of the attributes that are children; `None` for a named tuple,
  /// whose items are.
  nanobind::object children;
  /// The names of the attributes that are static.
  nanobind::tuple fixed;
};

using ContainerClasses = llvm::DenseMap<PyTypeObject *, ContainerClass>;

/// An attribute; invalid, and no error, if it cannot be had.
nanobind::object attributeOf(nanobind::handle instance, nanobind::handle name);

/// One call, read: its key, and its leaves in the order in which they stand.
///
/// Reads exact tuples, lists, dicts with keys that are exact strings, and
/// `None`; instances of the classes it is told of; arrays, NumPy's arrays, and
/// Python's numbers, all exact. Anything else is for Python to read, whose
/// `call_key` says what must differ.
class CallReader {
public:
  CallReader(const CallConvention &convention, const ContainerClasses &classes)
      : convention(convention), classes(classes) {}

  /// False if it is not for this reader. `args` is a tuple, `kwargs` a dict.
  bool read(nanobind::handle args, nanobind::handle kwargs);

  CallKey key;
  llvm::SmallVector<nanobind::object, 8> leaves;

private:
  bool readTree(nanobind::handle tree, unsigned depth);
  bool readDict(nanobind::handle dict, unsigned depth, bool areKeywords);
  bool readInstance(nanobind::handle instance, const ContainerClass &known,
                    unsigned depth);
  bool readNumPy(nanobind::handle array);
  bool readInteger(nanobind::handle number);
  bool readStatic(nanobind::handle value, unsigned depth);

  const CallConvention &convention;
  const ContainerClasses &classes;
};

} // namespace mlir::wax::python

#endif // WAX_PYTHON_CALLKEY_H
