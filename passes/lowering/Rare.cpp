//===- Rare.cpp - Branches that are seldom taken --------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rare.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

static constexpr llvm::StringLiteral rareName = "rare";

scf::IfOp
mlir::wax::createRare(OpBuilder &builder, Location loc, Value condition,
                      ValueRange usual,
                      llvm::function_ref<SmallVector<Value>()> compute) {
  auto branch = scf::IfOp::create(builder, loc, usual.getTypes(), condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  branch->setAttr(rareName, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, usual);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, compute());
  return branch;
}

scf::IfOp mlir::wax::getRare(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && branch->hasAttr(rareName) ? branch : scf::IfOp();
}

bool mlir::wax::hasRare(Block &block) {
  return llvm::any_of(block, [](Operation &op) { return bool(getRare(&op)); });
}

void mlir::wax::forgetRare(scf::IfOp branch) { branch->removeAttr(rareName); }

void mlir::wax::inlineRare(RewriterBase &rewriter, scf::IfOp branch) {
  SmallVector<Value> rare(branch.thenYield().getOperands());
  SmallVector<Value> usual(branch.elseYield().getOperands());
  for (Block *block : {branch.elseBlock(), branch.thenBlock()}) {
    rewriter.eraseOp(block->getTerminator());
    rewriter.inlineBlockBefore(block, branch);
  }
  rewriter.setInsertionPoint(branch);
  SmallVector<Value> chosen;
  for (auto [then, otherwise] : llvm::zip_equal(rare, usual))
    chosen.push_back(arith::SelectOp::create(
        rewriter, branch.getLoc(), branch.getCondition(), then, otherwise));
  rewriter.replaceOp(branch, chosen);
}
