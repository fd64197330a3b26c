//===- DispatchPasses.td - Passes over IREE's dispatches ---*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_DISPATCHPASSES_TD
#define WAX_PASSES_DISPATCHPASSES_TD

include "mlir/Pass/PassBase.td"

def SinkEmpties : Pass<"wax-sink-empties", "::mlir::ModuleOp"> {
  let summary = "give each dispatch its own empty tensors";
  let description = [{
    What a dispatch fills becomes its result's memory if it begins as an empty
    tensor there. One from outside, where common ones are merged, is an operand,
    and would be copied to the dispatch's stack.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %0 = tensor.empty() : tensor<4xf32>
    %1 = "flow.dispatch.region"() ({
      %2 = scf.for … iter_args(%3 = %0) …
    ```
    becomes
    ```mlir
    %1 = "flow.dispatch.region"() ({
      %0 = tensor.empty() : tensor<4xf32>
      %2 = scf.for … iter_args(%3 = %0) …
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def KeepDispatchResults : Pass<"wax-keep-dispatch-results", "::mlir::ModuleOp"> {
  let summary = "keep all results of dispatches that have several";
  let description = [{
    IREE takes results that nothing needs away from a dispatch. The loops inside
    may still work in such a tensor, as a sort does by keys that are not asked
    for, and would get it on the stack of the workgroup, where it has no room. A
    barrier reads each result here: what is needed, IREE finds out later. A
    dispatch with one result goes as a whole if that is not needed.

    Four faults of IREE 3.13 are kept away besides: what follows a dispatch that
    has several results and reads no tensor, or only elements that IREE reads
    before it, reads the barriers, as IREE would make such a dispatch anew and
    mistake its results, and one that depends on
    constants only, however far they are, is given a size or a tensor behind a
    barrier, as IREE would run it while it compiles or once for all calls, with
    the same mistake; so is a complex number that is made of two constants, or is
    one and computed with; and what only widens elements, or is made of no tensor,
    is kept apart where a dispatch reads it, as IREE would draw it into the
    dispatch: as one of its own, or, where it would be made with something that is
    summed up, or is made of no tensor, behind a barrier. At that the host waits,
    and memory that is needed before it and behind it is taken anew; but IREE
    copies a dispatch that reads no tensor to those who read it, and where they
    are three and may not be moved, it leaves one without. A pad around a pad, or
    around what is scattered to, reads that through a barrier too: IREE would make
    one dispatch of both, and not deal it to workgroups. Nor does it a sum over windows
    of open sizes that begins with complex numbers which a nest makes of their
    parts: that begins with a filled tensor.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({…}, {}) : () -> (tensor<8xf32>, tensor<8xi32>)
    return %0#1 : tensor<8xi32>
    ```
    becomes
    ```mlir
    %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({…}, {}) : () -> (tensor<8xf32>, tensor<8xi32>)
    %1 = "util.optimization_barrier"(%0#0) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = "util.optimization_barrier"(%0#1) : (tensor<8xi32>) -> tensor<8xi32>
    return %0#1 : tensor<8xi32>
    ```
  }];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def OutlineDispatches : Pass<"wax-outline-dispatches", "::mlir::ModuleOp"> {
  let summary = "make executables of dispatches";
  let description = [{
    IREE goes through a program with a hundred passes before it cuts dispatches out
    of it, and only then sees that the layers of a network are alike. A dispatch of
    loops is cut out here: an executable has its body as a function of the tensors
    that it reads and those that it writes, once for all dispatches that do the same.
    IREE takes no results away from it, so barriers that kept them go: at each the
    host would wait.

    Open sizes, and other indices that the host computes, are numbers of two words.

    Left to IREE are dispatches that update what they are given in place, that have
    `linalg` in them, or read what IREE would draw into them, such as a slice of which
    the rows lie apart; what depends on constants only, which IREE does once for all
    calls; elements that the host reads; elements that are not bytes, or complex;
    dispatches that count their workgroups by what they compute, read no tensor, or
    are given more than 16 tensors or 32 numbers. With `alone` those that depend on
    constants only, or read no tensor, are cut out too.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %1 = "flow.dispatch.region"() ({
      %2 = tensor.empty() : tensor<4xf32>
      %3 = scf.for … iter_args(%4 = %2) … // reads %x
      "flow.return"(%3) : (tensor<4xf32>) -> ()
    ```
    becomes
    ```mlir
    "flow.executable"() <{sym_name = "loops_0", sym_visibility = "private"}> ({
      "flow.executable.export"() <{function_ref = @loops_0, sym_name = "loops_0"}> …
      module {
        func.func @loops_0(%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>,
                           %y: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) …
    …
    %1 = "flow.dispatch"(%x) <{entry_points = [@loops_0::@loops_0], …}> : (tensor<8xf32>) -> tensor<4xf32>
    ```
  }];
  let options = [
    Option<"alone", "alone", "bool", "false",
           "Whether no loops are to be left for IREE, few as they are">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREETensorExtDialect"
  ];
}

#endif // WAX_PASSES_DISPATCHPASSES_TD
