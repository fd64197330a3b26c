//===- IREEPasses.td - Passes for IREE's compiler ----------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_IREEPASSES_TD
#define WAX_PASSES_IREEPASSES_TD

include "mlir/Pass/PassBase.td"

def PrepareCaptured : Pass<"wax-prepare-captured", "::mlir::ModuleOp"> {
  let summary = "make what all calls have the same in a function of its own";
  let description = [{
    The last arguments of `@main`, as many as `captured` says, are the same in all
    calls: a function captured them. What is made of them alone, and takes hardly
    more memory than they do, goes to `@main$prepare`, which takes them and is called
    once; `@main` takes its results in their place, after those captured arguments
    that it still reads, of which `wax.kept` has the numbers. Panels of the factors of
    products are the most of it. What a loop would make at each turn, too. What
    costs nothing, as a view, is left where it is.

    Needs: `iree`. Leaves: the same.

    ```mlir
    func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
      %made = "flow.dispatch.region"() … // of %w
      %result = "flow.dispatch.region"() … // of %x, %made
    ```
    becomes
    ```mlir
    func.func @main$prepare(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %made = "flow.dispatch.region"() …
    func.func @main(%x: tensor<8x4xf32>, %made: tensor<4x4xf32>) -> tensor<8x4xf32>
        attributes {wax.kept = array<i64>} {
      %result = "flow.dispatch.region"() …
    ```
  }];
  let options = [
    Option<"captured", "captured", "unsigned", "0",
           "How many of the last arguments are the same in all calls">
  ];
}

def KeepReturned : Pass<"wax-keep-returned", "::mlir::ModuleOp"> {
  let summary = "keep what is returned from being written to";
  let description = [{
    IREE updates a tensor in place where it sees no later use of it. That a
    function returns it, an argument or another, is none in IREE 3.13, and the
    caller may be given the updated elements. Through a barrier it is one.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = tensor.insert_slice %u into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    return %1, %x : tensor<4xf32>, tensor<4xf32>
    ```
    becomes
    ```mlir
    %1 = tensor.insert_slice %u into %x[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    %2 = "util.optimization_barrier"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %1, %2 : tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def ForsOfOpenSizes : Pass<"wax-fors-of-open-sizes", "::mlir::ModuleOp"> {
  let summary = "write counted loops as `scf.while` where they may change sizes";
  let description = [{
    IREE 3.13 refuses a `scf.for` that may give tensors of other open sizes than
    it is given, as when each turn appends, and loses the sizes of what a
    `scf.while` inside of one carries; with a `scf.while` around, both go well.
    A loop is left alone whose turns give tensors that are plainly of the sizes
    they got.

    Needs: `upstream` or `iree`. Leaves: the same.

    ```mlir
    %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
      %1 = tensor.concat dim(0) %a, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      scf.yield %1 : tensor<?xf32>
    }
    ```
    becomes
    ```mlir
    %0:2 = scf.while (%i = %c0, %a = %x) : (index, tensor<?xf32>) -> (index, tensor<?xf32>) {
      %2 = arith.cmpi slt, %i, %n : index
      scf.condition(%2) %i, %a : index, tensor<?xf32>
    } do {
    ^bb0(%i: index, %a: tensor<?xf32>):
      %1 = tensor.concat dim(0) %a, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %3 = arith.addi %i, %c1 : index
      scf.yield %3, %1 : index, tensor<?xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ReuseDonated : Pass<"wax-reuse-donated", "::mlir::ModuleOp"> {
  let summary = "write results to the memory of donated arguments";
  let description = [{
    A result that nests of loops make is written over a donated argument of its
    type: the first result of a type over the first such argument, or another
    where that cannot be. It can be where nobody else reads the argument but what
    the result is computed from in other dispatches, and the nests that make the
    result read of it, if anything, the very element that they overwrite. What is
    summed up for such a nest is kept apart from it, as IREE would have it in the
    argument's memory before that is read. All that read the result read it there.
    Other results keep memory of their own. An argument that is scattered to is
    marked as consumed.

    IREE computes a tensor where it is to be copied to, and overwrites what
    nothing reads any more, of arguments that it consumes. An update of a whole
    tensor it takes for the tensor itself: a size is hidden from it.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    func.func @main(%x: tensor<4xf32> {wax.donated}) -> tensor<4xf32> {
      %1 = linalg.generic … ins(%x : tensor<4xf32>) …
      return %1 : tensor<4xf32>
    ```
    becomes
    ```mlir
    func.func @main(%x: tensor<4xf32> {iree.abi.consume, wax.donated}) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %0 = "util.optimization_barrier"(%c0) : (index) -> index
      %1 = linalg.generic … ins(%x : tensor<4xf32>) …
      %2 = arith.addi %0, %c4 : index
      %3 = "flow.tensor.reshape"(%1, %2) … : (tensor<4xf32>, index) -> tensor<?xf32>
      %4 = "flow.tensor.update"(%x, %c0, %3, %2) … : … -> tensor<4xf32>
      return %4 : tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::wax::iree::IREEABIDialect",
    "::mlir::wax::iree::IREEFlowDialect", "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def KeepCarried : Pass<"wax-keep-carried", "::mlir::ModuleOp"> {
  let summary = "pass on all that a `scf.while` carries";
  let description = [{
    IREE 3.13 refuses a `scf.while` over tensors whose condition passes on other
    values than the loop is given. So all are passed on; what a condition computes
    and passes on is carried beside. Tensors without elements, of which IREE finds
    no end, are not carried, but for their open sizes: such are made where they
    are read. What nobody reads is dropped before, from `scf.for` too, and so is
    what a loop passes on as it is: IREE would drop it of a loop that passes on
    all, and crash.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %0 = scf.while (%i = %n, %x = %y) : (tensor<i32>, tensor<4xf32>) -> tensor<4xf32> {
      …
      scf.condition(%holds) %x : tensor<4xf32>
    } do {
    ^bb0(%x: tensor<4xf32>):
    ```
    becomes
    ```mlir
    %0:2 = scf.while (%i = %n, %x = %y) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
      …
      scf.condition(%holds) %i, %x : tensor<i32>, tensor<4xf32>
    } do {
    ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def KeepStarts : Pass<"wax-keep-starts", "::mlir::ModuleOp"> {
  let summary = "give what reductions and loops begin with to one of them alone";
  let description = [{
    IREE 3.13 writes to the memory of what a loop carries, and takes no notice of
    another value that is carried and lies in the same: two that begin with one
    tensor, or that a turn makes one, would be one for ever. All but the first
    get a copy. And a tensor computed for several reductions to begin with is
    put into a dispatch with the first of them, which then returns a wrong one to
    the others; each gets a copy. So does what a turn gives that was made outside
    of the loop, and what a branch gives that others read: IREE writes to a result
    in place, as to a new tensor. What a loop updates in place begins with a copy
    too, or with a fill of its own, where others read since what it began with, or
    that is an argument or a constant: IREE would copy all of it in each turn.
    A loop that begins with a fill with a constant begins with the constant of
    its shape: of the fill IREE would make a global, which it fills when the
    program is loaded and copies at each call.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z) -> (tensor<4xf32>, tensor<4xf32>)
    ```
    becomes
    ```mlir
    %true = "util.optimization_barrier"(%holds) : (i1) -> i1
    %0 = linalg.generic … ins(%z : tensor<4xf32>) … {
      %2 = arith.select %true, %in, %out : f32
    %1:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %0) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def KeepSizes : Pass<"wax-keep-sizes", "::mlir::ModuleOp"> {
  let summary = "keep IREE from taking values from what a `scf.while` carries";
  let description = [{
    Upstream's canonicalization takes from a `scf.while` what is carried and not
    read, or always the same, sizes of tensors too, and IREE 3.13 refuses what is
    left, or crashes. So each turn reads what it is given where nothing else does,
    and all open sizes, and those that it gives are hidden; the condition reads
    tensors of open sizes that nothing else in it does. Where a turn gives a
    tensor that has no elements as one of open sizes, it gives one that may have
    some: IREE makes none of the other, and cannot pass it on. Where it knows more
    of the sizes than it gives, a slice of hidden sizes forgets it, as IREE looks
    through a cast; an only element goes through a barrier before, as IREE would
    slice a scalar. Where nothing but sizes is asked of what a loop gives, it is
    read behind the loop, as IREE finds no end otherwise.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    ^bb0(%x: tensor<?xf32>):
      %1 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
      …
      scf.yield %2 : tensor<?xf32>
    ```
    becomes
    ```mlir
    ^bb0(%x: tensor<?xf32>):
      %size = tensor.dim %x, %c0 : tensor<?xf32>
      "util.optimization_barrier"(%size) : (index) -> index
      "util.optimization_barrier"(%x) : (tensor<?xf32>) -> tensor<?xf32>
      %1 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
      …
      %given = tensor.dim %2, %c0 : tensor<?xf32>
      %hidden = "util.optimization_barrier"(%given) : (index) -> index
      %3 = "flow.tensor.tie_shape"(%2, %hidden) : (tensor<?xf32>, index) -> tensor<?xf32>
      scf.yield %3 : tensor<?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::mlir::wax::iree::IREEFlowDialect", "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def ReadSlices : Pass<"wax-read-slices", "::mlir::ModuleOp"> {
  let summary = "read slices where they lie";
  let description = [{
    IREE 3.13 copies a slice before a dispatch reads it if its sizes are open, or
    its elements do not lie side by side, or it begins where a loop says: the keys
    and values of a head, for each block of queries. A dispatch of ours reads at
    places that it tells, and here it reads the tensor that the slice is of, also
    where dims of one element are taken out of that, unless something may take the
    memory of it. With `alone`, slices that others read become copies: of rows by
    vectors, or of at most 4096 elements one by one.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %1 = tensor.extract_slice %x[%i, 0] [%n, 64] [1, 1] : tensor<512x96xf32> to tensor<?x64xf32>
    %2 = "flow.dispatch.region"() … {
      %3 = vector.transfer_read %1[%j, %k], … : tensor<?x64xf32>, vector<16xf32>
    ```
    becomes
    ```mlir
    %2 = "flow.dispatch.region"() … {
      %4 = arith.addi %i, %j : index
      %3 = vector.transfer_read %x[%4, %k], … : tensor<512x96xf32>, vector<16xf32>
    ```
  }];
  let options = [
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

def KeepOverwritten : Pass<"wax-keep-overwritten", "::mlir::ModuleOp"> {
  let summary = "keep what an update overwrites until it has been read";
  let description = [{
    IREE 3.13 updates a tensor in place where nothing reads it afterwards, and has
    the dispatch that makes the new elements write them there. That dispatch may
    read the tensor itself, at other places than it writes, and it may stand
    before others that do: it stands where the first of what it computes did. A
    source that is so computed is kept apart from its update, by a barrier, and
    then copied. One that is a part of the target itself is copied first.

    In place stays what nobody else reads, or only what the source is computed
    from in other dispatches; and a source of which each element is computed from
    the one that it replaces, as in `x.at[2:5].add(1)`.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
    %2 = linalg.exp ins(%1 : tensor<3xf32>) …
    %3 = tensor.insert_slice %2 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    ```
    becomes
    ```mlir
    %1 = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
    %2 = linalg.exp ins(%1 : tensor<3xf32>) …
    %4 = "util.optimization_barrier"(%2) : (tensor<3xf32>) -> tensor<3xf32>
    %3 = tensor.insert_slice %4 into %x[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def KeepReduced : Pass<"wax-keep-reduced", "::mlir::ModuleOp"> {
  let summary = "keep what is summed up apart from maps that read it in several ways";
  let description = [{
    IREE makes a map of what a reduction gives in the reduction's dispatch. Where
    the map reads it in two ways, as the sums of both rows of a pair, IREE 3.13
    takes one for the other and gives wrong numbers. Through a barrier the map has
    a dispatch of its own.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = linalg.reduce … : tensor<4x9xf32> to tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [(i, j) -> (i), (i, j) -> (j), …]} ins(%1, %1 : …)
    ```
    becomes
    ```mlir
    %1 = linalg.reduce … : tensor<4x9xf32> to tensor<4xf32>
    %3 = "util.optimization_barrier"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [(i, j) -> (i), (i, j) -> (j), …]} ins(%3, %3 : …)
    ```
  }];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def KeepOrder : Pass<"wax-keep-order", "::mlir::ModuleOp"> {
  let summary = "keep what comes before a loop or a branch apart from what comes after";
  let description = [{
    IREE 3.13 gives a device in one piece what comes before a loop and what comes
    after it, if the second does not depend on the loop: an update then changes
    what the loop reads. Where it does depend on the loop and reads what the loop
    begins with too, IREE finds itself in a circle and gives up. No piece goes
    across an operation with effects, so each loop and branch has one before it,
    which costs nothing.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = "util.optimization_barrier"(%true) : (i1) -> i1
    %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def KeepSlices : Pass<"wax-keep-slices", "::mlir::ModuleOp"> {
  let summary = "keep slices apart from what reads them element by element";
  let description = [{
    IREE computes what a loop reads at places of its own choice inside of that
    loop, down to a slice where there is one. Elements of a slice that is not
    contiguous it then reads from anywhere, in IREE 3.13. Through a barrier the
    slice becomes a tensor of its own.

    So does a slice of one element that gets more dims, or an element that is
    looked up, where others than loops read them: IREE 3.13 moves the dims before
    the slice, and then slices a scalar, of which its compiler may crash.

    And so does what a map makes wider, where not all elements beside each other
    are read of it: IREE 3.13 makes all of it within the dispatch that reads it, on
    a stack that has not room for it.

    Needs: `upstream` or `iree`. Leaves: `iree`.

    ```mlir
    %1 = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<?x?xf32> to tensor<3x1xf32>
    %2 = linalg.generic … ins(%1 : tensor<3x1xf32>) …
    %3 = linalg.generic … {
      %4 = tensor.extract %2[%i, %j] : tensor<3x1xf32>
    ```
    becomes
    ```mlir
    %1 = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<?x?xf32> to tensor<3x1xf32>
    %5 = "util.optimization_barrier"(%1) : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %2 = linalg.generic … ins(%5 : tensor<3x1xf32>) …
    ```
  }];
  let dependentDialects = [
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect",
    "::mlir::wax::iree::IREEUtilDialect"
  ];
}

def WidenIndices : Pass<"wax-widen-indices", "::mlir::ModuleOp"> {
  let summary = "keep the signs of indices of fewer than 32 bits";
  let description = [{
    What the host reads from a tensor of i8 or i16 is an i32 to IREE 3.13, with
    zeros in front, and so is what it widens: -1 becomes 255 or 65535. Shifted up
    and down again it has its sign. This counts inside of dispatches too, since
    IREE moves to the host what depends on scalars only.

    Needs: `upstream` or `iree`. Leaves: the same.

    ```mlir
    %1 = arith.index_cast %0 : i16 to index
    ```
    becomes
    ```mlir
    %c16 = arith.constant 16 : i32
    %2 = arith.extsi %0 : i16 to i32
    %3 = arith.shli %2, %c16 : i32
    %4 = arith.shrsi %3, %c16 : i32
    %1 = arith.index_cast %4 : i32 to index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitConstants : Pass<"wax-split-constants", "::mlir::ModuleOp"> {
  let summary = "make constant tensors of complex numbers of their parts";
  let description = [{
    IREE 3.13 has no constants of 128 bits an element: it refuses those of which
    all elements are alike, and crashes on others. Tensors of the real and of
    the imaginary parts are constants that it has. Nor can it fill a tensor with
    such a number: one that is yielded everywhere is made where it is yielded.
    More than a hundred booleans are made of bytes: MLIR 22 writes their bits as
    digits, where IREE reads bytes.

    Needs: `upstream` or `iree`. Leaves: the same.

    ```mlir
    %0 = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
    ```
    becomes
    ```mlir
    %re = arith.constant dense<[1.0, 3.0]> : tensor<2xf64>
    %im = arith.constant dense<[2.0, 4.0]> : tensor<2xf64>
    %1 = tensor.empty() : tensor<2xcomplex<f64>>
    %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%re, %im : tensor<2xf64>, tensor<2xf64>) outs(%1 : tensor<2xcomplex<f64>>) {
    ^bb0(%a: f64, %b: f64, %out: complex<f64>):
      %2 = complex.create %a, %b : complex<f64>
      linalg.yield %2 : complex<f64>
    } -> tensor<2xcomplex<f64>>
    ```
  }];
  let dependentDialects = [
    "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def BoundSizes : Pass<"wax-bound-sizes", "::mlir::ModuleOp"> {
  let summary = "bound open sizes whose product IREE could take to overflow";
  let description = [{
    IREE 3.13 computes where in a block of memory a tensor lies from the sizes of
    those before it, and looks for what such numbers may be. Of a product of sizes
    that may overflow it finds nothing, as `util.align` then states no range, and
    takes the place of what a turn of a loop gives, or a branch, for the one that
    is known, that with which the loop begins. So where loops carry tensors, or
    branches give some, open sizes of arguments are bounded by a power of two of
    which products fit in 64 bits, and a check sees to it that they hold. Bounds
    that are declared leave more to other dims. One open dim is never bounded.

    Needs: `iree`. Leaves: `iree`.

    ```mlir
    func.func @main(%x: tensor<?x?xf32>) {
    ```
    becomes, for each open dim,
    ```mlir
    func.func @main(%x: tensor<?x?xf32>) {
      %size = tensor.dim %x, %c0 : tensor<?x?xf32>
      %holds = arith.cmpi ule, %size, %most : index
      cf.assert %holds, "argument 'x', dim 0: must be at most 1073741823, …"
      %bounded = arith.minui %size, %most : index
      %tied = "flow.tensor.tie_shape"(%x, %bounded, …) : (tensor<?x?xf32>, index, index) -> tensor<?x?xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::tensor::TensorDialect", "::mlir::wax::iree::IREEFlowDialect"
  ];
}

def HoistProducts : Pass<"wax-hoist-products", "::mlir::ModuleOp"> {
  let summary = "multiply all that a loop goes through before it";
  let description = [{
    A recurrent network multiplies what it is given in each turn with weights, and
    that does not wait for the turn before. So a product of a few rows that are one
    place along a dim of a tensor, and of what is the same in each turn, is one of
    all these rows before the loop; a turn takes its own.

    Loops have a known number of turns, as many as there are places or more. A
    product of 64 rows and more is as fast by itself, and all of them together are
    to be no more than 32 MiB.

    Needs: `upstream` or `iree`. Leaves: the same.

    ```mlir
    scf.for %i = %c0 to %c64 step %c1 iter_args(%h = %x) -> (tensor<8x256xf32>) {
      %row = tensor.extract_slice %xs[%i, 0, 0] [1, 8, 256] [1, 1, 1] : …
      %1 = linalg.generic {…} ins(%row, %w : tensor<8x256xf32>, tensor<256x512xf32>) …
    ```
    becomes
    ```mlir
    %all = linalg.generic {…} ins(%xs, %w : tensor<64x8x256xf32>, tensor<256x512xf32>) …
    scf.for %i = %c0 to %c64 step %c1 iter_args(%h = %x) -> (tensor<8x256xf32>) {
      %1 = tensor.extract_slice %all[%i, 0, 0] [1, 8, 512] [1, 1, 1] : …
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // WAX_PASSES_IREEPASSES_TD
