//===- LowerExecutables.cpp - Executables in LLVM's dialect ---------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of an executable takes tensors of a dispatch and words, and ends
// with tensors that it writes. Here it becomes one of a workgroup's number, of
// where each tensor begins in memory, and of the words; its loops work in that
// memory.
//
//===----------------------------------------------------------------------===//

#include "PlaceMemory.h"

#include "wax/Passes/IREE.h"
#include "wax/Passes/MachineCode.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/SubsetOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::wax {
#define GEN_PASS_DEF_LOWEREXECUTABLES
#include "wax/Passes/MachinePasses.h.inc"
} // namespace mlir::wax

using namespace mlir;
using namespace mlir::wax;

void mlir::wax::registerExecutables(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, func::FuncDialect,
                  iree::IREELinalgExtDialect, iree::IREETensorExtDialect,
                  iree::IREEFlowDialect, LLVM::LLVMDialect, math::MathDialect,
                  scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                  vector::VectorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerSubsetOpInterfaceExternalModels(registry);
}

/// Bytes that a workgroup may have on its stack.
static constexpr int64_t mostStackBytes = 65536;

/// Has loops over tensors work in memory.
static LogicalResult bufferize(func::FuncOp function) {
  bufferization::OneShotBufferizationOptions options;
  int64_t bytes = 0;
  options.allocationFn = [&](OpBuilder &builder, Location loc, MemRefType type,
                             ValueRange openSizes,
                             unsigned alignment) -> FailureOr<Value> {
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return emitError(loc) << "needs memory of an open size";
    bytes +=
        llvm::alignTo(type.getNumElements() *
                          llvm::divideCeil(type.getElementTypeBitWidth(), 8),
                      64);
    if (bytes > mostStackBytes)
      return emitError(loc) << "needs " << bytes << " bytes of its stack";
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    return memref::AllocaOp::create(builder, loc, type,
                                    builder.getI64IntegerAttr(64))
        .getResult();
  };
  bufferization::BufferizationState state;
  return bufferization::runOneShotBufferize(function, options, state);
}

/// Has one workgroup do one of the iterations that are dealt to workgroups.
static LogicalResult deal(func::FuncOp function) {
  SmallVector<scf::ForallOp> loops;
  function.walk([&](scf::ForallOp loop) { loops.push_back(loop); });
  if (loops.empty())
    return success();
  scf::ForallOp loop = loops.front();
  if (loops.size() > 1 || loop.getRank() != 1 || loop.getNumResults() ||
      !loop.isNormalized() || loop->getParentOp() != function)
    return loop.emitError("is not dealt to workgroups");
  // What stands beside it each workgroup would do.
  WalkResult walked = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == loop)
      return WalkResult::skip();
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    SmallVector<MemoryEffects::EffectInstance> all;
    if (effects)
      effects.getEffects(all);
    return llvm::any_of(all,
                        [](MemoryEffects::EffectInstance &effect) {
                          return isa<MemoryEffects::Write>(effect.getEffect());
                        })
               ? WalkResult(op->emitError("is done by each workgroup"))
               : WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  IRRewriter rewriter(function.getContext());
  rewriter.eraseOp(loop.getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), loop,
                             ValueRange(function.getArgument(0)));
  rewriter.eraseOp(loop);
  function.walk([](iree::WorkloadOrdinalOp ordinal) {
    ordinal.replaceAllUsesWith(ordinal.getOperand());
    ordinal.erase();
  });
  return success();
}

static LogicalResult
rewriteGreedily(func::FuncOp function,
                llvm::function_ref<void(RewritePatternSet &)> populate) {
  RewritePatternSet patterns(function.getContext());
  populate(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

static void simplify(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  RewritePatternSet patterns(function.getContext());
  for (Dialect *dialect : function.getContext()->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name :
       function.getContext()->getRegisteredOperations())
    if (!isa<iree::IREEFlowDialect>(name.getDialect()))
      name.getCanonicalizationPatterns(patterns, function.getContext());
  (void)applyPatternsGreedily(function, std::move(patterns));
}

/// Copies from one piece of memory to another, as where loops begin anew with
/// what others have made, row by row.
static void emitCopy(memref::CopyOp copy) {
  ImplicitLocOpBuilder builder(copy.getLoc(), copy);
  Value from = copy.getSource(), to = copy.getTarget();
  auto type = cast<MemRefType>(from.getType());
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value one = arith::ConstantIndexOp::create(builder, 1);
  SmallVector<Value> place;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isLast = dim + 1 == type.getRank();
    int64_t lanes =
        isLast && type.isLastDimUnitStride() &&
                cast<MemRefType>(to.getType()).isLastDimUnitStride()
            ? std::max<int64_t>(512 / type.getElementTypeBitWidth(), 1)
            : 1;
    Value size = memref::DimOp::create(builder, from, dim);
    Value step =
        lanes == 1 ? one
                   : arith::ConstantIndexOp::create(builder, lanes).getResult();
    auto loop = scf::ForOp::create(builder, zero, size, step);
    place.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
    if (lanes == 1)
      continue;
    auto vector = VectorType::get({lanes}, type.getElementType());
    bool isWhole = !type.isDynamicDim(dim) && type.getDimSize(dim) % lanes == 0;
    Value read = vector::TransferReadOp::create(builder, vector, from, place,
                                                /*padding=*/std::nullopt,
                                                ArrayRef<bool>(isWhole));
    vector::TransferWriteOp::create(builder, read, to, place,
                                    ArrayRef<bool>(isWhole));
    copy.erase();
    return;
  }
  memref::StoreOp::create(builder, memref::LoadOp::create(builder, from, place),
                          to, place);
  copy.erase();
}

/// Has numbers in bf16 computed with as others, and kept as integers: not all
/// processors, and LLVM for none of those, have them as numbers.
static LogicalResult expandBFloat16(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  auto isBFloat16 = [](Type type) {
    return getElementTypeOrSelf(type).isBF16();
  };
  auto has = [&](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), isBFloat16) ||
           llvm::any_of(op->getResultTypes(), isBFloat16);
  };
  TypeConverter wider;
  arith::populateEmulateUnsupportedFloatsConversions(
      wider, {BFloat16Type::get(context)}, Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, wider);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, wider);
  if (failed(applyPartialConversion(function, target, std::move(patterns))) ||
      failed(rewriteGreedily(function, [](RewritePatternSet &patterns) {
        arith::populateExpandBFloat16Patterns(patterns);
      })))
    return failure();
  auto word = IntegerType::get(context, 16);
  WalkResult walked = function.walk([&](Operation *op) {
    if (isa<LLVM::LLVMDialect>(op->getDialect()) && !isa<LLVM::BitcastOp>(op)) {
      // An instruction of processors that have them.
      for (OpOperand &operand : op->getOpOperands()) {
        Type type = operand.get().getType();
        if (!isBFloat16(type) || operand.get().getDefiningOp<LLVM::BitcastOp>())
          continue;
        ImplicitLocOpBuilder builder(op->getLoc(), op);
        Type bits = isa<VectorType>(type)
                        ? cast<VectorType>(type).cloneWith(std::nullopt, word)
                        : Type(word);
        operand.set(LLVM::BitcastOp::create(
            builder, type,
            arith::BitcastOp::create(builder, bits, operand.get())));
      }
      return llvm::any_of(op->getResultTypes(), isBFloat16)
                 ? WalkResult(op->emitError("computes in bf16"))
                 : WalkResult::advance();
    }
    if (!has(op) ||
        isa<arith::BitcastOp, arith::ConstantOp, arith::SelectOp>(op) ||
        !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
      return WalkResult::advance();
    return WalkResult(op->emitError("computes in bf16"));
  });
  return success(!walked.wasInterrupted());
}

/// Has vectors read and written as they lie in memory, by pieces of one dim.
static LogicalResult lowerTransfers(func::FuncOp function) {
  if (failed(rewriteGreedily(function, [](RewritePatternSet &patterns) {
        vector::populateFlattenVectorTransferPatterns(patterns, 64);
      })))
    return failure();
  return rewriteGreedily(function, [](RewritePatternSet &patterns) {
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/true);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    populateVectorToSCFConversionPatterns(
        patterns, VectorTransferToSCFOptions().enableFullUnroll());
  });
}

static LogicalResult lowerVectors(func::FuncOp function) {
  if (failed(rewriteGreedily(function, [](RewritePatternSet &patterns) {
        vector::VectorTransformsOptions options;
        vector::populateVectorToVectorCanonicalizationPatterns(patterns);
        vector::populateBubbleVectorBitCastOpPatterns(patterns);
        vector::populateVectorBroadcastLoweringPatterns(patterns);
        vector::populateVectorGatherToConditionalLoadPatterns(patterns);
        vector::populateVectorInterleaveLoweringPatterns(patterns);
        vector::populateVectorContractLoweringPatterns(
            patterns, options.vectorContractLowering);
        vector::populateVectorMaskMaterializationPatterns(
            patterns, /*force32BitVectorIndices=*/false);
        vector::populateVectorMaskOpLoweringPatterns(patterns);
        vector::populateVectorShapeCastLoweringPatterns(patterns);
        vector::populateVectorFromElementsUnrollPatterns(patterns);
        vector::populateVectorToElementsUnrollPatterns(patterns);
        vector::populateVectorTransposeLoweringPatterns(
            patterns, options.vectorTransposeLowering);
      })))
    return failure();
  return rewriteGreedily(function, [](RewritePatternSet &patterns) {
    populateVectorToSCFConversionPatterns(
        patterns, VectorTransferToSCFOptions().enableFullUnroll());
  });
}

namespace {
/// Constants in bf16 are those of its bits.
struct ConvertBFloat16Constant : ConvertOpToLLVMPattern<arith::ConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16())
      return failure();
    Type word = rewriter.getI16Type();
    Attribute bits;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      bits = IntegerAttr::get(word, number.getValue().bitcastToAPInt());
    else if (auto elements = dyn_cast<DenseElementsAttr>(op.getValue()))
      bits = elements.bitcast(word);
    else
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, getTypeConverter()->convertType(op.getType()), bits);
    return success();
  }
};
} // namespace

static LogicalResult convert(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  Type word = IntegerType::get(context, 16);
  converter.addConversion([=](BFloat16Type) { return word; });
  converter.addConversion(
      [=, &converter](VectorType type) -> std::optional<Type> {
        if (!type.getElementType().isBF16())
          return std::nullopt;
        return converter.convertType(type.cloneWith(std::nullopt, word));
      });
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  memref::populateExpandStridedMetadataPatterns(patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  patterns.add<ConvertBFloat16Constant>(converter, /*benefit=*/2);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateVectorToSCFConversionPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorTransferLoweringPatterns(patterns,
                                                 /*maxTransferRank=*/1);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

/// Lowers one function, but for what the whole module is converted in.
static LogicalResult lower(func::FuncOp function) {
  if (failed(placeInMemory(function)) || failed(bufferize(function)))
    return failure();
  simplify(function);
  if (failed(deal(function)))
    return failure();
  function.walk(emitCopy);
  if (failed(lowerTransfers(function)))
    return failure();
  auto fold = [](RewritePatternSet &patterns) {
    memref::populateFoldMemRefAliasOpPatterns(patterns);
  };
  auto expand = [](RewritePatternSet &patterns) {
    memref::populateExpandStridedMetadataPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  };
  return success(succeeded(rewriteGreedily(function, fold)) &&
                 succeeded(rewriteGreedily(function, expand)) &&
                 succeeded(expandBFloat16(function)) &&
                 succeeded(lowerVectors(function)));
}

namespace {
struct LowerExecutables : wax::impl::LowerExecutablesBase<LowerExecutables> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registerExecutables(registry);
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(lower(function)))
        return signalPassFailure();
    if (failed(convert(module)))
      return signalPassFailure();
    // As IREE has it: a product and a sum may be one operation.
    module.walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<LLVM::FMulOp, LLVM::FAddOp, LLVM::FSubOp, LLVM::FNegOp>(
              [](auto one) {
                one.setFastmathFlags(LLVM::FastmathFlags::contract);
              });
    });
  }
};
} // namespace
