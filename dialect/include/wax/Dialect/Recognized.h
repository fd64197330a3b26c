//===- Recognized.h - Operations that stand for several ---------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_RECOGNIZED_H
#define WAX_DIALECT_RECOGNIZED_H

#include "wax/Dialect/Wax.h"

#define GET_OP_CLASSES
#include "wax/Dialect/RecognizedOps.h.inc"

#endif // WAX_DIALECT_RECOGNIZED_H
