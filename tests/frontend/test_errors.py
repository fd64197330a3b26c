"""Errors of tracing: the class, the user's line, the shapes, the way out."""

import re

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import errors


def _line(marker):
    with open(__file__) as file:
        return next(i for i, text in enumerate(file, 1) if text.rstrip().endswith(f"# {marker}"))


def _raised(error, function, *args, marker=None, match=None):
    with pytest.raises(error, match=match) as caught:
        function(*args)
    if marker is not None:
        assert caught.value.location.file == __file__
        assert caught.value.location.line == _line(marker)
        assert caught.value.location.column > 0
        assert str(caught.value).startswith(f"{__file__}:{_line(marker)}:")
    return caught.value


def test_shape_mismatch_names_both_shapes_and_the_line():
    @wax.jit
    def f(x, y):
        return x + y  # MISMATCH

    _raised(errors.ShapeError, f, wnp.ones((2, 3)), wnp.ones((4,)), marker="MISMATCH", match=r"\(2, 3\).*\(4,\)")


def test_matmul_mismatch_names_both_shapes_and_the_line():
    @wax.jit
    def f(x, y):
        return x @ y  # MATMUL

    _raised(errors.ShapeError, f, wnp.ones((2, 3)), wnp.ones((4, 3)), marker="MATMUL", match=r"\(2, 3\).*\(4, 3\)")


def test_eager_errors_name_the_line_too():
    x, y = wnp.ones((2, 3)), wnp.ones((4,))
    with pytest.raises(errors.ShapeError) as caught:
        x * y  # EAGER
    assert caught.value.location.line == _line("EAGER")


@pytest.mark.parametrize(
    "use",
    [
        lambda x: 1 if x[0] > 0 else 2,
        lambda x: not x[0],
        lambda x: x[0] and x[1],
    ],
)
def test_a_traced_value_as_a_bool(use):
    _raised(errors.TracerBoolConversionError, wax.jit(use), wnp.ones((3,)), match=r"wnp\.where")


@pytest.mark.parametrize(
    "use", [lambda x: range(x[0]), lambda x: int(x[0]), lambda x: [1, 2][x[0]], lambda x: float(x[0])]
)
def test_a_traced_value_as_a_number(use):
    error = _raised(errors.TracerIntegerConversionError, wax.jit(use), wnp.ones((3,), dtype="int32"))
    assert "static" in str(error)


@pytest.mark.parametrize("use", [np.asarray, np.exp, lambda x: np.add(x, 1)])
def test_a_traced_value_as_an_array(use):
    _raised(errors.TracerArrayConversionError, wax.jit(use), wnp.ones((3,)), match=r"wax\.numpy")


def test_a_leaked_tracer():
    leaked = []

    @wax.jit
    def f(x):
        leaked.append(x * 2)
        return x

    f(wnp.ones((3,)))
    _raised(errors.LeakedTracerError, lambda: leaked[0] + 1, match="return it from 'f'")
    _raised(errors.LeakedTracerError, wax.jit(lambda y: y + leaked[0]), wnp.ones((3,)))
    _raised(errors.LeakedTracerError, lambda: bool(leaked[0]))


def test_an_unhashable_static_argument():
    f = wax.jit(lambda x, axes: x, static_argnames="axes")
    _raised(errors.UnhashableStaticArgumentError, lambda: f(wnp.ones((2,)), [0, 1]), match="axes.*list.*tuple")


def test_a_wrong_argument_structure():
    f = wax.jit(lambda x, y: x)
    _raised(errors.ArgumentStructureError, f, wnp.ones((2,)), match="missing a required argument: 'y'")
    compiled = f.trace(wnp.ones((2,)), {"a": wnp.ones((2,))}).lower().compile()
    _raised(errors.ArgumentStructureError, compiled, wnp.ones((2,)), {"b": wnp.ones((2,))})
    with pytest.raises(errors.ArgumentError):
        compiled(wnp.ones((3,)), {"a": wnp.ones((2,))})


def test_an_argument_that_is_no_array():
    _raised(errors.ArgumentTypeError, wax.jit(lambda x: x), {"a": object()}, match=r"x\['a'\].*object.*static_argnames")
    _raised(errors.ArgumentTypeError, wax.jit(lambda x: x), "text", match="'str'")


def test_a_shape_without_elements_is_no_argument_of_a_call():
    struct = wax.ShapeDtypeStruct((3,), "float32")
    _raised(errors.ArgumentTypeError, wax.jit(lambda x: x), struct, match=r"no elements.*\.trace")
    _raised(errors.ShapeError, lambda: wax.ShapeDtypeStruct((-1, 3), "float32"), match="negative size")


def test_a_result_that_is_no_array():
    _raised(errors.ArgumentTypeError, wax.jit(lambda x: {"a": "text"}), wnp.ones((2,)), match=r"\['a'\]")


def test_numbers_of_arguments_that_do_not_exist():
    for kwargs in ({"static_argnums": 3}, {"static_argnames": "z"}, {"donate_argnums": 5}):
        with pytest.raises(errors.InvalidArgumentError):
            wax.jit(lambda x: x, **kwargs)


def test_a_dtype_wax_does_not_have():
    with pytest.raises(errors.DTypeError):
        wax.jit(lambda x: x)(np.asarray(["text"]))


def test_the_traceback_shows_no_frame_of_wax_below_the_users():
    @wax.jit
    def f(x, y):
        return x + y  # TRACEBACK

    with pytest.raises(errors.ShapeError) as caught:
        f(wnp.ones((2, 3)), wnp.ones((4,)))
    files = [str(entry.path) for entry in caught.traceback]
    assert any(entry.lineno + 1 == _line("TRACEBACK") for entry in caught.traceback if str(entry.path) == __file__)
    assert sum(bool(re.search(r"[/\\]wax[/\\]", name)) for name in files) <= 2


def test_every_error_is_documented_and_derives_from_wax_error():
    for name in errors.__all__:
        error = getattr(errors, name)
        if isinstance(error, type) and issubclass(error, Exception):
            assert issubclass(error, errors.WaxError)
            assert len(error.__doc__) > 60, name


def test_a_failed_trace_leaves_no_trace_behind():
    f = wax.jit(lambda x: x.no_such_method())
    with pytest.raises(AttributeError):
        f(wnp.ones((2,)))
    assert float(wnp.sum(wnp.ones((2,)))) == 2.0


def test_an_error_of_a_call_names_the_function_its_argument_and_where_it_is_defined():
    def scale(x, factor):  # SCALE
        return x * factor

    x, wrong = wnp.ones((3,)), wnp.ones((4,))
    compiled = wax.jit(scale).trace(x, x).lower().compile()
    error = _raised(errors.ArgumentError, compiled, x, wrong, marker="SCALE")
    assert error.message.startswith("scale: argument 1 (factor) must be float32[3], float32[4] was given")

    donating = wax.jit(scale, donate_argnames="factor")
    for _ in range(2):
        error = _raised(errors.ArgumentError, donating, x, x, marker="SCALE")
        assert error.message.startswith("scale: argument 1 (factor) is donated, and passed as another argument as well")


def test_an_error_of_a_call_of_a_callable_object_has_no_line():
    class Scale:
        def __call__(self, x):
            return x * 2

    compiled = wax.jit(Scale()).trace(wnp.ones((3,))).lower().compile()
    error = _raised(errors.ArgumentError, compiled, wnp.ones((4,)))
    assert error.location is None
    assert str(error).startswith("Scale: argument 0 (x) must be")
