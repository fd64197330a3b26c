//===- Attributes.cpp - Attributes as Python sees them --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attributes.h"
#include "Types.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::wax::python;

nb::str mlir::wax::python::spell(StringAttr name) {
  // Attributes live as long as the context, and the GIL is held.
  static auto *known = new llvm::DenseMap<StringAttr, PyObject *>;
  PyObject *&string = (*known)[name];
  if (!string)
    string = makeInterned(name.getValue());
  return nb::borrow<nb::str>(string);
}

nb::object mlir::wax::python::makeMapping(const nb::dict &entries) {
  nb::object mapping = nb::steal(PyDictProxy_New(entries.ptr()));
  if (!mapping.is_valid())
    nb::raise_python_error();
  return mapping;
}

nb::object mlir::wax::python::toMapping(ArrayRef<NamedAttribute> attributes,
                                        ArrayRef<StringRef> without) {
  nb::dict entries;
  for (NamedAttribute attribute : attributes)
    if (!llvm::is_contained(without, attribute.getName().getValue()))
      entries[spell(attribute.getName())] = toPython(attribute.getValue());
  return makeMapping(entries);
}

/// A tuple of what `convert` makes of each of the items.
template <typename Range, typename Convert>
static nb::object makeTuple(const Range &items, Convert convert) {
  nb::object tuple = nb::steal(PyTuple_New(items.size()));
  if (!tuple.is_valid())
    nb::raise_python_error();
  Py_ssize_t position = 0;
  for (auto item : items) {
    nb::object converted = convert(item);
    PyTuple_SET_ITEM(tuple.ptr(), position++, converted.release().ptr());
  }
  return tuple;
}

static nb::object toNumber(APInt value, Type type) {
  if (type.isInteger(1))
    return nb::bool_(!value.isZero());
  return nb::int_(value.getSExtValue());
}

static nb::object toNumber(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return nb::float_(value.convertToDouble());
}

nb::object mlir::wax::python::scalarToPython(Attribute value) {
  // The value of complex.constant.
  if (auto parts = dyn_cast<ArrayAttr>(value)) {
    auto part = [&](unsigned i) {
      return nb::cast<double>(toNumber(cast<FloatAttr>(parts[i]).getValue()));
    };
    return nb::steal(PyComplex_FromDoubles(part(0), part(1)));
  }
  return toPython(value);
}

/// The NumPy dtype of an element type; an invalid object if there is none.
static nb::object getDtype(Type type) {
  std::string name;
  if (type.isInteger(1))
    name = "bool";
  else if (type.isIndex())
    name = "int64";
  else if (auto integer = dyn_cast<IntegerType>(type))
    name = (integer.isUnsigned() ? "uint" : "int") +
           std::to_string(integer.getWidth());
  else if (auto complexType = dyn_cast<ComplexType>(type))
    name = complexType.getElementType().isF32()   ? "complex64"
           : complexType.getElementType().isF64() ? "complex128"
                                                  : "";
  else if (type.isF16() || type.isF32() || type.isF64())
    name = "float" + std::to_string(type.getIntOrFloatBitWidth());
  else if (type.isBF16())
    return nb::module_::import_("ml_dtypes").attr("bfloat16");
  bool hasDtype = llvm::is_contained(
      {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
       "uint64", "float16", "float32", "float64", "complex64", "complex128"},
      StringRef(name));
  return hasDtype ? nb::object(nb::str(name.c_str())) : nb::object();
}

static nb::object makeArray(const char *data, size_t bytes, nb::object dtype,
                            ArrayRef<int64_t> shape, bool isSplat) {
  nb::module_ numpy = nb::module_::import_("numpy");
  // An array over immutable bytes is read-only, and so is one that broadcasts.
  nb::object array =
      numpy.attr("frombuffer")(nb::bytes(data, bytes), "dtype"_a = dtype);
  nb::object dims =
      makeTuple(shape, [](int64_t size) { return nb::int_(size); });
  if (isSplat)
    return numpy.attr("broadcast_to")(array.attr("reshape")(nb::tuple()), dims);
  return array.attr("reshape")(dims);
}

nb::object mlir::wax::python::toArray(ElementsAttr elements) {
  auto type = cast<ShapedType>(elements.getType());
  nb::object dtype = getDtype(type.getElementType());
  if (!dtype.is_valid())
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    bool isSplat = dense.isSplat();
    if (!type.getElementType().isInteger(1)) {
      ArrayRef<char> data = dense.getRawData();
      return makeArray(data.data(), data.size(), dtype, type.getShape(),
                       isSplat);
    }
    // MLIR packs bits; NumPy has a byte each.
    SmallVector<char> bytes;
    if (isSplat)
      bytes.push_back(dense.getSplatValue<bool>());
    else
      for (bool bit : dense.getValues<bool>())
        bytes.push_back(bit);
    return makeArray(bytes.data(), bytes.size(), dtype, type.getShape(),
                     isSplat);
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      ArrayRef<char> data = blob->getData();
      return makeArray(data.data(), data.size(), dtype, type.getShape(),
                       /*isSplat=*/false);
    }
  return {};
}

static nb::object spellAttribute(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return nb::str(text.data(), text.size());
}

nb::object mlir::wax::python::toPython(Attribute attribute) {
  auto fromString = [](StringRef text) -> nb::object {
    return nb::str(text.data(), text.size());
  };
  auto fromNumbers = [](auto array) -> nb::object {
    return makeTuple(array.asArrayRef(), [](auto number) -> nb::object {
      // The number that stands for a size that an operand holds.
      if constexpr (std::is_same_v<decltype(number), int64_t>)
        if (ShapedType::isDynamic(number))
          return nb::none();
      return nb::cast(number);
    });
  };
  return llvm::TypeSwitch<Attribute, nb::object>(attribute)
      .Case([](IntegerAttr a) { return toNumber(a.getValue(), a.getType()); })
      .Case([](FloatAttr a) { return toNumber(a.getValue()); })
      .Case([&](StringAttr a) { return fromString(a.getValue()); })
      .Case([&](FlatSymbolRefAttr a) { return fromString(a.getValue()); })
      .Case([](UnitAttr) -> nb::object { return nb::bool_(true); })
      .Case<DenseI64ArrayAttr, DenseI32ArrayAttr, DenseI16ArrayAttr,
            DenseI8ArrayAttr, DenseBoolArrayAttr, DenseF32ArrayAttr,
            DenseF64ArrayAttr>(fromNumbers)
      .Case([](ArrayAttr a) { return makeTuple(a.getValue(), toPython); })
      .Case([](DictionaryAttr a) {
        return makeTuple(a.getValue(), [](NamedAttribute entry) -> nb::object {
          return nb::make_tuple(spell(entry.getName()),
                                toPython(entry.getValue()));
        });
      })
      .Case([&](TypeAttr a) -> nb::object {
        return mlir::wax::python::spell(a.getValue());
      })
      .Case([](ElementsAttr a) {
        nb::object array = toArray(a);
        return array.is_valid() ? array : spellAttribute(a);
      })
      .Default([](Attribute a) { return spellAttribute(a); });
}
