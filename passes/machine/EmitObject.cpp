//===- EmitObject.cpp - Executables as object files -----------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Passes/MachineCode.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace mlir;
using namespace mlir::wax;

/// The function that IREE's runtime calls for a workgroup, which reads off what
/// `body` is given: iree/hal/local/executable_library.h.
static void buildEntry(llvm::Function &body, StringRef prefix) {
  llvm::LLVMContext &context = body.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *word = llvm::Type::getInt32Ty(context);
  auto *type = llvm::FunctionType::get(word, {pointer, pointer, pointer},
                                       /*isVarArg=*/false);
  std::string name = (prefix + body.getName()).str();
  body.setLinkage(llvm::GlobalValue::InternalLinkage);
  body.addFnAttr(llvm::Attribute::AlwaysInline);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                       name, body.getParent());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  auto load = [&](llvm::Type *what, llvm::Value *from, uint64_t offset) {
    auto *loaded = builder.CreateLoad(
        what,
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, offset));
    loaded->setMetadata(llvm::LLVMContext::MD_invariant_load,
                        llvm::MDNode::get(context, {}));
    return loaded;
  };
  llvm::Value *dispatch = entry->getArg(1), *workgroup = entry->getArg(2);
  llvm::Value *words = load(pointer, dispatch, 24);
  llvm::Value *bindings = load(pointer, dispatch, 32);
  uint64_t numWords = 0, numBindings = 0;
  SmallVector<llvm::Value *> given;
  for (llvm::Argument &argument : body.args()) {
    if (argument.getArgNo() == 0)
      given.push_back(
          builder.CreateZExt(load(word, workgroup, 0), argument.getType()));
    else if (argument.getType()->isPointerTy())
      given.push_back(load(pointer, bindings, 8 * numBindings++));
    else
      given.push_back(load(word, words, 4 * numWords++));
  }
  builder.CreateCall(&body, given);
  builder.CreateRet(builder.getInt32(0));
}

/// Simplifies what MLIR leaves. It has been told what is to be a vector, and
/// how often loops are unrolled.
static void optimize(llvm::Module &module, llvm::TargetMachine &generator) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&generator);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager simplifications;
  simplifications.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  simplifications.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  simplifications.addPass(llvm::InstCombinePass());
  simplifications.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager invariants, counters;
  invariants.addPass(llvm::LoopRotatePass());
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  simplifications.addPass(llvm::createFunctionToLoopPassAdaptor(
      std::move(invariants), /*UseMemorySSA=*/true));
  counters.addPass(llvm::IndVarSimplifyPass());
  simplifications.addPass(
      llvm::createFunctionToLoopPassAdaptor(std::move(counters)));
  simplifications.addPass(llvm::GVNPass());
  simplifications.addPass(llvm::InstCombinePass());
  simplifications.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(
      llvm::createModuleToFunctionPassAdaptor(std::move(simplifications)));
  passes.run(module, modules);
}

/// Stores under masks that set one lane, as stores of that lane: LLVM 22 makes
/// one of all that the lane was before it was truncated, over what is behind.
static void storeSingleLanes(llvm::Module &module) {
  auto findLane = [](llvm::Constant *mask) -> std::optional<unsigned> {
    std::optional<unsigned> found;
    unsigned lanes =
        llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      llvm::Constant *isSet = mask->getAggregateElement(lane);
      if (!isSet || (!isSet->isNullValue() && (found || !isSet->isOneValue())))
        return std::nullopt;
      if (isSet->isOneValue())
        found = lane;
    }
    return found;
  };
  for (llvm::Function &function : module)
    for (llvm::Instruction &one :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&one);
      if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
        continue;
      auto *mask = llvm::dyn_cast<llvm::Constant>(
          store->getArgOperand(store->arg_size() - 1));
      std::optional<unsigned> lane = mask ? findLane(mask) : std::nullopt;
      if (!lane)
        continue;
      llvm::IRBuilder<> builder(store);
      llvm::Value *element =
          builder.CreateExtractElement(store->getArgOperand(0), *lane);
      llvm::Value *place = builder.CreateConstInBoundsGEP1_64(
          element->getType(), store->getArgOperand(1), *lane);
      builder.CreateAlignedStore(element, place, llvm::Align(1));
      store->eraseFromParent();
    }
}

Machine mlir::wax::getHost() {
  StringRef processor = llvm::sys::getHostCPUName();
  SmallVector<StringRef> implied;
  llvm::X86::getFeaturesForCPU(processor, implied, /*NeedPlus=*/true);
  std::vector<std::string> features(implied.begin(), implied.end());
  std::vector<std::string> here;
  for (const auto &[name, there] : llvm::sys::getHostCPUFeatures())
    here.push_back((there ? "+" : "-") + name.str());
  llvm::append_range(features, here);
  return {"x86_64-unknown-unknown-eabi-elf", processor.str(),
          llvm::join(features, ",")};
}

/// Those of `features` that LLVM knows.
static std::string getKnown(StringRef features,
                            const llvm::MCSubtargetInfo &known) {
  SmallVector<StringRef> all, kept;
  features.split(all, ',');
  for (StringRef feature : all)
    if (llvm::any_of(known.getAllProcessorFeatures(),
                     [&](const llvm::SubtargetFeatureKV &one) {
                       return feature.drop_front() == one.Key;
                     }))
      kept.push_back(feature);
  return llvm::join(kept, ",");
}

static std::unique_ptr<llvm::TargetMachine>
createGenerator(const Machine &machine, std::string &complaint) {
  [[maybe_unused]] static bool initialized = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  llvm::Triple triple(machine.triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, complaint);
  if (!target)
    return nullptr;
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  llvm::TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  bool isKnown = known->isCPUStringValid(machine.processor);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, isKnown ? machine.processor : "",
      getKnown(machine.features, *known), options, llvm::Reloc::Model::PIC_,
      /*CM=*/{}, llvm::CodeGenOptLevel::Aggressive));
}

static FailureOr<SmallVector<char, 0>>
generate(llvm::Module &code, llvm::TargetMachine &generator) {
  SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  passes.add(
      new llvm::TargetLibraryInfoWrapperPass(generator.getTargetTriple()));
  if (generator.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                    llvm::CodeGenFileType::ObjectFile))
    return failure();
  passes.run(code);
  return object;
}

/// What an object file takes from elsewhere; empty if nothing.
static std::string getMissing(ArrayRef<char> object) {
  llvm::MemoryBufferRef buffer(StringRef(object.data(), object.size()), "");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!file)
    return llvm::toString(file.takeError());
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (flags && name && !name->empty() &&
        (*flags & llvm::object::SymbolRef::SF_Undefined))
      return name->str();
    if (!flags)
      llvm::consumeError(flags.takeError());
    if (!name)
      llvm::consumeError(name.takeError());
  }
  return "";
}

void mlir::wax::registerObjects(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

FailureOr<SmallVector<char, 0>> mlir::wax::emitObject(ModuleOp module,
                                                      StringRef prefix,
                                                      const Machine &machine) {
  std::string complaint;
  std::unique_ptr<llvm::TargetMachine> generator =
      createGenerator(machine, complaint);
  if (!generator)
    return module.emitError(complaint);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, context, "wax");
  if (!code)
    return module.emitError("LLVM has no words for it");
  code->setTargetTriple(generator->getTargetTriple());
  code->setDataLayout(generator->createDataLayout());
  SmallVector<llvm::Function *> bodies;
  for (llvm::Function &function : *code)
    if (!function.isDeclaration())
      bodies.push_back(&function);
  for (llvm::Function *body : bodies)
    buildEntry(*body, prefix);
  for (llvm::Function &function : *code) {
    if (function.isDeclaration())
      continue;
    // There is nothing to call: loops are not to become calls.
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  optimize(*code, *generator);
  storeSingleLanes(*code);
  FailureOr<SmallVector<char, 0>> object = generate(*code, *generator);
  if (failed(object))
    return module.emitError("LLVM emits no object files for it");
  if (std::string missing = getMissing(*object); !missing.empty())
    return module.emitError("calls " + missing);
  return object;
}

namespace {
/// Builds what IREE's runtime reads of a program's kernels, version 6 of
/// iree/hal/local/executable_library.h: one structure of constants.
class Library {
public:
  Library(llvm::Module &module) : module(module) {}

  /// The function `query`, which gives it to whom asks for this version.
  void build(ArrayRef<Kernel> kernels, StringRef prefix, StringRef query) {
    llvm::Constant *none = llvm::ConstantPointerNull::get(pointer);
    SmallVector<llvm::Constant *> functions, attributes, names;
    for (const Kernel &kernel : kernels) {
      auto *type = llvm::FunctionType::get(word, {pointer, pointer, pointer},
                                           /*isVarArg=*/false);
      functions.push_back(
          llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                 prefix + kernel.name, module));
      attributes.push_back(getAttributes(kernel));
      names.push_back(getName(kernel.name));
    }
    llvm::Constant *header = place(
        getStruct({getWord(version), getName("wax"), getWord(0), getWord(0)}));
    llvm::Constant *library =
        place(getStruct({header, getStruct({getWord(0), none}),
                         getStruct({getWord(kernels.size()), place(functions),
                                    place(attributes), none, none, place(names),
                                    none, none, none, none}),
                         getWord(0), getStruct({getWord(0), none})}));
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(pointer, {word, pointer}, /*isVarArg=*/false),
        llvm::GlobalValue::ExternalLinkage, query, module);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
    builder.CreateRet(builder.CreateSelect(
        builder.CreateICmpEQ(function->getArg(0), getWord(version)), library,
        none));
  }

private:
  static constexpr uint32_t version = 6;

  llvm::Constant *getWord(uint32_t value) {
    return llvm::ConstantInt::get(word, value);
  }

  llvm::Constant *getStruct(ArrayRef<llvm::Constant *> fields) {
    return llvm::ConstantStruct::getAnon(context, fields);
  }

  /// A constant in memory, which others point to.
  llvm::Constant *place(llvm::Constant *constant) {
    return new llvm::GlobalVariable(
        module, constant->getType(),
        /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage, constant);
  }

  llvm::Constant *place(ArrayRef<llvm::Constant *> elements) {
    return place(llvm::ConstantArray::get(
        llvm::ArrayType::get(elements.front()->getType(), elements.size()),
        elements));
  }

  llvm::Constant *getName(StringRef text) {
    return place(llvm::ConstantDataArray::getString(context, text));
  }

  llvm::Constant *getAttributes(const Kernel &kernel) {
    auto number = [&](unsigned width, uint64_t value) -> llvm::Constant * {
      return llvm::ConstantInt::get(llvm::IntegerType::get(context, width),
                                    value);
    };
    SmallVector<llvm::Constant *> fields = {
        number(64, 0), // flags
        number(16, 0), // pages of local memory
        number(8, kernel.numWords),
        number(8, kernel.numTensors),
        number(32, 1), // what a workgroup is made of, and parameters
        number(32, 1),
        number(16, 1),
        number(16, 0)};
    fields.append(5, number(64, 0));
    return getStruct(fields);
  }

  llvm::Module &module;
  llvm::LLVMContext &context = module.getContext();
  llvm::PointerType *pointer = llvm::PointerType::get(context, 0);
  llvm::IntegerType *word = llvm::Type::getInt32Ty(context);
};
} // namespace

FailureOr<SmallVector<char, 0>> mlir::wax::emitLibrary(ArrayRef<Kernel> kernels,
                                                       StringRef prefix,
                                                       StringRef query,
                                                       const Machine &machine,
                                                       std::string &complaint) {
  std::unique_ptr<llvm::TargetMachine> generator =
      createGenerator(machine, complaint);
  if (!generator)
    return failure();
  llvm::LLVMContext context;
  llvm::Module code("wax", context);
  code.setTargetTriple(generator->getTargetTriple());
  code.setDataLayout(generator->createDataLayout());
  Library(code).build(kernels, prefix, query);
  return generate(code, *generator);
}
