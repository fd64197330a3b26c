import pytest
from hypothesis import given
from hypothesis import strategies as st
from linalg_text import spec as argument

from wax_runtime import Signature, SymbolFact, spec
from wax_runtime.errors import ArgumentError
from wax_runtime.symbols import bind, evaluate, names


def signature(*shapes, symbols=()):
    arguments = tuple(argument(shape, "float32", f"x{i}") for i, shape in enumerate(shapes))
    return Signature("f", arguments, (), tuple(symbols))


def specs(*shapes):
    return [spec(shape, "float32") for shape in shapes]


def test_symbols_take_the_sizes_of_the_arguments():
    assert bind(signature(("b", 3), ("c",)), specs((8, 3), (0,))) == {"b": 8, "c": 0}


def test_an_expression_is_checked_against_its_symbols():
    with pytest.raises(ArgumentError, match=r"dim 0 must be 2\*b\+1, where b = 3"):
        bind(signature(("2*b+1",), ("b",)), specs((8,), (3,)))
    assert bind(signature(("2*b+1",), ("b",)), specs((7,), (3,))) == {"b": 3}


@given(st.integers(1, 9), st.integers(-5, 9), st.integers(0, 50))
def test_a_symbol_is_solved_from_a_linear_expression(slope, offset, value):
    size = slope * value + offset
    if size >= 0:
        dim = f"{slope}*b{offset:+d}"
        assert bind(signature((dim,)), specs((size,))) == {"b": value}


def test_a_size_that_no_value_gives_is_an_error():
    with pytest.raises(ArgumentError, match=r"must be 2\*b"):
        bind(signature(("2*b",)), specs((5,)))


def test_two_unknowns_in_one_dim_are_an_error_that_says_so():
    with pytest.raises(ArgumentError, match="sizes of b, c do not follow"):
        bind(signature(("b+c",)), specs((5,)))


def test_an_expression_with_a_known_symbol_gives_the_other():
    assert bind(signature(("b*c",), ("b",)), specs((12,), (3,))) == {"b": 3, "c": 4}


@pytest.mark.parametrize(
    ("fact", "size", "message"),
    [
        (SymbolFact("b", 2), 1, "dim b is 1, but it was declared 2 <= b"),
        (SymbolFact("b", 0, 64), 65, "0 <= b <= 64"),
        (SymbolFact("b", 0, None, 8), 12, "a multiple of 8"),
    ],
)
def test_a_broken_fact_is_an_error_that_states_the_fact(fact, size, message):
    with pytest.raises(ArgumentError, match=message):
        bind(signature(("b",), symbols=[fact]), specs((size,)))


@pytest.mark.parametrize(
    ("given_specs", "message"),
    [
        (specs((8, 3)), "takes 2 arrays, 1 were given"),
        (specs((8, 4), (8,)), r"argument 0 \(x0\) must be float32\[b, 3\], float32\[8, 4\] was given; its dim 1 must"),
        (specs((8, 3), (7,)), r"argument 1 \(x1\) .* its dim 0 must be b = 8"),
        (specs((8, 3), (8, 1)), "it must have 1 dims"),
        ([spec((8, 3), "float64"), spec((8,), "float32")], r"convert it with .astype\('float32'\)"),
    ],
)
def test_arguments_that_do_not_fit_are_named_with_both_shapes(given_specs, message):
    with pytest.raises(ArgumentError, match=message):
        bind(signature(("b", 3), ("b",)), given_specs)


def test_expressions_are_integers_names_and_arithmetic_only():
    assert evaluate("-(a + 3)*2 // b % 7", {"a": 4, "b": 3}) == -14 // 3 % 7
    assert names("2*b+c") == {"b", "c"}
    for bad in ("f(b)", "b.real", "1.5*b", "b**2", "", "b if c else d", "True"):
        with pytest.raises(ValueError, match="dim expression"):
            evaluate(bad, {"b": 1})
