"""Symbolic sizes: arithmetic is exact, comparisons are answered from facts or refused."""

import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wax.dims import Dim, DimExpr, known_at_most, product, same, same_shape
from wax.errors import InconclusiveDimensionError

B = Dim("b")
S = Dim("s", min=4, max=512)


def test_a_dim_is_at_least_two_because_zero_and_one_are_compiled_apart():
    assert B.min == 2
    assert B.declared_min == 0
    assert B > 1
    assert not B <= 1
    assert B != 0


@pytest.mark.parametrize("name", ["", "2b", "a b", "a-b"])
def test_a_name_that_is_no_identifier_is_refused(name):
    with pytest.raises(ValueError, match="identifier"):
        Dim(name)


def test_bounds_that_leave_nothing_are_refused():
    with pytest.raises(ValueError, match="no size lies between"):
        Dim("b", min=8, max=4)


def test_equal_expressions_are_one_however_they_are_written():
    assert same(B * S, S * B)
    assert same((B + 1) * (B - 1), B * B - 1)
    assert same(2 * B - B, B)
    assert (B - B) == 0
    assert hash(B * 2) == hash(2 * B)


def test_what_divides_is_divided_and_the_rest_stays_an_atom():
    assert same((B * S * 384) // (S * 384), B)
    assert same((6 * B + 2) // 2, 3 * B + 1)
    assert (6 * B + 2) % 2 == 0
    assert str(B // 2) == "(b // 2)"
    assert same(B // 2 * 2 + B % 2, B // 2 * 2 + B % 2)
    assert same((B * 4) % 4, 0)
    assert same(S // S, 1)


def test_comparisons_follow_from_bounds():
    assert S <= 512
    assert S > 3
    assert S != 600
    assert B + 1 > B
    assert known_at_most(S, 512)
    assert not known_at_most(S, 100)


@pytest.mark.parametrize("ask", [lambda: B == 8, lambda: S > 100, lambda: B < S, lambda: bool(B - 2)])
def test_a_comparison_that_depends_on_the_call_is_refused(ask):
    with pytest.raises(InconclusiveDimensionError, match="depends on the call"):
        ask()


def test_a_symbolic_size_has_no_number():
    with pytest.raises(InconclusiveDimensionError, match="symbolic"):
        range(B)
    with pytest.raises(InconclusiveDimensionError, match="symbolic"):
        int(B + 1)


def test_shapes_compare_without_raising():
    assert same_shape((B, 3), (B, 3))
    assert not same_shape((B, 3), (S, 3))
    assert not same_shape((B,), (B, 3))
    assert same(product((B, 3, S)), 3 * B * S)


_EXPRESSIONS = st.recursive(
    st.one_of(st.integers(-6, 6), st.sampled_from([B, S])),
    lambda inner: st.tuples(st.sampled_from("+-*"), inner, inner),
    max_leaves=8,
)


def _build(tree, sizes=None):
    if isinstance(tree, tuple):
        op, left, right = tree
        left, right = _build(left, sizes), _build(right, sizes)
        return left + right if op == "+" else left - right if op == "-" else left * right
    if isinstance(tree, int):
        return tree
    return tree if sizes is None else sizes[tree.name]


@given(_EXPRESSIONS, st.integers(2, 40), st.integers(4, 512), st.sampled_from([-5, -2, 1, 2, 3, 7]))
def test_expressions_evaluate_as_python_integers_do(tree, b, s, divisor):
    sizes = {"b": b, "s": s}
    symbolic, value = _build(tree), _build(tree, sizes)
    for made, expected in (
        (symbolic, value),
        (symbolic // divisor, value // divisor),
        (symbolic % divisor, value % divisor),
    ):
        assert (made.evaluate(sizes) if isinstance(made, DimExpr) else made) == expected


@given(_EXPRESSIONS, st.integers(2, 40), st.integers(4, 512))
def test_bounds_hold_the_value(tree, b, s):
    symbolic = _build(tree)
    if isinstance(symbolic, int):
        return
    low, high = symbolic.bounds()
    value = symbolic.evaluate({"b": b, "s": s})
    assert low is None or low <= value
    assert high is None or value <= high


def test_dims_of_one_name_and_other_bounds_share_no_remembered_result():
    small, large = Dim("n", max=4), Dim("n", min=5, max=9)
    factor = Dim("m", max=3)
    assert (small * factor).bounds() == (4, 12)
    assert (large * factor).bounds() == (10, 27)
    assert (factor * small).bounds() == (4, 12)
    assert (factor * large).bounds() == (10, 27)
    assert (factor + small).bounds() == (4, 7)
    assert (factor + large).bounds() == (7, 12)
    assert divmod(factor * large, 2)[0].bounds() == (5, 13)
    assert divmod(factor * small, 2)[0].bounds() == (2, 6)


def test_an_operation_gives_the_same_object_again():
    n, m = Dim("n"), Dim("m")
    assert n * m is n * m
    assert (n * m + 1) is (n * m + 1)
    assert n * 12 // 12 is n


def test_numbers_that_are_equal_as_keys_are_told_apart_by_kind():
    n = Dim("n")
    assert n * 1 == n
    assert n * True == n
    with pytest.raises(TypeError):
        n * 1.0


def test_what_is_remembered_is_bounded_and_holds_no_strangers():
    class Stranger:
        def __radd__(self, other):
            return "radd"

        def __rmul__(self, other):
            return "rmul"

    n = Dim("n")
    stranger = Stranger()
    gone = weakref.ref(stranger)
    assert (n + stranger, n * stranger) == ("radd", "rmul")
    del stranger
    assert gone() is None
    for number in range(10_000):
        assert str(n + number + 1) == f"n + {number + 1}"
    assert len(n._results) <= 256
