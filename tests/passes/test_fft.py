"""Transforms lowered, compiled by IREE and judged; and how many dispatches they are."""

import functools
import re
import subprocess

import mlir_tools
import numpy as np
import pytest
import upstream_run
from fourier import ALONG_ONE, ALONG_SEVERAL, ALONG_SHORT, BY_LANES, BY_ROWS, BY_WORKSPACE, DYNAMIC, EMPTY, Transform
from iree.compiler import tools as iree_tools
from iree_run import FLAGS, load
from tiers import spread, tiered

from wax import _native

FAMILIES = {
    **ALONG_ONE,
    "short": ALONG_SHORT,
    "rows": BY_ROWS,
    "lanes": BY_LANES,
    "workspace": BY_WORKSPACE,
    "several": ALONG_SEVERAL,
    "dynamic": DYNAMIC,
    "empty": EMPTY,
}
FAMILIES |= {f"some {name}": spread(FAMILIES[name], 12) for name in ("short", "dynamic")}
QUICK = ("some short", "some dynamic", "empty")


def lower(text: str, target: str = "iree") -> str:
    command = [str(mlir_tools.wax_tool("wax-opt")), f"--wax-to-linalg=target={target}"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.cache
def compiled(family: str):
    """All transforms of a family in one module."""
    return load(lower("".join(one.text(f"f{number}") for number, one in enumerate(FAMILIES[family]))))


@pytest.mark.parametrize("family", tiered(FAMILIES, QUICK.__contains__))
def test_every_transform_is_accurate_to_roundings(family):
    failures = []
    for number, one in enumerate(FAMILIES[family]):
        x = one.operand()
        got = np.asarray(compiled(family)[f"f{number}"](x).to_host())
        try:
            one.check(got, x)
        except AssertionError as error:
            failures.append(str(error))
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("family", ["short", "several", "dynamic", "empty"])
def test_every_transform_is_accurate_in_the_upstream_form(family):
    texts = {f"f{number}": one.text(f"f{number}") for number, one in enumerate(FAMILIES[family])}
    signatures = {name: _native.parse_module(text).snapshot().functions[name] for name, text in texts.items()}
    native = upstream_run.load(lower("".join(texts.values()), "upstream"), signatures)
    for one, call in zip(FAMILIES[family], native.values(), strict=True):
        x = one.operand()
        one.check(call([x])[0], x)


@pytest.mark.full
@pytest.mark.parametrize("n", [65536, 65537])
def test_a_long_transform_is_accurate_to_roundings(n):
    one = Transform((n,), "complex<f32>", (0,))
    x = one.operand()
    one.check(np.asarray(load(lower(one.text()))["main"](x).to_host()), x)


def dispatches(one: Transform) -> list[str]:
    """The names of the dispatches of a call."""
    flow = iree_tools.compile_str(
        lower(one.text()), target_backends=[], extra_args=[*FLAGS, "--compile-to=flow"]
    ).decode()
    (body,) = re.findall(r"util\.func public @main.*?\{\n(.*?)\n  \}", flow, re.DOTALL)
    assert "scf." not in body, "a loop on the host"
    return re.findall(r"flow\.dispatch @[^:]*::@(\S+?)[\[(]", body)


#: By vectors a dim is one, and a length with a large prime factor two and a copy. Of contractions each stage is one,
#: and passes stand before, between and after them.
@pytest.mark.parametrize(
    ("one", "most"),
    [
        (Transform((64, 3), "complex<f32>", (1,)), 3),
        (Transform((64, 8), "complex<f32>", (1,)), 1),
        (Transform((64, 15), "f32", (1,)), 1),
        (Transform((4, 10000), "complex<f32>", (1,)), 1),
        (Transform((100000,), "complex<f32>", (0,)), 1),
        (Transform((64, 1024), "complex<f32>", (1,)), 1),
        (Transform((64, 1024), "complex<f64>", (1,), dynamic=(0,)), 1),
        (Transform((65536,), "complex<f32>", (0,)), 1),
        (Transform((512, 512), "complex<f32>", (0, 1)), 2),
        (Transform((64, 1024), "f32", (1,)), 1),
        (Transform((64, 513), "complex<f32>", (1,), 1024, inverse=True), 1),
        (Transform((64, 1009), "complex<f32>", (1,)), 3),
        (Transform((131072,), "complex<f32>", (0,)), 13),
    ],
    ids=str,
)
def test_a_transform_is_few_dispatches(one, most):
    assert len(dispatches(one)) <= most


def test_constants_of_a_long_transform_are_small():
    text = lower(Transform((1 << 24,), "complex<f32>", (0,)).text())
    assert len(text) < 1_000_000
