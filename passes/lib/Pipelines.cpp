//===- Pipelines.cpp - From the basis to a target ------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::wax;

/// Without `optimize` only what a target cannot do without is done: each
/// operation is lowered as it stands.
static void build(OpPassManager &manager, LoweringTarget target,
                  bool splitComplex, bool gpu, Processor processor,
                  bool optimize, unsigned captured, bool outline, bool alone) {
  VerifyNormalFormOptions basis, lowered;
  basis.form = NormalForm::Basis;
  lowered.form =
      target == LoweringTarget::IREE ? NormalForm::IREE : NormalForm::Upstream;

  SimplifyOptions simplify;
  simplify.keepBranches = false;
  auto addIfOptimized = [&](std::unique_ptr<Pass> pass) {
    if (optimize)
      manager.addPass(std::move(pass));
  };

  manager.addPass(createVerifyNormalForm(basis));
  manager.addPass(createExpandComplex());
  // Callees are canonicalized with their callers, once.
  manager.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  manager.addPass(createInlineCheckpoints());
  addIfOptimized(createSimplify(simplify));
  addIfOptimized(createCSEPass());
  addIfOptimized(createReadCopies());
  addIfOptimized(createConvolveWindows());
  addIfOptimized(createHoistInvariants());
  if (target == LoweringTarget::IREE && !gpu)
    addIfOptimized(createShortFolds());
  // What loops pass on unchanged has become sizes that are known.
  addIfOptimized(createSimplify(simplify));
  if (target == LoweringTarget::IREE && !gpu) {
    addIfOptimized(createSplitLoops());
    addIfOptimized(createDelayDivisions());
    BlockScoresOptions scores;
    scores.blockBytes = getScoresBytes(processor);
    addIfOptimized(createBlockScores(scores));
    addIfOptimized(createWidenFolds());
    addIfOptimized(createFuseSiblings());
  }
  manager.addPass(createResolveDims());
  LowerOptions lower;
  lower.target = target;
  lower.gpu = gpu;
  lower.alone = alone;
  lower.keepRows = optimize && target == LoweringTarget::IREE && !gpu;
  manager.addPass(createLower(lower));
  addIfOptimized(createCSEPass());
  addIfOptimized(createFuseExpansions());
  addIfOptimized(createSimplify(simplify));
  if (target == LoweringTarget::IREE && !gpu)
    addIfOptimized(createFuseCounters());
  manager.addPass(createExpandAffine());
  manager.addPass(createExpandSpecial());
  manager.addPass(createExpandComplex());
  if (splitComplex) {
    manager.addPass(createSplitComplex());
    // Of what made one number of two a copy is left.
    addIfOptimized(createSimplify(simplify));
  }
  // Vendors of an upstream target have functions of their own.
  if (target == LoweringTarget::IREE) {
    addIfOptimized(createHoistProducts());
    ExpandMathOptions math;
    math.branches = optimize && !gpu;
    manager.addPass(createExpandMath(math));
    if (!gpu) {
      TileProductsOptions tiles;
      tiles.processor = processor;
      tiles.captured = captured;
      addIfOptimized(createTileProducts(tiles));
      addIfOptimized(createWidenContractions());
      addIfOptimized(createSlideWindows());
    }
    // Before maps are done with others.
    if (captured) {
      PrepareCapturedOptions prepare;
      prepare.captured = captured;
      addIfOptimized(createCSEPass());
      addIfOptimized(createHoistInvariants());
      addIfOptimized(createPrepareCaptured(prepare));
    }
    if (!gpu) {
      addIfOptimized(createTransposeMaps({alone}));
      addIfOptimized(createFuseRows());
      VectorizeMapsOptions maps;
      maps.processor = processor;
      maps.alone = alone;
      addIfOptimized(createVectorizeMaps(maps));
      addIfOptimized(createPadRows({alone}));
      addIfOptimized(createReadSlices({alone}));
    }
    if (gpu) {
      manager.addPass(createExpandUnsigned());
      manager.addPass(createExpandScaling());
      addIfOptimized(createSplitReductions());
      addIfOptimized(createTileForThreads());
    } else {
      manager.addPass(createExpandBFloat16());
    }
    manager.addPass(createSplitConstants());
    manager.addPass(createWidenIndices());
    manager.addPass(createKeepReturned());
    manager.addPass(createKeepSlices());
  }
  // IREE makes once what is written twice, so what must be kept apart shows
  // only then; and where it hoists anything out of a loop it may crash.
  if (optimize || target == LoweringTarget::IREE) {
    manager.addPass(createCSEPass());
    manager.addPass(createHoistInvariants());
  }
  if (target == LoweringTarget::IREE) {
    if (!gpu) {
      manager.addPass(createDispatchLoops());
      ScaleByExponentsOptions exponents;
      exponents.processor = processor;
      addIfOptimized(createScaleByExponents(exponents));
    }
    manager.addPass(createForsOfOpenSizes());
    manager.addPass(createKeepCarried());
    manager.addPass(createKeepStarts());
    manager.addPass(createKeepReduced());
    manager.addPass(createKeepOverwritten());
    manager.addPass(createKeepSizes());
    manager.addPass(createKeepOrder());
    manager.addPass(createSinkEmpties());
    manager.addPass(createKeepDispatchResults());
    addIfOptimized(createReuseDonated());
    manager.addPass(createBoundSizes());
    if (!gpu && outline)
      addIfOptimized(createOutlineDispatches({alone}));
  }
  manager.addPass(createVerifyNormalForm(lowered));
}

void mlir::wax::buildWaxToLinalgPipeline(OpPassManager &manager,
                                         LoweringTarget target,
                                         bool splitComplex, bool gpu,
                                         Processor processor) {
  build(manager, target, splitComplex, gpu, processor, /*optimize=*/true,
        /*captured=*/0, /*outline=*/true, /*alone=*/false);
}

namespace {
struct WaxToLinalgOptions : PassPipelineOptions<WaxToLinalgOptions> {
  Option<LoweringTarget> target{
      *this, "target", llvm::cl::desc("What to lower to"),
      llvm::cl::init(LoweringTarget::Upstream),
      llvm::cl::values(clEnumValN(LoweringTarget::Upstream, "upstream",
                                  "linalg, tensor, arith, math, complex, scf"),
                       clEnumValN(LoweringTarget::IREE, "iree",
                                  "the same, and IREE's own where they win"))};
  Option<bool> splitComplex{
      *this, "split-complex",
      llvm::cl::desc("Whether complex numbers become pairs of real ones"),
      llvm::cl::init(false)};
  Option<bool> gpu{*this, "gpu",
                   llvm::cl::desc("Whether IREE's target is a GPU"),
                   llvm::cl::init(false)};
  Option<Processor> processor{
      *this, "processor", llvm::cl::desc("What IREE's CPU has"),
      llvm::cl::init(Processor::Any), getProcessorValues()};
  Option<bool> optimize{
      *this, "optimize",
      llvm::cl::desc("Whether more is done than the target asks for"),
      llvm::cl::init(true)};
  Option<unsigned> captured{
      *this, "captured",
      llvm::cl::desc("How many of the last arguments of IREE's entry are the "
                     "same in all calls"),
      llvm::cl::init(0)};
  Option<bool> outline{
      *this, "outline",
      llvm::cl::desc("Whether dispatches of loops become executables"),
      llvm::cl::init(true)};
  Option<bool> alone{
      *this, "alone",
      llvm::cl::desc("Whether no loops are to be left for IREE on a CPU"),
      llvm::cl::init(false)};
};
} // namespace

void mlir::wax::registerWaxPipelines() {
  PassPipelineRegistration<WaxToLinalgOptions>(
      "wax-to-linalg", "From the basis to a target's normal form",
      [](OpPassManager &manager, const WaxToLinalgOptions &options) {
        build(manager, options.target, options.splitComplex, options.gpu,
              options.processor, options.optimize, options.captured,
              options.outline, options.alone);
      });
}
