//===- WaxOps.td - All wax operations ----------------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXOPS_TD
#define WAX_DIALECT_WAXOPS_TD

include "wax/Dialect/CheckpointOps.td"
include "wax/Dialect/CollectiveOps.td"
include "wax/Dialect/OrderingOps.td"
include "wax/Dialect/PointwiseOps.td"
include "wax/Dialect/ReduceOps.td"
include "wax/Dialect/SpecialOps.td"
include "wax/Dialect/SpectralOps.td"
include "wax/Dialect/StructuralOps.td"
include "wax/Dialect/UpdateOps.td"
include "wax/Dialect/WindowOps.td"

#endif // WAX_DIALECT_WAXOPS_TD
