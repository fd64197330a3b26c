"""Reductions, gathers and reversals by vectors: IREE against the reference, bit for bit, on every type.

Elements are small whole numbers, so that sums have no order. Sizes lie around those of vectors, 0 and 1 among them;
dynamic programs serve most of them.
"""

from __future__ import annotations

import functools
import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import reference_run
from iree.compiler import tools as iree_tools
from iree_run import FLAGS, fetch, hand_over, load
from scalar_judges import COMPLEXES, DTYPES, FLOATS
from tiers import every_other, is_quick, tiered

import wax
import wax.numpy as wnp
from wax import _native

RNG = np.random.default_rng(23)
QUICK = ("i1", "i64", "bf16", "f32")
LENGTHS = (0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 127, 129, 300)
ADD = dict.fromkeys(DTYPES, "arith.addi") | dict.fromkeys(FLOATS, "arith.addf")
ADD |= dict.fromkeys(COMPLEXES, "complex.add") | {"i1": "arith.xori"}
MULTIPLY = {name: word.replace("add", "mul").replace("xor", "and") for name, word in ADD.items()}
Shape = tuple[int | None, ...]


def lower(text: str) -> str:
    module = _native.parse_module(text)
    module.run("wax-to-linalg{target=iree}")
    return module.text()


def draw(shape: tuple[int, ...], element: str) -> np.ndarray:
    """Small whole numbers, zeros of both signs among floats."""
    dtype = DTYPES[element]
    if element == "i1":
        return RNG.random(shape) < 0.5
    x = RNG.integers(-3, 4, shape).astype(dtype)
    if element in ("f16", "bf16"):
        # Sums of a few ones are exact.
        x = np.where(RNG.random(shape) < 0.1, np.sign(x), 0).astype(dtype)
    if element.startswith("complex"):
        return (x + 1j * RNG.integers(-3, 4, shape)).astype(dtype)
    return np.where(RNG.random(shape) < 0.5, -x, x).astype(dtype)


def shifts(shape: tuple[int, ...], element: str) -> np.ndarray:
    """What `variation` adds: nothing in half precision, where the squares' sums would not be exact."""
    return np.zeros(shape, DTYPES[element]) if element in ("f16", "bf16") else draw(shape, element)


def total(element: str, shape: Shape, dims: tuple[int, ...], name: str = "main") -> str:
    """A sum along some dims."""
    x, scalar = reference_run.spell(shape, element), f"tensor<{element}>"
    y = reference_run.spell(tuple(n for d, n in enumerate(shape) if d not in dims), element)
    return f"""func.func @{name}(%x: {x}, %z: {scalar}) -> {y} {{
      %0 = wax.reduce {ADD[element]}(%x) over {list(dims)} init(%z) : ({x}, {scalar}) -> {y}
      return %0 : {y}
    }}"""


def variation(element: str, shape: Shape, dims: tuple[int, ...], name: str = "main") -> str:
    """The sum of squares of differences from a number of each place that is kept: what is summed is made in place."""
    x, scalar = reference_run.spell(shape, element), f"tensor<{element}>"
    kept, all_dims = [d for d in range(len(shape)) if d not in dims], ", ".join(map(str, range(len(shape))))
    y = reference_run.spell(tuple(shape[d] for d in kept), element)
    return f"""func.func @{name}(%x: {x}, %m: {y}, %z: {scalar}) -> {y} {{
      %0 = wax.broadcast {ADD[element]}(%x[{all_dims}], %m[{", ".join(map(str, kept))}])
          : ({x}, {y}) -> {x}
      %1 = wax.broadcast {MULTIPLY[element]}(%0[{all_dims}], %0[{all_dims}]) : ({x}, {x}) -> {x}
      %2 = wax.reduce {ADD[element]}(%1) over {list(dims)} init(%z) : ({x}, {scalar}) -> {y}
      return %2 : {y}
    }}"""


def first_greatest(element: str, shape: Shape, dim: int, name: str = "main", index: str = "i32") -> str:
    """The greatest element along a dim, and the first place where it is: two accumulators."""
    x, n = reference_run.spell(shape, element), reference_run.spell(shape, index)
    left = tuple(size for d, size in enumerate(shape) if d != dim)
    y, i = reference_run.spell(left, element), reference_run.spell(left, index)
    more, same = ("arith.cmpf ogt", "arith.cmpf oeq") if element in FLOATS else ("arith.cmpi sgt", "arith.cmpi eq")
    kernel = f"""%more = {more}, %a, %best : {element}
        %same = {same}, %a, %best : {element}
        %before = arith.cmpi slt, %b, %at : {index}
        %tied = arith.andi %same, %before : i1
        %take = arith.ori %more, %tied : i1
        %v = arith.select %take, %a, %best : {element}
        %k = arith.select %take, %b, %at : {index}
        wax.yield %v, %k : {element}, {index}"""
    sizes = ", ".join(f"%d{d}" for d, size in enumerate(shape) if size is None)
    dims = "\n".join(f"%c{d} = arith.constant {d} : index\n%d{d} = tensor.dim %x, %c{d} : {x}"
                     for d, size in enumerate(shape) if size is None)  # fmt: skip
    return f"""func.func @{name}(%x: {x}, %low: tensor<{element}>, %none: tensor<{index}>) -> ({y}, {i}) {{
      {dims}
      %n = wax.iota along {dim} {f"sizes [{sizes}] " if sizes else ""}: {n}
      %0:2 = wax.reduce (%a = %x, %b = %n) over [{dim}] init(%best = %low, %at = %none)
          : ({x}, {n}, tensor<{element}>, tensor<{index}>) -> ({y}, {i}) {{
        {kernel}
      }} combine (%best, %at, %a, %b) {{
        {kernel}
      }}
      return %0#0, %0#1 : {y}, {i}
    }}"""


def zero(element: str) -> np.ndarray:
    return np.zeros((), DTYPES[element])


MORE = [(2, (0,)), (3, (0, 1)), (3, (2,)), (3, (1, 2)), (4, (1,)), (4, (1, 2))]


@functools.cache
def reductions(element: str) -> dict[str, str]:
    """Dynamic programs of a type, by name."""
    made = {
        f"{make.__name__}_{'_'.join(map(str, dims))}_of_{rank}": (make, rank, dims)
        for make in (total, variation)
        for rank, dims in [(1, (0,)), (2, (1,)), (3, (1,)), *(MORE if element == "f32" else [])]
    }
    return {name: make(element, (None,) * rank, dims, name) for name, (make, rank, dims) in made.items()}


@functools.cache
def compiled(element: str) -> Any:
    return load(lower("\n".join(reductions(element).values())))


def check(module: Any, name: str, text: str, arrays: list[np.ndarray], note: str) -> None:
    """One program on IREE and on the reference."""
    expected = reference_run.run(text.replace(f"@{name}(", "@main("), *arrays)
    got = module[name](*[hand_over(x) for x in arrays])
    several = isinstance(expected, list)
    for ours, wanted in zip(got if several else [got], expected if several else [expected], strict=True):
        np.testing.assert_array_equal(fetch(ours, wanted.dtype), wanted, err_msg=f"{name} {note}")


@pytest.mark.parametrize("element", tiered(DTYPES, QUICK.__contains__))
def test_sums_of_every_type_along_last_and_middle_dims(element: str) -> None:
    for name, text in reductions(element).items():
        rank = int(name[-1])
        dims = tuple(int(d) for d in re.findall(r"_(\d)", name)[:-1])
        for length in LENGTHS:
            others = RNG.integers(1, 4, rank).tolist()
            others[RNG.integers(rank)] = int(RNG.integers(0, 3))
            for long in {dims[-1], rank - 1}:
                shape = tuple(length if d == long else others[d] for d in range(rank))
                kept = tuple(size for d, size in enumerate(shape) if d not in dims)
                arrays = [draw(shape, element)]
                if name.startswith("variation"):
                    arrays.append(shifts(kept, element))
                check(compiled(element), name, text, [*arrays, zero(element)], f"{element} {shape}")


NUMBERS = [name for name in DTYPES if name not in ("i1", *COMPLEXES)]


@pytest.mark.parametrize("element", tiered(NUMBERS, QUICK.__contains__))
def test_two_accumulators_of_every_type(element: str) -> None:
    texts = {f"f{dim}": first_greatest(element, (None, None, None), dim, f"f{dim}") for dim in (1, 2)}
    texts["wide"] = first_greatest(element, (None, None), 1, "wide", "i64")
    module = load(lower("\n".join(texts.values())))
    low = np.array(-128 if element.startswith("i") else -np.inf, DTYPES[element])
    for name, text in texts.items():
        index = DTYPES["i64" if name == "wide" else "i32"]
        none = np.array(np.iinfo(index).max, index)
        for length in LENGTHS:
            shape = {"f1": (2, length, 9), "f2": (3, 2, length), "wide": (4, length)}[name]
            check(module, name, text, [draw(shape, element), low, none], f"{element} {shape}")
    wide = (2, 40, 300)
    check(module, "f1", texts["f1"], [draw(wide, element), low, np.array(2**31 - 1, np.int32)], f"{element} {wide}")


STATIC: list[tuple[Shape, tuple[int, ...]]] = [
    ((1000,), (0,)),
    ((3, 77), (1,)),
    ((70, 8), (1,)),
    ((5, 1000), (1,)),
    ((2, 3, 7, 7), (2, 3)),
    ((2, 1, 33), (1, 2)),
    ((1, 1, 40), (2,)),
    ((None, 77), (1,)),
    ((3, None), (1,)),
    ((None, 384), (1,)),
    ((None, 5, 40), (1,)),
    ((2, None, 384), (1,)),
    ((2, None, 8), (1,)),
    ((300, 100), (0,)),
    ((9, 1300), (0,)),
    ((1, 20, 700), (1,)),
    ((2, 17, 513), (1,)),
    ((2, 9, 5, 130), (1, 2)),
    ((3, 2, 9000), (1,)),
]


@pytest.mark.parametrize("element", tiered(["f32", "f16", "i8", "i64"], {"f32", "i8"}.__contains__))
def test_known_sizes_come_out_the_same(element: str, request: pytest.FixtureRequest) -> None:
    made = [(make, number) for make in (total, variation) for number in range(len(STATIC))]
    if is_quick(request.config):  # each for one of the types
        made = [(make, number) for make, number in made if (number + (make is total)) % 2 == (element == "f32")]
    texts = {
        f"{make.__name__}{number}": make(element, *STATIC[number], f"{make.__name__}{number}") for make, number in made
    }
    module = load(lower("\n".join(texts.values())))
    for name, text in texts.items():
        open_shape, dims = STATIC[int(re.sub(r"\D", "", name))]
        shape = tuple(size if size is not None else 19 for size in open_shape)
        kept = tuple(size for d, size in enumerate(shape) if d not in dims)
        arrays = [draw(shape, element), *([shifts(kept, element)] if "variation" in name else []), zero(element)]
        check(module, name, text, arrays, f"{element} {shape}")


def test_a_sum_of_halves_in_single_precision_and_an_init_that_is_not_known() -> None:
    text = """func.func @main(%x: tensor<?x?xbf16>, %z: tensor<f32>) -> tensor<?xf32> {
      %0 = wax.map (%a = %x) : (tensor<?x?xbf16>) -> tensor<?x?xf32> {
        %w = arith.extf %a : bf16 to f32
        wax.yield %w : f32
      }
      %1 = wax.reduce arith.addf(%0) over [1] init(%z) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
      return %1 : tensor<?xf32>
    }"""
    module = load(lower(text))
    for length in LENGTHS:
        check(module, "main", text, [draw((3, length), "bf16"), np.zeros((), np.float32)], f"{length}")


def with_specials(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Few different numbers, and of floats the special ones."""
    x = RNG.integers(-2, 3, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer):
        return x
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype)
    x = np.where(RNG.random(shape) < 0.1, special[RNG.integers(0, 5, shape)], x)
    x[0] = -np.inf
    return x


@pytest.mark.parametrize(
    ("known", "shape"),
    every_other([True, False], [((300, 700),), ((33, 5000),), ((64, 65),), ((2, 40, 600),)]),
    ids=str,
)
def test_columns_with_special_numbers_are_numpys(shape: tuple[int, ...], known: bool) -> None:
    axis, x, least = len(shape) - 2, with_specials(shape, np.float32), np.finfo(np.float32).tiny
    x[..., ::7, 1::5] = least / 4
    open_dims = {"x": {d: wax.Dim(f"n{d}") for d in range(len(shape))}}
    with np.errstate(invalid="ignore"):  # the sum of inf and -inf
        summed = np.sum(x.astype(np.float64), axis)
    for name, wanted in [
        ("max", np.max(x, axis)),
        ("argmin", np.argmin(x, axis)),
        ("any", np.any(x, axis)),
        ("all", np.all(np.where(np.abs(x) < least, 0, x), axis)),
        ("sum", summed),
    ]:
        function = wax.jit(
            lambda x, name=name: getattr(wnp, name)(x, axis=axis), dynamic_shapes=None if known else open_dims
        )
        got = np.asarray(function(wnp.asarray(x)))
        np.testing.assert_allclose(got, wanted, rtol=1e-6 if name == "sum" else 0, atol=least, err_msg=name)


@pytest.mark.parametrize("known", [True, False])
def test_columns_may_be_none_or_have_no_rows(known: bool) -> None:
    open_dims = {"x": {0: wax.Dim("n"), 1: wax.Dim("m")}}
    function = wax.jit(lambda x: wnp.sum(x, axis=0), dynamic_shapes=None if known else open_dims)
    for shape in [(5000, 0), (0, 5000), (0, 0), (5000, 1), (1, 5000)]:
        got = np.asarray(function(wnp.ones(shape, dtype=wnp.float32)))
        np.testing.assert_array_equal(got, np.full(shape[1], shape[0], np.float32))


OPEN = (None, None)
GREATEST = [(wnp.argmax, np.argmax), (wnp.argmin, np.argmin)]


@pytest.mark.parametrize("dtype", [np.int8, np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_argmax_and_argmin_are_numpys_where_nan_zeros_and_equals_are(dtype: Any) -> None:
    for ours, theirs in GREATEST:
        jitted = wax.jit(lambda x, ours=ours: ours(x, axis=1), dynamic_shapes={"x": {0: wax.Dim("n"), 1: wax.Dim("k")}})
        for shape in [(4, 9), (7, 77), (3, 1000), (2, 4097), (200, 3)]:
            x = with_specials(shape, dtype)
            wanted = theirs(x.astype(np.float64), axis=1)
            np.testing.assert_array_equal(np.asarray(jitted(wnp.asarray(x))), wanted, err_msg=f"{shape}")


@pytest.mark.parametrize("shape", [(1, 40), (3, 1000), (2, 40, 77)])
def test_argmax_of_known_sizes_is_numpys_along_every_axis(shape: tuple[int, ...]) -> None:
    x = with_specials(shape, np.float32)
    for axis in range(len(shape)):
        got = np.asarray(wax.jit(functools.partial(wnp.argmax, axis=axis))(wnp.asarray(x)))
        np.testing.assert_array_equal(got, np.argmax(x, axis=axis))


def test_max_keeps_nan_and_the_sign_of_zero() -> None:
    x = np.full((5, 77), -0.0, np.float32)
    x[1, 33], x[2, 76], x[3, :] = 0.0, np.nan, -np.inf
    got = np.asarray(wax.jit(lambda x: wnp.max(x, axis=1))(wnp.asarray(x)))
    np.testing.assert_array_equal(got, np.max(x, axis=1))
    assert list(np.signbit(got[[0, 1]])) == [True, False]


#: Lengths around those of whole pieces, and of what is cut into several.
LONG = [(1000,), (1024,), (16_385,), (32_767,), (32_768,), (65_537,), (1_048_583,), (3, 100_003), (16, 32_800)]


@pytest.mark.parametrize("shape", tiered([(one,) for one in LONG], lambda one: one != ((65_537,),)), ids=str)
@pytest.mark.parametrize("dtype", tiered(["float32", "float64", "int8", "int64", "bfloat16"], "float32".__eq__))
def test_long_rows_are_folded_in_pieces(shape: tuple[int, ...], dtype: str, request: pytest.FixtureRequest) -> None:
    kind = np.dtype(getattr(ml_dtypes, dtype) if dtype == "bfloat16" else dtype)
    x = np.where(RNG.random(shape) < 0.01, RNG.integers(-1, 2, shape), 0).astype(kind)
    wide = x.astype("float64")
    for known in (True, False):
        open_dims = None if known else {"x": {len(shape) - 1: wax.Dim("n")}}

        def fold(x: Any) -> Any:
            return wnp.sum(x, axis=-1), wnp.max(x, axis=-1), wnp.argmin(x, axis=-1), wnp.any(x > 0, axis=-1)

        for only in range(4):
            if known and is_quick(request.config) and (LONG.index(shape) + only) % 2:
                continue  # each row by two of the folds
            judge = (np.sum, np.max, np.argmin, lambda v, axis: np.any(v > 0, axis=axis))[only]
            function = wax.jit(lambda x, only=only: fold(x)[only], backend="iree", dynamic_shapes=open_dims)
            np.testing.assert_array_equal(np.asarray(function(x)).astype("float64"), judge(wide, axis=-1))


@pytest.mark.parametrize("known", [True, False])
def test_pieces_are_summed_up_the_same_with_any_number_of_threads(known: bool, monkeypatch: Any) -> None:
    x = RNG.random(1_000_003).astype("float32")
    monkeypatch.setenv("WAX_TASK_WORK", "0")
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("WAX_NUM_THREADS", threads)
        open_dims = None if known else {"x": {0: wax.Dim("n")}}
        # Where a call runs is chosen once for a function.
        function = wax.jit(lambda x: wnp.sum(x), backend="iree", dynamic_shapes=open_dims)
        found += [float(function(x)) for _ in range(4)]
    np.testing.assert_allclose(found[0], x.astype("float64").sum(), rtol=1e-6)
    assert len(set(found)) == 1


def test_special_numbers_in_the_last_piece() -> None:
    x = np.zeros(100_003, np.float32)
    for special in (np.nan, np.inf, -np.inf, -1.0):
        x[-1] = special
        np.testing.assert_array_equal(np.asarray(wax.jit(lambda x: wnp.min(x), backend="iree")(x)), np.min(x))
        np.testing.assert_array_equal(np.asarray(wax.jit(lambda x: wnp.sum(x), backend="iree")(x)), special)
        np.testing.assert_array_equal(np.asarray(wax.jit(lambda x: wnp.argmin(x), backend="iree")(x)), np.argmin(x))


def look_up(element: str, shape: Shape, ids: Shape, name: str = "main", index: str = "i32") -> str:
    """Rows of a matrix, or larger, at indices."""
    x, i = reference_run.spell(shape, element), reference_run.spell(ids, index)
    y = reference_run.spell((*ids, *shape[1:]), element)
    at, rest = range(len(ids)), range(len(ids), len(ids) + len(shape) - 1)
    places = ", ".join([f"%i[{', '.join(map(str, at))}]", *map(str, rest)])
    return f"""func.func @{name}(%x: {x}, %i: {i}) -> {y} {{
      %0 = wax.gather %x[{places}] : ({x}, {i}) -> {y}
      return %0 : {y}
    }}"""


@pytest.mark.parametrize("element", tiered(DTYPES, QUICK.__contains__))
def test_rows_of_every_type_are_looked_up_at_clamped_indices(element: str) -> None:
    texts = {
        "one": look_up(element, (None, None), (None,), "one"),
        "two": look_up(element, (None, None, None), (None, None), "two", "i64"),
        "known": look_up(element, (9, 40), (None,), "known", "i8"),
        "short": look_up(element, (9, 5), (3,), "short"),
        "scalar": look_up(element, (None, 33), (), "scalar"),
    }
    module = load(lower("\n".join(texts.values())))

    def at(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        far = np.iinfo(dtype)
        beyond = RNG.choice([far.min, far.max], shape)
        return np.where(RNG.random(shape) < 0.2, beyond, RNG.integers(-2, 12, shape)).astype(dtype)

    for length in LENGTHS:
        check(module, "one", texts["one"], [draw((9, length), element), at((21,), np.int32)], f"{length}")
        check(module, "two", texts["two"], [draw((9, 2, length), element), at((2, 3), np.int64)], f"{length}")
    for ids in [(0,), (1,), (100,)]:
        check(module, "one", texts["one"], [draw((9, 17), element), at(ids, np.int32)], f"{ids}")
        check(module, "known", texts["known"], [draw((9, 40), element), at(ids, np.int8)], f"{ids}")
    check(module, "short", texts["short"], [draw((9, 5), element), at((3,), np.int32)], "")
    check(module, "scalar", texts["scalar"], [draw((9, 33), element), np.array(12, np.int32)], "")


def turned(element: str, shape: Shape, dims: tuple[int, ...], name: str = "main") -> str:
    x = reference_run.spell(shape, element)
    return f"""func.func @{name}(%x: {x}) -> {x} {{
      %0 = wax.reverse %x dims {list(dims)} : ({x}) -> {x}
      return %0 : {x}
    }}"""


TURNS = [(2, (1,)), (3, (1, 2)), (3, (1,)), (3, (0, 1))]
KNOWN_TURNS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((1000,), (0,)),
    ((3, 40), (1,)),
    ((3, 40), (0,)),
    ((5, 7), (1,)),
    ((2, 3, 11), (1, 2)),
    ((1, 33), (1,)),
]


@pytest.mark.parametrize("element", tiered(DTYPES, QUICK.__contains__))
def test_reversals_of_every_type_along_every_dim(element: str) -> None:
    cases = {f"r{''.join(map(str, dims))}_{rank}": (rank, dims)
             for rank, dims in [(1, (0,)), (2, (0,)), (3, (0, 2)), *(TURNS if element == "f32" else [])]}  # fmt: skip
    texts = {name: turned(element, (None,) * rank, dims, name) for name, (rank, dims) in cases.items()}
    known = {f"k{number}": case for number, case in enumerate(KNOWN_TURNS)}
    texts |= {name: turned(element, shape, dims, name) for name, (shape, dims) in known.items()}
    module = load(lower("\n".join(texts.values())))
    for name, (rank, _) in cases.items():
        for length in LENGTHS:
            shape = (*RNG.integers(1, 4, rank - 1).tolist(), length)
            check(module, name, texts[name], [draw(shape, element)], f"{element} {shape}")
    for name, (shape, _) in known.items():
        check(module, name, texts[name], [draw(shape, element)], f"{element} {shape}")


def dispatches(text: str) -> int:
    """How many dispatches a call of a program makes, which has no loop on the host."""
    flow = iree_tools.compile_str(lower(text), target_backends=[], extra_args=[*FLAGS, "--compile-to=flow"]).decode()
    body = flow[flow.index("util.func public @") :]
    assert "scf.for" not in body
    assert "cf.br" not in body
    return len(re.findall(r"= flow\.dispatch @", body))


@pytest.mark.parametrize(
    "text",
    [
        *(total("f32", shape, (1,)) for shape in [OPEN, (1000, 1000), (None, 77), (None, None, 384)]),
        *(total("f32", shape, (0,)) for shape in [OPEN, (1000, 1000), (1000, 64)]),
        *(variation("f32", shape, (1,)) for shape in [OPEN, (64, 1024), (None, None, 384)]),
        *(first_greatest("f32", shape, 1) for shape in [OPEN, (1000, 1000), (2, 8)]),
        *(look_up("f32", shape, (None,)) for shape in [OPEN, (10_000, 128)]),
        *(turned("f32", shape, dims) for shape, dims in [((None,), (0,)), ((7, 1000), (0,)), ((7, 1000), (0, 1))]),
    ],
)
def test_each_is_one_dispatch(text: str) -> None:
    assert dispatches(text) == 1


def test_a_long_row_is_two_dispatches() -> None:
    assert dispatches(total("f32", (1_000_000,), (0,))) == 2
    assert dispatches(first_greatest("f32", (1_000_000,), 0)) == 2


@pytest.mark.parametrize("dtype", tiered(["float32", "bfloat16", "int8", "float64"], {"float32", "int8"}.__contains__))
@pytest.mark.parametrize("is_open", [False, True])
def test_short_rows_are_joined_with_long_ones(dtype, is_open):
    """Two of them: IREE's copies of parts of rows take forty times as long."""
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    for shape in [(5, 33), (3, 4, 50), (7, 1000), (1, 9), (2, 3, 1)]:
        x = RNG.integers(-50, 50, shape).astype(kind)

        def function(x):
            edges = wnp.concat([x[..., :1], x, x[..., -2:]], axis=-1)
            return edges, wnp.roll(x, 3, axis=-1), wnp.roll(x, -1, axis=-1) * 2, wnp.concat([x, x[:1]], axis=0)

        sizes = {"x": {axis: wax.Dim(f"n{axis}") for axis in range(x.ndim)}} if is_open else None
        jitted = wax.jit(function, backend="iree", dynamic_shapes=sizes)
        wanted = np.concatenate([x[..., :1], x, x[..., -2:]], axis=-1), np.roll(x, 3, axis=-1)
        wanted += np.roll(x, -1, axis=-1) * kind.type(2), np.concatenate([x, x[:1]])
        for one, other in zip(jitted(x), wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(one), other)
