//===- WaxOps.h - Ops of the dialect -------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXOPS_H
#define WAX_DIALECT_WAXOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "wax/Dialect/WaxAttrs.h"
#include "wax/Dialect/WaxDialect.h"
#include "wax/Dialect/WaxInterfaces.h"

#define GET_OP_CLASSES
#include "wax/Dialect/WaxOps.h.inc"

#endif // WAX_DIALECT_WAXOPS_H
