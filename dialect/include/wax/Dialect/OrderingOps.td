//===- OrderingOps.td - elements put in order --------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_ORDERINGOPS_TD
#define WAX_DIALECT_ORDERINGOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_SortOp : Wax_KernelOp<"sort"> {
  let summary = "sorts along a dim, several operands by one order";
  let description = [{
    `result_k[…, i, …] = operand_k[…, p(i), …]`

    for every `k`, where `i` counts along `dim`, and `p`, which depends on the
    other indices, is the permutation that puts the elements in order: element
    `a` goes before element `b` if `comparator(a_0, b_0, a_1, b_1, …)` holds,
    and elements of which neither goes before the other stay in the order they
    are in. An element is what all operands have at one index.

    The comparator alone says what the order is, of NaN and of the zeros too. It
    should be a strict weak order. If it is none, `p` is still a permutation, the
    same at every run on one backend, and otherwise unspecified.

    Constraints:
    - (sort_c1) there is at least one operand;
    - (sort_c2) the operands have equal shapes;
    - (sort_c3) `dim` lies in the operands' rank;
    - (sort_c4) `comparator` takes each operand's element type twice, operand by
      operand, and yields one `i1`;
    - (sort_c5) the comparator holds only pure scalar operations of `arith`,
      `math` and `complex`.

    Gradient: cotangents go where their elements were, which a sorted counter
    tells.

    Batching: along the dim one further on; keys and values that have no batch are
    repeated.

    ```mlir
    %k, %v = wax.sort (%a, %b = %keys, %c, %d = %values) along 1
        : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
      %before = arith.cmpf olt, %a, %b : f32
      wax.yield %before : i1
    }
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Variadic<Wax_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$comparator);
  let hasCanonicalizer = 1;
}

#endif // WAX_DIALECT_ORDERINGOPS_TD
