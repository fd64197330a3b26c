//===- CheckpointOps.td - what is computed again ------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What derivatives compute again instead of remembering it. These operations
// are transient: `wax-inline-checkpoints` puts what they do in their place, and
// lowering takes away the barriers.
//
//===----------------------------------------------------------------------===//

#ifndef WAX_DIALECT_CHECKPOINTOPS_TD
#define WAX_DIALECT_CHECKPOINTOPS_TD

include "wax/Dialect/WaxOpBase.td"

def Wax_SaveRules
    : TypedArrayAttrBase<StrArrayAttr,
                         "rules, each the name of one and what it is given">;

def Wax_CheckpointOp
    : Op<Wax_Dialect, "checkpoint", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "computes what derivatives will compute again";
  let description = [{
    Does what its body does, which sees the operands only. Its derivative
    computes the body again from the operands, and from those values of the body
    that one of the rules in `saving` says are kept:

    | rule | what is kept |
    |---|---|
    | `["everything"]` | every value, as if there were no checkpoint |
    | `["dots"]` | sums of products |
    | `["unbatched_dots"]` | those in which no dim of both factors is left |
    | `["names", "a", …]` | what `wax.name` calls so |
    | `["other_names", "a", …]` | what `wax.name` calls something else |
    | `["unnamed", "a", …]` | every value but what `wax.name` calls so |

    Where `recomputed` is given the body is such a derivative. Of the operands in
    those places it computes again what was computed already; compilers are kept
    from seeing that, unless `mergeable`.

    Constraints:
    - (checkpoint_c1) the body takes the operands;
    - (checkpoint_c2) the body gives the results;
    - (checkpoint_c3) each of `saving` is a rule of the table;
    - (checkpoint_c4) `recomputed` are places of operands.

    Gradient: a checkpoint that computes the body again, and then its gradient.

    Batching: the body's.

    Removed by: `wax-inline-checkpoints`.

    ```mlir
    %1 = wax.checkpoint (%a = %x, %b = %w) saving [["dots"]]
        : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
      %2 = wax.broadcast arith.mulf(%a[0], %b[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      wax.return %2 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Wax_SaveRules:$saving,
      OptionalAttr<DenseI64ArrayAttr>:$recomputed, UnitAttr:$mergeable);
  let results = (outs Variadic<Wax_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Wax_ReturnOp
    : Op<Wax_Dialect, "return", [Pure, ReturnLike, Terminator]> {
  let summary = "returns what a body computes";
  let description = [{
    Ends the body of a checkpoint, and the decomposition of a recognised
    operation.

    ```mlir
    wax.return %y : tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Wax_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
}

/// The operand, of the same type.
class Wax_SameOp<string mnemonic, list<Trait> traits = []>
    : Op<Wax_Dialect, mnemonic,
         !listconcat(
             [Pure, DeclareOpInterfaceMethods<ShapeRelationOpInterface>,
              DeclareOpInterfaceMethods<
                  ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
              Wax_InferTypes],
             traits)> {
  let hasVerifier = 1;
}

def Wax_NameOp : Wax_SameOp<"name"> {
  let summary = "a value that checkpoints know by a name";
  let description = [{
    `result = operand`, which the rules of the checkpoints around may speak of.

    Gradient: the cotangent, which has no name.

    Batching: the operation itself.

    Removed by: `wax-inline-checkpoints`.

    ```mlir
    %1 = wax.name %0 "attention" : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, StrAttr:$name);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat =
      "$operand $name attr-dict `:` functional-type(operands, results)";
}

def Wax_BarrierOp : Wax_SameOp<"barrier"> {
  let summary = "a value that compilers do not take for another";
  let description = [{
    `result = operand`, once `after` is there, where that is given. What is
    computed of the result is not merged with what is computed of the operand.

    Removed by: `wax-lower`. Upstream dialects have nothing like it, so that for
    them it is the operand.

    ```mlir
    %1 = wax.barrier %0 after %ct : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Wax_Tensor:$operand, Optional<Wax_Tensor>:$after);
  let results = (outs Wax_Tensor:$result);
  let assemblyFormat = [{
    $operand (`after` $after^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // WAX_DIALECT_CHECKPOINTOPS_TD
