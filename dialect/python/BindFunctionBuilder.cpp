//===- BindFunctionBuilder.cpp - FunctionBuilder as a Python class --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir::wax::python;

void mlir::wax::python::bindFunctionBuilder(nb::module_ &m) {
  using Builder = FunctionBuilder;
  auto location = nb::arg("location") = nb::none();
  nb::class_<Builder>(m, "FunctionBuilder",
                      "Builds one function. Every operation call returns its "
                      "result(s) and its open constraints.")
      .def(nb::init<const std::string &, const SourceLocation *>(), "name"_a,
           location)
      .def("argument", &Builder::argument, "shape"_a, "element"_a, location)
      .def("set_argument_attribute", &Builder::setArgumentAttribute, "value"_a,
           "name"_a, "attribute"_a)
      .def("set_result_attribute", &Builder::setResultAttribute, "result"_a,
           "name"_a, "attribute"_a)
      .def("set_attribute", &Builder::setAttribute, "name"_a, "attribute"_a)
      .def("index_constant", &Builder::indexConstant, "value"_a)
      .def("dim", &Builder::dim, "value"_a, "axis"_a)
      .def("index_op", &Builder::indexOp, "kind"_a, "lhs"_a, "rhs"_a)
      .def("index_to_tensor", &Builder::indexToTensor, "index"_a, "element"_a,
           location)
      .def("tensor_to_index", &Builder::tensorToIndex, "value"_a, location)
      .def("if_", &Builder::if_, "condition"_a, "then"_a, "then_captured"_a,
           "otherwise"_a, "otherwise_captured"_a, location)
      .def("for_", &Builder::for_, "count"_a, "inits"_a, "body"_a, "carried"_a,
           "captured"_a, location)
      .def("while_", &Builder::while_, "inits"_a, "condition"_a,
           "condition_captured"_a, "body"_a, "body_captured"_a,
           "max_steps"_a.none(), location)
      .def("checkpoint", &Builder::checkpoint, "body"_a, "operands"_a,
           "saving"_a, "mergeable"_a, location)
      .def("constant", &Builder::constant, "data"_a, "shape"_a, "element"_a,
           location)
      .def("map", &Builder::map, "operand"_a, "kernel"_a, location)
      .def("broadcast", &Builder::broadcast, "inputs"_a, "dims"_a, "sizes"_a,
           "kernel"_a, location)
      .def("reduce", &Builder::reduce, "inputs"_a, "inits"_a, "dims"_a,
           "fold"_a, "combine"_a.none(), location)
      .def("scan", &Builder::scan, "inputs"_a, "inits"_a, "dim"_a,
           "exclusive"_a, "reverse"_a, "fold"_a, "combine"_a.none(), location)
      .def("sort", &Builder::sort, "inputs"_a, "dim"_a, "comparator"_a,
           location)
      .def("permute", &Builder::permute, "operand"_a, "permutation"_a, location)
      .def("reshape", &Builder::reshape, "operand"_a, "source_groups"_a,
           "result_groups"_a, "result_shape"_a, location)
      .def("slice", &Builder::slice, "operand"_a, "offsets"_a, "sizes"_a,
           "strides"_a, location)
      .def("pad", &Builder::pad, "operand"_a, "value"_a, "low"_a, "high"_a,
           "interior"_a, location)
      .def("concat", &Builder::concat, "inputs"_a, "dim"_a, location)
      .def("gather", &Builder::gather, "operand"_a, "indices"_a,
           "operand_dims"_a, "index_dims"_a, location)
      .def("reverse", &Builder::reverse, "operand"_a, "dims"_a, location)
      .def("insert", &Builder::insert, "update"_a, "operand"_a, "offsets"_a,
           "strides"_a, location)
      .def("scatter", &Builder::scatter, "updates"_a, "inits"_a, "indices"_a,
           "operand_dims"_a, "index_dims"_a, "fold"_a, "combine"_a.none(),
           location)
      .def("iota", &Builder::iota, "dim"_a, "shape"_a, "element"_a, location)
      .def("fft", &Builder::fft, "operand"_a, "dims"_a, "length"_a.none(),
           "inverse"_a, location)
      .def("window", &Builder::window, "operand"_a, "dims"_a, "sizes"_a,
           "strides"_a, "dilations"_a, location)
      .def("fold", &Builder::fold, "operand"_a, "init"_a, "dims"_a, "sizes"_a,
           "strides"_a, "dilations"_a, "fold"_a, "combine"_a.none(), location)
      .def("convolve", &Builder::convolve, "lhs"_a, "rhs"_a, "lhs_dims"_a,
           "rhs_dims"_a, "result_dims"_a, "strides"_a, "low"_a, "high"_a,
           "lhs_dilations"_a, "rhs_dilations"_a, "feature_groups"_a,
           "batch_groups"_a, "element"_a, location)
      .def("axis_index", &Builder::axisIndex, "axis"_a, location)
      .def("all_gather", &Builder::allGather, "operand"_a, "size"_a, "axis"_a,
           location)
      .def("psum", &Builder::psum, "operand"_a, "axis"_a, location)
      .def("pmax", &Builder::pmax, "operand"_a, "axis"_a, "minimum"_a,
           "unsigned"_a, location)
      .def("ppermute", &Builder::ppermute, "operand"_a, "axis"_a, "sources"_a,
           location)
      .def("name", &Builder::name, "operand"_a, "name"_a, location)
      .def("call", &Builder::call, "callee"_a, "operands"_a, location)
      .def("finish", &Builder::finish, "results"_a);
}
