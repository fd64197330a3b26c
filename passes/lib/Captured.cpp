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
  auto getKnown = [&](Value read) -> std::optional<Origin> {
    if (auto argument = dyn_cast<BlockArgument>(read))
      return isCaptured(argument) ? Origin::Captured : Origin::Call;
    auto known = origins.find(read.getDefiningOp());
    if (known != origins.end())
      return known->second;
    return std::nullopt;
  };
  // No recursion: programs may be as deep as they like.
  SmallVector<Operation *> open;
  if (!getKnown(value))
    open.push_back(value.getDefiningOp());
  while (!open.empty()) {
    Operation *op = open.back();
    Origin origin = Origin::Constant;
    Operation *next = nullptr;
    if (!isMemoryEffectFree(op))
      origin = Origin::Call;
    else
      for (Value read : getReadValues(op)) {
        std::optional<Origin> known = getKnown(read);
        if (!known)
          next = read.getDefiningOp();
        else if (*known != Origin::Constant)
          origin = *known;
        if (origin == Origin::Call)
          break;
      }
    if (next && origin != Origin::Call) {
      open.push_back(next);
      continue;
    }
    origins[op] = origin;
    open.pop_back();
  }
  return *getKnown(value);
}

SetVector<Value> mlir::wax::getReadValues(Operation *op) {
  SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return read;
}
