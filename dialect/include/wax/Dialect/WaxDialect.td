//===- WaxDialect.td - The wax basis dialect ---------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_WAXDIALECT_TD
#define WAX_DIALECT_WAXDIALECT_TD

include "mlir/IR/OpBase.td"

def Wax_Dialect : Dialect {
  let name = "wax";
  let cppNamespace = "::mlir::wax";
  let summary = "A small closed basis of tensor operations";
  let description = [{
    Every tensor program is written in a dozen operations of four families:
    pointwise (`map`, `broadcast`), reductions (`reduce`), structural
    (`permute`, `reshape`, `slice`, …) and spectral. There is no `matmul`: a
    matmul is a `broadcast` that multiplies and a `reduce` that adds.

    **Values** are builtin ranked tensors, static or dynamic, of `i1`, `i8` …
    `i64` (signless), `f16`, `bf16`, `f32`, `f64`, `complex<f32>`,
    `complex<f64>`. Size 1 is never stretched: what has no dim is broadcast,
    what has a dim of size 1 keeps it.

    **Kernels** are the regions of the pointwise and reducing operations. They
    see scalars only, capture nothing, and are built from pure scalar
    operations of `arith`, `math` and `complex` that promise nothing of their
    operands (no `overflow`, `exact`, `nneg`, `nnan` or `ninf` flags), and from
    the special functions of wax (`lgamma`, `erf_inv`, …).

    **Scalar semantics are total.** Inside a kernel, and nowhere else, the
    operations that upstream leaves undefined for some inputs have one result:

    | operation | input | result |
    |---|---|---|
    | `arith.divsi`, `divui`, `floordivsi`, `ceildivsi`, `ceildivui`, `remsi`, `remui` | divisor 0 | 0 |
    | `arith.divsi`, `floordivsi`, `ceildivsi` | minimum ÷ −1 | minimum (wraps) |
    | `arith.remsi` | minimum rem −1 | 0 |
    | `arith.shli`, `shrui` | count ≥ width (read as unsigned) | 0 |
    | `arith.shrsi` | count ≥ width (read as unsigned) | 0 or −1, the sign |
    | `arith.fptosi`, `fptoui` | out of range, infinite | the nearest representable integer |
    | `arith.fptosi`, `fptoui` | NaN | 0 |
    | `arith.minimumf`, `maximumf` | a NaN among the operands | NaN; −0 orders below +0 |
    | `arith.minnumf`, `maxnumf` | one NaN | the other operand |
    | `math.absi` | minimum | minimum (wraps) |
    | `math.ipowi` | zero to a negative power | 0 |
    | `math.clampf` | low above high | high: `minimumf(maximumf(x, low), high)` |

    Integers otherwise wrap around. Floats follow IEEE 754 to the precision of
    the target; a multiplication and an addition may be contracted.

    **Sizes.** An operation says what it knows of sizes once, as relations
    between the dims of its operands, its size operands and its results
    (`ShapeRelation`). The verifier evaluates them over types, the lowering
    over SSA values, the frontend over symbolic dims.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  // Function attributes: `wax.symbols`, `wax.dims`, `wax.sign`, `wax.name` (see docs/calling-convention.md).
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 0;
}

#endif // WAX_DIALECT_WAXDIALECT_TD
