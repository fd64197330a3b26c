//===- LoweringTarget.h - What the basis is lowered to ----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_LOWERINGTARGET_H
#define WAX_DIALECT_LOWERINGTARGET_H

namespace mlir::wax {

/// `Upstream` is linalg, tensor, arith, math, complex and scf only: what
/// vendors get. `IREE` may use `iree_linalg_ext` besides.
enum class LoweringTarget { Upstream, IREE };

} // namespace mlir::wax

#endif // WAX_DIALECT_LOWERINGTARGET_H
