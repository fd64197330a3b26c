//===- SizeRule.cpp - Stating an operation's shape rule -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

LogicalResult RelationBuilder::requireWithin(ArrayRef<int64_t> values,
                                             int64_t least, int64_t greatest,
                                             StringRef label, StringRef name,
                                             ArrayRef<int64_t> dims) {
  for (auto [i, value] : llvm::enumerate(values))
    if (value < least || value > greatest)
      return fault(label, name, " ", value, " of dim ",
                   dims.empty() ? static_cast<int64_t>(i) : dims[i], " is ",
                   value < least ? "less" : "more", " than ",
                   value < least ? least : greatest);
  return success();
}

FailureOr<SmallVector<AffineExpr>>
RelationBuilder::getSizes(ArrayRef<int64_t> staticSizes,
                          ValueRange dynamicSizes, StringRef label) {
  size_t dynamic = llvm::count_if(staticSizes, ShapedType::isDynamic);
  if (dynamic != dynamicSizes.size())
    return fault(label, thereAre(dynamicSizes.size(), "SSA size"), " for ",
                 count(dynamic, "dynamic entry"), " of sizes");
  SmallVector<AffineExpr> result;
  for (int64_t size : staticSizes) {
    AffineExpr expr = sizes.constant(size);
    if (ShapedType::isDynamic(size)) {
      expr = sizes.size(dynamicSizes.front());
      dynamicSizes = dynamicSizes.drop_front();
    }
    if (failed(requireAtMost(sizes.constant(0), expr, label, "size ", size,
                             " is negative")))
      return failure();
    if (size > kMostElements)
      return fault(label, "size ", size, " is more than 2^47");
    result.push_back(expr);
  }
  return result;
}

LogicalResult JoinedDims::join(int64_t resultDim, Value operand,
                               unsigned number, int64_t dim) {
  Dim &known = dims[resultDim];
  Dim joined = {builder.sizes.dim(operand, dim), number, dim};
  if (!known.size) {
    known = joined;
    return success();
  }
  AffineExpr held = known.size;
  std::string both =
      isMapped ? "; both are " + noun.str() + " " + std::to_string(resultDim)
               : "";
  if (failed(builder.requireEqual(held, joined.size, label, "operand ", number,
                                  " dim ", dim, " has size ",
                                  getStaticSize(joined.size), ", but operand ",
                                  known.operand, " dim ", known.dim,
                                  " has size ", getStaticSize(held), both)))
    return failure();
  if (isa<AffineConstantExpr>(joined.size) && !isa<AffineConstantExpr>(held))
    known = joined;
  return success();
}

SmallVector<AffineExpr> JoinedDims::take() const {
  return llvm::map_to_vector(dims, [](const Dim &dim) { return dim.size; });
}

SmallVector<AffineExpr> mlir::wax::getDims(Value operand,
                                           const SizeSources &sizes) {
  return llvm::map_to_vector(
      llvm::seq(getTensor(operand).getRank()),
      [&](int64_t dim) { return sizes.dim(operand, dim); });
}

ShapeRelation mlir::wax::relateSame(Value operand, const SizeSources &sizes,
                                    Fault fault) {
  RelationBuilder builder(sizes, fault);
  builder.addResult(getDims(operand, sizes));
  return builder.take();
}

FailureOr<SmallVector<AffineExpr>>
mlir::wax::joinEqualShapes(RelationBuilder &builder, ValueRange operands,
                           StringRef label) {
  int64_t rank = getTensor(operands.front()).getRank();
  JoinedDims joined(builder, rank, label, /*isMapped=*/false);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    int64_t other = getTensor(operand).getRank();
    if (other != rank)
      return builder.fault(label, "operand ", i, " has rank ", other,
                           ", but operand 0 has rank ", rank);
    for (int64_t dim : llvm::seq(rank))
      if (failed(joined.join(dim, operand, i, dim)))
        return failure();
  }
  return joined.take();
}

bool mlir::wax::isPermutation(ArrayRef<int64_t> values, int64_t size) {
  if (static_cast<int64_t>(values.size()) != size)
    return false;
  llvm::SmallBitVector seen(size);
  for (int64_t value : values) {
    if (value < 0 || value >= size || seen.test(value))
      return false;
    seen.set(value);
  }
  return true;
}

RankedTensorType mlir::wax::getTensorType(ArrayRef<AffineExpr> dims,
                                          Type element) {
  return RankedTensorType::get(llvm::map_to_vector(dims, getStaticSize),
                               element);
}

bool mlir::wax::areCompatible(TypeRange lhs, TypeRange rhs) {
  if (lhs.size() != rhs.size())
    return false;
  return llvm::all_of(llvm::zip(lhs, rhs), [](auto pair) {
    auto left = dyn_cast<RankedTensorType>(std::get<0>(pair));
    auto right = dyn_cast<RankedTensorType>(std::get<1>(pair));
    return left && right && left.getElementType() == right.getElementType() &&
           left.getEncoding() == right.getEncoding() &&
           succeeded(verifyCompatibleShape(left, right));
  });
}

LogicalResult mlir::wax::verifyInferredTypes(Operation *op) {
  auto inference = cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (failed(inference.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  if (types.size() != op->getNumResults())
    return emitError(op->getLoc()) << "'" << op->getName() << "' op has "
                                   << count(op->getNumResults(), "result")
                                   << ", but must have " << types.size();
  for (auto [i, type] : llvm::enumerate(types))
    if (Type declared = op->getResult(i).getType();
        !areCompatible(type, declared))
      return emitError(op->getLoc())
             << "'" << op->getName() << "' op result " << i << " is of type "
             << declared << ", but must be of type " << type;
  return success();
}

FailureOr<ShapeRelation>
mlir::wax::finishRelation(Operation *op, FailureOr<ShapeRelation> relation,
                          const SizeSources &sizes) {
  if (failed(relation))
    return failure();
  for (auto [result, dims] : llvm::zip(op->getResults(), relation->results)) {
    auto type = cast<RankedTensorType>(result.getType());
    for (auto [size, expr] : llvm::zip(type.getShape(), dims)) {
      if (ShapedType::isDynamic(size) || isa<AffineConstantExpr>(expr))
        continue;
      // The label must live as long as the context.
      StringRef label = StringAttr::get(op->getContext(),
                                        op->getName().stripDialect() + "_type")
                            .getValue();
      relation->constraints.push_back(
          {SizeConstraint::Kind::Equal, expr, sizes.constant(size), label});
      expr = sizes.constant(size);
    }
  }
  return relation;
}

LogicalResult mlir::wax::reifyRelation(Operation *op, OpBuilder &builder,
                                       ReifiedRankedShapedTypeDims &shapes) {
  FailureOr<ShapeRelation> relation =
      cast<ShapeRelationOpInterface>(op).getShapeRelation();
  if (failed(relation))
    return failure();
  SizeSources sizes(op->getContext(), op->getOperands());
  for (ArrayRef<AffineExpr> dims : relation->results)
    shapes.push_back(llvm::map_to_vector(dims, [&](AffineExpr dim) {
      return materializeSize(builder, op->getLoc(), dim, sizes);
    }));
  return success();
}

std::string mlir::wax::count(size_t number, StringRef noun) {
  std::string text = std::to_string(number) + " " + noun.str();
  if (number == 1)
    return text;
  if (noun.ends_with("y"))
    return text.substr(0, text.size() - 1) + "ies";
  return text + "s";
}

std::string mlir::wax::thereAre(size_t number, StringRef noun) {
  return (number == 1 ? "there is " : "there are ") + count(number, noun);
}

std::string mlir::wax::list(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(values, os);
  os << "]";
  return text;
}

LogicalResult mlir::wax::checkDim(int64_t dim, int64_t rank, StringRef label,
                                  StringRef whose, Fault fault) {
  if (dim >= 0 && dim < rank)
    return success();
  return fault(label, "dim ", dim, " does not lie in the ", whose, " rank ",
               rank);
}

LogicalResult mlir::wax::checkIncreasing(ArrayRef<int64_t> dims, int64_t rank,
                                         StringRef label, StringRef whose,
                                         Fault fault) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return fault(label, "dim ", dim, " of ", list(dims),
                   " does not lie in the ", whose, " rank ", rank);
    if (dim <= previous)
      return fault(label, "dims ", list(dims), " do not increase");
    previous = dim;
  }
  return success();
}
