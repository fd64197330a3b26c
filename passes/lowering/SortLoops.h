//===- SortLoops.h - What loops that sort are made of -----------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that sort rows work in tensors of halves × rows × along, and move
// elements from one of the halves to the other; without halves if nothing is
// moved so.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LOWERING_SORTLOOPS_H
#define WAX_PASSES_LOWERING_SORTLOOPS_H

#include "Along.h"
#include "Dispatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::wax {

/// Where loops are emitted that sort rows, and of what.
class SortLoops {
public:
  SortLoops(OpBuilder &builder, Location loc, SortOp sort, const Along &view,
            ArrayRef<Value> inputs, Value size, bool hasHalves)
      : builder(builder), loc(loc), sort(sort), view(view), inputs(inputs),
        size(size), hasHalves(hasHalves), zero(index(0)), one(index(1)) {}

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }
  Value subtract(Value lhs, Value rhs) {
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }

  template <typename Body>
  SmallVector<Value> loop(Value from, Value to, Value step, ValueRange values,
                          Body body) {
    return emitLoop(
        builder, loc, from, to, step, values,
        [&](OpBuilder &inside, Location, Value i, ValueRange carried) {
          return within(inside, [&] { return body(i, carried); });
        });
  }

  /// What `emit` emits where `inside` is.
  template <typename Emit> auto within(OpBuilder &inside, Emit emit) {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(inside.saveInsertionPoint());
    return emit();
  }

  /// A loop while `getCondition` holds.
  template <typename Condition, typename Body>
  SmallVector<Value> loopWhile(ValueRange values, Condition getCondition,
                               Body body) {
    auto loop = scf::WhileOp::create(
        builder, loc, values.getTypes(), values,
        [&](OpBuilder &inside, Location loc, ValueRange all) {
          within(inside, [&] {
            scf::ConditionOp::create(builder, loc, getCondition(all), all);
          });
        },
        [&](OpBuilder &inside, Location loc, ValueRange all) {
          within(inside,
                 [&] { scf::YieldOp::create(builder, loc, body(all)); });
        });
    return loop.getResults();
  }
  template <typename Then, typename Else>
  SmallVector<Value> choose(Value condition, Then emitThen, Else emitElse) {
    auto yield = [&](auto emit) {
      return [this, emit](OpBuilder &inside, Location loc) {
        within(inside, [&] { scf::YieldOp::create(builder, loc, emit()); });
      };
    };
    auto choice = scf::IfOp::create(builder, loc, condition, yield(emitThen),
                                    yield(emitElse));
    return choice.getResults();
  }

  /// Writes an element to `place`, or moves others up from there, down to
  /// `base`, and writes it where it `goesBefore` no more of them.
  template <typename GoesBefore>
  SmallVector<Value> insert(ValueRange element, ValueRange tensors, Value half,
                            Value row, Value base, Value place,
                            GoesBefore goesBefore) {
    SmallVector<Value> carried(tensors);
    carried.push_back(place);
    carried = loopWhile(
        carried,
        [&](ValueRange now) -> Value {
          // At the base something is compared in vain.
          Value at = now.back();
          Value isAbove = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::ult, base, at);
          Value before = select(isAbove, subtract(at, one), at);
          Value goes =
              goesBefore(element, read(now.drop_back(), half, row, before));
          return arith::AndIOp::create(builder, loc, isAbove, goes);
        },
        [&](ValueRange now) {
          Value before = subtract(now.back(), one);
          ValueRange all = now.drop_back();
          SmallVector<Value> moved =
              write(read(all, half, row, before), all, half, row, now.back());
          moved.push_back(before);
          return moved;
        });
    return write(element, ValueRange(carried).drop_back(), half, row,
                 carried.back());
  }

  /// An element of the inputs.
  SmallVector<Value> readInputs(Value row, Value place) {
    return readElements(builder, loc, inputs, view.select(row, place, zero),
                        getElementTypes(sort.getInputs()));
  }
  /// The same of tensors that have the workgroup's rows only.
  SmallVector<Value> read(ValueRange tensors, Value half, Value row,
                          Value place) {
    return readElements(builder, loc, tensors, at(half, row, place),
                        getElementTypes(sort.getInputs()));
  }
  SmallVector<Value> write(ValueRange values, ValueRange tensors, Value half,
                           Value row, Value place) {
    return writeElements(builder, loc, values, tensors, at(half, row, place));
  }

  /// Whether the element `lhs` goes before `rhs`.
  Value compare(ValueRange lhs, ValueRange rhs) {
    SmallVector<Value> arguments;
    for (auto [a, b] : llvm::zip_equal(lhs, rhs))
      arguments.append({a, b});
    return emitKernel(builder, sort.getComparator(), arguments).front();
  }

  OpBuilder &builder;
  Location loc;
  SortOp sort;
  const Along &view;
  ArrayRef<Value> inputs;
  /// Of a row.
  Value size;
  bool hasHalves;
  Value zero, one;

private:
  SmallVector<Value> at(Value half, Value row, Value place) {
    SmallVector<Value> position = view.select(row, place, zero);
    if (hasHalves)
      position.insert(position.begin(), half);
    return position;
  }
};

} // namespace mlir::wax

#endif // WAX_PASSES_LOWERING_SORTLOOPS_H
