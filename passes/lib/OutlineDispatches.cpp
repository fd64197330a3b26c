//===- OutlineDispatches.cpp - Executables of dispatches ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_OUTLINEDISPATCHES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// What an executable may be given, tensors that it writes included: more than
/// any dispatch of ours takes, and few enough for all of IREE's drivers.
static constexpr size_t mostTensors = 16;

/// Bytes of a constant up to which it is part of what reads it, as in IREE.
static constexpr int64_t mostConstantBytes = 256;

/// Whether a dispatch may read or write tensors of a type as they lie in
/// memory.
static bool isStored(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || iree::hasNoElements(tensor))
    return false;
  Type element = tensor.getElementType();
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

/// Whether what makes `value` is done where it is read, for nothing.
static bool isMadeInside(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<tensor::EmptyOp>(op))
    return op->getNumOperands() == 0;
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      !isa<TensorType>(value.getType()))
    return op && op->hasTrait<OpTrait::ConstantLike>();
  return elements.isSplat() ||
         static_cast<int64_t>(elements.getRawData().size()) <=
             mostConstantBytes;
}

/// Whether `tensor` is in memory as it stands when a dispatch reads it: not
/// what IREE makes where it is read, rows that lie apart included.
static bool isInMemory(Value tensor) {
  for (; iree::isView(tensor.getDefiningOp());
       tensor = tensor.getDefiningOp()->getOperand(0))
    if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
        slice && (!iree::isTogether(slice) || !slice.getOffsets().empty()))
      return false;
  return !iree::isMadeOfNone(tensor) &&
         !isa_and_present<tensor::EmptyOp>(tensor.getDefiningOp());
}

/// Where a dispatch begins with what it gives: a tensor of its own, or one from
/// outside, which it updates.
static Value getStart(Value tensor) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    Operation *op = result.getOwner();
    if (auto workgroups = dyn_cast<scf::ForallOp>(op)) {
      tensor = workgroups.getTiedOpOperand(result)->get();
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      OpOperand *init = loop.getTiedLoopInit(result);
      if (!init)
        return tensor;
      tensor = init->get();
    } else if (auto insertion = dyn_cast<DestinationStyleOpInterface>(op)) {
      tensor = insertion.getTiedOpOperand(result)->get();
    } else if (iree::isView(op)) {
      tensor = op->getOperand(0);
    } else {
      return tensor;
    }
  }
  return tensor;
}

static bool isOfLoops(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::EmptyOp,
             tensor::ExpandShapeOp, tensor::ExtractOp, tensor::ExtractSliceOp,
             tensor::InsertOp, tensor::InsertSliceOp,
             tensor::ParallelInsertSliceOp, iree::ReturnOp>(op) ||
         isa_and_present<arith::ArithDialect, LLVM::LLVMDialect,
                         math::MathDialect, scf::SCFDialect, ub::UBDialect,
                         vector::VectorDialect>(op->getDialect());
}

/// What `dispatch` reads from outside, if it can be an executable of its own:
/// tensors, besides what is made inside.
static std::optional<SetVector<Value>>
getTensors(iree::DispatchRegionOp dispatch) {
  if (!dispatch.getResultDims().empty() || !dispatch.getWorkload().empty() ||
      !dispatch.getWorkgroupCount().empty())
    return std::nullopt;
  bool isLoops = !dispatch.getBody()
                      .walk([](Operation *op) {
                        return isOfLoops(op) ? WalkResult::advance()
                                             : WalkResult::interrupt();
                      })
                      .wasInterrupted();
  SetVector<Value> read;
  getUsedValuesDefinedAbove(dispatch.getBody(), read);
  read.remove_if(isMadeInside);
  if (!isLoops || read.empty() ||
      read.size() + dispatch.getOutputs().size() > mostTensors ||
      !llvm::all_of(dispatch.getResultTypes(), isStored) ||
      !llvm::all_of(read, [](Value value) {
        return isStored(value.getType()) && isInMemory(value);
      }))
    return std::nullopt;
  for (Value result : dispatch.getBody().front().getTerminator()->getOperands())
    if (auto empty = getStart(result).getDefiningOp<tensor::EmptyOp>();
        !empty || !empty.getType().hasStaticShape())
      return std::nullopt;
  return read;
}

/// How many workgroups a dispatch has: IREE counts them where it deals to them
/// what the body of the executable says.
static void emitCount(ImplicitLocOpBuilder &builder, bool isDealt) {
  auto counts = iree::WorkgroupCountFromSliceOp::create(
      builder, builder.getIndexType(), builder.getIndexType(),
      builder.getIndexType(), ValueRange());
  SmallVector<Value> results(counts.getResults());
  if (isDealt)
    results =
        SmallVector<Value>(iree::WorkgroupCountSplitReductionModifierOp::create(
                               builder, builder.getIndexType(),
                               builder.getIndexType(), builder.getIndexType(),
                               results[0], results[1], results[2], ValueRange())
                               .getResults());
  iree::ReturnOp::create(builder, results);
}

/// A function of the tensors that `dispatch` reads and writes, with its body.
static func::FuncOp createFunction(iree::DispatchRegionOp dispatch,
                                   ArrayRef<Value> tensors) {
  MLIRContext *context = dispatch.getContext();
  SmallVector<Type> types;
  auto addTypes = [&](TypeRange ofTensors, StringRef access) {
    for (Type type : ofTensors)
      types.push_back(iree::DispatchTensorType::get(
          context, access, cast<RankedTensorType>(type)));
  };
  addTypes(ValueRange(tensors).getTypes(), "readonly");
  addTypes(dispatch.getResultTypes(), "writeonly");
  auto function =
      func::FuncOp::create(dispatch.getLoc(), "loops",
                           FunctionType::get(context, types, TypeRange()));
  Block *entry = function.addEntryBlock();
  ImplicitLocOpBuilder builder =
      ImplicitLocOpBuilder::atBlockEnd(dispatch.getLoc(), entry);
  ValueRange arguments = entry->getArguments();
  IRMapping inside;
  SetVector<Value> read;
  getUsedValuesDefinedAbove(dispatch.getBody(), read);
  for (Value value : read)
    if (isMadeInside(value))
      inside.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
  for (auto [tensor, argument] : llvm::zip_first(tensors, arguments))
    inside.map(
        tensor,
        iree::DispatchTensorLoadOp::create(builder, argument).getResult());
  for (Operation &op : dispatch.getBody().front().without_terminator())
    builder.clone(op, inside);
  Operation *end = dispatch.getBody().front().getTerminator();
  for (auto [value, argument] : llvm::zip_equal(
           end->getOperands(), arguments.drop_front(tensors.size())))
    iree::DispatchTensorStoreOp::create(builder, inside.lookupOrDefault(value),
                                        argument);
  func::ReturnOp::create(builder);
  return function;
}

/// An executable with `function`, the one of a `number`.
static void createExecutable(ModuleOp module, SymbolTable &symbols,
                             func::FuncOp function, size_t number) {
  ImplicitLocOpBuilder builder(function.getLoc(),
                               *module.getOps<func::FuncOp>().begin());
  auto executable =
      iree::ExecutableOp::create(builder, builder.getStringAttr("private"),
                                 ("loops_" + Twine(number)).str());
  symbols.insert(executable);
  StringAttr name = executable.getSymNameAttr();
  builder.createBlock(&executable.getBody());
  auto entry =
      iree::ExecutableExportOp::create(builder, builder.getStringAttr("public"),
                                       name, FlatSymbolRefAttr::get(name));
  auto inner = ModuleOp::create(builder);
  iree::ExecutableEndOp::create(builder);
  builder.createBlock(&entry.getWorkgroupCount());
  bool isDealt =
      function.walk([](scf::ForallOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  emitCount(builder, isDealt);
  function.setSymNameAttr(name);
  inner.push_back(function);
}

/// Erases barriers that did nothing but keep the results of a dispatch: those
/// of an executable stay, needed or not.
static void eraseBarriers(iree::DispatchOp dispatch) {
  for (Operation *user : llvm::make_early_inc_range(dispatch->getUsers()))
    if (isa<iree::OptimizationBarrierOp>(user) && user->use_empty())
      user->erase();
}

/// A number that is the same for functions that do the same.
static llvm::hash_code getHash(func::FuncOp function) {
  llvm::hash_code hash = hash_value(Type(function.getFunctionType()));
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

namespace {
struct OutlineDispatches : wax::impl::OutlineDispatchesBase<OutlineDispatches> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    DenseSet<Operation *> ofConstants = iree::findMadeOfConstants(
        module, [](iree::DispatchRegionOp) { return false; });
    SmallVector<iree::DispatchRegionOp> dispatches;
    module.walk([&](iree::DispatchRegionOp dispatch) {
      if (!ofConstants.contains(dispatch))
        dispatches.push_back(dispatch);
    });
    DenseMap<llvm::hash_code, SmallVector<func::FuncOp>> made;
    size_t number = 0;
    for (iree::DispatchRegionOp dispatch : dispatches) {
      std::optional<SetVector<Value>> tensors = getTensors(dispatch);
      if (!tensors)
        continue;
      func::FuncOp function = createFunction(dispatch, tensors->getArrayRef());
      SmallVector<func::FuncOp> &alike = made[getHash(function)];
      const auto *same = llvm::find_if(alike, [&](func::FuncOp other) {
        return other.getFunctionType() == function.getFunctionType() &&
               OperationEquivalence::isRegionEquivalentTo(
                   &other.getBody(), &function.getBody(),
                   OperationEquivalence::IgnoreLocations);
      });
      if (same != alike.end()) {
        function.erase();
        function = *same;
      } else {
        createExecutable(module, symbols, function, number++);
        alike.push_back(function);
      }
      OpBuilder builder(dispatch);
      StringAttr name = function.getSymNameAttr();
      auto entry = SymbolRefAttr::get(name, {FlatSymbolRefAttr::get(name)});
      auto call = iree::DispatchOp::create(
          builder, dispatch.getLoc(), dispatch.getResultTypes(),
          /*workload=*/ValueRange(), builder.getArrayAttr(entry),
          tensors->getArrayRef(), /*argument_dims=*/ValueRange(),
          /*result_dims=*/ValueRange(), /*tied_operands=*/ArrayAttr());
      dispatch.replaceAllUsesWith(call);
      dispatch.erase();
      eraseBarriers(call);
    }
    // What they alone read is theirs now.
    SmallVector<Operation *> constants;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->hasTrait<OpTrait::ConstantLike>() && op->use_empty())
        constants.push_back(op);
      return isa<iree::ExecutableOp>(op) ? WalkResult::skip()
                                         : WalkResult::advance();
    });
    for (Operation *op : constants)
      op->erase();
  }
};
} // namespace
