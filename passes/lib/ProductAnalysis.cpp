//===- ProductAnalysis.cpp - Sums that are products of matrices -----------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductAnalysis.h"

#include "FactorReader.h"
#include "LoopPlan.h"
#include "NestBuilder.h"

#include "../lowering/Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// Rows from which on panels that are kept are better to read than those copied
/// of rows of the factor, at each call.
constexpr int64_t fewestRowsOfKeptPanels = 48;
/// Elements that are summed up, below which tiles are hardly filled; and more
/// rows where the other factor has to be turned, which IREE reads along rows,
/// as it does the first one.
constexpr int64_t fewestRowsByRows = 16, fewestSummed = 16;
/// Elements of a factor that is to be read once, in strips, from which on it is
/// in no cache near by.
constexpr int64_t fewestOfStrips = 65536;
/// Elements to sum up that pay for adding the lanes of sums at their end.
constexpr int64_t fewestAlong = 64;
/// Products below which a dispatch of its own costs more than it saves.
constexpr int64_t fewestProducts = 48 * 48 * 48;
/// What an open size is taken for where sizes are compared.
constexpr int64_t likelySize = 64;

bool isExtension(Operation *op) {
  // Integers that each float holds.
  if (isa_and_present<arith::SIToFPOp, arith::UIToFPOp>(op))
    return op->getOperand(0).getType().isInteger(8);
  return isa_and_present<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

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

bool mlir::wax::addsProducts(linalg::GenericOp op) {
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

Operation *mlir::wax::getExtension(Value tensor) {
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
static Type getNarrowType(Value factor) {
  Operation *extension = getExtension(factor);
  return extension ? extension->getOperand(0).getType()
                   : getElementTypeOrSelf(factor.getType());
}

bool mlir::wax::hasVectors(linalg::GenericOp op) {
  Type sum = getElementTypeOrSelf(op.getResult(0).getType());
  return llvm::all_of(op.getInputs(), [&](Value factor) {
    Type element = getNarrowType(factor);
    if (sum.isInteger(32))
      return element.isInteger(8);
    return (sum.isF32() || sum.isF64()) &&
           (isa<FloatType>(element) || element.isInteger(8));
  });
}

ProductAnalysis::ProductAnalysis(linalg::GenericOp op)
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

SmallVector<ReassociationIndices> ProductAnalysis::getRuns() const {
  bool isPlain = llvm::all_of(
      maps, [](AffineMap map) { return map.isProjectedPermutation(); });
  return wax::getRuns(maps, [&](int64_t one, int64_t next) {
    return isPlain && roles[one] == roles[next];
  });
}

int64_t ProductAnalysis::getLikelySize(ArrayRef<int64_t> run) const {
  int64_t product = 1;
  for (int64_t loop : run)
    product *= ShapedType::isDynamic(sizes[loop]) ? likelySize : sizes[loop];
  return product;
}

int64_t ProductAnalysis::getLikelySize(ArrayRef<ReassociationIndices> runs,
                                       ArrayRef<unsigned> numbers) const {
  int64_t product = 1;
  for (unsigned number : numbers)
    product *= getLikelySize(runs[number]);
  return product;
}

bool ProductAnalysis::isOpen(ArrayRef<int64_t> run) const {
  return llvm::any_of(
      run, [&](int64_t loop) { return ShapedType::isDynamic(sizes[loop]); });
}

bool ProductAnalysis::isKnownBelow(ArrayRef<ReassociationIndices> runs,
                                   ArrayRef<unsigned> numbers,
                                   int64_t least) const {
  return llvm::none_of(numbers,
                       [&](unsigned number) { return isOpen(runs[number]); }) &&
         getLikelySize(runs, numbers) < least;
}

/// The most rows that are dims of the result beside each other.
SmallVector<unsigned>
ProductAnalysis::getRows(ArrayRef<ReassociationIndices> runs, Role role) const {
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
SmallVector<unsigned>
ProductAnalysis::getSummed(ArrayRef<ReassociationIndices> runs,
                           AffineMap across, AffineMap down) const {
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

static Value getColumnFactor(Product product) {
  return product.op.getInputs()[1 - product.rowFactor];
}

/// From how many rows on tiles are faster than what else there is. IREE's
/// products of bytes, and of narrow floats that it reads along rows, are slow.
int64_t ProductAnalysis::getFewestRows(const Product &product,
                                       bool isByRows) const {
  if (isa<IntegerType>(getProductSumType(product)))
    return isByRows ? fewestRowsByRows : 1;
  bool isNarrow =
      isMadeOfLess(product) ||
      getNarrowType(getColumnFactor(product)).getIntOrFloatBitWidth() < 32;
  return isByRows && !isNarrow ? fewestRowsByRows : fewestRows;
}

/// Whether few rows are to be multiplied with much that lies along columns, or
/// along what is summed up, as the rows do. Bytes that lie along columns are
/// to be words of a panel.
bool ProductAnalysis::isWorthStrips(const Product &product,
                                    ArrayRef<ReassociationIndices> runs,
                                    bool isByRows) const {
  AffineMap down = maps[product.rowFactor];
  bool isOfFloats = isa<FloatType>(getProductSumType(product));
  return isKnownBelow(runs, product.rows,
                      isOfFloats ? fewestRows : fewestRowsByRows) &&
         product.summed.size() == 1 && (isByRows || isOfFloats) &&
         down.isProjectedPermutation() &&
         (!isByRows ||
          (down.getDimPosition(down.getNumResults() - 1) ==
               runs[product.summed.back()].back() &&
           getLikelySize(runs[product.summed.back()]) >= fewestAlong)) &&
         getLikelySize(runs[product.column]) *
                 getLikelySize(runs[product.summed.back()]) >=
             fewestOfStrips;
}

std::optional<Product>
ProductAnalysis::getProduct(ArrayRef<ReassociationIndices> runs) const {
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

  // With half a tile's columns or fewer IREE's vectors are no slower.
  if (isKnownBelow(runs, product.column, getTileColumns(product) / 2 + 1) ||
      isKnownBelow(runs, product.summed, fewestSummed))
    return std::nullopt;
  product.isInStrips = isWorthStrips(product, runs, isByRows);
  // Bytes are in tiles what others are in strips, too.
  bool isOfBytes = isa<IntegerType>(getProductSumType(product)) &&
                   isKnownBelow(runs, product.rows, fewestRows);
  bool isInTiles =
      !isKnownBelow(runs, product.rows, getFewestRows(product, isByRows)) &&
      getLikelySize(llvm::to_vector(llvm::seq<int64_t>(sizes.size()))) >=
          (isOfBytes ? fewestOfStrips : fewestProducts);
  if (!product.isInStrips && !isInTiles)
    return std::nullopt;
  for (unsigned number : llvm::seq<unsigned>(runs.size()))
    if (number != product.column && !llvm::is_contained(product.rows, number) &&
        !llvm::is_contained(product.summed, number))
      product.others.push_back(number);
  return product;
}

void ProductAnalysis::fit(Product &product, ArrayRef<ReassociationIndices> runs,
                          Processor processor, bool isCaptured) const {
  bool isOfFloats = isa<FloatType>(getProductSumType(product));
  // Strips have no squares, nor what only these multiply.
  if (product.isInStrips)
    processor = std::min(processor, Processor::AVX512BF16);
  if (!product.isInStrips || !isOfFloats)
    product.dot = getDot(product, processor);
  ArrayRef<int64_t> column = runs[product.column];
  int64_t columns =
      isOpen(column) ? ShapedType::kDynamic : getLikelySize(column);
  product.tile = getTileShape(product, processor, columns);
  if (!isCaptured || product.isInStrips || ShapedType::isDynamic(columns))
    return;
  // Panels are only better to read than what was copied to the stack where much
  // is to be moved for that, or where they are read often.
  AffineMap across = maps[1 - product.rowFactor];
  bool isCopiedAsItLies =
      isOfFloats && product.dot == Dot::None &&
      across.getDimPosition(across.getNumResults() - 1) == column.back();
  if (isCopiedAsItLies &&
      isKnownBelow(runs, product.rows, fewestRowsOfKeptPanels))
    return;
  int64_t summed = getLikelySize(runs[product.summed.back()]);
  int64_t bits = getPanelBits(product, columns, summed);
  int64_t given = columns * summed *
                  getElementTypeOrSelf(getColumnFactor(product).getType())
                      .getIntOrFloatBitWidth();
  product.isCaptured = 2 * bits <= 3 * given;
}

ProductEpilogue
ProductAnalysis::getEpilogue(const Product &product,
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
