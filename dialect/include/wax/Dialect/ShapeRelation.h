//===- ShapeRelation.h - How an operation's sizes relate --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation states once how the sizes of its results follow from those of
// its operands, and what must hold between them. Type inference evaluates the
// statement over types, `reify` over SSA values, and the frontend over
// symbolic dims; run-time checks are made of what stays open.
//
// An operation whose result type knows a size that its operands do not gets a
// constraint for it, labelled with the operation's mnemonic and `_type`.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_SHAPERELATION_H
#define WAX_DIALECT_SHAPERELATION_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::wax {

/// `lhs == rhs` or `lhs <= rhs`, required by the constraint named `label`.
struct SizeConstraint {
  enum class Kind { Equal, AtMost };
  Kind kind;
  AffineExpr lhs, rhs;
  StringRef label;
};

/// Sizes are affine (or semi-affine) expressions: `d_k` is the k-th dynamic
/// source of a size, as `SizeSources` numbers them; static sizes are constants.
struct ShapeRelation {
  /// For each result, the size of each of its dims.
  SmallVector<SmallVector<AffineExpr>> results;
  /// What must hold and is not already true; false ones are verifier errors.
  SmallVector<SizeConstraint> constraints;
};

/// Where the dims of a relation's expressions come from: a dim of a tensor
/// operand, or an SSA size operand of index type.
struct SizeSource {
  Value value;
  /// The dim of a tensor `value`; -1 when `value` is the size itself.
  int64_t dim;
  /// Known to be at least 0, as every dim is.
  bool nonNegative;
};

/// Numbers the dynamic sizes that an operation can see: for each different
/// operand in order, each of its dynamic dims, or the operand itself if it is
/// an index.
class SizeSources {
public:
  SizeSources(MLIRContext *context, ValueRange operands);

  /// The size of `operand`'s dim: a constant, or the dim that stands for it.
  AffineExpr dim(Value operand, int64_t dim) const;
  /// The size that an index operand carries.
  AffineExpr size(Value index) const;
  /// A static or SSA size.
  AffineExpr size(OpFoldResult mixed) const;
  AffineExpr constant(int64_t value) const;

  ArrayRef<SizeSource> getSources() const { return sources; }
  MLIRContext *getContext() const { return context; }

private:
  AffineExpr find(Value value, int64_t dim) const;

  MLIRContext *context;
  SmallVector<SizeSource> sources;
};

/// The most elements that a static shape may have, dims of size 0 aside, and
/// the greatest stride, dilation or padding: arithmetic on sizes does not
/// overflow.
inline constexpr int64_t kMostElements = int64_t(1) << 47;
inline constexpr int64_t kGreatestAmount = (int64_t(1) << 31) - 1;
bool areSizesInReach(ArrayRef<int64_t> shape);

/// The static size an expression has, or ShapedType::kDynamic.
int64_t getStaticSize(AffineExpr expr);

/// Whether a constraint holds, or fails, whatever the sizes are.
bool isProvablyTrue(const SizeConstraint &constraint,
                    const SizeSources &sources);
bool isProvablyFalse(const SizeConstraint &constraint,
                     const SizeSources &sources);

/// The value of `expr` over `sources`, as folded index arithmetic.
OpFoldResult materializeSize(OpBuilder &builder, Location loc, AffineExpr expr,
                             const SizeSources &sources);

} // namespace mlir::wax

#endif // WAX_DIALECT_SHAPERELATION_H
