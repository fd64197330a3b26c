"""The loader half of the iree backend: what a call takes, gives, checks and keeps."""

import gc
import subprocess
import sys
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
import torch
from linalg_text import compiled, doubling, elementwise, loaded, program, spec

from wax_runtime import CPU, Buffer, asbuffer, device, dtypes, files, from_dlpack, registry
from wax_runtime.errors import ArgumentError, CheckError, DeletedBufferError, DeviceError, LoadError
from wax_runtime.storage import HostStorage, aligned_copy, aligned_empty

F32 = np.dtype(np.float32)

DYNAMIC_ADD = """module @m {
  func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %k = tensor.dim %b, %c0 : tensor<?xf32>
    %ok = arith.cmpi eq, %n, %k : index
    cf.assert %ok, "dim 0 of x and of y must agree"
    %e = tensor.empty(%n) : tensor<?xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
        ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    return %r : tensor<?xf32>
  }
}"""


def address(buffer):
    return np.asarray(buffer).__array_interface__["data"][0]


def sample(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    values = rng.standard_normal(shape) * 10
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return np.asarray(np.abs(values) if np.dtype(dtype).kind == "u" else values).astype(dtype)


@pytest.mark.parametrize("row", dtypes.ALL, ids=lambda row: row.name)
def test_every_dtype_is_taken_and_given_for_every_rank_and_empty_shapes(row):
    executable = loaded(doubling(("m", "n"), row.name))
    for shape in [(3, 5), (0, 4), (4, 0), (1, 1), (1000, 33)]:
        value = sample(shape, row.numpy)
        (result,) = executable([asbuffer(value)])
        want = value | value if row.kind == "bool" else value + value
        assert (result.dtype, result.shape) == (row.numpy, shape)
        np.testing.assert_array_equal(result.numpy(), want)
        (again,) = executable([result])  # what a call gave is an argument too
        np.testing.assert_array_equal(again.numpy(), want | want if row.kind == "bool" else want + want)


@pytest.mark.parametrize("dtype", ["float32", "bool", "bfloat16", "complex64"])
def test_scalars_are_taken_and_given(dtype):
    value = sample((), dtypes.dtype(dtype))
    (result,) = loaded(doubling((), dtype))([asbuffer(value)])
    assert result.shape == ()
    np.testing.assert_array_equal(result.numpy(), value | value if dtype == "bool" else value + value)


def test_unsigned_values_above_the_signed_range_survive():
    value = np.array([2**31, 2**32 - 1, 7], np.uint32)
    (result,) = loaded(doubling(("n",), "uint32"))([asbuffer(value)])
    np.testing.assert_array_equal(result.numpy(), value + value)


def test_several_results_come_in_their_order():
    text = """module @m { func.func @main(%a: tensor<2xf32>, %b: tensor<?xi32>) -> (tensor<?xi32>, tensor<2xf32>) {
      return %b, %a : tensor<?xi32>, tensor<2xf32> } }"""
    arguments = [spec((2,), "float32"), spec(("n",), "int32")]
    executable = loaded(program(text, arguments, [arguments[1], arguments[0]]))
    one, two = executable([asbuffer(np.ones(2, F32)), asbuffer(np.arange(3, dtype=np.int32))])
    np.testing.assert_array_equal(one.numpy(), [0, 1, 2])
    np.testing.assert_array_equal(two.numpy(), [1, 1])


def test_every_call_of_many_takes_arrays_of_any_kind():
    executable = loaded(program(DYNAMIC_ADD, [spec(("n",), "float32")] * 2, [spec(("n",), "float32")]))
    x = np.arange(5, dtype=np.float32)
    for number in range(12):
        fresh = asbuffer(x + number)
        (first,) = executable([fresh, Buffer.from_numpy(x)])
        (second,) = executable([first, fresh])
        np.testing.assert_array_equal(second.numpy(), 3 * x + 2 * number)
        fresh._handle = "another backend's"
        (third,) = executable([fresh, first])
        np.testing.assert_array_equal(third.numpy(), second.numpy())


def test_a_function_without_arguments_or_results_runs():
    text = "module @m { func.func @main() { return } }"
    assert loaded(program(text, [], []))([]) == []


def test_a_result_dim_known_only_after_the_call_is_read_from_the_result():
    kind = [spec(("n",), "float32")]
    executable = loaded(
        program(elementwise("%y = arith.negf %x0 : f32", ("n",), "float32"), kind, [spec("?", "float32")])
    )
    (result,) = executable([asbuffer(np.ones(5, F32))])
    assert result.shape == (5,)


def test_results_are_of_the_class_that_was_asked_for_and_share_specs():
    class Array(Buffer):
        __slots__ = ()

    executable = registry.get("iree").load(compiled(doubling()), CPU, Array)
    x = asbuffer(np.ones(4, F32))
    (result,) = executable([x])
    assert type(result) is Array
    assert result.spec is x.spec


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "takes 1 arrays, 0 were given"),
        ([np.ones(4, F32), np.ones(4, F32)], "takes 1 arrays, 2 were given"),
        ([np.ones(5, F32)], r"argument 0 \(x\) must be float32\[4\], float32\[5\] was given; its dim 0 must be 4"),
        ([np.ones((4, 1), F32)], "it must have 1 dims"),
        ([np.ones(4)], r"float64\[4\] was given; convert it with .astype\('float32'\)"),
        ([np.ones(4, np.int32)], r"must be float32\[4\]"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_before_the_call(args, message):
    executable = loaded(doubling())
    with pytest.raises(ArgumentError, match=message):
        executable([asbuffer(a) for a in args])
    with pytest.raises(ArgumentError, match=message):
        executable.bind(tuple(asbuffer(a).spec for a in args))


def test_broken_facts_of_dims_are_refused_before_the_call():
    executable = loaded(doubling(("n",), symbols=[("n", 2, 8)]))
    executable([asbuffer(np.ones(8, F32))])
    with pytest.raises(ArgumentError, match="dim n is 9, but it was declared 2 <= n <= 8"):
        executable([asbuffer(np.ones(9, F32))])


def test_an_assertion_in_the_program_raises_its_message_and_the_next_call_works():
    # The dims have different names, so that only the program's own check can catch it.
    arguments = [spec(("a",), "float32"), spec(("b",), "float32")]
    executable = loaded(program(DYNAMIC_ADD, arguments, [spec(("a",), "float32")]))
    eight, three = asbuffer(np.ones(8, F32)), asbuffer(np.ones(3, F32))
    for _ in range(3):
        with pytest.raises(CheckError, match=r"^main: dim 0 of x and of y must agree$"):
            executable([eight, three])
        np.testing.assert_array_equal(executable([eight, eight])[0].numpy(), np.full(8, 2))


def test_aligned_memory_is_used_where_it_lies_and_other_memory_copied_once():
    text = "module @m { func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> } }"
    kind = [spec(("n",), "float32")]
    identity = loaded(program(text, kind, kind))
    aligned = Buffer.from_numpy(aligned_copy(np.ones(64, F32)), copy=False)
    assert address(identity([aligned])[0]) == address(aligned)
    odd = aligned_empty((65,), F32)[1:]
    odd[:] = 2
    buffer = Buffer(aligned.spec, HostStorage(odd))
    first, second = identity([buffer])[0], identity([buffer])[0]
    assert address(first) == address(second) != address(buffer)
    np.testing.assert_array_equal(first.numpy(), odd)


def test_results_share_memory_with_numpy_and_torch():
    (result,) = loaded(doubling())([asbuffer(np.ones(4, F32))])
    assert torch.from_dlpack(result).data_ptr() == address(result)
    assert address(result) % 64 == 0
    assert not np.asarray(result).flags.writeable


def test_memory_lives_as_long_as_anybody_sees_it():
    text = "module @m { func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> } }"
    kind = [spec(("n",), "float32")]
    identity = loaded(program(text, kind, kind))
    double = loaded(doubling(("n",)))
    views, n = [], 300_000  # large enough for memory of its own, which is unmapped when freed
    for i in range(8):
        (passed,) = identity([asbuffer(np.full(n, i, F32))])
        (made,) = double([from_dlpack(torch.full((n,), float(i)))])
        views += [(i, np.asarray(passed)), (2 * i, np.asarray(made)), (2 * i, torch.from_dlpack(made).numpy())]
    del passed, made
    gc.collect()
    for value, view in views:
        assert (view == value).all()


UPDATES = {
    "insert_slice": "%r = tensor.insert_slice %b into %a[4, 0][1, 8][1, 1] : tensor<1x8xf32> into tensor<16x8xf32>",
    "fold": """%r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%b : tensor<1x8xf32>) outs(%a : tensor<16x8xf32>) {
      ^bb0(%x: f32, %o: f32):
        %y = arith.addf %x, %o : f32
        linalg.yield %y : f32
      } -> tensor<16x8xf32>""",
    "loop": """%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c9 = arith.constant 9 : index
      %r = scf.for %q = %c0 to %c9 step %c1 iter_args(%t = %a) -> tensor<16x8xf32> {
        %u = tensor.insert_slice %b into %t[%q, 0][1, 8][1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
        scf.yield %u : tensor<16x8xf32>
      }""",
}


def update(name, donated=()):
    text = f"""module @m {{ func.func @main(%a: tensor<16x8xf32>, %b: tensor<1x8xf32>) -> tensor<16x8xf32> {{
      {UPDATES[name]}
      return %r : tensor<16x8xf32> }} }}"""
    arguments = [spec((16, 8), "float32"), spec((1, 8), "float32")]
    return program(text, arguments, arguments[:1], donated=donated)


def updated(name, a, b):
    want = a.copy()
    if name == "insert_slice":
        want[4] = b
    elif name == "loop":
        want[:9] = b
    else:
        want += b
    return want


@pytest.mark.parametrize("name", UPDATES)
def test_a_program_that_updates_an_argument_in_place_leaves_the_callers_array_alone(name):
    a, b = sample((16, 8), F32), sample((1, 8), F32, 1)
    executable = loaded(update(name))
    x, y = asbuffer(a), asbuffer(b)
    for _ in range(2):
        (result,) = executable([x, y])
        np.testing.assert_array_equal(result.numpy(), updated(name, a, b))
        np.testing.assert_array_equal(x.numpy(), a)
        np.testing.assert_array_equal(y.numpy(), b)


@pytest.mark.parametrize("name", UPDATES)
def test_a_donated_argument_is_gone_after_the_call(name):
    a, b = sample((16, 8), F32), sample((1, 8), F32, 1)
    executable = loaded(update(name, donated=[0]))
    x, y = asbuffer(a), asbuffer(b)
    (result,) = executable([x, y])
    np.testing.assert_array_equal(result.numpy(), updated(name, a, b))
    assert x.is_deleted()
    assert not y.is_deleted()
    with pytest.raises(DeletedBufferError):
        executable([x, y])
    np.testing.assert_array_equal(executable([result, y])[0].numpy(), updated(name, updated(name, a, b), b))


def test_a_donated_result_of_a_call_is_updated_in_place_unless_somebody_sees_it():
    executable = loaded(update("insert_slice", donated=[0]))
    make = loaded(doubling((16, 8)))
    a, b = sample((16, 8), F32), sample((1, 8), F32, 1)
    (state,) = make([asbuffer(a)])
    held = np.asarray(state)
    (after,) = executable([state, asbuffer(b)])
    np.testing.assert_array_equal(held, a + a)
    where = address_unseen(after)
    (last,) = executable([after, asbuffer(b)])
    assert address_unseen(last) == where
    np.testing.assert_array_equal(last.numpy(), updated("insert_slice", a + a, b))


def address_unseen(buffer):
    """Where a buffer lies, without the buffer counting as seen."""
    view = buffer._handle.map().asarray((1,), np.dtype(np.uint8))
    return view.__array_interface__["data"][0]


def test_a_result_that_is_an_argument_is_not_updated_in_place():
    text = """module @m { func.func @main(%a: tensor<128xf32>) -> tensor<16x8xf32> {
      %r = tensor.expand_shape %a [[0, 1]] output_shape [16, 8] : tensor<128xf32> into tensor<16x8xf32>
      return %r : tensor<16x8xf32> } }"""
    reshape = loaded(program(text, [spec((128,), "float32")], [spec((16, 8), "float32")]))
    (flat,) = loaded(doubling((128,)))([asbuffer(sample((128,), F32))])
    (square,) = reshape([flat])
    loaded(update("insert_slice", donated=[0]))([square, asbuffer(np.full((1, 8), 99, F32))])
    np.testing.assert_array_equal(flat.numpy(), sample((128,), F32) * 2)


def test_one_buffer_cannot_be_donated_and_passed_again():
    text = elementwise("%y = arith.addf %x0, %x1 : f32", (4,), "float32", operands=2)
    kind = spec((4,), "float32")
    executable = loaded(program(text, [kind, kind], [kind], donated=[1]))
    x = asbuffer(np.ones(4, F32))
    with pytest.raises(ArgumentError, match="argument 1 is donated, and passed as another argument as well"):
        executable([x, x])
    assert not x.is_deleted()


def test_results_of_both_drivers_mix_and_a_process_that_holds_them_ends_well(tmp_path):
    path = tmp_path / "double.vmfb"
    files.save(compiled(doubling(("n",))), path)
    code = """
import builtins, os, sys
import numpy as np
from wax_runtime import asbuffer, files
from wax_runtime import CPU, registry
artefact = files.read(sys.argv[1])
x = asbuffer(np.ones(5, np.float32))
for i in range(6):
    os.environ["WAX_TASK_WORK"] = "0" if i % 2 else "1000000"
    executable = registry.get("iree").load(artefact, CPU)
    (x,) = executable([x])
assert np.array_equal(x, np.full(5, 64)), x
builtins.kept = [x, np.asarray(x), executable]
"""
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "leaked" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_foreign_handle_on_a_buffer_is_replaced_by_ireees_own():
    x = asbuffer(np.ones(4, F32))
    x._handle = object()
    np.testing.assert_array_equal(loaded(doubling())([x])[0].numpy(), np.full(4, 2))


def test_a_function_of_bfloat16_agrees_with_ml_dtypes():
    value = sample((100,), ml_dtypes.bfloat16)
    (result,) = loaded(doubling(("n",), "bfloat16"))([asbuffer(value)])
    np.testing.assert_array_equal(result.numpy(), value + value)


def test_what_cannot_be_loaded_is_a_load_error():
    good = compiled(doubling())
    backend = registry.get("iree")
    for payload in (b"", b"x" * 100, good.payload[:200], good.payload[: len(good.payload) // 2]):
        with pytest.raises(LoadError, match="not a program that this iree-base-runtime reads"):
            backend.load(replace(good, payload=payload), CPU)
    with pytest.raises(LoadError, match=r"loads \.vmfb programs, not 'snapshot'"):
        backend.load(replace(good, format="snapshot"), CPU)
    with pytest.raises(DeviceError, match="cannot drive cuda:0"):
        backend.load(good, device("cuda"))
