//===- Fft.cpp - Derivatives of Fourier transforms ----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "ScalarRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace mlir::wax;

/// Half a spectrum, of a real signal of `length` along `dim`, multiplied by
/// `factor` except where an element stands for itself alone.
static Value scaleHalf(OpBuilder &builder, Location loc, Value half,
                       int64_t dim, int64_t length, double factor) {
  auto type = cast<RankedTensorType>(half.getType());
  Type word = builder.getI64Type();
  Value index = IotaOp::create(
      builder, loc, RankedTensorType::get({type.getDimSize(dim)}, word),
      ValueRange(), 0);
  SmallVector<Operand> operands{{half, getAllDims(half)}, {index, {dim}}};
  return createBroadcast(
      builder, loc, operands, {},
      [&](OpBuilder &body, Location loc, ValueRange in) -> Value {
        auto equals = [&](int64_t number) -> Value {
          Value constant = arith::ConstantOp::create(
              body, loc, body.getI64IntegerAttr(number));
          return arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq,
                                       in[1], constant);
        };
        Value alone = equals(0);
        if (length % 2 == 0)
          alone = arith::OrIOp::create(body, loc, alone, equals(length / 2));
        Value scaled =
            scalar::mul(body, loc, in[0],
                        scalar::constant(body, loc, in[0].getType(), factor));
        return arith::SelectOp::create(body, loc, alone, in[0], scaled);
      });
}

namespace {
struct DifferentiateFft
    : DifferentiableOpInterface::ExternalModel<DifferentiateFft, FftOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    auto fft = cast<FftOp>(op);
    Location loc = op->getLoc();
    Value cotangent = cotangents.front();
    int64_t dim = fft.getDims().back();
    auto transform = [&](Value value, IntegerAttr length) -> Value {
      return FftOp::create(builder, loc, value, fft.getDimsAttr(), length,
                           fft.getInverseAttr());
    };
    Value result;
    if (fft.hasRealOperand()) {
      int64_t length = fft.getOperand().getType().getDimSize(dim);
      Value halved = scaleHalf(builder, loc, cotangent, dim, length, 0.5);
      result = transform(halved, builder.getI64IntegerAttr(length));
    } else if (fft.hasRealResult()) {
      result = scaleHalf(builder, loc, transform(cotangent, {}), dim,
                         *fft.getLength(), 2.0);
    } else {
      result = transform(cotangent, {});
    }
    return SmallVector<Value>{result};
  }
};
} // namespace

void mlir::wax::attachFftDerivatives(MLIRContext *context) {
  FftOp::attachInterface<DifferentiateFft>(*context);
}
