//===- ControlFlow.cpp - Branches and loops, of finished functions --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a branch or a loop does is traced as a function of its own. A call here
// makes the `scf` operation and clones the functions' bodies into its regions,
// where their arguments become the values that the call says.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "FunctionBuilder.h"

#include "wax/Dialect/MaxSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::wax::python;

static std::string spellType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// `value` as one of `type`, which may say more or less of the same sizes.
static Value castTo(OpBuilder &builder, Location loc, Type type, Value value,
                    const Twine &what) {
  if (value.getType() == type)
    return value;
  if (!tensor::CastOp::areCastCompatible(value.getType(), type))
    throw DialectError(what + " is " + spellType(value.getType()) + ", where " +
                       spellType(type) + " is meant");
  return tensor::CastOp::create(builder, loc, type, value);
}

static bool isCondition(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         tensor.getElementType().isInteger(1);
}

StringAttr FunctionBuilder::claimSymbol(std::shared_ptr<Function> callee) {
  auto known = llvm::find_if(callees, [&](const Function::Callee &other) {
    return other.function == callee;
  });
  if (known != callees.end())
    return known->symbol;
  // Different functions may have one name.
  std::string symbol = callee->op->getSymName().str();
  for (unsigned i = 1; !calleeSymbols.insert(symbol).second; ++i)
    symbol = (callee->op->getSymName() + "_" + Twine(i)).str();
  callees.push_back({StringAttr::get(getContext(), symbol), callee});
  return callees.back().symbol;
}

SmallVector<Value> FunctionBuilder::inlineBody(OpBuilder &builder,
                                               const Function &body,
                                               ValueRange arguments) {
  Block &block = body.op->getBody().front();
  if (block.getNumArguments() != arguments.size())
    throw DialectError("'" + body.op->getSymName() + "' takes " +
                       Twine(block.getNumArguments()) + " values, not " +
                       Twine(arguments.size()));
  IRMapping mapping;
  for (auto [parameter, argument] :
       llvm::zip_equal(block.getArguments(), arguments))
    mapping.map(parameter,
                castTo(builder, parameter.getLoc(), parameter.getType(),
                       argument,
                       "argument " + Twine(parameter.getArgNumber()) + " of '" +
                           body.op->getSymName() + "'"));
  llvm::DenseMap<StringAttr, StringAttr> symbols;
  for (const Function::Callee &callee : body.callees)
    symbols[callee.symbol] = claimSymbol(callee.function);
  for (Operation &op : block.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    clone->walk([&](func::CallOp call) {
      call.setCallee(symbols.at(call.getCalleeAttr().getAttr()));
    });
  }
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value result) { return mapping.lookupOrDefault(result); });
}

/// The values among `arguments` that are no tensors the caller carries:
/// positions in `carried` are filled from `values`, the others from `captured`
/// in order.
static SmallVector<Value> place(ArrayRef<int64_t> carried, ValueRange values,
                                ValueRange captured) {
  SmallVector<Value> placed(values.size() + captured.size());
  if (carried.size() != values.size())
    throw DialectError("there are " + Twine(values.size()) +
                       " carried values, but " + Twine(carried.size()) +
                       " places for them");
  for (auto [position, value] : llvm::zip_equal(carried, values)) {
    if (position < 0 || position >= static_cast<int64_t>(placed.size()) ||
        placed[position])
      throw DialectError("a carried value cannot be argument " +
                         Twine(position));
    placed[position] = value;
  }
  auto rest = captured.begin();
  for (Value &value : placed)
    if (!value)
      value = *rest++;
  return placed;
}

nb::tuple FunctionBuilder::createControl(
    llvm::function_ref<Operation *(OpBuilder &)> build) {
  // A failure leaves nothing behind: what was made stands after `last`.
  Block &block = getBlock();
  Operation *last = block.empty() ? nullptr : &block.back();
  auto undo = [&] {
    while (!block.empty() && &block.back() != last)
      block.back().erase();
  };
  DiagnosticCapture diagnostics;
  Operation *op;
  try {
    OpBuilder builder = OpBuilder::atBlockEnd(&block);
    op = build(builder);
  } catch (...) {
    undo();
    throw;
  }
  // What the regions hold has been verified in the functions that it is from.
  bool isValid = succeeded(verify(op, /*verifyRecursively=*/false));
  for (Region &region : op->getRegions())
    for (Block &inner : region)
      isValid = isValid && succeeded(verify(inner.getTerminator(),
                                            /*verifyRecursively=*/false));
  if (!isValid) {
    undo();
    diagnostics.raise("the operation is not valid");
  }
  nb::list results;
  for (Value result : op->getResults())
    results.append(describeOwn(number(result)));
  return nb::tuple(results);
}

nb::tuple FunctionBuilder::if_(int64_t condition,
                               std::shared_ptr<Function> then,
                               const Numbers &thenCaptured,
                               std::shared_ptr<Function> otherwise,
                               const Numbers &otherwiseCaptured, At location) {
  enter();
  Value chosen = getTensor(condition);
  if (!isCondition(chosen.getType()))
    throw DialectError("a condition is a tensor<i1>, not " +
                       spellType(chosen.getType()));
  SmallVector<Value> thenValues = getTensors(thenCaptured),
                     otherwiseValues = getTensors(otherwiseCaptured);
  Location loc = at(location);
  return createControl([&](OpBuilder &builder) -> Operation * {
    TypeRange types = then->op->getFunctionType().getResults();
    Value bit = tensor::ExtractOp::create(builder, loc, chosen);
    auto op = scf::IfOp::create(builder, loc, types, bit,
                                /*withElseRegion=*/true);
    auto fill = [&](Region &region, const Function &branch,
                    ValueRange captured) {
      OpBuilder inside = OpBuilder::atBlockEnd(&region.front());
      SmallVector<Value> results = inlineBody(inside, branch, captured);
      if (results.size() != types.size())
        throw DialectError("the branches give " + Twine(types.size()) +
                           " and " + Twine(results.size()) + " values");
      for (auto [i, result] : llvm::enumerate(results))
        result = castTo(inside, loc, types[i], result, "result " + Twine(i));
      scf::YieldOp::create(inside, loc, results);
    };
    fill(op.getThenRegion(), *then, thenValues);
    fill(op.getElseRegion(), *otherwise, otherwiseValues);
    return op;
  });
}

nb::tuple FunctionBuilder::for_(SizeArgument count, const Numbers &inits,
                                std::shared_ptr<Function> body,
                                const Numbers &carried, const Numbers &captured,
                                At location) {
  MLIRContext *context = enter();
  SmallVector<Value> starts = getTensors(inits), outer = getTensors(captured);
  SmallVector<Value> sizes;
  SmallVector<int64_t> statics = splitSizes({count}, sizes, "count");
  if (sizes.empty() && statics.front() < 0)
    throw DialectError("a loop cannot have " + Twine(statics.front()) +
                       " turns");
  Location loc = at(location);
  return createControl([&](OpBuilder &builder) -> Operation * {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, UnknownLoc::get(context),
                                            value);
    };
    Value low = index(0), step = index(1);
    Value high = sizes.empty() ? index(statics.front()) : sizes.front();
    auto op = scf::ForOp::create(builder, loc, low, high, step, starts);
    Block *block = op.getBody();
    if (block->mightHaveTerminator())
      block->getTerminator()->erase();
    OpBuilder inside = OpBuilder::atBlockEnd(block);
    SmallVector<Value> arguments = {op.getInductionVar()};
    llvm::append_range(arguments,
                       place(carried, op.getRegionIterArgs(), outer));
    yieldAs(inside, loc, *body, arguments, TypeRange(ValueRange(starts)));
    return op;
  });
}

nb::tuple FunctionBuilder::while_(
    const Numbers &inits, std::shared_ptr<Function> condition,
    const Numbers &conditionCaptured, std::shared_ptr<Function> body,
    const Numbers &bodyCaptured, std::optional<int64_t> maxSteps, At location) {
  enter();
  SmallVector<Value> starts = getTensors(inits),
                     tested = getTensors(conditionCaptured),
                     outer = getTensors(bodyCaptured);
  ArrayRef<Type> verdict = condition->op->getFunctionType().getResults();
  if (verdict.size() != 1 || !isCondition(verdict.front()))
    throw DialectError("the condition of a loop gives one tensor<i1>");
  Location loc = at(location);
  return createControl([&](OpBuilder &builder) -> Operation * {
    SmallVector<Type> types(ValueRange(starts).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto op = scf::WhileOp::create(builder, loc, types, starts);
    if (maxSteps)
      op->setDiscardableAttr(wax::getMaxStepsName(),
                             builder.getI64IntegerAttr(*maxSteps));
    auto open = [&](Region &region, ValueRange captured,
                    SmallVectorImpl<Value> &arguments) {
      Block &block = region.emplaceBlock();
      block.addArguments(types, locs);
      llvm::append_range(arguments, block.getArguments());
      llvm::append_range(arguments, captured);
      return OpBuilder::atBlockEnd(&block);
    };
    SmallVector<Value> before, after;
    OpBuilder test = open(op.getBefore(), tested, before);
    Value holds = tensor::ExtractOp::create(
        test, loc, inlineBody(test, *condition, before).front());
    scf::ConditionOp::create(test, loc, holds,
                             ValueRange(before).take_front(types.size()));
    OpBuilder turn = open(op.getAfter(), outer, after);
    yieldAs(turn, loc, *body, after, types);
    return op;
  });
}

void FunctionBuilder::yieldAs(OpBuilder &builder, Location loc,
                              const Function &body, ValueRange arguments,
                              TypeRange types) {
  SmallVector<Value> results = inlineBody(builder, body, arguments);
  if (results.size() != types.size())
    throw DialectError("a turn of the loop gives " + Twine(results.size()) +
                       " values, but carries " + Twine(types.size()));
  for (auto [i, result] : llvm::enumerate(results))
    result =
        castTo(builder, loc, types[i], result, "carried value " + Twine(i));
  scf::YieldOp::create(builder, loc, results);
}

int64_t FunctionBuilder::tensorToIndex(int64_t value, At location) {
  enter();
  Value tensor = getTensor(value);
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getRank() != 0 || !type.getElementType().isInteger() ||
      type.getElementType().isInteger(1))
    throw DialectError("an index value is made of one integer, not of " +
                       spellType(type));
  Location loc = at(location);
  OpBuilder builder = OpBuilder::atBlockEnd(&getBlock());
  Value scalar = tensor::ExtractOp::create(builder, loc, tensor);
  return number(
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), scalar));
}
