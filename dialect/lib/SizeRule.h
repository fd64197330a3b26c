//===- SizeRule.h - Stating an operation's shape rule -----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An operation's shape rule is one function over its adaptor,
//
//   static FailureOr<ShapeRelation>
//   relate(MapOp::Adaptor op, const SizeSources &sizes, Fault fault);
//
// which can be asked before the operation exists. This file holds what rules
// are written with, and the evaluations that are derived from them.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LIB_SIZERULE_H
#define WAX_DIALECT_LIB_SIZERULE_H

#include "wax/Dialect/Wax.h"

#include "mlir/IR/Diagnostics.h"

namespace mlir::wax {

/// Reports what is wrong with an operation, which need not exist yet: the
/// label of the broken constraint, then plain words. Silent without location.
class Fault {
public:
  Fault(std::optional<Location> location, StringRef operation)
      : location(location), operation(operation) {}

  template <typename... Args>
  LogicalResult operator()(StringRef label, Args &&...args) const {
    return emitOptionalError(location, "'", operation, "' op [", label, "] ",
                             std::forward<Args>(args)...);
  }

private:
  std::optional<Location> location;
  StringRef operation;
};

/// A shape relation in the making.
class RelationBuilder {
public:
  RelationBuilder(const SizeSources &sizes, Fault fault)
      : sizes(sizes), fault(fault) {}

  /// Requires `constraint`; if it is false whatever the sizes are, reports the
  /// fault that `args` put in words.
  template <typename... Args>
  LogicalResult require(SizeConstraint constraint, Args &&...args) {
    if (isProvablyTrue(constraint, sizes))
      return success();
    if (isProvablyFalse(constraint, sizes))
      return fault(constraint.label, std::forward<Args>(args)...);
    relation.constraints.push_back(constraint);
    return success();
  }
  template <typename... Args>
  LogicalResult requireEqual(AffineExpr lhs, AffineExpr rhs, StringRef label,
                             Args &&...args) {
    return require({SizeConstraint::Kind::Equal, lhs, rhs, label},
                   std::forward<Args>(args)...);
  }
  template <typename... Args>
  LogicalResult requireAtMost(AffineExpr lhs, AffineExpr rhs, StringRef label,
                              Args &&...args) {
    return require({SizeConstraint::Kind::AtMost, lhs, rhs, label},
                   std::forward<Args>(args)...);
  }

  /// Requires strides, dilations or amounts of padding to lie in a range. They
  /// are those of `dims`, or of all dims in their order.
  LogicalResult requireWithin(ArrayRef<int64_t> values, int64_t least,
                              int64_t greatest, StringRef label, StringRef name,
                              ArrayRef<int64_t> dims = {});

  /// The entries of a list of static and SSA sizes, none of them negative.
  FailureOr<SmallVector<AffineExpr>> getSizes(ArrayRef<int64_t> staticSizes,
                                              ValueRange dynamicSizes,
                                              StringRef label);

  void addResult(SmallVector<AffineExpr> dims) {
    relation.results.push_back(std::move(dims));
  }
  ShapeRelation take() { return std::move(relation); }

  const SizeSources &sizes;
  const Fault fault;

private:
  ShapeRelation relation;
};

/// The dims of a result that takes them from several operands: a static size
/// goes before a dynamic one, else the first operand's stands.
class JoinedDims {
public:
  JoinedDims(RelationBuilder &builder, int64_t rank, StringRef label,
             bool isMapped, StringRef noun = "result dim")
      : builder(builder), label(label), isMapped(isMapped), noun(noun),
        dims(rank) {}

  /// States that result dim `resultDim` is `operand`'s dim `dim`; the operand
  /// is called by its number.
  LogicalResult join(int64_t resultDim, Value operand, unsigned number,
                     int64_t dim);
  void set(int64_t resultDim, AffineExpr size) { dims[resultDim].size = size; }
  bool has(int64_t resultDim) const { return bool(dims[resultDim].size); }
  AffineExpr operator[](int64_t resultDim) const {
    return dims[resultDim].size;
  }
  SmallVector<AffineExpr> take() const;

private:
  struct Dim {
    AffineExpr size;
    unsigned operand = 0;
    int64_t dim = 0;
  };
  RelationBuilder &builder;
  StringRef label;
  /// Operands' dims have other numbers than the result's.
  bool isMapped;
  /// What a dim of the result is called, where it is something else's.
  StringRef noun;
  SmallVector<Dim> dims;
};

/// The dims of operands, one at least, whose shapes are to be equal.
FailureOr<SmallVector<AffineExpr>>
joinEqualShapes(RelationBuilder &builder, ValueRange operands, StringRef label);

/// The dims of an operand, each by itself.
SmallVector<AffineExpr> getDims(Value operand, const SizeSources &sizes);
/// A result with the shape of the only operand.
ShapeRelation relateSame(Value operand, const SizeSources &sizes, Fault fault);

/// Whether `dim` lies in the rank of what is called `whose` rank.
LogicalResult checkDim(int64_t dim, int64_t rank, StringRef label,
                       StringRef whose, Fault fault);

/// Whether `dims` lie in that rank, and increase.
LogicalResult checkIncreasing(ArrayRef<int64_t> dims, int64_t rank,
                              StringRef label, StringRef whose, Fault fault);

/// Whether a kernel takes scalars of the types `arguments`, and yields
/// scalars; reports the fault under the label given for each.
LogicalResult checkKernelSignature(Region &kernel, ArrayRef<Type> arguments,
                                   Fault fault, StringRef kernelName,
                                   StringRef argumentsLabel,
                                   StringRef yieldLabel);

/// Whether a kernel holds pure scalar operations only.
LogicalResult checkKernelBody(Region &kernel, Fault fault, StringRef label);

/// Whether `values` are the numbers from 0 to `size - 1` in some order.
bool isPermutation(ArrayRef<int64_t> values, int64_t size);

inline RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}
inline Type getElement(Value tensor) {
  return getTensor(tensor).getElementType();
}

/// The type of a result with these dims.
RankedTensorType getTensorType(ArrayRef<AffineExpr> dims, Type element);

/// Whether each type on one side fits the one on the other: the same element
/// type, and no static size against another.
bool areCompatible(TypeRange lhs, TypeRange rhs);

/// Compares an operation's result types with those that follow from its
/// operands; reports the broken constraint otherwise.
LogicalResult verifyInferredTypes(Operation *op);

/// The relation of an operation that exists, with constraints for what its
/// result types know besides.
FailureOr<ShapeRelation> finishRelation(Operation *op,
                                        FailureOr<ShapeRelation> relation,
                                        const SizeSources &sizes);

/// The sizes that an operation's relation gives its results.
LogicalResult reifyRelation(Operation *op, OpBuilder &builder,
                            ReifiedRankedShapedTypeDims &shapes);

/// Whether an operation with other operands and properties would be valid, with
/// result types that fit those it has.
template <typename OpTy>
bool isValidWith(OpTy op, ValueRange operands,
                 typename OpTy::Properties properties) {
  SmallVector<Type> types;
  return succeeded(
             OpTy::inferReturnTypes(op.getContext(), std::nullopt, operands,
                                    op->getDiscardableAttrDictionary(),
                                    &properties, op->getRegions(), types)) &&
         areCompatible(types, op->getResultTypes());
}

/// Gives an operation in the making the result types that follow from the rest
/// of it, which must be valid.
template <typename OpTy> void inferTypes(OperationState &state) {
  SmallVector<Type> types;
  if (failed(OpTy::inferReturnTypes(
          state.getContext(), state.location, state.operands,
          state.attributes.getDictionary(state.getContext()),
          state.getRawProperties(), state.regions, types)))
    llvm::report_fatal_error("built an operation that breaks its constraints");
  state.addTypes(types);
}

/// Text for messages: `1 operand`, `2 operands`.
std::string count(size_t number, StringRef noun);
/// Text for messages: `there is 1 operand`, `there are 2 operands`.
std::string thereAre(size_t number, StringRef noun);
/// Text for messages: `[0, 2]`.
std::string list(ArrayRef<int64_t> values);

} // namespace mlir::wax

/// What every operation of the basis derives from its rule `relate`, which
/// must stand before in the file.
#define WAX_DERIVE_FROM_RULE(OpTy)                                             \
  FailureOr<ShapeRelation> OpTy::getShapeRelation() {                          \
    SizeSources sizes(getContext(), (*this)->getOperands());                   \
    return finishRelation(*this,                                               \
                          relate(OpTy::Adaptor(*this), sizes,                  \
                                 Fault(std::nullopt, getOperationName())),     \
                          sizes);                                              \
  }                                                                            \
  LogicalResult OpTy::reifyResultShapes(OpBuilder &builder,                    \
                                        ReifiedRankedShapedTypeDims &shapes) { \
    return reifyRelation(*this, builder, shapes);                              \
  }                                                                            \
  LogicalResult OpTy::verify() { return verifyInferredTypes(*this); }          \
  bool OpTy::isCompatibleReturnTypes(TypeRange lhs, TypeRange rhs) {           \
    return areCompatible(lhs, rhs);                                            \
  }

/// The result type of an operation that moves elements: the dims of its rule,
/// and its first operand's element type.
#define WAX_INFER_FROM_RULE(OpTy)                                              \
  LogicalResult OpTy::inferReturnTypes(                                        \
      MLIRContext *context, std::optional<Location> location, Adaptor op,      \
      SmallVectorImpl<Type> &types) {                                          \
    FailureOr<ShapeRelation> relation =                                        \
        relate(op, SizeSources(context, op.getOperands()),                     \
               Fault(location, getOperationName()));                           \
    if (failed(relation))                                                      \
      return failure();                                                        \
    types.push_back(getTensorType(relation->results.front(),                   \
                                  getElement(op.getOperands().front())));      \
    return success();                                                          \
  }

#endif // WAX_DIALECT_LIB_SIZERULE_H
