//===- Kernel.h - Kernels: regions over scalars -----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_KERNEL_H
#define WAX_PYTHON_KERNEL_H

#include "Location.h"

#include "mlir/IR/Operation.h"

#include <nanobind/nanobind.h>

#include <memory>

namespace mlir::wax::python {

/// A finished kernel region. It is never changed: every use clones it.
class Kernel {
public:
  Kernel(std::unique_ptr<Region> region, TypeRange resultTypes)
      : region(std::move(region)), resultTypes(resultTypes) {}
  ~Kernel();

  /// Operations that have no location of their own take `location`.
  void cloneInto(Region &target, Location location) const;
  Region &getRegion() const { return *region; }
  TypeRange getArgumentTypes() const { return region->getArgumentTypes(); }
  ArrayRef<Type> getResultTypes() const { return resultTypes; }
  std::string text() const;

private:
  std::unique_ptr<Region> region;
  SmallVector<Type> resultTypes;
};

/// Builds a kernel, one call a scalar operation.
class KernelBuilder {
public:
  explicit KernelBuilder(const std::vector<std::string> &argumentTypes);
  ~KernelBuilder();

  int64_t constant(nanobind::handle value, const std::string &type);
  int64_t op(const std::string &name, const std::vector<int64_t> &operands,
             const std::string &resultType,
             std::optional<nanobind::dict> attributes,
             const SourceLocation *location);
  std::shared_ptr<Kernel> finish(const std::vector<int64_t> &results);

private:
  MLIRContext *enter() const;
  Value getScalar(int64_t number) const;
  SmallVector<Value> getScalars(ArrayRef<int64_t> numbers) const;
  /// Verifies an operation and numbers its result.
  int64_t insert(OperationState &state);

  std::unique_ptr<Region> region;
  SmallVector<Value> scalars;
};

void bindKernel(nanobind::module_ &m);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_KERNEL_H
