//===- Raise.cpp - From the basis to recognised operations ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../raising/Recognitions.h"
#include "wax/Dialect/Recognized.h"
#include "wax/Passes/Passes.h"

namespace mlir::wax {
#define GEN_PASS_DEF_RAISE
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {
/// An operation, and what finds it.
struct Kind {
  StringRef name;
  std::optional<Recognition> (*recognize)(Reader &, Value);
};

/// What holds others comes before them.
const Kind kinds[] = {
    {AttentionOp::getOperationName(), recognizeAttention},
    {SoftmaxOp::getOperationName(), recognizeSoftmax},
    {NormalizeOp::getOperationName(), recognizeNormalize},
    {TopKOp::getOperationName(), recognizeTopK},
    {ContractOp::getOperationName(), recognizeContract},
};

struct Raise : wax::impl::RaiseBase<Raise> {
  using RaiseBase::RaiseBase;

  void runOnOperation() override {
    for (const std::string &name : wanted)
      if (llvm::none_of(kinds, [&](const Kind &kind) {
            return kind.name == "wax." + name;
          })) {
        getOperation()->emitError("'")
            << name << "' is no recognised operation";
        return signalPassFailure();
      }
    SmallVector<Block *> blocks = getBlocksOfBasis(getOperation());
    IRRewriter rewriter(&getContext());
    for (const Kind &kind : kinds)
      if (isWanted(kind))
        for (Block *block : blocks)
          raise(kind, block, rewriter);
  }

private:
  bool isWanted(const Kind &kind) const {
    return wanted.empty() || llvm::any_of(wanted, [&](const std::string &name) {
             return kind.name == "wax." + name;
           });
  }

  /// Later operations come first: they may hold more.
  static void raise(const Kind &kind, Block *block, IRRewriter &rewriter) {
    SmallVector<Operation *> ops;
    for (Operation &op : *block)
      if (op.hasTrait<OpTrait::wax::Basis>())
        ops.push_back(&op);
    llvm::DenseSet<Operation *> erased;
    struct Listener : RewriterBase::Listener {
      explicit Listener(llvm::DenseSet<Operation *> &erased) : erased(erased) {}
      void notifyOperationErased(Operation *op) override { erased.insert(op); }
      llvm::DenseSet<Operation *> &erased;
    } listener(erased);
    rewriter.setListener(&listener);
    for (Operation *op : llvm::reverse(ops))
      if (!erased.contains(op))
        raiseAt(kind, op, block, rewriter);
    rewriter.setListener(nullptr);
  }

  /// What others read too is not looked through, and what was found without it
  /// tried again.
  static void raiseAt(const Kind &kind, Operation *op, Block *block,
                      IRRewriter &rewriter) {
    Reader reader(block);
    // Constants do not tell how many of them there are.
    if (isFromNothing(op->getResult(0)))
      return;
    while (std::optional<Recognition> found =
               kind.recognize(reader, op->getResult(0))) {
      Value obstacle = outline(rewriter, *found);
      if (!obstacle || !reader.stops.insert(obstacle).second)
        return;
    }
  }
};
} // namespace
