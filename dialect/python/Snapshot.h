//===- Snapshot.h - The immutable picture of a program ----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_SNAPSHOT_H
#define WAX_PYTHON_SNAPSHOT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

// Each gives the dataclass of that name in `wax_runtime.snapshot`, and throws
// DialectError for IR that it cannot hold.

nanobind::object snapshotKernel(Region &region);
nanobind::object snapshotFunction(func::FuncOp function);
nanobind::object snapshotModule(ModuleOp module);

/// A function's values by their numbers in its snapshot.
SmallVector<Value> numberValues(func::FuncOp function);

/// The names of all recognised operations.
nanobind::tuple recognizedOperations();

/// The function that a snapshot of a module has for its entry.
func::FuncOp findEntry(ModuleOp module);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_SNAPSHOT_H
