//===- Vectors.cpp - Scalar operations on vectors -------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"

#include "Dispatch.h"
#include "Rare.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::wax;

/// Of AVX-512. Narrower machines take several of theirs.
static constexpr int64_t registerBytes = 64;

bool mlir::wax::isLaneType(Type type) {
  return isa<IntegerType, FloatType, IndexType>(type);
}

bool mlir::wax::isStoredLaneType(Type type) {
  return isa<IntegerType, FloatType>(type) && !type.isInteger(1);
}

int64_t mlir::wax::getLanes(ArrayRef<Type> elements) {
  int64_t bytes = 2;
  for (Type element : elements)
    bytes = std::max<int64_t>(bytes, element.getIntOrFloatBitWidth() / 8);
  return 2 * registerBytes / bytes;
}

Value mlir::wax::createSplat(OpBuilder &builder, Location loc, Value scalar,
                             int64_t lanes) {
  auto type = VectorType::get(lanes, scalar.getType());
  TypedAttr constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, constant));
  return vector::BroadcastOp::create(builder, loc, type, scalar);
}

Value mlir::wax::createShuffle(OpBuilder &builder, Location loc, Value vector,
                               ArrayRef<int64_t> places) {
  return vector::ShuffleOp::create(builder, loc, vector, vector, places);
}

/// What instructions shuffle fastest: elements within 16 bytes, and these.
static constexpr int64_t shuffledBytes = 16;

/// Makes rows of the columns of a square of runs of `run` elements.
static SmallVector<Value> transposeRuns(OpBuilder &builder, Location loc,
                                        ArrayRef<Value> vectors, int64_t run) {
  if (vectors.size() == 1)
    return llvm::to_vector(vectors);
  auto take = [&](int64_t first) {
    int64_t lanes = cast<VectorType>(vectors[0].getType()).getNumElements();
    SmallVector<int64_t> places;
    for (int64_t start = first * run; start < 2 * lanes; start += 2 * run)
      llvm::append_range(places, llvm::seq(start, start + run));
    SmallVector<Value> taken;
    for (size_t pair = 0; pair < vectors.size(); pair += 2)
      taken.push_back(vector::ShuffleOp::create(builder, loc, vectors[pair],
                                                vectors[pair + 1], places));
    return transposeRuns(builder, loc, taken, run);
  };
  SmallVector<Value> even = take(0), odd = take(1), turned;
  for (auto [one, next] : llvm::zip_equal(even, odd))
    turned.append({one, next});
  return turned;
}

/// Within 16 bytes of registers first, and then these.
void mlir::wax::transposeLanes(OpBuilder &builder, Location loc,
                               SmallVectorImpl<Value> &vectors) {
  auto shuffle = [&](Value x, Value y, ArrayRef<int64_t> places) -> Value {
    return vector::ShuffleOp::create(builder, loc, x, y, places);
  };
  int64_t lanes = vectors.size();
  int64_t run = std::min<int64_t>(
      lanes, 8 * shuffledBytes /
                 getElementTypeOrSelf(vectors[0]).getIntOrFloatBitWidth());
  SmallVector<Value> turned(lanes);
  for (int64_t unit = 1; unit < run; unit *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t start = 0; start < lanes; start += run)
      for (int64_t place = 0; place < run / 2; place += unit)
        for (int64_t vector : {int64_t(0), lanes})
          for (int64_t i : llvm::seq(unit)) {
            low.push_back(vector + start + place + i);
            high.push_back(vector + start + run / 2 + place + i);
          }
    for (int64_t base = 0; base < lanes; base += 2 * unit)
      for (int64_t i : llvm::seq(unit)) {
        Value x = vectors[base + i], y = vectors[base + i + unit];
        turned[base + 2 * i] = shuffle(x, y, low);
        turned[base + 2 * i + 1] = shuffle(x, y, high);
      }
    vectors.assign(turned);
  }
  // Vector `block * run + i` has row `i` of each square of `run` elements.
  for (int64_t i : llvm::seq(run)) {
    SmallVector<Value> blocks;
    for (int64_t vector = i; vector < lanes; vector += run)
      blocks.push_back(vectors[vector]);
    for (auto [block, row] :
         llvm::enumerate(transposeRuns(builder, loc, blocks, run)))
      turned[block * run + i] = row;
  }
  vectors.assign(turned);
}

Value mlir::wax::readLanes(OpBuilder &builder, Location loc, Value tensor,
                           ValueRange position, int64_t lanes, Value mask) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type element = type.getElementType();
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  AffineMap lastDim =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, builder.getContext());
  return vector::TransferReadOp::create(
      builder, loc, VectorType::get(lanes, element), tensor, position,
      AffineMapAttr::get(lastDim), padding, mask,
      builder.getBoolArrayAttr({true}));
}

/// By vectors of all elements, of which the last one ends with the last that is
/// asked for, unless groups are whole, as there may be none behind.
Value mlir::wax::readApart(OpBuilder &builder, Location loc, Value tensor,
                           ValueRange position, int64_t lanes, int64_t stride,
                           std::optional<int64_t> phase, Value mask) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  int64_t behind = phase ? 0 : stride - 1;
  assert(lanes >= behind && "a vector would end behind the last element");
  auto getStart = [&](int64_t part) {
    return part * lanes - (part == stride - 1 ? behind : 0);
  };
  SmallVector<Value> at(position);
  Value end;
  if (mask)
    end = builder.createOrFold<arith::SubIOp>(
        loc,
        builder.createOrFold<arith::MulIOp>(loc, countLanes(mask),
                                            constant(stride)),
        constant(behind));
  Value read;
  for (int64_t part : llvm::seq(stride)) {
    Value start = constant(getStart(part)), isThere;
    at.back() =
        builder.createOrFold<arith::AddIOp>(loc, position.back(), start);
    if (mask)
      isThere =
          createMask(builder, loc, lanes,
                     builder.createOrFold<arith::SubIOp>(loc, end, start));
    Value elements = readLanes(builder, loc, tensor, at, lanes, isThere);
    SmallVector<int64_t> places;
    for (int64_t lane : llvm::seq(lanes)) {
      int64_t element = lane * stride + phase.value_or(0);
      bool isOfPart = std::min(element / lanes, stride - 1) == part;
      places.push_back(isOfPart ? lanes + element - getStart(part) : lane);
    }
    read = vector::ShuffleOp::create(builder, loc, read ? read : elements,
                                     elements, places);
  }
  return read;
}

Value mlir::wax::writeLanes(OpBuilder &builder, Location loc, Value vector,
                            Value tensor, ValueRange position, Value mask) {
  auto type = cast<RankedTensorType>(tensor.getType());
  AffineMap lastDim =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, builder.getContext());
  return vector::TransferWriteOp::create(builder, loc, type, vector, tensor,
                                         position, AffineMapAttr::get(lastDim),
                                         mask, builder.getBoolArrayAttr({true}))
      .getResult();
}

SmallVector<Value> mlir::wax::emitPieces(OpBuilder &builder, Location loc,
                                         OpFoldResult size, int64_t lanes,
                                         ValueRange carried, PieceBody body,
                                         bool mayRepeat) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value width = constant(lanes), rest, whole;
  std::optional<int64_t> known = getConstantIntValue(size);
  if (known) {
    rest = constant(*known % lanes);
    whole = constant(*known - *known % lanes);
  } else {
    Value all = getValueOrCreateConstantIndexOp(builder, loc, size);
    rest = arith::RemUIOp::create(builder, loc, all, width);
    whole = arith::SubIOp::create(builder, loc, all, rest);
  }
  SmallVector<Value> values(carried);
  if (!known || *known >= lanes)
    values = emitLoop(
        builder, loc, constant(0), whole, width, values,
        [&](OpBuilder &inside, Location loc, Value first, ValueRange next) {
          return body(inside, loc, first, /*mask=*/Value(), next);
        });
  if (known && *known % lanes == 0)
    return values;
  if (mayRepeat && known && *known > lanes)
    return body(builder, loc, constant(*known - lanes), /*mask=*/Value(),
                values);
  Value mask = createMask(builder, loc, lanes, rest);
  return body(builder, loc, whole, mask, values);
}

Value mlir::wax::createMask(OpBuilder &builder, Location loc, int64_t lanes,
                            Value count) {
  return vector::CreateMaskOp::create(
      builder, loc, VectorType::get(lanes, builder.getI1Type()), count);
}

Value mlir::wax::countLanes(Value mask) {
  return mask.getDefiningOp<vector::CreateMaskOp>().getOperand(0);
}

/// LLVM crashes on vectors of these: IREE 3.13 on the greatest of f16.
static bool isExtremeOfHalves(Operation &op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp>(op) &&
         op.getResult(0).getType().getIntOrFloatBitWidth() == 16;
}

bool mlir::wax::isLaneOperation(Operation &op) {
  if (isa<linalg::IndexOp>(op))
    return true;
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
         !isExtremeOfHalves(op) &&
         (op.hasTrait<OpTrait::ConstantLike>() ||
          OpTrait::hasElementwiseMappableTraits(&op)) &&
         llvm::all_of(op.getResults(),
                      [](Value value) { return isLaneType(value.getType()); });
}

/// What of `math` is an instruction of every processor, and no function.
static bool isInstruction(Operation &op) {
  return isa<math::AbsFOp, math::CopySignOp, math::SqrtOp>(op);
}

bool mlir::wax::hasLanes(Block &block, bool takesMath) {
  auto isLane = [](Value value) { return isLaneType(value.getType()); };
  return llvm::all_of(block.getArguments(), isLane) &&
         llvm::all_of(block, [&](Operation &op) {
           if (scf::IfOp branch = getRare(&op))
             return hasLanes(*branch.thenBlock(), takesMath) &&
                    hasLanes(*branch.elseBlock(), takesMath);
           return op.hasTrait<OpTrait::IsTerminator>() ||
                  ((takesMath || isInstruction(op) ||
                    !isa<math::MathDialect>(op.getDialect())) &&
                   isLaneOperation(op));
         });
}

/// The index of each lane's element, as integers or index values of `element`.
/// A constant of index values IREE 3.13 takes out of a dispatch, and crashes
/// where it asks how many bits it has.
static Value createLaneIndices(OpBuilder &builder, Location loc, Value first,
                               Type element, int64_t lanes) {
  if (!element.isIndex())
    first = arith::IndexCastOp::create(builder, loc, element, first);
  Value firsts = createSplat(builder, loc, first, lanes);
  auto type = VectorType::get(lanes, element);
  if (element.isIndex())
    return arith::AddIOp::create(builder, loc, firsts,
                                 vector::StepOp::create(builder, loc, type));
  SmallVector<APInt> steps;
  for (int64_t lane : llvm::seq(lanes))
    steps.emplace_back(element.getIntOrFloatBitWidth(), lane,
                       /*isSigned=*/false, /*implicitTrunc=*/true);
  Value step = arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(builder, loc, firsts, step);
}

namespace {

/// Emits scalar operations on vectors.
class LaneEmitter {
public:
  LaneEmitter(int64_t lanes, LaneIndices indices)
      : lanes(lanes), indices(indices) {}

  void map(Value scalar, Value vector) { mapping.map(scalar, vector); }
  void emit(OpBuilder &builder, Block &block);
  SmallVector<Value> getVectors(OpBuilder &builder, ValueRange scalars);

private:
  void emit(OpBuilder &builder, Operation &op);
  void emitRare(OpBuilder &builder, scf::IfOp branch);
  void spread(OpBuilder &builder, Value scalar);
  bool isAlongLanes(Operation *op) const {
    auto index = dyn_cast_if_present<linalg::IndexOp>(op);
    return index && index.getDim() + 1 == indices.size();
  }

  int64_t lanes;
  LaneIndices indices;
  IRMapping mapping;
};

} // namespace

/// What stands outside is the same in all lanes.
void LaneEmitter::spread(OpBuilder &builder, Value scalar) {
  if (!mapping.contains(scalar))
    map(scalar, createSplat(builder, scalar.getLoc(), scalar, lanes));
}

SmallVector<Value> LaneEmitter::getVectors(OpBuilder &builder,
                                           ValueRange scalars) {
  return llvm::map_to_vector(scalars, [&](Value scalar) {
    spread(builder, scalar);
    return mapping.lookup(scalar);
  });
}

/// All lanes compute it where one of them needs it, and the others keep what
/// they have.
void LaneEmitter::emitRare(OpBuilder &builder, scf::IfOp branch) {
  Location loc = branch.getLoc();
  Value condition =
      getVectors(builder, ValueRange{branch.getCondition()}).front();
  emit(builder, *branch.elseBlock());
  SmallVector<Value> usual =
      getVectors(builder, branch.elseYield().getOperands());
  Value isNeeded = vector::ReductionOp::create(
      builder, loc, vector::CombiningKind::OR, condition);
  auto onVectors = scf::IfOp::create(
      builder, loc, isNeeded,
      [&](OpBuilder &inside, Location loc) {
        // What is spread in there is not seen from outside.
        llvm::SaveAndRestore before(mapping);
        emit(inside, *branch.thenBlock());
        SmallVector<Value> chosen =
            getVectors(inside, branch.thenYield().getOperands());
        for (auto [rare, other] : llvm::zip_equal(chosen, usual))
          rare = arith::SelectOp::create(inside, loc, condition, rare, other);
        scf::YieldOp::create(inside, loc, chosen);
      },
      [&](OpBuilder &inside, Location loc) {
        scf::YieldOp::create(inside, loc, usual);
      });
  mapping.map(branch.getResults(), onVectors.getResults());
}

void LaneEmitter::emit(OpBuilder &builder, Operation &op) {
  Location loc = op.getLoc();
  TypedAttr constant;
  if (matchPattern(&op, m_Constant(&constant))) {
    auto type = VectorType::get(lanes, op.getResult(0).getType());
    return map(op.getResult(0),
               arith::ConstantOp::create(
                   builder, loc, DenseElementsAttr::get(type, constant)));
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    Value first = indices[index.getDim()];
    return map(index, isAlongLanes(index)
                          ? createLaneIndices(builder, loc, first,
                                              index.getType(), lanes)
                          : createSplat(builder, loc, first, lanes));
  }
  // Narrow integers wrap alike before they are added and after.
  if (auto index = isa<arith::IndexCastOp>(op)
                       ? op.getOperand(0).getDefiningOp<linalg::IndexOp>()
                       : nullptr) {
    Type type = op.getResult(0).getType();
    Value first = indices[index.getDim()];
    return map(
        op.getResult(0),
        isAlongLanes(index)
            ? createLaneIndices(builder, loc, first, type, lanes)
            : createSplat(builder, loc,
                          arith::IndexCastOp::create(builder, loc, type, first),
                          lanes));
  }
  if (scf::IfOp branch = getRare(&op))
    return emitRare(builder, branch);
  for (Value operand : op.getOperands())
    spread(builder, operand);
  Operation *onVectors = builder.clone(op, mapping);
  for (Value result : onVectors->getResults())
    result.setType(VectorType::get(lanes, result.getType()));
}

void LaneEmitter::emit(OpBuilder &builder, Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      emit(builder, op);
}

SmallVector<Value> mlir::wax::emitOnLanes(OpBuilder &builder, Block &block,
                                          ValueRange results,
                                          ArrayRef<Value> vectors,
                                          int64_t lanes, LaneIndices indices) {
  LaneEmitter emitter(lanes, indices);
  for (auto [argument, vector] : llvm::zip_equal(block.getArguments(), vectors))
    if (vector)
      emitter.map(argument, vector);
  emitter.emit(builder, block);
  return emitter.getVectors(builder, results);
}

ScalarCode::ScalarCode(OpBuilder &builder, Region &kernel,
                       ArrayRef<Attribute> constants) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> scalars;
  for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
    Value scalar = block.addArgument(argument.getType(), argument.getLoc());
    if (i < constants.size() && constants[i])
      scalar = createScalar(builder, argument.getLoc(), argument.getType(),
                            constants[i]);
    scalars.push_back(scalar);
  }
  results = emitKernel(builder, kernel, scalars);
}
