//===- SpecialOps.td - Special functions of scalars --------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels may hold beside `arith`, `math` and `complex`: functions that
// upstream has no operation for, and that no short formula in its operations
// computes accurately. They stay whole until `wax-expand-math`, so that rules
// of differentiation and recognition see them by name. Every derivative is
// again in these functions, `arith` and `math`.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_SPECIALOPS_TD
#define WAX_DIALECT_SPECIALOPS_TD

include "wax/Dialect/WaxOpBase.td"

/// Narrower floats are computed in f32, and rounded once, by who writes the
/// kernel.
def Wax_SpecialElement : AnyTypeOf<[F32, F64]>;

class Wax_SpecialOp<string mnemonic>
    : Op<Wax_Dialect, mnemonic,
         [Wax_ScalarFunction, Pure, SameOperandsAndResultType]> {
  let results = (outs Wax_SpecialElement:$result);
  let hasFolder = 1;
}

class Wax_UnarySpecialOp<string mnemonic> : Wax_SpecialOp<mnemonic> {
  let arguments = (ins Wax_SpecialElement:$x);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

class Wax_BinarySpecialOp<string mnemonic> : Wax_SpecialOp<mnemonic> {
  let arguments = (ins Wax_SpecialElement:$a, Wax_SpecialElement:$x);
  let assemblyFormat = "$a `,` $x attr-dict `:` type($result)";
}

def Wax_LgammaOp : Wax_UnarySpecialOp<"lgamma"> {
  let summary = "logarithm of the absolute value of the gamma function";
  let description = [{
    `result = log |Γ(x)|`, `Γ(x) = ∫_0^∞ t^(x−1) e^(−t) dt` continued to the
    negative numbers.

    0, the negative integers and the infinities give +∞; NaN gives NaN; 1 and 2
    give +0. The derivative is `polygamma` of order 0.

    ```mlir
    %y = wax.lgamma %x : f32
    ```
  }];
}

def Wax_PolygammaOp : Wax_SpecialOp<"polygamma"> {
  let summary = "derivative of a given order of the digamma function";
  let description = [{
    `result = d^(order+1)/dx^(order+1) log Γ(x)`: the digamma function for order
    0, the trigamma function for order 1, and so on.

    At a negative integer the result is NaN for an even order, whose pole
    changes sign there, and +∞ for an odd one. At 0 it is the limit from the
    side that the zero's sign tells: for an even order −∞ at +0 and +∞ at −0,
    for an odd one +∞. At +∞ it is +∞ for order 0, else 0 with the sign of
    the approach, `(−1)^(order+1)`; at −∞ and NaN it is NaN. The derivative is
    `polygamma` of the next order.

    Constraints:
    - (polygamma_c1) `order` is from 0 to 16.

    ```mlir
    %y = wax.polygamma 1, %x : f32
    ```
  }];
  let arguments = (ins I64Attr:$order, Wax_SpecialElement:$x);
  let assemblyFormat = "$order `,` $x attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The greatest order: polynomials of the reflection grow with it.
    static constexpr int64_t maxOrder = 16;
  }];
}

def Wax_ErfInvOp : Wax_UnarySpecialOp<"erf_inv"> {
  let summary = "inverse of the error function";
  let description = [{
    `erf(result) = x`, `erf(y) = 2/√π ∫_0^y e^(−t²) dt`

    −1 gives −∞, 1 gives +∞; NaN and what lies outside of [−1, 1] give NaN; a
    zero gives itself. The derivative is `√π/2 · exp(result²)`.

    ```mlir
    %y = wax.erf_inv %x : f32
    ```
  }];
}

def Wax_ErfcInvOp : Wax_UnarySpecialOp<"erfc_inv"> {
  let summary = "inverse of the complementary error function";
  let description = [{
    `erfc(result) = x`, `erfc(y) = 1 − erf(y)`; for small `x` what `erf_inv` of
    `1 − x` has lost.

    A zero gives +∞, 2 gives −∞, 1 gives +0; NaN and what lies outside of
    [0, 2] give NaN. The derivative is `−√π/2 · exp(result²)`.

    ```mlir
    %y = wax.erfc_inv %x : f32
    ```
  }];
}

def Wax_IgammaOp : Wax_BinarySpecialOp<"igamma"> {
  let summary = "lower incomplete gamma function, regularized";
  let description = [{
    `result = P(a, x) = 1/Γ(a) ∫_0^x t^(a−1) e^(−t) dt`, for `a ≥ 0` and
    `x ≥ 0`.

    `P(a, 0)` and `P(∞, x)` are 0, `P(0, x)` and `P(a, ∞)` are 1, for `a` and
    `x` above 0 and finite. Both zero, both infinite, either negative or NaN
    give NaN. The derivative by `x` is `exp((a − 1) log x − x − lgamma(a))`;
    the derivative by `a` is none of these functions.

    ```mlir
    %y = wax.igamma %a, %x : f64
    ```
  }];
}

def Wax_IgammacOp : Wax_BinarySpecialOp<"igammac"> {
  let summary = "upper incomplete gamma function, regularized";
  let description = [{
    `result = Q(a, x) = 1 − P(a, x) = 1/Γ(a) ∫_x^∞ t^(a−1) e^(−t) dt`, accurate
    where it is small; defined where `igamma` is, and NaN with it. Its
    derivative by `x` is the opposite.

    ```mlir
    %y = wax.igammac %a, %x : f64
    ```
  }];
}

def Wax_I0eOp : Wax_UnarySpecialOp<"i0e"> {
  let summary = "modified Bessel function of order 0, scaled";
  let description = [{
    `result = e^(−|x|) I_0(x)`, `I_0(x) = 1/π ∫_0^π e^(x cos t) dt`

    An infinity gives 0, NaN gives NaN. The derivative is
    `i1e(x) − sign(x) · i0e(x)`.

    ```mlir
    %y = wax.i0e %x : f32
    ```
  }];
}

def Wax_I1eOp : Wax_UnarySpecialOp<"i1e"> {
  let summary = "modified Bessel function of order 1, scaled";
  let description = [{
    `result = e^(−|x|) I_1(x)`, `I_1` the derivative of `I_0`; an odd function.

    A zero gives itself, an infinity 0 with its sign, NaN gives NaN. The
    derivative is `i0e(x) − (sign(x) + 1/x) · i1e(x)`, and 1/2 at 0.

    ```mlir
    %y = wax.i1e %x : f32
    ```
  }];
}

#endif // WAX_DIALECT_SPECIALOPS_TD
