//===- Scan.cpp - Derivatives of scans ----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

struct DifferentiateScan
    : DifferentiableOpInterface::ExternalModel<DifferentiateScan, ScanOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    auto scan = cast<ScanOp>(op);
    Folding folding = getFolding(scan, scan.getInputs());
    return pushFold(builder, folding, tangents,
                    [&](TypeRange types, ValueRange inputs, ValueRange inits) {
                      return ScanOp::create(builder, op->getLoc(), types,
                                            inputs, inits, scan.getDim(),
                                            scan.getExclusive(),
                                            scan.getReverse());
                    });
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto scan = cast<ScanOp>(op);
    Folding folding = getFolding(scan, scan.getInputs());
    size_t inputCount = folding.inputs.size();
    if (isSum(scan.getFold(), inputCount))
      return pullScanOfSum(scan, folding, builder, cotangents, wanted);
    for (unsigned i : wanted.set_bits())
      if (i >= inputCount)
        return op->emitOpError("has no derivative by where it starts"),
               failure();

    SmallVector<Value> before(op->getResults());
    if (!scan.getExclusive())
      before =
          createPrefixes(builder, folding, scan.getDim(), scan.getReverse());
    ScanPull pull{folding,
                  static_cast<int64_t>(scan.getDim()),
                  scan.getExclusive(),
                  scan.getReverse(),
                  cotangents,
                  before,
                  wanted};
    Derivatives pulled = pull.run(builder);
    if (succeeded(pulled))
      pulled->resize(op->getNumOperands());
    return pulled;
  }

  /// An element is in all sums from it on: the cotangents are summed from the
  /// other end.
  static Derivatives pullScanOfSum(ScanOp scan, const Folding &folding,
                                   OpBuilder &builder,
                                   ArrayRef<Value> cotangents,
                                   const llvm::SmallBitVector &wanted) {
    Location loc = scan.getLoc();
    SmallVector<Operand> sums;
    SmallVector<Value> results(scan->getNumOperands());
    for (auto [i, cotangent] : llvm::enumerate(cotangents)) {
      unsigned place = folding.inputs.size() + i;
      if (wanted[place])
        results[place] = sumToStart(builder, loc, cotangent);
      if (!cotangent) {
        sums.push_back({});
        continue;
      }
      Type element = getElementTypeOrSelf(cotangent.getType());
      auto made = ScanOp::create(builder, loc, cotangent.getType(), cotangent,
                                 createScalarTensor(builder, loc, element, 0),
                                 scan.getDim(), scan.getExclusive(),
                                 !scan.getReverse());
      buildKernel(builder, loc, made.getFold(), {element, element},
                  addAccumulators);
      if (scan.hasCombine())
        buildKernel(builder, loc, made.getCombine(), {element, element},
                    addAccumulators);
      sums.push_back({made->getResult(0), getAllDims(cotangent)});
    }
    Derivatives pulled = pullSum(builder, folding, sums, wanted);
    if (failed(pulled))
      return failure();
    llvm::copy(*pulled, results.begin());
    return results;
  }
};

} // namespace

void mlir::wax::attachScanDerivatives(MLIRContext *context) {
  ScanOp::attachInterface<DifferentiateScan>(*context);
}
