//===- StructuralOps.td - layout and indexing --------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that move elements and never compute with them.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_STRUCTURALOPS_TD
#define WAX_DIALECT_STRUCTURALOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_PermuteOp : Wax_InferredOp<"permute"> {
  let summary = "reorders dims";
  let description = [{
    `result[i_0, …] = operand[j_0, …]` where `j_{permutation[k]} = i_k`: result
    dim `k` is operand dim `permutation[k]`.

    Constraints:
    - (permute_c1) `permutation` is a permutation of the operand's dims.

    Gradient: the inverse permutation of the cotangent.

    Batching: the permutation behind the batch.

    ```mlir
    %1 = wax.permute %0 [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand $permutation attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Wax_ReshapeOp : Wax_BasisOp<"reshape"> {
  let summary = "merges and splits neighbouring dims";
  let description = [{
    Elements keep their row-major order. The dims of operand and result stand
    in groups, as many on one side as on the other; the dims of a group on the
    left merge, and split again into those of the group on the right. `[]`
    stands for one element: on the left it makes dims of size 1, on the right
    it drops them.

    A dynamic result dim takes its size from its operand group when it stands
    alone in its group, and from the next entry of `sizes` otherwise.

    Constraints:
    - (reshape_c1) there are as many groups on the left as on the right, and
      each side lists each of its dims once, in order;
    - (reshape_c2) the sizes in a group have equal products on both sides;
    - (reshape_c3) there is one entry of `sizes` for each dynamic result dim
      that shares its group with another result dim, or whose operand group is
      static; they are not negative;
    - (reshape_c4) operand and result have the same element type.

    Gradient: the reshape back.

    Batching: the same groups behind the batch.

    ```mlir
    %1 = wax.reshape %0 [[0], [1, 2]] into [[0, 1], [2]]
        : (tensor<6x4x?xf32>) -> tensor<2x3x?xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       Variadic<Index>:$sizes,
                       Wax_DimMaps:$source_groups,
                       Wax_DimMaps:$result_groups);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<DimGroups>($source_groups) `into` custom<DimGroups>($result_groups)
    (`sizes` ` ` `[` $sizes^ `]`)? attr-dict
    `:` `(` type($operand) `)` `->` type($result)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Wax_SliceOp : Wax_InferredOp<"slice", [AttrSizedOperandSegments]> {
  let summary = "takes a strided box";
  let description = [{
    `result[i…] = operand[start + i · stride…]`, where
    `start = clamp(offset, 0, size of operand − span)` and
    `span = 0` for an empty dim, else `(size − 1) · stride + 1`.

    Offsets and sizes are static or SSA. Static ones must fit; SSA offsets are
    clamped so that the box lies in the operand.

    Constraints:
    - (slice_c1) `offsets`, `sizes` and `strides` have one entry per dim;
    - (slice_c2) strides lie between 1 and 2^31 − 1;
    - (slice_c3) sizes and static offsets lie between 0 and 2^47;
    - (slice_c4) the span fits the operand's dim, and with a static offset the
      box does.

    Gradient: the cotangent in zeros, by `pad` where all sizes and offsets are
    static, else by `insert`.

    Batching: a box that holds all rows. Where an offset differs between rows, a
    `gather`.

    ```mlir
    %1 = wax.slice %0 offsets [0, %o] sizes [4, 2] strides [2, 1]
        : (tensor<8x?xf32>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand
    `offsets` custom<DynamicIndexList>($offsets, $static_offsets)
    `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    `strides` $strides attr-dict
    `:` `(` type($operand) `)` `->` type($result)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
  }];
}

def Wax_PadOp : Wax_InferredOp<"pad"> {
  let summary = "puts a value around and between elements, or crops";
  let description = [{
    Along each dim: `interior` values between neighbours, then `low` before and
    `high` after; negative `low` and `high` crop. A dim of size `n` becomes
    `low + n + max(n − 1, 0) · interior + high`.

    Constraints:
    - (pad_c1) `low`, `high` and `interior` have one entry per dim;
    - (pad_c2) `interior` lies between 0 and 2^31 − 1;
    - (pad_c3) no dim becomes negative;
    - (pad_c4) the value has the operand's element type;
    - (pad_c5) a dynamic dim that gets interior values has at least one element;
    - (pad_c6) `low` and `high` lie between −(2^31 − 1) and 2^31 − 1.

    Gradient: by the operand, the cotangent where the operand is; by the value,
    the sum of the rest.

    Batching: nothing before or after the batch. Where the value differs between
    rows, each row chooses its own for the places of the padding.

    ```mlir
    %1 = wax.pad %0 with %zero low [0, 1] high [0, 1] interior [0, 0]
        : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       Wax_Scalar:$value,
                       DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$interior);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `with` $value `low` $low `high` $high `interior` $interior
    attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Wax_ConcatOp : Wax_InferredOp<"concat"> {
  let summary = "sets tensors one after another along a dim";
  let description = [{
    `result[…, i, …] = operand_k[…, i − start_k, …]` for the `k` with
    `start_k ≤ i < start_{k+1}`, where `start_k` is the sum of the sizes of the
    operands before.

    Constraints:
    - (concat_c1) there is at least one operand, and all have the same element
      type and rank;
    - (concat_c2) `dim` lies in the operands' rank;
    - (concat_c3) sizes along the other dims are equal.

    Gradient: slices of the cotangent.

    Batching: along the dim one further on; operands that have no batch are
    repeated.

    ```mlir
    %2 = wax.concat (%0, %1) along 0
        : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    ` ` `(` $inputs `)` `along` $dim attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Wax_GatherOp : Wax_InferredOp<"gather"> {
  let summary = "reads elements at computed indices";
  let description = [{
    `result[i_0, …] = operand[p_0, …]`, where for each operand dim `d` either
    `p_d = i_{operand_dims[d]}`, read straight, or, where `operand_dims[d]` is
    −1, `p_d = clamp(index[…], 0, size of d − 1)` with the next index operand,
    whose dims are the result dims listed for it in `index_dims`.

    `%table[%i[0, 1], 2]` is an embedding look-up, `%x[0, %i[0, 1]]` takes
    along an axis. A batch dim is one more dim that both sides list.

    Indices are read as signed, and clamped.

    Constraints:
    - (gather_c1) `operand_dims` has one entry per operand dim, and as many −1
      as there are index operands; there is one list in `index_dims` per index
      operand, of its rank;
    - (gather_c2) an operand's dims, and an index's, are distinct result dims;
      together they are all dims from 0 to the result's rank;
    - (gather_c3) operand dims and index dims that are the same result dim have
      equal sizes;
    - (gather_c4) an operand dim that is read at an index has at least one
      element, unless the result's type says that it has none.

    Gradient: a `scatter` that adds to zeros, at clamped indices.

    Batching: the batch is read straight of an operand that has one, and is one
    more dim of the indices that have one.

    ```mlir
    %1 = wax.gather %table[%ids[0, 1], 2]
        : (tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<4x?x64xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       Variadic<Wax_IndexTensor>:$indices,
                       DenseI64ArrayAttr:$operand_dims,
                       Wax_DimMaps:$index_dims);
  let results = (outs Wax_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The result dims that index operand `i`'s dims are.
    ::llvm::ArrayRef<int64_t> getDimsOfIndex(unsigned i) {
      return ::llvm::cast<::mlir::DenseI64ArrayAttr>(getIndexDims()[i]).asArrayRef();
    }
  }];
}

def Wax_ReverseOp : Wax_InferredOp<"reverse"> {
  let summary = "turns dims around";
  let description = [{
    `result[i_0, …] = operand[p_0, …]`, where `p_d = size of d − 1 − i_d` for `d`
    in `dims`, and `p_d = i_d` otherwise.

    Constraints:
    - (reverse_c1) `dims` are distinct, increasing, and lie in the operand's
      rank.

    Gradient: the cotangent turned around.

    Batching: the dims one further on.

    ```mlir
    %1 = wax.reverse %0 dims [0, 2] : (tensor<4x?x3xf32>) -> tensor<4x?x3xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `dims` $dims attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Wax_IotaOp : Wax_BasisOp<"iota"> {
  let summary = "counts along a dim";
  let description = [{
    `result[i_0, …] = i_dim`, converted to the element type (integers wrap).
    Dynamic dims take their sizes from `sizes`, in order.

    Constraints:
    - (iota_c1) `dim` lies in the result's rank;
    - (iota_c2) there is one entry of `sizes` per dynamic dim, not negative;
    - (iota_c3) the element type is an integer or a float type.

    ```mlir
    %0 = wax.iota along 1 : tensor<4x8xi32>
    %1 = wax.iota along 0 sizes [%n] : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes, I64Attr:$dim);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    `along` $dim (`sizes` ` ` `[` $sizes^ `]`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Wax_ConstantOp : Op<Wax_Dialect, "constant", [
    Wax_Basis, Pure, ConstantLike, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<ShapeRelationOpInterface>]> {
  let summary = "a tensor of known elements";
  let description = [{
    Constraints:
    - (constant_c1) the type is static, of an element type that wax admits.

    ```mlir
    %zero = wax.constant dense<0.0> : tensor<f32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
}

#endif // WAX_DIALECT_STRUCTURALOPS_TD
