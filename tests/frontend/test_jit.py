"""`jit`: arguments of every kind, captured arrays, nested calls, the caches."""

import dataclasses
import threading
from typing import NamedTuple

import numpy as np
import pytest
from tiers import every_other

import wax
import wax.numpy as wnp
from wax import errors


def test_a_function_is_traced_once_per_abstract_signature():
    traced = []

    @wax.jit
    def f(x):
        traced.append(x.shape)
        return x + 1

    for _ in range(3):
        np.testing.assert_array_equal(f(wnp.zeros((3,))), np.ones(3, np.float32))
    f(wnp.zeros((4,)))
    f(wnp.zeros((4,), dtype=wnp.int32))
    f(np.zeros(3, np.float32))
    assert traced == [(3,), (4,), (4,)]


def test_a_cleared_cache_is_filled_again():
    traced = []
    f = wax.jit(lambda x: (traced.append(1), x + 1)[1])
    f(wnp.zeros((2,)))
    f.clear_cache()
    np.testing.assert_array_equal(f(wnp.zeros((2,))), np.ones(2, np.float32))
    assert len(traced) == 2


def test_positional_keyword_default_and_keyword_only_arguments():
    @wax.jit
    def f(a, b=2.0, *, scale, shift=1):
        return a * b * scale + shift

    x = wnp.asarray([1.0, 2.0])
    np.testing.assert_array_equal(f(x, scale=3.0), [7.0, 13.0])
    np.testing.assert_array_equal(f(x, 1.0, scale=3.0), [4.0, 7.0])
    np.testing.assert_array_equal(f(b=x, a=x, scale=1, shift=x), [2.0, 6.0])


def test_variadic_arguments():
    @wax.jit
    def f(*xs, **named):
        return sum(xs) + named["y"]

    np.testing.assert_array_equal(f(wnp.asarray([1]), wnp.asarray([2]), y=wnp.asarray([3])), [6])


def test_python_numbers_are_weak_and_do_not_retrace():
    traced = []

    @wax.jit
    def f(x, s):
        traced.append(s)
        return x * s

    half = wnp.asarray([1.0, 2.0], dtype=wnp.float16)
    for s in (0.5, 2.5, -0.0):
        result = f(half, s)
        assert result.dtype == wnp.float16
        np.testing.assert_array_equal(np.signbit(result), np.signbit(np.asarray([s, s])))
    double = wnp.asarray([1.0], dtype=wnp.float64)
    assert float(f(double, 0.1)[0]) == 0.1
    assert len(traced) == 2


def test_static_arguments_select_a_program():
    traced = []

    def f(x, mode, axes=(0,)):
        traced.append((mode, axes))
        return wnp.sum(x, axis=axes) if mode == "sum" else x

    x = wnp.ones((2, 3))
    for jitted in (wax.jit(f, static_argnames=("mode", "axes")), wax.jit(f, static_argnums=(1, 2))):
        np.testing.assert_array_equal(jitted(x, "sum"), [2.0, 2.0, 2.0])
        np.testing.assert_array_equal(jitted(x, "sum", (1,)), [3.0, 3.0])
        np.testing.assert_array_equal(jitted(x, mode="sum", axes=(1,)), [3.0, 3.0])
        assert jitted(x, "none").shape == (2, 3)
    assert len(traced) == 8


def test_static_values_that_are_equal_but_of_other_types_are_other_programs():
    @wax.jit(static_argnums=1)
    def f(x, n):
        return x + (1 if isinstance(n, bool) else 10)

    assert int(f(wnp.asarray(0), True)) == 1
    assert int(f(wnp.asarray(0), 1)) == 10


class Point(NamedTuple):
    x: object
    y: object


@dataclasses.dataclass(frozen=True)
class Layer:
    weight: object
    bias: object
    name: str = dataclasses.field(default="layer", metadata={"static": True})


def test_arguments_and_results_are_pytrees():
    @wax.jit
    def f(tree):
        layer, point, rest = tree["layer"], tree["point"], tree["rest"]
        return {
            "layer": Layer(layer.weight + 1, layer.bias, layer.name + "!"),
            "point": Point(point.y, point.x),
            "rest": [rest[0], None, (rest[1] * 2,)],
        }

    one, two = wnp.asarray([1.0]), wnp.asarray([2.0])
    result = f({"layer": Layer(one, two), "point": Point(one, two), "rest": [one, two]})
    assert isinstance(result["layer"], Layer)
    assert result["layer"].name == "layer!"
    assert float(result["layer"].weight[0]) == 2.0
    assert float(result["point"].x[0]) == 2.0
    assert result["rest"][1] is None
    assert float(result["rest"][2][0][0]) == 4.0


def test_arrays_closed_over_become_hidden_arguments():
    weights = wnp.arange(4096, dtype=wnp.float32)

    @wax.jit
    def f(x):
        return x * weights + weights

    traced = f.trace(wax.ShapeDtypeStruct((4096,), wnp.float32))
    text = traced.as_text()
    assert text.count("tensor<4096xf32> {wax.name") == 2
    assert "dense<" not in text
    np.testing.assert_array_equal(f(wnp.ones((4096,))), 2 * np.arange(4096, dtype=np.float32))


def test_a_function_called_by_another_is_one_call_and_compiled_once():
    traced = []

    @wax.jit
    def layer(x, w):
        traced.append(x.shape)
        return wnp.tanh(x @ w)

    @wax.jit
    def model(x, ws):
        for w in ws:
            x = layer(x, w)
        return x

    ws = [wnp.ones((4, 4)) * 0.1 for _ in range(5)]
    text = model.trace(wnp.ones((2, 4)), ws).as_text()
    assert text.count("call @layer(") == 5
    assert text.count("func.func") == 2
    x = np.ones((2, 4), np.float32)
    for _ in ws:
        x = np.tanh(x @ np.full((4, 4), 0.1, np.float32))
    np.testing.assert_allclose(model(wnp.ones((2, 4)), ws), x, rtol=1e-5)
    assert len(traced) == 1


def test_a_nested_function_may_close_over_the_outer_functions_values():
    @wax.jit
    def outer(x, y):
        z = x * 2

        @wax.jit
        def inner(a):
            return a + z + y

        return inner(x) + inner(y)

    assert float(outer(wnp.asarray(1.0), wnp.asarray(10.0))) == 3 * 10 + 1 + 4


def test_results_may_be_arguments_constants_and_numbers():
    @wax.jit
    def f(x):
        return x, 3, 2.5, np.asarray([1, 2]), True

    x = wnp.asarray([1.0])
    a, b, c, d, e = f(x)
    np.testing.assert_array_equal(a, x)
    assert (int(b), b.dtype) == (3, wnp.int32)
    assert (float(c), c.dtype) == (2.5, wnp.float32)
    np.testing.assert_array_equal(d, [1, 2])
    assert bool(e) is True


def test_threads_that_call_at_once_compile_once_and_agree():
    traced = []

    @wax.jit
    def f(x):
        traced.append(1)
        return wnp.sum(x * x)

    results: list[float] = []
    x = wnp.arange(100, dtype=wnp.float32)
    threads = [threading.Thread(target=lambda: results.append(float(f(x)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [float(np.sum(np.arange(100.0) ** 2))] * 8
    assert len(traced) == 1


def test_donated_arguments_are_gone_after_the_call():
    @wax.jit(donate_argnums=0)
    def step(state, x):
        return state + x

    state, x = wnp.ones((8,)), wnp.ones((8,))
    new = step(state, x)
    np.testing.assert_array_equal(new, np.full(8, 2.0))
    assert state.is_deleted()
    with pytest.raises(errors.DeletedBufferError):
        state + 1
    np.testing.assert_array_equal(x, np.ones(8))


def test_methods_can_be_jitted():
    class Model:
        def __init__(self):
            self.scale = 3.0

        @wax.jit(static_argnums=0)
        def __call__(self, x):
            return x * self.scale

    assert float(Model()(wnp.asarray(2.0))) == 6.0


@pytest.mark.parametrize(
    ("dtype", "shape"),
    every_other(
        ["bool", "int8", "uint16", "int64", "float16", "bfloat16", "float64", "complex64"],
        [(shape,) for shape in [(), (0,), (1,), (3, 0, 2), (7, 5)]],
    ),
    ids=str,
)
def test_arrays_of_every_kind_pass_through(shape, dtype):
    x = wnp.ones(shape, dtype=dtype)
    result = _identities(x)
    assert result.dtype == x.dtype
    np.testing.assert_array_equal(np.asarray(result), np.ones((*shape, 1), x.dtype))


@wax.jit
def _identities(x):
    return wnp.expand_dims(x, axis=-1)


def test_arrays_of_other_libraries_are_arguments():
    torch = pytest.importorskip("torch")
    assert float(_total(torch.ones(3))) == 3.0
    assert float(_total(np.ones(3, np.float32))) == 3.0


@wax.jit
def _total(x):
    return wnp.sum(x)


def test_eval_shape_computes_nothing():
    out = wax.eval_shape(
        lambda x, y: {"z": x @ y}, wax.ShapeDtypeStruct((2, 3), "float32"), wax.ShapeDtypeStruct((3, 4), "float32")
    )
    assert out == {"z": wax.ShapeDtypeStruct((2, 4), "float32")}
