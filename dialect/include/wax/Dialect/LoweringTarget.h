//===- LoweringTarget.h - What the basis is lowered to ----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LOWERINGTARGET_H
#define WAX_DIALECT_LOWERINGTARGET_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::wax {

/// `Upstream` is linalg, tensor, arith, math, complex and scf only: what
/// vendors get. `IREE` may use `iree_linalg_ext` besides.
enum class LoweringTarget { Upstream, IREE };

/// What the lowering of an operation may ask of the pass that drives it.
class LoweringContext {
public:
  explicit LoweringContext(LoweringTarget target, bool isForGPU = false,
                           bool isAlone = false)
      : target(target), gpu(isForGPU), alone(isAlone) {}
  virtual ~LoweringContext() = default;

  LoweringTarget getTarget() const { return target; }

  /// Whether the target is a GPU, by IREE.
  bool isForGPU() const { return gpu; }

  /// Whether an operation may be lowered to vectors: IREE takes them as they
  /// stand for a CPU, and not at all for GPUs.
  bool usesVectors() const { return target == LoweringTarget::IREE && !gpu; }

  /// Whether no loops are to be left for IREE, even where its own are as good:
  /// a program without any is compiled in a tenth of the time.
  bool isAlone() const { return alone; }

  /// The size along `dim` of `tensor`, an operand or a result of the operation
  /// that is being lowered: an attribute when it is static, else a value that
  /// is available at `builder`'s insertion point.
  virtual OpFoldResult getSize(OpBuilder &builder, Location loc, Value tensor,
                               int64_t dim) = 0;

  /// All sizes of `tensor`.
  SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                     Value tensor) {
    SmallVector<OpFoldResult> sizes;
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      sizes.push_back(getSize(builder, loc, tensor, dim));
    return sizes;
  }

private:
  LoweringTarget target;
  bool gpu, alone;
};

} // namespace mlir::wax

#endif // WAX_DIALECT_LOWERINGTARGET_H
