//===- ProductEpilogue.cpp - What is made of sums of products -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductEpilogue.h"

#include "../lowering/Vectors.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::wax;

/// Beyond these the code of a dispatch takes long to compile.
static constexpr size_t mostMaps = 64;

/// Of those that read `tensors`, the first one that is not among `maps`.
static Operation *getNextReader(ArrayRef<Value> tensors,
                                ArrayRef<linalg::GenericOp> maps) {
  Operation *next = nullptr;
  for (Value tensor : tensors)
    for (Operation *reader : tensor.getUsers()) {
      // One that stands elsewhere is none of them.
      if (reader->getBlock() != tensor.getParentBlock())
        return reader;
      if (!llvm::is_contained(maps, reader) &&
          (!next || reader->isBeforeInBlock(next)))
        next = reader;
    }
  return next;
}

/// Whether a map reads what it reads of `tensors` element by element.
static bool readsElements(linalg::GenericOp map, ArrayRef<Value> tensors) {
  return llvm::all_of(map->getOpOperands(), [&](OpOperand &operand) {
    return !llvm::is_contained(tensors, operand.get()) ||
           (map.isDpsInput(&operand) &&
            map.getMatchingIndexingMap(&operand).isIdentity());
  });
}

ProductEpilogue::ProductEpilogue(linalg::GenericOp product,
                                 ArrayRef<ReassociationIndices> dims)
    : dims(dims) {
  Value result = product.getResult(0);
  auto type = cast<RankedTensorType>(result.getType());
  // What is made so far, and how many maps make a single tensor of it all.
  SmallVector<Value> made{result};
  size_t last = 0;
  while (auto map = dyn_cast_if_present<linalg::GenericOp>(
             getNextReader(made, maps))) {
    RowReader rows(map, type.getRank(), dims.back().size(), /*isLate=*/true);
    if (maps.size() == mostMaps || !rows.isPossible(map) ||
        !readsElements(map, made))
      break;
    maps.push_back(map);
    made.push_back(map.getResult(0));
    llvm::erase_if(made, [&](Value tensor) {
      return tensor != map.getResult(0) &&
             llvm::all_of(tensor.getUsers(), [&](Operation *reader) {
               return llvm::is_contained(maps, reader);
             });
    });
    Type element = getElementTypeOrSelf(map.getResult(0));
    if (made.size() > 1 || !isStoredLaneType(element))
      continue;
    last = maps.size();
    if (element == type.getElementType())
      numOfType = last;
  }
  maps.truncate(last);
  if (!isEmpty())
    firstInput = llvm::find(maps.front()->getOperands(), result).getIndex();
}

Type ProductEpilogue::getElementType() const {
  linalg::GenericOp last = maps.back();
  return getElementTypeOrSelf(last.getResult(0));
}

void ProductEpilogue::gather(RewriterBase &rewriter) {
  for (linalg::GenericOp map : ArrayRef(maps).drop_back())
    rewriter.moveOpBefore(map, maps.back());
}

void ProductEpilogue::keepType() { maps.truncate(numOfType); }

void ProductEpilogue::begin(OpBuilder &builder, Location loc) {
  linalg::GenericOp last = maps.back();
  sizes = tensor::getMixedSizes(builder, loc, last.getDpsInitOperand(0)->get());
  reader.emplace(last, sizes.size(), dims.back().size(), /*isLate=*/true);
  SmallVector<Operation *> made(maps.begin(), maps.end());
  bool isAdded = reader->add(last.getResult(0), made, getSums());
  assert(isAdded && "each map was found to be possible");
  (void)isAdded;
  reader->mergeRows(builder, loc);
}

Value ProductEpilogue::apply(OpBuilder &builder, Location loc, ValueRange place,
                             Value sums, Value mask) {
  SmallVector<Value> indices;
  for (auto [group, index] :
       llvm::zip_equal(ArrayRef(dims).drop_back(), place.drop_back()))
    llvm::append_range(
        indices,
        getRowIndices(builder, loc, index,
                      ArrayRef(sizes).slice(group.front(), group.size())));
  reader->startRow(builder, loc, indices,
                   cast<VectorType>(sums.getType()).getNumElements());
  reader->setVector(getSums(), sums);
  return reader->read(builder, loc, place.back(), mask).front();
}

void ProductEpilogue::replace(RewriterBase &rewriter, Value made) {
  linalg::GenericOp last = maps.back();
  auto type = cast<RankedTensorType>(last.getResult(0).getType());
  rewriter.setInsertionPoint(last);
  auto split = getSums().getDefiningOp<tensor::ExpandShapeOp>();
  if (split)
    made = tensor::ExpandShapeOp::create(
        rewriter, split.getLoc(),
        split.getResultType().clone(type.getElementType()), made,
        split.getReassociationIndices(), split.getMixedOutputShape());
  if (made.getType() != type)
    made = tensor::CastOp::create(rewriter, last.getLoc(), type, made);
  rewriter.replaceAllUsesWith(last.getResult(0), made);
  for (linalg::GenericOp map : llvm::reverse(maps))
    rewriter.eraseOp(map);
  // Its elements are the sums', which nobody makes any more.
  if (split)
    rewriter.eraseOp(split);
}
