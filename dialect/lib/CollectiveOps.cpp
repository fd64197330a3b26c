//===- CollectiveOps.cpp - What rows of a batch share ---------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRule.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::wax;

//===----------------------------------------------------------------------===//
// axis_index
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(AxisIndexOp::Adaptor,
                                       const SizeSources &sizes, Fault fault) {
  RelationBuilder builder(sizes, fault);
  builder.addResult({});
  return builder.take();
}

LogicalResult AxisIndexOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location>, Adaptor,
                                            SmallVectorImpl<Type> &types) {
  types.push_back(RankedTensorType::get({}, IntegerType::get(context, 32)));
  return success();
}

WAX_DERIVE_FROM_RULE(AxisIndexOp)

//===----------------------------------------------------------------------===//
// all_gather
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(AllGatherOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (op.getStaticSizes().size() != 1)
    return fault("all_gather_c1", thereAre(op.getStaticSizes().size(), "size"),
                 ", but must be one");
  RelationBuilder builder(sizes, fault);
  FailureOr<SmallVector<AffineExpr>> dims =
      builder.getSizes(op.getStaticSizes(), op.getSizes(), "all_gather_c1");
  if (failed(dims))
    return failure();
  llvm::append_range(*dims, getDims(op.getOperand(), sizes));
  builder.addResult(std::move(*dims));
  return builder.take();
}

WAX_DERIVE_FROM_RULE(AllGatherOp)
WAX_INFER_FROM_RULE(AllGatherOp)

//===----------------------------------------------------------------------===//
// psum
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(PsumOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (getElement(op.getOperand()).isInteger(1))
    return fault("psum_c1", "the element type is i1");
  return relateSame(op.getOperand(), sizes, fault);
}

WAX_DERIVE_FROM_RULE(PsumOp)
WAX_INFER_FROM_RULE(PsumOp)

//===----------------------------------------------------------------------===//
// pmax
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(PmaxOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  if (isa<ComplexType>(getElement(op.getOperand())))
    return fault("pmax_c1", "the element type is ",
                 getElement(op.getOperand()));
  return relateSame(op.getOperand(), sizes, fault);
}

WAX_DERIVE_FROM_RULE(PmaxOp)
WAX_INFER_FROM_RULE(PmaxOp)

//===----------------------------------------------------------------------===//
// ppermute
//===----------------------------------------------------------------------===//

static FailureOr<ShapeRelation> relate(PpermuteOp::Adaptor op,
                                       const SizeSources &sizes, Fault fault) {
  int64_t count = op.getSources().size();
  llvm::SmallBitVector seen(count);
  for (int64_t source : op.getSources()) {
    if (source == -1)
      continue;
    if (source < 0 || source >= count || seen[source])
      return fault("ppermute_c1", "sources ", list(op.getSources()),
                   " must be rows below ", count, ", each once, or -1");
    seen.set(source);
  }
  return relateSame(op.getOperand(), sizes, fault);
}

WAX_DERIVE_FROM_RULE(PpermuteOp)
WAX_INFER_FROM_RULE(PpermuteOp)
