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

#endif // WAX_DIALECT_SPECTRALOPS_TD
