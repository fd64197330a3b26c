//===- Passes.td - Passes over the wax dialect -------------*- tablegen -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PASSES_PASSES_TD
#define WAX_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def VerifyNormalForm : Pass<"wax-verify-normal-form"> {
  let summary = "check which operations occur at a stage";
  let description = [{
    Each stage of compilation has a normal form, which says what operations may
    occur. This pass changes nothing, and fails at the first operation that the
    form does not admit.

    - `basis`: `func`, the operations of the basis, and the fixed list of glue
      (`scf.if`, `scf.for`, `scf.while`; `arith` on index;
      `tensor.dim`, `extract`, `from_elements`, `cast`; `cf.assert` for
      run-time checks), and checkpoints of these.
    - `recognized`: the same, and the recognised operations, which `wax-raise`
      introduces.
    - `upstream`: no operation of wax; `func`, `linalg`, `tensor`, `arith`,
      `math`, `complex`, `scf`, and `cf.assert` for run-time checks.
    - `iree`: the same, and what IREE has beside them: `flow.dispatch.region` and
      `flow.executable` with `vector` in it, `iree_linalg_ext.scatter`,
      `util.optimization_barrier`.
  }];
  let options = [
    Option<"form", "form", "::mlir::wax::NormalForm",
           "::mlir::wax::NormalForm::Basis", "The form to check",
           [{::llvm::cl::values(
             clEnumValN(::mlir::wax::NormalForm::Basis, "basis",
                        "the basis and glue"),
             clEnumValN(::mlir::wax::NormalForm::Recognized, "recognized",
                        "the same and recognised operations"),
             clEnumValN(::mlir::wax::NormalForm::Upstream, "upstream",
                        "upstream dialects only"),
             clEnumValN(::mlir::wax::NormalForm::IREE, "iree",
                        "upstream dialects and IREE's"))}]>
  ];
}

def Differentiate : Pass<"wax-differentiate", "::mlir::ModuleOp"> {
  let summary = "make of a function one that computes derivatives too";
  let description = [{
    Functions that the chosen one calls are inlined into it; then each operation
    states its rule by `DifferentiableOpInterface`. What is known to be zero is
    no value, and what nothing reads is not computed. The function is
    canonicalized afterwards.

    - `forward`: `(arguments…, tangents…) → (results…, tangents…)`, tangents of
      the chosen arguments, and of the results that are floats or complex.
    - `reverse`: `(arguments…, cotangents…) → (results…, cotangents…)`,
      cotangents of these results, and of the chosen arguments.

    Needs and leaves: `basis`.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = wax.map math.sin(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
    becomes in reverse
    ```mlir
    func.func @main(%x: tensor<4xf32>, %ct: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = wax.map math.sin(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = wax.broadcast (%a = %x[0], %b = %ct[0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
        %2 = math.cos %a : f32
        %3 = arith.mulf %b, %2 : f32
        wax.yield %3 : f32
      }
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::wax::WaxDialect"];
  let options = [
    Option<"mode", "mode", "::mlir::wax::DifferentiationMode",
           "::mlir::wax::DifferentiationMode::Reverse", "The direction",
           [{::llvm::cl::values(
             clEnumValN(::mlir::wax::DifferentiationMode::Forward, "forward",
                        "tangents of results from those of arguments"),
             clEnumValN(::mlir::wax::DifferentiationMode::Reverse, "reverse",
                        "cotangents of arguments from those of results"))}]>,
    Option<"function", "function", "std::string", "\"main\"",
           "The name of the function">,
    ListOption<"arguments", "arguments", "unsigned",
               "The arguments to differentiate by; by default, all that are "
               "floats or complex">
  ];
}

def Batch : Pass<"wax-batch", "::mlir::ModuleOp"> {
  let summary = "make of a function one that does the same for a batch";
  let description = [{
    Functions that the chosen one calls are inlined into it; then each operation
    states its rule by `BatchableOpInterface`. A batched value has one more dim,
    in front. What does not depend on the batch is computed once, and is not
    repeated; no loop goes over the batch. The function is canonicalized
    afterwards.

    A branch that rows take differently becomes a choice between the results of
    both; a loop that they leave at different turns goes on until all have.

    Needs and leaves: `basis`.

    ```mlir
    func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<f32> {
      %zero = wax.constant dense<0.0> : tensor<f32>
      %0 = wax.broadcast arith.mulf(%x[0], %w[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %1 = wax.reduce arith.addf(%0) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    ```
    becomes with `arguments=0 size=4`
    ```mlir
    func.func @main(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4xf32> {
      %zero = wax.constant dense<0.0> : tensor<f32>
      %0 = wax.broadcast arith.mulf(%x[0, 1], %w[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
      %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::wax::WaxDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"",
           "The name of the function">,
    ListOption<"arguments", "arguments", "unsigned",
               "The arguments that are batched; by default, all">,
    ListOption<"results", "results", "unsigned",
               "The results that are batched even where they are the same for "
               "the whole batch">,
    Option<"size", "size", "int64_t", "-1",
           "The size of the batch; negative if it is dynamic">,
    Option<"axis", "axis", "std::string", "\"\"",
           "What collectives call the batch">
  ];
}

def InlineCheckpoints : Pass<"wax-inline-checkpoints", "::mlir::ModuleOp"> {
  let summary = "put what checkpoints do in their place";
  let description = [{
    Where a checkpoint computes again what was computed before, `wax.barrier`
    keeps the two apart: of its operands, the fewest and smallest of which one
    goes into each operation that is done again. What is done again waits for a
    cotangent, so that it is not done early. Names of values are dropped.

    Needs: `basis`. Leaves: `basis` without checkpoints, and `wax.barrier`.

    ```mlir
    %1 = wax.checkpoint (%a = %x, %w = %y, %c = %ct) saving [] recomputed [0, 1] : … {
      %2 = wax.broadcast arith.mulf(%a[0], %w[0]) : …
      %3 = wax.broadcast arith.mulf(%2[0], %c[0]) : …
      wax.return %3 : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    %a = wax.barrier %x after %ct : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.broadcast arith.mulf(%a[0], %y[0]) : …
    %1 = wax.broadcast arith.mulf(%2[0], %ct[0]) : …
    ```
  }];
  let dependentDialects = ["::mlir::wax::WaxDialect"];
}

def ReadCopies : Pass<"wax-read-copies", "::mlir::ModuleOp"> {
  let summary = "read through copies along dims of open sizes";
  let description = [{
    The canonicalization of `wax.broadcast` reads what an operand is a copy of, where
    the sizes of dims that copying makes up are known to be those of other operands'
    dims: static ones, and what `tensor.dim` says of such an operand. Here sizes are
    followed through the function, back to the symbols and dims of its arguments.
    Derivatives of sums copy so, and multiply what they copy: where it is not read
    through, products are written to memory term by term.

    What nothing reads any more stays for `wax-simplify`.

    Needs: `basis`. Leaves: the same.

    ```mlir
    func.func @f(%g: tensor<?x64xf32> …, %v: tensor<?x64xf32> …) … {
      %n = tensor.dim %g, %c0 : tensor<?x64xf32>
      %0 = wax.broadcast (%a = %g[0, 2]) sizes [%n] : (tensor<?x64xf32>) -> tensor<?x?x64xf32> {
        wax.yield %a : f32
      }
      %1 = wax.broadcast arith.mulf(%0[0, 1, 2], %v[1, 2]) : (tensor<?x?x64xf32>, tensor<?x64xf32>) -> tensor<?x?x64xf32>
    ```
    becomes, if both have as many rows, as `wax.dims` says,
    ```mlir
      %1 = wax.broadcast arith.mulf(%g[0, 2], %v[1, 2]) : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::wax::WaxDialect"];
}

def ResolveDims : Pass<"wax-resolve-dims", "::mlir::ModuleOp"> {
  let summary = "express sizes by the arguments' dims and check them";
  let description = [{
    Follows every size through the operations' shape relations back to the
    dims of the function's arguments. Where `wax.dims` says that dims of
    several arguments are one symbol, one of them represents it.

    - Each `tensor.dim` is replaced by arithmetic over the representatives,
      which stands at the function's start.
    - What `wax.dims` and `wax.symbols` state of the arguments becomes run-time
      checks, `cf.assert`, at the function's start.
    - What an operation requires of its sizes becomes a check too, unless it
      follows from the symbols: at the function's start where the sizes are
      known there, else before the operation. No memory is touched before its
      check. What never holds is an error of the pass.

    Needs: `basis`. Leaves: `basis` and `cf.assert`.

    ```mlir
    func.func @main(%x: tensor<?xf32> {wax.dims = affine_map<()[s0] -> (s0)>},
                    %y: tensor<?xf32> {wax.dims = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
        attributes {wax.symbols = [ {name = "n", min = 2 : i64, max = 9223372036854775807 : i64} ]} {
      %0 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %d = tensor.dim %0, %c0 : tensor<?xf32>
    ```
    becomes
    ```mlir
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %0 = arith.cmpi sge, %n, %c2 : index
      cf.assert %0, "argument 'x', dim 0: n must be at least 2"
      %1 = tensor.dim %y, %c0 : tensor<?xf32>
      %2 = arith.cmpi eq, %1, %n : index
      cf.assert %2, "argument 'y', dim 0: must be n, the size of argument 'x' along dim 0"
      %3 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      // %d is %n; the addition's sizes are both n and need no check
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::tensor::TensorDialect"];
}

def Lower : Pass<"wax-lower", "::mlir::ModuleOp"> {
  let summary = "lower the basis to a target";
  let description = [{
    Replaces each operation by what its `LowerableOpInterface` says, in program
    order. The scalar semantics of kernels, total in wax, are spelled out with
    guards unless constants prove these away.

    With `alone` reductions, joins of rows too, become vectors also where IREE's own
    loops are as good: a program without any of these is compiled without IREE.

    Needs: `basis` and `cf.assert` (sizes are trusted: run `wax-resolve-dims`
    before). Leaves: `upstream`, or `iree` for that target.

    ```mlir
    %1 = wax.broadcast arith.addf(%0[0, 1], %b[1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                          affine_map<(d0, d1) -> (d1)>,
                                          affine_map<(d0, d1) -> (d0, d1)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%0, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    ```
  }];
  let options = [
    Option<"target", "target", "::mlir::wax::LoweringTarget",
           "::mlir::wax::LoweringTarget::Upstream", "What to lower to",
           [{::llvm::cl::values(
             clEnumValN(::mlir::wax::LoweringTarget::Upstream, "upstream",
                        "linalg, tensor, arith, math, complex, scf"),
             clEnumValN(::mlir::wax::LoweringTarget::IREE, "iree",
                        "the same, and IREE's own where they win"))}]>,
    Option<"gpu", "gpu", "bool", "false", "Whether IREE's target is a GPU">,
    Option<"keepRows", "keep-rows", "bool", "false",
           "Whether reductions stay that `wax-fuse-rows` may do row by row with "
           "what reads them">,
    Option<"alone", "alone", "bool", "false",
           "Whether no loops are to be left for IREE, few as they are">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseExpansions : Pass<"wax-fuse-expansions", "::mlir::ModuleOp"> {
  let summary = "fuse outer products into the reductions that consume them";
  let description = [{
    A `linalg.generic` that is parallel throughout and reads no operand over
    all of its dims makes a result larger than anything it reads: an outer
    product. Where its only use is an operation that reads each element once,
    it is fused into that one, so that the product never stands in memory: a
    matmul becomes one contraction. Operations which do not expand are left
    alone, and nothing is computed twice.

    Then a sum of products of two factors, each of which depends on operands
    that lack some of the dims, becomes a contraction of the factors, whatever
    computes these: a kernel of the user's, a mask, a change of sign. A factor
    that is more than an element is computed before, once for each of its own
    dims' indices, and not once for each product. Nothing is reassociated, so
    that the products are the same to the bit. `(a[i, j]·b[j, k])·c`, a
    quotient, and a product of which a factor has all dims are left alone.

    Needs: `upstream`. Leaves: `upstream`.

    ```mlir
    %p = linalg.generic {…(m, n, k) -> (m, k)…, (m, n, k) -> (k, n)…} ins(%a, %b) { mulf }
    %c = linalg.generic {…["parallel", "parallel", "reduction"]} ins(%p) outs(%zero) { addf }
    ```
    becomes
    ```mlir
    %c = linalg.generic {…["parallel", "parallel", "reduction"]} ins(%a, %b) outs(%zero) { mulf, addf }
    ```
    and of the latter
    ```mlir
    %c = linalg.generic {…["parallel", "parallel", "reduction"]} ins(%a, %b) outs(%zero) { exp of a, mulf, negf, addf }
    ```
    becomes
    ```mlir
    %e = linalg.generic {…["parallel", "parallel"]} ins(%a) outs(%empty) { exp, negf }
    %c = linalg.generic {…["parallel", "parallel", "reduction"]} ins(%e, %b) outs(%zero) { mulf, addf }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ExpandAffine : Pass<"wax-expand-affine", "::mlir::ModuleOp"> {
  let summary = "replace affine.apply by arithmetic on index";
  let description = [{
    Upstream's canonicalization of `tensor` operations computes sizes with
    `affine.apply`, which the normal form does not admit.

    Needs: `upstream` and `affine.apply`. Leaves: `upstream`.

    ```mlir
    %1 = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%0]
    ```
    becomes
    ```mlir
    %c2 = arith.constant 2 : index
    %1 = arith.addi %0, %c2 : index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Simplify : Pass<"wax-simplify"> {
  let summary = "canonicalize the basis, exactly";
  let description = [{
    All folders and canonicalizations of upstream and of the basis, but for those
    that do not keep what a program gives or its form: folders of complex numbers
    that round (`log(exp(x))` is not `x`, nor are `(x + y) - y`, `x * 1` and
    `x - 0`, of infinities and zeros), that of `atan2`, which makes NaN of zeros,
    a fold of transposes that gives another type, and, as long as branches are to
    be told from choices, those that make a choice between tensors of a branch,
    or one branch of two. A `scf.for` carries nothing that is only read to be
    carried, nor rows that it changes once it has read them. A slice of what one
    scalar fills is filled with it, whatever its sizes are, and a nest that reads
    nothing and gives one number everywhere is a fill. What is computed of tensors
    to which dims of one element were added is computed without these, and has
    them added. Parts of what a map makes are made of parts, where nobody reads the
    whole and all of them have no more elements than it.

    Needs: any form. Leaves: the same.

    ```mlir
    %0 = arith.addi %c2, %c3 : i32
    ```
    becomes
    ```mlir
    %0 = arith.constant 5 : i32
    ```
  }];
  let options = [Option<"keepBranches", "keep-branches", "bool", "true",
                        "Whether branches stay branches">];
}

def ExpandComplex : Pass<"wax-expand-complex", "::mlir::ModuleOp"> {
  let summary = "replace functions of complex numbers by functions of parts";
  let description = [{
    Each operation of `complex` that rounds (`add`, `div`, `exp`, `sqrt`, …)
    becomes `arith` and `math` on the parts: right in each part, at branch cuts
    and for special values, without needless overflow. The parts themselves,
    negation, conjugates and comparisons stay in `complex`.

    Runs before upstream's canonicalization, whose folders take `log(exp(x))` and
    `(x + y) - y` for `x`, which they are not, and again on what lowering made.
    How exact each function is stands in docs/accuracy.md.

    Needs: `basis` or `upstream`. Leaves: the same.

    ```mlir
    %y = complex.add %a, %b : complex<f32>
    ```
    becomes
    ```mlir
    %0 = complex.re %a : complex<f32>
    %1 = complex.im %a : complex<f32>
    // … the parts of %b
    %4 = arith.addf %0, %2 : f32
    %5 = arith.addf %1, %3 : f32
    %y = complex.create %4, %5 : complex<f32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::math::MathDialect"
  ];
}

def ExpandSpecial : Pass<"wax-expand-special", "::mlir::ModuleOp"> {
  let summary = "replace special functions by elementary ones";
  let description = [{
    Each special function of wax (`lgamma`, `erf_inv`, …) becomes `arith` and
    `math` on its type; `igamma` and `igammac` branch and loop, with `scf.if`
    and `scf.while`. How exact each function is stands in docs/accuracy.md.

    Needs: `upstream`, and special functions of wax. Leaves: `upstream`.

    ```mlir
    %y = wax.erf_inv %x : f32
    ```
    becomes
    ```mlir
    %0 = arith.subf %one, %x : f32
    %1 = arith.addf %x, %one : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = math.log %2 : f32
    // … polynomials in −%3 and its root, times %x
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def SplitComplex : Pass<"wax-split-complex", "::mlir::ModuleOp"> {
  let summary = "split complex numbers into their parts";
  let description = [{
    For targets that have no complex type. Each tensor of complex numbers
    becomes two of real ones, of the real and of the imaginary parts, and each
    scalar two; no operation of `complex` and no complex type is left. Of an
    argument or a result of a function two stand side by side, each with the
    attributes of the whole and with `wax.part` (see
    docs/calling-convention.md).

    Needs: `upstream` after `wax-expand-special`. Leaves: `upstream` without
    complex numbers. An operation on them that it does not know, as one of
    IREE's, is an error.

    ```mlir
    func.func @main(%z: tensor<?xcomplex<f32>> {wax.name = "z"}) -> tensor<?xf32> {
      …
      %1 = linalg.generic {…(m) -> (m), (m) -> (m)…} ins(%z) outs(%0) {
      ^bb0(%e: complex<f32>, %out: f32):
        %re = complex.re %e : complex<f32>
        %im = complex.im %e : complex<f32>
        %s = arith.addf %re, %im : f32
    ```
    becomes
    ```mlir
    func.func @main(%z_re: tensor<?xf32> {wax.name = "z", wax.part = "re"},
                    %z_im: tensor<?xf32> {wax.name = "z", wax.part = "im"}) -> tensor<?xf32> {
      …
      %1 = linalg.generic {…(m) -> (m), (m) -> (m), (m) -> (m)…} ins(%z_re, %z_im) outs(%0) {
      ^bb0(%re: f32, %im: f32, %out: f32):
        %s = arith.addf %re, %im : f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExpandMath : Pass<"wax-expand-math", "::mlir::ModuleOp"> {
  let summary = "replace elementary functions by arithmetic";
  let description = [{
    Each scalar operation of `math` that is a function with rounding of its own
    (`exp`, `sin`, `powf`, …), and `arith.remf`, becomes arithmetic on floats
    and on their bits: the same on every target, for all inputs, without calls
    and without branches, so that loops around it are vectorized. With
    `branches`, what few arguments need, as the remainder of great angles, is an
    `scf.if` with the attribute `rare`, of which `wax-vectorize-maps` makes one
    that vectors take where one of their elements needs it, or straight code.
    f32 and f64 are computed in themselves, f16 and bf16 in f32 and rounded once.
    How exact each is stands in docs/accuracy.md. What is one instruction
    everywhere (`sqrt`, `fma`, `floor`, `copysign`, …) stays.

    Needs: `upstream`. Leaves: `upstream`.

    ```mlir
    %y = math.exp %x : f32
    ```
    becomes, with x = k·ln 2 + r,
    ```mlir
    // … x within the range where e^x is neither 0 nor infinite
    %2 = arith.mulf %1, %log2e : f32
    %3 = arith.addf %2, %half : f32
    %k = math.floor %3 : f32
    %4 = math.fma %k, %minus_ln2_hi, %x : f32
    %5 = arith.mulf %k, %minus_ln2_lo : f32
    %r = arith.addf %4, %5 : f32
    // … a polynomial in r, scaled by 2^k
    ```
  }];
  let options = [Option<"branches", "branches", "bool", /*default=*/"false",
                        "What few arguments need is a branch.">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def HoistInvariants : Pass<"wax-hoist-invariants", "::mlir::ModuleOp"> {
  let summary = "compute what is the same in each turn of a loop before it";
  let description = [{
    Runs in the basis, where a whole operation moves, and after lowering, where
    constants, empty tensors and what an operation does with invariant operands
    are left. A loop that has run-time checks keeps everything after these, since
    what they check must not run before them. What each turn passes on as it got
    it, or as the loop begins with it, but for casts, is read from outside.

    IREE 3.13 does the same, but puts a test for the first turn around a `while`
    loop for that, and loses a buffer that both the loop and what follows it
    read. Where nothing is left to move, it does not.

    Needs: any form. Leaves: the same.

    ```mlir
    scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
      %0 = wax.map math.exp(%y) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = wax.broadcast arith.addf(%s[0], %0[0]) : …
    ```
    becomes
    ```mlir
    %0 = wax.map math.exp(%y) : (tensor<4xf32>) -> tensor<4xf32>
    scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
      %1 = wax.broadcast arith.addf(%s[0], %0[0]) : …
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

include "wax/Passes/ProductPasses.td"
include "wax/Passes/CPUPasses.td"
include "wax/Passes/GPUPasses.td"
include "wax/Passes/DispatchPasses.td"
include "wax/Passes/IREEPasses.td"
include "wax/Passes/RaisingPasses.td"

#endif // WAX_PASSES_PASSES_TD
