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
#include "NestBuilder.h"
#include "ProductTiles.h"
#include "ProductWindows.h"
#include "wax/Passes/Passes.h"

#include "../lowering/Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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

/// Elements that are summed up, below which tiles are hardly filled; and more
/// rows where the other factor has to be turned, which IREE reads along rows,
/// as it does the first one.
constexpr int64_t fewestRowsByRows = 16, fewestSummed = 16;
/// Elements of a factor that is to be read once, in strips, from which on it is
/// in no cache near by.
constexpr int64_t fewestOfStrips = 65536;
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
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !linalg::detail::isContractionBody(
          *op.getBody(), [](Operation *product, Operation *sum) {
            return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
                   (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
          }))
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

/// Has factors extended where they are multiplied, not before; but those whose
/// elements are read several times.
void takeExtensions(linalg::GenericOp op, RewriterBase &rewriter) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Operation *extension = getExtension(operand->get());
    if (!extension ||
        !op.getMatchingIndexingMap(operand).isProjectedPermutation())
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
  /// The product, if it is one that tiles make faster, or strips.
  std::optional<Product> getProduct(ArrayRef<ReassociationIndices> runs) const;
  /// Has a product use what a processor has.
  void fit(Product &product, ArrayRef<ReassociationIndices> runs,
           Processor processor) const;
  /// What is made of a product before it is written. Nothing where it may turn
  /// out that there is nothing to sum up.
  ProductEpilogue getEpilogue(const Product &product,
                              ArrayRef<ReassociationIndices> runs) const;
  /// Whether a product has so few rows that strips are faster.
  bool hasFewRows(const Product &product,
                  ArrayRef<ReassociationIndices> runs) const {
    return isKnownBelow(runs, product.rows, fewestRows);
  }

private:
  int64_t getLikelySize(ArrayRef<int64_t> run) const;
  int64_t getLikelySize(ArrayRef<ReassociationIndices> runs,
                        ArrayRef<unsigned> numbers) const;
  bool isOpen(ArrayRef<int64_t> run) const;
  bool isKnownBelow(ArrayRef<ReassociationIndices> runs,
                    ArrayRef<unsigned> numbers, int64_t least) const;
  SmallVector<unsigned> getRows(ArrayRef<ReassociationIndices> runs,
                                Role role) const;
  SmallVector<unsigned> getSummed(ArrayRef<ReassociationIndices> runs,
                                  AffineMap across, AffineMap down) const;
  bool isWorthStrips(const Product &product,
                     ArrayRef<ReassociationIndices> runs) const;

  linalg::GenericOp op;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  /// None of loops that are no product's.
  SmallVector<std::optional<Role>> roles;
};

/// The dim that only this loop goes along.
std::optional<unsigned> getDim(AffineMap map, unsigned loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

/// Whether a factor's dims are sums of multiples of loops.
bool isLinear(AffineMap map) {
  bool linear = map.getNumSymbols() == 0;
  map.walkExprs([&](AffineExpr part) {
    linear &=
        !llvm::is_contained({AffineExprKind::Mod, AffineExprKind::FloorDiv,
                             AffineExprKind::CeilDiv},
                            part.getKind());
  });
  return linear;
}

} // namespace

Analysis::Analysis(linalg::GenericOp op)
    : op(op), maps(op.getIndexingMapsArray()), sizes(op.getStaticLoopRanges()),
      roles(op.getNumLoops()) {
  if (!isLinear(maps[0]) || !isLinear(maps[1]) ||
      !maps[2].isProjectedPermutation())
    return;
  for (unsigned loop : llvm::seq(op.getNumLoops())) {
    bool inFirst = maps[0].isFunctionOfDim(loop);
    bool inSecond = maps[1].isFunctionOfDim(loop);
    bool inResult = maps[2].isFunctionOfDim(loop);
    if (inFirst && inSecond)
      roles[loop] = inResult ? Role::Stack : Role::Summed;
    else if (inResult && (inFirst || inSecond))
      roles[loop] = inFirst ? Role::Rows : Role::Columns;
    else if (sizes[loop] == 1)
      roles[loop] = Role::Summed;
  }
}

SmallVector<ReassociationIndices> Analysis::getRuns() const {
  bool isPlain = llvm::all_of(
      maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  return wax::getRuns(maps, [&](int64_t one, int64_t next) {
    return isPlain && roles[one] == roles[next];
  });
}

int64_t Analysis::getLikelySize(ArrayRef<int64_t> run) const {
  int64_t product = 1;
  for (int64_t loop : run)
    product *= ShapedType::isDynamic(sizes[loop]) ? likelySize : sizes[loop];
  return product;
}

int64_t Analysis::getLikelySize(ArrayRef<ReassociationIndices> runs,
                                ArrayRef<unsigned> numbers) const {
  int64_t product = 1;
  for (unsigned number : numbers)
    product *= getLikelySize(runs[number]);
  return product;
}

bool Analysis::isOpen(ArrayRef<int64_t> run) const {
  return llvm::any_of(
      run, [&](int64_t loop) { return ShapedType::isDynamic(sizes[loop]); });
}

bool Analysis::isKnownBelow(ArrayRef<ReassociationIndices> runs,
                            ArrayRef<unsigned> numbers, int64_t least) const {
  return llvm::none_of(numbers,
                       [&](unsigned number) { return isOpen(runs[number]); }) &&
         getLikelySize(runs, numbers) < least;
}

/// The most rows that are dims of the result beside each other.
SmallVector<unsigned> Analysis::getRows(ArrayRef<ReassociationIndices> runs,
                                        Role role) const {
  SmallVector<unsigned> most, current;
  unsigned next = 0;
  auto end = [&] {
    if (getLikelySize(runs, current) > getLikelySize(runs, most))
      most = current;
    current.clear();
  };
  // From the last dim on, and on from a loop whose turns are known.
  for (unsigned number : llvm::reverse(llvm::seq<unsigned>(runs.size()))) {
    if (roles[runs[number].front()] != role)
      continue;
    unsigned dim = *getDim(maps[2], runs[number].back());
    if (!current.empty() && (dim + 1 != next || isOpen(runs[current.front()])))
      end();
    current.insert(current.begin(), number);
    next = *getDim(maps[2], runs[number].front());
  }
  end();
  return most;
}

/// What is summed up: as the columns' factor has it, where that is by rows;
/// else the rows' factor's innermost dim goes last.
SmallVector<unsigned> Analysis::getSummed(ArrayRef<ReassociationIndices> runs,
                                          AffineMap across,
                                          AffineMap down) const {
  SmallVector<unsigned> summed;
  for (unsigned number : llvm::seq<unsigned>(runs.size()))
    if (roles[runs[number].front()] == Role::Summed &&
        getLikelySize(runs[number]) != 1)
      summed.push_back(number);
  auto getPlace = [](AffineMap map, unsigned loop) {
    unsigned place = 0;
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr.isFunctionOfDim(loop))
        place = dim;
    return place;
  };
  unsigned lastAcross = across.getDimPosition(across.getNumResults() - 1);
  llvm::stable_sort(summed, [&](unsigned one, unsigned other) {
    auto rank = [&](unsigned number) {
      unsigned loop = runs[number].back();
      return std::pair(loop == lastAcross, getPlace(down, loop));
    };
    return rank(one) < rank(other);
  });
  return summed;
}

/// Whether few rows are to be multiplied with much that lies along columns.
bool Analysis::isWorthStrips(const Product &product,
                             ArrayRef<ReassociationIndices> runs) const {
  return hasFewRows(product, runs) && product.summed.size() == 1 &&
         isa<FloatType>(getProductSumType(product)) &&
         maps[product.rowFactor].isProjectedPermutation() &&
         getLikelySize(runs[product.column]) *
                 getLikelySize(runs[product.summed.back()]) >=
             fewestOfStrips;
}

std::optional<Product>
Analysis::getProduct(ArrayRef<ReassociationIndices> runs) const {
  if (llvm::is_contained(sizes, 0) || llvm::is_contained(roles, std::nullopt) ||
      maps[2].getNumResults() == 0)
    return std::nullopt;
  // Vectors lie along the result's last dim.
  auto last = [](AffineMap map) {
    return map.getDimPosition(map.getNumResults() - 1);
  };
  Role along = *roles[last(maps[2])];
  if (along != Role::Rows && along != Role::Columns)
    return std::nullopt;
  bool isTurned = along == Role::Rows;
  AffineMap across = maps[isTurned ? 0 : 1];
  if (!across.isProjectedPermutation())
    return std::nullopt;

  Product product;
  product.op = op;
  product.rowFactor = isTurned ? 1 : 0;
  product.rows = getRows(runs, isTurned ? Role::Columns : Role::Rows);
  product.summed = getSummed(runs, across, maps[product.rowFactor]);
  for (auto [number, run] : llvm::enumerate(runs))
    if (run.back() == last(maps[2]))
      product.column = number;
  if (product.summed.empty() || getLikelySize(runs[product.column]) == 1)
    return std::nullopt;
  bool isByRows = last(across) == runs[product.summed.back()].back();
  if (!isByRows && last(across) != last(maps[2]))
    return std::nullopt;
  for (unsigned number : llvm::drop_end(product.summed))
    if (isOpen(runs[number]))
      return std::nullopt;

  if (isKnownBelow(runs, product.column, getFewestColumns(product)) ||
      isKnownBelow(runs, product.summed, fewestSummed))
    return std::nullopt;
  bool isInStrips = !isByRows && isWorthStrips(product, runs);
  bool isInTiles =
      !isKnownBelow(runs, product.rows,
                    isByRows ? fewestRowsByRows : fewestRows) &&
      getLikelySize(llvm::to_vector(llvm::seq<int64_t>(sizes.size()))) >=
          fewestProducts;
  if (!isInStrips && !isInTiles)
    return std::nullopt;
  for (unsigned number : llvm::seq<unsigned>(runs.size()))
    if (number != product.column && !llvm::is_contained(product.rows, number) &&
        !llvm::is_contained(product.summed, number))
      product.others.push_back(number);
  return product;
}

void Analysis::fit(Product &product, ArrayRef<ReassociationIndices> runs,
                   Processor processor) const {
  if (!hasFewRows(product, runs))
    product.dot = getDot(product, processor);
  ArrayRef<int64_t> column = runs[product.column];
  product.tile = getTileShape(product, processor,
                              isOpen(column) ? ShapedType::kDynamic
                                             : getLikelySize(column));
}

ProductEpilogue
Analysis::getEpilogue(const Product &product,
                      ArrayRef<ReassociationIndices> runs) const {
  if (llvm::any_of(product.summed,
                   [&](unsigned number) { return isOpen(runs[number]); }))
    return ProductEpilogue();
  SmallVector<ReassociationIndices> dims;
  int64_t next = 0, rank = maps[2].getNumResults();
  while (next < rank) {
    const auto *run = llvm::find_if(runs, [&](ArrayRef<int64_t> loops) {
      return loops.front() == maps[2].getDimPosition(next);
    });
    int64_t size = run->size();
    dims.emplace_back(llvm::to_vector<2>(llvm::seq(next, next + size)));
    next += size;
  }
  return ProductEpilogue(op, dims);
}

/// Whether a product is in no dispatch with anything else.
static bool isAlone(linalg::GenericOp op) {
  auto dispatch = op->getParentOfType<iree::DispatchRegionOp>();
  return !dispatch ||
         (op->getParentOp() == dispatch &&
          llvm::all_of(dispatch.getBody().front(), [&](Operation &other) {
            return &other == op || isa<linalg::FillOp>(other) ||
                   other.getNumRegions() == 0;
          }));
}

/// Whether a product is one to tile.
static bool isWorthTiles(linalg::GenericOp op) {
  if (!addsProducts(op) || !hasVectors(op) || !isAlone(op))
    return false;
  Analysis analysis(op);
  return analysis.getProduct(analysis.getRuns()).has_value();
}

/// Takes loops of one turn out of the sums that a factor's dims are.
static void dropOneTurns(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    for (AffineMap &map : MutableArrayRef(maps).take_front(2))
      if (size == 1 && !map.getResultPosition(dim))
        map = map.replace(dim, getAffineConstantExpr(0, op.getContext()),
                          map.getNumDims(), 0);
  }
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Takes a product out of the dispatch that it is alone in.
static void unwrap(linalg::GenericOp op, RewriterBase &rewriter) {
  auto dispatch = dyn_cast<iree::DispatchRegionOp>(op->getParentOp());
  if (!dispatch)
    return;
  Block &body = dispatch.getBody().front();
  auto end = cast<iree::ReturnOp>(body.getTerminator());
  SmallVector<Value> results(end.getOperands());
  rewriter.eraseOp(end);
  rewriter.inlineBlockBefore(&body, dispatch);
  rewriter.replaceOp(dispatch, results);
}

/// Replaces a product, if it is worth it, and says whether it was.
static bool tile(linalg::GenericOp op, Processor processor,
                 RewriterBase &rewriter) {
  if (!isWorthTiles(op))
    return false;
  while (linalg::GenericOp merged = mergeWindows(op, rewriter)) {
    rewriter.replaceOp(op, merged);
    op = merged;
  }
  unwrap(op, rewriter);
  takeExtensions(op, rewriter);
  Analysis analysis(op);
  SmallVector<ReassociationIndices> runs = analysis.getRuns();
  std::optional<Product> product = analysis.getProduct(runs);
  if (!product)
    return false;
  analysis.fit(*product, runs, processor);
  bool isInStrips = analysis.hasFewRows(*product, runs);
  ProductEpilogue epilogue =
      isInStrips ? ProductEpilogue() : analysis.getEpilogue(*product, runs);
  if (!epilogue.isEmpty()) {
    epilogue.gather(rewriter);
    rewriter.moveOpBefore(op, epilogue.getMaps().front());
  }
  product->op = mergeRuns(op, runs, rewriter);
  if (!product->op)
    return false;
  rewriter.setInsertionPoint(product->op);
  Value made = isInStrips ? emitStrips(rewriter, *product)
                          : emitTiles(rewriter, *product, epilogue);
  if (epilogue.isEmpty()) {
    rewriter.replaceOp(product->op, made);
    return true;
  }
  epilogue.replace(rewriter, made);
  for (Operation *reader :
       llvm::make_early_inc_range(product->op.getResult(0).getUsers()))
    if (reader->use_empty() && isa<tensor::ExpandShapeOp>(reader))
      rewriter.eraseOp(reader);
  rewriter.replaceOp(product->op, made);
  return true;
}

/// Replaces a product with what copies its result, if tiles can write that at
/// once.
static bool tileTurned(linalg::GenericOp op, Processor processor,
                       RewriterBase &rewriter) {
  linalg::GenericOp copy = getTurningCopy(op);
  if (!copy)
    return false;
  linalg::GenericOp turned = createTurned(op, copy, rewriter);
  rewriter.replaceAllUsesWith(copy.getResult(0), turned.getResult(0));
  if (tile(turned, processor, rewriter)) {
    rewriter.eraseOp(copy);
    rewriter.eraseOp(op);
    return true;
  }
  rewriter.replaceAllUsesWith(turned.getResult(0), copy.getResult(0));
  rewriter.eraseOp(turned);
  return false;
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

/// Whether all that read a tensor are maps of its elements.
static bool isReadByMaps(Value tensor) {
  return llvm::all_of(tensor.getUses(), [](OpOperand &use) {
    linalg::GenericOp map = getPointwise(use.getOwner());
    return map && map.isDpsInput(&use) &&
           map.getMatchingIndexingMap(&use).isIdentity();
  });
}

/// What `op` reads that was split to be joined again was joined before.
static void dropSplits(linalg::GenericOp op, RewriterBase &rewriter) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto join = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
    auto split =
        join ? join.getSrc().getDefiningOp<tensor::ExpandShapeOp>() : nullptr;
    if (!split || split.getSrcType() != join.getResultType() ||
        split.getReassociationIndices() != join.getReassociationIndices())
      continue;
    rewriter.replaceAllUsesWith(join.getResult(), split.getSrc());
    rewriter.eraseOp(join);
    SmallVector<OpFoldResult> sizes = split.getMixedOutputShape();
    for (Operation *user : llvm::make_early_inc_range(split->getUsers())) {
      auto size = dyn_cast<tensor::DimOp>(user);
      std::optional<int64_t> dim =
          size ? size.getConstantIndex() : std::nullopt;
      if (!dim)
        continue;
      rewriter.setInsertionPoint(size);
      rewriter.replaceOp(size, getValueOrCreateConstantIndexOp(
                                   rewriter, size.getLoc(), sizes[*dim]));
    }
    if (split->use_empty())
      rewriter.eraseOp(split);
  }
}

/// Has a map go through the dims that one of its operands had before they were
/// split, if that is one of `tensors`.
static linalg::GenericOp joinDims(linalg::GenericOp map,
                                  const llvm::DenseSet<Value> &tensors,
                                  RewriterBase &rewriter) {
  for (Value input : map.getInputs()) {
    auto split = input.getDefiningOp<tensor::ExpandShapeOp>();
    if (!split || !tensors.contains(split.getSrc()) || !isReadByMaps(input))
      continue;
    auto groups = split.getReassociationIndices();
    if (!linalg::areDimSequencesPreserved(map.getIndexingMapsArray(), groups))
      continue;
    linalg::GenericOp joined = mergeRuns(map, groups, rewriter);
    if (!joined)
      return map;
    dropSplits(joined, rewriter);
    return joined;
  }
  return map;
}

/// Has maps go through products' dims that would do so when these are split:
/// they can be what is made of the sums.
static void joinDims(Operation *module) {
  SmallVector<linalg::GenericOp> ops;
  module->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  llvm::DenseSet<Value> tensors;
  IRRewriter rewriter(module->getContext());
  for (linalg::GenericOp op : ops) {
    if (isWorthTiles(op)) {
      tensors.insert(op.getResult(0));
      continue;
    }
    if (!getPointwise(op))
      continue;
    op = joinDims(op, tensors, rewriter);
    if (llvm::any_of(op.getInputs(),
                     [&](Value input) { return tensors.contains(input); }))
      tensors.insert(op.getResult(0));
  }
}

namespace {
struct TileProducts : wax::impl::TileProductsBase<TileProducts> {
  using TileProductsBase::TileProductsBase;

  void runOnOperation() override {
    if (failed(splitDims(getOperation())))
      return signalPassFailure();
    joinDims(getOperation());
    SmallVector<linalg::GenericOp> sums;
    getOperation().walk([&](linalg::GenericOp op) {
      if (addsProducts(op) && hasVectors(op))
        sums.push_back(op);
    });
    llvm::for_each(sums, dropOneTurns);
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp sum : sums)
      if (!tileTurned(sum, processor, rewriter))
        tile(sum, processor, rewriter);
  }
};
} // namespace
