//===- Elements.cpp - Tensors read element by element ---------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "../building/Tensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The scalar that is the same everywhere in a constant.
static Attribute getConstant(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return {};
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return elements.isSplat() ? elements.getSplatValue<Attribute>()
                              : Attribute();
  return attribute;
}

std::optional<double> mlir::wax::getNumber(const Element &element) {
  Attribute constant = getConstant(element.value);
  if (auto number = dyn_cast_or_null<FloatAttr>(constant))
    return number.getValueAsDouble();
  if (auto number = dyn_cast_or_null<IntegerAttr>(constant))
    return static_cast<double>(number.getValue().getSExtValue());
  return std::nullopt;
}

/// As deep as masks of attention are.
static bool isFromNothing(Value tensor, unsigned depth) {
  Operation *op = tensor.getDefiningOp();
  return op && depth > 0 && op->hasTrait<OpTrait::wax::Basis>() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isa<RankedTensorType>(operand.getType()) ||
                  isFromNothing(operand, depth - 1);
         });
}

bool mlir::wax::isFromNothing(Value tensor) {
  return ::isFromNothing(tensor, /*depth=*/8);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// What a kernel's argument is an element of.
static std::optional<Element> readArgument(BlockArgument argument,
                                           ArrayRef<int64_t> indices) {
  unsigned number = argument.getArgNumber();
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto map = dyn_cast<MapOp>(parent))
    return Element{map.getOperand(), llvm::to_vector(indices)};
  if (auto broadcast = dyn_cast<BroadcastOp>(parent)) {
    Element element{broadcast.getInputs()[number], {}};
    for (int64_t dim : broadcast.getOperandDims(number))
      element.indices.push_back(indices[dim]);
    return element;
  }
  if (auto reduce = dyn_cast<ReduceOp>(parent);
      reduce && number < reduce.getInputs().size())
    return Element{reduce.getInputs()[number], llvm::to_vector(indices)};
  return std::nullopt;
}

/// The dims of a group but those of size 1.
static SmallVector<int64_t> withoutUnits(Attribute group,
                                         RankedTensorType type) {
  return llvm::filter_to_vector(
      cast<DenseI64ArrayAttr>(group).asArrayRef(),
      [&](int64_t dim) { return type.getDimSize(dim) != 1; });
}

/// What a reshape reads that only inserts and drops dims of size 1.
static std::optional<Element> readReshape(ReshapeOp op,
                                          ArrayRef<int64_t> indices) {
  auto source = cast<RankedTensorType>(op.getOperand().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Element element{op.getOperand(),
                  SmallVector<int64_t>(source.getRank(), kNoIndex)};
  for (auto [from, to] :
       llvm::zip_equal(op.getSourceGroups(), op.getResultGroups())) {
    SmallVector<int64_t> read = withoutUnits(from, source);
    SmallVector<int64_t> made = withoutUnits(to, result);
    if (read.size() > 1 || read.size() != made.size())
      return std::nullopt;
    if (!read.empty())
      element.indices[read.front()] = indices[made.front()];
  }
  return element;
}

bool Reader::isVisible(Value tensor) const {
  Operation *op = tensor.getDefiningOp();
  return op && !stops.contains(tensor) &&
         (op->getBlock() == block || isFromNothing(tensor));
}

Element Reader::read(Value tensor) {
  next = 0;
  Element element{tensor, {}};
  for (int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
       next < rank;)
    element.indices.push_back(next++);
  return element;
}

std::optional<Element> Reader::step(const Element &element) const {
  if (auto argument = dyn_cast<BlockArgument>(element.value))
    return readArgument(argument, element.indices);
  if (!isa<RankedTensorType>(element.value.getType()) ||
      !isVisible(element.value))
    return std::nullopt;
  using Found = std::optional<Element>;
  return llvm::TypeSwitch<Operation *, Found>(element.value.getDefiningOp())
      .Case<MapOp, BroadcastOp>([&](auto op) -> Found {
        Operation *end = op.getKernel().front().getTerminator();
        return Element{end->getOperand(0), element.indices};
      })
      .Case([&](PermuteOp op) -> Found {
        Element read{op.getOperand(), element.indices};
        for (auto [place, dim] : llvm::enumerate(op.getPermutation()))
          read.indices[dim] = element.indices[place];
        return read;
      })
      .Case([&](ReshapeOp op) { return readReshape(op, element.indices); })
      .Case([&](tensor::CastOp op) -> Found {
        return Element{op.getSource(), element.indices};
      })
      .Default(Found());
}

Element Reader::resolve(Element element) const {
  while (std::optional<Element> nearer = step(element))
    element = std::move(*nearer);
  return element;
}

/// Whether indices are fit for a dim each.
static bool areDistinct(ArrayRef<int64_t> indices) {
  llvm::SmallDenseSet<int64_t> distinct(indices.begin(), indices.end());
  return distinct.size() == indices.size() && !distinct.contains(kNoIndex);
}

Element Reader::getSource(Element element, Operation **widening,
                          std::optional<ArrayRef<int64_t>> indices) const {
  Element source;
  while (true) {
    if (isa<RankedTensorType>(element.value.getType()) &&
        (indices ? *indices == ArrayRef(element.indices)
                 : areDistinct(element.indices)))
      source = element;
    if (std::optional<Element> nearer = step(element)) {
      element = std::move(*nearer);
      continue;
    }
    Operation *op = element.value.getDefiningOp();
    if (!widening || *widening ||
        !isa_and_present<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      break;
    *widening = op;
    element.value = op->getOperand(0);
  }
  // A conversion of what is no tensor has not been looked through.
  if (widening && *widening && source.value &&
      getElementTypeOrSelf(source.value) !=
          (*widening)->getOperand(0).getType())
    *widening = nullptr;
  return source;
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Whether a kernel is one such operation of its two arguments.
static bool isJoin(Region &kernel,
                   llvm::function_ref<bool(Operation *)> joins) {
  if (kernel.empty() || kernel.getNumArguments() != 2)
    return false;
  Operation *op = kernel.front().getTerminator()->getOperand(0).getDefiningOp();
  if (!op || !joins(op))
    return false;
  Value first = kernel.getArgument(0), second = kernel.getArgument(1);
  return (op->getOperand(0) == first && op->getOperand(1) == second) ||
         (op->getOperand(0) == second && op->getOperand(1) == first);
}

std::optional<Fold>
Reader::getFold(const Element &element,
                llvm::function_ref<bool(Operation *)> joins,
                llvm::function_ref<bool(Attribute)> isIdentity) {
  auto reduce = getOp<ReduceOp>(element);
  if (!reduce || !isVisible(element.value) || reduce->getNumResults() != 1 ||
      !isJoin(reduce.getCombine(), joins))
    return std::nullopt;
  Attribute init = getConstant(reduce.getInits().front());
  if (!init || !isIdentity(init))
    return std::nullopt;
  Block &fold = reduce.getFold().front();
  Value accumulator = fold.getArguments().back();
  Operation *join = fold.getTerminator()->getOperand(0).getDefiningOp();
  if (!join || !joins(join) || !accumulator.hasOneUse() ||
      !llvm::is_contained(join->getOperands(), accumulator))
    return std::nullopt;
  Fold found;
  found.term.value =
      join->getOperand(join->getOperand(0) == accumulator ? 1 : 0);
  auto type = cast<RankedTensorType>(reduce.getInputs().front().getType());
  for (int64_t dim = 0, kept = 0; dim < type.getRank(); ++dim) {
    if (llvm::is_contained(reduce.getDims(), dim)) {
      found.sizes.push_back(type.getDimSize(dim));
      found.folded.push_back(next);
      found.term.indices.push_back(next++);
    } else {
      found.term.indices.push_back(element.indices[kept++]);
    }
  }
  return found;
}

std::optional<Fold> Reader::getSum(const Element &element) {
  return getFold(
      element, llvm::IsaPred<arith::AddFOp, arith::AddIOp, complex::AddOp>,
      [](Attribute init) { return isZero(init, /*anySign=*/false); });
}

std::optional<Fold> Reader::getMaximum(const Element &element) {
  return getFold(element, llvm::IsaPred<arith::MaximumFOp>, [](Attribute init) {
    auto number = dyn_cast<FloatAttr>(init);
    return number && number.getValue().isInfinity() &&
           number.getValue().isNegative();
  });
}

Element Reader::replaceIndices(Element element, ArrayRef<int64_t> from,
                               ArrayRef<int64_t> to) {
  for (int64_t &index : element.indices)
    for (auto [old, made] : llvm::zip_equal(from, to))
      if (index == old) {
        index = made;
        break;
      }
  return element;
}

//===----------------------------------------------------------------------===//
// Equality
//===----------------------------------------------------------------------===//

/// Whether indices of a tensor differ where it has more than one element.
static bool areIndicesEqual(const Element &lhs, const Element &rhs) {
  auto type = dyn_cast<RankedTensorType>(lhs.value.getType());
  for (auto [dim, pair] :
       llvm::enumerate(llvm::zip_equal(lhs.indices, rhs.indices)))
    if (std::get<0>(pair) != std::get<1>(pair) &&
        !(type && type.getDimSize(dim) == 1))
      return false;
  return true;
}

bool Reader::isSame(const Element &lhs, const Element &rhs) {
  unsigned budget = 256;
  return isSame(lhs, rhs, budget);
}

bool Reader::isSame(Element lhs, Element rhs, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  lhs = resolve(std::move(lhs));
  rhs = resolve(std::move(rhs));
  if (lhs.value == rhs.value && areIndicesEqual(lhs, rhs))
    return true;
  if (Attribute constant = getConstant(lhs.value))
    return constant == getConstant(rhs.value);
  Operation *left = lhs.value.getDefiningOp();
  Operation *right = rhs.value.getDefiningOp();
  if (!left || !right || left->getName() != right->getName() ||
      lhs.value.getType() != rhs.value.getType() ||
      isa<RankedTensorType>(lhs.value.getType()) ||
      left->getAttrDictionary() != right->getAttrDictionary())
    return false;
  auto areOperandsSame = [&](bool swapped) {
    for (unsigned i = 0, count = left->getNumOperands(); i < count; ++i)
      if (!isSame({left->getOperand(i), lhs.indices},
                  {right->getOperand(swapped ? count - 1 - i : i), rhs.indices},
                  budget))
        return false;
    return true;
  };
  return areOperandsSame(false) ||
         (left->hasTrait<OpTrait::IsCommutative>() &&
          left->getNumOperands() == 2 && areOperandsSame(true));
}
