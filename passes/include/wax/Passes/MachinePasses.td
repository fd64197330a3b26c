//===- MachinePasses.td - Passes to machine code -----------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_MACHINEPASSES_TD
#define WAX_PASSES_MACHINEPASSES_TD

include "mlir/Pass/PassBase.td"

def LowerExecutables : Pass<"wax-lower-executables", "::mlir::ModuleOp"> {
  let summary = "lower the functions of executables to LLVM's dialect";
  let description = [{
    A function of an executable (`wax-outline-dispatches`) takes tensors of a
    dispatch and words, and ends with the tensors that it writes. It becomes one
    of a workgroup's number, of where each tensor begins in memory, and of the
    words, which does the iterations that are dealt to that workgroup. Its loops
    work in the memory that they are given, and on the stack where they need
    more: no more than IREE lets a workgroup have, and of known sizes.

    Needs: functions of executables alone. Leaves: the dialect `llvm`.

    ```mlir
    func.func @loops_0(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>,
                       %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
    ```
    becomes
    ```mlir
    llvm.func @loops_0(%arg0: i64, %arg1: !llvm.ptr, %arg2: !llvm.ptr) {
    ```
  }];
}

#endif // WAX_PASSES_MACHINEPASSES_TD
