//===- ProductBuilder.h - What loops of a product are made of ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTBUILDER_H
#define WAX_PASSES_LIB_PRODUCTBUILDER_H

#include "CPUContext.h"
#include "ProductTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::wax {

/// The rows of a tile of the result.
inline constexpr int64_t tileRows = 6;

/// The index of each loop that a tensor's position is made of.
using LoopIndices = SmallVector<Value>;

/// Emits indices, loops, and what both factors have in common.
class ProductBuilder {
public:
  ProductBuilder(ImplicitLocOpBuilder &builder, Product product);

protected:
  using Values = SmallVector<Value>;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  template <typename Op> Value compute(Value lhs, Value rhs) {
    return builder.createOrFold<Op>(lhs, rhs);
  }
  Value add(Value lhs, Value rhs) { return compute<arith::AddIOp>(lhs, rhs); }
  Value add(Value lhs, int64_t rhs) { return add(lhs, constant(rhs)); }
  Value subtract(Value lhs, Value rhs) {
    return compute<arith::SubIOp>(lhs, rhs);
  }
  Value multiply(Value lhs, Value rhs) {
    return compute<arith::MulIOp>(lhs, rhs);
  }
  /// The number of pieces of `length` that `size` takes.
  Value divideUp(Value size, Value length) {
    return compute<arith::CeilDivUIOp>(size, length);
  }

  /// A loop whose body uses this builder.
  Values loop(Value from, Value to, int64_t step, ValueRange carried,
              llvm::function_ref<Values(Value, ValueRange)> body);
  /// Goes through `width` columns in vectors of `lanes`: whole ones, and what
  /// is left with a mask. Masks are slow to write under.
  Values emitColumns(
      Value width, int64_t lanes, ValueRange carried,
      llvm::function_ref<Values(Value column, Value mask, ValueRange carried)>
          body);
  /// What `emit` makes with this builder where another one stands.
  Values emitAt(OpBuilder &other, llvm::function_ref<Values()> emit);

  /// Whether a size is known to be a multiple of a number.
  static bool isMultiple(Value size, int64_t of);
  Value getSize(unsigned loop);
  /// The number of turns of loops inside each other.
  Value countTurns(ArrayRef<unsigned> loops);
  /// Sets the indices of loops inside each other in one of these turns.
  void setIndices(LoopIndices &indices, ArrayRef<unsigned> loops, Value turn);
  /// All loops of what is summed up but the last one.
  ArrayRef<unsigned> getWindows() const {
    return ArrayRef<unsigned>(product.summed).drop_back();
  }

  Value getFactor(unsigned number) { return product.op.getInputs()[number]; }
  /// From the loops to the dims of a factor, or of the result, number 2.
  AffineMap getMap(unsigned number) {
    return product.op.getIndexingMapsArray()[number];
  }
  /// The place in a tensor that loops' indices tell.
  Values getPosition(AffineMap map, ArrayRef<Value> indices);
  /// An element, or a vector of them, of a factor as it is multiplied.
  Value convert(Value value, unsigned factor);

  ImplicitLocOpBuilder &builder;
  Product product;
  /// What sums are made of, and what is multiplied.
  Type sum, wide;
  Value rows, columns, summed, windows;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTBUILDER_H
