//===- ProductBuilder.h - What loops of a product are made of ---*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTBUILDER_H
#define WAX_PASSES_LIB_PRODUCTBUILDER_H

#include "NestBuilder.h"
#include "ProductTiles.h"

namespace mlir::wax {

/// What bytes are raised by to be unsigned, four of them.
inline constexpr int32_t raisedBytes = 0x80808080;

/// Emits indices, loops, and what both factors have in common.
class ProductBuilder : protected NestBuilder {
public:
  ProductBuilder(ImplicitLocOpBuilder &builder, Product product);

protected:
  /// Goes through `width` columns in vectors of `lanes`: whole ones, and what
  /// is left with a mask, where masks are slow.
  Values emitColumns(
      Value width, int64_t lanes, ValueRange carried,
      llvm::function_ref<Values(Value column, Value mask, ValueRange carried)>
          body);
  /// The number of turns of loops inside each other.
  Value countTurns(ArrayRef<unsigned> loops);
  /// Sets the indices of loops inside each other in one of these turns.
  void setIndices(LoopIndices &indices, ArrayRef<unsigned> loops, Value turn);
  /// The turns of the result's other loops, of those that it has not one each.
  Values countOthers();
  /// Where some loops stand, and all others at 0.
  LoopIndices placeLoops(ArrayRef<unsigned> loops, ValueRange places);
  /// The loops of a factor's dims, each of one, but for `own`.
  SmallVector<unsigned> getOtherLoops(unsigned number, ArrayRef<unsigned> own);
  /// All loops of what is summed up but the last one.
  ArrayRef<unsigned> getWindows() const {
    return ArrayRef<unsigned>(product.summed).drop_back();
  }

  Value getFactor(unsigned number) { return product.op.getInputs()[number]; }
  /// Whether all panels of the factor with columns are made before.
  bool hasPanelsBefore();
  /// What sums of `lanes` columns begin with, from where `at` stands on.
  Value readStart(ArrayRef<Value> at, int64_t lanes, Value mask);
  /// An element, or a vector of them, of a factor as it is multiplied.
  Value convert(Value value, unsigned factor);
  /// An element, or a vector of them, of a factor as words have it.
  Value createParts(Value elements, unsigned factor);
  /// A word, or a vector of them, of parts that follow each other; each of
  /// `elements` has one of each word.
  Value createWords(ArrayRef<Value> elements);
  Value createVectorOfWords(Values parts);

  /// `sums` with the products of two registers' words, of each factor.
  Value createDot(Value sums, Value ofRows, Value ofColumns);

  /// What `read` reads where `index` is one of what is summed up; zeros where
  /// it is not, as words, or squares of them, are longer than what is left.
  Value readOrZero(Value &index, llvm::function_ref<Value()> read);

  /// Whether bytes of a factor are raised to be unsigned: of the one with rows,
  /// or, in strips, of the one with columns.
  bool isRaised() {
    return product.dot == Dot::Bytes && !product.tile.isOfSquares &&
           !isUnsigned(product, 0) && !isUnsigned(product, 1);
  }

  Product product;
  /// What sums are made of, what registers sum up, and what a lane multiplies
  /// in a turn: an element as it is summed up, or a word of `group` of them.
  Type sum, wide, unit;
  int64_t group = 1;
  /// Turns that are read at once.
  int64_t turnsAtOnce = 1;
  /// `turns` are those of the last loop that is summed up, of `summed`
  /// elements.
  Value rows, columns, summed, turns, windows;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTBUILDER_H
