//===- SpectralOps.td - convolutions and transforms --------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of products whose fast forms are not sums of products of the basis.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_SPECTRALOPS_TD
#define WAX_DIALECT_SPECTRALOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_FftElement : AnyTypeOf<[F32, F64, Complex<F32>, Complex<F64>]>;
def Wax_FftTensor : Wax_TensorOf<[Wax_FftElement]>;

def Wax_FftOp : Wax_InferredOp<"fft"> {
  let summary = "discrete Fourier transform along dims";
  let description = [{
    Along the listed dims `d`, of sizes `n_d`,

    `result[…, k_d, …] = Σ_j operand[…, j_d, …] · exp(s · 2πi · Σ_d j_d · k_d / n_d)`

    with `s = −1`, or `s = +1` for `inverse`. Nothing is divided by the number
    of terms, in neither direction: `inverse` after forward multiplies by
    `Π n_d`. The other dims are a batch.

    - Complex operand, complex result: all of it.
    - Real operand: of the last listed dim, the half `k ≤ n / 2` that determines
      the rest, so that its size becomes `⌊n / 2⌋ + 1`.
    - Complex operand and `length n`: the real result of size `n` along the last
      listed dim, of which the operand holds that half, `n = length` odd or
      even. The elements left out are the complex conjugates of those at the
      negated indices. Along the other listed dims first a complex transform is
      made; then, for the last, imaginary parts that the symmetry says are zero,
      at `k = 0` and, for even `n`, at `k = n / 2`, are not read.

    A sum of no terms is 0: a real operand with nothing along its last listed
    dim gives zeros along a dim of size 1. What contains a NaN or an infinity
    along the listed dims transforms to NaNs, infinities and numbers, which is
    where is not stated; it leaves its neighbours along the other dims alone.
    Which zeros are negative is not stated.

    Each transform is linear, and its transpose is of the same `s`. Complex: it
    is its own transpose. Real operand: the transpose has `length n_d`, of an
    argument multiplied by ½ except at `k = 0` and `k = n / 2`. Real result: the
    transpose takes the real argument; its result is multiplied by 2 except
    there. With several dims the others' transforms join in as they are.

    Constraints:
    - (fft_c1) `dims` lists at least one of the operand's dims, each once;
    - (fft_c2) with `length` the operand is complex; it is not negative;
    - (fft_c3) sizes along the listed dims are static, and below 2³¹;
    - (fft_c4) with `length n` the operand has size `⌊n / 2⌋ + 1` along the
      last listed dim.

    Gradient: the transpose, as told above.

    Batching: over dims one further on.

    ```mlir
    %1 = wax.fft %0 over [1] : (tensor<?x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
    %2 = wax.fft inverse %1 over [1] : (tensor<?x8xcomplex<f32>>) -> tensor<?x8xcomplex<f32>>
    %4 = wax.fft %3 over [0, 1] : (tensor<6x9xf64>) -> tensor<6x5xcomplex<f64>>
    %5 = wax.fft inverse %4 over [0, 1] length 9 : (tensor<6x5xcomplex<f64>>) -> tensor<6x9xf64>
    ```
  }];
  let arguments = (ins Wax_FftTensor:$operand,
                       DenseI64ArrayAttr:$dims,
                       OptionalAttr<I64Attr>:$length,
                       UnitAttr:$inverse);
  let results = (outs Wax_FftTensor:$result);
  let assemblyFormat = [{
    (`inverse` $inverse^)? $operand `over` $dims (`length` $length^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Whether elements of the operand, or of the result, are real.
    bool hasRealOperand() {
      return !::llvm::isa<::mlir::ComplexType>(getOperand().getType().getElementType());
    }
    bool hasRealResult() { return getLength().has_value(); }
  }];
}

def Wax_ConvolveOp : Wax_InferredOp<"convolve"> {
  let summary = "slides a kernel over a tensor, summing products";
  let description = [{
    `result[b, o, p…] = Σ_{i, k…} x[B, F, p · strides + k · rhs_dilations] · rhs[i, o, k…]`,
    where `x` is `lhs` with `lhs_dilations − 1` zeros between its elements along
    each spatial dim, then `low` zeros before and `high` after; negative `low`
    and `high` crop, as in `wax.pad`. The kernel is not reversed.

    The dims of `lhs` and of the result are called `b` (batch), `f` (feature)
    and by the numbers of the spatial dims; those of `rhs` `i` (in), `o` (out)
    and likewise. Any order of dims, and any number of spatial dims.

    `B` and `F` are `b` and `i`, unless there are groups. With `G` feature
    groups, `F = g · size of i + i`, where `g = floor(o / (size of o / G))`: each
    group of outs sees its own features. With `G` batch groups,
    `B = g · size of b + b`, with the same `g`: each group of outs sees its own
    part of the batch, and the result's batch is `G` times smaller.

    The spatial sizes are those of `wax.window`, of windows that are as large as
    the kernel: `max(0, floor((n − span) / stride) + 1)` with `n` the size of
    `x` and `span = (k − 1) · rhs_dilation + 1`.

    Elements are converted to the result's element type, integers as signed, and
    multiplied and added in it. Integers wrap. Floats are summed in any order,
    and sums may be held wider than the type; the zeros between and around
    elements are factors like all others, so that `0 · ∞` is NaN. A sum of
    nothing is 0.

    The set of convolutions is closed under transposition. The transpose in
    `rhs` convolves `lhs` with the result's cotangent: `b` and `f` change roles
    in `lhs`, `b` and `f` of the cotangent are `i` and `o`, strides and
    `rhs_dilations` change places, and so do feature and batch groups. The
    transpose in `lhs` convolves the cotangent with the reversed `rhs`, whose
    `i` and `o` change roles, of each group for itself: strides and
    `lhs_dilations` change places, and `low` becomes `span − 1 − low`; feature
    groups stay, and of batch groups feature groups become, which a permute
    moves from the result's `f` to its `b`.

    Constraints:
    - (convolve_c1) the operands have equal ranks, at least 2, and `lhs_dims`,
      `rhs_dims` and `result_dims` name each dim once;
    - (convolve_c2) `strides`, `low`, `high`, `lhs_dilations` and
      `rhs_dilations` have one entry per spatial dim;
    - (convolve_c3) strides, dilations and groups lie between 1 and 2³¹ − 1,
      `low` and `high` between 1 − 2³¹ and 2³¹ − 1;
    - (convolve_c4) feature groups and batch groups are not both more than 1;
    - (convolve_c5) `lhs` has as many features as `rhs` has ins, times the
      feature groups;
    - (convolve_c6) the size of `o`, and that of the batch of `lhs`, are
      multiples of the groups that they are divided into;
    - (convolve_c7) no spatial dim of `lhs` becomes negative by cropping, and
      `x` has at most 2⁴⁷ elements, whatever sizes that are dynamic are;
    - (convolve_c8) a dynamic spatial dim of `lhs` that is dilated has at least
      one element; and where it or the kernel's dim is dynamic, `x` has at least
      `span − stride` elements along it;
    - (convolve_c9) the operands have one element type, which is not `i1`; the
      result's is the same, or a wider one of the same kind.

    Gradient: the transposes, as told above, where all sizes but the batch's
    are static.

    Batching: the batch becomes part of the operation's own batch, where only the
    left side has one; of the result's features, where only the kernel has; of
    the groups, where both have one, whose size is static then.

    ```mlir
    %1 = wax.convolve %x[b, 0, 1, f], %w[0, 1, i, o] to [b, 0, 1, f]
        strides [2, 2] low [1, 1] high [1, 1]
        : (tensor<?x32x32x16xf32>, tensor<3x3x16x8xf32>) -> tensor<?x16x16x8xf32>
    %2 = wax.convolve %y[b, f, 0], %v[o, i, 0] to [b, f, 0] strides [1] low [0] high [0]
        lhs_dilations [2] rhs_dilations [3] feature_groups 4
        : (tensor<1x8x9xf16>, tensor<12x2x5xf16>) -> tensor<1x12x5xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$lhs,
                       Wax_Tensor:$rhs,
                       DenseI64ArrayAttr:$lhs_dims,
                       DenseI64ArrayAttr:$rhs_dims,
                       DenseI64ArrayAttr:$result_dims,
                       DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high,
                       DenseI64ArrayAttr:$lhs_dilations,
                       DenseI64ArrayAttr:$rhs_dilations,
                       I64Attr:$feature_groups,
                       I64Attr:$batch_groups,
                       TypeAttr:$element);
  let results = (outs Wax_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Which dim is the batch (of `lhs` or the result) or the ins (of `rhs`),
    /// which the features or the outs, and which the spatial ones: the entries
    /// of `lhs_dims`, `rhs_dims` and `result_dims`, in this order.
    enum DimRole : unsigned { kBatch = 0, kIn = 0, kFeature = 1, kOut = 1, kSpatial = 2 };
  }];
}

#endif // WAX_DIALECT_SPECTRALOPS_TD
