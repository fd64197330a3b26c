"""Programs that are compiled without IREE's compiler, and what is left to it."""

import os
import subprocess
import sys
import threading
import zipfile
from io import BytesIO

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wax
import wax.nn
import wax.numpy as wnp
from wax.backends.iree import alone, compilation, host_programs, machine_code

pytest.importorskip("wax._machine", reason="machine code is made for x86-64 only")
RANDOM = np.random.default_rng(0)
FRESH = wax.CompileOptions(cache=False)


def some(*shapes, dtype=np.float32):
    return [(RANDOM.standard_normal(shape) * 3).astype(dtype) for shape in shapes]


def normalized(x, w):
    return wax.nn.softmax(wax.nn.layer_norm(x) @ w, axis=-1)


def attended(q, k, v):
    return wax.nn.attention(q, k, v, is_causal=True)


def block(x, w, v, table, ids):
    """One of a transformer's, that has a map and a slice beside what it is known for."""
    y = wnp.permute_dims(wnp.reshape(wax.nn.layer_norm(x) @ w, (1, 128, 3, 4, 64)), (2, 0, 3, 1, 4))
    z = wnp.permute_dims(wax.nn.attention(y[0], y[1], y[2]), (0, 2, 1, 3))
    return x + wax.nn.gelu(wnp.reshape(z, (128, 256)) @ v) + table[ids][:128]


def results(x):
    p = wax.nn.softmax(x, axis=-1)
    return {"p": p, "part": p[3:5], "again": p, "sums": wnp.cumulative_sum(x, axis=1)}


IDS = RANDOM.integers(-50, 50, 200).astype(np.int32)
PROGRAMS = {
    "normalized": (normalized, some((32, 96), (96, 96))),
    "attention": (attended, some(*[(1, 4, 64, 32)] * 3)),
    "block": (block, [*some((128, 256), (256, 768), (256, 256), (50, 256)), IDS]),
    "results": (results, some((33, 70))),
    "an argument that is not read": (lambda x, y: wax.nn.softmax(x, axis=-1), some((9, 100), (3, 4))),
    "long map": (lambda x: wnp.tanh(x) * wnp.sin(x), some((300, 257))),
    "maps": (lambda x, y, n: (x * 2 + y, (x > y) & (x < 2), x * (n + 1), n + 1), [*some((9, 5), (9, 5)), np.int32(3)]),
    "numbers": (lambda a, n: (wnp.exp(wnp.sin(a) * 2 + 1) / a, n * 2 + 1), [np.float32(0.7), np.int32(5)]),
    "every few": (lambda x: (wax.nn.softmax(x, axis=-1)[::11], wax.nn.softmax(x, axis=-1)[0, ::111]), some((36, 300))),
    "few elements": (lambda x: wnp.where(x > 0, x, -x).astype("float16"), some((3,))),
    "bf16": (normalized, some((32, 96), (96, 96), dtype=ml_dtypes.bfloat16)),
    "f16": (normalized, some((32, 96), (96, 96), dtype=np.float16)),
    "f64": (normalized, some((32, 96), (96, 96), dtype=np.float64)),
    "sorted": (lambda x: wnp.sort(x, axis=-1), some((9, 100))),
    "transformed": (lambda x: wnp.fft.rfft(x), some((5, 64))),
}


def folded(x):
    square = wnp.mean(x * x, axis=-1)
    return wnp.sum(x, axis=0), wnp.sum(x, axis=1), wnp.max(x, axis=1), square, wnp.argmax(x, axis=0), wnp.var(x)


def moved(x):
    """Elements that lie apart, are turned around, and stand elsewhere."""
    y = x + 1
    return {
        "transposed": y.T,
        "of a transposed one": wnp.exp(x.T) + x[0, 0],
        "columns": x[:, 1:3] * 2,
        "every second row": x[::2] - 1,
        "every second element": x[1::2, ::2],
        "returned slice": x[:, 1:],
        "a column": x[:, 2],
        "backwards": x[::-1, ::-1],
        "behind each other": wnp.concat([x, y, x]),
        "beside each other": wnp.concat([x, y], axis=1),
        "all in one": wnp.concat([wnp.reshape(x, (-1,)), wnp.reshape(y, (-1,))]),
        "rolled": wnp.roll(x, 2, axis=1),
        "repeated": wnp.repeat(x, 2, axis=0),
    }


def made_of_none(x):
    n = wnp.arange(x.shape[1], dtype="float32")
    return x + n, n * 2, wnp.zeros((5, 3)), wnp.ones_like(x), wnp.eye(4), wnp.full((3,), 7), x * wnp.sqrt(n)


def turned(x):
    """What depends on constants alone is made once, when the program is loaded."""
    angles = wnp.arange(16.0)[:, None] * (0.1 ** wnp.arange(4.0))
    return x * wnp.cos(angles) + wnp.sin(angles)


def layers(w, v, x):
    return wnp.mean(wax.nn.relu(x @ w) @ v) + wnp.sum(w * w)


def of_booleans(x):
    b = x > 0
    return b, b.T, wnp.any(b, axis=0), wnp.all(b, axis=1), wnp.where(b[:, :1], x, -x), wnp.count_nonzero(b, axis=1)


def of_constants(x):
    """Truths and numbers that are known are no arguments of kernels."""
    always = x >= x if x.dtype.kind != "f" else wnp.ones_like(x, dtype="bool")
    some = wnp.asarray(np.arange(x.shape[1]) % 3 == 1)
    joined = wnp.concat([wnp.zeros_like(x), x, wnp.ones_like(x[:1])])
    return always, wnp.any(always, axis=(0, 1)), wnp.all(always, axis=0), wnp.where(some, x, -x), wnp.any(some), joined


def of_three(x):
    """Dims that are folded lie apart."""
    y = wnp.permute_dims(x, (2, 0, 1))
    return wnp.sum(x, axis=(0, 2)), wnp.max(y, axis=1), y * 2 + wnp.sum(x), wnp.prod(x, axis=1), wnp.std(x, axis=(0, 1))


#: What is lowered so that IREE is not needed, where it would make loops of some of it.
LAST = {
    **{
        f"{function.__name__}, {' by '.join(map(str, shape))}": (function, some(shape))
        for function in (folded, moved, made_of_none, of_booleans)
        for shape in ((33, 7), (100, 9), (5, 130), (20, 30) if function is of_booleans else (64, 64))
    },
    "of constants": (of_constants, [RANDOM.integers(-9, 9, (5, 3)).astype(np.int8)]),
    "of more constants": (of_constants, [RANDOM.integers(-9, 9, (9, 33)).astype(np.int16)]),
    "of constants of f32": (of_constants, some((5, 3))),
    "of three dims": (of_three, some((3, 5, 7))),
    "of three larger dims": (of_three, some((4, 16, 10))),
    "softmax of few": (lambda x: (wax.nn.softmax(x, axis=1), wax.nn.softmax(x, axis=0)), some((33, 7))),
    "gradient": (wax.grad(layers, argnums=(0, 1)), some((6, 5), (5, 3), (11, 6))),
    "bf16 folds": (folded, some((33, 7), dtype=ml_dtypes.bfloat16)),
    "f16 moves": (moved, some((33, 8), dtype=np.float16)),
    "f64 folds": (folded, some((33, 16), dtype=np.float64)),
    "int8 moves": (moved, [RANDOM.integers(-9, 9, (9, 32)).astype(np.int8)]),
    "folds of uint32": (
        lambda x: (wnp.sum(x, axis=0), wnp.max(x, axis=1)),
        [RANDOM.integers(0, 99, (9, 8), np.uint32)],
    ),
    "turned": (turned, some((16, 4))),
    "nothing but numbers": (
        lambda: (wnp.zeros((3, 5), dtype="float64"), wnp.full((4,), 7, dtype="int8"), wnp.ones(2, dtype="bool")),
        [],
    ),
    "numbers below zero": (
        lambda x: (x + -3, wnp.sum(x[:, 1:], axis=0)),
        [RANDOM.integers(-9, 9, (9, 7), np.int32)],
    ),
    "padded": (lambda x: (wnp.pad(x, ((1, 2), (0, 3))), wnp.pad(x[0], (2, 2))), some((9, 7))),
    "nothing but copies": (lambda x: (wnp.concat([x, x]), x[1:, :3]), some((9, 7))),
    "one element": (lambda x: (x[0] + 1, wnp.sum(x), x[:1]), some((3,))),
}


@pytest.fixture
def alones(monkeypatch):
    """What comes of each attempt."""
    made = []

    def spied(text, flags, compile_alone=compilation.compile_alone):
        made.append(compile_alone(text, flags))
        return made[-1]

    monkeypatch.setattr(compilation, "compile_alone", spied)
    return made


def by_iree(function, *arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compilation, "compile_alone", lambda *_: None)
        return wax.jit(function).lower(*arguments).compile(options=FRESH)


def equal(made, expected):
    made, expected = wax.tree.leaves(made), wax.tree.leaves(expected)
    assert len(made) == len(expected)
    for mine, other in zip(made, expected, strict=True):
        mine, other = np.asarray(mine), np.asarray(other)
        assert mine.dtype == other.dtype
        assert mine.shape == other.shape and mine.tobytes() == other.tobytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_computes_the_same(name, alones):
    """With the same machine code: what differs is where memory is, and who calls it."""
    function, arguments = PROGRAMS[name]
    ours = wax.jit(function).lower(*arguments).compile(options=FRESH)
    assert alones[-1] is not None
    expected = by_iree(function, *arguments)(*arguments)
    for _ in range(7):  # later calls go without IREE's runtime, where they can
        equal(ours(*arguments), expected)


@pytest.mark.parametrize("name", LAST)
def test_what_iree_has_loops_for_is_ours_too(name, alones):
    """The same, but for roundings, as of the plain program, in later calls too, which go another way."""
    function, arguments = LAST[name]
    ours = wax.jit(function).lower(*arguments).compile(options=FRESH)
    assert alones[-1] is not None
    made = ours(*arguments)
    for _ in range(7):
        equal(ours(*arguments), made)
    plain = wax.jit(function, optimize=False)(*arguments)
    for mine, other in zip(wax.tree.leaves(made), wax.tree.leaves(plain), strict=True):
        mine, other = np.asarray(mine), np.asarray(other)
        assert mine.dtype == other.dtype and mine.shape == other.shape
        exact = mine.dtype.kind in "biu"
        rtol = 0 if exact else {2: 2e-2, 4: 2e-5, 8: 1e-13}[mine.dtype.itemsize]
        np.testing.assert_allclose(mine.astype(np.float64), other.astype(np.float64), rtol=rtol, atol=rtol)


def test_special_values_are_kept(alones):
    """NaN, infinities, the sign of zero and the smallest numbers, where elements are moved one by one; and folded, but
    for the smallest, which IREE's runtime takes for 0.
    """
    x = np.array([[np.nan, np.inf, -0.0], [2e-38, -np.inf, 0.0], [-0.0, 3e38, -3e38]], np.float32)
    y = np.array([[1e-45, np.nan, -0.0], [-1e-45, np.inf, 1.0]], np.float32)

    def function(x, y):
        return y.T, y[::2], wnp.concat([y, y]), y[:, 1:], wnp.max(x, axis=1), wnp.sum(x, axis=0)

    made = wax.jit(function).lower(x, y).compile(options=FRESH)(x, y)
    assert alones[-1] is not None
    with np.errstate(invalid="ignore"):
        expected = (y.T, y[::2], np.concatenate([y, y]), y[:, 1:], x.max(1), x.sum(0))
    for mine, other in zip(made, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(mine), other)
    for mine, other in zip(made[:4], expected[:4], strict=True):
        assert np.asarray(mine).tobytes() == np.ascontiguousarray(other).tobytes()


def test_open_sizes_and_loops_of_the_host_are_iree_s(alones):
    x, w = some((32, 96), (96, 96))
    wax.jit(normalized, dynamic_shapes={"x": {0: wax.Dim("n")}}).lower(x, w).compile(options=FRESH)
    wax.jit(lambda x: wax.fori_loop(0, 5, lambda _, y: y @ y, x)).lower(w).compile(options=FRESH)
    assert alones == [None, None]


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x @ y,  # of 4096 turns
        lambda x, y: wnp.max(wnp.concat([x] * 100), axis=1),
        lambda x, y: wnp.sum(wnp.exp(wnp.tile(x, (64, 64))), axis=1),
    ],
)
def test_folds_that_iree_does_faster_are_its(function, alones):
    wax.jit(function).lower(*some((16, 16), (16, 16))).compile(options=FRESH)
    assert alones == [None]


def test_what_is_read_several_times_is_made_once(alones):
    """Functions that are costly are no part of a product."""
    x, y = some((6, 5), (5, 6))
    made = wax.jit(lambda x, y: wax.nn.gelu(x) @ wnp.tanh(y)).lower(x, y).compile(options=FRESH)
    assert alones[-1] is not None
    assert alones[-1].stream.count("stream.cmd.dispatch") == 3
    by_hand = np.asarray(wax.nn.gelu(x)).astype("f8") @ np.tanh(y.astype("f8"))
    np.testing.assert_allclose(np.asarray(made(x, y)), by_hand, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int8", "int32", "uint64"])
def test_kernels_of_constants_are_right_whoever_compiles_them(dtype, alones):
    """IREE would compute ahead what executables make of constants, and find zeros."""
    number = np.arange(6).reshape(2, 3).astype(dtype)

    def function(x):
        joined = wnp.reshape(wnp.concat([wnp.asarray(number)] * 3), (2, 9))
        return wnp.pad(wnp.zeros((8, 8), dtype=dtype), ((1, 3), (0, 0)), constant_values=3), joined @ joined.T, x + 1

    made = wax.jit(function)(np.ones(3, np.float32))
    joined = np.concatenate([number] * 3).reshape(2, 9).astype("f8")
    padded = np.pad(np.zeros((8, 8)), ((1, 3), (0, 0)), constant_values=3)
    np.testing.assert_array_equal(np.asarray(made[0]).astype("f8"), padded)
    np.testing.assert_allclose(np.asarray(made[1]).astype("f8"), joined @ joined.T % (256 if dtype == "int8" else 1e9))


@pytest.mark.parametrize(("from_", "to"), [("int32", "int8"), ("float32", "bfloat16"), ("int64", "int32")])
@pytest.mark.parametrize("count", [1, 2, 3, 17, 33, 64, 81])
def test_narrow_elements_are_written_within_their_bounds(from_, to, count):
    """LLVM stores all of what a lane was before it was narrowed, where a mask leaves it alone."""

    def function(x, y):
        rows = wnp.astype(x, to)[::2, 0]
        return rows, wnp.astype(y, to) + 1, wnp.concat([rows, wnp.astype(y, to), wnp.astype(x[:, 0], to)])

    for rows in (2 * count, 2 * count - 1):
        x = np.arange(rows)[:, None].astype(from_) % 100
        y = (np.arange(count) + 7).astype(from_)
        made = [np.asarray(one).astype("f8") for one in wax.jit(function)(x, y)]
        wanted = x[::2, 0], y + 1, np.concatenate([x[::2, 0], y, x[:, 0]])
        for one, other in zip(made, wanted, strict=True):
            np.testing.assert_array_equal(one, other)


def test_joined_constants_are_kept(alones):
    def function(x):
        table = wnp.concat([wnp.sin(wnp.arange(33.0)), wnp.cos(wnp.arange(31.0))])
        return x * wnp.exp(table)

    x = some((64, 64))[0]
    made = wax.jit(function).lower(x).compile(options=FRESH)(x)
    table = np.concatenate([np.sin(np.arange(33.0)), np.cos(np.arange(31.0))])
    np.testing.assert_allclose(np.asarray(made), x * np.exp(table), rtol=1e-5, atol=1e-6)
    stream = alones[-1].stream
    body = stream[stream.index("util.func public") :]
    assert body.count("stream.cmd.dispatch") == 1 and "stream.cmd.copy" not in body


def test_what_constants_make_is_not_kept_if_it_is_large(alones):
    def function(x):
        return x + wnp.exp(-wnp.abs(wnp.arange(3000.0)[:, None] - wnp.arange(3000.0)))[5]

    wax.jit(function).lower(np.ones(3000, np.float32)).compile(options=FRESH)
    assert alones[-1] is None or "!stream.resource<constant>" not in alones[-1].stream


def test_many_short_rows_that_iree_does_faster_are_its(alones):
    (x,) = some((3, 40000))
    wax.jit(lambda x: x.T + 1).lower(x).compile(options=FRESH)
    assert alones == [None]


def test_other_flags_and_machines_are_iree_s(alones):
    lowered = wax.jit(normalized).lower(*some((32, 96), (96, 96)))
    lowered.compile(options=FRESH)
    assert alones[-1] is not None
    for flag in ("--iree-hal-memoization=false", "--iree-opt-const-eval=false"):
        lowered.compile(options=wax.CompileOptions(cache=False, flags=(flag,)))
    with pytest.raises(wax.errors.CompileError, match="no-such"):
        lowered.compile(backend="iree", options=wax.CompileOptions(cache=False, flags=("--iree-opt-no-such=true",)))
    assert len(alones) == 1
    for cpu in ("host", "znver4"):
        flags = ("--iree-hal-target-device=local", f"--iree-llvmcpu-target-cpu={cpu}")
        assert alone.is_for_this_machine(flags) == (cpu == "host")
        assert alone.compile_alone("module {\n}\n", flags) is None


def test_the_compiler_is_not_loaded(tmp_path):
    program = """
import numpy as np
import wax, wax.nn

x, w = np.ones((32, 96), np.float32), np.ones((96, 96), np.float32)
call = wax.jit(lambda x, w: wax.nn.softmax(wax.nn.layer_norm(x) @ w, axis=-1))
print(round(float(np.asarray(call(x, w)).sum()), 3))
print("libIREECompiler" in open("/proc/self/maps").read())
print(np.asarray(wax.jit(lambda x: x.T + 1)(np.ones((3, 200000), np.float32))).sum())
print("libIREECompiler" in open("/proc/self/maps").read())
"""
    environment = {**os.environ, "WAX_CACHE_DIR": str(tmp_path)}
    for loaded in ("True", "False"):  # the second time all is in the cache on disk
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["32.0", "False", "1.2e+06", loaded]


def test_where_the_compiler_is_in_another_process_so_is_all(monkeypatch, alones):
    monkeypatch.setenv("WAX_ISOLATE_COMPILER", "1")
    (x,) = some((32, 96))
    made = wax.jit(lambda x: wax.nn.softmax(x, axis=-1)).lower(x).compile(options=FRESH)(x)
    assert alones == [] and abs(float(np.asarray(made).sum()) - 32) < 1e-3


def test_steps_are_no_pieces():
    (x,) = some((352, 100))
    made = wax.jit(lambda x: (wax.nn.softmax(x, axis=-1)[::11], wnp.sort(x, axis=-1)[3:4, ::11]))(x)
    y = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    np.testing.assert_allclose(np.asarray(made[0]), (y / y.sum(-1, keepdims=True))[::11], rtol=1e-5)
    np.testing.assert_array_equal(np.asarray(made[1]), np.sort(x, axis=-1)[3:4, ::11])


@pytest.mark.parametrize("count", [14, 15, 16, 17, 33, 66])
def test_many_arrays(count):
    """A dispatch has no more than some."""
    arrays = some(*[(9, 5)] * count)
    made = wax.jit(lambda *arrays: sum(arrays[1:], arrays[0])).lower(*arrays).compile(options=FRESH)(*arrays)
    np.testing.assert_allclose(np.asarray(made), np.sum(arrays, axis=0, dtype=np.float64), rtol=1e-4, atol=1e-4)


def test_numbers_are_made_in_one_dispatch(alones):
    wax.jit(lambda a: wnp.exp(wnp.sin(a) * 2 + 1) / a).lower(np.float32(0.7)).compile(options=FRESH)
    assert alones[-1].stream.count("stream.cmd.dispatch") == 1


@pytest.mark.parametrize(
    "part", ["emit", "nothing", "emit_library", "link", "memory", "flatbuffers", "host", "module", "threads"]
)
def test_whatever_fails_iree_does_it(part, monkeypatch, alones):
    def fail(*_, **__):
        kinds = {"emit": MemoryError, "emit_library": ValueError, "link": OSError, "memory": MemoryError}
        raise kinds.get(part, RuntimeError)("no")

    if part in ("emit", "emit_library"):
        monkeypatch.setattr(machine_code._machine, part, fail)
    elif part == "nothing":
        monkeypatch.setattr(machine_code._machine, "emit", lambda *_: (None, {}, "not this"))
    elif part in ("link", "memory"):
        monkeypatch.setattr(machine_code, "link", fail)
    elif part == "flatbuffers":
        monkeypatch.setitem(sys.modules, "flatbuffers", None)
    elif part == "threads":
        monkeypatch.setattr(machine_code.Thread, "start", fail)
    else:
        owner, name = (host_programs, "_read") if part == "host" else (host_programs.HostProgram, "module")
        failing = (lambda *_: (_ for _ in ()).throw(IndexError("no"))) if part == "host" else (lambda *_: None)
        monkeypatch.setattr(owner, name, failing)
    function, arguments = PROGRAMS["normalized"]
    made = wax.jit(function).lower(*arguments).compile(options=FRESH)
    # Without threads it is done by the one that waits.
    assert (alones[0] is not None) == (part == "threads")
    x, w = (one.astype(np.float64) for one in arguments)
    x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) @ w
    x = np.exp(x - x.max(-1, keepdims=True))
    np.testing.assert_allclose(np.asarray(made(*arguments)), x / x.sum(-1, keepdims=True), rtol=1e-4, atol=1e-6)


def test_it_is_made_of_as_many_parts_as_there_are_cpus(monkeypatch):
    function, arguments = PROGRAMS["block"]
    parts = []

    def spied(texts, machine, emit=machine_code._emit):
        parts.append(len(texts))
        return emit(texts, machine)

    monkeypatch.setattr(machine_code, "_emit", spied)
    made = {}
    for count in (1, 2, 5, 100):
        parts.clear()
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, count=count: set(range(count)))
        made[count] = wax.jit(function).lower(*arguments).compile(options=FRESH)(*arguments)
        assert len(parts) == min(count, 8, sum(parts)) and min(parts) > 0
    for other in made.values():
        equal(other, made[1])


def test_the_same_is_made_again(alones):
    function, arguments = PROGRAMS["normalized"]
    for _ in range(2):
        wax.jit(function).lower(*arguments).compile(options=FRESH)
    assert alones[0] == alones[1] is not None


def test_threads_compile_beside_each_other(alones):
    programs = [PROGRAMS[name] for name in ("normalized", "attention", "results")] * 2
    made = [None] * len(programs)

    def run(index):
        function, arguments = programs[index]
        made[index] = wax.jit(function).lower(*arguments).compile(options=FRESH)(*arguments)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(programs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert None not in alones and len(alones) == len(programs)
    for one, other in zip(made[:3], made[3:], strict=True):
        equal(one, other)


def test_what_is_saved_is_like_iree_s(tmp_path, alones):
    """It is loaded and called without wax's front end, checks what it is given, and can be looked into."""
    function, arguments = PROGRAMS["normalized"]
    compiled = wax.jit(function).lower(*arguments).compile(options=FRESH)
    assert alones[-1] is not None
    payload = alones[0].payload
    with zipfile.ZipFile(BytesIO(payload)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    assert "module.fb" in names and any(name.endswith(".so") for name in names)
    from iree import runtime

    config = runtime.Config("local-sync")
    context = runtime.SystemContext(config=config)
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, payload))
    main = context.modules.module["main"]
    made = main(*arguments).to_host()
    equal(made, np.asarray(compiled(*arguments)))
    with pytest.raises(Exception, match="input0"):
        main(arguments[0][:4], arguments[1])
    (declared,) = (value for key, value in main.vm_function.reflection.items() if key == "iree.abi.declaration")
    expected = 'sync func @main(%input0: tensor<32x96xf32> {wax.name = "x"}, %input1: tensor<96x96xf32>'
    assert declared.startswith(expected)


@given(
    shape=st.tuples(st.integers(1, 5), st.integers(1, 40), st.integers(1, 70)),
    axis=st.integers(0, 2),
    seed=st.integers(0, 99),
)
@settings(max_examples=15, deadline=None)
def test_shapes(shape, axis, seed):
    x = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)

    def function(x):
        return wax.nn.softmax(x, axis=axis), wnp.cumulative_sum(x, axis=axis)

    made = wax.jit(function).lower(x).compile(options=FRESH)(x)
    y = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    np.testing.assert_allclose(np.asarray(made[0]), y / y.sum(axis, keepdims=True), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(np.asarray(made[1]), np.cumsum(x, axis, dtype=np.float64), rtol=1e-4, atol=1e-5)
