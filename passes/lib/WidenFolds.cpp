//===- WidenFolds.cpp - Choices of narrow floats in f32 -------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../building/Tensors.h"
#include "wax/Dialect/Wax.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_WIDENFOLDS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

static bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// Whether a kernel compares its narrow floats and chooses among them, and
/// makes no others: nothing is rounded, in whatever format.
static bool isExact(Region &kernel) {
  return llvm::all_of(kernel.getOps(), [](Operation &op) {
    if (llvm::any_of(op.getResultTypes(), isNarrow))
      return isa<arith::ConstantOp, arith::MaximumFOp, arith::MaxNumFOp,
                 arith::MinimumFOp, arith::MinNumFOp, arith::SelectOp>(op);
    return llvm::none_of(op.getOperandTypes(), isNarrow) ||
           isa<arith::CmpFOp, arith::ExtFOp, YieldOp>(op);
  });
}

/// A float of a narrow format in f32.
static APFloat widen(APFloat value) {
  bool isInexact = false;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                &isInexact);
  return value;
}

/// The kernel of arguments that are f32 where its own are narrow.
static SmallVector<Value> emitWide(OpBuilder &builder, Region &kernel,
                                   ValueRange arguments) {
  Type wide = builder.getF32Type();
  IRMapping mapping;
  mapping.map(kernel.getArguments(), arguments);
  Block &block = kernel.front();
  for (Operation &op : block.without_terminator()) {
    Value narrow = op.getNumResults() == 1 ? op.getResult(0) : Value();
    APFloat constant(0.0);
    if (narrow && isNarrow(narrow.getType()) &&
        matchPattern(narrow, m_ConstantFloat(&constant))) {
      mapping.map(narrow, arith::ConstantOp::create(
                              builder, op.getLoc(),
                              FloatAttr::get(wide, widen(constant))));
      continue;
    }
    if (auto extension = dyn_cast<arith::ExtFOp>(op);
        extension && isNarrow(extension.getIn().getType()) &&
        extension.getType() == wide) {
      mapping.map(narrow, mapping.lookup(extension.getIn()));
      continue;
    }
    for (Value result : builder.clone(op, mapping)->getResults())
      if (isNarrow(result.getType()))
        result.setType(wide);
  }
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookup(value); });
}

/// A tensor of narrow floats in f32; others as they are.
static Value widen(OpBuilder &builder, Location loc, Value tensor) {
  if (!isNarrow(getElementTypeOrSelf(tensor)))
    return tensor;
  DenseFPElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(constant.getType().clone(builder.getF32Type()),
                               widen(constant.getSplatValue<APFloat>())));
  return createConverted(builder, loc, tensor, builder.getF32Type());
}

static void widen(ReduceOp reduce, RewriterBase &rewriter) {
  Location loc = reduce.getLoc();
  rewriter.setInsertionPoint(reduce);
  auto widenAll = [&](ValueRange tensors) {
    return llvm::map_to_vector(
        tensors, [&](Value tensor) { return widen(rewriter, loc, tensor); });
  };
  auto emit = [&](Region &kernel) {
    return [&](OpBuilder &builder, Location, ValueRange arguments) {
      return emitWide(builder, kernel, arguments);
    };
  };
  auto fold = emit(reduce.getFold()), combine = emit(reduce.getCombine());
  auto wide = ReduceOp::create(
      rewriter, loc, widenAll(reduce.getInputs()), widenAll(reduce.getInits()),
      reduce.getDims(), fold,
      reduce.hasCombine() ? KernelBody(combine) : KernelBody());
  SmallVector<Value> results;
  for (auto [result, made] :
       llvm::zip_equal(reduce.getResults(), wide.getResults())) {
    Type element = getElementTypeOrSelf(result.getType());
    results.push_back(isNarrow(element)
                          ? createConverted(rewriter, loc, made, element)
                          : Value(made));
  }
  rewriter.replaceOp(reduce, results);
}

namespace {
struct WidenFolds : wax::impl::WidenFoldsBase<WidenFolds> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](ReduceOp reduce) {
      bool choosesNarrow = llvm::any_of(reduce.getInits(), [](Value init) {
        return isNarrow(getElementTypeOrSelf(init));
      });
      if (choosesNarrow && isExact(reduce.getFold()) &&
          (!reduce.hasCombine() || isExact(reduce.getCombine())))
        widen(reduce, rewriter);
    });
  }
};
} // namespace
