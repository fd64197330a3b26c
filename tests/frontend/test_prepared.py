"""What a function captures is the same in all calls: what is made of it alone is made once (`wax-prepare-captured`)."""

import gc
import threading

import ml_dtypes
import numpy as np
import pytest
from product_programs import each_cpu

import wax
import wax.numpy as wnp
import wax_runtime
from wax import _native
from wax._compile import lower
from wax.errors import ArgumentError
from wax_runtime.iree.preparing import PreparingExecutable

RANDOM = np.random.default_rng(5)
NEVER = wax.CompileOptions(prepare=False)


def normal(*shape, dtype="float32"):
    return RANDOM.standard_normal(shape).astype(dtype)


def compiled(function, *arguments, options=None, **more):
    return wax.jit(function, **more).lower(*arguments).compile(backend="iree", options=options)


def preparation(function, *arguments, **options):
    """What a function's program prepares, if anything."""
    return compiled(function, *arguments, **options)._built.artefact.preparation


def check(function, *arguments, tolerance=1e-5, **options):
    """A function gives what it gives without preparation, again and again; and prepares something."""
    f = wax.jit(function, backend="iree", **options)
    plain = wax.jit(function, backend="iree", **{**options, "options": NEVER})
    assert preparation(function, *arguments, **options) is not None
    wanted = wax.tree.flatten(plain(*arguments))[0]
    for _ in range(7):  # the fifth call is watched, and those after it may be direct
        for found, want in zip(wax.tree.flatten(f(*arguments))[0], wanted, strict=True):
            found, want = np.asarray(found), np.asarray(want)
            assert (found.shape, found.dtype) == (want.shape, want.dtype)
            wide = "complex128" if want.dtype.kind == "c" else "float64"
            found, want = found.astype(wide), want.astype(wide)
            np.testing.assert_allclose(found, want, rtol=tolerance, atol=tolerance * max(1.0, np.abs(want).max()))


@pytest.mark.parametrize("rows", [60, 128, 600])
@pytest.mark.parametrize("order", ["ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ij,jk->ki"])
@each_cpu
def test_products(order, rows, cpu):
    sizes = {"i": rows, "j": 130, "k": 90}
    first, second = ([sizes[letter] for letter in factor] for factor in order.split("->")[0].split(","))
    weights = wnp.asarray(normal(*second))
    # The factor whose panels are made has the result's last dim.
    given = [normal(*first)]
    if order.endswith("ki"):
        weights, given = wnp.asarray(normal(*first)), [normal(*second)]
        check(lambda y: wnp.einsum(order, weights, y), *given, options=cpu)
    else:
        check(lambda x: wnp.einsum(order, x, weights), *given, options=cpu)


def test_few_rows_are_not_worth_keeping_panels_unless_these_are_much_to_make():
    flat, turned = wnp.asarray(normal(320, 320)), wnp.asarray(normal(320, 320))
    for rows, wanted in ((8, 0), (20, 1), (60, 2)):
        found = preparation(lambda x: (x @ flat, x @ turned.T), normal(rows, 320))
        assert len(found.signature.results if found else ()) == wanted


@pytest.mark.parametrize("rows", [1, 5, 12, 300])
@pytest.mark.parametrize("turned", [False, True])
def test_bytes_are_exact(turned, rows):
    x, w = (RANDOM.integers(-128, 127, shape).astype("int8") for shape in ((rows, 301), (301, 333)))
    held = wnp.asarray(np.ascontiguousarray(w.T) if turned else w)

    def function(x):
        return x.astype("int32") @ (held.T if turned else held).astype("int32")

    f = wax.jit(function, backend="iree")
    if _native.processor("host") in ("avxvnni", "avx512vnni", "avx512bf16", "amx"):
        # Few rows along what is summed up need no panels.
        assert (preparation(function, x) is None) == (turned and rows < 16)
    for _ in range(7):
        np.testing.assert_array_equal(np.asarray(f(x)), x.astype("int64") @ w)


def test_a_product_of_an_open_size():
    w, b = wnp.asarray(normal(70, 96)), wnp.asarray(normal(96))
    f = wax.jit(lambda x: wnp.tanh(x @ w + b), backend="iree", dynamic_shapes=({0: wax.Dim("rows")},))
    for rows in (40, 1, 700, 2, 0, 40):
        x = normal(rows, 70)
        wanted = np.tanh(x.astype("float64") @ np.asarray(w) + np.asarray(b))
        np.testing.assert_allclose(np.asarray(f(x)), wanted, rtol=1e-5, atol=1e-5)


def test_convolutions_stacks_loops_and_what_is_used_twice():
    kernel, bias = wnp.asarray(normal(3, 3, 16, 32)), wnp.asarray(normal(32))
    images = normal(2, 12, 12, 16)
    check(lambda x: wax.nn.conv(x, kernel, padding="SAME", channels_last=True) + bias, images)
    stack = wnp.asarray(normal(3, 40, 60))
    check(lambda x: x @ stack, normal(3, 50, 40))
    square = wnp.asarray(normal(64, 64) / 8)
    large = wnp.asarray(normal(320, 320) / 18)
    check(lambda x: wax.fori_loop(0, 4, lambda i, x: wnp.tanh(x @ large), x), normal(50, 320), tolerance=1e-4)
    check(lambda x: (x @ square @ square) * square[0] + square[:50], normal(50, 64), tolerance=1e-4)
    check(lambda x: (x @ square, square.T, square), normal(50, 64))


DTYPES = ["float16", "float32", "float64", "int16", "int64", "uint8", "bool", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", [*DTYPES, ml_dtypes.bfloat16])
def test_what_is_prepared_has_any_dtype(dtype):
    held = wnp.asarray((RANDOM.integers(0, 2, (30, 40)) if dtype == "bool" else normal(30, 40) * 9).astype(dtype))
    given = np.zeros((30, 40), dtype)
    given[::2] = 1

    def function(x):
        made = wnp.cumulative_sum(held, axis=1) if "complex" in str(dtype) else wnp.sort(held, axis=1)
        return wnp.where(x == made, x, made), made, held

    check(function, given, tolerance=1e-2 if dtype in ("float16", ml_dtypes.bfloat16) else 1e-5)


def test_memory_is_hardly_more_than_what_was_captured():
    column, narrow = wnp.asarray(normal(900)), wnp.asarray(RANDOM.integers(-9, 9, (400, 400)).astype("int8"))
    wide = wnp.asarray(normal(400, 400))

    # A table of all pairs, and floats of bytes.
    for function in (
        lambda x: x[0, 0] + (wnp.exp(column)[:, None] * column).sum(axis=0)[:50] * x[:, 0],
        lambda x: x @ narrow.astype("float32"),
    ):
        found = preparation(function, normal(50, 400))
        made = () if found is None else found.signature.results
        assert sum(np.prod(one.shape) * one.dtype.itemsize for one in made) <= column.nbytes
    (panels,) = preparation(lambda x: x @ wide, normal(50, 400)).signature.results
    assert np.prod(panels.shape) * 4 <= 1.25 * wide.nbytes


def test_all_that_is_prepared_takes_hardly_more_than_all_that_was_captured():
    weights = wnp.asarray(normal(160, 160))

    def function(x):
        for i in range(6):
            x = wnp.tanh(x @ wnp.sin(weights * (i + 1)).T)
        return x

    made = preparation(function, normal(50, 160)).signature.results
    assert 0 < sum(np.prod(one.shape) * 4 for one in made) <= 1.25 * (weights.nbytes + 2**16)
    check(function, normal(50, 160), tolerance=1e-4)


def test_branches_and_loops_with_checks_prepare_what_their_bodies_make():
    first, second = wnp.asarray(normal(320, 320) / 18), wnp.asarray(normal(320, 320) / 18)

    def branches(flag, x):
        return wax.cond(flag, lambda x: x @ first.T, lambda x: x @ second.T, x)

    for flag in (True, False):
        check(branches, np.bool_(flag), normal(60, 320), tolerance=1e-4)
    made = preparation(branches, np.bool_(True), normal(60, 320)).signature.results
    assert len(made) == 2

    def loop(n, x):
        return wax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, wnp.tanh(c[1] @ first)), (0, x))[1]

    for turns in (0, 1, 3):
        check(loop, np.int32(turns), normal(60, 320), tolerance=1e-4)


def test_views_and_nothing_are_not_prepared():
    held, table = wnp.asarray(normal(40, 30)), np.arange(1200.0, dtype="float32")
    assert preparation(lambda x: x + wnp.reshape(held, (30, 40))[2:20], normal(18, 40)) is None
    assert preparation(lambda x, y: x @ y, normal(40, 30), normal(30, 20)) is None
    assert preparation(lambda x: x + wnp.sin(wnp.arange(1200.0)), table) is None


def test_random_numbers_of_a_captured_key_are_drawn_once():
    key = wax.random.key(3)
    check(lambda x: wax.nn.dropout(key, x, 0.5), normal(40, 30))


def test_it_can_be_left_out():
    held, x = wnp.asarray(normal(64, 80)), normal(50, 64)
    assert preparation(lambda x: x @ held, x) is not None
    assert preparation(lambda x: x @ held, x, options=NEVER) is None
    assert preparation(lambda x: x @ held, x, optimize=False) is None


def test_functions_of_one_program_have_their_own():
    def scaled(weights):
        return wax.jit(lambda x: x @ weights, backend="iree")

    held = [wnp.asarray(normal(60, 70)) for _ in range(3)]
    functions, x = [scaled(one) for one in held], normal(50, 60)
    for _ in range(7):
        for f, one in zip(functions, held, strict=True):
            np.testing.assert_allclose(np.asarray(f(x)), x @ np.asarray(one, "float64"), rtol=1e-4, atol=1e-4)


@pytest.fixture
def preparing(monkeypatch):
    """Counts what is prepared."""
    counted, original = [], PreparingExecutable.prepare

    def prepare(self, last):
        counted.append(self)
        return original(self, last)

    monkeypatch.setattr(PreparingExecutable, "prepare", prepare)
    return counted


def test_it_is_prepared_once_for_all_kinds_of_calls_and_sizes(preparing):
    held = wnp.asarray(normal(60, 80))
    f = wax.jit(lambda x, scale: x @ held * scale, backend="iree")
    for rows in (50, 64, 200, 700):
        for x in (normal(rows, 60), wnp.asarray(normal(rows, 60))):
            for scale in (2.0, 3, np.float32(0.5)):
                for _ in range(3):
                    wanted = np.asarray(x) @ np.asarray(held, "float64") * float(scale)
                    np.testing.assert_allclose(np.asarray(f(x, scale)), wanted, rtol=1e-4, atol=1e-4)
    assert len(preparing) == 1
    other = wnp.asarray(normal(60, 80))
    g = wax.jit(lambda x: x @ other, backend="iree")
    x = normal(50, 60)
    np.testing.assert_allclose(np.asarray(g(x)), x @ np.asarray(other, "float64"), rtol=1e-4, atol=1e-4)
    assert len(preparing) == 2


def test_arguments_that_do_not_fit_are_refused_as_before():
    held = wnp.asarray(normal(60, 80))
    made = compiled(lambda x: x @ held, normal(50, 60))
    with pytest.raises(wax.errors.WaxError, match="float32"):
        made(normal(50, 60, dtype="float64"))


def test_calls_of_several_threads():
    held, x = wnp.asarray(normal(128, 128)), normal(64, 128)
    f, wrong = wax.jit(lambda x: wnp.tanh(x @ held), backend="iree"), []
    wanted = np.tanh(x @ np.asarray(held, "float64"))

    def call():
        for _ in range(30):
            if not np.allclose(np.asarray(f(x)), wanted, atol=1e-4):
                wrong.append(1)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_was_prepared_goes_with_its_programs(preparing):
    held, x = wnp.asarray(normal(64, 80)), normal(50, 64)
    for count in (1, 2):
        f = wax.jit(lambda x: x @ held, backend="iree")
        np.testing.assert_allclose(np.asarray(f(x)), x @ np.asarray(held, "float64"), rtol=1e-4, atol=1e-4)
        assert len(preparing) == count
        preparing[:] = [None] * count
        del f
        gc.collect()


def test_gradients_and_batches_of_functions_that_capture():
    held, x = wnp.asarray(normal(80, 80) / 9), normal(50, 80)
    check(lambda x: wax.grad(lambda x: wnp.sum(wnp.tanh(x @ held) @ held))(x), x, tolerance=1e-4)
    check(wax.vmap(lambda x: wnp.tanh(x @ held)), x)


def test_the_disk_cache_has_it(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path))
    held, x = wnp.asarray(normal(64, 80)), normal(50, 64)
    results = []
    for cached in (False, True):
        made = compiled(lambda x: x @ held, x)
        assert made._built.artefact.cached is cached
        assert made._built.artefact.preparation is not None
        results.append(np.asarray(made(x)))
    np.testing.assert_array_equal(*results)


def test_files_keep_their_calling_convention_unless_told_otherwise(tmp_path):
    held, x = wnp.asarray(normal(64, 80)), normal(50, 64)
    for prepare, program in ((None, tmp_path / "plain.vmfb"), (True, tmp_path / "prepared.vmfb")):
        wax.export(lambda x: x @ held, options=wax.CompileOptions(prepare=prepare))(x).save(program)
        assert (wax_runtime.files.read(program).preparation is not None) == bool(prepare)
        wanted = x @ np.asarray(held, "float64")
        for load in (wax.load, wax_runtime.load):
            loaded = load(program)
            for _ in range(7):
                np.testing.assert_allclose(np.asarray(loaded(x)), wanted, rtol=1e-4, atol=1e-4)
            assert [one.name for one in loaded.signature.arguments] == ["x"]
        # Whoever knows nothing of preparations does not take it for another file.
        assert program.read_bytes().endswith(b"WAXVMFB3" if prepare else b"WAXVMFB2")


def test_text_that_is_loaded_is_prepared(tmp_path):
    held, x = wnp.asarray(normal(64, 80)), normal(50, 64)
    for dialect in ("wax", "linalg"):
        wax.export(lambda x: x @ held)(x).save(tmp_path / "f.mlir", dialect=dialect)
        loaded = wax.load(tmp_path / "f.mlir")
        assert (loaded.flat.artefact.preparation is not None) == (dialect == "wax")
        np.testing.assert_allclose(np.asarray(loaded(x)), x @ np.asarray(held, "float64"), rtol=1e-4, atol=1e-4)


def test_weights_of_another_file_are_prepared_anew(tmp_path):
    class Model:
        def __init__(self):
            self.weight = wnp.asarray(normal(64, 80))

    model, x = Model(), normal(50, 64)
    exported = wax.export(lambda x: x @ model.weight, options=wax.CompileOptions(prepare=True))
    exported(x).save(tmp_path / "one.vmfb")
    model.weight = wnp.asarray(normal(64, 80))
    exported(x).save(tmp_path / "other.vmfb")
    loaded = wax.load(tmp_path / "one.vmfb", weights_file=tmp_path / "other.safetensors")
    np.testing.assert_allclose(np.asarray(loaded(x)), x @ np.asarray(model.weight, "float64"), rtol=1e-4, atol=1e-4)


def test_an_executable_that_is_given_everything_prepares_at_each_call():
    held = [wnp.asarray(normal(64, 80)) for _ in range(2)]
    executable = compiled(lambda x: x @ held[0], normal(50, 64))._built.executable
    assert isinstance(executable, PreparingExecutable)
    x = wnp.asarray(normal(50, 64))
    for one in held:
        (found,) = executable([x, one])
        np.testing.assert_allclose(found.numpy(), np.asarray(x) @ np.asarray(one, "float64"), rtol=1e-4, atol=1e-4)
    with pytest.raises(ArgumentError):
        executable([x, wnp.asarray(normal(64, 81))])
    with pytest.raises(ArgumentError):
        executable([x])


def test_what_is_done_once_is_no_part_of_what_a_call_takes():
    held = wnp.asarray(normal(64, 64))
    made = compiled(lambda x: x @ held, normal(64, 64))
    assert len(made.dispatch_times().dispatches) == 1


def test_the_form_is_seen():
    held = wnp.asarray(normal(64, 64))
    function = wax.jit(lambda x: x @ held).lower(normal(64, 64))._function
    assert "@main$prepare" in lower(function, "iree", prepares=True).text()
    assert "@main$prepare" not in lower(function, "iree").text()
    assert "@main$prepare" not in lower(function, "upstream", prepares=True).text()


@pytest.mark.vulkan
def test_on_a_gpu():
    held, scale = wnp.asarray(normal(40, 50)), wnp.asarray(normal(50))
    f = wax.jit(lambda x: x @ (held * wnp.exp(scale)), device="vulkan")
    x = normal(30, 40)
    wanted = x @ (np.asarray(held, "float64") * np.exp(np.asarray(scale, "float64")))
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(f(x)), wanted, rtol=1e-4, atol=1e-3)
