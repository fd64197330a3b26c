//===- Kernel.cpp - The regions of pointwise and reducing ops -------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "wax/Dialect/Kernel.h"

#include "SizeRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::wax;

bool mlir::wax::isElementType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

bool mlir::wax::isScalarOperation(OperationName name) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                         complex::ComplexDialect>(name.getDialect()) ||
         name.hasTrait<OpTrait::wax::ScalarFunction>();
}

//===----------------------------------------------------------------------===//
// What a kernel is
//===----------------------------------------------------------------------===//

TypeRange mlir::wax::getYieldedTypes(Region &kernel) {
  return kernel.front().getTerminator()->getOperandTypes();
}

std::optional<unsigned> mlir::wax::getForwardedArgument(Region &kernel) {
  Operation *yield = kernel.front().getTerminator();
  if (yield->getNumOperands() != 1)
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(yield->getOperand(0));
  if (!argument || argument.getOwner() != &kernel.front())
    return std::nullopt;
  return argument.getArgNumber();
}

Operation *mlir::wax::getNamedOperation(Region &kernel) {
  if (kernel.empty() || kernel.front().empty())
    return nullptr;
  Block &block = kernel.front();
  Operation *op = &block.front();
  if (op->getNumRegions() != 0 || op->getNumResults() != 1 ||
      op->getNextNode() != &block.back() || !isa<YieldOp>(block.back()) ||
      !llvm::equal(block.back().getOperands(), op->getResults()) ||
      !llvm::equal(block.getArguments(), op->getOperands()))
    return nullptr;
  // What the name alone stands for has the attributes of a new operation.
  OperationState state(op->getLoc(), op->getName(), op->getOperands(),
                       op->getResultTypes());
  Operation *named = Operation::create(state);
  bool equal = named->getAttrDictionary() == op->getAttrDictionary();
  named->destroy();
  return equal ? op : nullptr;
}

bool mlir::wax::areKernelsEqual(Region &lhs, Region &rhs) {
  return OperationEquivalence::isRegionEquivalentTo(
      &lhs, &rhs, OperationEquivalence::IgnoreLocations);
}

void mlir::wax::buildKernel(OpBuilder &builder, Location loc, Region &region,
                            TypeRange arguments, KernelBody body) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(
      &region, {}, arguments, SmallVector<Location>(arguments.size(), loc));
  YieldOp::create(builder, loc, body(builder, loc, block->getArguments()));
}

//===----------------------------------------------------------------------===//
// What a kernel must be
//===----------------------------------------------------------------------===//

static std::string spell(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "(";
  llvm::interleaveComma(types, os);
  os << ")";
  return text;
}

LogicalResult mlir::wax::checkKernelSignature(Region &kernel,
                                              ArrayRef<Type> arguments,
                                              Fault fault, StringRef kernelName,
                                              StringRef argumentsLabel,
                                              StringRef yieldLabel) {
  if (kernel.empty())
    return fault(argumentsLabel, "the ", kernelName, " is empty");
  Block &block = kernel.front();
  if (TypeRange(block.getArguments()) != TypeRange(arguments))
    return fault(argumentsLabel, "the ", kernelName, " takes ",
                 spell(block.getArgumentTypes()), ", but is given ",
                 spell(arguments));
  if (block.empty() || !isa<YieldOp>(block.back()))
    return fault(yieldLabel, "the ", kernelName, " does not end in wax.yield");
  TypeRange yielded = getYieldedTypes(kernel);
  if (!llvm::all_of(yielded, isElementType))
    return fault(yieldLabel, "the ", kernelName, " yields ", spell(yielded),
                 ", which are not all element types of tensors");
  return success();
}

/// Kernels' semantics are total, so an operation that upstream holds to be
/// undefined for some inputs (a division) is as pure as any other.
static bool isPureScalarOperation(Operation &op) {
  return isScalarOperation(op.getName()) && op.getNumRegions() == 0 &&
         isMemoryEffectFree(&op) &&
         llvm::all_of(op.getOperandTypes(), isElementType) &&
         llvm::all_of(op.getResultTypes(), isElementType);
}

/// What an operation promises of its operands, if it does. A broken promise has
/// no result upstream, where the dialect's have one.
static std::optional<StringRef> getPromise(Operation &op) {
  if (auto math = dyn_cast<arith::ArithFastMathInterface>(op))
    if (auto flags = math.getFastMathFlagsAttr();
        flags && arith::bitEnumContainsAny(flags.getValue(),
                                           arith::FastMathFlags::nnan |
                                               arith::FastMathFlags::ninf))
      return "fastmath";
  if (auto integer = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    if (integer.getOverflowAttr().getValue() !=
        arith::IntegerOverflowFlags::none)
      return "overflow";
  for (StringRef name : {"isExact", "nonNeg"})
    if (op.hasAttr(name))
      return name;
  return std::nullopt;
}

LogicalResult mlir::wax::checkKernelBody(Region &kernel, Fault fault,
                                         StringRef label) {
  for (Operation &op : kernel.front().without_terminator()) {
    if (!isPureScalarOperation(op))
      return fault(
          label, "the kernel holds '", op.getName(),
          "', which is not a pure operation of arith, math or complex, "
          "nor a special function, on scalars of a tensor's element "
          "type");
    if (std::optional<StringRef> promise = getPromise(op))
      return fault(label, "the kernel holds '", op.getName(),
                   "' with a promise about its operands, '", *promise,
                   "', and would have no result where it is broken");
  }
  return success();
}
