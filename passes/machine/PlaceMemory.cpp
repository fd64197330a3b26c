//===- PlaceMemory.cpp - What a dispatch is given, as memory --------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceMemory.h"

#include "wax/Passes/IREE.h"
#include "wax/Passes/TiedInit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::wax;

/// The strides of a tensor of `sizes` whose elements lie side by side.
static SmallVector<OpFoldResult> getStrides(ImplicitLocOpBuilder &builder,
                                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = builder.getIndexAttr(1);
  for (size_t dim = sizes.size(); dim--;) {
    strides[dim] = stride;
    std::optional<int64_t> known = getConstantIntValue(stride),
                           size = getConstantIntValue(sizes[dim]);
    if (known && size) {
      stride = builder.getIndexAttr(*known * *size);
      continue;
    }
    auto get = [&](OpFoldResult number) -> Value {
      if (auto value = dyn_cast<Value>(number))
        return value;
      return arith::ConstantOp::create(
          builder, cast<IntegerAttr>(cast<Attribute>(number)));
    };
    stride = arith::MulIOp::create(builder, get(stride), get(sizes[dim]))
                 .getResult();
  }
  return strides;
}

/// Memory that begins at `start`, as a tensor's.
static Value showAs(ImplicitLocOpBuilder &builder, Value start,
                    RankedTensorType type, ValueRange openSizes) {
  SmallVector<OpFoldResult> sizes =
      getMixedValues(type.getShape(), openSizes, builder);
  return memref::ReinterpretCastOp::create(
      builder, MemRefType::get(type.getShape(), type.getElementType()), start,
      OpFoldResult(builder.getIndexAttr(0)), sizes, getStrides(builder, sizes));
}

/// What `tensor` shows the elements of in another shape.
static Value getReshaped(Value tensor) {
  while (isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp>(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

/// By what the loops that make `tensor` are given a tensor of their own to
/// write into; null if they are given none.
static OpOperand *getStart(Value tensor) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    OpOperand *init = getTiedInit(result);
    if (!init || init->get().getDefiningOp<tensor::EmptyOp>())
      return init;
    tensor = init->get();
  }
  return nullptr;
}

namespace {
/// Reads and writes of what a dispatch is given become those of memory.
class Memory {
public:
  explicit Memory(func::FuncOp function)
      : function(function), builder(function.getLoc(), function) {}

  LogicalResult place() {
    Block &entry = function.getBody().front();
    builder.setInsertionPointToStart(&entry);
    SmallVector<std::pair<BlockArgument, Value>> starts;
    SmallVector<Type> types{builder.getIndexType()};
    SmallVector<BlockArgument> given(entry.getArguments());
    for (BlockArgument argument : given) {
      auto tensor = dyn_cast<iree::DispatchTensorType>(argument.getType());
      Type type = argument.getType();
      if (tensor)
        type = MemRefType::get({}, tensor.getTensor().getElementType());
      types.push_back(type);
      Value now = entry.addArgument(type, argument.getLoc());
      if (tensor)
        starts.emplace_back(argument, now);
      else
        argument.replaceAllUsesWith(now);
    }
    for (auto [argument, start] : starts)
      if (failed(place(argument, start)))
        return failure();
    entry.insertArgument(0u, builder.getIndexType(), function.getLoc());
    entry.eraseArguments(1, given.size());
    function.setFunctionType(builder.getFunctionType(types, {}));
    return success();
  }

private:
  LogicalResult place(BlockArgument argument, Value start) {
    SmallVector<Value> handles{argument};
    for (Operation *user : argument.getUsers())
      if (auto tie = dyn_cast<iree::DispatchTieShapeOp>(user))
        handles.push_back(tie.getResult());
    for (Value handle : llvm::reverse(handles)) {
      for (Operation *user : llvm::make_early_inc_range(handle.getUsers())) {
        if (auto load = dyn_cast<iree::DispatchTensorLoadOp>(user);
            load && isWhole(load, load.getType(), argument))
          read(load, start);
        else if (auto store = dyn_cast<iree::DispatchTensorStoreOp>(user);
                 store &&
                 isWhole(store, store.getValue().getType(), argument)) {
          if (failed(write(store, start)))
            return failure();
        } else if (isa<iree::DispatchTieShapeOp>(user)) {
          user->erase();
        } else {
          return user->emitError("is not understood of what a dispatch reads");
        }
      }
    }
    return success();
  }

  /// Whether all of what the dispatch is given is read or written.
  template <typename Op>
  static bool isWhole(Op op, Type type, BlockArgument argument) {
    return op.getOffsets().empty() && op.getStrides().empty() &&
           llvm::all_of(op.getStaticOffsets(), [](int64_t n) { return !n; }) &&
           llvm::all_of(op.getStaticStrides(),
                        [](int64_t n) { return n == 1; }) &&
           cast<iree::DispatchTensorType>(argument.getType()).getTensor() ==
               type;
  }

  void read(iree::DispatchTensorLoadOp load, Value start) {
    builder.setInsertionPoint(load);
    auto type = cast<RankedTensorType>(load.getType());
    Value memory = showAs(builder, start, type, load.getSizes());
    load.replaceAllUsesWith(bufferization::ToTensorOp::create(
                                builder, type, memory, /*restrict=*/true)
                                .getResult());
    load.erase();
  }

  LogicalResult write(iree::DispatchTensorStoreOp store, Value begin) {
    Value value = getReshaped(store.getValue());
    OpOperand *start = getStart(value);
    auto type = cast<RankedTensorType>(value.getType());
    auto whole = cast<RankedTensorType>(store.getValue().getType());
    if (!start || start->get().getType() != type ||
        (type.hasStaticShape() && whole.hasStaticShape() &&
         type.getNumElements() != whole.getNumElements()))
      return store.emitError("writes what is not made in one tensor");
    auto empty = start->get().getDefiningOp<tensor::EmptyOp>();
    // Its sizes are told by what it was made of.
    for (Operation *user : llvm::make_early_inc_range(empty->getUsers()))
      if (auto size = dyn_cast<tensor::DimOp>(user))
        if (std::optional<int64_t> dim = size.getConstantIndex();
            dim && type.isDynamicDim(*dim)) {
          size.replaceAllUsesWith(empty.getDynamicSize(*dim));
          size.erase();
        }
    // Others may begin as the same.
    builder.setInsertionPoint(empty);
    Value memory = showAs(builder, begin, type, empty.getDynamicSizes());
    start->set(bufferization::ToTensorOp::create(
        builder, type, memory, /*restrict=*/true, /*writable=*/true));
    builder.setInsertionPoint(store);
    auto done = bufferization::MaterializeInDestinationOp::create(
        builder, TypeRange(), value, memory);
    done.setWritable(true);
    done.setRestrict(true);
    store.erase();
    return success();
  }

  func::FuncOp function;
  ImplicitLocOpBuilder builder;
};
} // namespace

LogicalResult mlir::wax::placeInMemory(func::FuncOp function) {
  return Memory(function).place();
}
