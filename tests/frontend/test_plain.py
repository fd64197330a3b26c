"""`jit(optimize=False)`: the plain program, which computes the same."""

import numpy as np
import pytest
from tiers import tiered

import wax
import wax.numpy as wnp
from wax._compile import pipeline, program_of
from wax.errors import InvalidArgumentError
from wax_runtime.backend import CompileOptions

RANDOM = np.random.default_rng(7)
DOUBLED = wax.rules.rule(lambda x: x * 2, lambda x: x + x, name="doubled")


def array(*shape):
    return RANDOM.standard_normal(shape).astype("f4")


def softmax_of_product(x, w):
    y = x @ w
    e = wnp.exp(y - wnp.max(y, axis=-1, keepdims=True))
    return e / wnp.sum(e, axis=-1, keepdims=True)


def loop(x, w):
    return wax.control_flow.fori_loop(0, 3, lambda i, s: wnp.tanh(s @ w) * (i + 1), x)


def update(x, w):
    index = wnp.argmax(x @ w, axis=1)
    return x.at[index, 0].add(1.0), wnp.sort(x, axis=0)[::-1], wnp.cumsum(x, axis=1)


def gradient(x, w):
    return wax.grad(lambda w: wnp.sum(wnp.tanh(x @ w) ** 2))(w)


PROGRAMS = [softmax_of_product, loop, update, gradient]


@pytest.mark.parametrize("backend", ["iree", "reference"])
@pytest.mark.parametrize(
    "function", tiered(PROGRAMS, lambda f: f in (softmax_of_product, update)), ids=lambda f: f.__name__
)
def test_a_plain_program_computes_what_the_optimized_one_does(function, backend):
    x, w = array(5, 5), array(5, 5)
    plain = wax.jit(function, optimize=False, backend=backend)(x, w)
    for a, b in zip(wax.tree.flatten(plain)[0], wax.tree.flatten(wax.jit(function)(x, w))[0], strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)


def test_open_dims_are_served():
    m, k = wax.Dim("m"), wax.Dim("k")
    f = wax.jit(lambda x, y: x @ y, optimize=False, dynamic_shapes=({0: m, 1: k}, {0: k}))
    x, y = array(3, 7), array(7, 2)
    np.testing.assert_allclose(f(x, y).numpy(), x @ y, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape", tiered([((0, 3),), ((1, 1),), ((2, 0),)], lambda one: one == ((0, 3),)))
def test_arrays_without_elements_are_served(shape):
    x = array(*shape)
    f = wax.jit(lambda x: (wnp.sum(x, axis=1), x @ x.T, x[::-1]), optimize=False)
    for got, want in zip(f(x), (x.sum(1), x @ x.T, x[::-1]), strict=True):
        np.testing.assert_allclose(got.numpy(), want, rtol=1e-5)


def test_nothing_is_done_once_that_is_written_twice():
    def twice(x):
        return wnp.exp(x) + wnp.exp(x)

    assert wax.jit(twice).lower(array(4)).as_text().count("math.exp ") == 1
    assert wax.jit(twice, optimize=False).lower(array(4)).as_text().count("math.exp ") == 2


def test_products_are_not_fused_into_their_sums():
    x = array(5, 5)
    assert wax.jit(lambda x: x @ x).lower(x).as_text().count("linalg.generic") == 1
    assert wax.jit(lambda x: x @ x, optimize=False).lower(x).as_text().count("linalg.generic") == 2


def test_rules_are_left_out():
    lowered = wax.jit(lambda x: x * 2, optimize=False, rules=[DOUBLED]).lower(array(4))
    assert lowered.rewrites == ()
    assert wax.jit(lambda x: x * 2, rules=[DOUBLED]).lower(array(4)).rewrites != ()


def test_it_is_compiled_at_the_lowest_level_unless_options_say_otherwise():
    lowered = wax.jit(lambda x: x * 2, optimize=False).lower(array(4))
    assert "--iree-opt-level=O0" in lowered.compile(backend="iree")._built.artefact.flags
    flags = lowered.compile(backend="iree", options=CompileOptions(level=3))._built.artefact.flags
    assert "--iree-opt-level=O3" in flags


def test_plain_programs_have_keys_of_their_own():
    traced = [wax.jit(lambda x: x @ x, optimize=optimize).trace(array(5, 5)) for optimize in (True, False)]
    keys = {program_of(one._function)(form).key() for one in traced for form in ("linalg", "linalg-iree")}
    assert len(keys) == 4
    assert pipeline("iree", optimize=False) == "wax-to-linalg{target=iree optimize=false}"


def test_the_outer_function_decides():
    inner = wax.jit(lambda x: wnp.exp(x) + wnp.exp(x), optimize=False)
    assert wax.jit(lambda x: inner(x)).lower(array(4)).as_text().count("math.exp ") == 1


def test_an_unknown_optimize_is_refused():
    with pytest.raises(InvalidArgumentError, match="optimize of 'f' is 3; it is True, False or 'egraph'"):

        @wax.jit(optimize=3)
        def f(x):
            return x
