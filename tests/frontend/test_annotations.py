"""`wax.typing`: annotations of arguments and results are checked when a function is traced."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.errors import (
    ArgumentStructureError,
    ArgumentTypeError,
    DimensionFactError,
    InvalidArgumentError,
    ShapeError,
    StaticAssertionError,
    TracerBoolConversionError,
)
from wax.typing import Shaped, b1, bf16, c64, f32, i32

ROWS = wax.Dim("rows")


def zeros(*shape, dtype="float32"):
    return np.zeros(shape, dtype)


def traced(function, *args, **kwargs):
    return wax.jit(function).trace(*args, **kwargs).out_info


def product(a: f32["m", "k"], b: f32["k", "n"]) -> f32["m", "n"]:
    return a @ b


def test_names_stand_for_one_size_each():
    assert traced(product, zeros(2, 3), zeros(3, 4)).shape == (2, 4)
    with pytest.raises(ShapeError, match=r"b of 'product' has shape \(5, 4\).*k is 3 in dim 1 of a") as caught:
        wax.jit(product)(zeros(2, 3), zeros(5, 4))
    assert "test_annotations.py" in str(caught.value)


def test_a_call_of_what_is_compiled_is_not_checked_again_and_others_are():
    f = wax.jit(product)
    assert f(zeros(2, 3), zeros(3, 4)).shape == (2, 4)
    assert f(zeros(2, 3), zeros(3, 4)).shape == (2, 4)
    with pytest.raises(ShapeError, match="k is 3"):
        f(zeros(2, 3), zeros(4, 4))
    with pytest.raises(ArgumentTypeError, match="a of 'product' is of float64"):
        f(zeros(2, 3, dtype="float64"), zeros(3, 4))


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (f32, zeros(2, 3)),
        (f32[()], zeros()),
        (f32[()], 1.5),
        (f32[()], 1),
        (i32[()], 1),
        (c64[()], 1.5),
        (b1["n"], zeros(3, dtype=bool)),
        (bf16[4], zeros(4, dtype=wnp.bfloat16)),
        (f32[2, "n"], zeros(2, 9)),
        (f32["n", "n"], zeros(3, 3)),
        (f32["n", "2*n"], zeros(3, 6)),
        (f32["n", "m", "n + m - 1"], zeros(3, 6, 8)),
        (f32["n", "(n + 1) // 2"], zeros(5, 3)),
        (f32["_", "_"], zeros(3, 4)),
        (f32[..., "n", "n"], zeros(7, 8, 2, 2)),
        (f32["n", ...], zeros(7)),
        (f32["n", ..., "n"], zeros(7, 1, 2, 7)),
        (Shaped["n"], zeros(3, dtype="int8")),
        (Shaped, zeros(3, 2, dtype="int8")),
    ],
)
def test_what_fits_is_taken(annotation, value):
    def f(x):
        return wnp.asarray(x, dtype=annotation.dtype)

    f.__annotations__ = {"x": annotation, "return": annotation}
    found, given = traced(f, value), np.asarray(value)
    assert found.shape == given.shape
    assert found.dtype == (annotation.dtype or given.dtype)


def test_a_python_number_that_is_returned_is_of_its_own_dtype():
    def f(x: f32[()]) -> f32[()]:
        return x

    assert wax.jit(f)(1.5).dtype == "float32"
    with pytest.raises(ArgumentTypeError, match="the result of 'f' is of int32"):
        wax.jit(f)(1)


@pytest.mark.parametrize(
    ("annotation", "value", "error"),
    [
        (f32, zeros(2, dtype="float64"), ArgumentTypeError),
        (f32, zeros(2, dtype="int32"), ArgumentTypeError),
        (i32[()], 1.5, ArgumentTypeError),
        (f32[()], 1j, ArgumentTypeError),
        (f32[()], True, ArgumentTypeError),
        (f32[()], np.float64(1), ArgumentTypeError),
        (f32[()], zeros(1), ShapeError),
        (f32[2, "n"], zeros(3, 9), ShapeError),
        (f32["n"], zeros(3, 9), ShapeError),
        (f32["n", "n"], zeros(3, 4), ShapeError),
        (f32["n", "2*n"], zeros(3, 5), ShapeError),
        (f32["n", "n", ...], zeros(3), ShapeError),
        (f32["n", "k*2"], zeros(3, 4), InvalidArgumentError),
        (f32["n", "n**2"], zeros(3, 9), InvalidArgumentError),
        (f32["n", "n//0"], zeros(3, 9), InvalidArgumentError),
        (f32["n", "import os"], zeros(3, 9), InvalidArgumentError),
        (f32["n"], [zeros(3)], ArgumentStructureError),
        (f32["n"], None, ArgumentStructureError),
    ],
)
@pytest.mark.parametrize("place", ["x", "return"])
def test_what_does_not_fit_is_refused_with_the_users_line(annotation, value, error, place):
    def f(x):
        return x

    f.__annotations__ = {place: annotation}
    with pytest.raises(error, match="'f'") as caught:
        wax.jit(f)(value)
    assert "test_annotations.py" in str(caught.value)


@pytest.mark.parametrize("entries", [(1.5,), (None,), (True,), (..., 2, ...), ([2],)])
def test_what_is_no_size_is_refused_where_it_is_written(entries):
    with pytest.raises(InvalidArgumentError, match="f32"):
        f32[entries]


class Layer(NamedTuple):
    w: f32["i", "o"]
    b: f32["o"]


@dataclasses.dataclass(frozen=True)
class Model:
    first: Layer
    scale: "f32[()]"
    name: str = dataclasses.field(default="m", metadata={"static": True})


def test_annotations_inside_containers():
    def f(
        model: Model,
        xs: list[f32["i"]],
        pair: tuple[f32["i"], i32["o"]],
        table: dict[str, f32["o"]],
        no: f32["i"] | None = None,
    ) -> tuple[f32["o"], ...]:
        return (xs[0] @ model.first.w + model.first.b, table["a"])

    model = Model(Layer(zeros(3, 4), zeros(4)), zeros())
    given = ([zeros(3), zeros(3)], (zeros(3), zeros(4, dtype="int32")), {"a": zeros(4)})
    assert traced(f, model, *given)[0].shape == (4,)
    assert traced(f, model, *given, no=zeros(3))[0].shape == (4,)
    wrong = Model(Layer(zeros(3, 4), zeros(5)), zeros())
    with pytest.raises(
        ShapeError, match=r"model\.first\.b of 'f' has shape \(5,\).*o is 4 in dim 1 of model\.first\.w"
    ):
        traced(f, wrong, *given)
    with pytest.raises(ShapeError, match=r"xs\[1\]"):
        traced(f, model, [zeros(3), zeros(4)], *given[1:])
    with pytest.raises(ShapeError, match=r"table\['a'\]"):
        traced(f, model, *given[:2], {"a": zeros(3)})
    with pytest.raises(ShapeError, match="no of 'f'"):
        traced(f, model, *given, no=zeros(4))


def test_variadic_parameters_are_annotated_each():
    def f(*xs: f32["n"], **named: f32["n"]):
        return sum(xs) + sum(named.values())

    assert traced(f, zeros(3), zeros(3), a=zeros(3)).shape == (3,)
    with pytest.raises(ShapeError, match=r"xs\[1\]"):
        traced(f, zeros(3), zeros(4))
    with pytest.raises(ShapeError, match="b of 'f'"):
        traced(f, zeros(3), b=zeros(4))


def test_annotated_dims_are_symbolic():
    def f(x: f32[ROWS, 3], y: f32[2 * ROWS]) -> f32[ROWS, 3]:
        return x + y[: x.shape[0], None]

    jitted = wax.jit(f)
    for rows in (1, 2, 5, 9):
        assert jitted(zeros(rows, 3), zeros(2 * rows)).shape == (rows, 3)
    assert len(jitted._compiled) == 2  # one of them for the size 1
    with pytest.raises(DimensionFactError, match="2\\*rows"):
        jitted(zeros(4, 3), zeros(9))


def test_an_annotation_that_is_text_or_means_nothing_harms_nobody():
    def f(x: "f32['n', 'n']", y: "Nowhere[3]" = 0):
        return x + y

    assert traced(f, zeros(3, 3), 1).shape == (3, 3)
    with pytest.raises(ShapeError, match="n is 3"):
        traced(f, zeros(3, 4))


def test_methods_and_nested_calls_are_checked_too():
    class Thing:
        @wax.jit
        def double(self_and_x: f32["n", "n"]):
            return self_and_x * 2

    inner = wax.jit(product)
    with pytest.raises(ShapeError, match="'double'"):
        Thing.double(zeros(2, 3))
    with pytest.raises(ShapeError, match="'product'"):
        traced(lambda a, b: inner(a, b), zeros(2, 3), zeros(4, 5))


def test_static_assertions_stop_a_trace():
    @wax.jit
    def f(x, *, heads=wax.jit):
        wax.static_assert(x.shape[0] % 2 == 0, "an even number of rows")
        wax.static_assert(x.dtype == np.float32)
        return x.reshape((2, -1))

    assert f(zeros(4)).shape == (2, 2)
    with pytest.raises(StaticAssertionError, match=r"test_annotations\.py:\d+:\d+.*an even number of rows"):
        f(zeros(5))
    with pytest.raises(AssertionError, match="does not hold"):
        f(zeros(4, dtype="float64"))
    with pytest.raises(TracerBoolConversionError):
        traced(lambda x: wax.static_assert(x > 0), zeros())
    with pytest.raises(InvalidArgumentError, match="takes a bool"):
        wax.static_assert(1)


def test_a_function_that_is_compiled_ever_again_says_so_once(caplog):
    f = wax.jit(lambda x, n: x * n, static_argnames="n", backend="reference")
    for size in (2, 3):
        f(zeros(size), n=2)
    assert not caplog.records
    f(zeros(3), n=4)
    (record,) = caplog.records
    assert "compiled for the 3th time" not in record.getMessage()
    assert "3rd time" in record.getMessage() and "dynamic_shapes" in record.getMessage()
    assert "the static arguments was" in record.getMessage() and "x was" not in record.getMessage()
    for size in (5, 6, 7):
        f(zeros(size), n=4)
    assert len(caplog.records) == 1
    g = wax.jit(lambda x: x, backend="reference")
    for size in (2, 3, 4):
        g(zeros(size))
    assert "x was float32(3,), now float32(4,)" in caplog.records[-1].getMessage()
