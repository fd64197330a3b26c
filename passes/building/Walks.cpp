//===- Walks.cpp - How operations go through tensors ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walks.h"

#include "Tensors.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::wax;

static int64_t getRank(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getRank();
}

std::optional<Walk> Walk::of(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Walk>>(op)
      .Case([](MapOp map) {
        Dims all = getAllDims(map.getOperand());
        return Walk{getRank(map.getOperand()), {all}, {all}, {}};
      })
      .Case([](BroadcastOp join) {
        int64_t rank = getRank(join.getResult());
        Walk walk{rank, {}, {getAllDims(rank)}, join.getFreeDims()};
        for (unsigned i : llvm::seq(join.getInputs().size()))
          walk.operands.push_back(llvm::to_vector(join.getOperandDims(i)));
        walk.operands.append(join.getSizes().size(), {});
        return walk;
      })
      .Case([](ReduceOp reduce) {
        int64_t rank = getRank(reduce.getInputs().front());
        Walk walk{rank, {}, {}, llvm::to_vector(reduce.getDims())};
        walk.operands.append(reduce.getInputs().size(), getAllDims(rank));
        walk.operands.append(reduce.getInits().size(), {});
        walk.results.append(reduce.getNumResults(),
                            getOtherDims(rank, reduce.getDims()));
        return walk;
      })
      .Case([](PermuteOp permute) {
        int64_t rank = getRank(permute.getOperand());
        return Walk{rank,
                    {getAllDims(rank)},
                    {llvm::to_vector(permute.getPermutation())},
                    {}};
      })
      .Default([](Operation *) { return std::nullopt; });
}
