//===- PointwiseCanonicalize.cpp - Simplifying ----------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Wax.h"

using namespace mlir;
using namespace mlir::wax;

OpFoldResult MapOp::fold(FoldAdaptor) { return {}; }
void MapOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
OpFoldResult BroadcastOp::fold(FoldAdaptor) { return {}; }
void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &,
                                              MLIRContext *) {}
OpFoldResult PermuteOp::fold(FoldAdaptor) { return {}; }
void PermuteOp::getCanonicalizationPatterns(RewritePatternSet &,
                                            MLIRContext *) {}
OpFoldResult ReshapeOp::fold(FoldAdaptor) { return {}; }
void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &,
                                            MLIRContext *) {}
OpFoldResult SliceOp::fold(FoldAdaptor) { return {}; }
void SliceOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
OpFoldResult PadOp::fold(FoldAdaptor) { return {}; }
void PadOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
OpFoldResult ConcatOp::fold(FoldAdaptor) { return {}; }
void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {
}
OpFoldResult GatherOp::fold(FoldAdaptor) { return {}; }
void GatherOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {
}
void IotaOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {}
LogicalResult ReduceOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return failure();
}
void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) {
}
