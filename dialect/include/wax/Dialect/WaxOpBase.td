//===- WaxOpBase.td - Types and base classes ---------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXOPBASE_TD
#define WAX_DIALECT_WAXOPBASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "wax/Dialect/WaxDialect.td"
include "wax/Dialect/WaxInterfaces.td"

def Wax_Element : AnyTypeOf<[
  I1, I8, I16, I32, I64, F16, BF16, F32, F64, Complex<F32>, Complex<F64>
]>;
def Wax_IndexElement : AnyTypeOf<[I8, I16, I32, I64]>;

/// Static sizes are small enough to be computed with; dims of size 0 do not
/// hide others.
def Wax_SizesInReach : CPred<
    "::mlir::wax::areSizesInReach(::llvm::cast<::mlir::ShapedType>($_self).getShape())">;
class Wax_TensorOf<list<Type> elements>
    : RankedTensorOf<elements, [Wax_SizesInReach], "ranked tensor of at most 2^47 elements">;

def Wax_Tensor : Wax_TensorOf<[Wax_Element]>;
def Wax_Scalar : 0DTensorOf<[Wax_Element]>;
def Wax_IndexTensor : Wax_TensorOf<[Wax_IndexElement]>;

/// For each operand, the result dim that each of its dims is.
def Wax_DimMaps : TypedArrayAttrBase<DenseI64ArrayAttr,
    "one list of dims per operand">;

/// An operation of the basis: pure, its sizes stated as a relation.
class Wax_BasisOp<string mnemonic, list<Trait> traits = []>
    : Op<Wax_Dialect, mnemonic, !listconcat([
        Wax_Basis, Pure,
        DeclareOpInterfaceMethods<ShapeRelationOpInterface>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>
      ], traits)>;

/// Type inference by the shape rule. The verifier compares the result types with
/// what is inferred, in words of the constraints, so that refining them has
/// nothing left to check.
def Wax_InferTypes : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange lhs,
                                      ::mlir::TypeRange rhs);
  static ::llvm::LogicalResult refineReturnTypes(
      ::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
      ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
      ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
    return ::mlir::success();
  }
}]>;

/// A basis operation whose result types follow from its operands, attributes
/// and kernels.
class Wax_InferredOp<string mnemonic, list<Trait> traits = []>
    : Wax_BasisOp<mnemonic, !listconcat([Wax_InferTypes], traits)> {
  let hasVerifier = 1;
}

/// A basis operation with kernels: regions over scalars that capture nothing.
class Wax_KernelOp<string mnemonic, list<Trait> traits = []>
    : Wax_InferredOp<mnemonic, !listconcat([
        IsolatedFromAbove, SingleBlock,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>
      ], traits)> {
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

#endif // WAX_DIALECT_WAXOPBASE_TD
