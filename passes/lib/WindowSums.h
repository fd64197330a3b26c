//===- WindowSums.h - Sums of windows by vectors ----------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_LIB_WINDOWSUMS_H
#define WAX_PASSES_LIB_WINDOWSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::wax {

/// What pads a tensor before and behind some of its dims by the same constant,
/// if nothing else does anything to it.
tensor::PadOp getKnownPad(Value tensor);

/// Where dims of size 1 were added to a tensor, those of its dims that are of
/// what they were added to; else none.
SmallVector<int64_t> getSourceDims(Value tensor);

/// Sums of windows that vectors can make.
class WindowSums {
public:
  static std::optional<WindowSums> of(linalg::GenericOp op);

  Value emit(RewriterBase &rewriter);

private:
  explicit WindowSums(linalg::GenericOp op)
      : op(op), sizes(op.getStaticLoopRanges()) {}

  bool findLoops();
  bool hasLast(Value tensor, AffineMap map) const;
  bool isUnit(unsigned loop) const { return sizes[loop] == 1; }
  /// What is known of windows: whether they lie in what is padded as far as the
  /// places of a row go along it, and as far as rows do.
  struct Inside {
    bool along, across;
  };
  /// Places of a row, how many are made at once, and what is known of them.
  struct Part {
    Value from, to;
    int64_t count;
    bool isInside;
  };
  /// All places that are to be made of a row, from `first` on: those at its
  /// edges, blocks and what these leave; or, where rows are at an edge, blocks
  /// between what is looked at.
  struct Parts {
    Value first;
    SmallVector<Part> ofInside, ofEdge;
  };
  struct Extent {
    int64_t first, last;
  };

  /// An expression of loops where one has a value, and the others 0.
  int64_t evaluate(AffineExpr expr, unsigned loop, int64_t value);
  Extent getExtent(AffineExpr expr);
  void visitPadded(llvm::function_ref<void(AffineExpr, int64_t size)> visit);
  std::pair<int64_t, int64_t> getInside(int64_t total);
  Value createIsInside(OpBuilder &builder, Location loc, ArrayRef<Value> loops);
  Parts getParts(OpBuilder &builder, Location loc, OpFoldResult width,
                 Value first, Value end);
  SmallVector<Value> emitRow(OpBuilder &builder, Location loc,
                             ArrayRef<Value> loops, const Parts &parts,
                             ValueRange outputs, Value row);
  SmallVector<Value> emitPlaces(OpBuilder &builder, Location loc,
                                ArrayRef<Value> loops, Value first,
                                ArrayRef<Part> parts, bool isInside,
                                ValueRange outputs, Value row);
  SmallVector<Value> emitBlock(OpBuilder &builder, Location loc,
                               ArrayRef<Value> loops, Value first, Value place,
                               int64_t count, Inside inside, Value output,
                               Value row);
  Value read(OpBuilder &builder, Location loc, unsigned input,
             ArrayRef<AffineExpr> terms, ArrayRef<Value> loops, Inside inside,
             Value mask);
  void setInput(RewriterBase &rewriter, unsigned input);

  linalg::GenericOp op;
  SmallVector<int64_t> sizes;
  /// The loops along the last dim, and along the one before, of which several
  /// places are made at once.
  unsigned last = 0, along = 0;
  SmallVector<unsigned> outer, summed;
  int64_t lanes = 0;
  /// What is read, with the last dim the last, in place of what pads it and of
  /// what gives it dims of size 1, and the dims of the operation's map that are
  /// its own.
  struct Input {
    Value tensor;
    tensor::PadOp pad;
    SmallVector<int64_t> dims;
  };
  SmallVector<Input> inputs;
  Attribute start;
};

} // namespace mlir::wax

#endif // WAX_PASSES_LIB_WINDOWSUMS_H
