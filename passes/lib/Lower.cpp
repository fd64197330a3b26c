//===- Lower.cpp - Drive the lowering of the basis -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "../lowering/ReduceVectors.h"
#include "wax/Passes/SymbolicSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "wax/Dialect/Wax.h"

namespace mlir::wax {
#define GEN_PASS_DEF_LOWER
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {

class FunctionContext : public LoweringContext {
public:
  FunctionContext(LoweringTarget target, bool isForGPU, bool isAlone,
                  SymbolicSizes &sizes)
      : LoweringContext(target, isForGPU, isAlone), sizes(sizes) {}

  OpFoldResult getSize(OpBuilder &builder, Location loc, Value tensor,
                       int64_t dim) override {
    return sizes.materialize(builder, loc, sizes.getSize(tensor, dim));
  }

private:
  SymbolicSizes &sizes;
};

struct Lower : wax::impl::LowerBase<Lower> {
  using LowerBase::LowerBase;

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](FunctionOpInterface function) {
      bool done = function.isExternal() || succeeded(lower(function));
      return done ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult lower(FunctionOpInterface function) {
    SymbolicSizes sizes(function);
    FunctionContext context(target, gpu, alone, sizes);

    SmallVector<LowerableOpInterface> ops;
    function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto lowerable = dyn_cast<LowerableOpInterface>(op);
      if (!lowerable)
        return WalkResult::advance();
      ops.push_back(lowerable);
      return WalkResult::skip();
    });

    IRRewriter rewriter(&getContext());
    for (LowerableOpInterface op : ops) {
      // Known before the operands' own sizes change hands.
      bool isEmpty = true;
      for (Value result : op->getResults())
        isEmpty &= isKnownEmpty(result, sizes);

      rewriter.setInsertionPoint(op);
      auto reduce = dyn_cast<ReduceOp>(op.getOperation());
      if (keepRows && reduce && !isEmpty &&
          isReadAlongRows(reduce, rewriter, context))
        continue;
      FailureOr<SmallVector<Value>> lowered =
          isEmpty ? createEmpty(op, rewriter, context)
                  : op.lower(rewriter, context);
      if (failed(lowered))
        return op->emitOpError("has no lowering for this target");
      for (auto [from, to] : llvm::zip_equal(op->getResults(), *lowered))
        sizes.replace(from, to);
      rewriter.replaceOp(op, *lowered);
    }
    return success();
  }

  /// True when a size is known to be 0. Asks for all of them, which remembers
  /// them.
  static bool isKnownEmpty(Value tensor, SymbolicSizes &sizes) {
    bool isEmpty = false;
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      auto size = dyn_cast<AffineConstantExpr>(sizes.getSize(tensor, dim));
      isEmpty |= size && size.getValue() == 0;
    }
    return isEmpty;
  }

  /// What has no elements is not computed: upstream refuses boxes in tensors
  /// without elements, and loops that read nothing.
  static SmallVector<Value> createEmpty(Operation *op, OpBuilder &builder,
                                        LoweringContext &context) {
    return llvm::map_to_vector(op->getResults(), [&](OpResult result) -> Value {
      Location loc = op->getLoc();
      auto type = cast<RankedTensorType>(result.getType());
      Value empty = tensor::EmptyOp::create(
          builder, loc, context.getSizes(builder, loc, result),
          type.getElementType());
      return builder.createOrFold<tensor::CastOp>(loc, type, empty);
    });
  }
};

} // namespace
