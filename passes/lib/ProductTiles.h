//===- ProductTiles.h - The loops of a product of matrices ------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_PRODUCTTILES_H
#define WAX_PASSES_LIB_PRODUCTTILES_H

#include "ProductEpilogue.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "wax/Passes/Processor.h"

namespace mlir::wax {

/// Instructions that multiply and add several elements for each lane, which lie
/// in a word of 32 bits: two of bf16, four bytes, or two bytes as integers of
/// 16 bits each.
enum class Dot { None, BFloat16, Bytes, WideBytes };

/// Rows, and words of each, of a register that is a square, and all its words.
inline constexpr int64_t squareSide = 16, squareWords = squareSide * squareSide;

/// The part of a product that is in a processor's registers and nearest cache.
struct TileShape {
  /// Columns of the result.
  int64_t lanes = 0;
  /// Turns of what is summed up.
  int64_t panelLength = 0;
  /// Bytes that a dispatch may have on its stack: IREE's limit, or wax's flag.
  int64_t stackBytes = 32 * 1024;
  /// Whether vectors are as fast to read and write under masks.
  bool hasMasks = false;
  /// Rows of the result.
  int64_t rows = 6;
  /// Whether registers are squares of words, of rows, of columns and of sums.
  bool isOfSquares = false;
  /// Tiles below each other in a block.
  int64_t mostTiles = 85;
  /// Where all panels are made before, they are read from the second cache.
  struct Packing {
    /// From how many rows on; never where this is 0.
    int64_t fewestRows = 0;
    /// These are then as follows.
    int64_t panelLength = 0, mostTiles = 0;
  } packing;
};

/// A sum of products: loops of rows, of columns and of what is summed up, and
/// others that are gone through around them, or have one turn.
struct Product {
  linalg::GenericOp op;
  /// The number of the factor that has rows, whose dims may be sums of
  /// multiples of loops. The other one has columns, and a loop for each dim.
  unsigned rowFactor;
  /// They are numbered as one loop would be, and are dims of the result that
  /// follow each other. Of all but the first the number of turns is known. None
  /// where there is one row.
  SmallVector<unsigned> rows;
  /// The result's last dim. That of the factor with columns is this loop, or
  /// the last one that is summed up.
  unsigned column;
  /// Of all but the last the number of turns is known.
  SmallVector<unsigned> summed;
  SmallVector<unsigned> others;
  /// Whether the factor with columns is to be read once, in strips.
  bool isInStrips = false;
  /// Whether that factor is the same in all calls, so that its panels, which
  /// take hardly more memory, are made once.
  bool isCaptured = false;
  /// Whether that factor is made where it is read (`isMadeOfLess`).
  bool isMadeOfLess = false;
  /// With which both factors lie in memory as they are.
  Dot dot = Dot::None;
  TileShape tile = {};
};

/// What sums are made of, and what registers sum up.
Type getProductSumType(Product product);
Type getProductType(Product product);

/// Elements of a word that registers multiply; one where there are no words.
int64_t getGroup(Dot dot);

/// Turns that are copied to panels together: these have as many, or a multiple.
int64_t getTurnsTogether(const TileShape &tile);

/// Bits that all panels take of so many columns, and elements to sum up.
int64_t getPanelBits(Product product, int64_t columns, int64_t summed);

/// Whether integers of a factor are unsigned ones.
bool isUnsigned(Product product, unsigned factor);

/// Which instruction of the processor's does a product, of known factors.
Dot getDot(Product product, Processor processor);

/// The tile that fills the processor's registers; `columns` are known, or -1.
TileShape getTileShape(Product product, Processor processor, int64_t columns);

/// Columns of the narrowest tile.
int64_t getTileColumns(Product product);

/// Rows below which tiles are hardly filled.
inline constexpr int64_t fewestRows = 12;

/// The result of a product, with what `epilogue` makes of it, computed in one
/// dispatch, which may be preceded by one that converts or rearranges a factor.
Value emitTiles(RewriterBase &rewriter, Product product,
                ProductEpilogue &epilogue);

/// As `emitTiles`, for a known number of rows, at most a few, one loop of what
/// is summed up, and a factor with columns that lies along these, or, as the
/// other one does then, along what is summed up.
Value emitStrips(RewriterBase &rewriter, Product product);

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_PRODUCTTILES_H
