"""Windows, folds and convolutions lowered, compiled, and judged by their formulas; and how many dispatches they are."""

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import upstream_run
from iree.compiler import tools as iree_tools
from iree_run import FLAGS, fetch, hand_over, load
from scalar_judges import DTYPES
from sliding import CONVOLUTIONS, WINDOWS, Convolution, Window, draw
from tiers import spread, tiered

from wax import _native

SUMS = {"i": "arith.addi", "f": "arith.addf", "c": "complex.add"}
# `3 · acc + element`, in which the order counts; exact as long as so few elements meet.
ORDERED = [one for one in WINDOWS if one.element in ("f32", "f64")]


def kind(element: str) -> str:
    return "c" if element.startswith("complex") else "i" if element.startswith("i") else "f"


def in_order(one: Window, name: str) -> str:
    return one.fold_text(
        "",
        name,
        f"%t = arith.constant 3.0 : {one.element} %u = arith.mulf %s, %t : {one.element} "
        f"%r = arith.addf %e, %u : {one.element}",
    )


PROGRAMS: dict[str, tuple[Sequence[Any], Callable[[Any, str], str]]] = {
    "window": (WINDOWS, lambda one, name: one.text(name)),
    "fold": (WINDOWS, lambda one, name: one.fold_text(SUMS[kind(one.element)], name)),
    "ordered": (WINDOWS, lambda one, name: one.fold_text("ordered " + SUMS[kind(one.element)], name)),
    "chain": (ORDERED, in_order),
    "convolve": (CONVOLUTIONS, lambda one, name: one.text(name)),
    "some convolve": (spread(CONVOLUTIONS, 24), lambda one, name: one.text(name)),
}


def lower(text: str, target: str) -> str:
    module = _native.parse_module(text)
    module.run(f"wax-to-linalg{{target={target}}}")
    return module.text()


def cases_of(family: str, target: str) -> list[Any]:
    """Those that can be linked: GCC 12 has no function that rounds to bfloat16."""
    return [one for one in PROGRAMS[family][0] if target == "iree" or one.element != "bf16"]


@functools.cache
def compiled(family: str, target: str) -> list[Callable[..., np.ndarray]]:
    """All programs of a family, in one module."""
    write = PROGRAMS[family][1]
    cases = cases_of(family, target)
    texts = {f"f{number}": write(one, f"f{number}") for number, one in enumerate(cases)}
    lowered = lower("".join(texts.values()), target)
    if target == "upstream":
        snapshots = _native.parse_module("".join(texts.values())).snapshot().functions
        calls = upstream_run.load(lowered, {name: snapshots[name] for name in texts})
        return [lambda *arrays, of=calls[name]: of(arrays)[0] for name in texts]
    module = load(lowered)

    def call(name: str, one: Any, *arrays: np.ndarray) -> np.ndarray:
        return fetch(module[name](*map(hand_over, arrays)), DTYPES[getattr(one, "to", "") or one.element])

    return [functools.partial(call, f"f{number}", one) for number, one in enumerate(cases)]


def faults(family: str, target: str, case: Callable[[Any], tuple[list[Any], Any]]) -> list[str]:
    """Which programs of a family give something else."""
    found = []
    for one, run in zip(cases_of(family, target), compiled(family, target), strict=True):
        arrays, wanted = case(one)
        got = run(*arrays)
        if got.dtype != wanted.dtype or got.shape != wanted.shape or not np.array_equal(got, wanted):
            found.append(str(one))
    return found


TARGETS = pytest.mark.parametrize("target", ["upstream", "iree"])


@TARGETS
def test_window_shows_the_elements_that_its_formula_names(target: str) -> None:
    def case(one: Window) -> tuple[list[Any], Any]:
        x = draw(3, one.shape, one.element)
        return [x], one.expected(x)

    assert faults("window", target, case) == []


@TARGETS
@pytest.mark.parametrize("family", ["fold", "ordered", "chain"])
def test_fold_goes_in_the_order_of_the_windows(family: str, target: str) -> None:
    def case(one: Window) -> tuple[list[Any], Any]:
        windows, init = draw(4, one.windows_shape, one.element), np.ones((), DTYPES[one.element])
        fold = (lambda x, s: x + 3 * s) if family == "chain" else (lambda x, s: x + s)
        like = np.zeros(one.shape, windows.dtype)
        return [windows, init, like], one.folded(windows, init, fold)

    assert faults(family, target, case) == []


@TARGETS
@pytest.mark.parametrize("family", tiered(("some convolve", "convolve"), ("some convolve",).__contains__))
def test_convolve_sums_the_products_of_its_formula(family: str, target: str) -> None:
    def case(one: Convolution) -> tuple[list[Any], Any]:
        operands = one.operands()
        return operands, one.expected(*operands)

    assert faults(family, target, case) == []


def dispatches(text: str) -> list[str]:
    """The names of the dispatches of a call."""
    flow = iree_tools.compile_str(
        lower(text, "iree"), target_backends=[], extra_args=[*FLAGS, "--compile-to=flow"]
    ).decode()
    (body,) = re.findall(r"util\.func public @main.*?\{\n(.*?)\n  \}", flow, re.DOTALL)
    assert "scf." not in body, "a loop on the host"
    return re.findall(r"flow\.dispatch @[^:]*::@(\S+?)[\[(]", body)


@pytest.mark.parametrize("dynamic", [(), (0, 1, 2, 3)])
@pytest.mark.parametrize(("strides", "dilations"), [((1, 1), (1, 1)), ((2, 3), (2, 1))])
def test_pooling_is_one_dispatch(strides: tuple[int, ...], dilations: tuple[int, ...], dynamic: Any) -> None:
    one = Window((2, 30, 31, 8), (1, 2), (3, 2), strides, dilations, dynamic=dynamic)
    text = one.text().replace("return %y", "%p = POOL return %p")
    of = re.findall(r"-> (tensor<.*>) \{", text)[0]
    to = of.replace("x3x2xf32", "xf32")
    text = re.sub(r"\) -> tensor<\S+> \{", f") -> {to} {{", text, count=1)
    text = text.replace(
        "%p = POOL",
        "%m = wax.constant dense<0xFF800000> : tensor<f32> "
        f"%p = wax.reduce arith.maximumf(%y) over [4, 5] init(%m) : ({of}, tensor<f32>) -> {to}",
    )
    text = re.sub(r"return %p : \S+", f"return %p : {to}", text)
    assert len(dispatches(text)) == 1


@pytest.mark.parametrize("dynamic", [(), (0, 1, 2, 3)])
@pytest.mark.parametrize("fold", ["arith.addf", "ordered arith.addf"])
def test_fold_is_one_dispatch(fold: str, dynamic: Any) -> None:
    one = Window((2, 30, 31, 8), (1, 2), (3, 2), (2, 1), (1, 2), dynamic=dynamic)
    assert len(dispatches(one.fold_text(fold))) == 1


IMAGE = {"lhs": "b01f", "lhs_shape": (2, 28, 28, 16), "rhs": "01io", "result": "b01f"}

FIRST = {"lhs": "bf01", "lhs_shape": (2, 16, 28, 28), "rhs": "oi01", "result": "bf01"}
ROW = {"lhs": "b0f", "lhs_shape": (2, 100, 16), "rhs": "0io", "result": "b0f"}
VOLUME = {"lhs": "b012f", "lhs_shape": (2, 9, 10, 11, 8), "rhs": "012io", "result": "b012f"}


@pytest.mark.parametrize(
    ("one", "most"),
    [
        (Convolution(**IMAGE, rhs_shape=(1, 1, 16, 32)), 1),
        (Convolution(**IMAGE, rhs_shape=(3, 3, 16, 32)), 1),
        (Convolution(**IMAGE, rhs_shape=(3, 3, 16, 32), low=(1, 1), high=(1, 1)), 2),
        (Convolution(**IMAGE, rhs_shape=(3, 3, 16, 32), low=(1, 1), high=(1, 1), dynamic=("b01f", "io")), 2),
        # One more for the elements that each position sees, as a matrix for each group.
        (Convolution(**IMAGE, rhs_shape=(3, 3, 4, 32), low=(1, 1), high=(1, 1), strides=(2, 2), features=4), 3),
        (Convolution(**IMAGE, rhs_shape=(3, 3, 1, 16), low=(1, 1), high=(1, 1), features=16), 2),
        (Convolution(**IMAGE, rhs_shape=(3, 3, 16, 32), low=(1, 1), high=(1, 1), batches=2), 3),
        (Convolution(**IMAGE, rhs_shape=(3, 3, 16, 32), low=(-1, 1), high=(0, 1), rhs_dilations=(2, 3)), 2),
        (
            Convolution(**IMAGE, rhs_shape=(3, 3, 16, 32), low=(1, 1), high=(1, 1), lhs_dilations=(2, 2)),
            3,
        ),  # one more to dilate
        (Convolution(**ROW, rhs_shape=(5, 16, 32), low=(2,), high=(2,)), 2),
        (Convolution(**ROW, rhs_shape=(5, 16, 32), low=(2,), high=(2,), dynamic=("b0", "")), 2),
        (Convolution("bf0", (2, 16, 100), "oi0", (32, 16, 5), "bf0", low=(2,), high=(2,)), 5),
        # Three more that make features the last dim of both operands, and then not of the result.
        (Convolution(**FIRST, rhs_shape=(32, 16, 3, 3), low=(1, 1), high=(1, 1)), 5),
        (Convolution(**FIRST, rhs_shape=(32, 16, 3, 3), low=(1, 1), high=(1, 1), dynamic=("b01", "")), 5),
        (Convolution(**FIRST, rhs_shape=(16, 1, 3, 3), low=(1, 1), high=(1, 1), features=16), 4),
        # A product whose rows are rearranged.
        (Convolution(**FIRST, rhs_shape=(32, 16, 1, 1)), 2),
        # Windows that share nothing are the rows of a matrix.
        (Convolution(**FIRST, rhs_shape=(32, 16, 4, 4), strides=(4, 4)), 2),
        # One dim of three is unfolded, in the copies of both operands.
        (Convolution(**VOLUME, rhs_shape=(3, 3, 3, 8, 16), low=(1, 1, 1), high=(1, 1, 1)), 4),
    ],
    ids=str,
)
def test_a_convolution_is_padding_copies_and_one_loop_nest(one: Convolution, most: int) -> None:
    assert len(dispatches(one.text())) <= most
