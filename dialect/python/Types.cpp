//===- Types.cpp - Element types and sizes between Python and MLIR --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "Context.h"
#include "Errors.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

PyObject *mlir::wax::python::makeInterned(StringRef text) {
  PyObject *string = PyUnicode_FromStringAndSize(text.data(), text.size());
  if (!string)
    nb::raise_python_error();
  PyUnicode_InternInPlace(&string);
  return string;
}

static Type lookUpElementType(StringRef name) {
  Builder builder(getContext());
  return llvm::StringSwitch<llvm::function_ref<Type()>>(name)
      .Case("i1", [&]() -> Type { return builder.getI1Type(); })
      .Case("i8", [&]() -> Type { return builder.getI8Type(); })
      .Case("i16", [&]() -> Type { return builder.getIntegerType(16); })
      .Case("i32", [&]() -> Type { return builder.getI32Type(); })
      .Case("i64", [&]() -> Type { return builder.getI64Type(); })
      .Case("f16", [&]() -> Type { return builder.getF16Type(); })
      .Case("bf16", [&]() -> Type { return builder.getBF16Type(); })
      .Case("f32", [&]() -> Type { return builder.getF32Type(); })
      .Case("f64", [&]() -> Type { return builder.getF64Type(); })
      .Case("complex<f32>",
            [&]() -> Type { return ComplexType::get(builder.getF32Type()); })
      .Case("complex<f64>",
            [&]() -> Type { return ComplexType::get(builder.getF64Type()); })
      .Default([]() -> Type { return nullptr; })();
}

Type mlir::wax::python::parseElementType(StringRef name) {
  Type type = lookUpElementType(name);
  if (!type)
    throw DialectError("'" + name +
                       "' is not an element type: there are i1, i8, i16, i32, "
                       "i64, f16, bf16, f32, f64, complex<f32>, complex<f64>");
  return type;
}

Type mlir::wax::python::parseElementTypeOrIndex(StringRef name) {
  if (name == "index")
    return IndexType::get(getContext());
  return parseElementType(name);
}

nb::str mlir::wax::python::spell(Type type) {
  // Types live as long as the context, and the GIL is held.
  static auto *known = new llvm::DenseMap<Type, PyObject *>;
  PyObject *&string = (*known)[type];
  if (!string) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    string = makeInterned(text);
  }
  return nb::borrow<nb::str>(string);
}

bool nb::detail::type_caster<SizeArgument>::from_python(
    handle source, uint32_t, cleanup_list *) noexcept {
  PyObject *number = source.ptr();
  value.kind = SizeArgument::Kind::Static;
  if (number == Py_None) {
    value.kind = SizeArgument::Kind::Inferred;
    return true;
  }
  if (PyTuple_Check(number)) {
    if (PyTuple_GET_SIZE(number) != 2 ||
        !PyUnicode_Check(PyTuple_GET_ITEM(number, 0)) ||
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(number, 0),
                                         "value") != 0)
      return false;
    value.kind = SizeArgument::Kind::Value;
    number = PyTuple_GET_ITEM(number, 1);
  }
  if (!PyLong_Check(number))
    return false;
  value.number = PyLong_AsLongLong(number);
  if (value.number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return false;
  }
  return true;
}
