//===- GPUPasses.td - Passes for IREE on GPUs --------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_GPUPASSES_TD
#define WAX_PASSES_GPUPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandUnsigned : Pass<"wax-expand-unsigned", "::mlir::ModuleOp"> {
  let summary = "divide unsigned integers by signed divisions";
  let description = [{
    IREE 3.13 does not translate unsigned division and remainder of vectors of
    one element to SPIR-V, which it makes of rows whose length is odd. Integers
    of up to 32 bits are divided as 64-bit ones, the dividend negated, as IREE
    divides unsigned where it sees that nothing is negative. Of 64 bits half the
    dividend is divided, and the quotient's last bit found by comparing; a
    divisor from 2^63 on goes into the dividend once or not at all.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %q = arith.divui %x, %y : i32
    ```
    becomes
    ```mlir
    %a = arith.extui %x : i32 to i64
    %b = arith.extui %y : i32 to i64
    %c = arith.subi %c0, %a : i64
    %d = arith.divsi %c, %b : i64
    %e = arith.subi %c0, %d : i64
    %q = arith.trunci %e : i64 to i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandScaling : Pass<"wax-expand-scaling", "::mlir::ModuleOp"> {
  let summary = "multiply and negate as GPUs can sum it";
  let description = [{
    For CUDA IREE 3.13 refuses sums along rows of what a constant or a row's
    number multiplies, "failed to distribute", since it makes a contraction of
    both and finds no layout for the factor, and those of what is negated,
    "failed to get neutral element", since it makes a difference of the sum. A
    product that is added to -0 is the same number and neither. Products of two
    elements that a reduction itself adds up stay as they are.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %y = arith.mulf %x, %c2 : f32
    %z = arith.negf %x : f32
    ```
    becomes
    ```mlir
    %n = arith.constant -0.0 : f32
    %y = math.fma %x, %c2, %n : f32
    %z = math.fma %x, %minus_one, %n : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def SplitReductions : Pass<"wax-split-reductions", "::mlir::ModuleOp"> {
  let summary = "give reductions with few results to all of a GPU";
  let description = [{
    A GPU computes each result of a reduction, each 128 columns of sums along
    columns, and each tile of a product in one workgroup, and most of it has
    nothing to do where these are few. Such reductions are done in parts first,
    of which there are some hundreds, and then the parts are combined in their
    order: `combine` allows it, and there is a neutral element to begin with.
    Rows, and what is summed up for products, are cut; of columns each part has
    every so manieth row, so that threads read side by side as before. Sizes
    that are not known, few elements, and reductions in order are left alone.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %1 = linalg.generic {… (i) -> (i), (i) -> () … addf} ins(%x : tensor<1048576xf32>) outs(%0 : tensor<f32>)
    ```
    becomes
    ```mlir
    %p = tensor.expand_shape %x [[0, 1]] : tensor<1048576xf32> into tensor<512x2048xf32>
    %s = linalg.generic {… (p, i) -> (p, i), (p, i) -> (p) … addf} ins(%p) outs(%zeros : tensor<512xf32>)
    %1 = linalg.generic {… (p) -> (p), (p) -> () … addf} ins(%s : tensor<512xf32>) outs(%0 : tensor<f32>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def TileForThreads : Pass<"wax-tile-for-threads", "::mlir::ModuleOp"> {
  let summary = "choose tiles of products for a GPU's workgroups and threads";
  let description = [{
    Marks products of f32 matrices whose sizes are known, and multiples of a
    workgroup's tile, with three lists of a number for each loop: a workgroup's
    tile, a thread's, and how far each goes along what is summed up before the
    next parts of both factors are copied into the workgroup's memory. What
    compiles the text for CUDA takes them (IREE 3.13 by itself copies nothing,
    and takes nine times as long); others leave them out. Rows of several dims,
    as a batch of sentences has, become one dim, where they are side by side.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    linalg.generic {…} ins(%a, %b : tensor<128x64xf32>, tensor<64x64xf32>) …
    ```
    becomes
    ```mlir
    linalg.generic {…} ins(%a, %b : tensor<128x64xf32>, tensor<64x64xf32>) …
        attrs = {thread_tiles = [array<i64: 64, 64, 0>, array<i64: 8, 8, 0>,
                                 array<i64: 0, 0, 16>]}
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

#endif // WAX_PASSES_GPUPASSES_TD
