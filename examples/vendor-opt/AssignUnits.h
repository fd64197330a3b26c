//===- AssignUnits.h - Which unit of the chip does what --------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef VENDOR_ASSIGNUNITS_H
#define VENDOR_ASSIGNUNITS_H

namespace vendor {

/// Makes `vendor-assign-units` known: it writes on each operation of the basis,
/// as `vendor.unit`, which unit of the chip is to do it. Sums of products are
/// for the "matrix" unit, with the products that nothing else reads; all else
/// with a kernel is for the "vector" unit, and what moves elements for "dma".
void registerAssignUnitsPass();

} // namespace vendor

#endif // VENDOR_ASSIGNUNITS_H
