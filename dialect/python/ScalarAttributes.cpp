//===- ScalarAttributes.cpp - Attributes of scalar operations, by keyword -===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarAttributes.h"
#include "Errors.h"
#include "Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

static std::string describe(nb::handle value) {
  return nb::cast<std::string>(nb::repr(value));
}

/// An attribute of enumeration `AttrTy`, of which `symbolize` knows the words.
template <typename AttrTy, typename Symbolize>
static Attribute makeEnumeration(MLIRContext *context, StringRef keyword,
                                 Symbolize symbolize) {
  auto known = symbolize(keyword);
  return known ? AttrTy::get(context, *known) : Attribute();
}

static Attribute parseKeyword(OperationName op, StringRef name,
                              StringRef keyword) {
  MLIRContext *context = op.getContext();
  if (name == "predicate" && op.getStringRef() == "arith.cmpi")
    return makeEnumeration<arith::CmpIPredicateAttr>(
        context, keyword,
        [](StringRef s) { return arith::symbolizeCmpIPredicate(s); });
  if (name == "predicate" && op.getStringRef() == "arith.cmpf")
    return makeEnumeration<arith::CmpFPredicateAttr>(
        context, keyword,
        [](StringRef s) { return arith::symbolizeCmpFPredicate(s); });
  if (name == "fastmath")
    return makeEnumeration<arith::FastMathFlagsAttr>(
        context, keyword,
        [](StringRef s) { return arith::symbolizeFastMathFlags(s); });
  if (name == "overflowFlags")
    return makeEnumeration<arith::IntegerOverflowFlagsAttr>(
        context, keyword,
        [](StringRef s) { return arith::symbolizeIntegerOverflowFlags(s); });
  if (name == "roundingmode")
    return makeEnumeration<arith::RoundingModeAttr>(
        context, keyword,
        [](StringRef s) { return arith::symbolizeRoundingMode(s); });
  return nullptr;
}

Attribute mlir::wax::python::parseScalarAttribute(OperationName op,
                                                  StringRef name,
                                                  nb::handle value) {
  Attribute attribute;
  MLIRContext *context = op.getContext();
  if (!llvm::is_contained(op.getAttributeNames(), name))
    throw DialectError("'" + op.getStringRef() + "' has no attribute '" + name +
                       "'");
  if (PyUnicode_Check(value.ptr())) {
    attribute = parseKeyword(op, name, nb::cast<std::string>(value));
  } else if (value.ptr() == Py_True) {
    attribute = UnitAttr::get(context);
  } else if (PyLong_Check(value.ptr())) {
    int64_t number;
    if (nb::try_cast(value, number))
      attribute = IntegerAttr::get(IntegerType::get(context, 64), number);
  }
  if (!attribute)
    throw DialectError("attribute '" + name + "' of '" + op.getStringRef() +
                       "' cannot be " + describe(value));
  return attribute;
}

nb::object mlir::wax::python::spellEnumeration(OperationName op, StringRef name,
                                               Attribute attribute) {
  auto keyword = [](StringRef text) { return nb::steal(makeInterned(text)); };
  if (name == "predicate") {
    if (op.getStringRef() == "arith.cmpi")
      return keyword(arith::stringifyCmpIPredicate(
          cast<arith::CmpIPredicateAttr>(attribute).getValue()));
    if (op.getStringRef() == "arith.cmpf")
      return keyword(arith::stringifyCmpFPredicate(
          cast<arith::CmpFPredicateAttr>(attribute).getValue()));
  }
  if (auto flags = dyn_cast<arith::FastMathFlagsAttr>(attribute))
    return keyword(arith::stringifyFastMathFlags(flags.getValue()));
  if (auto flags = dyn_cast<arith::IntegerOverflowFlagsAttr>(attribute))
    return keyword(arith::stringifyIntegerOverflowFlags(flags.getValue()));
  if (name == "roundingmode")
    if (auto mode = dyn_cast<arith::RoundingModeAttr>(attribute))
      return keyword(arith::stringifyRoundingMode(mode.getValue()));
  return {};
}

bool mlir::wax::python::isDefaultScalarAttribute(Attribute attribute) {
  if (auto flags = dyn_cast<arith::FastMathFlagsAttr>(attribute))
    return flags.getValue() == arith::FastMathFlags::none;
  if (auto flags = dyn_cast<arith::IntegerOverflowFlagsAttr>(attribute))
    return flags.getValue() == arith::IntegerOverflowFlags::none;
  return false;
}

static Attribute makeFloat(FloatType type, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return FloatAttr::get(type, number);
}

/// The low 64 bits of an integer that `width` bits can hold, read either as
/// signed or as unsigned.
static std::optional<uint64_t> toBits(nb::handle value, unsigned width) {
  nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) {
    PyErr_Clear();
    return std::nullopt;
  }
  int overflow;
  long long narrow = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow < 0)
    return std::nullopt;
  if (overflow == 0)
    return llvm::isIntN(width, narrow) ||
                   (narrow >= 0 && llvm::isUIntN(width, narrow))
               ? std::optional<uint64_t>(narrow)
               : std::nullopt;
  unsigned long long wide = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return width == 64 ? std::optional<uint64_t>(wide) : std::nullopt;
}

static Attribute parseNumber(nb::handle value, Type type) {
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Py_complex number = PyComplex_AsCComplex(value.ptr());
    if (PyErr_Occurred())
      return nullptr;
    auto part = cast<FloatType>(complexType.getElementType());
    return ArrayAttr::get(type.getContext(), {makeFloat(part, number.real),
                                              makeFloat(part, number.imag)});
  }
  if (auto floatType = dyn_cast<FloatType>(type)) {
    double number = PyFloat_AsDouble(value.ptr());
    return PyErr_Occurred() ? Attribute() : makeFloat(floatType, number);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  std::optional<uint64_t> bits = toBits(value, width);
  if (!bits)
    return nullptr;
  return IntegerAttr::get(type, APInt(width, *bits, /*isSigned=*/false,
                                      /*implicitTrunc=*/true));
}

Attribute mlir::wax::python::parseScalarConstant(nb::handle value, Type type) {
  Attribute attribute = parseNumber(value, type);
  if (!attribute) {
    PyErr_Clear();
    std::string spelled = nb::cast<std::string>(spell(type));
    throw DialectError(describe(value) + " is not a constant of type " +
                       spelled);
  }
  return attribute;
}
