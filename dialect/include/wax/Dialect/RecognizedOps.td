//===- RecognizedOps.td - Operations that stand for several -*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `wax-raise` introduces for backends that want it. No frontend emits these
// operations, and no lowering, derivative or batch knows them: they hold what
// they are made of.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_RECOGNIZEDOPS_TD
#define WAX_DIALECT_RECOGNIZEDOPS_TD

include "wax/Dialect/WaxOpBase.td"

/// A recognised operation: pure, with its decomposition as a region, which sees
/// the operands only. `sizes` are what the decomposition reads beside.
class Wax_RecognizedOp<string mnemonic, list<Trait> traits = []>
    : Op<Wax_Dialect, mnemonic, !listconcat([
        Pure, IsolatedFromAbove, SingleBlock, RecognizedOpInterface
      ], traits)> {
  let regions = (region SizedRegion<1>:$decomposition);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return ::mlir::wax::parseRecognized(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::mlir::wax::printRecognized(printer, *this, getDecomposition());
    }
  }];
}

def Wax_ContractOp : Wax_RecognizedOp<"contract"> {
  let summary = "sums of products over paired dims";
  let description = [{
    `result[i_0, …] = round(Σ_{i_r, …} wide(lhs[i_{dims_0[0]}, …]) · wide(rhs[i_{dims_1[0]}, …]))`

    Each operand states which index each of its dims is: the first ones, as many
    as the result has dims, are those of the result, and all further ones are
    summed over. Products of matrices and vectors, batched ones, transposed ones
    and products over several dims are all this one operation.

    `wide` converts to the type `accumulator`, exactly: floats to wider floats,
    integers by their sign, or by zeros where `is_unsigned`. Sums are made in that
    type, from zero, in any order and in any number of parts; `round` converts
    them to the result's type, a narrower float, if it is another. A product of
    zero and infinity or NaN is NaN, and is not left out.

    Constraints:
    - (contract_c1) there is one list of dims per operand, of the operand's
      rank, and its numbers are distinct;
    - (contract_c2) each index of the result is a dim of an operand, and each
      further one, of which there is at least one, is a dim of both;
    - (contract_c3) dims that are the same index have equal sizes;
    - (contract_c4) the operands' element types are that of the accumulator, or
      narrower floats or integers;
    - (contract_c5) the result's element type is that of the accumulator, or a
      narrower float.

    ```mlir
    %2 = wax.contract (%a = %0, %b = %1)
        {accumulator = f32, dims = [array<i64: 0, 2>, array<i64: 2, 1>]}
        : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
      %zero = wax.constant dense<0.0> : tensor<f32>
      %3 = wax.broadcast arith.mulf(%a[0, 2], %b[2, 1]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5x8xf32>
      %4 = wax.reduce arith.addf(%3) over [2] init(%zero) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
      wax.return %4 : tensor<4x5xf32>
    }
    ```
  }];
  let arguments = (ins Wax_Tensor:$lhs, Wax_Tensor:$rhs,
                       Variadic<Index>:$sizes, Wax_DimMaps:$dims,
                       TypeAttr:$accumulator, UnitAttr:$is_unsigned);
  let results = (outs Wax_Tensor:$result);
}

def Wax_SoftmaxOp : Wax_RecognizedOp<"softmax"> {
  let summary = "exponentials as shares of their sum";
  let description = [{
    `result[i…] = round(e[i…] / Σ_j e[j…])`, `e[i…] = exp(wide(operand[i…]) − max_j wide(operand[j…]))`

    where `j` goes over the indices along `dims`, and `i` and `j` are equal
    elsewhere. `wide` converts to the type `accumulator`, exactly; all is
    computed in that type, the sum in any order, and the quotient perhaps as a
    product with `1 / Σ`; `round` converts to the result's type, a narrower
    float, if it is another.

    Where one of the elements along `dims` is NaN or +∞, or all are −∞, all
    results along them are NaN.

    Constraints:
    - (softmax_c1) `dims` are increasing, and lie in the operand's rank;
    - (softmax_c2) the result has the operand's shape;
    - (softmax_c3) the accumulator is a float type, the operand's element type
      or a wider one;
    - (softmax_c4) the result's element type is that of the accumulator, or a
      narrower float.

    ```mlir
    %1 = wax.softmax (%a = %0) {accumulator = f32, dims = array<i64: 1>}
        : (tensor<4x8xf32>) -> tensor<4x8xf32> {
      …
      wax.return %5 : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$dims, TypeAttr:$accumulator);
  let results = (outs Wax_Tensor:$result);
}

def Wax_NormalizeOp
    : Wax_RecognizedOp<"normalize", [AttrSizedOperandSegments]> {
  let summary = "elements divided by their deviation: layer norm, RMS norm and others";
  let description = [{
    `result = round((x − μ) / √(v + epsilon) · wide(weight) + wide(bias))`

    with `x = wide(operand)`, and along `dims`, of `n` elements:

    | | `μ` | `v` |
    |---|---|---|
    | `centered` | `Σx / n` | `Σ(x − μ)² / n` |
    | `centered`, `raw_moments` | `Σx / n` | `Σx² / n − μ²` |
    | neither | 0 | `Σx² / n` |

    `weight` and `bias` may be absent; each states which dim of the operand each
    of its dims is, and is the same along all others. With `dims` the last ones,
    and a weight that has these, it is a layer norm, or a root mean square norm
    where it is not `centered`; with all dims but that of channels, which the
    weight has, a batch norm by the batch's own statistics; with those of space,
    an instance norm.

    `wide` converts to the type `accumulator`, exactly; all is computed in that
    type, sums and products in any order, and quotients perhaps as products with
    reciprocals, or with reciprocal roots; `round` converts to the result's type, a narrower
    float, if it is another. NaN and infinities go where the formula has them:
    one along `dims` makes all that weights multiply NaN, but that without
    `centered` an infinity makes zeros of what is finite.

    Constraints:
    - (normalize_c1) `dims` are increasing, and lie in the operand's rank;
    - (normalize_c2) `weight_dims` and `bias_dims` are given where these operands
      are, are as many as their ranks, distinct, and lie in the operand's;
    - (normalize_c3) dims of these have the sizes of the operand's;
    - (normalize_c4) the result has the operand's shape;
    - (normalize_c5) the accumulator is a float type, and the operands' element
      types are that type or narrower floats;
    - (normalize_c6) the result's element type is that of the accumulator, or a
      narrower float;
    - (normalize_c7) what has `raw_moments` is `centered`.

    ```mlir
    %1 = wax.normalize (%a = %0, %w = %weight)
        {accumulator = f32, dims = array<i64: 1>, epsilon = 1.0e-06 : f64,
         operandSegmentSizes = array<i32: 1, 1, 0, 0>, weight_dims = array<i64: 1>}
        : (tensor<4x8xbf16>, tensor<8xbf16>) -> tensor<4x8xbf16> {
      …
      wax.return %5 : tensor<4x8xbf16>
    }
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, Optional<Wax_Tensor>:$weight,
                       Optional<Wax_Tensor>:$bias, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$dims, F64Attr:$epsilon,
                       UnitAttr:$centered, UnitAttr:$raw_moments,
                       OptionalAttr<DenseI64ArrayAttr>:$weight_dims,
                       OptionalAttr<DenseI64ArrayAttr>:$bias_dims,
                       TypeAttr:$accumulator);
  let results = (outs Wax_Tensor:$result);
}

def Wax_AttentionOp
    : Wax_RecognizedOp<"attention", [AttrSizedOperandSegments]> {
  let summary = "values, mixed by how well queries match keys";
  let description = [{
    `result[i_0, …] = round(Σ_j softmax_j(s[i…, j]) · wide(value[…]))`, with the scores
    `s[i…, j] = scale · Σ_w wide(query[…]) · wide(key[…]) + wide(bias[…])`

    Each operand states by `dims` which index each of its dims is: the first
    ones, as many as the result has dims, are those of the result; the next one
    is `j`, which counts keys; all further ones, `w`, are the width that queries
    and keys share. A dim that keys and values lack, and queries have, is that of
    queries, or one of heads that are served by the same keys.

    `bias` may be absent. Where `mask`, which may be, is false, the score is
    `fill` instead; and, with `causal_dim`, where `j > i_{causal_dim} +
    causal_offset`.

    `wide` converts to the type `accumulator`, exactly; all is computed in that
    type, sums in any order, and softmax as `wax.softmax` says, but that its
    division may come after the values are mixed, that scores and shares may be
    rounded to the type of an operand, and that queries or keys may be scaled
    instead of scores. `round` converts to the result's type, a
    narrower float, if it is another. Where a score along `j` is NaN or +∞ the
    results are NaN; where all are −∞ the shares are zeros with `zero_unmatched`,
    and otherwise NaN. Where there are no keys the results are zeros, or perhaps
    NaN without it.

    Constraints:
    - (attention_c1) there is one list of dims per operand but `sizes`, of the
      operand's rank, and its numbers are distinct;
    - (attention_c2) each index of the result is a dim of an operand, `j` one of
      key and value, but not of query, and each further one, of which there is at
      least one, one of query and key, and of no other operand;
    - (attention_c3) dims that are the same index have equal sizes;
    - (attention_c4) the mask's elements are `i1`;
    - (attention_c5) the accumulator is a float type, and the element types of
      query, key, value and bias are that type or narrower floats;
    - (attention_c6) the result's element type is that of the accumulator, or a
      narrower float;
    - (attention_c7) `causal_dim` and `causal_offset` are given together, and
      `causal_dim` is a dim of the result;
    - (attention_c8) `fill` is given where there is a mask or a `causal_dim`.

    ```mlir
    %1 = wax.attention (%q = %query, %k = %key, %v = %value)
        {accumulator = f32, causal_dim = 1 : i64, causal_offset = 0 : i64,
         dims = [array<i64: 0, 1, 4>, array<i64: 0, 3, 4>, array<i64: 0, 3, 2>],
         fill = 0xFFF0000000000000 : f64,
         operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 2.5e-01 : f64}
        : (tensor<2x5x16xf32>, tensor<2x7x16xf32>, tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
      …
      wax.return %5 : tensor<2x5x3xf32>
    }
    ```
  }];
  let arguments = (ins Wax_Tensor:$query, Wax_Tensor:$key, Wax_Tensor:$value,
                       Optional<Wax_Tensor>:$mask, Optional<Wax_Tensor>:$bias,
                       Variadic<Index>:$sizes, Wax_DimMaps:$dims,
                       F64Attr:$scale, OptionalAttr<F64Attr>:$fill,
                       OptionalAttr<I64Attr>:$causal_dim,
                       OptionalAttr<I64Attr>:$causal_offset,
                       UnitAttr:$zero_unmatched, TypeAttr:$accumulator);
  let results = (outs Wax_Tensor:$result);
}

def Wax_TopKOp : Wax_RecognizedOp<"top_k"> {
  let summary = "the greatest elements along a dim, and where they are";
  let description = [{
    `values[…, n, …] = operand[…, p(n), …]`, `indices[…, n, …] = p(n)`

    where `n` counts along `dim`, and `p(0), p(1), …`, which depend on the other
    indices, are the indices along `dim` in the order of their elements, the
    greatest first; of equal elements the first one comes first. Integers are
    compared by their sign, or without one where `is_unsigned`; NaN counts as
    greater than all other floats and equal to NaN, and zeros are equal. How many
    there are is the results' size along `dim`.

    `gives` says for each result whether it is `"values"` or `"indices"`.

    Constraints:
    - (top_k_c1) `dim` lies in the operand's rank;
    - (top_k_c2) `gives` has an entry for each result, `"values"` or `"indices"`,
      and none twice;
    - (top_k_c3) the results have the operand's shape but along `dim`, where they
      have one static size, at most the operand's;
    - (top_k_c4) values have the operand's element type, and indices are integers;
    - (top_k_c5) elements are floats or integers.

    ```mlir
    %v, %i = wax.top_k (%a = %0) {dim = 1 : i64, gives = ["values", "indices"]}
        : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
      …
      wax.return %3, %4 : tensor<4x3xf32>, tensor<4x3xi32>
    }
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, Variadic<Index>:$sizes,
                       I64Attr:$dim, StrArrayAttr:$gives,
                       UnitAttr:$is_unsigned);
  let results = (outs Variadic<Wax_Tensor>:$outputs);
}

#endif // WAX_DIALECT_RECOGNIZEDOPS_TD
