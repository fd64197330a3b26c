//===- ProductBuilder.cpp - What loops of a product are made of -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductBuilder.h"

#include "../lowering/Rows.h"
#include "../lowering/Vectors.h"
#include "LoopPlan.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::wax;

/// Bytes that are copied from a near cache, however often.
static constexpr int64_t nearBytes = 256 * 1024;

ProductBuilder::ProductBuilder(ImplicitLocOpBuilder &builder, Product product)
    : NestBuilder(builder, product.op), product(product),
      sum(getProductSumType(product)), wide(getProductType(product)),
      unit(wide), rows(countTurns(product.rows)),
      columns(getSize(product.column)), summed(getSize(product.summed.back())),
      turns(summed), windows(countTurns(getWindows())) {
  if (product.dot == Dot::None)
    return;
  unit = builder.getI32Type();
  if (product.tile.isOfSquares)
    turnsAtOnce = squareSide;
  group = getGroup(product.dot);
  turns = divideUp(summed, constant(group));
}

SmallVector<Value> ProductBuilder::emitColumns(
    Value width, int64_t lanes, ValueRange carried,
    llvm::function_ref<Values(Value column, Value mask, ValueRange carried)>
        body) {
  auto emitWhole = [&](Value column, ValueRange values) {
    return body(column, /*mask=*/Value(), values);
  };
  if (isMultiple(columns, lanes))
    return loop(constant(0), width, lanes, carried, emitWhole);
  auto createMask = [&](Value rest) {
    return wax::createMask(builder, builder.getLoc(), lanes, rest);
  };
  if (product.tile.hasMasks)
    return loop(constant(0), width, lanes, carried,
                [&](Value column, ValueRange values) {
                  return body(column, createMask(subtract(width, column)),
                              values);
                });
  Value rest = compute<arith::RemUIOp>(width, constant(lanes));
  Value whole = subtract(width, rest);
  return loop(whole, width, lanes,
              loop(constant(0), whole, lanes, carried, emitWhole),
              [&](Value column, ValueRange values) {
                return body(column, createMask(rest), values);
              });
}

Value ProductBuilder::countTurns(ArrayRef<unsigned> loops) {
  Value count = constant(1);
  for (unsigned loop : loops)
    count = multiply(count, getSize(loop));
  return count;
}

void ProductBuilder::setIndices(LoopIndices &indices, ArrayRef<unsigned> loops,
                                Value turn) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned loop : loops)
    sizes.push_back(getAsOpFoldResult(getSize(loop)));
  Values places = getRowIndices(builder, builder.getLoc(), turn, sizes);
  for (auto [loop, place] : llvm::zip_equal(loops, places))
    indices[loop] = place;
}

SmallVector<Value> ProductBuilder::countOthers() {
  return llvm::map_to_vector(product.others, [&](unsigned loop) {
    return getMap(2).isFunctionOfDim(loop) ? getSize(loop) : constant(1);
  });
}

LoopIndices ProductBuilder::placeLoops(ArrayRef<unsigned> loops,
                                       ValueRange places) {
  LoopIndices indices(product.op.getNumLoops(), constant(0));
  for (auto [loop, place] : llvm::zip_equal(loops, places))
    indices[loop] = place;
  return indices;
}

SmallVector<unsigned> ProductBuilder::getOtherLoops(unsigned number,
                                                    ArrayRef<unsigned> own) {
  SmallVector<unsigned> others;
  for (AffineExpr dim : getMap(number).getResults())
    if (unsigned loop = cast<AffineDimExpr>(dim).getPosition();
        !llvm::is_contained(own, loop))
      others.push_back(loop);
  return others;
}

bool ProductBuilder::hasPanelsBefore() {
  std::optional<int64_t> known = getConstantIntValue(rows);
  auto type =
      cast<RankedTensorType>(getFactor(1 - product.rowFactor).getType());
  int64_t fewest = product.tile.packing.fewestRows;
  if (product.isCaptured)
    return type.hasStaticShape();
  return fewest && known && *known >= fewest && type.hasStaticShape() &&
         type.getNumElements() * type.getElementTypeBitWidth() / 8 >= nearBytes;
}

Value ProductBuilder::readStart(ArrayRef<Value> at, int64_t lanes, Value mask) {
  Location loc = builder.getLoc();
  Value init = product.op.getOutputs().front();
  if (Value scalar = createFilling(builder, loc, init))
    return createSplat(builder, loc, scalar, lanes);
  return readLanes(builder, loc, init, getPosition(getMap(2), at), lanes, mask);
}

Value ProductBuilder::convert(Value value, unsigned factor) {
  Type element = getElementTypeOrSelf(value.getType());
  Type to = wide;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    to = vector.clone(wide);
  if (element == wide)
    return value;
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(builder, to, value);
  if (isUnsigned(product, factor))
    return arith::UIToFPOp::create(builder, to, value);
  return arith::SIToFPOp::create(builder, to, value);
}

Value ProductBuilder::readOrZero(Value &index,
                                 llvm::function_ref<Value()> read) {
  if (isMultiple(summed, group * turnsAtOnce))
    return read();
  Value isThere =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, index, summed);
  index = compute<arith::MinUIOp>(index, subtract(summed, constant(1)));
  Value value = read();
  return arith::SelectOp::create(
      builder, isThere, value,
      arith::ConstantOp::create(builder, builder.getZeroAttr(value.getType())));
}

Value ProductBuilder::createParts(Value elements, unsigned factor) {
  if (product.dot != Dot::WideBytes)
    return elements;
  Type to = builder.getI16Type();
  if (auto vector = dyn_cast<VectorType>(elements.getType()))
    to = vector.clone(to);
  if (isUnsigned(product, factor))
    return arith::ExtUIOp::create(builder, to, elements);
  return arith::ExtSIOp::create(builder, to, elements);
}

Value ProductBuilder::createDot(Value sums, Value ofRows, Value ofColumns) {
  int64_t words = cast<VectorType>(sums.getType()).getNumElements();
  // The instruction takes unsigned bytes first.
  bool areColumnsFirst =
      product.dot == Dot::Bytes &&
      (isRaised() ? product.isInStrips
                  : isUnsigned(product, 1 - product.rowFactor));
  Value first = areColumnsFirst ? ofColumns : ofRows;
  Value second = areColumnsFirst ? ofRows : ofColumns;
  // LLVM's own, as IREE's passes have bf16 be words of 16 bits.
  auto call = [&](Type narrow, StringRef name, bool addsUp) -> Value {
    auto type = VectorType::get(words * group, narrow);
    Values arguments{LLVM::BitcastOp::create(builder, type, first),
                     LLVM::BitcastOp::create(builder, type, second)};
    if (addsUp)
      arguments.insert(arguments.begin(), sums);
    return LLVM::CallIntrinsicOp::create(builder, sums.getType(),
                                         builder.getStringAttr(name), arguments)
        .getResult(0);
  };
  bool isWide = words == 16;
  switch (product.dot) {
  case Dot::BFloat16:
    return call(builder.getBF16Type(), "llvm.x86.avx512bf16.dpbf16ps.512",
                /*addsUp=*/true);
  case Dot::Bytes:
    // Processors without AVX-512 have the narrower one, under the same name.
    return call(builder.getI8Type(),
                isWide ? "llvm.x86.avx512.vpdpbusd.512"
                       : "llvm.x86.avx512.vpdpbusd.256",
                /*addsUp=*/true);
  case Dot::WideBytes:
    return arith::AddIOp::create(
        builder, sums,
        call(builder.getI16Type(),
             isWide ? "llvm.x86.avx512.pmaddw.d.512" : "llvm.x86.avx2.pmadd.wd",
             /*addsUp=*/false));
  case Dot::None:
    break;
  }
  llvm_unreachable("no instruction");
}

Value ProductBuilder::createWords(ArrayRef<Value> elements) {
  if (isa<VectorType>(elements.front().getType()))
    return createVectorOfWords(Values(elements));
  int64_t width = 32 / group;
  Value words;
  for (auto [place, element] : llvm::enumerate(elements)) {
    Value bits = element;
    if (!element.getType().isInteger())
      bits = arith::BitcastOp::create(builder, builder.getIntegerType(width),
                                      element);
    Value part = arith::ExtUIOp::create(builder, unit, bits);
    if (place == 0) {
      words = part;
      continue;
    }
    Value distance = arith::ConstantOp::create(
        builder, builder.getI32IntegerAttr(width * place));
    part = arith::ShLIOp::create(builder, part, distance);
    words = arith::OrIOp::create(builder, words, part);
  }
  return words;
}

Value ProductBuilder::createVectorOfWords(Values parts) {
  int64_t lanes = cast<VectorType>(parts.front().getType()).getNumElements();
  for (Value &part : parts) {
    auto type = cast<VectorType>(part.getType());
    if (isa<FloatType>(type.getElementType()))
      part = arith::BitcastOp::create(
          builder, type.clone(builder.getIntegerType(32 / group)), part);
  }
  // Pairs of elements side by side, and pairs of these.
  for (unsigned width = 64 / group; width <= 32; width *= 2) {
    auto joined = VectorType::get(lanes, builder.getIntegerType(width));
    Values pairs;
    for (size_t part = 0; part < parts.size(); part += 2)
      pairs.push_back(vector::BitCastOp::create(
          builder, joined,
          vector::InterleaveOp::create(builder, parts[part], parts[part + 1])));
    parts = pairs;
  }
  return parts.front();
}
