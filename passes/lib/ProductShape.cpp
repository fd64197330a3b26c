//===- ProductShape.cpp - What of a product is in registers ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::wax;

/// Bytes of a tile's columns: with 16 registers of 32 bytes, 12 sum up, 2 hold
/// a row of the panel, and one an element of the other factor; with 32 of 64
/// bytes 24 sum up. More rows would need more addresses than there are
/// registers for.
static constexpr int64_t tileBytes = 64, widestTileBytes = 256;
/// Turns to sum up before a tile goes back to memory: a panel of them takes
/// half of the nearest cache, and of the stack that IREE allows, and bytes
/// multiplied in f32 sum up exactly.
static constexpr int64_t mostPanelLength = 256;
/// Of a panel that is alone on the stack: there is another one of columns that
/// are left over, unless masks leave them out.
static constexpr int64_t panelBytes = 24 * 1024;
/// Turns that vectors copy together.
static constexpr int64_t turnsTogether = 8;
/// Where many blocks would copy the same panels, these are made before, and are
/// read from the second cache: a quarter of it is a panel's. It has 512 kB, and
/// 1 MB where there is AVX-512, whose panels are four times as wide.
static constexpr TileShape::Packing nearCachePacking{
    /*fewestRows=*/512, /*panelLength=*/2048, TileShape().mostTiles};
static constexpr TileShape::Packing middleCachePacking{
    /*fewestRows=*/512, /*panelLength=*/1024, TileShape().mostTiles};
/// Of a panel that is in the second cache, which feeds registers fast enough
/// where there is AVX-512: sums go back to memory less often. It leaves room
/// for sums apart.
static constexpr int64_t longerPanelBytes = 60 * 1024;
/// With a second cache of 2 MB, as processors with AMX have it, which is far
/// from the next one, a panel stays in it while 44 tiles below each other go
/// by. Where many blocks would copy the same panels, these are made before, and
/// have all that is summed up, for 88 tiles: half of that cache is a panel's,
/// and no sum goes back to memory.
static constexpr int64_t longestPanelBytes = 64 * 1024, fewerTilesDown = 44;
static constexpr TileShape::Packing farCachePacking{
    /*fewestRows=*/512, /*panelLength=*/4096, /*mostTiles=*/88};
/// Squares multiply so fast that it is worth it to write each sum once: a panel
/// of them is in the second cache.
static constexpr int64_t squarePanelBytes = 64 * 1024;
/// What programs for AVX-512 are compiled for.
static constexpr int64_t moreStackBytes = 64 * 1024;
static constexpr int64_t packedSquareTurns = 1024;

Type mlir::wax::getProductSumType(Product product) {
  return getElementTypeOrSelf(product.op.getResult(0).getType());
}

Type mlir::wax::getProductType(Product product) {
  Type sum = getProductSumType(product);
  return isa<FloatType>(sum) || product.dot != Dot::None
             ? sum
             : Float32Type::get(sum.getContext());
}

int64_t mlir::wax::getGroup(Dot dot) {
  switch (dot) {
  case Dot::None:
    return 1;
  case Dot::Bytes:
    return 4;
  case Dot::BFloat16:
  case Dot::WideBytes:
    return 2;
  }
  llvm_unreachable("no kind of products");
}

int64_t mlir::wax::getTurnsTogether(const TileShape &tile) {
  return tile.isOfSquares ? squareSide : turnsTogether;
}

int64_t mlir::wax::getPanelBits(Product product, int64_t columns,
                                int64_t summed) {
  int64_t unit = product.dot == Dot::None
                     ? getProductType(product).getIntOrFloatBitWidth()
                     : 32;
  int64_t turns = llvm::divideCeil(summed, getGroup(product.dot));
  return llvm::alignTo(columns, product.tile.lanes) *
         llvm::alignTo(turns, getTurnsTogether(product.tile)) * unit;
}

int64_t mlir::wax::getTileColumns(Product product) {
  return 8 * tileBytes / getProductType(product).getIntOrFloatBitWidth();
}

TileShape mlir::wax::getTileShape(Product product, Processor processor,
                                  int64_t columns) {
  TileShape tile;
  tile.lanes = getTileColumns(product);
  tile.panelLength = mostPanelLength;
  tile.hasMasks = hasAVX512(processor);
  bool isSummedInSteps = getProductType(product) != getProductSumType(product);
  if (!tile.hasMasks) {
    if (isSummedInSteps) {
      tile.packing.panelLength = tile.panelLength;
      tile.packing.mostTiles = tile.mostTiles;
      return tile;
    }
    tile.packing = nearCachePacking;
    if (!ShapedType::isDynamic(columns) && columns % tile.lanes == 0)
      tile.panelLength = panelBytes / tileBytes;
    return tile;
  }
  int64_t most = longerPanelBytes;
  tile.stackBytes = moreStackBytes;
  tile.packing = middleCachePacking;
  if (processor == Processor::AMX) {
    most = longestPanelBytes;
    tile.mostTiles = fewerTilesDown;
    tile.packing = farCachePacking;
  }
  if (isSummedInSteps)
    tile.packing.panelLength = mostPanelLength;
  if (processor == Processor::AMX && product.dot != Dot::None) {
    tile.isOfSquares = true;
    tile.packing.panelLength = packedSquareTurns;
    tile.rows = tile.lanes = 2 * squareSide;
    tile.panelLength = squarePanelBytes / (4 * tile.lanes);
    return tile;
  }
  // Of narrower tiles, one of two registers multiplies about as fast; sums of
  // one register each wait for each other.
  int64_t widest = tile.lanes * widestTileBytes / tileBytes;
  auto getCost = [&](int64_t lanes) {
    int64_t slowness = lanes == widest ? 16 : lanes * 2 == widest ? 17 : 22;
    return llvm::alignTo(columns, lanes) * slowness;
  };
  int64_t narrowest = tile.lanes;
  tile.lanes = widest;
  if (!ShapedType::isDynamic(columns))
    for (int64_t lanes = narrowest; lanes < widest; lanes *= 2)
      if (getCost(lanes) < getCost(tile.lanes))
        tile.lanes = lanes;
  int64_t bytes = tileBytes * tile.lanes / narrowest;
  tile.panelLength = std::min(mostPanelLength, most / bytes);
  return tile;
}

bool mlir::wax::isUnsigned(Product product, unsigned factor) {
  BlockArgument scalar = product.op.getMatchingBlockArgument(
      product.op.getDpsInputOperand(factor));
  return isa<arith::ExtUIOp, arith::UIToFPOp>(*scalar.user_begin());
}

Dot mlir::wax::getDot(Product product, Processor processor) {
  linalg::GenericOp op = product.op;
  AffineMap down = op.getIndexingMapsArray()[product.rowFactor];
  if (product.summed.size() != 1 || !down.isProjectedPermutation())
    return Dot::None;
  auto areAll = [&](auto is) {
    return llvm::all_of(op.getInputs(), [&](Value factor) {
      return is(getElementTypeOrSelf(factor));
    });
  };
  if (processor >= Processor::AVX512BF16 &&
      getProductSumType(product).isF32() &&
      areAll([](Type type) { return type.isBF16(); }))
    return Dot::BFloat16;
  // The instruction for vectors takes signed ones of one factor.
  if (!getProductSumType(product).isInteger() ||
      !areAll([](Type type) { return type.isInteger(8); }))
    return Dot::None;
  if (hasByteDots(processor) &&
      (processor == Processor::AMX ||
       !(isUnsigned(product, 0) && isUnsigned(product, 1))))
    return Dot::Bytes;
  return hasShortDots(processor) ? Dot::WideBytes : Dot::None;
}
