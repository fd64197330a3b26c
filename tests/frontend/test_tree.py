"""Pytrees: what leaves are called."""

import dataclasses
from typing import Any, NamedTuple

import pytest

from wax import tree


class Affine(NamedTuple):
    weight: Any
    bias: Any


@dataclasses.dataclass
class Layer:
    affine: Affine
    rate: Any
    name: str = dataclasses.field(default="", metadata={"static": True})


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


tree.register(Pair, lambda p: ((p.a, p.b), None), lambda _, children: Pair(*children))


def codes(value):
    return list(tree.leaf_codes(tree.flatten(value)[1], "x"))


def test_a_leaf_is_called_by_the_expression_that_gets_it():
    value = {"b": [Layer(Affine(1, 2), 3, "first"), (4, None)], "a b": 5, 7: ()}
    assert codes({"b": value["b"], "a b": 5}) == [
        "x['a b']",
        "x['b'][0].affine.weight",
        "x['b'][0].affine.bias",
        "x['b'][0].rate",
        "x['b'][1][0]",
    ]
    scope = {"x": {"b": value["b"], "a b": 5}}
    assert [eval(code, scope) for code in codes(scope["x"])] == [5, 1, 2, 3, 4]


def test_a_bare_leaf_has_the_roots_name_and_nothing_has_none():
    assert codes(1.5) == ["x"]
    assert codes(None) == []
    assert codes(((), {}, None)) == []


def test_names_are_those_of_optrees_accessors():
    for value in (
        {"a": [1, (2, Affine(3, {"k": 4}))]},
        Layer(Affine(1, [2]), {3: 4}),
        [Pair(1, Affine(2, 3)), Pair(4, 5)],
    ):
        structure = tree.flatten(value)[1]
        assert codes(value) == [accessor.codify("x") for accessor in structure.accessors()]


def test_map_puts_what_a_function_makes_of_leaves_in_their_places():
    assert tree.map(lambda x: -x, {"a": (1, None), "b": [2]}) == {"a": (-1, None), "b": [-2]}
    assert tree.map(lambda x, y: (x, y), [1, 2], [3, {"below": 4}]) == [(1, 3), (2, {"below": 4})]
    with pytest.raises(ValueError):
        tree.map(lambda x, y: x, [1, 2], [3])


def test_leaves_are_those_of_flatten():
    assert tree.leaves({"b": 2, "a": (1, None)}) == [1, 2]
