//===- RaisingPasses.td - Passes that recognise operations -*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_RAISINGPASSES_TD
#define WAX_PASSES_RAISINGPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvolveWindows : Pass<"wax-convolve-windows"> {
  let summary = "turn sums of products of windows with kernels into convolutions";
  let description = [{
    A sum of products, of which one factor is elements of a `wax.window`, is a
    `wax.convolve` of what the windows are of, if all elements of a window are
    summed over, and the other factor, the kernel, has no index that counts
    windows. It is found as `wax-raise` finds products of matrices: whatever the
    order of dims and factors, and of however many operations. Indices that only
    the windowed tensor has are the batch, or what is summed with the windows is
    its features; those that only the kernel has are outs; those that both and
    the result have are groups of one feature each, where their sizes are
    static. Groups of several features stay products of matrices. Several indices
    of a kind become one dim, and again several in the result.

    What a convolution may do otherwise is the order of sums, and how wide they
    are held. NaN and infinities go where they went: nothing is padded here.
    Zeros that the program pads before are the convolution's own after
    `wax-simplify`.

    Where others read the windows or the products too, all stays as it is.
    Of the basis, what is computed for nobody goes. Run `inline`, `wax-simplify`
    and `cse` before.

    Needs: `basis`. Leaves: `basis`.

    ```mlir
    %w = wax.window %x dims [1] sizes [3] strides [2] dilations [1] : (tensor<2x9x4xf32>) -> tensor<2x4x4x3xf32>
    %p = wax.broadcast arith.mulf(%w[0, 1, 3, 4], %k[4, 3, 2]) : (tensor<2x4x4x3xf32>, tensor<3x4x5xf32>) -> tensor<2x4x5x4x3xf32>
    %r = wax.reduce arith.addf(%p) over [3, 4] init(%zero) : (tensor<2x4x5x4x3xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    ```
    becomes
    ```mlir
    %r = wax.convolve %x[b, 0, f], %k[0, i, o] to [b, 0, f] strides [2] low [0] high [0]
        : (tensor<2x9x4xf32>, tensor<3x4x5xf32>) -> tensor<2x4x5xf32>
    ```
  }];
  let options = [
    Option<"tellLines", "tell-lines", "bool", "false",
           "Whether each convolution that is made says, as `lines`, in "
           "which lines it was found">
  ];
  let dependentDialects = [
    "::mlir::wax::WaxDialect", "::mlir::tensor::TensorDialect"
  ];
}

def Raise : Pass<"wax-raise"> {
  let summary = "recognise what operations of the basis are together";
  let description = [{
    A product of matrices, a softmax, a normalization, attention and the
    greatest elements are found by what is computed: by the kernels, as
    expressions of elements, and by which elements they read. What reads
    elements elsewhere (transposes, broadcasts, reshapes that insert or drop
    dims of size 1) and how much one operation does makes no difference, nor
    does the order of operands that commute. Attention is looked for first,
    products of matrices last.

    An operation is recognised where all that it is made of is computed for it
    alone, but for constants and counters. Those are copied into it; the rest
    moves, and is put back by `wax-decompose`. Its location is that of the
    operation that gave the result, fused with those of all the others.

    Run `inline`, `wax-simplify` and `cse` before: nothing is looked for across
    calls, or across the borders of loops, branches and checkpoints.

    Needs: `basis`. Leaves: `recognized`.

    ```mlir
    %p = wax.broadcast arith.mulf(%x[0, 2], %w[2, 1]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5x8xf32>
    %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    ```
    becomes
    ```mlir
    %r = wax.contract (%a = %x, %b = %w) {accumulator = f32, dims = [array<i64: 0, 2>, array<i64: 2, 1>]}
        : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32> {
      %zero = wax.constant dense<0.0> : tensor<f32>
      %p = wax.broadcast arith.mulf(%a[0, 2], %b[2, 1]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5x8xf32>
      %s = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
      wax.return %s : tensor<4x5xf32>
    }
    ```
  }];
  let options = [
    ListOption<"wanted", "wanted", "std::string",
               "The names of operations to introduce, as `contract`; by "
               "default, all">
  ];
  let dependentDialects = ["::mlir::wax::WaxDialect"];
}

def Decompose : Pass<"wax-decompose"> {
  let summary = "put what recognised operations stand for in their place";
  let description = [{
    Undoes `wax-raise`, to the bit. Constants and counters that were copied are
    one again after `cse`.

    Needs: `recognized`. Leaves: `basis`.

    ```mlir
    %r = wax.contract (%a = %x, %b = %w) … {
      %p = wax.broadcast arith.mulf(%a[0, 2], %b[2, 1]) : …
      %s = wax.reduce arith.addf(%p) over [2] init(%zero) : …
      wax.return %s : tensor<4x5xf32>
    }
    ```
    becomes
    ```mlir
    %p = wax.broadcast arith.mulf(%x[0, 2], %w[2, 1]) : …
    %r = wax.reduce arith.addf(%p) over [2] init(%zero) : …
    ```
  }];
}

#endif // WAX_PASSES_RAISINGPASSES_TD
