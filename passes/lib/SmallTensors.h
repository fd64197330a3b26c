//===- SmallTensors.h - Small tensors in registers --------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a dispatch that one thread runs, a small tensor is the scalar that is its
// only element, or vectors of its elements in row-major order, as many in each
// as a register holds. What is in lanes of the last vector that are left over
// nothing reads.
//
// Whatever only moves elements (a slice, a transpose, what an indexing map
// reads) is a list of the elements that the result has: shuffles.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_SMALLTENSORS_H
#define WAX_PASSES_LIB_SMALLTENSORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace mlir::wax {

/// A small tensor's vectors, or its only element.
using Registers = SmallVector<Value>;

/// Where an element is: in a lane of a vector, or a scalar.
struct Element {
  Value holder;
  int64_t lane = 0;
};

/// The elements of a tensor that lie in a row in memory.
struct Run {
  int64_t first;
  int64_t count;
};

/// The first dim that a run of a box goes over: of those after it the box has
/// all.
size_t getRunDim(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes);

/// The runs of a box of these sizes, of elements that lie side by side, in a
/// tensor of that shape, counted from the box's first element.
SmallVector<Run> getRuns(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes);

/// The distance in memory of neighbours along each dim.
SmallVector<int64_t> getDistances(ArrayRef<int64_t> shape);

/// Emits what small tensors become.
class RegisterBuilder {
public:
  RegisterBuilder(OpBuilder &builder, int64_t lanes)
      : builder(builder), lanes(lanes) {}

  int64_t getLanes() const { return lanes; }
  int64_t getCount(int64_t elements) const {
    return elements == 1 ? 1 : llvm::divideCeil(elements, lanes);
  }
  /// The types of the registers of `elements` of a type.
  SmallVector<Type> getTypes(Type element, int64_t elements) const;

  Element getElement(ArrayRef<Value> registers, int64_t element) const {
    if (!isa<VectorType>(registers.front().getType()))
      return {registers.front()};
    return {registers[element / lanes], element % lanes};
  }
  Value getScalar(Location loc, Element element);
  /// One vector of at most as many elements as it has lanes.
  Value createVector(Location loc, ArrayRef<Element> elements);
  Registers create(Location loc, ArrayRef<Element> elements);
  Registers create(Location loc, DenseElementsAttr constant);
  Registers createZeros(Location loc, Type element, int64_t elements);

  /// Reads `count` elements of a tensor of rank 1, from `first` on. Booleans
  /// are bytes in memory.
  Registers read(Location loc, Value memory, Value first, int64_t count,
                 Type element);
  /// A tensor of rank 1 with elements written from `first` on.
  Value write(Location loc, ArrayRef<Element> elements, Value memory,
              Value first);

  /// The scalar operations of `block` on scalars or on vectors, as `arguments`
  /// are. `coordinates` has of each loop the index of each lane, and `captured`
  /// tells the scalars that the block reads of its surroundings.
  SmallVector<Value> emit(Block &block, ArrayRef<Value> arguments,
                          bool onVectors,
                          ArrayRef<SmallVector<int64_t>> coordinates,
                          llvm::function_ref<Value(Value)> captured);

private:
  using PieceAt = llvm::function_ref<void(
      int64_t done, int64_t width, int64_t size, Value from, Value mask)>;
  /// The vectors of `width` that `count` elements from `first` on make, of one
  /// register what is left, the last one with a mask where they do not fill it.
  void forPieces(Location loc, Value first, int64_t count, int64_t width,
                 PieceAt body);
  Value createIndices(Location loc, ArrayRef<int64_t> indices, bool onVectors);

  OpBuilder &builder;
  int64_t lanes;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_SMALLTENSORS_H
