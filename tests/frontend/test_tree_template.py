"""Results put into containers natively, against optree."""

import dataclasses
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wax import _native, tree

keys = st.text(max_size=2) | st.integers(-3, 3)
leaf = st.just("leaf")
trees = st.recursive(
    leaf | st.none(),
    lambda children: (
        st.lists(children, max_size=4)
        | st.lists(children, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=2), children, max_size=4)
        | st.dictionaries(st.integers(-3, 3), children, max_size=4)
    ),
)


def shown(value):
    """A tree with all that `==` does not see: types, and the order of keys."""
    if isinstance(value, dict):
        return [(key, shown(child)) for key, child in value.items()]
    if isinstance(value, list | tuple):
        return (type(value), [shown(child) for child in value])
    return value


@given(trees)
def test_it_builds_what_unflatten_builds(given_tree):
    leaves, structure = tree.flatten(given_tree)
    values = [f"value {i}" for i in range(len(leaves))]
    rebuild = tree.rebuilder(structure)
    assert isinstance(rebuild, _native.TreeTemplate)
    expected = shown(tree.unflatten(structure, values))
    assert shown(rebuild(values)) == shown(rebuild(tuple(values))) == expected


def test_containers_are_new_each_time_and_leaves_the_same():
    rebuild = tree.rebuilder(tree.flatten([1, {"a": [2]}])[1])
    leaves = [object(), object()]
    one, two = rebuild(leaves), rebuild(leaves)
    assert one is not two
    assert one[1] is not two[1]
    assert one[1]["a"] is not two[1]["a"]
    assert one[0] is two[0] is leaves[0]
    assert one[1]["a"][0] is leaves[1]


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right


# It becomes a plain container, but not the one that stands in the structure.
tree.register(Pair, lambda pair: ((pair.left,), pair.right), lambda right, children: [right, *children])


@dataclasses.dataclass
class Layer:
    weight: object


@pytest.mark.parametrize("value", [OrderedDict(a=1), Layer(1), [Layer(1)], Pair(1, 0), {(1, 2): 1}, {1.5: 1}])
def test_other_containers_and_keys_are_left_to_optree(value):
    leaves, structure = tree.flatten(value)
    rebuild = tree.rebuilder(structure)
    assert not isinstance(rebuild, _native.TreeTemplate)
    assert rebuild(leaves) == tree.unflatten(structure, leaves)


@pytest.mark.parametrize("value", ["a", 1.0, True, -1, OrderedDict(a=0), {None: 0}, [[Layer(0)]]])
def test_a_template_of_anything_else_is_refused(value):
    with pytest.raises(ValueError):
        _native.TreeTemplate(value)


def test_missing_leaves_and_other_sequences_are_refused():
    rebuild = _native.TreeTemplate([0, 2])
    assert rebuild(["a", "b", "c"]) == ["a", "c"]
    with pytest.raises(ValueError, match="a leaf is missing"):
        rebuild(["a", "b"])
    with pytest.raises(TypeError):
        rebuild("abc")
