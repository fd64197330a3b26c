"""The reference backend from outside: buffers in and out, checks, files, other processes."""

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from reference_run import draw
from scalar_judges import DTYPES

from wax import _native
from wax_runtime import files, registry
from wax_runtime.backend import Artefact, Backend, CompileOptions, Program, Reader, compiler_of
from wax_runtime.buffer import Buffer, asbuffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import ArgumentError, CheckError, DeletedBufferError, DeviceError, LoadError
from wax_runtime.reference.backend import backend
from wax_runtime.reference.serialize import dumps, loads
from wax_runtime.signature import ArgumentSpec, Signature, SymbolFact

F32, U32 = np.dtype(np.float32), np.dtype(np.uint32)

ADD = """func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %z = wax.broadcast arith.addf(%x[0, 1], %y[0, 1]) : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}"""
ADD_SIGNATURE = Signature(
    "main",
    (ArgumentSpec("x", ("b", 3), F32), ArgumentSpec("y", ("b", 3), F32)),
    (ArgumentSpec("", ("b", 3), F32),),
    (SymbolFact("b", 2, 9),),
)


def artefact(text, signature):
    program = Program("main", signature, lambda: text, lambda: "", _native.parse_module(text).snapshot)
    return compiler_of(backend).compile(program, CPU, CompileOptions())


def load(text, signature, buffer_type=Buffer):
    return backend.load(artefact(text, signature), CPU, buffer_type)


def test_it_is_a_backend_of_the_registry_and_the_last_one():
    assert isinstance(backend, Backend) and isinstance(backend, Reader)
    assert registry.get("reference") is backend
    assert registry.backends()[-1] is backend
    assert backend.devices("cpu") == (CPU,)
    assert backend.devices("cuda") == ()


def test_buffers_go_in_and_come_out(rng):
    class Mine(Buffer):
        __slots__ = ()

    x, y = draw(rng, (4, 3), "f32"), draw(rng, (4, 3), "f32")
    (made,) = load(ADD, ADD_SIGNATURE, Mine)([asbuffer(x), asbuffer(y)])
    assert type(made) is Mine and made.spec is asbuffer(x).spec
    np.testing.assert_array_equal(made.numpy(), x + y)


def test_arguments_are_checked_against_the_signature(rng):
    run = load(ADD, ADD_SIGNATURE)
    good, wide = asbuffer(draw(rng, (4, 3), "f32")), asbuffer(draw(rng, (5, 3), "f32"))
    for args, message in (
        ([good], "takes 2 arrays, 1 were given"),
        ([good, wide], r"\(y\) must be .* its dim 0 must be b = 4"),
        ([good, asbuffer(np.zeros((4, 3)))], "float64"),
        ([asbuffer(np.zeros((1, 3), F32))] * 2, "declared 2 <= b <= 9"),
    ):
        with pytest.raises(ArgumentError, match=message):
            run(args)


def test_bound_calls_skip_the_checks(rng):
    x = asbuffer(draw(rng, (4, 3), "f32"))
    bound = load(ADD, ADD_SIGNATURE).bind((x.spec, x.spec))
    np.testing.assert_array_equal(bound([x, x])[0].numpy(), 2 * x.numpy())


UNSIGNED = """func.func @main(%x: tensor<4xi32> {wax.sign = "unsigned"}, %y: tensor<4xi32> {wax.sign = "unsigned"})
    -> (tensor<4xi32> {wax.sign = "unsigned"}) {
  %z = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %z : tensor<4xi32>
}"""


def test_unsigned_integers_exist_at_the_border_only():
    spec = ArgumentSpec("x", (4,), U32)
    run = load(UNSIGNED, Signature("main", (spec, spec), (spec,)))
    x = np.array([2**32 - 1, 2**31, 7, 5], U32)
    y = np.array([2, 3, 0, 5], U32)
    (made,) = run([asbuffer(x), asbuffer(y)])
    assert made.dtype == U32
    np.testing.assert_array_equal(made.numpy(), [2**31 - 1, 2**31 // 3, 0, 1])


@pytest.mark.parametrize("element", DTYPES)
def test_every_dtype_goes_through(element, rng):
    type = f"tensor<2x3x{element}>"
    text = f"""func.func @main(%x: {type}) -> tensor<3x2x{element}> {{
      %y = wax.permute %x [1, 0] : ({type}) -> tensor<3x2x{element}>
      return %y : tensor<3x2x{element}>
    }}"""
    dtype = DTYPES[element]
    x = draw(rng, (2, 3), element)
    (made,) = load(text, Signature("main", (ArgumentSpec("x", (2, 3), dtype),), (ArgumentSpec("", (3, 2), dtype),)))(
        [asbuffer(x)]
    )
    assert made.dtype == dtype and made.numpy().flags.c_contiguous
    np.testing.assert_array_equal(made.numpy(), x.T)


def test_sizes_known_only_after_the_call_are_read_from_the_result():
    text = """func.func @main(%n: tensor<i32>) -> tensor<?xi32> {
      %e = tensor.extract %n[] : tensor<i32>
      %i = arith.index_cast %e : i32 to index
      %y = wax.iota along 0 sizes [%i] : tensor<?xi32>
      return %y : tensor<?xi32>
    }"""
    dtype = np.dtype(np.int32)
    run = load(text, Signature("main", (ArgumentSpec("n", (), dtype),), (ArgumentSpec("", ("?",), dtype),)))
    for size in (0, 3):
        (made,) = run([asbuffer(np.array(size, dtype))])
        np.testing.assert_array_equal(made.numpy(), np.arange(size))
    with pytest.raises(CheckError):
        run([asbuffer(np.array(-1, dtype))])


RESHAPE = """func.func @main(%x: tensor<64x3xf32>) -> (tensor<192xf32>, tensor<1x3xf32>) {
  %y = wax.reshape %x [[0, 1]] into [[0]] : (tensor<64x3xf32>) -> tensor<192xf32>
  %z = wax.slice %x offsets [0, 0] sizes [1, 3] strides [1, 1] : (tensor<64x3xf32>) -> tensor<1x3xf32>
  return %y, %z : tensor<192xf32>, tensor<1x3xf32>
}"""
RESHAPE_SIGNATURE = Signature(
    "main", (ArgumentSpec("x", (64, 3), F32),), (ArgumentSpec("", (192,), F32), ArgumentSpec("", (1, 3), F32))
)


IDENTITY = """func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  return %x : tensor<64x3xf32>
}"""
IDENTITY_SIGNATURE = Signature("main", RESHAPE_SIGNATURE.arguments, RESHAPE_SIGNATURE.arguments)


@pytest.mark.parametrize(
    ("text", "signature"), [(RESHAPE, RESHAPE_SIGNATURE), (IDENTITY, IDENTITY_SIGNATURE)], ids=["view", "itself"]
)
def test_a_result_that_shares_an_arguments_memory_says_so(text, signature):
    x = asbuffer(np.ones((64, 3), F32))
    shared = []

    class Watched(type(x.storage)):
        __slots__ = ()

        def share(self):
            shared.append(1)
            return self

    watched = Buffer(x.spec, Watched(np.ones((64, 3), F32)))
    made, *_ = load(text, signature)([watched])
    assert np.may_share_memory(made.numpy(), watched.numpy())
    assert shared
    x.delete()
    np.testing.assert_array_equal(made.numpy(), 1)


def test_a_small_result_does_not_keep_a_large_argument_alive():
    text = RESHAPE.replace("64x3", "65536x3").replace("192", "196608")
    signature = Signature(
        "main",
        (ArgumentSpec("x", (65536, 3), F32),),
        (ArgumentSpec("", (196608,), F32), ArgumentSpec("", (1, 3), F32)),
    )
    x = asbuffer(np.ones((65536, 3), F32))
    _, first = load(text, signature)([x])
    assert not np.may_share_memory(first.numpy(), x.numpy())


def test_donated_arguments_are_gone_after_the_call(rng):
    signature = Signature("main", ADD_SIGNATURE.arguments, ADD_SIGNATURE.results, donated=(0,))
    x, y = asbuffer(draw(rng, (2, 3), "f32")), asbuffer(draw(rng, (2, 3), "f32"))
    expected = x.numpy() + y.numpy()
    run = load(ADD, signature)
    np.testing.assert_array_equal(run([x, y])[0].numpy(), expected)
    assert x.is_deleted() and not y.is_deleted()
    with pytest.raises(DeletedBufferError):
        run([x, y])


def test_large_results_are_aligned_for_compiled_programs(rng):
    x = asbuffer(draw(rng, (8, 3), "f32"))
    big = ADD.replace("?x3", "100x3000")
    signature = Signature("main", (ArgumentSpec("", (100, 3000), F32),) * 2, (ArgumentSpec("", (100, 3000), F32),))
    x = asbuffer(draw(rng, (100, 3000), "f32"))
    (made,) = load(big, signature)([x, x])
    assert made.numpy().ctypes.data % 64 == 0


def test_foreign_artefacts_and_devices_are_refused():
    with pytest.raises(LoadError, match="vmfb"):
        backend.load(Artefact("iree", "vmfb", b"", ADD_SIGNATURE, "cpu"), CPU)
    with pytest.raises(DeviceError, match="cuda:0"):
        backend.load(artefact(ADD, ADD_SIGNATURE), Device("cuda", 0))


# Files.

EVERYTHING = """
func.func @main(%x: tensor<?x4xbf16> {wax.name = "x"}, %n: tensor<i1>) -> tensor<?x4xf32>
    attributes {wax.symbols = [{name = "b", min = 0 : i64, max = 99 : i64}]} {
  %c = wax.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xbf16>
  %splat = wax.constant dense<0.1> : tensor<4xbf16>
  %special = wax.constant dense<[0x7FC0, 0xFF80, -0.0, 1.5]> : tensor<4xbf16>
  %b = tensor.extract %n[] : tensor<i1>
  %y = scf.if %b -> tensor<?x4xbf16> {
    %1 = wax.broadcast (%p = %x[0, 1], %q = %splat[1], %r = %special[1])
        : (tensor<?x4xbf16>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<?x4xbf16> {
      %k = arith.constant 0x7F80 : bf16
      %s = arith.mulf %p, %q : bf16
      %t = arith.addf %s, %s : bf16
      %m = arith.minimumf %t, %k : bf16
      %o = arith.cmpf olt, %m, %r : bf16
      %w = arith.select %o, %m, %r : bf16
      wax.yield %w : bf16
    }
    scf.yield %1 : tensor<?x4xbf16>
  } else {
    %2 = wax.concat (%x, %c) along 0 : (tensor<?x4xbf16>, tensor<1x4xbf16>) -> tensor<?x4xbf16>
    scf.yield %2 : tensor<?x4xbf16>
  }
  %z = func.call @widen(%y) : (tensor<?x4xbf16>) -> tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
func.func private @widen(%x: tensor<?x4xbf16>) -> tensor<?x4xf32> {
  %0 = wax.map arith.extf(%x) : (tensor<?x4xbf16>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}"""
EVERYTHING_SIGNATURE = Signature(
    "main",
    (ArgumentSpec("x", ("b", 4), np.dtype(ml_dtypes.bfloat16)), ArgumentSpec("n", (), np.dtype(bool))),
    (ArgumentSpec("", ("?", 4), F32),),
    (SymbolFact("b"),),
)


def test_a_written_program_is_read_back_equal(rng):
    first = artefact(EVERYTHING, EVERYTHING_SIGNATURE)
    data = backend.write(first)
    second = backend.read(data)
    assert second is not None and second.signature == first.signature
    assert backend.write(second) == data
    x = asbuffer(draw(rng, (3, 4), "bf16"))
    for flag in (True, False):
        args = [x, asbuffer(np.array(flag))]
        ours, theirs = (backend.load(each, CPU)(args)[0].numpy() for each in (first, second))
        np.testing.assert_array_equal(ours, theirs)


def test_sharing_in_kernels_survives_a_file():
    module, *_ = loads(dumps(_native.parse_module(EVERYTHING).snapshot(), EVERYTHING_SIGNATURE))
    (branch,) = [o for o in module.functions["main"].operations if o.name == "scf.if"]
    (kernel,) = branch.regions[0].operations[0].kernels
    select = kernel.results[0]
    assert select.operands[0].operands[0] is select.operands[1]


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: d[:200] + b"x" + d[201:], lambda d: d[:40]])
def test_a_damaged_file_is_refused(damage):
    data = backend.write(artefact(ADD, ADD_SIGNATURE))
    with pytest.raises(LoadError, match="damaged"):
        backend.read(damage(data))


def test_what_dumps_did_not_write_is_refused_though_its_checksum_holds():
    import hashlib

    from wax_runtime.reference.serialize import MAGIC

    for text in (b"{}", b"[]", b'{"functions": [{}], "entry": "main", "signature": "{}"}', b"nonsense"):
        with pytest.raises(LoadError, match="not a snapshot"):
            loads(MAGIC + hashlib.sha256(text).hexdigest().encode() + b"\n" + text)
    assert backend.read(b"something else") is None


def test_a_saved_program_runs_in_a_process_without_the_frontend(tmp_path, rng):
    path = tmp_path / "add.wax"
    files.save(artefact(ADD, ADD_SIGNATURE), path)
    program = f"""
import sys
import numpy as np
from wax_runtime import files
run = files.load({str(path)!r})
print(run(np.ones((2, 3), np.float32), np.full((2, 3), 2, np.float32)).numpy().tolist())
print([name for name in sys.modules if name == "wax" or name.startswith(("wax.", "iree.compiler"))])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[[3.0, 3.0, 3.0], [3.0, 3.0, 3.0]]", "[]"]
