//===- CPUPasses.td - Passes for IREE on CPUs --------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_CPUPASSES_TD
#define WAX_PASSES_CPUPASSES_TD

include "mlir/Pass/PassBase.td"

def FuseSiblings : Pass<"wax-fuse-siblings", "::mlir::ModuleOp"> {
  let summary = "read what several reductions read once for all of them";
  let description = [{
    A reduction by vectors is a dispatch of its own, which nothing else is fused
    with. So reductions of a block become one with the accumulators of all of
    them, up to eight, if they fold the same dims of tensors of one shape, and read
    one tensor in memory, themselves or by pointwise operations that vectors do in
    place. What such operations make for several of them is made in place, too.

    The reduction stands where the first one stood, and what the others need is
    moved there: pointwise operations, constants and sizes only. So no reduction
    needs another one's result. Each accumulator is folded as it was.

    Folds without `combine`, rows and columns of less than eight elements, tensors
    of 4096 elements and less, and terms of products of matrices stay, and so does
    what reads what vectors cannot make, but IREE makes in the same dispatch, such
    as functions of `math`.

    Needs: `basis`. Leaves: the same.

    ```mlir
    %s = wax.reduce arith.addf(%x) over [1] init(%zero) : … -> tensor<64xf32>
    %1 = wax.broadcast arith.mulf(%x[0, 1], %x[0, 1]) : … -> tensor<64x1000xf32>
    %q = wax.reduce arith.addf(%1) over [1] init(%zero) : … -> tensor<64xf32>
    ```
    becomes
    ```mlir
    %1 = wax.broadcast arith.mulf(%x[0, 1], %x[0, 1]) : … -> tensor<64x1000xf32>
    %s, %q = wax.reduce (%a = %x, %b = %1) over [1] init(%p = %zero, %r = %zero) : … {
      %2 = arith.addf %a, %p : f32
      %3 = arith.addf %b, %r : f32
      wax.yield %2, %3 : f32, f32
    } combine …
    ```
  }];
}

def ExpandBFloat16 : Pass<"wax-expand-bfloat16", "::mlir::ModuleOp"> {
  let summary = "round to bf16 by integer arithmetic";
  let description = [{
    On processors without instructions for it, IREE 3.13 leaves rounding to bf16
    to a function that it does not link; and where there is one, it takes
    subnormal numbers for 0. So it is written as arithmetic on bits. What
    computes in bf16 does so in f32, of whose results each is rounded, unless it
    is one of the operands, or an integer. Numbers are rounded once, whatever they come from: what f32 cannot hold of an f64 is
    left there as an odd last bit, and what f64 cannot of an integer as well.

    Needs: `upstream` or `iree`. Leaves: the same.

    ```mlir
    %z = arith.addf %x, %y : bf16
    ```
    becomes
    ```mlir
    %a = arith.extf %x : bf16 to f32
    %b = arith.extf %y : bf16 to f32
    %c = arith.addf %a, %b : f32
    %d = arith.bitcast %c : f32 to i32
    %e = arith.shrui %d, %c16 : i32
    %f = arith.andi %e, %c1 : i32
    %g = arith.addi %f, %c0x7fff : i32
    %h = arith.addi %d, %g : i32
    %i = arith.shrui %h, %c16 : i32
    // … unless it is NaN
    %j = arith.trunci %i : i32 to i16
    %z = arith.bitcast %j : i16 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def PadRows : Pass<"wax-pad-rows", "::mlir::ModuleOp"> {
  let summary = "write what is padded row by row, by vectors";
  let description = [{
    IREE 3.13 writes the number to the whole of a `tensor.pad` first, and then
    copies what it stands around in pieces. Here a dispatch writes each row once:
    what stands before, a row of the operand, what stands behind; or the number
    alone. Dims after the last one that is padded are of its rows. Not one of
    fewer than 4096 elements, nor a single row, nor booleans; with `alone` a single
    row of as many elements stays.

    Needs: `iree`. Leaves: the same.

    ```mlir
    %p = tensor.pad %x low[1, 1] high[1, 1] { … } : tensor<1000x1000xf32> to tensor<1002x1002xf32>
    ```
    becomes a `flow.dispatch.region`.
  }];
  let options = [
    Option<"alone", "alone", "bool", "false",
           "Whether no loops are to be left for IREE, few as they are">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect", "::mlir::wax::iree::IREEFlowDialect",
                           "::mlir::wax::iree::IREELinalgExtDialect"];
}

def ShortFolds : Pass<"wax-short-folds", "::mlir::ModuleOp"> {
  let summary = "fold few elements one after the other, and few columns as more";
  let description = [{
    Vectors along rows of two to four elements would be mostly empty, and so
    would vectors of fewer than 16 columns. Where there are 4096 rows, their
    first elements, their second ones and so on become tensors, which a join
    folds: vectors of rows. Not where rows are needed again, nor what a join
    makes, nor into bf16 and f16. Where few columns are folded as they lie, and in
    any order, rows that follow each other are taken together as one, and what
    becomes of these is folded at the end.

    Needs: `basis`. Leaves: the same.

    ```mlir
    %m = wax.reduce arith.maximumf(%x) over [0] init(%low) : (tensor<6400x3xf32>, tensor<f32>) -> tensor<3xf32>
    ```
    becomes
    ```mlir
    %wide = wax.reshape %x [[0, 1]] into [[0, 1]] : (tensor<6400x3xf32>) -> tensor<200x96xf32>
    %0 = wax.reduce arith.maximumf(%wide) over [0] init(%low) : (tensor<200x96xf32>, tensor<f32>) -> tensor<96xf32>
    %1 = wax.reshape %0 [[0]] into [[0, 1]] : (tensor<96xf32>) -> tensor<32x3xf32>
    %m = wax.reduce arith.maximumf(%1) over [0] init(%low) : (tensor<32x3xf32>, tensor<f32>) -> tensor<3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::wax::WaxDialect"];
}

def WidenFolds : Pass<"wax-widen-folds", "::mlir::ModuleOp"> {
  let summary = "fold bf16 and f16 in f32 where the fold chooses among elements";
  let description = [{
    Processors compute with such elements in f32, and IREE rounds to the narrow
    format after each operation, of which bf16 takes nine. A largest element is
    one that was there: so `max`, `argmax` and their like are folded in f32, and
    what they chose is rounded once, exactly.

    Needs: `basis`. Leaves: the same.

    ```mlir
    %m = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<8x9xbf16>, tensor<bf16>) -> tensor<8xbf16>
    ```
    becomes
    ```mlir
    %wide = wax.map arith.extf(%x) : tensor<8x9xbf16> to tensor<8x9xf32>
    %0 = wax.reduce arith.maximumf(%wide) over [1] init(%least) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8xf32>
    %m = wax.map arith.truncf(%0) : tensor<8xf32> to tensor<8xbf16>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::wax::WaxDialect"];
}

def FuseCounters : Pass<"wax-fuse-counters", "::mlir::ModuleOp"> {
  let summary = "count places where maps of products need them";
  let description = [{
    What is made of a product may depend on places: a mask of attention compares those
    of queries and keys. In the basis these are counted in tensors, by `wax.iota`, and
    perhaps shifted by a number. Here a map of a product's elements counts itself, by
    `linalg.index`, what it reads of such tensors of integers, so that tiles have all
    of it in registers, and no dispatch writes counters. Other maps stay: they read
    counters as fast as they count.

    Needs: `wax-lower`. Leaves: the same.

    ```mlir
    %i = linalg.generic … outs(%e : tensor<512xi32>) { … linalg.index 0 … } -> tensor<512xi32>
    %m = linalg.generic … ins(%scores, %i, %i : tensor<512x512xf32>, tensor<512xi32>, tensor<512xi32>) outs(…) {
    ^bb0(%s: f32, %row: i32, %column: i32, %out: f32):
      %0 = arith.cmpi sle, %column, %row : i32
      %1 = arith.select %0, %s, %hidden : f32
    ```
    becomes
    ```mlir
    %m = linalg.generic … ins(%scores : tensor<512x512xf32>) outs(…) {
    ^bb0(%s: f32, %out: f32):
      %row = linalg.index 0 : index
      …
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect"
  ];
}

def TransposeMaps : Pass<"wax-transpose-maps", "::mlir::ModuleOp"> {
  let summary = "transpose in registers, by squares of vectors";
  let description = [{
    IREE 3.13 reads or writes a transposition element by element. Here one, with
    the maps that it alone reads, or the map that alone reads it, becomes a
    dispatch that reads squares by rows, transposes them by shuffles of vectors,
    and writes them by rows of 64 bytes. So does any map that reads a tensor
    whose last dim is not the result's.

    What products, sums and other loops of IREE's read stays, as they may read it
    in another order; so do those of few elements, of less than a square in a dim,
    of booleans and complex numbers, and of constants. With `alone` products and sums
    are not IREE's, and 1024 elements are not few.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = linalg.transpose ins(%x : tensor<64x96xf32>) … permutation = [1, 0]
    ```
    becomes
    ```mlir
    %1 = "flow.dispatch.region"() … {
      scf.forall (%block) in (%count) shared_outs(%whole = %0) -> (tensor<96x64xf32>) {
        … // for each square
          %r0 = vector.transfer_read %x[%i, %j], … : tensor<64x96xf32>, vector<16xf32>
          … // 16 rows
          %s0 = vector.shuffle %r0, %r1 [0, 16, 1, 17, …]
          … // and what is made of a row of it, with rows of other operands
          vector.transfer_write %t0, %part[%j, %i] : vector<16xf32>, tensor<?x?xf32>
    ```
  }];
  let options = [
    Option<"alone", "alone", "bool", "false",
           "Whether no loops are to be left for IREE, few as they are">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREELinalgExtDialect"
  ];
}

def FuseRows : Pass<"wax-fuse-rows", "::mlir::ModuleOp"> {
  let summary = "fold rows, and make what is read with that, row by row in one dispatch";
  let description = [{
    A softmax folds each row twice, and reads it twice more. Here a reduction
    along rows, what is made of its results, and the maps and reductions that read
    that with rows of the same sizes, become one dispatch that goes through a row
    in several turns before it takes the next one, which is in the nearest cache
    then. What a later turn needs is made again if that costs little; else it is kept
    where the result is written later, or on the stack.

    A chain has nothing that needs another row, nor what something else makes of
    one of its rows. Of maps that read no result of a reduction it has those
    that make what it folds.

    Lowers the reductions that `wax-lower` with `keep-rows` left, those by
    themselves too that are in no chain.

    Needs: `iree` and `wax.reduce`. Leaves: `iree`.

    ```mlir
    %1 = wax.reduce arith.maximumf(%x) over [1] init(%least) : …
    %2 = linalg.generic {…} ins(%x, %1 : tensor<64x512xf32>, tensor<64xf32>) …
    ```
    becomes
    ```mlir
    %2 = "flow.dispatch.region"() … {
      scf.forall (%block) in (%count) shared_outs(%whole = %0) -> (tensor<64x512xf32>) {
        scf.for %row = %first to %end … {
          %3 = scf.for %i = %c0 to %c512 … // the greatest
          scf.for %i = %c0 to %c512 … // what is made of it
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREELinalgExtDialect"
  ];
}

def VectorizeMaps : Pass<"wax-vectorize-maps", "::mlir::ModuleOp"> {
  let summary = "compute maps of open sizes, of long rows, and of angles, by vectors";
  let description = [{
    IREE 3.13 computes a map of an open size by vectors under masks, all of them,
    which AMD's CPUs before AVX-512 take ten times as long to write. Here a map of
    an open size, with the maps that only it reads, becomes a dispatch of whole
    vectors, and one under a mask for the rest of a row.

    So does a map of any size in which an `scf.if` has the attribute `rare`, of
    `wax-expand-math`: its condition is one for each lane, and where any holds
    all lanes are computed. Elsewhere in loops of `linalg` both sides are computed
    and one selected.

    And so does one of 65536 elements and more of which some depend on the row, or
    the column, alone, where rows have 256: IREE goes through these in tiles of 64
    by 64, of which few are in what memory and caches have at hand.

    And so does one of a size that IREE's tiles do not divide, without AVX-512, and
    one that reads every second, third or fourth element of another tensor, or one
    of each row of so many: of vectors of all elements these are shuffled. Rows of 2 to 31 elements are gone through by
    as many as are whole vectors. Booleans are read and written as bytes.

    And so does one of 4096 elements and more that ends in a product with a power of
    two, as exponentials do, on processors with AVX-512: `wax-scale-by-exponents`.

    Other maps that IREE takes into loops of its own stay. But where nothing is
    left of a program that IREE would make loops of, except transpositions of known
    sizes that would each be a dispatch alone, these become such too: then most often
    no code is IREE's, and a program is compiled in half of the time.

    With `alone` all maps of known sizes become dispatches if vectors do them, but
    for those of many short rows; other loops, sums too, take their elements one by
    one, if that is no more than some thousand operations, with the maps that they
    alone read.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = linalg.generic {…} ins(%x : tensor<?xf32>) outs(%0 : tensor<?xf32>) …
    ```
    becomes
    ```mlir
    %1 = "flow.dispatch.region"(%n) … {
      scf.forall (%workgroup) in (%count) shared_outs(%whole = %0) -> (tensor<?xf32>) {
        … // for whole vectors
          %v = vector.transfer_read %x[%i], … : tensor<?xf32>, vector<16xf32>
    ```
  }];
  let options = [
    Option<"processor", "processor", "::mlir::wax::Processor",
           "::mlir::wax::Processor::Any", "What the CPU has",
           [{::mlir::wax::getProcessorValues()}]>,
    Option<"alone", "alone", "bool", "false",
           "Whether no loops are to be left for IREE, few as they are">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect",
    "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREELinalgExtDialect"
  ];
}

def ScaleByExponents : Pass<"wax-scale-by-exponents", "::mlir::ModuleOp"> {
  let summary = "multiply vectors with powers of two by an instruction";
  let description = [{
    `wax-expand-math` multiplies with 2^k in two factors, which are made of k's bits:
    `(f·u + u)·v` or `(x·u)·v`, with u = 2^(k>>1) and v = 2^(k−(k>>1)). With AVX-512
    one instruction multiplies a register with 2^k, where `f` is raised by 1 before;
    results are the same, subnormal and infinite ones too.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = math.fma %f, %u, %u : vector<16xf32>
    %2 = arith.mulf %1, %v : vector<16xf32>
    ```
    becomes
    ```mlir
    %1 = arith.addf %f, %ones : vector<16xf32>
    %2 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%1, %k, %1, %all, %current) …
    ```
  }];
  let options = [
    Option<"processor", "processor", "::mlir::wax::Processor",
           "::mlir::wax::Processor::Any", "What the CPU has",
           [{::mlir::wax::getProcessorValues()}]>
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def DispatchLoops : Pass<"wax-dispatch-loops", "::mlir::ModuleOp"> {
  let summary = "make one dispatch of each loop over small tensors";
  let description = [{
    IREE runs loops on the host, and a turn costs it microseconds for each
    dispatch. A loop whose turn computes with scalars and small tensors of known
    sizes is written anew in one dispatch, loops and branches inside of it too:
    a tensor of one element is a scalar, another some vectors of 64 bytes. What
    only moves elements is shuffles of these, and what a turn folds is unrolled.

    Of tensors that are not small a turn reads boxes of known sizes, and writes
    boxes to those that a `scf.for` carries, where it needs no copy for that:
    after all it reads of them, and once each. They lie in memory, as tensors of
    rank 1, of which only the first size may be open. What they begin with is
    filled, or copied, in the dispatch; what was donated stays where it is, and
    its loop on the host.

    A loop whose turn would be more than some thousand operations on vectors
    stays on the host, since it takes long to compile, and a dispatch of its own
    costs it little.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %0:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%h = %x, %all = %none)
        -> (tensor<8xf64>, tensor<9x8xf64>) {
      %1 = linalg.generic {…} ins(%h : tensor<8xf64>) … {
        %2 = arith.mulf %a, %a : f64
        …
      %3 = tensor.insert_slice %1 into %all[%i, 0] [1, 8] [1, 1] : …
      scf.yield %1, %3 : tensor<8xf64>, tensor<9x8xf64>
    }
    ```
    becomes
    ```mlir
    %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
      %1 = vector.transfer_read %x[%c0], %cst : tensor<8xf64>, vector<8xf64>
      %2 = tensor.empty() : tensor<72xf64>
      %3:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%h = %1, %all = %2)
          -> (vector<8xf64>, tensor<72xf64>) {
        %4 = arith.mulf %h, %h : vector<8xf64>
        %5 = arith.muli %i, %c8 : index
        %6 = vector.transfer_write %4, %all[%5] : vector<8xf64>, tensor<72xf64>
        scf.yield %4, %6 : vector<8xf64>, tensor<72xf64>
      }
      …
      "flow.return"(%7, %3#1) : (tensor<8xf64>, tensor<72xf64>) -> ()
    }, {}) : () -> (tensor<8xf64>, tensor<72xf64>)
    %8 = tensor.expand_shape %0#1 [[0, 1]] … into tensor<9x8xf64>
    ```
  }];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::mlir::wax::iree::IREEFlowDialect"
  ];
}

def SplitLoops : Pass<"wax-split-loops", "::mlir::ModuleOp"> {
  let summary = "go through loops by blocks of rows that do not mix";
  let description = [{
    A turn of a `scf.for` may compute each row of what the loop carries from the
    same row of other tensors, and from what is the same for all rows: a
    recurrence over channels, or over the examples of a batch. Then a loop goes
    through blocks of rows, and does all turns for a block before the next. The
    last block has some rows of the one before again, where rows are no multiple
    of blocks.

    The rows are a dim that all of the turn's operations pass on: maps, joins,
    reductions over others, transpositions, slices and updates that have all of
    it. That is found by classes of dims that are the same. Two such dims may
    be rows together: of heads and of a head's matrix.

    It is done where a turn for all rows is more than registers hold, by an
    estimate before functions are formulas, a block's turn is well within what
    `wax-dispatch-loops` takes, and there are turns enough for what each block
    costs: less, where that pass makes one dispatch of all blocks. Sizes but
    those that turns count have to be known.

    Needs: `basis`. Leaves: the same.

    ```mlir
    %r = scf.for %t = %c0 to %n step %c1 iter_args(%h = %h0) -> (tensor<4096xf32>) {
      …
    }
    ```
    becomes
    ```mlir
    %r = scf.for %b = %c0 to %c16 step %c1 iter_args(%all = %zeros) -> (tensor<4096xf32>) {
      %place = arith.muli %b, %c256 : index
      %begin = wax.slice %h0 offsets [%place] sizes [256] strides [1] : …
      %block = scf.for %t = %c0 to %n step %c1 iter_args(%h = %begin) -> (tensor<256xf32>) {
        …
      }
      %next = wax.insert %block into %all offsets [%place] strides [1] : …
      scf.yield %next : tensor<4096xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::wax::WaxDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // WAX_PASSES_CPUPASSES_TD
