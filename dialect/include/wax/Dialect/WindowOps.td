//===- WindowOps.td - sliding windows ----------------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows of `k` elements, `dilation` apart, begin every `stride` elements of a
// dim. A window spans `(k − 1) · dilation + 1` elements, and of a dim of size
// `n` there are `max(0, floor((n − span) / stride) + 1)`: those that lie in it.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WINDOWOPS_TD
#define WAX_DIALECT_WINDOWOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_WindowOp : Wax_InferredOp<"window"> {
  let summary = "shows the windows that slide along dims";
  let description = [{
    `result[i_1, …, i_r, j_1, …, j_w] = operand[p_1, …, p_r]`, where
    `p_d = i_d · strides[m] + j_m · dilations[m]` for `d = dims[m]`, and
    `p_d = i_d` for a dim that is not windowed.

    The result has the operand's dims, in which windowed ones count the windows,
    and then a dim for each windowed dim, of the window's size. A dim of size
    `n` has `max(0, floor((n − span) / stride) + 1)` windows, where
    `span = (size − 1) · dilation + 1`; nothing is padded. A dim that is too
    small for a window has none. Windows of size 0 read nothing, and the formula
    holds for them too.

    Constraints:
    - (window_c1) `dims` are distinct, increasing, and lie in the operand's
      rank;
    - (window_c2) `sizes`, `strides` and `dilations` have one entry per windowed
      dim;
    - (window_c3) sizes lie between 0 and 2³¹ − 1, strides and dilations between
      1 and 2³¹ − 1;
    - (window_c4) a windowed dim that is dynamic has at least `span − stride`
      elements.

    Gradient: a `fold` that adds windows up.

    Batching: over dims one further on.

    ```mlir
    %1 = wax.window %0 dims [1, 2] sizes [3, 3] strides [2, 2] dilations [1, 1]
        : (tensor<?x9x8x16xf32>) -> tensor<?x4x3x16x3x3xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       DenseI64ArrayAttr:$dims,
                       DenseI64ArrayAttr:$sizes,
                       DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand `dims` $dims `sizes` $sizes `strides` $strides
    `dilations` $dilations attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Wax_FoldOp : Wax_KernelOp<"fold"> {
  let summary = "folds windows back to where they were taken";
  let description = [{
    The transpose of `wax.window`: `acc[…] = init` everywhere; for each index
    `(i_1, …, i_r, j_1, …, j_w)` of the operand, in row-major order:
    `acc[p_1, …, p_r] = fold(operand[i…, j…], acc[p_1, …, p_r])`, where
    `p_d = i_d · strides[m] + j_m · dilations[m]` for `d = dims[m]`, and
    `p_d = i_d` otherwise; `result = acc`.

    The operand's last dims, as many as `dims` has, are the windows' elements;
    the dims before them are the result's, in which windowed ones count the
    windows. `sizes`, static or SSA, are the sizes of the windowed dims in the
    result. A position that no window covers is `init`.

    The `fold` kernel takes an element and the accumulator, and yields the
    accumulator. With a `combine` kernel `(acc, acc) → acc` the elements of a
    position may be folded in any order and in any number of parts, each
    starting from `init` and joined by `combine`: `init` must then be an
    identity of `combine`. Without it the order is the one above.

    Constraints:
    - (fold_c1) `dims` are distinct and increasing, and lie in the result's
      rank, which is the operand's less one for each of them;
    - (fold_c2) `sizes`, `strides` and `dilations` have one entry per windowed
      dim;
    - (fold_c3) sizes are not negative, and static ones at most 2⁴⁷; strides and
      dilations lie between 1 and 2³¹ − 1;
    - (fold_c4) along a windowed dim, the operand has as many windows as one of
      the result's size has;
    - (fold_c5) a windowed dim has at least `span − stride` elements in the
      result where its size or the window's is dynamic;
    - (fold_c6) `fold` takes the operand's element type and the accumulator's,
      and yields the accumulator's;
    - (fold_c7) `combine`, if any, takes the accumulator's element type twice,
      and yields it;
    - (fold_c8) the kernels hold only pure scalar operations of `arith`, `math`
      and `complex`.

    A fold that is one operation is written as in `wax.reduce`.

    Gradient: where the fold adds, the windows of the cotangent. Other folds
    have none.

    Batching: over dims one further on. Where `init` differs between rows, a
    `scatter` of the elements in the same order.

    ```mlir
    %1 = wax.fold arith.addf(%0) dims [1] sizes [9] strides [2] dilations [1] init(%zero)
        : (tensor<?x4x16x3xf32>, tensor<f32>) -> tensor<?x9x16xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand,
                       Wax_Scalar:$init,
                       Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$dims,
                       DenseI64ArrayAttr:$static_sizes,
                       DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations);
  let results = (outs Wax_Tensor:$result);
  let regions = (region SizedRegion<1>:$fold,
                        MaxSizedRegion<1>:$combine);
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool hasCombine() { return !getCombine().empty(); }
  }];
}

#endif // WAX_DIALECT_WINDOWOPS_TD
