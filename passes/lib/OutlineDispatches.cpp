//===- OutlineDispatches.cpp - Executables of dispatches ------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/IREE.h"
#include "wax/Passes/Passes.h"
#include "wax/Passes/TiedInit.h"

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
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::wax {
#define GEN_PASS_DEF_OUTLINEDISPATCHES
#include "wax/Passes/Passes.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

/// Numbers that an executable may be given: of words, of which each is two,
/// IREE's drivers take 64.
static constexpr size_t mostNumbers = 32;

/// Bytes of a constant up to which it is part of what reads it, as in IREE.
static constexpr int64_t mostConstantBytes = 256;

/// Whether a dispatch may read or write tensors of a type as they lie in
/// memory.
static bool isStored(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || iree::hasNoElements(tensor))
    return false;
  Type element = tensor.getElementType();
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

/// Whether what makes `value` is done where it is read, for nothing.
static bool isMadeInside(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<tensor::EmptyOp>(op))
    return op->getNumOperands() == 0;
  if (!op || !op->hasTrait<OpTrait::ConstantLike>())
    return false;
  DenseElementsAttr elements;
  if (!isa<TensorType>(value.getType()))
    return true;
  if (!matchPattern(value, m_Constant(&elements)))
    return false;
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
    if (OpOperand *init = getTiedInit(result))
      tensor = init->get();
    else if (iree::isView(result.getOwner()))
      tensor = result.getOwner()->getOperand(0);
    else
      break;
  }
  return tensor;
}

static bool isOfLoops(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::DimOp,
             tensor::EmptyOp, tensor::ExpandShapeOp, tensor::ExtractOp,
             tensor::ExtractSliceOp, tensor::InsertOp, tensor::InsertSliceOp,
             tensor::ParallelInsertSliceOp, iree::ReturnOp>(op) ||
         isa_and_present<arith::ArithDialect, LLVM::LLVMDialect,
                         math::MathDialect, scf::SCFDialect, ub::UBDialect,
                         vector::VectorDialect>(op->getDialect());
}

namespace {
/// What a dispatch reads from outside, besides what is made inside.
struct Read {
  SetVector<Value> tensors;
  /// Open sizes of tensors, those that it writes included, and others.
  SetVector<Value> numbers;
  /// The open sizes of each tensor, and then of each result.
  SmallVector<SmallVector<Value>> sizes;
  /// How many workgroups there are, where that is a number from outside.
  Value workgroups;
};
} // namespace

/// The open sizes of `tensor`, in order, as they are known before `dispatch`.
static SmallVector<Value> getOpenSizes(Value tensor,
                                       iree::DispatchRegionOp dispatch) {
  auto type = cast<RankedTensorType>(tensor.getType());
  OpBuilder builder(dispatch);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    auto isKnown = [&](Operation *user) {
      auto size = dyn_cast<tensor::DimOp>(user);
      return size && size.getConstantIndex() == dim &&
             user->getBlock() == dispatch->getBlock() &&
             user->isBeforeInBlock(dispatch);
    };
    auto known = llvm::find_if(tensor.getUsers(), isKnown);
    sizes.push_back(
        known != tensor.getUsers().end()
            ? known->getResult(0)
            : tensor::DimOp::create(builder, dispatch.getLoc(), tensor, dim)
                  ->getResult(0));
  }
  return sizes;
}

/// What `dispatch` reads, if it can be an executable of its own.
static std::optional<Read> getRead(iree::DispatchRegionOp dispatch,
                                   bool isAlone) {
  if (!dispatch.getWorkload().empty() || !dispatch.getWorkgroupCount().empty())
    return std::nullopt;
  bool isLoops = !dispatch.getBody()
                      .walk([](Operation *op) {
                        return isOfLoops(op) ? WalkResult::advance()
                                             : WalkResult::interrupt();
                      })
                      .wasInterrupted();
  SetVector<Value> used;
  getUsedValuesDefinedAbove(dispatch.getBody(), used);
  Read read;
  for (Value value : used) {
    if (isMadeInside(value))
      continue;
    if (value.getType().isIndex())
      read.numbers.insert(value);
    else if (isStored(value.getType()) && isInMemory(value))
      read.tensors.insert(value);
    else
      return std::nullopt;
  }
  if (!isLoops || (read.tensors.empty() && !isAlone) ||
      read.tensors.size() + dispatch.getOutputs().size() > iree::mostTensors ||
      !llvm::all_of(dispatch.getResultTypes(), isStored))
    return std::nullopt;
  for (Value result : dispatch.getBody().front().getTerminator()->getOperands())
    if (!getStart(result).getDefiningOp<tensor::EmptyOp>())
      return std::nullopt;
  WalkResult walked = dispatch.getBody().walk([&](scf::ForallOp forall) {
    if (!forall.isNormalized())
      return WalkResult::interrupt();
    for (Value count : forall.getDynamicUpperBound()) {
      if (matchPattern(count, m_Constant()))
        continue;
      if (read.workgroups || !read.numbers.contains(count))
        return WalkResult::interrupt();
      read.workgroups = count;
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return std::nullopt;
  for (Value tensor : read.tensors)
    read.sizes.push_back(getOpenSizes(tensor, dispatch));
  ValueRange ofResults = dispatch.getResultDims();
  for (Type type : dispatch.getResultTypes()) {
    size_t count = cast<RankedTensorType>(type).getNumDynamicDims();
    read.sizes.emplace_back(ofResults.take_front(count));
    ofResults = ofResults.drop_front(count);
  }
  for (ArrayRef<Value> sizes : read.sizes)
    for (Value size : sizes)
      if (!isMadeInside(size))
        read.numbers.insert(size);
  if (read.numbers.size() <= mostNumbers)
    return read;
  for (ArrayRef<Value> sizes : read.sizes)
    for (Value size : sizes)
      if (size.use_empty() && size.getDefiningOp<tensor::DimOp>())
        size.getDefiningOp()->erase();
  return std::nullopt;
}

/// How many workgroups a dispatch has: IREE counts them where it deals to them
/// what the body of the executable says.
static void emitCount(ImplicitLocOpBuilder &builder, bool isDealt,
                      ValueRange workload) {
  SmallVector<Type> three(3, builder.getIndexType());
  auto counts =
      iree::WorkgroupCountFromSliceOp::create(builder, three, workload);
  SmallVector<Value> results(counts.getResults());
  if (isDealt) {
    SmallVector<Value> given(results);
    llvm::append_range(given, workload);
    results =
        SmallVector<Value>(iree::WorkgroupCountSplitReductionModifierOp::create(
                               builder, three, given)
                               ->getResults());
  }
  iree::ReturnOp::create(builder, results);
}

/// A number as the two words that it is given as.
static std::array<Value, 2> createWords(ImplicitLocOpBuilder &builder,
                                        Value number) {
  Type word = builder.getI32Type();
  Value wide =
      arith::IndexCastUIOp::create(builder, builder.getI64Type(), number);
  Value half = arith::ConstantIntOp::create(builder, 32, 64);
  Value high = arith::ShRUIOp::create(builder, wide, half);
  return {arith::TruncIOp::create(builder, word, wide),
          arith::TruncIOp::create(builder, word, high)};
}

static Value createNumber(ImplicitLocOpBuilder &builder, Value low,
                          Value high) {
  Type wide = builder.getI64Type();
  Value half = arith::ConstantIntOp::create(builder, 32, 64);
  Value shifted = arith::ShLIOp::create(
      builder, arith::ExtUIOp::create(builder, wide, high), half);
  Value whole = arith::OrIOp::create(
      builder, arith::ExtUIOp::create(builder, wide, low), shifted);
  return arith::IndexCastUIOp::create(builder, builder.getIndexType(), whole);
}

/// A function of the tensors that `dispatch` reads, numbers, and the tensors
/// that it writes, with its body.
static func::FuncOp createFunction(iree::DispatchRegionOp dispatch,
                                   const Read &read) {
  MLIRContext *context = dispatch.getContext();
  SmallVector<Type> types;
  auto addTypes = [&](TypeRange ofTensors, StringRef access) {
    for (Type type : ofTensors)
      types.push_back(iree::DispatchTensorType::get(
          context, access, cast<RankedTensorType>(type)));
  };
  addTypes(ValueRange(read.tensors.getArrayRef()).getTypes(), "readonly");
  types.append(2 * read.numbers.size(), IntegerType::get(context, 32));
  addTypes(dispatch.getResultTypes(), "writeonly");
  auto function =
      func::FuncOp::create(dispatch.getLoc(), "loops",
                           FunctionType::get(context, types, TypeRange()));
  Block *entry = function.addEntryBlock();
  ImplicitLocOpBuilder builder =
      ImplicitLocOpBuilder::atBlockEnd(dispatch.getLoc(), entry);
  IRMapping inside;
  SetVector<Value> used;
  getUsedValuesDefinedAbove(dispatch.getBody(), used);
  for (Value value : used)
    if (isMadeInside(value))
      inside.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
  ValueRange given = entry->getArguments();
  ValueRange words = given.slice(read.tensors.size(), 2 * read.numbers.size());
  for (Value number : read.numbers) {
    Value made = createNumber(builder, words[0], words[1]);
    if (number == read.workgroups)
      made = iree::WorkloadOrdinalOp::create(builder, made.getType(), made,
                                             builder.getIndexAttr(0));
    inside.map(number, made);
    words = words.drop_front(2);
  }
  auto tie = [&](Value argument, ArrayRef<Value> sizes) {
    SmallVector<Value> known = llvm::map_to_vector(sizes, [&](Value size) {
      Value there = inside.lookupOrNull(size);
      return there ? there : builder.clone(*size.getDefiningOp())->getResult(0);
    });
    if (!known.empty())
      argument = iree::DispatchTieShapeOp::create(builder, argument.getType(),
                                                  argument, known);
    return std::pair(argument, known);
  };
  for (auto [tensor, argument, ofTensor] :
       llvm::zip_first(read.tensors, given, read.sizes)) {
    auto [tied, sizes] = tie(argument, ofTensor);
    inside.map(
        tensor,
        iree::DispatchTensorLoadOp::create(builder, tied, sizes).getResult());
  }
  for (Operation &op : dispatch.getBody().front().without_terminator())
    builder.clone(op, inside);
  Operation *end = dispatch.getBody().front().getTerminator();
  for (auto [value, argument, ofTensor] : llvm::zip_equal(
           end->getOperands(), given.take_back(end->getNumOperands()),
           ArrayRef(read.sizes).take_back(end->getNumOperands()))) {
    auto [tied, sizes] = tie(argument, ofTensor);
    iree::DispatchTensorStoreOp::create(builder, inside.lookupOrDefault(value),
                                        tied, sizes);
  }
  func::ReturnOp::create(builder);
  return function;
}

/// An executable with `function`, the one of a `number`.
static void createExecutable(ModuleOp module, SymbolTable &symbols,
                             func::FuncOp function, size_t number,
                             bool hasWorkload) {
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
  Block *count = builder.getBlock();
  if (hasWorkload)
    count->addArgument(builder.getIndexType(), builder.getLoc());
  emitCount(builder, isDealt, count->getArguments());
  function.setSymNameAttr(name);
  inner.push_back(function);
}

/// Erases barriers that did nothing but keep the results of a dispatch: those
/// of an executable stay, needed or not.
static void eraseBarriers(iree::DispatchOp dispatch) {
  for (Operation *user : llvm::make_early_inc_range(dispatch->getUsers()))
    if (isa<iree::OptimizationBarrierOp>(user) && user->use_empty() &&
        user->getNumOperands() == 1)
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
  using OutlineDispatchesBase::OutlineDispatchesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    // IREE computes ahead what is made of constants.
    DenseSet<Operation *> ofConstants;
    if (!alone)
      ofConstants = iree::findMadeOfConstants(
          module, [](iree::DispatchRegionOp) { return false; });
    SmallVector<iree::DispatchRegionOp> dispatches;
    module.walk([&](iree::DispatchRegionOp dispatch) {
      if (!ofConstants.contains(dispatch))
        dispatches.push_back(dispatch);
    });
    DenseMap<llvm::hash_code, SmallVector<func::FuncOp>> made;
    size_t number = 0;
    for (iree::DispatchRegionOp dispatch : dispatches) {
      std::optional<Read> read = getRead(dispatch, alone);
      if (!read)
        continue;
      func::FuncOp function = createFunction(dispatch, *read);
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
        createExecutable(module, symbols, function, number++,
                         /*hasWorkload=*/bool(read->workgroups));
        alike.push_back(function);
      }
      ImplicitLocOpBuilder builder(dispatch.getLoc(), dispatch);
      StringAttr name = function.getSymNameAttr();
      auto entry = SymbolRefAttr::get(name, {FlatSymbolRefAttr::get(name)});
      SmallVector<Value> given = read->tensors.takeVector(), sizes, workload;
      for (ArrayRef<Value> ofTensor :
           ArrayRef(read->sizes).take_front(given.size()))
        llvm::append_range(sizes, ofTensor);
      for (Value number : read->numbers)
        llvm::append_range(given, createWords(builder, number));
      if (read->workgroups)
        workload.push_back(read->workgroups);
      auto call = iree::DispatchOp::create(
          builder, dispatch.getResultTypes(), workload,
          builder.getArrayAttr(entry), given, sizes, dispatch.getResultDims(),
          /*tied_operands=*/ArrayAttr());
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
