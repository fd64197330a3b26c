//===- BasisCalls.cpp - One builder call for each operation of the basis --===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "FunctionBuilder.h"

#include "mlir/IR/Verifier.h"
#include "wax/Dialect/Wax.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

template <typename OpTy, typename SetProperties>
FunctionBuilder::Created
FunctionBuilder::create(mlir::Location location, ValueRange operands,
                        ArrayRef<const Kernel *> kernels,
                        SetProperties setProperties, Type stated) {
  MLIRContext *context = getContext();
  DiagnosticCapture diagnostics;
  OperationState state(location,
                       OperationName(OpTy::getOperationName(), context));
  state.addOperands(operands);
  auto &properties = state.getOrAddProperties<typename OpTy::Properties>();
  setProperties(properties);
  for (const Kernel *kernel : kernels) {
    Region *region = state.addRegion();
    if (kernel)
      kernel->cloneInto(*region, location);
  }

  if (stated) {
    state.addTypes(stated);
  } else if constexpr (OpTy::template hasTrait<InferTypeOpInterface::Trait>()) {
    if (failed(OpTy::inferReturnTypes(context, location, state.operands,
                                      state.attributes.getDictionary(context),
                                      state.getRawProperties(),
                                      RegionRange(state.regions), state.types)))
      diagnostics.raise("the result types cannot be inferred");
  }

  auto op = cast<OpTy>(Operation::create(state));
  getBlock().push_back(op);
  auto refuse = [&](StringRef fallback) {
    op->erase();
    diagnostics.raise(fallback);
  };
  if (failed(verify(op, /*verifyRecursively=*/false)))
    refuse("the operation is not valid");
  FailureOr<ShapeRelation> relation = op.getShapeRelation();
  if (failed(relation))
    refuse("the sizes do not fit");

  SizeSources sources(context, op->getOperands());
  nb::list results;
  for (auto [result, sizes] :
       llvm::zip_equal(op->getResults(), relation->results)) {
    auto type = cast<RankedTensorType>(result.getType());
    results.append(describe(number(result), spellSizes(sizes, type, sources)));
  }
  return {nb::tuple(results), spellConstraints(relation->constraints, sources)};
}

static nb::tuple onlyResult(const nb::tuple &results) {
  return nb::cast<nb::tuple>(results[0]);
}

static ArrayAttr makeLists(MLIRContext *context,
                           const FunctionBuilder::NumberLists &lists) {
  return ArrayAttr::get(
      context,
      llvm::map_to_vector(
          lists, [&](const FunctionBuilder::Numbers &list) -> Attribute {
            return DenseI64ArrayAttr::get(context, list);
          }));
}

static DenseI64ArrayAttr makeList(MLIRContext *context,
                                  ArrayRef<int64_t> list) {
  return DenseI64ArrayAttr::get(context, list);
}

static IntegerAttr makeInteger(MLIRContext *context, int64_t value) {
  return IntegerAttr::get(IntegerType::get(context, 64), value);
}

/// The elements of a dense attribute from one byte a bool, as NumPy has them.
static DenseElementsAttr makeBools(RankedTensorType type, StringRef data) {
  SmallVector<bool> bits(llvm::map_range(data, [](char c) { return c != 0; }));
  return DenseElementsAttr::get(type, bits);
}

nb::tuple FunctionBuilder::constant(nb::bytes data, const Numbers &shape,
                                    const std::string &element, At location) {
  enter();
  Sizes sizes;
  for (int64_t size : shape)
    sizes.push_back({SizeArgument::Kind::Static, size});
  RankedTensorType type = makeTensorType(sizes, parseElementType(element));
  Type elementType = type.getElementType();
  int64_t bits = elementType.isInteger(1) ? 8
                 : isa<ComplexType>(elementType)
                     ? 2 * cast<ComplexType>(elementType)
                               .getElementType()
                               .getIntOrFloatBitWidth()
                     : elementType.getIntOrFloatBitWidth();
  int64_t elementBytes = bits / 8, bytes = elementBytes;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      throw DialectError("the constant has too many elements");
  int64_t count = bytes / elementBytes;
  StringRef raw(data.c_str(), data.size());
  int64_t given = raw.size();
  if (given != bytes && given != elementBytes)
    throw DialectError("a constant of " + Twine(count) + " elements of " +
                       Twine(elementBytes) + " bytes cannot be made of " +
                       Twine(given) + " bytes");
  DenseElementsAttr value;
  if (count == 0)
    value = DenseElementsAttr::get(type, ArrayRef<Attribute>());
  else if (elementType.isInteger(1))
    value = makeBools(type, raw);
  else
    value = DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef<char>(raw.data(), raw.size()));
  return onlyResult(
      create<wax::ConstantOp>(at(location), {}, {}, [&](auto &properties) {
        properties.value = value;
      }).results);
}

nb::tuple FunctionBuilder::map(int64_t operand, const Kernel &kernel,
                               At location) {
  enter();
  return onlyResult(
      create<wax::MapOp>(at(location), getTensor(operand), &kernel, [](auto &) {
      }).results);
}

nb::tuple FunctionBuilder::broadcast(const Numbers &inputs,
                                     const NumberLists &dims,
                                     const Sizes &sizes, const Kernel &kernel,
                                     At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands = getTensors(inputs);
  SmallVector<int64_t> statics = splitSizes(sizes, operands, "sizes");
  Created made = create<wax::BroadcastOp>(
      at(location), operands, &kernel, [&](auto &properties) {
        properties.dims = makeLists(context, dims);
        properties.static_sizes = makeList(context, statics);
        properties.operandSegmentSizes = {
            static_cast<int32_t>(inputs.size()),
            static_cast<int32_t>(operands.size() - inputs.size())};
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::reduce(const Numbers &inputs, const Numbers &inits,
                                  const Numbers &dims, const Kernel &fold,
                                  const Kernel *combine, At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands = getTensors(inputs);
  llvm::append_range(operands, getTensors(inits));
  Created made = create<wax::ReduceOp>(
      at(location), operands, {&fold, combine}, [&](auto &properties) {
        properties.dims = makeList(context, dims);
        properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                          static_cast<int32_t>(inits.size())};
      });
  return nb::make_tuple(made.results, made.constraints);
}

nb::tuple FunctionBuilder::scan(const Numbers &inputs, const Numbers &inits,
                                int64_t dim, bool exclusive, bool reverse,
                                const Kernel &fold, const Kernel *combine,
                                At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands = getTensors(inputs);
  llvm::append_range(operands, getTensors(inits));
  Created made = create<wax::ScanOp>(
      at(location), operands, {&fold, combine}, [&](auto &properties) {
        properties.dim = makeInteger(context, dim);
        if (exclusive)
          properties.exclusive = UnitAttr::get(context);
        if (reverse)
          properties.reverse = UnitAttr::get(context);
        properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()),
                                          static_cast<int32_t>(inits.size())};
      });
  return nb::make_tuple(made.results, made.constraints);
}

nb::tuple FunctionBuilder::sort(const Numbers &inputs, int64_t dim,
                                const Kernel &comparator, At location) {
  MLIRContext *context = enter();
  Created made = create<wax::SortOp>(
      at(location), getTensors(inputs), {&comparator},
      [&](auto &properties) { properties.dim = makeInteger(context, dim); });
  return nb::make_tuple(made.results, made.constraints);
}

nb::tuple FunctionBuilder::permute(int64_t operand, const Numbers &permutation,
                                   At location) {
  MLIRContext *context = enter();
  return onlyResult(create<wax::PermuteOp>(at(location), getTensor(operand), {},
                                           [&](auto &properties) {
                                             properties.permutation =
                                                 makeList(context, permutation);
                                           })
                        .results);
}

nb::tuple FunctionBuilder::reshape(int64_t operand,
                                   const NumberLists &sourceGroups,
                                   const NumberLists &resultGroups,
                                   const Sizes &resultShape, At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands{getTensor(operand)};
  for (const SizeArgument &size : resultShape)
    if (size.kind == SizeArgument::Kind::Value)
      operands.push_back(getIndex(size.number));
  Type element = cast<RankedTensorType>(operands[0].getType()).getElementType();
  Created made = create<wax::ReshapeOp>(
      at(location), operands, {},
      [&](auto &properties) {
        properties.source_groups = makeLists(context, sourceGroups);
        properties.result_groups = makeLists(context, resultGroups);
      },
      makeTensorType(resultShape, element));
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::slice(int64_t operand, const Sizes &offsets,
                                 const Sizes &sizes, const Numbers &strides,
                                 At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands{getTensor(operand)};
  SmallVector<int64_t> staticOffsets = splitSizes(offsets, operands, "offsets");
  int32_t offsetCount = operands.size() - 1;
  SmallVector<int64_t> staticSizes = splitSizes(sizes, operands, "sizes");
  int32_t sizeCount = operands.size() - 1 - offsetCount;
  Created made =
      create<wax::SliceOp>(at(location), operands, {}, [&](auto &properties) {
        properties.static_offsets = makeList(context, staticOffsets);
        properties.static_sizes = makeList(context, staticSizes);
        properties.strides = makeList(context, strides);
        properties.operandSegmentSizes = {1, offsetCount, sizeCount};
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::pad(int64_t operand, int64_t value,
                               const Numbers &low, const Numbers &high,
                               const Numbers &interior, At location) {
  MLIRContext *context = enter();
  Created made =
      create<wax::PadOp>(at(location), {getTensor(operand), getTensor(value)},
                         {}, [&](auto &properties) {
                           properties.low = makeList(context, low);
                           properties.high = makeList(context, high);
                           properties.interior = makeList(context, interior);
                         });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::concat(const Numbers &inputs, int64_t dim,
                                  At location) {
  MLIRContext *context = enter();
  Created made = create<wax::ConcatOp>(
      at(location), getTensors(inputs), {},
      [&](auto &properties) { properties.dim = makeInteger(context, dim); });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::gather(int64_t operand, const Numbers &indices,
                                  const Numbers &operandDims,
                                  const NumberLists &indexDims, At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands{getTensor(operand)};
  llvm::append_range(operands, getTensors(indices));
  Created made =
      create<wax::GatherOp>(at(location), operands, {}, [&](auto &properties) {
        properties.operand_dims = makeList(context, operandDims);
        properties.index_dims = makeLists(context, indexDims);
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::reverse(int64_t operand, const Numbers &dims,
                                   At location) {
  MLIRContext *context = enter();
  return onlyResult(create<wax::ReverseOp>(at(location), getTensor(operand), {},
                                           [&](auto &properties) {
                                             properties.dims =
                                                 makeList(context, dims);
                                           })
                        .results);
}

nb::tuple FunctionBuilder::insert(int64_t update, int64_t operand,
                                  const Sizes &offsets, const Numbers &strides,
                                  At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands{getTensor(update), getTensor(operand)};
  SmallVector<int64_t> staticOffsets = splitSizes(offsets, operands, "offsets");
  Created made =
      create<wax::InsertOp>(at(location), operands, {}, [&](auto &properties) {
        properties.static_offsets = makeList(context, staticOffsets);
        properties.strides = makeList(context, strides);
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::scatter(const Numbers &updates, const Numbers &inits,
                                   const Numbers &indices,
                                   const Numbers &operandDims,
                                   const NumberLists &indexDims,
                                   const Kernel &fold, const Kernel *combine,
                                   At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands = getTensors(updates);
  llvm::append_range(operands, getTensors(inits));
  llvm::append_range(operands, getTensors(indices));
  Created made = create<wax::ScatterOp>(
      at(location), operands, {&fold, combine}, [&](auto &properties) {
        properties.operand_dims = makeList(context, operandDims);
        properties.index_dims = makeLists(context, indexDims);
        properties.operandSegmentSizes = {static_cast<int32_t>(updates.size()),
                                          static_cast<int32_t>(inits.size()),
                                          static_cast<int32_t>(indices.size())};
      });
  return nb::make_tuple(made.results, made.constraints);
}

nb::tuple FunctionBuilder::iota(int64_t dim, const Sizes &shape,
                                const std::string &element, At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands;
  splitSizes(shape, operands, "shape");
  return onlyResult(
      create<wax::IotaOp>(
          at(location), operands, {},
          [&](auto &properties) { properties.dim = makeInteger(context, dim); },
          makeTensorType(shape, parseElementType(element)))
          .results);
}

nb::tuple FunctionBuilder::axisIndex(const std::string &axis, At location) {
  MLIRContext *context = enter();
  return onlyResult(
      create<wax::AxisIndexOp>(at(location), {}, {}, [&](auto &properties) {
        properties.axis = StringAttr::get(context, axis);
      }).results);
}

nb::tuple FunctionBuilder::allGather(int64_t operand, SizeArgument size,
                                     const std::string &axis, At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands{getTensor(operand)};
  SmallVector<int64_t> sizes = splitSizes({size}, operands, "size");
  return onlyResult(create<wax::AllGatherOp>(
                        at(location), operands, {},
                        [&](auto &properties) {
                          properties.static_sizes = makeList(context, sizes);
                          properties.axis = StringAttr::get(context, axis);
                        })
                        .results);
}

nb::tuple FunctionBuilder::psum(int64_t operand, const std::string &axis,
                                At location) {
  MLIRContext *context = enter();
  return onlyResult(create<wax::PsumOp>(at(location), getTensor(operand), {},
                                        [&](auto &properties) {
                                          properties.axis =
                                              StringAttr::get(context, axis);
                                        })
                        .results);
}

nb::tuple FunctionBuilder::pmax(int64_t operand, const std::string &axis,
                                bool minimum, bool isUnsigned, At location) {
  MLIRContext *context = enter();
  return onlyResult(create<wax::PmaxOp>(at(location), getTensor(operand), {},
                                        [&](auto &properties) {
                                          properties.axis =
                                              StringAttr::get(context, axis);
                                          if (minimum)
                                            properties.minimum =
                                                UnitAttr::get(context);
                                          if (isUnsigned)
                                            properties.unsigned_integers =
                                                UnitAttr::get(context);
                                        })
                        .results);
}

nb::tuple FunctionBuilder::ppermute(int64_t operand, const std::string &axis,
                                    const Numbers &sources, At location) {
  MLIRContext *context = enter();
  return onlyResult(create<wax::PpermuteOp>(
                        at(location), getTensor(operand), {},
                        [&](auto &properties) {
                          properties.axis = StringAttr::get(context, axis);
                          properties.sources = makeList(context, sources);
                        })
                        .results);
}

nb::tuple FunctionBuilder::name(int64_t operand, const std::string &name,
                                At location) {
  MLIRContext *context = enter();
  return onlyResult(create<wax::NameOp>(at(location), getTensor(operand), {},
                                        [&](auto &properties) {
                                          properties.name =
                                              StringAttr::get(context, name);
                                        })
                        .results);
}

nb::tuple FunctionBuilder::fft(int64_t operand, const Numbers &dims,
                               std::optional<int64_t> length, bool inverse,
                               At location) {
  MLIRContext *context = enter();
  Created made = create<wax::FftOp>(
      at(location), getTensor(operand), {}, [&](auto &properties) {
        properties.dims = makeList(context, dims);
        if (length)
          properties.length =
              IntegerAttr::get(IntegerType::get(context, 64), *length);
        if (inverse)
          properties.inverse = UnitAttr::get(context);
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::window(int64_t operand, const Numbers &dims,
                                  const Numbers &sizes, const Numbers &strides,
                                  const Numbers &dilations, At location) {
  MLIRContext *context = enter();
  Created made = create<wax::WindowOp>(
      at(location), getTensor(operand), {}, [&](auto &properties) {
        properties.dims = makeList(context, dims);
        properties.sizes = makeList(context, sizes);
        properties.strides = makeList(context, strides);
        properties.dilations = makeList(context, dilations);
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::fold(int64_t operand, int64_t init,
                                const Numbers &dims, const Sizes &sizes,
                                const Numbers &strides,
                                const Numbers &dilations, const Kernel &fold,
                                const Kernel *combine, At location) {
  MLIRContext *context = enter();
  SmallVector<Value> operands{getTensor(operand), getTensor(init)};
  SmallVector<int64_t> statics = splitSizes(sizes, operands, "sizes");
  Created made = create<wax::FoldOp>(
      at(location), operands, {&fold, combine}, [&](auto &properties) {
        properties.dims = makeList(context, dims);
        properties.static_sizes = makeList(context, statics);
        properties.strides = makeList(context, strides);
        properties.dilations = makeList(context, dilations);
      });
  return nb::make_tuple(made.results[0], made.constraints);
}

nb::tuple FunctionBuilder::convolve(
    int64_t lhs, int64_t rhs, const Numbers &lhsDims, const Numbers &rhsDims,
    const Numbers &resultDims, const Numbers &strides, const Numbers &low,
    const Numbers &high, const Numbers &lhsDilations,
    const Numbers &rhsDilations, int64_t featureGroups, int64_t batchGroups,
    const std::string &element, At location) {
  MLIRContext *context = enter();
  Type type = parseElementType(element);
  auto number = [&](int64_t value) {
    return IntegerAttr::get(IntegerType::get(context, 64), value);
  };
  Created made = create<wax::ConvolveOp>(
      at(location), {getTensor(lhs), getTensor(rhs)}, {},
      [&](auto &properties) {
        properties.lhs_dims = makeList(context, lhsDims);
        properties.rhs_dims = makeList(context, rhsDims);
        properties.result_dims = makeList(context, resultDims);
        properties.strides = makeList(context, strides);
        properties.low = makeList(context, low);
        properties.high = makeList(context, high);
        properties.lhs_dilations = makeList(context, lhsDilations);
        properties.rhs_dilations = makeList(context, rhsDilations);
        properties.feature_groups = number(featureGroups);
        properties.batch_groups = number(batchGroups);
        properties.element = TypeAttr::get(type);
      });
  return nb::make_tuple(made.results[0], made.constraints);
}
