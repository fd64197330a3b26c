//===- Captured.cpp - What is the same in all calls -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Captured.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::wax;

CapturedValues::CapturedValues(ModuleOp module, unsigned count) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!count || !function || function.isExternal() ||
      !function.getBody().hasOneBlock() || function.getNumArguments() < count)
    return;
  entry = function;
  first = function.getNumArguments() - count;
}

bool CapturedValues::isCaptured(BlockArgument argument) {
  return entry && argument.getOwner() == &entry.front() &&
         argument.getArgNumber() >= first;
}

bool CapturedValues::contains(Value value) {
  return entry && getOrigin(value) == Origin::Captured;
}

CapturedValues::Origin CapturedValues::getOrigin(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isCaptured(argument) ? Origin::Captured : Origin::Call;
  Operation *op = value.getDefiningOp();
  auto known = origins.find(op);
  if (known != origins.end())
    return known->second;
  Origin origin = computeOrigin(op);
  origins[op] = origin;
  return origin;
}

CapturedValues::Origin CapturedValues::computeOrigin(Operation *op) {
  if (!isMemoryEffectFree(op))
    return Origin::Call;
  SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  Origin origin = Origin::Constant;
  for (Value value : read) {
    Origin of = getOrigin(value);
    if (of == Origin::Call)
      return of;
    if (of == Origin::Captured)
      origin = of;
  }
  return origin;
}
