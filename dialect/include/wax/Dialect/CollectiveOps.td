//===- CollectiveOps.td - what rows of a batch share -------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of one row of a batch that see the others. The batch has a name,
// the axis. They are transient: `wax-batch` over the axis puts operations of the
// basis in their place.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_COLLECTIVEOPS_TD
#define WAX_DIALECT_COLLECTIVEOPS_TD

include "wax/Dialect/WaxOpBase.td"

/// An operation that `wax-batch` removes.
class Wax_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Op<Wax_Dialect, mnemonic, !listconcat([
        Pure,
        DeclareOpInterfaceMethods<ShapeRelationOpInterface>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes"]>,
        Wax_InferTypes
      ], traits)> {
  let hasVerifier = 1;
}

def Wax_AxisIndexOp : Wax_CollectiveOp<"axis_index"> {
  let summary = "the number of the row";
  let description = [{
    The place of the row in the batch that is called `axis`, from 0.

    Removed by: `wax-batch` over the axis, which counts.

    ```mlir
    %i = wax.axis_index "rows" : () -> tensor<i32>
    ```
  }];
  let arguments = (ins StrAttr:$axis);
  let results = (outs Wax_Scalar:$result);
  let assemblyFormat = "$axis attr-dict `:` functional-type(operands, results)";
}

def Wax_AllGatherOp : Wax_CollectiveOp<"all_gather"> {
  let summary = "the operands of all rows";
  let description = [{
    `result[r, i…] = operand[i…]` of row `r`: the same for all rows. The first
    dim is the batch that is called `axis`; its size is static or SSA.

    Constraints:
    - (all_gather_c1) there is one size, which is not negative.

    Gradient: of row `r`, the sum of all rows' cotangents there.

    Batching: over another axis, the operation itself, with that axis after this.

    Removed by: `wax-batch` over the axis, where it is what has the batch.

    ```mlir
    %1 = wax.all_gather %0 over "rows" sizes [8]
        : (tensor<4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_sizes,
                       StrAttr:$axis);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `over` $axis `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    attr-dict `:` `(` type($operand) `)` `->` type($result)
  }];
}

def Wax_PsumOp : Wax_CollectiveOp<"psum"> {
  let summary = "the sum over all rows";
  let description = [{
    `result[i…] = Σ operand[i…]` over the rows of the batch that is called
    `axis`, in any order: the same for all rows. Integers wrap; half floats are
    added in f32.

    Constraints:
    - (psum_c1) the element type is not `i1`.

    Gradient: the sum of the cotangents.

    Batching: the operation itself, over another axis.

    Removed by: `wax-batch` over the axis, where it is a reduction.

    ```mlir
    %1 = wax.psum %0 over "rows" : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, StrAttr:$axis);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `over` $axis attr-dict `:` functional-type(operands, results)
  }];
}

def Wax_PmaxOp : Wax_CollectiveOp<"pmax"> {
  let summary = "the maximum or minimum over all rows";
  let description = [{
    `result[i…] = max operand[i…]` over the rows of the batch that is called
    `axis`: the same for all rows; with `minimum`, the least. Integers are
    compared as signed ones unless `unsigned`; a NaN is greater and less than all.

    Constraints:
    - (pmax_c1) the element type is not complex.

    Gradient: the sum of the cotangents, in equal shares to the rows that have
    the maximum.

    Batching: the operation itself, over another axis.

    Removed by: `wax-batch` over the axis, where it is a reduction.

    ```mlir
    %1 = wax.pmax %0 over "rows" minimum : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, StrAttr:$axis, UnitAttr:$minimum,
                       UnitAttr:$unsigned_integers);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `over` $axis (`minimum` $minimum^)? (`unsigned` $unsigned_integers^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Wax_PpermuteOp : Wax_CollectiveOp<"ppermute"> {
  let summary = "the operand of another row";
  let description = [{
    `result[i…] = operand[i…]` of row `sources[r]`, in row `r` of the batch that
    is called `axis`; 0 where `sources[r]` is −1.

    Constraints:
    - (ppermute_c1) each of `sources` is −1 or a row, and no row stands there
      twice;
    - (ppermute_c2) there is a source for each row of the batch.

    Gradient: the cotangent of the row that has this one's.

    Batching: the operation itself, over another axis.

    Removed by: `wax-batch` over the axis, where it is a gather.

    ```mlir
    %1 = wax.ppermute %0 over "rows" from [1, 2, -1] : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, StrAttr:$axis,
                       DenseI64ArrayAttr:$sources);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `over` $axis `from` $sources attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // WAX_DIALECT_COLLECTIVEOPS_TD
