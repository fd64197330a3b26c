//===- IREE.td - What is written of IREE's dialects --------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of IREE's own that the lowering for it emits, declared so that
// they are verified, compared and deleted like any other. Programs reach IREE
// as text, so they are printed in generic form, which needs no more of them
// than their names, properties and regions.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_IREE_TD
#define WAX_PASSES_IREE_TD

include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// iree_tensor_ext: what a dispatch is given
//===----------------------------------------------------------------------===//

def IREE_TensorExtDialect : Dialect {
  let name = "iree_tensor_ext";
  let summary = "IREE's tensors in memory that a dispatch is given";
  let cppNamespace = "::mlir::wax::iree";
  let useDefaultTypePrinterParser = 1;
}

def IREE_DispatchTensor : TypeDef<IREE_TensorExtDialect, "DispatchTensor"> {
  let mnemonic = "dispatch.tensor";
  let summary = "a tensor that a dispatch reads or writes: `readonly`, `writeonly`";
  let parameters = (ins StringRefParameter<"how">:$access, "::mlir::RankedTensorType":$tensor);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// flow: what runs as one dispatch
//===----------------------------------------------------------------------===//

def IREE_FlowDialect : Dialect {
  let name = "flow";
  let summary = "IREE's partitioning of a program into dispatches";
  let cppNamespace = "::mlir::wax::iree";
}

def IREE_DispatchRegionOp : Op<IREE_FlowDialect, "dispatch.region",
    [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "runs its body as one dispatch";
  let description = [{
    `result_dims` are the dynamic sizes of the results, in order. The body reads
    values from outside as it stands.
  }];
  let arguments = (ins Variadic<Index>:$result_dims, Variadic<Index>:$workload);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$workgroup_count);
}

def IREE_ReturnOp : Op<IREE_FlowDialect, "return",
    [Pure, Terminator, ParentOneOf<["DispatchRegionOp", "ExecutableExportOp"]>]> {
  let summary = "ends a dispatch, or what says of how many workgroups it is";
  let arguments = (ins Variadic<AnyType>:$operands);
}

def IREE_ExecutableOp : Op<IREE_FlowDialect, "executable",
    [IsolatedFromAbove, SingleBlock, Symbol, SymbolTable]> {
  let summary = "what dispatches run: an export of it, and a module of its own";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
}

def IREE_ExecutableEndOp : Op<IREE_FlowDialect, "executable_end",
    [Terminator, HasParent<"ExecutableOp">]> {
  let summary = "ends an executable";
}

def IREE_ExecutableExportOp : Op<IREE_FlowDialect, "executable.export",
    [IsolatedFromAbove, Symbol, HasParent<"ExecutableOp">]> {
  let summary = "a function of an executable, and of how many workgroups it is run";
  let arguments = (ins OptionalAttr<StrAttr>:$sym_visibility, SymbolNameAttr:$sym_name,
                       FlatSymbolRefAttr:$function_ref);
  let regions = (region SizedRegion<1>:$workgroup_count);
}

def IREE_DispatchOp : Op<IREE_FlowDialect, "dispatch",
    [AttrSizedOperandSegments, Pure]> {
  let summary = "runs a function of an executable";
  let arguments = (ins Variadic<Index>:$workload, SymbolRefArrayAttr:$entry_points,
                       Variadic<AnyType>:$arguments,
                       Variadic<Index>:$argument_dims, Variadic<Index>:$result_dims,
                       OptionalAttr<ArrayAttr>:$tied_operands);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
}

def IREE_DispatchTieShapeOp : Op<IREE_FlowDialect, "dispatch.tie_shape", [Pure]> {
  let summary = "tells the open sizes of a tensor that a dispatch is given";
  let arguments = (ins IREE_DispatchTensor:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs IREE_DispatchTensor:$result);
}

def IREE_TensorReshapeOp : Op<IREE_FlowDialect, "tensor.reshape",
    [AttrSizedOperandSegments, Pure]> {
  let summary = "the same elements in another shape";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
}

def IREE_TensorBitcastOp : Op<IREE_FlowDialect, "tensor.bitcast",
    [AttrSizedOperandSegments, Pure]> {
  let summary = "the same memory as elements of another type";
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$result_dims);
  let results = (outs AnyRankedTensor:$result);
}

def IREE_TensorUpdateOp : Op<IREE_FlowDialect, "tensor.update",
    [AttrSizedOperandSegments, Pure]> {
  let summary = "a tensor with a box of it replaced, in its memory where that is free";
  let arguments = (ins AnyRankedTensor:$target, Variadic<Index>:$target_dims,
                       Variadic<Index>:$start_indices, AnyRankedTensor:$update,
                       Variadic<Index>:$update_dims);
  let results = (outs AnyRankedTensor:$result);
}

def IREE_TieShapeOp : Op<IREE_FlowDialect, "tensor.tie_shape", [Pure]> {
  let summary = "tells the dynamic sizes of a tensor";
  let arguments = (ins AnyRankedTensor:$operand, Variadic<Index>:$dynamic_dims);
  let results = (outs AnyRankedTensor:$result);
}

//===----------------------------------------------------------------------===//
// iree_tensor_ext: how a dispatch reads and writes
//===----------------------------------------------------------------------===//

class IREE_WholeTensorOp<string mnemonic, list<Trait> traits = []>
    : Op<IREE_TensorExtDialect, mnemonic, !listconcat(traits, [AttrSizedOperandSegments])>;

def IREE_DispatchTensorLoadOp : IREE_WholeTensorOp<"dispatch.tensor.load", [Pure]> {
  let summary = "a tensor that a dispatch reads";
  let arguments = (ins IREE_DispatchTensor:$source, Variadic<Index>:$source_dims,
                       Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       Variadic<Index>:$strides, DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes, DenseI64ArrayAttr:$static_strides);
  let results = (outs AnyRankedTensor:$result);
  let builders = [OpBuilder<(ins "Value":$source, "ValueRange":$sizes)>];
}

def IREE_DispatchTensorStoreOp : IREE_WholeTensorOp<"dispatch.tensor.store"> {
  let summary = "has a tensor written where a dispatch writes it";
  let arguments = (ins AnyRankedTensor:$value, IREE_DispatchTensor:$target,
                       Variadic<Index>:$target_dims, Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes, Variadic<Index>:$strides,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$static_strides);
  let builders = [OpBuilder<(ins "Value":$value, "Value":$target, "ValueRange":$sizes)>];
}

def IREE_WorkgroupCountFromSliceOp
    : Op<IREE_TensorExtDialect, "dispatch.workgroup_count_from_slice", [Pure]> {
  let summary = "how many workgroups a dispatch has by IREE's own distribution";
  let arguments = (ins Variadic<Index>:$operands);
  let results = (outs Index:$x, Index:$y, Index:$z);
}

def IREE_WorkgroupCountSplitReductionModifierOp
    : Op<IREE_TensorExtDialect, "dispatch.workgroup_count_split_reduction_modifier", [Pure]> {
  let summary = "the same, with the iterations of an scf.forall dealt to them";
  let arguments = (ins Index:$workgroup_x, Index:$workgroup_y, Index:$workgroup_z,
                       Variadic<Index>:$workload);
  let results = (outs Index:$x, Index:$y, Index:$z);
}

def IREE_WorkloadOrdinalOp
    : Op<IREE_TensorExtDialect, "dispatch.workload.ordinal", [Pure]> {
  let summary = "a number that the workgroups of a dispatch are counted by";
  let arguments = (ins Index:$operand, IndexAttr:$ordinal);
  let results = (outs Index:$result);
}

//===----------------------------------------------------------------------===//
// util
//===----------------------------------------------------------------------===//

def IREE_ABIDialect : Dialect {
  let name = "iree";
  let summary = "IREE's attributes of functions that are called from outside";
  let cppNamespace = "::mlir::wax::iree";
}

def IREE_UtilDialect : Dialect {
  let name = "util";
  let summary = "IREE's glue";
  let cppNamespace = "::mlir::wax::iree";
}

def IREE_OptimizationBarrierOp : Op<IREE_UtilDialect, "optimization_barrier"> {
  let summary = "keeps what makes a value out of what reads it";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$outputs);
}

//===----------------------------------------------------------------------===//
// iree_linalg_ext
//===----------------------------------------------------------------------===//

def IREE_LinalgExtDialect : Dialect {
  let name = "iree_linalg_ext";
  let summary = "IREE's operations beside linalg";
  let cppNamespace = "::mlir::wax::iree";
  let useDefaultAttributePrinterParser = 1;
}

def IREE_ScatterOp : Op<IREE_LinalgExtDialect, "scatter", [Pure]> {
  let summary = "folds updates into rows at indices";
  let description = [{
    The updates' leading dims are those of `indices` and `mask`; the others are
    the dims of `original` after the first, which an index selects from.
    Where the mask is false nothing is read or written.
  }];
  let arguments = (ins AnyRankedTensor:$updates, AnyRankedTensor:$indices,
                       AnyRankedTensor:$mask, AnyRankedTensor:$original,
                       DenseI64ArrayAttr:$dimension_map, BoolAttr:$unique_indices);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$region);
}

def IREE_YieldOp : Op<IREE_LinalgExtDialect, "yield", [Pure, Terminator]> {
  let summary = "ends the body of an operation";
  let arguments = (ins Variadic<AnyType>:$operands);
}

def IREE_SplitReductionMapping : AttrDef<IREE_LinalgExtDialect,
    "SplitReductionMapping",
    [DeclareAttrInterfaceMethods<DeviceMappingAttrInterface>]> {
  let mnemonic = "split_reduction_mapping";
  let summary = "the iterations of an scf.forall are workgroups of the dispatch";
  let parameters = (ins "int64_t":$dimension);
  let assemblyFormat = "`<` $dimension `>`";
}

#endif // WAX_PASSES_IREE_TD
