//===- ReduceOps.td - reductions and scans -----------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_REDUCEOPS_TD
#define WAX_DIALECT_REDUCEOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_ReduceOp : Wax_KernelOp<"reduce", [AttrSizedOperandSegments]> {
  let summary = "folds dims away, several operands and accumulators at once";
  let description = [{
    `acc = init; for each index along dims, in row-major order: acc = fold(operand_0[…], …, acc_0, …); result = acc`

    The `fold` kernel takes one scalar per operand, then one per accumulator,
    and yields the accumulators. With a `combine` kernel
    `(acc…, acc…) → acc…`, the reduction may be split, reordered and run in
    parallel, any number of parts each starting from `init` and joined by
    `combine`: `init` must then be an identity of `combine`. Without it the
    order is the row-major order. A reduction of no element gives `init`.

    Constraints:
    - (reduce_c1) there is at least one operand and one accumulator;
    - (reduce_c2) the operands have equal shapes;
    - (reduce_c3) `dims` are distinct, increasing, and lie in the operands'
      rank;
    - (reduce_c4) `fold` takes the operands' element types, then the
      accumulators', and yields the accumulators';
    - (reduce_c5) `combine`, if any, takes the accumulators' element types
      twice, and yields them once;
    - (reduce_c6) the kernels hold only pure scalar operations of `arith`,
      `math` and `complex`, and special functions.

    A fold that is one operation over (element, accumulator), with the same
    operation as combine, may be written by its name; `ordered` before the
    name says that there is no combine.

    Gradient: where the fold adds, the cotangent along the dims, multiplied by
    the derivative of what is added. Of a maximum or minimum of floats, equal
    shares for all elements that are the result. Of any other fold, by a scan
    of accumulators and one of cotangents, backward; not by `init`.

    Batching: over dims one further on. Where `init` differs between rows, it
    comes with the elements, and one more accumulator tells whether it has been
    taken.

    ```mlir
    %1 = wax.reduce arith.addf(%0) over [1] init(%zero)
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %m, %i = wax.reduce (%x = %0, %n = %iota) over [1] init(%best = %low, %at = %none)
        : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>) {
      %more = arith.cmpf ogt, %x, %best : f32
      %v = arith.select %more, %x, %best : f32
      %k = arith.select %more, %n, %at : i32
      wax.yield %v, %k : f32, i32
    }
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$inputs,
                       Variadic<Wax_Scalar>:$inits,
                       DenseI64ArrayAttr:$dims);
  let results = (outs Variadic<Wax_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$fold,
                        MaxSizedRegion<1>:$combine);
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$inits,
                   "::llvm::ArrayRef<int64_t>":$dims,
                   "::mlir::wax::KernelBody":$fold,
                   CArg<"::mlir::wax::KernelBody", "{}">:$combine)>
  ];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool hasCombine() { return !getCombine().empty(); }
  }];
}

def Wax_ScanOp : Wax_KernelOp<"scan", [AttrSizedOperandSegments]> {
  let summary = "all prefixes of a fold along a dim";
  let description = [{
    `acc = init; for i from 0: acc = fold(operand_0[…, i, …], …, acc_0, …); result[…, i, …] = acc`

    where `i` counts along `dim`, up, or down from the last element with
    `reverse`. With `exclusive` a result element is the accumulator before its
    own element is folded in: the first is `init`. Each accumulator has a result
    of the operands' shape and of its own element type.

    The kernels are those of `wax.reduce`. With a `combine` kernel
    `(acc…, acc…) → acc…`, the elements may be dealt to any number of parts of
    neighbours, each scanned from `init`, and what comes before a part joined to
    its prefixes by `combine`, the earlier elements on the left: `init` must
    then be an identity of `combine`. Without it the elements are folded one by
    one.

    Constraints:
    - (scan_c1) there is at least one operand and one accumulator;
    - (scan_c2) the operands have equal shapes;
    - (scan_c3) `dim` lies in the operands' rank;
    - (scan_c4) `fold` takes the operands' element types, then the
      accumulators', and yields the accumulators';
    - (scan_c5) `combine`, if any, takes the accumulators' element types twice,
      and yields them once;
    - (scan_c6) the kernels hold only pure scalar operations of `arith`, `math`
      and `complex`.

    A fold that has a name is written as that of `wax.reduce`.

    Gradient: where the fold adds, the scan of the cotangent from the other end.
    Of any other fold, by a scan of accumulators and one of cotangents, from the
    other end; not by `init`.

    Batching: along the dim one further on; `init` as for `reduce`.

    ```mlir
    %1 = wax.scan arith.addf(%0) along 1 init(%zero)
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = wax.scan (%x = %0) along 0 exclusive reverse init(%acc = %zero)
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32> {
      %half = arith.mulf %acc, %x : f32
      %next = arith.addf %half, %x : f32
      wax.yield %next : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$inputs,
                       Variadic<Wax_Scalar>:$inits,
                       I64Attr:$dim,
                       UnitAttr:$exclusive,
                       UnitAttr:$reverse);
  let results = (outs Variadic<Wax_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$fold,
                        MaxSizedRegion<1>:$combine);
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool hasCombine() { return !getCombine().empty(); }
  }];
}

#endif // WAX_DIALECT_REDUCEOPS_TD
