//===- ResolveDims.cpp - Sizes by the arguments' dims, and their checks ---===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"
#include "wax/Passes/SymbolicSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "wax/Dialect/Wax.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::wax {
#define GEN_PASS_DEF_RESOLVEDIMS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {

/// The user's line that an operation stems from, or nothing.
std::string lineOf(Location loc) {
  std::string line;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    line = file.getFilename().str() + ":" + std::to_string(file.getLine()) +
           ":" + std::to_string(file.getColumn()) + ": ";
    return WalkResult::interrupt();
  });
  return line;
}

/// Emits the run-time checks of one function.
class Checks {
public:
  Checks(FunctionOpInterface function, SymbolicSizes &sizes)
      : function(function), sizes(sizes) {}

  void checkArguments();
  LogicalResult checkOperation(Operation *op);

  /// Places the checks that are known at the start after all values there.
  void finish();

private:
  struct Check {
    Location loc;
    SizeConstraint constraint;
    std::string message;
  };

  void checkSymbol(unsigned symbol);
  void emit(OpBuilder &builder, const Check &check);

  FunctionOpInterface function;
  SymbolicSizes &sizes;
  SmallVector<Check> atStart;
  llvm::SmallDenseSet<std::pair<AffineExpr, AffineExpr>> checked[2];
};

} // namespace

void Checks::emit(OpBuilder &builder, const Check &check) {
  auto value = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        builder, check.loc, sizes.materialize(builder, check.loc, expr));
  };
  auto predicate = check.constraint.kind == SizeConstraint::Kind::Equal
                       ? arith::CmpIPredicate::eq
                       : arith::CmpIPredicate::sle;
  Value lhs = value(check.constraint.lhs), rhs = value(check.constraint.rhs);
  Value holds = arith::CmpIOp::create(builder, check.loc, predicate, lhs, rhs);
  cf::AssertOp::create(builder, check.loc, holds, check.message);
}

void Checks::checkSymbol(unsigned symbol) {
  const SymbolicSizes::Root &root = sizes.getRoots()[symbol];
  auto argument = dyn_cast_if_present<BlockArgument>(root.value);
  if (!argument)
    return;
  MLIRContext *context = function.getContext();
  AffineExpr expr = getAffineSymbolExpr(symbol, context);
  std::string where = sizes.describeArgument(argument.getArgNumber()) +
                      ", dim " + std::to_string(root.dim) + ": " + root.name;
  auto bound = [&](AffineExpr lhs, AffineExpr rhs, const Twine &message) {
    atStart.push_back({argument.getLoc(),
                       {SizeConstraint::Kind::AtMost, lhs, rhs, "symbols"},
                       message.str()});
  };
  if (root.min > 0)
    bound(getAffineConstantExpr(root.min, context), expr,
          where + " must be at least " + Twine(root.min));
  if (root.max < std::numeric_limits<int64_t>::max())
    bound(expr, getAffineConstantExpr(root.max, context),
          where + " must be at most " + Twine(root.max));
}

/// What `wax.symbols` and `wax.dims` promise of the arguments. The promise is
/// what sizes are simplified with, so it is checked as it stands.
void Checks::checkArguments() {
  for (unsigned symbol = 0; symbol < sizes.getNumSymbols(); ++symbol)
    checkSymbol(symbol);

  for (BlockArgument argument : function.getArguments()) {
    auto dims = function.getArgAttrOfType<AffineMapAttr>(
        argument.getArgNumber(), "wax.dims");
    if (!dims)
      continue;
    for (int64_t dim = 0; dim < dims.getValue().getNumResults(); ++dim) {
      auto type = cast<RankedTensorType>(argument.getType());
      AffineExpr promised = dims.getValue().getResult(dim);
      if (!type.isDynamicDim(dim))
        continue;
      auto symbol = dyn_cast<AffineSymbolExpr>(promised);
      if (symbol) {
        const auto &root = sizes.getRoots()[symbol.getPosition()];
        if (root.value == argument && root.dim == dim)
          continue;
      }
      std::string message = sizes.describeArgument(argument.getArgNumber()) +
                            ", dim " + std::to_string(dim) + ": must be " +
                            sizes.describe(promised);
      if (symbol) {
        const auto &root = sizes.getRoots()[symbol.getPosition()];
        message += ", the size of " +
                   sizes.describeArgument(
                       cast<BlockArgument>(root.value).getArgNumber()) +
                   " along dim " + std::to_string(root.dim);
      }
      AffineExpr actual = sizes.getActualSize(argument, dim);
      atStart.push_back(
          {argument.getLoc(),
           {SizeConstraint::Kind::Equal, actual, promised, "dims"},
           message});
    }
  }
}

LogicalResult Checks::checkOperation(Operation *op) {
  // What was valid of two values need not be of one, which they may have
  // become.
  if (isa<ShapeRelationOpInterface>(op) &&
      failed(verify(op, /*verifyRecursively=*/false)))
    return failure();
  for (const SizeConstraint &open : sizes.getOpenConstraints(op)) {
    bool isEqual = open.kind == SizeConstraint::Kind::Equal;
    std::string need =
        "[" + open.label.str() + "] needs " + sizes.describe(open.lhs) +
        (isEqual ? " to equal " : " to be at most ") + sizes.describe(open.rhs);
    if (sizes.isRefuted(open))
      return op->emitOpError(need) << ", which never holds";
    // What a branch or a loop needs, only those that go there need.
    bool known = op->getParentOp() == function &&
                 sizes.isKnownAtStart(open.lhs) &&
                 sizes.isKnownAtStart(open.rhs);
    if (known && !checked[isEqual].insert({open.lhs, open.rhs}).second)
      continue;
    std::string message = lineOf(op->getLoc()) + "'" +
                          op->getName().getStringRef().str() + "' " + need;
    Check check{op->getLoc(), open, message};
    if (known) {
      atStart.push_back(check);
      continue;
    }
    OpBuilder builder(op);
    emit(builder, check);
  }
  return success();
}

void Checks::finish() {
  // All values first: a check in between would stand before later values.
  OpBuilder scratch = sizes.atStart();
  for (const Check &check : atStart) {
    (void)sizes.materialize(scratch, check.loc, check.constraint.lhs);
    (void)sizes.materialize(scratch, check.loc, check.constraint.rhs);
  }
  OpBuilder builder = sizes.atStart();
  for (const Check &check : atStart)
    emit(builder, check);
}

namespace {
struct ResolveDims : wax::impl::ResolveDimsBase<ResolveDims> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](FunctionOpInterface function) {
      bool done = function.isExternal() || succeeded(resolve(function));
      return done ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult resolve(FunctionOpInterface function) {
    SymbolicSizes sizes(function);
    Checks checks(function, sizes);
    checks.checkArguments();

    SmallVector<tensor::DimOp> dims;
    auto visit = [&](Operation *op) {
      if (auto dim = dyn_cast<tensor::DimOp>(op))
        dims.push_back(dim);
      if (failed(checks.checkOperation(op)))
        return WalkResult::interrupt();
      // Kernels are isolated, and see scalars only.
      return isa<ShapeRelationOpInterface>(op) ? WalkResult::skip()
                                               : WalkResult::advance();
    };
    Region &body = function.getFunctionBody();
    if (body.walk<WalkOrder::PreOrder>(visit).wasInterrupted())
      return failure();
    for (tensor::DimOp dim : dims)
      resolve(dim, sizes);
    checks.finish();
    return success();
  }

  void resolve(tensor::DimOp dim, SymbolicSizes &sizes) {
    AffineExpr size = sizes.getIndex(dim.getResult());
    if (sizes.isItself(size, dim.getResult()))
      return;
    OpBuilder builder(dim);
    Value value = getValueOrCreateConstantIndexOp(
        builder, dim.getLoc(), sizes.materialize(builder, dim.getLoc(), size));
    dim.replaceAllUsesWith(value);
    dim.erase();
  }
};
} // namespace
