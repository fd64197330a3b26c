//===- PointwiseOps.td - map and broadcast -----------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_POINTWISEOPS_TD
#define WAX_DIALECT_POINTWISEOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_YieldOp : Op<Wax_Dialect, "yield", [
    Pure, ReturnLike, Terminator,
    ParentOneOf<["MapOp", "BroadcastOp", "ReduceOp", "ScanOp", "SortOp",
                 "FoldOp", "ScatterOp"]>]> {
  let summary = "returns the scalars that a kernel computes";
  let description = [{
    Ends every kernel. Its operands are the kernel's results.

    ```mlir
    wax.yield %sum, %index : f32, i32
    ```
  }];
  let arguments = (ins Variadic<Wax_Element>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Wax_MapOp : Wax_KernelOp<"map"> {
  let summary = "applies a scalar kernel to every element";
  let description = [{
    `result[i…] = kernel(operand[i…])`

    Constraints:
    - (map_c1) the kernel takes one scalar, of the operand's element type;
    - (map_c2) the kernel yields one scalar;
    - (map_c3) the kernel holds only pure scalar operations of `arith`, `math`
      and `complex`, and special functions.

    The result has the operand's dims and the yielded element type. A kernel
    that is one operation over its arguments may be written by its name.

    Gradient: the cotangent, multiplied by the kernel's derivative.

    Batching: the operation itself, over the rows.

    ```mlir
    %1 = wax.map math.exp(%0) : (tensor<4x?xf32>) -> tensor<4x?xf32>
    %2 = wax.map (%x = %1) : (tensor<4x?xf32>) -> tensor<4x?xf32> {
      %one = arith.constant 1.0 : f32
      %y = arith.addf %x, %one : f32
      wax.yield %y : f32
    }
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand);
  let results = (outs Wax_Tensor:$result);
  let regions = (region SizedRegion<1>:$kernel);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$operand, "::mlir::wax::KernelBody":$kernel)>
  ];
  let hasFolder = 1;
}

def Wax_BroadcastOp : Wax_KernelOp<"broadcast", [AttrSizedOperandSegments]> {
  let summary = "joins operands along axes and applies a scalar kernel";
  let description = [{
    `result[i_0, …] = kernel(operand_0[i_{dims_0[0]}, …], operand_1[i_{dims_1[0]}, …], …)`

    Each operand states which result dim each of its dims is: `%b[1]` is a
    vector along the result's second dim. NumPy broadcasting, outer products,
    transposed reads and `where` are all this one operation. A result dim that
    no operand has is free: it takes its size from `sizes`, static or SSA, one
    entry per free dim in increasing order. Size 1 is never stretched.

    Constraints:
    - (broadcast_c1) there is at least one operand, and one list of dims per
      operand, of the operand's rank;
    - (broadcast_c2) an operand's dims are distinct, and lie in the result's
      rank, which is the number of different dims that operands have plus the
      number of free dims;
    - (broadcast_c3) operand dims that are the same result dim have equal
      sizes;
    - (broadcast_c4) `sizes` entries are not negative;
    - (broadcast_c5) the kernel takes one scalar per operand, of the operand's
      element type;
    - (broadcast_c6) the kernel yields one scalar;
    - (broadcast_c7) the kernel holds only pure scalar operations of `arith`,
      `math` and `complex`, and special functions.

    Gradient: the cotangent, multiplied by the kernel's derivative by an
    operand's scalar, and summed over the dims that the operand lacks; sums of
    half floats are made in f32.

    Batching: the batch is one more dim of the join, which the operands that have
    no batch lack.

    ```mlir
    %2 = wax.broadcast arith.addf(%0[0, 1], %1[1])
        : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %3 = wax.broadcast (%a = %0[1]) sizes [%n]
        : (tensor<8xf32>) -> tensor<?x8xf32> {
      wax.yield %a : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$inputs,
                       Variadic<Index>:$sizes,
                       Wax_DimMaps:$dims,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Wax_Tensor:$result);
  let regions = (region SizedRegion<1>:$kernel);
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$inputs,
                   "::llvm::ArrayRef<::llvm::SmallVector<int64_t>>":$dims,
                   "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
                   "::mlir::wax::KernelBody":$kernel)>
  ];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The result dims that operand `i`'s dims are.
    ::llvm::ArrayRef<int64_t> getOperandDims(unsigned i) {
      return ::llvm::cast<::mlir::DenseI64ArrayAttr>((*this).getDims()[i]).asArrayRef();
    }
    /// The sizes of the free dims, in increasing order of dims.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    /// The result dims that no operand has, in increasing order.
    ::llvm::SmallVector<int64_t> getFreeDims();
  }];
}

#endif // WAX_DIALECT_POINTWISEOPS_TD
