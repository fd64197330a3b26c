//===- Convolution.cpp - Products of windows with kernels -----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convolution.h"
#include "Formulas.h"
#include "Recognitions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

namespace {
/// Tells what each index of a contraction counts, of which one factor is
/// elements of windows.
class ConvolutionReader {
public:
  ConvolutionReader(const Contraction &contraction, Element windows,
                    Element kernel, int64_t rank)
      : contraction(contraction), windows(std::move(windows)),
        kernel(std::move(kernel)), rank(rank) {}

  std::optional<Convolution> read() {
    auto window = Reader::getOp<WindowOp>(windows);
    made.lhs.value = window.getOperand();
    made.rhs.value = kernel.value;
    made.strides = llvm::to_vector(window.getStrides());
    made.dilations = llvm::to_vector(window.getDilations());
    made.accumulator = contraction.accumulator;
    unsigned roles = ConvolveOp::kSpatial + window.getDims().size();
    for (Roles *each : {&made.lhs.roles, &made.rhs.roles, &made.roles})
      each->resize(roles);
    if (window.getDims().empty() || !readWindows(window) || !readKernel() ||
        !countGroups())
      return std::nullopt;
    setRoles();
    return made;
  }

private:
  bool isOfResult(int64_t index) const { return index >= 0 && index < rank; }
  static bool has(const Element &element, int64_t index) {
    return llvm::is_contained(element.indices, index);
  }
  static int64_t getDim(const Element &element, int64_t index) {
    return llvm::find(element.indices, index) - element.indices.begin();
  }
  static SmallVector<int64_t> getDims(const Element &element,
                                      ArrayRef<int64_t> indices) {
    return llvm::map_to_vector(
        indices, [&](int64_t index) { return getDim(element, index); });
  }

  bool readWindows(WindowOp window) {
    llvm::SmallDenseSet<int64_t> distinct;
    for (int64_t index : windows.indices)
      if (index != kNoIndex && !distinct.insert(index).second)
        return false;
    int64_t operandRank = windows.indices.size() - window.getDims().size();
    unsigned spatial = 0;
    for (int64_t dim = 0; dim < operandRank; ++dim) {
      int64_t index = windows.indices[dim];
      if (llvm::is_contained(window.getDims(), dim)) {
        int64_t element = windows.indices[operandRank + spatial];
        if (!readSpatial(dim, spatial++, index, element))
          return false;
      } else if (index == kNoIndex) {
        units.push_back(dim);
      } else if (isOfResult(index)) {
        (has(kernel, index) ? groups : batch).push_back(index);
      } else if (has(kernel, index)) {
        ins.push_back(index);
      } else {
        return false;
      }
    }
    return true;
  }

  /// One index counts windows, which the kernel knows nothing of, and one their
  /// elements, which are summed.
  bool readSpatial(int64_t dim, unsigned number, int64_t position,
                   int64_t element) {
    unsigned role = ConvolveOp::kSpatial + number;
    made.lhs.roles[role] = {dim};
    if (position != kNoIndex) {
      if (!isOfResult(position) || has(kernel, position))
        return false;
      made.roles[role] = {position};
    }
    if (element == kNoIndex)
      return true;
    if (isOfResult(element) || !has(kernel, element))
      return false;
    int64_t kernelDim = getDim(kernel, element);
    made.rhs.roles[role] = {kernelDim};
    return !cast<RankedTensorType>(kernel.value.getType())
                .isDynamicDim(kernelDim);
  }

  /// What the windows lack are outs, and every index of the result is one of
  /// a factor.
  bool readKernel() {
    for (int64_t index : kernel.indices)
      if (!has(windows, index)) {
        if (!isOfResult(index))
          return false;
        outs.push_back(index);
      }
    return llvm::all_of(contraction.summed,
                        [&](int64_t index) { return has(windows, index); }) &&
           llvm::all_of(llvm::seq(rank), [&](int64_t index) {
             return has(windows, index) || has(kernel, index);
           });
  }

  /// Groups of several features are products of matrices, and stay these, as
  /// IREE 3.13 multiplies them faster.
  bool countGroups() {
    if (!groups.empty() && !ins.empty())
      return false;
    auto type = cast<RankedTensorType>(made.lhs.value.getType());
    constexpr int64_t most = std::numeric_limits<int32_t>::max();
    for (int64_t index : groups) {
      int64_t size = type.getDimSize(getDim(windows, index));
      if (ShapedType::isDynamic(size) || size < 1 || size > most / made.groups)
        return false;
      made.groups *= size;
    }
    return true;
  }

  void setRoles() {
    for (SmallVector<int64_t> *indices : {&batch, &groups, &outs})
      llvm::sort(*indices);
    made.lhs.roles[ConvolveOp::kBatch] = getDims(windows, batch);
    llvm::append_range(made.lhs.roles[ConvolveOp::kBatch], units);
    made.lhs.roles[ConvolveOp::kFeature] = getDims(windows, groups);
    llvm::append_range(made.lhs.roles[ConvolveOp::kFeature],
                       getDims(windows, ins));
    made.rhs.roles[ConvolveOp::kIn] = getDims(kernel, ins);
    made.rhs.roles[ConvolveOp::kOut] = getDims(kernel, groups);
    llvm::append_range(made.rhs.roles[ConvolveOp::kOut], getDims(kernel, outs));
    made.roles[ConvolveOp::kBatch] = batch;
    made.roles[ConvolveOp::kFeature] = groups;
    llvm::append_range(made.roles[ConvolveOp::kFeature], outs);
  }

  const Contraction &contraction;
  Element windows, kernel;
  int64_t rank;
  /// The indices that count them.
  SmallVector<int64_t> batch, groups, ins, outs;
  /// Dims of `lhs` that have one element, at no index.
  SmallVector<int64_t> units;
  Convolution made;
};
} // namespace

/// The element that is widened, or the element itself.
static Element takeWidening(const Reader &reader, const Element &element,
                            Operation *&widening) {
  Operation *op = element.value.getDefiningOp();
  if (!isa_and_present<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return element;
  widening = op;
  return reader.getOperand(element);
}

std::optional<Convolution> mlir::wax::readConvolution(Reader &reader,
                                                      Value result) {
  std::optional<Contraction> contraction = readContraction(
      reader, withoutNarrowing(reader, reader.resolve(reader.read(result))));
  if (!contraction || contraction->accumulator.isInteger(1))
    return std::nullopt;
  int64_t rank = cast<RankedTensorType>(result.getType()).getRank();
  for (unsigned place : {0, 1}) {
    const Factor &kernel = contraction->factors[1 - place];
    Operation *widening = nullptr;
    Element windows =
        takeWidening(reader, contraction->factors[place].element, widening);
    if (!kernel.source.value || !Reader::getOp<WindowOp>(windows) ||
        !reader.isVisible(windows.value))
      continue;
    std::optional<Convolution> found =
        ConvolutionReader(*contraction, windows, kernel.source, rank).read();
    if (!found)
      continue;
    found->lhs.widening = widening;
    found->rhs.widening = kernel.widening;
    return found;
  }
  return std::nullopt;
}
