"""The programs of run/*.mlir through IREE: lowered by wax-opt, compiled, and compared with NumPy.

The same text is run by MLIR's own mlir-runner under lit; here each function is called with random and
special values. What is judged is the lowering: the text that MLIR 22 prints must be what IREE's newer
MLIR reads, and mean the same. The runtime's own backend is not used.
"""

import functools
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import mlir_tools
import numpy as np
import pytest
from iree_run import fetch, hand_over, load
from scalar_judges import INT, values, width

HERE = Path(__file__).parent
DTYPES: dict[str, Any] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}


def lower(text: str, target: str = "iree") -> str:
    """The text of `text` after the pipeline."""
    command = [str(mlir_tools.wax_tool("wax-opt")), f"--wax-to-linalg=target={target}"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.cache
def program(name: str, target: str = "iree") -> Any:
    """The functions of run/<name>.mlir without those that drive them under mlir-runner."""
    text = (HERE / "run" / f"{name}.mlir").read_text().split("// Driver")[0]
    return load(lower(text, target))


def call(module: Any, function: str, *arguments: np.ndarray, dtype: Any = np.float32) -> np.ndarray:
    return fetch(module[function](*map(hand_over, arguments)), dtype)


RANDOM = np.random.default_rng(7)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


Judge = Callable[..., np.ndarray]

#: function, arguments, judge: exact results.
MOVES_AND_MAPS: list[tuple[str, str, list[np.ndarray], Judge]] = [
    ("pointwise", "map_static", [floats(2, 3)], lambda x: x * 2),
    ("pointwise", "map_dynamic", [floats(5, 9) * 100], lambda x: x.astype(np.int32)),
    ("pointwise", "map_scalar", [floats()], lambda x: -x),
    ("pointwise", "add_bias", [floats(4, 3), floats(3)], lambda x, b: x + b),
    ("pointwise", "add_bias", [floats(0, 3), floats(3)], lambda x, b: x + b),
    (
        "pointwise",
        "outer_transposed",
        [floats(3), floats(4, 5)],
        lambda x, y: y.T[:, :, None] * x,
    ),
    ("pointwise", "free_dims", [floats(5)], lambda x: np.tile(x[:, None, None], (1, 2, 5))),
    (
        "pointwise",
        "where",
        [np.array([1, 0, 1, 0], np.bool_), floats(4), floats()],
        lambda c, x, y: np.where(c, x, y),
    ),
    ("pointwise", "full", [floats(7)], lambda x: np.full(7, 2.5, np.float32)),
    ("pointwise", "full", [floats(0)], lambda x: np.full(0, 2.5, np.float32)),
    ("pointwise", "full_of_argument", [floats()], lambda x: np.full((2, 2), x)),
    ("views", "permute", [floats(5, 2, 3)], lambda x: x.transpose(2, 0, 1)),
    ("views", "permute", [floats(0, 2, 3)], lambda x: x.transpose(2, 0, 1)),
    ("views", "merge_and_split", [floats(4, 2, 5)], lambda x: x.reshape(2, 2, 10)),
    ("views", "merge_and_split", [floats(4, 2, 0)], lambda x: x.reshape(2, 2, 0)),
    ("views", "unit_dims", [floats(1, 6, 1)], lambda x: x.reshape(6, 1)),
    ("views", "to_scalar", [floats(1, 1)], lambda x: x.reshape(())),
    ("views", "from_scalar", [floats()], lambda x: x.reshape(1, 1)),
    ("views", "dynamic_unit_dim", [floats(1, 3)], lambda x: x.reshape(3)),
    ("views", "split_in_two", [floats(10)], lambda x: x.reshape(5, 2)),
    ("views", "slice_static", [floats(4, 5)], lambda x: x[1::2, ::2]),
    *(
        (
            "views",
            "slice_at",
            [floats(6, 3), np.array(at, np.int32)],
            functools.partial(lambda s, x, _: x[s : s + 2], start),
        )
        for at, start in [(0, 0), (3, 3), (4, 4), (5, 4), (2**31 - 1, 4), (-1, 0), (-(2**31), 0)]
    ),
    ("assembly", "surround", [floats(2, 4)], lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=7)),
    ("assembly", "surround", [floats(2, 0)], lambda x: np.pad(x, ((1, 0), (0, 2)), constant_values=7)),
    (
        "assembly",
        "surround_with",
        [floats(2, 4), floats()],
        lambda x, v: np.pad(x, ((1, 0), (0, 2)), constant_values=v),
    ),
    (
        "assembly",
        "crop",
        [floats(2, 4)],
        lambda x: np.pad(x[1:, :2], ((0, 0), (1, 0)), constant_values=7),
    ),
    ("assembly", "concat_rows", [floats(2, 3), floats(4, 3)], lambda x, y: np.concatenate([x, y, x])),
    ("assembly", "concat_rows", [floats(2, 3), floats(0, 3)], lambda x, y: np.concatenate([x, y, x])),
    ("assembly", "concat_columns", [floats(2, 3), floats(2, 5)], lambda x, y: np.concatenate([x, y], 1)),
    ("assembly", "concat_columns", [floats(2, 0), floats(2, 5)], lambda x, y: np.concatenate([x, y], 1)),
    (
        "indexing",
        "take_rows",
        [floats(5, 2), np.array([4, 0, 9, -3, 2], np.int32)],
        lambda t, i: t[np.clip(i, 0, 4)],
    ),
    ("indexing", "take_rows", [floats(5, 2), np.zeros(0, np.int32)], lambda t, i: t[i]),
    (
        "indexing",
        "take_along",
        [floats(3, 5), np.array([[4, 0], [-1, 2], [2**62, -(2**62)]], np.int64)],
        lambda x, i: np.take_along_axis(x, np.clip(i, 0, 4), 1),
    ),
    (
        "indexing",
        "pick",
        [floats(3, 2), np.array(1, np.int8), np.array([0, 1, 1, 0], np.int32)],
        lambda x, i, j: x[i, j],
    ),
    (
        "indexing",
        "iota_i32",
        [floats(4)],
        lambda x: np.arange(4, dtype=np.int32)[:, None] + np.zeros((4, 3), np.int32),
    ),
    ("indexing", "iota_i8", [], lambda: np.arange(300).astype(np.int8)),
    ("indexing", "iota_f32", [], lambda: np.arange(4, dtype=np.float32)),
    ("indexing", "iota_f16", [], lambda: np.arange(5, dtype=np.float16)),
    ("indexing", "iota_i1", [], lambda: np.arange(5) % 2 == 1),
    ("indexing", "constant_complex", [], lambda: np.array([1 + 2j, 3 - 4j], np.complex64)),
]


@pytest.mark.parametrize("target", ["upstream", "iree"])
@pytest.mark.parametrize(
    ("file", "function", "arguments", "judge"),
    MOVES_AND_MAPS,
    ids=[f"{case[1]}-{index}" for index, case in enumerate(MOVES_AND_MAPS)],
)
def test_maps_and_moves_are_exact(
    target: str, file: str, function: str, arguments: list[np.ndarray], judge: Judge
) -> None:
    expected = judge(*arguments)
    got = call(program(file, target), function, *arguments, dtype=expected.dtype)
    np.testing.assert_array_equal(got, expected)
    assert got.dtype == expected.dtype


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_dilation_puts_values_between_elements(columns: int) -> None:
    x = floats(2, columns)
    expected = np.zeros((3, 3 * columns - 2), np.float32)
    expected[::2, ::3] = x
    expected = np.pad(expected[:, 1:], ((0, 0), (0, 2)))
    np.testing.assert_array_equal(call(program("assembly"), "dilate", x), expected)


def test_dilation_with_an_argument() -> None:
    x, v = floats(2, 3), floats()
    expected = np.full((5, 7), v)
    expected[1:4:2, 1:6:2] = x
    np.testing.assert_array_equal(call(program("assembly"), "dilate_with", x, v), expected)


def test_complex_magnitude() -> None:
    x, y = floats(9), floats(9)
    got = call(program("pointwise"), "complex_magnitude", x, y)
    np.testing.assert_allclose(got, np.hypot(x, y + 1), rtol=1e-6)


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (1, 1), (7, 13), (64, 1000)])
def test_sums_and_maxima(shape: tuple[int, int]) -> None:
    x = floats(*shape)
    got = call(program("reduce"), "sum_all", x)
    np.testing.assert_allclose(got, x.sum(dtype=np.float64), atol=1e-5 * max(1, np.abs(x).sum()))
    maxima = x.max(1, initial=-np.inf)
    np.testing.assert_array_equal(call(program("reduce"), "max_rows", x), maxima)


def test_reductions_start_from_init() -> None:
    x, start = floats(2, 3), floats()
    np.testing.assert_allclose(call(program("reduce"), "sum_from", x, start), start + x[0] + x[1], rtol=1e-6)
    assert call(program("reduce"), "count", np.array(3, np.int32), dtype=np.int32) == 23


@pytest.mark.parametrize("size", [0, 1, 5, 16, 17, 1000])
def test_steps_that_are_all_the_same_constant(size: int) -> None:
    assert call(program("reduce"), "count_of", floats(size), dtype=np.int32) == size
    np.testing.assert_array_equal(call(program("reduce"), "sum_of_ones", floats(3, size)), np.full(3, size))
    assert call(program("reduce"), "count_17", np.array(3, np.int32), dtype=np.int32) == 20


@pytest.mark.parametrize("shape", [(2, 2, 3), (1, 4, 5), (3, 1, 2), (0, 2, 2)])
def test_a_fold_without_combine_runs_in_row_major_order(shape: tuple[int, int, int]) -> None:
    x = RANDOM.integers(0, 10, shape).astype(np.float32)
    expected = np.zeros(shape[1], np.float32)
    for i in range(shape[0]):
        for k in range(shape[2]):
            expected = expected * np.float32(10) + x[i, :, k]
    np.testing.assert_array_equal(call(program("reduce"), "ordered", x), expected)


@pytest.mark.parametrize("function", ["ordered_sum", "ordered_product"])
def test_sums_without_combine_are_not_reordered(function: str) -> None:
    if function == "ordered_sum":
        x = floats(4096) * 10.0 ** RANDOM.integers(-4, 5, 4096)
        combine = np.add
    else:
        x = 1 + 0.01 * floats(4096)
        combine = np.multiply
    x = x.astype(np.float32)
    # `accumulate` goes one by one; `reduce` would sum by pairs.
    assert call(program("reduce"), function, x) == combine.accumulate(x)[-1]


def test_argmax_has_two_results_and_takes_the_first() -> None:
    x = RANDOM.integers(0, 4, (33, 50)).astype(np.float32)
    value, index = program("reduce")["argmax"](x)
    np.testing.assert_array_equal(value.to_host(), x.max(1))
    np.testing.assert_array_equal(index.to_host(), x.argmax(1))


@pytest.mark.parametrize(("m", "n", "k"), [(3, 4, 5), (1, 1, 1), (64, 33, 100), (0, 3, 2), (3, 2, 0)])
def test_matmul(m: int, n: int, k: int) -> None:
    a, b = floats(m, k), floats(k, n)
    got = call(program("reduce"), "matmul", a, b)
    np.testing.assert_allclose(got, a.astype(np.float64) @ b, atol=1e-5 * max(k, 1))


def test_matmul_f16_accumulates_in_f32() -> None:
    a, b = floats(7, 4).astype(np.float16), floats(4, 3).astype(np.float16)
    got = call(program("reduce"), "matmul_f16", a, b, dtype=np.float16)
    np.testing.assert_allclose(got, a.astype(np.float64) @ b, rtol=2e-3, atol=1e-3)


# Total scalar semantics: every pair of special values, the judge in Python integers.


def integers(name: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of values where something special happens."""
    if name == "i1":
        special = np.array([0, 1], np.bool_)
    else:
        facts = np.iinfo(DTYPES[name])
        width = facts.bits
        near = [-width - 1, -width, -3, -2, -1, 0, 1, 2, 3, 7, width - 1, width, width + 1]
        special = np.array([facts.min, facts.min + 1, *near, facts.max - 1, facts.max], DTYPES[name])
    x, y = np.meshgrid(special, special)
    return x.ravel(), y.ravel()


def truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def integer_judge(op: str, x: int, y: int, width: int) -> int:
    """`op` on signed values, in unbounded integers; the caller wraps."""
    ux, uy = x % 2**width, y % 2**width
    in_range = uy < width
    if op.startswith("sh"):
        if op == "shrsi":
            return x >> min(uy, width - 1)
        return ((x << uy) if op == "shli" else (ux >> uy)) if in_range else 0
    if y == 0:
        return 0
    return {
        "divsi": lambda: truncated(x, y),
        "divui": lambda: ux // uy,
        "floordivsi": lambda: x // y,
        "ceildivsi": lambda: -(-x // y),
        "ceildivui": lambda: -(-ux // uy),
        "remsi": lambda: x - y * truncated(x, y),
        "remui": lambda: ux % uy,
    }[op]()


INTEGER_OPS = ["divsi", "divui", "floordivsi", "ceildivsi", "ceildivui", "remsi", "remui", "shli", "shrui", "shrsi"]


@pytest.mark.parametrize("element", ["i1", "i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("op", INTEGER_OPS)
def test_integer_operations_are_total(op: str, element: str) -> None:
    x, y = integers(element)
    width = 1 if element == "i1" else x.itemsize * 8
    signed = (lambda v: -int(v)) if element == "i1" else int
    expected = [integer_judge(op, signed(a), signed(b), width) % 2**width for a, b in zip(x, y, strict=True)]
    got = call(program("total_integers"), f"{op}_{element}", x, y, dtype=x.dtype)
    assert [int(value) % 2**width for value in got] == expected


def test_constants_prove_guards_away_but_change_nothing() -> None:
    x, _ = integers("i32")
    for function, constants, op in [
        ("div_by_constants", (3, 0, -1), ["divsi"] * 3),
        ("shift_by_constants", (4, 40, 40), ["shli", "shli", "shrsi"]),
    ]:
        results = program("total_integers")[function](x)
        for result, constant, name in zip(results, constants, op, strict=True):
            expected = [integer_judge(name, int(a), constant, 32) % 2**32 for a in x]
            assert [int(value) % 2**32 for value in result.to_host()] == expected


def special_floats(name: str) -> np.ndarray:
    """Infinities, NaN, zeros, and the neighbours of the integer types' bounds."""
    powers = [2.0**p for p in (7, 8, 15, 16, 31, 32, 63, 64)]
    values = [0.0, 0.5, 0.999, 1.0, 1.5, 2.0, 3.7, 1e30, np.inf, np.nan]
    values += [p + d for p in powers for d in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)]
    values += [float(np.nextafter(np.float32(p), np.float32(0))) for p in powers]
    both = np.array(values + [-v for v in values])
    with np.errstate(over="ignore"):
        return both.astype(DTYPES[name])


@pytest.mark.parametrize("to", ["i1", "i8", "i16", "i32", "i64"])
@pytest.mark.parametrize("source", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("op", ["fptosi", "fptoui"])
def test_float_to_integer_saturates(op: str, source: str, to: str) -> None:
    x = special_floats(source)
    width = 1 if to == "i1" else np.dtype(DTYPES[to]).itemsize * 8
    low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if op == "fptosi" else (0, 2**width - 1)

    def judge(value: float) -> int:
        if np.isnan(value):
            return 0
        if np.isinf(value):
            return high if value > 0 else low
        return min(max(int(value), low), high)

    got = call(program("total_floats"), f"{op}_{source}_{to}", x, dtype=np.dtype(DTYPES[to]))
    assert [int(value) % 2**width for value in got] == [judge(float(v)) % 2**width for v in x]


@pytest.mark.parametrize("element", ["i1", "i8", "i16", "i32", "i64"])
def test_powers_of_integers_are_exact(element: str) -> None:
    bits, dtype = width(element), np.dtype(DTYPES[element])
    own = np.unique(values(element, np.random.default_rng(bits)))
    base, exponent = (part.ravel() for part in np.meshgrid(own, own))
    kind = f"tensor<?x{element}>"
    text = lower(f"""
        func.func @power(%x: {kind}, %y: {kind}) -> {kind} {{
          %0 = wax.broadcast math.ipowi(%x[0], %y[0]) : ({kind}, {kind}) -> {kind}
          return %0 : {kind}
        }}""")
    expected = [INT["math.ipowi"](int(x), int(y), bits=bits) for x, y in zip(base, exponent, strict=True)]
    np.testing.assert_array_equal(call(load(text), "power", base, exponent, dtype=dtype), np.array(expected, dtype))


@pytest.mark.parametrize("source", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("op", ["minimumf", "maximumf", "minnumf", "maxnumf"])
def test_minima_and_maxima_of_nan_and_zeros(op: str, source: str) -> None:
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5], np.float32).astype(DTYPES[source])
    x, y = (part.ravel() for part in np.meshgrid(special, special))
    got = call(program("total_floats"), f"{op}_{source}", x, y, dtype=np.dtype(DTYPES[source]))
    wide = [part.astype(np.float64) for part in (x, y, got)]
    smaller = op.startswith("min")
    for a, b, result in zip(*wide, strict=True):
        if np.isnan(a) or np.isnan(b):
            other = b if np.isnan(a) else a
            expected = np.nan if op.endswith("imumf") else other
        else:
            # Sorting by sign as well puts -0 before +0.
            ordered = sorted([a, b], key=lambda v: (v, not np.signbit(v)))
            expected = ordered[0] if smaller else ordered[1]
        assert result == expected or (np.isnan(result) and np.isnan(expected)), (a, b)
        if op.endswith("imumf") and expected == 0:
            assert np.signbit(result) == np.signbit(expected), (a, b)


@pytest.mark.parametrize("count", [1, 7, 1000])
def test_reduced_minima_keep_nan_and_the_sign_of_zero(count: int) -> None:
    for op, zero in (("minimumf", -0.0), ("maximumf", 0.0)):
        x = np.full(count, -zero, np.float32)
        x[count // 2] = zero
        got = call(program("total_floats"), f"reduce_{op}", x)
        assert np.signbit(got) == np.signbit(np.float32(zero))
        x[count // 3] = np.nan
        assert np.isnan(call(program("total_floats"), f"reduce_{op}", x))


def test_calling_convention_attributes_pass_through_iree() -> None:
    text = """
    func.func @main(%x: tensor<?xi32> {wax.name = "x", wax.sign = "unsigned", wax.dims = affine_map<()[s0] -> (s0)>})
        -> (tensor<?xi32> {wax.sign = "unsigned", wax.dims = affine_map<()[s0] -> (s0)>})
        attributes {wax.symbols = [{name = "n", min = 2 : i64, max = 9223372036854775807 : i64}]} {
      %0 = wax.broadcast arith.addi(%x[0], %x[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      return %0 : tensor<?xi32>
    }"""
    lowered = lower(text)
    for attribute in ("wax.name", "wax.sign", "wax.dims", "wax.symbols"):
        assert attribute in lowered
    module = load(lowered)
    np.testing.assert_array_equal(call(module, "main", np.array([1, 2, 3], np.int32)), [2, 4, 6])
    with pytest.raises(Exception, match="n must be at least 2"):
        module["main"](np.array([1], np.int32))
