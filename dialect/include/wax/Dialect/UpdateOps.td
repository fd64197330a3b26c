//===- UpdateOps.td - writing into an operand --------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations whose result is an operand with some elements replaced: the duals
// of slice and gather. An operand that nobody needs afterwards is written to in
// place.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_UPDATEOPS_TD
#define WAX_DIALECT_UPDATEOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_InsertOp : Wax_InferredOp<"insert"> {
  let summary = "replaces a strided box";
  let description = [{
    `result[start + i · stride…] = update[i…]`, and every other element is the
    operand's, where `start = clamp(offset, 0, size of operand − span)` and
    `span = 0` for an empty dim of the update, else
    `(size of update − 1) · stride + 1`: what `slice` would take, with the
    update's sizes.

    Offsets are static or SSA. Static ones must fit; SSA offsets are clamped so
    that the box lies in the operand.

    Constraints:
    - (insert_c1) `offsets` and `strides` have one entry per dim, and operand
      and update have the same rank;
    - (insert_c2) strides lie between 1 and 2^31 − 1;
    - (insert_c3) static offsets lie between 0 and 2^47;
    - (insert_c4) the span fits the operand's dim, and with a static offset the
      box does;
    - (insert_c5) operand and update have the same element type.

    Gradient: by the update, the slice of the cotangent; by the operand, the
    cotangent with zeros in that box.

    Batching: a box that holds all rows. Where an offset differs between rows, a
    `scatter` that sets.

    ```mlir
    %1 = wax.insert %update into %0 offsets [0, %o] strides [2, 1]
        : (tensor<4x2xf32>, tensor<8x?xf32>) -> tensor<8x?xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$update,
                       Wax_Tensor:$operand,
                       Variadic<Index>:$offsets,
                       DenseI64ArrayAttr:$static_offsets,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $update `into` $operand
    `offsets` custom<DynamicIndexList>($offsets, $static_offsets)
    `strides` $strides attr-dict
    `:` `(` type($update) `,` type($operand) `)` `->` type($result)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
  }];
}

def Wax_ScatterOp : Wax_KernelOp<"scatter", [AttrSizedOperandSegments]> {
  let summary = "folds updates into elements at computed indices";
  let description = [{
    `acc = operands; for each i_0, … of the updates, in row-major order:
    acc[p_0, …] = fold(update_0[i_0, …], …, acc_0[p_0, …], …); result = acc`

    The place `p` is written as `gather` writes it: for each operand dim `d`
    either `p_d = i_{operand_dims[d]}`, or, where `operand_dims[d]` is −1,
    `p_d = index[…]` with the next index operand, whose dims are the update
    dims listed for it in `index_dims`. Indices are read as signed. An update
    whose place does not lie in the operand is dropped.

    The `fold` kernel takes one scalar per update, then one per accumulator,
    and yields the accumulators. A fold that yields the update sets elements,
    and of several updates at one place the last one stays.

    With a `combine` kernel `(acc…, acc…) → acc…` the updates at one place may
    come in any order, and some of them be folded apart and joined by
    `combine`, which must be associative and commutative, with
    `fold(u, combine(a, b)) = combine(fold(u, a), b)`. The operand's element is
    one of the parts, so no identity is stated: who folds apart must know one.
    Without `combine` the order is the row-major order.

    Constraints:
    - (scatter_c1) there is at least one update and one operand;
    - (scatter_c2) the updates have equal shapes, and so have the operands;
    - (scatter_c3) `operand_dims` has one entry per operand dim, and as many −1
      as there are index operands; there is one list in `index_dims` per index
      operand, of its rank;
    - (scatter_c4) an operand's dims, and an index's, are distinct update dims;
      together they are all dims of the updates;
    - (scatter_c5) operand dims and index dims have the sizes of the update dims
      that they are;
    - (scatter_c6) `fold` takes the updates' element types, then the operands',
      and yields the operands';
    - (scatter_c7) `combine`, if any, takes the operands' element types twice,
      and yields them once;
    - (scatter_c8) the kernels hold only pure scalar operations of `arith`,
      `math` and `complex`.

    Kernels may be written by name as those of `reduce` are.

    Gradient: where the fold adds, by the operand the cotangent, by an update
    what `gather` takes of it, 0 if it was dropped. Where it sets, the operand
    has none of what was set, and of several updates at one place the last has
    all. Other folds have none.

    Batching: the batch is one more dim of updates and operands, which the place
    reads straight; operands that have no batch are repeated.

    ```mlir
    %1 = wax.scatter arith.addf(%u) into(%0)[%ids[0, 1], 2]
        : (tensor<4x?x64xf32>, tensor<1000x64xf32>, tensor<4x?xi32>) -> tensor<1000x64xf32>
    %2 = wax.scatter (%a = %u) into(%acc = %0)[0, %i[0, 1]]
        : (tensor<4x2xf32>, tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4x8xf32> {
      wax.yield %a : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$updates,
                       Variadic<Wax_Tensor>:$inits,
                       Variadic<Wax_IndexTensor>:$indices,
                       DenseI64ArrayAttr:$operand_dims,
                       Wax_DimMaps:$index_dims);
  let results = (outs Variadic<Wax_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$fold,
                        MaxSizedRegion<1>:$combine);
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool hasCombine() { return !getCombine().empty(); }

    /// The update dims that index operand `i`'s dims are.
    ::llvm::ArrayRef<int64_t> getDimsOfIndex(unsigned i) {
      return ::llvm::cast<::mlir::DenseI64ArrayAttr>(getIndexDims()[i]).asArrayRef();
    }
  }];
}

#endif // WAX_DIALECT_UPDATEOPS_TD
