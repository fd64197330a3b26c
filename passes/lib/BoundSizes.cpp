//===- BoundSizes.cpp - Sizes whose products do not overflow --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"
#include "wax/Passes/SymbolicSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::wax {
#define GEN_PASS_DEF_BOUNDSIZES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What IREE takes for the greatest size of a dim.
static constexpr unsigned kDimBits = 31;
/// What the bytes of a tensor have to stay below.
static constexpr unsigned kByteBits = 62;

/// Whether the host decides on tensors: whether loops or branches give some.
static bool hasControlFlow(FunctionOpInterface function) {
  return function
      .walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<iree::DispatchRegionOp>(op))
          return WalkResult::skip();
        bool isFound =
            isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) &&
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
        return isFound ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

/// How large sizes may become when the open sizes of arguments are bounded.
class Bounds {
public:
  Bounds(const SymbolicSizes &sizes, uint64_t limit, bool isDeclared = true)
      : sizes(sizes), limit(limit), isDeclared(isDeclared) {}

  /// The greatest size of an argument's dim.
  uint64_t of(BlockArgument argument, int64_t dim) const {
    return isDeclared ? std::min(limit, getDeclared(argument, dim)) : limit;
  }
  /// Whether the bytes of a tensor of these sizes stay below what IREE counts.
  bool fits(RankedTensorType type, ValueRange openSizes);
  bool fits(BlockArgument argument);
  /// What the user declares to be the greatest size of an argument's dim.
  uint64_t getDeclared(BlockArgument argument, int64_t dim) const;

private:
  /// The greatest value of an index; none where it is not known.
  std::optional<uint64_t> of(Value index);
  std::optional<uint64_t> compute(Value index);
  static bool fits(RankedTensorType type, ArrayRef<uint64_t> openSizes);

  const SymbolicSizes &sizes;
  uint64_t limit;
  /// Whether bounds that the user declares count too.
  bool isDeclared;
  llvm::DenseMap<Value, std::optional<uint64_t>> known;
};

} // namespace

uint64_t Bounds::getDeclared(BlockArgument argument, int64_t dim) const {
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto dims = function.getArgAttrOfType<AffineMapAttr>(argument.getArgNumber(),
                                                       "wax.dims");
  if (dims)
    if (auto symbol =
            dyn_cast<AffineSymbolExpr>(dims.getValue().getResult(dim)))
      return sizes.getRoots()[symbol.getPosition()].max;
  return std::numeric_limits<int64_t>::max();
}

std::optional<uint64_t> Bounds::of(Value index) {
  auto it = known.find(index);
  if (it != known.end())
    return it->second;
  std::optional<uint64_t> bound = compute(index);
  known.try_emplace(index, bound);
  return bound;
}

std::optional<uint64_t> Bounds::compute(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return std::max<int64_t>(constant.getSExtValue(), 0);
  Operation *op = index.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    std::optional<int64_t> place = dim.getConstantIndex();
    bool isKnown = argument && place &&
                   isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return isKnown ? std::optional(of(argument, *place)) : std::nullopt;
  }
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<uint64_t> lhs = of(op->getOperand(0));
  std::optional<uint64_t> rhs = of(op->getOperand(1));
  // Either bounds the lesser one.
  if (isa<arith::MinSIOp, arith::MinUIOp>(op))
    return lhs && rhs ? std::min(*lhs, *rhs) : lhs ? lhs : rhs;
  if (!lhs)
    return std::nullopt;
  if (isa<arith::SubIOp>(op))
    return lhs;
  if (!rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return llvm::SaturatingAdd(*lhs, *rhs);
  if (isa<arith::MulIOp>(op))
    return llvm::SaturatingMultiply(*lhs, *rhs);
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op))
    return std::max(*lhs, *rhs);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op)) {
    bool isConstant = matchPattern(op->getOperand(1), m_ConstantInt(&constant));
    return isConstant && *rhs ? *lhs / *rhs : *lhs;
  }
  return std::nullopt;
}

bool Bounds::fits(RankedTensorType type, ArrayRef<uint64_t> openSizes) {
  uint64_t bytes =
      (type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() + 7
                                            : 128) /
      8;
  for (int64_t size : type.getShape())
    if (ShapedType::isStatic(size))
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size);
  for (uint64_t size : openSizes)
    bytes = llvm::SaturatingMultiply(bytes, size);
  return bytes < (uint64_t(1) << kByteBits);
}

bool Bounds::fits(RankedTensorType type, ValueRange openSizes) {
  SmallVector<uint64_t> bounds;
  for (Value size : openSizes) {
    std::optional<uint64_t> bound = of(size);
    // Of a size that only the running program knows, nothing can be said.
    if (!bound)
      return true;
    bounds.push_back(*bound);
  }
  return fits(type, bounds);
}

bool Bounds::fits(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type)
    return true;
  SmallVector<uint64_t> bounds;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      bounds.push_back(of(argument, dim));
  return fits(type, bounds);
}

/// Whether all tensors fit where the open sizes of arguments have so many bits.
static bool allFit(FunctionOpInterface function, const SymbolicSizes &sizes,
                   unsigned bits, bool isDeclared) {
  Bounds bounds(sizes, (uint64_t(1) << bits) - 1, isDeclared);
  for (BlockArgument argument : function.getArguments())
    if (!bounds.fits(argument))
      return false;
  return !function
              .walk([&](tensor::EmptyOp op) {
                return bounds.fits(op.getType(), op.getDynamicSizes())
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Lets IREE see that the open sizes of an argument are at most `limit`.
static void bound(OpBuilder &builder, BlockArgument argument,
                  const SymbolicSizes &sizes, uint64_t limit) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || type.hasStaticShape())
    return;
  Bounds bounds(sizes, limit);
  Location loc = argument.getLoc();
  SmallVector<Value> openSizes;
  llvm::SmallPtrSet<Operation *, 4> own;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Value size = tensor::DimOp::create(builder, loc, argument, dim);
    own.insert(size.getDefiningOp());
    Value most =
        arith::ConstantIndexOp::create(builder, loc, bounds.of(argument, dim));
    if (bounds.getDeclared(argument, dim) > limit) {
      Value holds = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ule, size, most);
      std::string where =
          sizes.describeArgument(argument.getArgNumber()) + ", dim " +
          std::to_string(dim) + ": must be at most " + std::to_string(limit) +
          ", as arrays of several open sizes are carried by loops or given by "
          "branches; declare max= of the other dims";
      cf::AssertOp::create(builder, loc, holds, where);
    }
    openSizes.push_back(arith::MinUIOp::create(builder, loc, size, most));
  }
  auto tied = iree::TieShapeOp::create(builder, loc, type, argument, openSizes);
  own.insert(tied);
  argument.replaceAllUsesExcept(tied, own);
}

static void bound(FunctionOpInterface function) {
  if (function.isExternal() || !hasControlFlow(function))
    return;
  SymbolicSizes sizes(function);
  // IREE knows nothing of bounds that are declared.
  if (allFit(function, sizes, kDimBits, /*isDeclared=*/false))
    return;
  unsigned bits = kDimBits;
  while (bits > 1 && !allFit(function, sizes, bits, /*isDeclared=*/true))
    --bits;
  OpBuilder builder =
      OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  for (BlockArgument argument : function.getArguments())
    bound(builder, argument, sizes, (uint64_t(1) << bits) - 1);
}

namespace {
struct BoundSizes : wax::impl::BoundSizesBase<BoundSizes> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      bound(function);
  }
};
} // namespace
