//===- Convolve.cpp - Derivatives of convolutions -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::wax;

namespace {

/// A convolution to be made: what `wax.convolve` says, in parts.
struct Convolution {
  Value lhs, rhs;
  SmallVector<int64_t> lhsDims, rhsDims, resultDims;
  SmallVector<int64_t> strides, low, high, lhsDilations, rhsDilations;
  int64_t featureGroups = 1, batchGroups = 1;

  /// In a format in which sums are exact enough, then in `element`.
  Value create(OpBuilder &builder, Location loc, Type element) const {
    Type sum = getSumType(getElementTypeOrSelf(lhs.getType()));
    Value made = ConvolveOp::create(
        builder, loc, lhs, rhs, lhsDims, rhsDims, resultDims, strides, low,
        high, lhsDilations, rhsDilations, featureGroups, batchGroups, sum);
    return createConverted(builder, loc, made, element);
  }
};

int64_t getSize(Value tensor, int64_t dim) {
  return cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
}

/// Splits a dim into two, of which the first has `count` elements.
Value splitDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim,
               int64_t count) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = count ? shape[dim] / count : 0;
  shape.insert(shape.begin() + dim, count);
  SmallVector<Attribute> from, to;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    from.push_back(builder.getDenseI64ArrayAttr(i));
    int64_t place = i + (i > dim);
    to.push_back(i == dim ? builder.getDenseI64ArrayAttr({dim, dim + 1})
                          : builder.getDenseI64ArrayAttr(place));
  }
  return ReshapeOp::create(builder, loc, type.clone(shape), tensor,
                           ValueRange(), builder.getArrayAttr(from),
                           builder.getArrayAttr(to));
}

/// Merges a dim with the one after it.
Value mergeDims(OpBuilder &builder, Location loc, Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] =
      ShapedType::isDynamic(shape[dim]) || ShapedType::isDynamic(shape[dim + 1])
          ? ShapedType::kDynamic
          : shape[dim] * shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  SmallVector<Attribute> from, to;
  for (int64_t i = 0, e = shape.size(); i < e; ++i) {
    int64_t place = i + (i > dim);
    from.push_back(i == dim ? builder.getDenseI64ArrayAttr({dim, dim + 1})
                            : builder.getDenseI64ArrayAttr(place));
    to.push_back(builder.getDenseI64ArrayAttr(i));
  }
  return ReshapeOp::create(builder, loc, type.clone(shape), tensor,
                           ValueRange(), builder.getArrayAttr(from),
                           builder.getArrayAttr(to));
}

/// Moves `count` groups that lead dim `from` before the elements of dim `to`.
Value moveGroups(OpBuilder &builder, Location loc, Value tensor, int64_t from,
                 int64_t to, int64_t count) {
  Value split = splitDim(builder, loc, tensor, from, count);
  int64_t target = to + (to > from);
  SmallVector<int64_t> order;
  int64_t rank = cast<RankedTensorType>(split.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == target)
      order.push_back(from);
    if (dim != from)
      order.push_back(dim);
  }
  Value moved = PermuteOp::create(builder, loc, split, order);
  return mergeDims(builder, loc, moved, to);
}

struct DifferentiateConvolve
    : DifferentiableOpInterface::ExternalModel<DifferentiateConvolve,
                                               ConvolveOp> {
  Derivatives jvp(Operation *op, OpBuilder &builder,
                  ArrayRef<Value> tangents) const {
    Value sum;
    for (unsigned i = 0; i < 2; ++i) {
      if (!tangents[i])
        continue;
      Operation *term = builder.clone(*op);
      term->setOperand(i, tangents[i]);
      sum = createAdd(builder, op->getLoc(), sum, term->getResult(0));
    }
    return SmallVector<Value>{sum};
  }

  Derivatives vjp(Operation *op, OpBuilder &builder, ArrayRef<Value> cotangents,
                  const llvm::SmallBitVector &wanted) const {
    auto convolve = cast<ConvolveOp>(op);
    auto isStatic = [](Value tensor, ArrayRef<int64_t> dims) {
      return llvm::none_of(dims, [&](int64_t dim) {
        return ShapedType::isDynamic(getSize(tensor, dim));
      });
    };
    // Paddings of the transposes are numbers; the batch may have any size.
    if (!isStatic(convolve.getLhs(), convolve.getLhsDims().drop_front()) ||
        !isStatic(convolve.getRhs(), convolve.getRhsDims()) ||
        (convolve.getBatchGroups() > 1 &&
         !isStatic(convolve.getLhs(), convolve.getLhsDims())))
      return op->emitOpError("is differentiable where all sizes but the "
                             "batch's are static"),
             failure();
    SmallVector<Value> results(2);
    Value result = convolve.getResult();
    auto isEmpty = [](Value tensor) {
      return llvm::is_contained(
          cast<RankedTensorType>(tensor.getType()).getShape(), 0);
    };
    // Nothing was multiplied.
    if (isEmpty(result) || isEmpty(convolve.getLhs()) ||
        isEmpty(convolve.getRhs()))
      return results;
    if (wanted[0])
      results[0] = pullLhs(convolve, builder, cotangents.front());
    if (wanted[1])
      results[1] = pullRhs(convolve, builder, cotangents.front());
    return results;
  }

  static SmallVector<int64_t> swapped(ArrayRef<int64_t> dims) {
    SmallVector<int64_t> result(dims);
    std::swap(result[0], result[1]);
    return result;
  }

  /// The cotangent slides over the operand: features and batch change roles.
  static Value pullRhs(ConvolveOp op, OpBuilder &builder, Value cotangent) {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(cotangent.getType());
    Convolution made;
    made.lhs = createConverted(builder, loc, op.getLhs(), element);
    made.rhs = cotangent;
    made.lhsDims = swapped(op.getLhsDims());
    made.rhsDims = SmallVector<int64_t>(op.getResultDims());
    made.resultDims = SmallVector<int64_t>(op.getRhsDims());
    made.strides = SmallVector<int64_t>(op.getRhsDilations());
    made.rhsDilations = SmallVector<int64_t>(op.getStrides());
    made.lhsDilations = SmallVector<int64_t>(op.getLhsDilations());
    made.low = SmallVector<int64_t>(op.getLow());
    made.featureGroups = op.getBatchGroups();
    made.batchGroups = op.getFeatureGroups();
    for (int64_t i = 0, e = made.low.size(); i < e; ++i) {
      int64_t size = getSize(op.getLhs(), op.getLhsDims()[i + 2]);
      int64_t taps = getSize(op.getRhs(), op.getRhsDims()[i + 2]);
      int64_t count = getSize(cotangent, op.getResultDims()[i + 2]);
      int64_t read = (count - 1) * op.getStrides()[i] +
                     (taps - 1) * op.getRhsDilations()[i] + 1;
      int64_t dilated = (size - 1) * op.getLhsDilations()[i] + 1;
      made.high.push_back(read - dilated - made.low[i]);
    }
    return made.create(builder, loc,
                       getElementTypeOrSelf(op.getRhs().getType()));
  }

  /// The kernel, turned around, slides over the cotangent.
  static Value pullLhs(ConvolveOp op, OpBuilder &builder, Value cotangent) {
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(cotangent.getType());
    int64_t groups = std::max(op.getFeatureGroups(), op.getBatchGroups());
    Convolution made;
    made.lhs = cotangent;
    made.lhsDims = SmallVector<int64_t>(op.getResultDims());
    made.resultDims = SmallVector<int64_t>(op.getLhsDims());
    made.rhsDims = swapped(op.getRhsDims());
    made.strides = SmallVector<int64_t>(op.getLhsDilations());
    made.lhsDilations = SmallVector<int64_t>(op.getStrides());
    made.rhsDilations = SmallVector<int64_t>(op.getRhsDilations());
    made.featureGroups = groups;
    for (int64_t i = 0, e = made.strides.size(); i < e; ++i) {
      int64_t size = getSize(op.getLhs(), op.getLhsDims()[i + 2]);
      int64_t taps = getSize(op.getRhs(), op.getRhsDims()[i + 2]);
      int64_t count = getSize(cotangent, op.getResultDims()[i + 2]);
      int64_t span = (taps - 1) * op.getRhsDilations()[i] + 1;
      int64_t low = span - 1 - op.getLow()[i];
      made.low.push_back(low);
      made.high.push_back((size - 1) * op.getLhsDilations()[i] + span -
                          ((count - 1) * op.getStrides()[i] + 1) - low);
    }
    Value kernel = createConverted(builder, loc, op.getRhs(), element);
    SmallVector<int64_t> spatial(op.getRhsDims().drop_front(2));
    llvm::sort(spatial);
    if (!spatial.empty())
      kernel = ReverseOp::create(builder, loc, kernel, spatial);
    // Each group's outs become ins, and its ins outs: the groups go along.
    if (groups > 1)
      kernel = moveGroups(builder, loc, kernel, op.getRhsDims()[1],
                          op.getRhsDims()[0], groups);
    made.rhs = kernel;
    Value result =
        made.create(builder, loc, getElementTypeOrSelf(op.getLhs().getType()));
    if (op.getBatchGroups() > 1)
      result = moveGroups(builder, loc, result, op.getLhsDims()[1],
                          op.getLhsDims()[0], groups);
    return result;
  }
};

} // namespace

void mlir::wax::attachConvolveDerivatives(MLIRContext *context) {
  ConvolveOp::attachInterface<DifferentiateConvolve>(*context);
}
