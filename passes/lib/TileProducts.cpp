//===- TileProducts.cpp - Products of matrices in blocks of vectors -------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the sums of products that are products of matrices, or of stacks of
// them in any order of dims, and decides which are worth tiles.
//
//===----------------------------------------------------------------------===//

#include "LoopPlan.h"
#include "ProductTiles.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "wax/Passes/IREE.h"

namespace mlir::wax {
#define GEN_PASS_DEF_TILEPRODUCTS
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Rows, and elements that are summed up, below which tiles are hardly filled;
/// more rows where the other factor has to be turned, which IREE reads along
/// rows, as it does the first one.
constexpr int64_t fewestRows = 12, fewestRowsByRows = 16, fewestSummed = 16;
/// Products below which a dispatch of its own costs more than it saves.
constexpr int64_t fewestProducts = 48 * 48 * 48;
/// What an open size is taken for where sizes are compared.
constexpr int64_t likelySize = 64;

/// What a loop of a product goes through.
enum class Role { Stack, Rows, Columns, Summed };

bool isExtension(Operation *op) {
  return isa_and_present<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// Whether the body adds the product of the two inputs' elements, which may be
/// extended, to what there is, and does nothing else.
bool addsProducts(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(op))
    return false;
  Type sum = getElementTypeOrSelf(op.getResult(0).getType());
  return llvm::none_of(op.getRegionInputArgs(),
                       [](Value scalar) { return scalar.use_empty(); }) &&
         llvm::all_of(op.getBody()->without_terminator(),
                      [&](Operation &inner) {
                        return isExtension(&inner) ||
                               (isa<arith::MulFOp, arith::MulIOp, arith::AddFOp,
                                    arith::AddIOp>(inner) &&
                                inner.getResult(0).getType() == sum);
                      });
}

/// What extends each element of a tensor, and makes this one of them.
Operation *getExtension(Value tensor) {
  auto producer = tensor.getDefiningOp<linalg::GenericOp>();
  if (!producer || producer.getNumDpsInputs() != 1 ||
      producer.getNumDpsInits() != 1 ||
      !llvm::hasNItems(*producer.getBody(), 2) ||
      !llvm::all_of(producer.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return nullptr;
  Operation *extension =
      producer.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isExtension(extension) ||
      extension->getOperand(0) != producer.getBody()->getArgument(0))
    return nullptr;
  return extension;
}

/// The type of a factor's elements before anything extended them.
Type getNarrowType(Value factor) {
  Operation *extension = getExtension(factor);
  return extension ? extension->getOperand(0).getType()
                   : getElementTypeOrSelf(factor.getType());
}

/// Whether vectors multiply such elements exactly as scalars would: integers
/// of a byte do so in f32, as long as not too many are summed up.
bool hasVectors(linalg::GenericOp op) {
  Type sum = getElementTypeOrSelf(op.getResult(0).getType());
  return llvm::all_of(op.getInputs(), [&](Value factor) {
    Type element = getNarrowType(factor);
    if (sum.isInteger(32))
      return element.isInteger(8);
    return (sum.isF32() || sum.isF64()) && isa<FloatType>(element);
  });
}

/// Has factors extended where they are multiplied, not before.
void takeExtensions(linalg::GenericOp op, RewriterBase &rewriter) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Operation *extension = getExtension(operand->get());
    if (!extension)
      continue;
    BlockArgument scalar = op.getMatchingBlockArgument(operand);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(op.getBody());
    rewriter.modifyOpInPlace(op, [&] {
      operand->set(operand->get().getDefiningOp()->getOperand(0));
      scalar.setType(extension->getOperand(0).getType());
      Operation *copy = rewriter.clone(*extension);
      scalar.replaceAllUsesWith(copy->getResult(0));
      copy->setOperand(0, scalar);
    });
  }
}

/// Whether all elements are copied, alone, with dims in another order.
bool isTurningCopy(linalg::GenericOp op) {
  return op && op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getBody()->getTerminator()->getOperand(0) ==
             op.getBody()->getArgument(0) &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); });
}

/// What reads a value, alone, and as an operation that stands beside.
template <typename Op> Op getOnlyUser(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  auto user = dyn_cast<Op>(*value.user_begin());
  return user && user->getBlock() == value.getParentBlock() ? user : nullptr;
}

/// What copies a product's result, alone, to other places.
linalg::GenericOp getTurningCopy(linalg::GenericOp op) {
  if (!getFilling(op.getOutputs().front()))
    return nullptr;
  auto copy = getOnlyUser<linalg::GenericOp>(op.getResult(0));
  return isTurningCopy(copy) ? copy : nullptr;
}

/// The product whose result has its dims as what copies it has them.
linalg::GenericOp createTurned(linalg::GenericOp op, linalg::GenericOp copy,
                               RewriterBase &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(copy);
  Value element = createFilling(rewriter, loc, op.getOutputs().front());
  Value start =
      linalg::FillOp::create(rewriter, loc, element, copy.getOutputs().front())
          .getResult(0);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap read = copy.getIndexingMapsArray().front();
  AffineMap written = copy.getIndexingMapsArray().back();
  // The product's loop of each of the copy's, by the dim that both go along.
  SmallVector<AffineExpr> dims;
  for (AffineExpr loop : written.getResults())
    dims.push_back(maps.back().getResult(*read.getResultPosition(loop)));
  maps.back() = AffineMap::get(op.getNumLoops(), 0, dims, op.getContext());
  auto turned =
      linalg::GenericOp::create(rewriter, loc, start.getType(), op.getInputs(),
                                start, maps, op.getIteratorTypesArray());
  IRMapping mapping;
  op.getRegion().cloneInto(&turned.getRegion(), mapping);
  return turned;
}

class Analysis {
public:
  explicit Analysis(linalg::GenericOp op);

  /// Runs of loops that are one loop, of tensors with fewer dims.
  SmallVector<ReassociationIndices> getRuns() const;
  /// The product, if it is one that tiles make faster.
  std::optional<Product> getProduct(ArrayRef<ReassociationIndices> runs) const;

private:
  int64_t getLikelySize(ArrayRef<int64_t> run) const;
  bool isKnownBelow(ArrayRef<int64_t> run, int64_t least) const;

  linalg::GenericOp op;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  /// None of loops that are no product's.
  SmallVector<std::optional<Role>> roles;
};

} // namespace

Analysis::Analysis(linalg::GenericOp op)
    : op(op), maps(op.getIndexingMapsArray()), sizes(op.getStaticLoopRanges()),
      roles(op.getNumLoops()) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims))
    return;
  auto assign = [&](ArrayRef<unsigned> loops, Role role) {
    for (unsigned loop : loops)
      roles[loop] = role;
  };
  assign(dims->batch, Role::Stack);
  assign(dims->m, Role::Rows);
  assign(dims->n, Role::Columns);
  assign(dims->k, Role::Summed);
}

SmallVector<ReassociationIndices> Analysis::getRuns() const {
  SmallVector<ReassociationIndices> runs;
  for (int64_t loop : llvm::seq<int64_t>(roles.size())) {
    if (!runs.empty() && roles[runs.back().back()] == roles[loop]) {
      ReassociationIndices longer(runs.back());
      longer.push_back(loop);
      if (linalg::areDimSequencesPreserved(maps, longer)) {
        runs.back() = longer;
        continue;
      }
    }
    runs.push_back({loop});
  }
  return runs;
}

int64_t Analysis::getLikelySize(ArrayRef<int64_t> run) const {
  int64_t product = 1;
  for (int64_t loop : run)
    product *= ShapedType::isDynamic(sizes[loop]) ? likelySize : sizes[loop];
  return product;
}

bool Analysis::isKnownBelow(ArrayRef<int64_t> run, int64_t least) const {
  return llvm::none_of(run,
                       [&](int64_t loop) {
                         return ShapedType::isDynamic(sizes[loop]);
                       }) &&
         getLikelySize(run) < least;
}

std::optional<Product>
Analysis::getProduct(ArrayRef<ReassociationIndices> runs) const {
  if (llvm::is_contained(sizes, 0) || llvm::is_contained(roles, std::nullopt) ||
      maps[2].getNumResults() == 0)
    return std::nullopt;
  // The longest of each role; a loop of one turn has none.
  std::optional<unsigned> longest[4];
  for (auto [number, run] : llvm::enumerate(runs)) {
    int64_t size = getLikelySize(run);
    Role role = *roles[run.front()];
    std::optional<unsigned> &found = longest[static_cast<int>(role)];
    if (size == 1)
      continue;
    if (found && role == Role::Summed)
      return std::nullopt;
    if (!found || getLikelySize(runs[*found]) < size)
      found = number;
  }
  // Vectors lie along the result's last dim.
  auto last = [](AffineMap map) {
    return map.getDimPosition(map.getNumResults() - 1);
  };
  Role along = *roles[last(maps[2])];
  if (along != Role::Rows && along != Role::Columns)
    return std::nullopt;
  bool isTurned = along == Role::Rows;
  auto columns = longest[static_cast<int>(along)];
  auto rows = longest[static_cast<int>(isTurned ? Role::Columns : Role::Rows)];
  auto summed = longest[static_cast<int>(Role::Summed)];
  if (!columns || !rows || !summed || runs[*columns].back() != last(maps[2]))
    return std::nullopt;
  AffineMap across = maps[isTurned ? 0 : 1];
  bool isByRows = last(across) == runs[*summed].back();
  if (!isByRows && last(across) != runs[*columns].back())
    return std::nullopt;

  Product product;
  product.op = op;
  product.rowFactor = isTurned ? 1 : 0;
  product.row = *rows;
  product.column = *columns;
  product.summed = *summed;
  if (isKnownBelow(runs[*rows], isByRows ? fewestRowsByRows : fewestRows) ||
      isKnownBelow(runs[*columns], getProductLanes(product)) ||
      isKnownBelow(runs[*summed], fewestSummed) ||
      getLikelySize(llvm::to_vector(llvm::seq<int64_t>(sizes.size()))) <
          fewestProducts)
    return std::nullopt;
  for (unsigned number : llvm::seq<unsigned>(runs.size()))
    if (number != *rows && number != *columns && number != *summed)
      product.others.push_back(number);
  return product;
}

/// Replaces a product, if it is worth it, and says whether it was.
static bool tile(linalg::GenericOp op, RewriterBase &rewriter) {
  Analysis analysis(op);
  SmallVector<ReassociationIndices> runs = analysis.getRuns();
  std::optional<Product> product = analysis.getProduct(runs);
  if (!product)
    return false;
  takeExtensions(op, rewriter);
  rewriter.setInsertionPoint(op);
  if (runs.size() == op.getNumLoops()) {
    rewriter.replaceOp(op, emitTiles(rewriter, *product));
    return true;
  }
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, runs, rewriter);
  if (failed(collapsed))
    return false;
  rewriter.replaceOp(op, collapsed->results);
  product->op = cast<linalg::GenericOp>(collapsed->collapsedOp.getOperation());
  rewriter.setInsertionPoint(product->op);
  rewriter.replaceOp(product->op, emitTiles(rewriter, *product));
  return true;
}

/// Replaces a product with what copies its result, if tiles can write that at
/// once.
static bool tileTurned(linalg::GenericOp op, RewriterBase &rewriter) {
  linalg::GenericOp copy = getTurningCopy(op);
  if (!copy)
    return false;
  linalg::GenericOp turned = createTurned(op, copy, rewriter);
  rewriter.replaceAllUsesWith(copy.getResult(0), turned.getResult(0));
  if (tile(turned, rewriter)) {
    rewriter.eraseOp(copy);
    rewriter.eraseOp(op);
    return true;
  }
  rewriter.replaceAllUsesWith(turned.getResult(0), copy.getResult(0));
  rewriter.eraseOp(turned);
  return false;
}

/// Whether a product is one to tile.
static bool isWorthTiles(linalg::GenericOp op) {
  if (!addsProducts(op) || !hasVectors(op))
    return false;
  Analysis analysis(op);
  return analysis.getProduct(analysis.getRuns()).has_value();
}

/// Gives products the dims that their results are split into before these are
/// copied in another order.
static LogicalResult splitDims(Operation *module) {
  auto isTurnedNext = [](OpOperand *operand) {
    auto split = dyn_cast<tensor::ExpandShapeOp>(operand->getOwner());
    auto product = operand->get().getDefiningOp<linalg::GenericOp>();
    return split && product &&
           isTurningCopy(getOnlyUser<linalg::GenericOp>(split.getResult())) &&
           isWorthTiles(product);
  };
  RewritePatternSet patterns(module->getContext());
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isTurnedNext);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns,
                                                     module->getContext());
  GreedyRewriteConfig config;
  config.enableFolding(false).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(module, std::move(patterns), config);
}

namespace {
struct TileProducts : wax::impl::TileProductsBase<TileProducts> {
  void runOnOperation() override {
    if (failed(splitDims(getOperation())))
      return signalPassFailure();
    SmallVector<linalg::GenericOp> sums;
    getOperation().walk([&](linalg::GenericOp op) {
      if (addsProducts(op) && hasVectors(op))
        sums.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp sum : sums)
      if (!tileTurned(sum, rewriter))
        tile(sum, rewriter);
  }
};
} // namespace
