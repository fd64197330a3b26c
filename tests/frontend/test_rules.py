"""Rules of `wax.rules`: what is one, and how it is tried before it is trusted."""

import re

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.errors import InvalidArgumentError, RuleError
from wax.rules import _checking
from wax.typing import Shaped, f32, f64, i32


def refusal(pattern, replacement, **options):
    with pytest.raises(RuleError) as caught:
        wax.rules.rule(pattern, replacement, **options).check()
    return str(caught.value)


def negated_twice(x):
    return -(-x)


def test_a_rule_is_data():
    made = wax.rules.rule(negated_twice, lambda x: x, dtype=("integral", wnp.float32))
    assert made.name == "negated_twice" and made.parameters == (wax.rules.Parameter("x"),)
    assert {dtype.name for dtype in made.dtypes} == {
        "float32",
        *(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)),
    }
    assert made.location is not None and made.location[0] == __file__


# Rules that hold.

RIGHT = {
    "negation": (negated_twice, lambda x: x, {}),
    "de Morgan": (lambda x, y: ~(x & y), lambda x, y: ~x | ~y, {"dtype": ("bool", "integral")}),
    "distributivity of integers": (lambda x, y, z: x * y + x * z, lambda x, y, z: x * (y + z), {"dtype": "integral"}),
    "parity": (lambda x: x % 2, lambda x: x & 1, {"dtype": "integral"}),
    "sum of a negation": (
        lambda x: wnp.sum(-x, axis=-1),
        lambda x: -wnp.sum(x, axis=-1),
        {"dtype": wnp.int64, "arguments": {"x": Shaped[..., "n"]}},
    ),
    "scaled sum": (
        lambda x: wnp.sum(x * 2, axis=-1),
        lambda x: wnp.sum(x, axis=-1) * 2,
        {"arguments": {"x": Shaped[..., "n"]}, "finite": True},
    ),
    "conjugated twice": (lambda z: wnp.conj(wnp.conj(z)), lambda z: z, {"dtype": "complex floating"}),
    "transposed product": (
        lambda x, y: (x @ y).T,
        lambda x, y: y.T @ x.T,
        {"arguments": {"x": f32["m", "k"], "y": f32["k", "n"]}},
    ),
    "of one size": (lambda x: wnp.sum(x, axis=0), lambda x: x[0], {"arguments": {"x": f32[1, "n"]}, "finite": True}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_rules_are_trusted(name):
    pattern, replacement, options = RIGHT[name]
    wax.rules.rule(pattern, replacement, name=name, **options).check()


# Rules that do not: what the counterexample shows.

WRONG = {
    "NaN": (lambda x: x - x, lambda x: wnp.zeros_like(x), {}, r"x = float\d+.*(nan|inf)"),
    "zero": (lambda x: x + 0.0, lambda x: x, {}, r"x = b?float.*-0"),
    "infinity": (lambda x, y: (x + y) - y, lambda x, y: x, {"dtype": wnp.float64}, r"y = float64.*"),
    "overflow": (lambda x: (x * 2) // 2, lambda x: x, {"dtype": wnp.int32}, r"x = int32"),
    "the least integer": (lambda x: -x // 2, lambda x: -(x // 2) - (x & 1), {"dtype": wnp.int8}, r"-128"),
    "size": (lambda x: wnp.sum(x, axis=0), lambda x: x[:1].sum(axis=0), {"arguments": {"x": i32["m", "n"]}}, "t32"),
    "rounding": (wnp.exp, lambda x: wnp.exp(x.astype(wnp.float16)).astype(wnp.float64), {"dtype": wnp.float64}, "f"),
    "a part": (lambda z: z * 1j * 1j, lambda z: z, {"dtype": wnp.complex64}, r"z = complex64"),
    "one dtype of several": (lambda x: (x << 4) >> 4, lambda x: x, {"dtype": "integral"}, r"x = int8"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rules_are_refused_with_a_counterexample(name):
    pattern, replacement, options, shown = WRONG[name]
    text = refusal(pattern, replacement, name=name, **options)
    assert f"rule '{name}': its replacement does not compute what its pattern does" in text
    assert text.startswith(__file__)
    assert re.search(shown, text), text
    for what in ("pattern gives", "replacement gives"):
        assert re.search(rf"{what} \w+\(.*\): ", text), text


def test_the_counterexample_is_one():
    text = refusal(lambda x, y: x - y, lambda x, y: y - x, dtype=wnp.int16)
    x, y, expected, got = (np.int16(value) for value in re.findall(r"int16\(\): (-?\d+)", text))
    assert (x - y, y - x) == (expected, got)


def cases_of(rule, monkeypatch):
    """The arrays that a rule is tried on."""
    seen = []
    drawn = _checking._array

    def remember(of, draw, random):
        seen.append(drawn(of, draw, random))
        return seen[-1]

    monkeypatch.setattr(_checking, "_array", remember)
    rule.check()
    return seen


def test_a_rule_is_tried_on_many_arrays_of_each_dtype_and_kind(monkeypatch):
    seen = cases_of(wax.rules.rule(negated_twice, lambda x: x, dtype=("real floating", wnp.int8)), monkeypatch)
    assert len(seen) >= 120
    for dtype in (wnp.float16, wnp.bfloat16, wnp.float32, wnp.float64, wnp.int8):
        alike = [x for x in seen if x.dtype == dtype]
        sizes = {size for x in alike for size in x.shape}
        assert len(alike) >= 24 and {0, 1, 3} <= sizes and {0, 1, 2} <= {x.ndim for x in alike}
        flat = np.concatenate([x.reshape(-1).astype(np.float64) for x in alike])
        if dtype == wnp.int8:
            assert {-128, 127, 0} <= set(flat)
            continue
        assert np.isnan(flat).any() and np.isposinf(flat).any() and np.isneginf(flat).any()
        assert (np.signbit(flat) & (flat == 0)).any() and (~np.signbit(flat) & (flat == 0)).any()
        assert float(np.abs(flat[np.isfinite(flat)]).max()) > 100


def test_a_rule_for_finite_numbers_is_tried_on_such(monkeypatch):
    made = wax.rules.rule(lambda x: x * 0, lambda x: wnp.zeros_like(x), finite=True)
    assert all(np.isfinite(x.astype(np.float64)).all() for x in cases_of(made, monkeypatch))


def test_a_rule_is_tried_where_it_is_wanted(monkeypatch):
    wanted = wax.rules.rule(
        lambda x: wnp.sum(-x, axis=-1), lambda x: -wnp.sum(x, axis=-1), dtype=wnp.int32,
        arguments={"x": Shaped["m", "n"]}, when=lambda x: x.shape[1] % 2 == 0 and x.shape[0] > 20,
    )  # fmt: skip
    seen = cases_of(wanted, monkeypatch)
    assert len(seen) >= 120 and all(x.shape[1] % 2 == 0 and x.shape[0] > 20 for x in seen)


def test_a_rule_that_can_hardly_be_tried_is_refused():
    text = refusal(negated_twice, lambda x: x, when=lambda x: x.ndim == 9)
    assert "only 0 cases could be tried; of other shapes: `when` does not hold" in text


def test_a_rule_is_tried_once(monkeypatch):
    made = wax.rules.rule(negated_twice, lambda x: x, dtype=wnp.float32)
    assert cases_of(made, monkeypatch)
    monkeypatch.setattr(_checking, "check", None)
    made.check()


def test_tolerance_is_a_number_of_roundings():
    third = {"pattern": lambda x: x / 3, "replacement": lambda x: x * (1 / 3), "dtype": wnp.float32}
    wax.rules.rule(**third, finite=True).check()
    assert "does not compute" in refusal(**third, finite=True, tolerance=0)


def test_what_cancels_may_differ_by_as_much_as_a_rounding_of_the_arguments_does():
    wax.rules.rule(
        lambda x, y: wnp.sum(x * 3 - y * 3, axis=-1),
        lambda x, y: (wnp.sum(x, axis=-1) - wnp.sum(y, axis=-1)) * 3,
        arguments={"x": Shaped["n"], "y": Shaped["n"]},
        finite=True,
    ).check()


# What is no rule.


def test_results_of_another_type_are_refused():
    text = refusal(lambda x: wnp.exp(x), lambda x: wnp.exp(x).astype(wnp.float64), dtype=wnp.float32)
    assert "for x: float32() its pattern gives float32(), and its replacement float64()" in text
    text = refusal(lambda x: wnp.sum(x, axis=0), lambda x: x, arguments={"x": f32["n"]})
    assert "for x: float32(1,) its pattern gives float32(), and its replacement float32(1,)" in text


def test_a_replacement_that_does_not_take_what_the_pattern_takes_is_refused():
    text = refusal(lambda x: wnp.sum(x, axis=-1), lambda x: x[..., 0] * 1, arguments={"x": i32[..., "n"]})
    assert "its replacement" in text


CAPTURED = np.ones(100, np.int32)

NO_RULES = {
    "its replacement takes z, which the pattern does not": (lambda x: -x, lambda x, z: z),
    "its pattern does not use y, or not once": (lambda x, y: -x + y * 0, lambda x, y: -x),
    "its pattern computes nothing, or nothing once it is simplified": (lambda x: x.T.T, lambda x: x),
    "its pattern takes no arguments": (lambda: wnp.ones(3), lambda: wnp.ones(3)),
    "its pattern returns 2 arrays": (lambda x: (x, -x), lambda x: (x, -x)),
    r"its pattern captures arrays \(int32\(100,\)\)": (lambda x: x + CAPTURED, lambda x: x),
    "its pattern holds scf.for; branches and loops are not matched": (
        lambda x: wax.fori_loop(0, 3, lambda i, y: y * 2, x),
        lambda x: x * 8,
    ),
    "its pattern could not be traced for arrays of any rank": (lambda x, y: wnp.concat([x, y]) @ x, lambda x, y: x),
}


@pytest.mark.parametrize("message", NO_RULES)
def test_what_cannot_be_a_rule_is_refused_at_once(message):
    with pytest.raises(RuleError, match=message):
        wax.rules.rule(*NO_RULES[message], dtype=wnp.int32)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"arguments": {"y": f32["n"]}}, "y is no parameter of the pattern"),
        ({"arguments": {"x": f32["2*n"]}}, r"x has the size '2\*n'; sizes in rules are numbers, names and \.\.\."),
        ({"arguments": {"x": int}}, "x is annotated <class 'int'>, which is no array's annotation"),
        ({"dtype": "small floating"}, "'small floating' is no kind of dtype"),
        ({"dtype": ()}, r"there is no dtype \(\)"),
    ],
)  # fmt: skip
def test_options_that_say_nothing_are_refused(options, message):
    with pytest.raises((InvalidArgumentError, RuleError), match=message):
        wax.rules.rule(lambda x: -x, lambda x: -x, **options)


def test_functions_take_arrays_by_position():
    with pytest.raises(InvalidArgumentError, match="take arrays by position"):
        wax.rules.rule(lambda *x: -x[0], lambda x: x)
    with pytest.raises(InvalidArgumentError, match="are functions, not int"):
        wax.rules.rule(lambda x: -x, 3)


def test_annotations_stand_on_the_pattern_too():
    def pattern(x: f64["n"]):
        return -(-x)

    made = wax.rules.rule(pattern, lambda x: x)
    assert made.parameters == (wax.rules.Parameter("x", np.dtype("float64"), ("n",)),)
    assert len({x.shape for x in [s.traced.arguments[0] for s in made.sketches(frozenset({"f64", "f32"}), 4)]}) == 1


def test_shapes_may_be_given(monkeypatch):
    made = wax.rules.rule(negated_twice, lambda x: x, when=lambda x: x.shape == (384, 2), dtype=wnp.float32)
    with pytest.raises(RuleError, match="only 0 cases"):
        made.check()
    made.check((384, 2))


def test_a_result_of_many_numbers_moves_however_their_roundings_fall():
    x = np.ones((4096, 64), np.float32)
    moved = _checking._movement(lambda arrays: arrays[0].astype(np.float64).sum(1), [x], np.random.default_rng(0))
    # Each of 64 numbers moves up or down by a rounding: their sum by 8 of them, as a rule.
    assert moved.size == 4096
    assert moved.min() >= 4 * np.finfo(np.float32).eps
