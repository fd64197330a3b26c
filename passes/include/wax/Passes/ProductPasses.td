//===- ProductPasses.td - Products for IREE on CPUs --------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PRODUCTPASSES_TD
#define WAX_PASSES_PRODUCTPASSES_TD

include "mlir/Pass/PassBase.td"

def DelayDivisions : Pass<"wax-delay-divisions", "::mlir::ModuleOp"> {
  let summary = "divide a softmax after its product with values";
  let description = [{
    Where a sum of products, over keys, has a softmax over these keys as a factor,
    each weight is divided by the sum of its row. Here the results are, which are
    fewer: `Σ_j (e[i, j] / s[i]) v[j, d]` becomes `(Σ_j e[i, j] v[j, d]) / s[i]`.
    It is found as `wax-raise` finds attention, by elements, whatever the order of
    dims and factors, and of however many operations; rows without a key are what
    they were.

    Exponentials are multiplied by the power of 2 that is the reciprocal of the
    number of keys, or next below it. So a row is the same but for one factor of 1
    at most: its sums of products do not overflow where those of weights do not.

    It is done where nothing else reads the weights, the exponentials or their
    sums, as a derivative does; and where results are known to be fewer than
    weights. Where weights are rounded to half floats before they are multiplied,
    or multiplied in these, all stays as it is.

    Run `inline`, `wax-simplify` and `cse` before: nothing is looked for across
    calls, or across the borders of loops and branches.

    Needs: `basis`. Leaves: the same.

    ```mlir
    %e = wax.broadcast (%a = %x[0, 1], %b = %max[0]) : … {
      %0 = arith.subf %a, %b : f32
      %1 = math.exp %0 : f32
      wax.yield %1 : f32
    }
    %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %w = wax.broadcast arith.divf(%e[0, 1], %s[0]) : (tensor<512x512xf32>, tensor<512xf32>) -> tensor<512x512xf32>
    %p = wax.broadcast arith.mulf(%w[0, 2], %v[2, 1]) : (tensor<512x512xf32>, tensor<512x64xf32>) -> tensor<512x64x512xf32>
    %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<512x64x512xf32>, tensor<f32>) -> tensor<512x64xf32>
    ```
    becomes
    ```mlir
    %e = wax.broadcast (%a = %x[0, 1], %b = %max[0]) : … {
      %c = arith.constant 0.001953125 : f32
      %0 = arith.subf %a, %b : f32
      %1 = math.exp %0 : f32
      %2 = arith.mulf %1, %c : f32
      wax.yield %2 : f32
    }
    %s = wax.reduce arith.addf(%e) over [1] init(%zero) : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %p = wax.broadcast arith.mulf(%e[0, 2], %v[2, 1]) : (tensor<512x512xf32>, tensor<512x64xf32>) -> tensor<512x64x512xf32>
    %m = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<512x64x512xf32>, tensor<f32>) -> tensor<512x64xf32>
    %r = wax.broadcast arith.divf(%m[0, 1], %s[0]) : (tensor<512x64xf32>, tensor<512xf32>) -> tensor<512x64xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::wax::WaxDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def BlockScores : Pass<"wax-block-scores", "::mlir::ModuleOp"> {
  let summary = "compute attention by blocks of queries";
  let description = [{
    Attention makes a score for each query and key, `softmax(q kᵀ) v`. All of them
    are written and read by each operation, and are in no cache near by where there
    are many. So where scores are sums of products, are folded along keys, and are
    then multiplied, all that makes or reads as many elements as there are scores
    goes into a loop over blocks of queries, and of heads where few heads' queries
    are enough.

    A block's scores take `block-bytes`, and it has 128 queries of a head at least, or
    256 where these are few enough. Blocks have the same number of queries, of which
    the last one may compute some of the one before again. All scores take 4 MiB at
    least; where sizes of batches are open, those of one element 512 KiB, and a block
    is of one. Where queries or keys are open, the program chooses how many heads,
    batches and queries a block has. Scores that anything else reads, as a derivative
    does, stay whole. Each element is computed as it was before.

    Where a softmax is multiplied, and its scores are negative infinity for keys after
    a query's own place, `j ≤ i + c`, a block has no more keys than its last query
    sees: the weights of others are 0. Where a value is infinite or not a number, which
    0 does not leave out, the blocks of that call have all keys. What is computed of
    counters alone, as masks are, each block counts again.

    Needs: `basis`. Leaves: the same.

    ```mlir
    %1 = wax.broadcast arith.mulf(%q[0, 1, 3], %k[0, 2, 3]) : … -> tensor<8x1024x1024x64xf32>
    %s = wax.reduce arith.addf(%1) over [3] init(%zero) : … -> tensor<8x1024x1024xf32>
    …
    %o = wax.reduce arith.addf(%5) over [3] init(%zero) : … -> tensor<8x1024x64xf32>
    ```
    becomes
    ```mlir
    %o = scf.for %i = %c0 to %c16 step %c1 iter_args(%all = %zeros) -> (tensor<8x1024x64xf32>) {
      %begin = arith.muli %place, %c256 : index
      %block = wax.slice %q offsets [%head, %begin, 0] sizes [2, 256, 64] strides [1, 1, 1] : …
      %keys = wax.slice %k offsets [%head, 0, 0] sizes [2, 1024, 64] strides [1, 1, 1] : …
      %1 = wax.broadcast arith.mulf(%block[0, 1, 3], %keys[0, 2, 3]) : … -> tensor<2x256x1024x64xf32>
      …
      %next = wax.insert %6 into %all offsets [%head, %begin, 0] strides [1, 1, 1] : …
      scf.yield %next : tensor<8x1024x64xf32>
    }
    ```
  }];
  let options = [
    Option<"blockBytes", "block-bytes", "int64_t", "2 << 20",
           "What the scores of a block take in memory">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def TileProducts : Pass<"wax-tile-products", "::mlir::ModuleOp"> {
  let summary = "multiply matrices in blocks, by vectors";
  let description = [{
    IREE 3.13 copies both factors of a product into tiles before it multiplies, and
    goes through all of them for each tile of the result. Here a sum of products
    becomes a dispatch in which a panel of one factor stays in the nearest cache
    while rows of the other one go by, in whatever order the factors' dims are. The
    latter is rearranged before where that pays. bf16 and f16 are multiplied in f32,
    and so are bytes that are summed up in i32: 256 products are exact. A copy of
    the result to another order of dims is where the result is written at once.
    Convolutions are products whose rows overlap. Maps that read the result, and
    that nobody else reads but their last one, are done with a tile's rows while
    these are in the nearest cache: a bias, an activation, a residual. Something is
    known to be summed up, and where that takes several panels they make elements of
    the sums' type; else of any, such as a product of bf16 that is rounded to it.
    Of a factor that is the same in all calls a dispatch before makes all panels,
    which `wax-prepare-captured` has made once.

    With AVX-512 tiles have four registers of 64 bytes in a row, and what is left of
    columns is read and written under masks. With dot products a lane multiplies
    words: two elements of bf16, or four bytes, of which those of one factor are
    raised by 128 where all are signed, and that is subtracted again, exactly. With
    AVX2 alone, and of unsigned bytes of both factors, a word is two bytes that are
    widened to 16 bits. What is left over of a word is 0. Several dims that are
    summed up, and convolutions, are multiplied element by element.

    Products of few rows, columns or elements stay, and those whose result has a
    dim last that both factors have, or whose second factor has one last that it
    shares with the result's other dims.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %c = linalg.generic {…} ins(%a, %b : tensor<120x64xf32>, tensor<64x96xf32>) …
    ```
    becomes
    ```mlir
    %c = "flow.dispatch.region"() … {
      %1 = scf.forall (%block) in (2) shared_outs(%whole = %0) -> (tensor<120x96xf32>) {
        … // for 4 times 16 columns
          %panel = scf.for … // 64x16 elements of %b
          scf.for … step %c6 … { // 6 rows of %a
            %sums = scf.for … iter_args(%sum = %zeros) -> (vector<6x16xf32>) {
    ```
  }];
  let options = [
    Option<"processor", "processor", "::mlir::wax::Processor",
           "::mlir::wax::Processor::Any", "What the CPU has",
           [{::mlir::wax::getProcessorValues()}]>,
    Option<"captured", "captured", "unsigned", "0",
           "How many of the entry's last arguments are the same in all calls">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREELinalgExtDialect"
  ];
}

def WidenContractions : Pass<"wax-widen-contractions", "::mlir::ModuleOp"> {
  let summary = "multiply matrices of bf16 in f32";
  let description = [{
    IREE 3.13 has no fast code for products of bf16 matrices on processors
    without instructions for them: it takes 6 to 45 times as long as for f32,
    and with such instructions as long as for f32. So operands
    that are read in f32 are written down in f32 first, exactly. Products with
    one row or column read each element once, and stay.

    Needs: `upstream` or `iree`. Leaves: the same.

    ```mlir
    %c = linalg.generic {…} ins(%a, %b : tensor<8x4xbf16>, tensor<4x8xbf16>) … {
    ^bb0(%x: bf16, %y: bf16, %z: f32):
      %0 = arith.extf %x : bf16 to f32
      %1 = arith.extf %y : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      …
    ```
    becomes
    ```mlir
    %wide = linalg.generic {…} ins(%a : tensor<8x4xbf16>) … {
    ^bb0(%x: bf16, %z: f32):
      %0 = arith.bitcast %x : bf16 to i16
      %1 = arith.extui %0 : i16 to i32
      %2 = arith.shli %1, %c16 : i32
      %3 = arith.bitcast %2 : i32 to f32
      linalg.yield %3 : f32
    } -> tensor<8x4xf32>
    …
    %c = linalg.generic {…} ins(%wide, %wide_1 : …) … {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %0 = arith.mulf %x, %y : f32
      …
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SlideWindows : Pass<"wax-slide-windows", "::mlir::ModuleOp"> {
  let summary = "sum up windows along whose last dim nothing is, by vectors";
  let description = [{
    IREE 3.13 reads each element as often as windows have it, in vectors of few
    lanes or none, and writes what is padded first. Here a depthwise convolution
    becomes a dispatch of vectors along its features, which makes the sums of four
    places next to each other at once, and reads of what is padded what is there.
    So do means and maxima of windows, and others that a user's kernel combines,
    if all that is read has the same last dim, of eight elements at least and a
    known size, and windows have no more than 81 points.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = linalg.generic … ins(%x, %w : tensor<1x22x22x32xf32>, tensor<3x3x32xf32>)
    // becomes
    %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      … // rows, dealt to workgroups
        scf.for %place = … step %c4
          scf.for %f = %c0 to %c32 step %c16
            %x0 = vector.transfer_read %x[%c0, %row, %place, %f], … : tensor<1x20x20x32xf32>, vector<16xf32>
            %w0 = vector.transfer_read %w[%c0, %c0, %f], … : tensor<3x3x32xf32>, vector<16xf32>
            … // 18 of one, 9 of the other, 36 products
            vector.transfer_write %sum0, %part[%i, %place, %f] : vector<16xf32>, tensor<?x20x32xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect",
    "::mlir::wax::iree::IREEFlowDialect", "::mlir::wax::iree::IREELinalgExtDialect"
  ];
}

#endif // WAX_PASSES_PRODUCTPASSES_TD
