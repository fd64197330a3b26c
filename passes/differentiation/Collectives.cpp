//===- Collectives.cpp - Derivatives of what rows of a batch share --------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Scalars.h"
#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct DifferentiateAllGather
    : DifferentiableOpInterface::ExternalModel<DifferentiateAllGather,
                                               AllGatherOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  /// What all rows have for this one.
  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    Location loc = op->getLoc();
    StringAttr axis = cast<AllGatherOp>(op).getAxisAttr();
    Value all = PsumOp::create(builder, loc, cotangents.front(), axis);
    Value row = AxisIndexOp::create(builder, loc, axis);
    SmallVector<int64_t> dims =
        getAllDims(cast<RankedTensorType>(all.getType()).getRank() - 1);
    dims.insert(dims.begin(), -1);
    SmallVector<Value> results(op->getNumOperands());
    results[0] = GatherOp::create(
        builder, loc, all, row, dims,
        builder.getArrayAttr(builder.getDenseI64ArrayAttr({})));
    return results;
  }
};

struct DifferentiatePsum
    : DifferentiableOpInterface::ExternalModel<DifferentiatePsum, PsumOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    return SmallVector<Value>{PsumOp::create(builder, op->getLoc(),
                                             cotangents.front(),
                                             cast<PsumOp>(op).getAxisAttr())};
  }
};

/// The sum of those of the rows that have the maximum, in equal shares.
struct DifferentiatePmax
    : DifferentiableOpInterface::ExternalModel<DifferentiatePmax, PmaxOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    Location loc = op->getLoc();
    StringAttr axis = cast<PmaxOp>(op).getAxisAttr();
    Value part = multiply(builder, loc, createShare(op, builder), tangents[0]);
    return SmallVector<Value>{PsumOp::create(builder, loc, part, axis)};
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    Location loc = op->getLoc();
    Value all = PsumOp::create(builder, loc, cotangents[0],
                               cast<PmaxOp>(op).getAxisAttr());
    return SmallVector<Value>{
        multiply(builder, loc, createShare(op, builder), all)};
  }

private:
  static Value multiply(OpBuilder &builder, Location loc, Value lhs,
                        Value rhs) {
    return createPointwise(builder, loc, {lhs, rhs},
                           [](OpBuilder &body, Location loc, ValueRange in) {
                             return scalar::mul(body, loc, in[0], in[1]);
                           });
  }

  /// This row's: one of as many as have the maximum, or nothing.
  static Value createShare(Operation *op, OpBuilder &builder) {
    Location loc = op->getLoc();
    Value has = createPointwise(
        builder, loc, {op->getOperand(0), op->getResult(0)},
        [](OpBuilder &body, Location loc, ValueRange in) -> Value {
          Type type = in[0].getType();
          Value same = arith::CmpFOp::create(
              body, loc, arith::CmpFPredicate::OEQ, in[0], in[1]);
          return arith::SelectOp::create(body, loc, same,
                                         scalar::constant(body, loc, type, 1),
                                         scalar::constant(body, loc, type, 0));
        });
    Value count =
        PsumOp::create(builder, loc, has, cast<PmaxOp>(op).getAxisAttr());
    return createPointwise(builder, loc, {has, count},
                           [](OpBuilder &body, Location loc, ValueRange in) {
                             return scalar::div(body, loc, in[0], in[1]);
                           });
  }
};

struct DifferentiatePpermute
    : DifferentiableOpInterface::ExternalModel<DifferentiatePpermute,
                                               PpermuteOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    return pushThrough(op, 1, builder, tangents);
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &) const {
    auto permuted = cast<PpermuteOp>(op);
    SmallVector<int64_t> readers(permuted.getSources().size(), -1);
    for (auto [row, source] : llvm::enumerate(permuted.getSources()))
      if (source >= 0)
        readers[source] = row;
    return SmallVector<Value>{
        PpermuteOp::create(builder, op->getLoc(), cotangents.front(),
                           permuted.getAxisAttr(), readers)};
  }
};

} // namespace

void mlir::wax::attachCollectiveDerivatives(MLIRContext *context) {
  AllGatherOp::attachInterface<DifferentiateAllGather>(*context);
  PsumOp::attachInterface<DifferentiatePsum>(*context);
  PmaxOp::attachInterface<DifferentiatePmax>(*context);
  PpermuteOp::attachInterface<DifferentiatePpermute>(*context);
}
