//===- ProductSquares.cpp - Products of squares in registers --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AMX has eight registers of 16 rows of 64 bytes (Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 1, chapter 18). Four sum
// up, two rows of two; two hold rows and two columns. LLVM reads and writes
// them where a vector of 256 words lies in one run of memory.
//
//===----------------------------------------------------------------------===//

#include "ProductSquares.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::wax;

/// An intrinsic of LLVM's that gives a square; all squares have one shape.
Value SquareSums::call(StringRef name, ValueRange operands) {
  Type square = LLVM::LLVMX86AMXType::get(builder.getContext());
  return LLVM::CallIntrinsicOp::create(builder, square,
                                       builder.getStringAttr(name), operands)
      .getResult(0);
}

SmallVector<Value> SquareSums::start(int64_t count) {
  Value side =
      arith::ConstantOp::create(builder, builder.getI16IntegerAttr(squareSide));
  Value bytes = arith::ConstantOp::create(
      builder, builder.getI16IntegerAttr(squareSide * 4));
  Values sums;
  for (int64_t number = 0; number < count * getSquaresAcross(); ++number)
    sums.push_back(call("llvm.x86.tilezero.internal", {side, bytes}));
  return sums;
}

SmallVector<Value> SquareSums::addProducts(ValueRange sums,
                                           ArrayRef<Value> down,
                                           ArrayRef<Value> across) {
  auto load = [&](ArrayRef<Value> words) {
    return llvm::map_to_vector(words, [&](Value one) {
      return call("llvm.x86.cast.vector.to.tile.v256i32", one);
    });
  };
  Values rows = load(down), columns = load(across), added;
  std::string name = "llvm.x86.tdpbf16ps.internal";
  if (product.dot == Dot::Bytes) {
    auto spell = [&](unsigned factor) {
      return isUnsigned(product, factor) ? "u" : "s";
    };
    name = (Twine("llvm.x86.tdpb") + spell(product.rowFactor) +
            spell(1 - product.rowFactor) + "d.internal")
               .str();
  }
  Value side =
      arith::ConstantOp::create(builder, builder.getI16IntegerAttr(squareSide));
  Value bytes = arith::ConstantOp::create(
      builder, builder.getI16IntegerAttr(squareSide * 4));
  for (auto [number, sum] : llvm::enumerate(sums))
    added.push_back(
        call(name, {side, bytes, bytes, sum, rows[number / columns.size()],
                    columns[number % columns.size()]}));
  return added;
}

Value SquareSums::getWords(Value square) {
  StringRef name = sum.isF32() ? "llvm.x86.cast.tile.to.vector.v256f32"
                               : "llvm.x86.cast.tile.to.vector.v256i32";
  return LLVM::CallIntrinsicOp::create(builder,
                                       VectorType::get(squareWords, sum),
                                       builder.getStringAttr(name), square)
      .getResult(0);
}
