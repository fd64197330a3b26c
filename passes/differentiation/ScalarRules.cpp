//===- ScalarRules.cpp - Kernels and their derivatives --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarRules.h"
#include "Rules.h"
#include "ScalarTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static InFlightDiagnostic refuse(Operation *op, unsigned i) {
  return op->emitError() << "'" << op->getName()
                         << "' has no derivative by operand " << i;
}

/// Emits a kernel's operations; `visit` sees each as it stands then.
static LogicalResult emitBody(OpBuilder &builder, Region &kernel,
                              ValueRange arguments, IRMapping &mapping,
                              function_ref<LogicalResult(Operation *)> visit) {
  mapping.map(kernel.front().getArguments(), arguments);
  for (Operation &op : kernel.front().without_terminator())
    if (failed(visit(builder.clone(op, mapping))))
      return failure();
  return success();
}

static SmallVector<Value> getYielded(Region &kernel, IRMapping &mapping) {
  return llvm::map_to_vector(
      kernel.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

FailureOr<Pushed> mlir::wax::pushKernel(OpBuilder &builder, Region &kernel,
                                        ValueRange arguments,
                                        ArrayRef<Value> tangents) {
  llvm::DenseMap<Value, Value> known;
  for (auto [argument, tangent] : llvm::zip_equal(arguments, tangents))
    if (tangent)
      known[argument] = tangent;
  IRMapping mapping;
  auto visit = [&](Operation *op) -> LogicalResult {
    if (op->getNumResults() != 1 ||
        !isDifferentiable(op->getResult(0).getType()))
      return success();
    Value sum;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      Value tangent = known.lookup(operand);
      if (!tangent)
        continue;
      Derivative derivative = getDerivative(op, i);
      if (derivative.isNone())
        return refuse(op, i);
      if (derivative.isZero())
        continue;
      Value term = derivative.apply(builder, op->getLoc(), tangent);
      sum = sum ? scalar::add(builder, op->getLoc(), sum, term) : term;
    }
    if (sum)
      known[op->getResult(0)] = sum;
    return success();
  };
  if (failed(emitBody(builder, kernel, arguments, mapping, visit)))
    return failure();
  Pushed pushed;
  pushed.values = getYielded(kernel, mapping);
  pushed.tangents = llvm::map_to_vector(
      pushed.values, [&](Value value) { return known.lookup(value); });
  return pushed;
}

FailureOr<SmallVector<Value>>
mlir::wax::pullKernel(OpBuilder &builder, Region &kernel, ValueRange arguments,
                      ArrayRef<Value> cotangents,
                      const llvm::SmallBitVector &wanted) {
  llvm::DenseSet<Value> active;
  for (unsigned i : wanted.set_bits())
    active.insert(arguments[i]);
  IRMapping mapping;
  SmallVector<Operation *> ops;
  auto visit = [&](Operation *op) {
    if (op->getNumResults() == 1 &&
        isDifferentiable(op->getResult(0).getType()) &&
        llvm::any_of(op->getOperands(),
                     [&](Value operand) { return active.contains(operand); })) {
      active.insert(op->getResult(0));
      ops.push_back(op);
    }
    return success();
  };
  (void)emitBody(builder, kernel, arguments, mapping, visit);

  llvm::DenseMap<Value, Value> known;
  auto accumulate = [&](Location loc, Value value, Value cotangent) {
    Value &sum = known[value];
    sum = sum ? scalar::add(builder, loc, sum, cotangent) : cotangent;
  };
  for (auto [value, cotangent] :
       llvm::zip_equal(getYielded(kernel, mapping), cotangents))
    if (cotangent && active.contains(value))
      accumulate(value.getLoc(), value, cotangent);
  for (Operation *op : llvm::reverse(ops)) {
    Value cotangent = known.lookup(op->getResult(0));
    if (!cotangent)
      continue;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      if (!active.contains(operand))
        continue;
      Derivative derivative = getDerivative(op, i);
      if (derivative.isNone())
        return refuse(op, i);
      if (!derivative.isZero())
        accumulate(op->getLoc(), operand,
                   derivative.transpose(builder, op->getLoc(), cotangent));
    }
  }
  SmallVector<Value> pulled(arguments.size());
  for (unsigned i : wanted.set_bits())
    pulled[i] = known.lookup(arguments[i]);
  return pulled;
}
