//===- Checkpoint.cpp - What is computed again ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionBuilder.h"

#include "wax/Dialect/Wax.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

nb::tuple
FunctionBuilder::checkpoint(std::shared_ptr<Function> body,
                            const Numbers &operands,
                            const std::vector<std::vector<std::string>> &saving,
                            bool mergeable, At location) {
  enter();
  SmallVector<Value> inputs = getTensors(operands);
  Location loc = at(location);
  return createControl([&](OpBuilder &builder) -> Operation * {
    SmallVector<Attribute> rules;
    for (const std::vector<std::string> &rule : saving) {
      SmallVector<StringRef> words(rule.begin(), rule.end());
      rules.push_back(builder.getStrArrayAttr(words));
    }
    auto op = wax::CheckpointOp::create(
        builder, loc, body->op->getFunctionType().getResults(), inputs,
        builder.getArrayAttr(rules), DenseI64ArrayAttr(),
        mergeable ? builder.getUnitAttr() : UnitAttr());
    Block &block = op.getBody().emplaceBlock();
    for (Value input : inputs)
      block.addArgument(input.getType(), loc);
    auto inside = OpBuilder::atBlockEnd(&block);
    SmallVector<Value> results =
        inlineBody(inside, *body, block.getArguments());
    wax::ReturnOp::create(inside, loc, results);
    return op;
  });
}
