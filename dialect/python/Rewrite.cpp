//===- Rewrite.cpp - Parts of a program replaced by others ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matches is found in Python, on the snapshot; values are named by their
// numbers there.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "FunctionBuilder.h"
#include "Module.h"
#include "Snapshot.h"

#include "mlir/IR/IRMapping.h"
#include "wax/Passes/SymbolicSizes.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax;
using namespace mlir::wax::python;

nb::object Module::sizes() const {
  func::FuncOp function = findEntry(get());
  SmallVector<Value> values = numberValues(function);
  llvm::DenseMap<Value, int64_t> numbers;
  for (auto [i, value] : llvm::enumerate(values))
    numbers[value] = i;
  SymbolicSizes sizes(function);
  auto spell = [&](AffineExpr expr) {
    return spellSize(expr, [&](AffineExpr leaf) {
      const SymbolicSizes::Root &root =
          sizes.getRoots()[cast<AffineSymbolExpr>(leaf).getPosition()];
      if (!root.value)
        throw DialectError("the dim '" + root.name +
                           "' is no dim of its own in any argument");
      return spellSource(numbers.at(root.value), root.dim);
    });
  };
  nb::list spelled;
  for (Value value : values) {
    nb::list dims;
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType())) {
      for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
        dims.append(spell(sizes.getSize(value, dim)));
    } else if (value.getType().isIndex()) {
      dims.append(spell(sizes.getIndex(value)));
    }
    spelled.append(nb::tuple(dims));
  }
  return nb::tuple(spelled);
}

void Module::replace(const std::vector<Replacement> &replacements) {
  SmallVector<Value> values = numberValues(findEntry(get()));
  auto valueOf = [&](int64_t number) -> Value & {
    if (number < 0 || number >= static_cast<int64_t>(values.size()))
      throw DialectError("there is no value " + Twine(number));
    return values[number];
  };
  for (const auto &[number, function, operands] : replacements) {
    Value &replaced = valueOf(number);
    Operation *op = replaced.getDefiningOp();
    Block &body = function->op->getBody().front();
    if (!op)
      throw DialectError("value " + Twine(number) + " is an argument");
    if (!function->callees.empty() || body.getNumArguments() != operands.size())
      throw DialectError("'" + function->op->getSymName() +
                         "' calls others, "
                         "or does not take " +
                         Twine(operands.size()) + " values");
    IRMapping mapping;
    for (auto [argument, operand] :
         llvm::zip_equal(body.getArguments(), operands))
      mapping.map(argument, valueOf(operand));
    Operation *terminator = body.getTerminator();
    if (TypeRange(body.getArgumentTypes()) !=
            TypeRange(llvm::map_to_vector(
                operands, [&](int64_t i) { return values[i].getType(); })) ||
        TypeRange(terminator->getOperandTypes()) !=
            TypeRange(ArrayRef(replaced.getType())))
      throw DialectError("'" + function->op->getSymName() +
                         "' has other types than what it replaces");
    OpBuilder builder(op);
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping)->walk([&](Operation *made) {
        made->setLoc(op->getLoc());
      });
    Value made = mapping.lookupOrDefault(terminator->getOperand(0));
    replaced.replaceAllUsesWith(made);
    // Later replacements may read it by its number.
    replaced = made;
  }
}

std::shared_ptr<Function> Module::takeEntry() const {
  func::FuncOp entry = findEntry(get());
  auto found = entry.walk([](func::CallOp) { return WalkResult::interrupt(); });
  if (found.wasInterrupted())
    throw DialectError("'" + entry.getSymName() + "' calls other functions");
  auto made = std::make_shared<Function>();
  made->op = HeldOp<func::FuncOp>(entry.clone());
  return made;
}
