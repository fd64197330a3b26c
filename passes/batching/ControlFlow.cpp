//===- ControlFlow.cpp - Batches of branches and loops --------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all rows decide alike stays a branch or a loop. Where they differ, both
// branches are computed, and each row takes its own; a loop runs until the last
// row is done, and rows that are done stay as they are. Which values a loop
// carries are batched is found by trying: what a turn makes depend on the row
// does so from the start.
//
// A loop within sees which rows get there. What it would do for others is never
// read, and need not end.
//
//===----------------------------------------------------------------------===//

#include "../differentiation/ScalarRules.h"
#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::wax;

static SmallVector<Location> getLocations(ArrayRef<Type> types, Location loc) {
  return SmallVector<Location>(types.size(), loc);
}

/// A reduction of rows' numbers by one operation.
template <typename OpTy>
static Value createRowReduction(OpBuilder &builder, Location loc, Value rows,
                                double start) {
  auto kernel = [](OpBuilder &body, Location loc, ValueRange in) {
    return SmallVector<Value>{OpTy::create(body, loc, in[0], in[1])};
  };
  Value init = createScalarTensor(builder, loc,
                                  getElementTypeOrSelf(rows.getType()), start);
  Value all = ReduceOp::create(builder, loc, rows, init, ArrayRef<int64_t>{0},
                               kernel, kernel)
                  ->getResult(0);
  return tensor::ExtractOp::create(builder, loc, all);
}

Value BatchWalk::createAny(Location loc, Value condition) {
  return createRowReduction<arith::OrIOp>(builder, loc, condition, 0);
}

Value BatchWalk::maskRows(Value condition) {
  if (!mask)
    return condition;
  return createPointwise(
      builder, condition.getLoc(), {condition, mask},
      [](OpBuilder &body, Location loc, ValueRange in) {
        return arith::AndIOp::create(body, loc, in[0], in[1]).getResult();
      });
}

SmallVector<Type>
BatchWalk::getTypes(TypeRange types,
                    const llvm::SmallBitVector &batched) const {
  SmallVector<Type> found(types);
  for (unsigned i : batched.set_bits())
    found[i] = getBatchedType(found[i], getStaticSize());
  return found;
}

static llvm::SmallBitVector getBits(ArrayRef<Row> rows) {
  llvm::SmallBitVector bits(rows.size());
  for (auto [i, row] : llvm::enumerate(rows))
    if (row.isBatched)
      bits.set(i);
  return bits;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult BatchWalk::batchIf(scf::IfOp op) {
  Row condition = get(op.getCondition());
  if (condition.isBatched)
    return chooseByRow(op, condition.value);

  // The branches are made before it is known what they give.
  Location loc = op.getLoc();
  OpBuilder::InsertPoint here = builder.saveInsertionPoint();
  Region regions[2];
  SmallVector<Row> results[2];
  llvm::SmallBitVector batched(op.getNumResults());
  for (auto [from, to, given] : llvm::zip(op->getRegions(), regions, results)) {
    builder.createBlock(&to);
    if (from.empty())
      continue;
    if (failed(batchBlock(from.front())))
      return failure();
    given = get(from.front().getTerminator()->getOperands());
    batched |= getBits(given);
  }
  for (auto [to, given] : llvm::zip(regions, results)) {
    builder.setInsertionPointToEnd(&to.front());
    SmallVector<Value> yielded;
    for (auto [i, row] : llvm::enumerate(given))
      yielded.push_back(batched[i] ? toBatched(row, op.getResultTypes()[i])
                                   : row.value);
    scf::YieldOp::create(builder, loc, yielded);
  }
  builder.restoreInsertionPoint(here);
  auto made =
      scf::IfOp::create(builder, loc, getTypes(op.getResultTypes(), batched),
                        condition.value, /*withElseRegion=*/true);
  made.getThenRegion().takeBody(regions[0]);
  made.getElseRegion().takeBody(regions[1]);
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    set(result, made.getResult(i), batched[i]);
  return success();
}

/// Both branches, and of their results each row's own.
LogicalResult BatchWalk::chooseByRow(scf::IfOp op, Value condition) {
  Location loc = op.getLoc();
  Value outer = mask;
  SmallVector<Row> results[2];
  for (unsigned i = 0; i < 2; ++i) {
    Region &region = op->getRegion(i);
    if (region.empty())
      continue;
    Value taken = condition;
    if (i == 1)
      taken = createPointwise(
          builder, loc, condition,
          [](OpBuilder &body, Location loc, ValueRange in) {
            Value yes =
                arith::ConstantOp::create(body, loc, body.getBoolAttr(true));
            return arith::XOrIOp::create(body, loc, in[0], yes).getResult();
          });
    mask = maskRows(taken);
    LogicalResult made = batchBlock(region.front());
    mask = outer;
    if (failed(made))
      return failure();
    results[i] = get(region.front().getTerminator()->getOperands());
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Row onTrue = results[0][i], onFalse = results[1][i];
    if (onTrue.value == onFalse.value) {
      set(result, onTrue.value, onTrue.isBatched);
      continue;
    }
    auto asTensor = [&](Row row) {
      return isa<RankedTensorType>(row.value.getType())
                 ? row.value
                 : createRank0(builder, loc, row.value);
    };
    Value chosen =
        createRowSelect(builder, loc, condition, asTensor(onTrue),
                        onTrue.isBatched, asTensor(onFalse), onFalse.isBatched);
    set(result, toBatched({chosen, true}, result.getType()),
        /*isBatched=*/true);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult BatchWalk::batchAssert(cf::AssertOp op) {
  Location loc = op.getLoc();
  Row holds = get(op.getArg());
  if (!holds.isBatched) {
    clone(op);
    return success();
  }
  // Rows that do not get here are not asked.
  SmallVector<Operand> operands{{holds.value, {0}}};
  if (mask)
    operands.push_back({mask, {0}});
  Value fails = createBroadcast(
      builder, loc, operands, {size},
      [](OpBuilder &body, Location loc, ValueRange in) -> Value {
        Value yes =
            arith::ConstantOp::create(body, loc, body.getBoolAttr(true));
        Value fails = arith::XOrIOp::create(body, loc, in[0], yes);
        return in.size() == 1
                   ? fails
                   : arith::AndIOp::create(body, loc, fails, in[1]).getResult();
      });
  Value yes =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value all = arith::XOrIOp::create(builder, loc, createAny(loc, fails), yes);
  cf::AssertOp::create(builder, loc, all, op.getMsg());
  return success();
}

SmallVector<Value> BatchWalk::carry(Operation *end, ValueRange yielded,
                                    ArrayRef<Value> carried,
                                    llvm::SmallBitVector &batched,
                                    Value active) {
  llvm::SmallBitVector needed(batched);
  SmallVector<Row> rows = get(yielded);
  for (auto [i, row] : llvm::enumerate(rows))
    if (row.isBatched || (active && row.value != carried[i]))
      needed.set(i);
  if (needed != batched) {
    batched = needed;
    return {};
  }
  SmallVector<Value> next;
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (row.value == carried[i]) {
      next.push_back(row.value);
      continue;
    }
    if (!batched[i]) {
      next.push_back(
          castTo(builder, end->getLoc(), carried[i].getType(), row.value));
      continue;
    }
    Type type = yielded[i].getType();
    if (active && isa<RankedTensorType>(row.value.getType()))
      row = {createRowSelect(builder, end->getLoc(), active, row.value,
                             row.isBatched, carried[i], true),
             true};
    else if (active)
      row = {createRowSelect(builder, end->getLoc(), active,
                             toBatched(row, type), true, carried[i], true),
             true};
    next.push_back(toBatched(row, type));
  }
  return next;
}

LogicalResult BatchWalk::batchFor(scf::ForOp op) {
  Location loc = op.getLoc();
  Row low = get(op.getLowerBound()), high = get(op.getUpperBound()),
      step = get(op.getStep());
  bool differ = low.isBatched || high.isBatched || step.isBatched;
  // Where the number of turns differs: of all rows together, and in each.
  Value from = low.value, to = high.value, by = step.value, turns;
  bool isCounted = low.isBatched || step.isBatched;
  if (differ) {
    auto asOperand = [&](Row row) {
      return row.isBatched ? Operand{row.value, {0}}
                           : Operand{createRank0(builder, loc, row.value), {}};
    };
    SmallVector<Operand> bounds{asOperand(low), asOperand(high),
                                asOperand(step)};
    if (mask)
      bounds.push_back({mask, {0}});
    turns = createBroadcast(
        builder, loc, bounds, {size},
        [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
          Value end = in[1];
          if (isCounted) {
            Value span = arith::SubIOp::create(body, loc, in[1], in[0]);
            end = arith::CeilDivSIOp::create(body, loc, span, in[2]);
          }
          if (!mask)
            return end;
          Value none =
              isCounted ? scalar::constant(body, loc, end.getType(), 0) : in[0];
          return arith::SelectOp::create(body, loc, in[3], end, none);
        });
    Value most = createRowReduction<arith::MaxSIOp>(
        builder, loc, turns,
        static_cast<double>(std::numeric_limits<int64_t>::min()));
    to = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), most);
    if (isCounted) {
      from = arith::ConstantIndexOp::create(builder, loc, 0);
      by = arith::ConstantIndexOp::create(builder, loc, 1);
    }
  }

  SmallVector<Row> inits = get(op.getInitArgs());
  llvm::SmallBitVector batched = getBits(inits);
  Block &old = *op.getBody();
  Value outer = mask;
  for (;;) {
    OpBuilder::InsertPoint here = builder.saveInsertionPoint();
    SmallVector<Type> types = getTypes(op.getResultTypes(), batched);
    SmallVector<Type> arguments{builder.getIndexType()};
    llvm::append_range(arguments, types);
    Region region;
    Block *body = builder.createBlock(&region, {}, arguments,
                                      getLocations(arguments, loc));
    Value turn = body->getArgument(0), active;
    if (differ) {
      SmallVector<Operand> operands{{createRank0(builder, loc, turn), {}},
                                    {turns, {0}}};
      active = createBroadcast(
          builder, loc, operands, {},
          [](OpBuilder &body, Location loc, ValueRange in) {
            return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt,
                                         in[0], in[1])
                .getResult();
          });
    }
    set(op.getInductionVar(), turn, /*isBatched=*/false);
    if (isCounted) {
      auto asOperand = [&](Row row) {
        return row.isBatched
                   ? Operand{row.value, {0}}
                   : Operand{createRank0(builder, loc, row.value), {}};
      };
      SmallVector<Operand> operands{asOperand(low), asOperand(step),
                                    asOperand({turn, false})};
      set(op.getInductionVar(),
          createBroadcast(builder, loc, operands, {size},
                          [](OpBuilder &body, Location loc, ValueRange in) {
                            Value past =
                                arith::MulIOp::create(body, loc, in[1], in[2]);
                            return arith::AddIOp::create(body, loc, in[0], past)
                                .getResult();
                          }),
          /*isBatched=*/true);
    }
    SmallVector<Value> carried(body->getArguments().drop_front());
    for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs()))
      set(argument, carried[i], batched[i]);
    mask = active ? maskRows(active) : outer;
    LogicalResult made = batchBlock(old);
    mask = outer;
    if (failed(made))
      return failure();
    llvm::SmallBitVector before = batched;
    SmallVector<Value> next =
        carry(op, old.getTerminator()->getOperands(), carried, batched, active);
    if (before != batched) {
      builder.restoreInsertionPoint(here);
      continue;
    }
    scf::YieldOp::create(builder, loc, next);
    builder.restoreInsertionPoint(here);
    SmallVector<Value> starts;
    for (auto [i, row] : llvm::enumerate(inits))
      starts.push_back(batched[i] ? toBatched(row, op.getResultTypes()[i])
                                  : row.value);
    auto loop = scf::ForOp::create(builder, loc, from, to, by, starts);
    // The last row takes no more steps than any may.
    keepMaxSteps(op, loop);
    loop.getRegion().takeBody(region);
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      set(result, loop.getResult(i), batched[i]);
    return success();
  }
}

LogicalResult BatchWalk::batchWhile(scf::WhileOp op) {
  Location loc = op.getLoc();
  Block &test = op.getBefore().front(), &turn = op.getAfter().front();
  auto decide = cast<scf::ConditionOp>(test.getTerminator());
  SmallVector<Row> inits = get(op.getInits());
  llvm::SmallBitVector batched = getBits(inits);
  Value outer = mask;
  // Whether any row gets here at all.
  Value some = mask ? createAny(loc, mask) : Value();
  for (;;) {
    OpBuilder::InsertPoint here = builder.saveInsertionPoint();
    SmallVector<Type> types = getTypes(test.getArgumentTypes(), batched);
    Region before, after;
    Block *block =
        builder.createBlock(&before, {}, types, getLocations(types, loc));
    for (auto [i, argument] : llvm::enumerate(test.getArguments()))
      set(argument, block->getArgument(i), batched[i]);
    if (failed(batchBlock(test)))
      return failure();
    Row condition = get(decide.getCondition());
    SmallVector<Row> given = get(decide.getArgs());
    SmallVector<Value> forwarded =
        llvm::map_to_vector(given, [](const Row &row) { return row.value; });
    // Where rows differ, a turn also sees what is carried, and asks again who
    // goes on: IREE 3.13 does not compile loops that carry tensors of i1.
    SmallVector<unsigned> places;
    Value goesOn = condition.value;
    if (condition.isBatched) {
      Value active = maskRows(condition.value);
      for (Value argument : block->getArguments()) {
        auto *found = llvm::find(forwarded, argument);
        places.push_back(found - forwarded.begin());
        if (found == forwarded.end())
          forwarded.push_back(argument);
      }
      goesOn = createAny(loc, active);
    } else if (some) {
      goesOn = arith::AndIOp::create(builder, loc, goesOn, some);
    }
    scf::ConditionOp::create(builder, loc, goesOn, forwarded);

    SmallVector<Type> passed(ValueRange(forwarded).getTypes());
    Block *next =
        builder.createBlock(&after, {}, passed, getLocations(passed, loc));
    for (auto [i, argument] : llvm::enumerate(turn.getArguments()))
      set(argument, next->getArgument(i), given[i].isBatched);
    Value active;
    SmallVector<Value> carried(batched.size());
    if (condition.isBatched) {
      for (auto [i, place] : llvm::enumerate(places)) {
        carried[i] = next->getArgument(place);
        set(test.getArgument(i), carried[i], batched[i]);
      }
      if (failed(batchBlock(test)))
        return failure();
      active = mask = maskRows(get(decide.getCondition()).value);
    }
    LogicalResult made = batchBlock(turn);
    mask = outer;
    if (failed(made))
      return failure();
    if (!active) // what a turn yields is carried on as it is
      for (auto [i, argument] : llvm::enumerate(block->getArguments()))
        carried[i] = argument;
    llvm::SmallBitVector known = batched;
    SmallVector<Value> yielded = carry(op, turn.getTerminator()->getOperands(),
                                       carried, batched, active);
    if (known != batched) {
      builder.restoreInsertionPoint(here);
      continue;
    }
    scf::YieldOp::create(builder, loc, yielded);
    builder.restoreInsertionPoint(here);
    SmallVector<Value> starts;
    for (auto [i, row] : llvm::enumerate(inits))
      starts.push_back(batched[i] ? toBatched(row, op.getInits()[i].getType())
                                  : row.value);
    auto loop = scf::WhileOp::create(builder, loc, passed, starts);
    // The last row takes no more steps than any may.
    keepMaxSteps(op, loop);
    loop.getBefore().takeBody(before);
    loop.getAfter().takeBody(after);
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      set(result, loop.getResult(i), given[i].isBatched);
    return success();
  }
}
