"""Pytrees: nested containers of arrays, by `optree`.

Tuples, named tuples, lists, dicts and registered classes are containers; `None` is an empty one. Dataclasses
are registered when first met: every field is a child, except those marked
`dataclasses.field(metadata={"static": True})`, which belong to the structure and must be hashable.
"""

from __future__ import annotations

import builtins
import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import optree

from wax import _native

__all__ = [
    "Structure",
    "flatten",
    "from_json",
    "leaf_codes",
    "leaves",
    "map",
    "native_containers",
    "numbered",
    "rebuilder",
    "register",
    "register_dataclass",
    "spell",
    "to_json",
    "unflatten",
]

NAMESPACE = "wax"

Structure: TypeAlias = optree.PyTreeSpec
_C = TypeVar("_C", bound=type)


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of a pytree, and its structure (hashable)."""
    leaves, structure = optree.tree_flatten(tree, namespace=NAMESPACE)
    if not _plain.issuperset(builtins.map(type, leaves)):
        new = {type(leaf) for leaf in leaves} - _plain
        found = [cls for cls in new if dataclasses.is_dataclass(cls)]
        for cls in found:
            register_dataclass(cls)
        if found:
            return flatten(tree)
        # A bounded memory of types that are no dataclasses, for the next call.
        if len(_plain) < 256:
            _plain.update(new)
    return leaves, structure


def unflatten(structure: Structure, leaves: Iterable[Any]) -> Any:
    """The pytree of a structure with these leaves."""
    return optree.tree_unflatten(structure, leaves)


def leaves(tree: Any) -> list[Any]:
    """The leaves of a pytree.

    >>> wax.tree.leaves({"w": 1, "b": (2, None)})
    [2, 1]
    """
    return flatten(tree)[0]


def map(function: Callable[..., Any], tree: Any, *rest: Any) -> Any:
    """A pytree with `function` of each leaf, and of what stands at its place in the others, in the leaf's place.

    The others have the structure of the first, and may go on where it has a leaf; else this raises `ValueError`.

    >>> wax.tree.map(lambda x, y: x + y, {"w": 1, "b": 2}, {"w": 10, "b": 20})
    {'w': 11, 'b': 22}
    """
    found, structure = flatten(tree)
    others = [structure.flatten_up_to(other) for other in rest]
    return unflatten(structure, [function(*group) for group in zip(found, *others, strict=True)])


def numbered(structure: Structure) -> Any:
    """The pytree with the number of each leaf in its place."""
    return unflatten(structure, range(structure.num_leaves))


#: How a container class is read natively: the names of the attributes that are children (`None` for a named tuple,
#: whose items are), and of those that are static.
Fields: TypeAlias = tuple[tuple[str, ...] | None, tuple[str, ...]]

_PLAIN = frozenset({tuple, list, dict, type(None)})
_dataclasses: dict[type, Fields] = {}


def native_containers(structure: Structure) -> dict[type, Fields] | None:
    """The classes in a structure besides tuple, list, dict and `None`; `None` if there are others than native code
    can read: it knows named tuples and dataclasses.
    """
    found: dict[type, Fields] = {}
    nodes = [structure]
    while nodes:
        node = nodes.pop()
        cls = node.type
        if cls is None:  # a leaf
            continue
        if cls in _dataclasses:
            found[cls] = _dataclasses[cls]
        elif node.kind == optree.PyTreeKind.NAMEDTUPLE:
            found[cls] = (None, ())
        elif cls not in _PLAIN:
            return None
        nodes.extend(node.children())
    return found


def rebuilder(structure: Structure) -> Callable[[Sequence[Any]], Any]:
    """What puts leaves into the structure: `unflatten`, for those who do it often."""
    if native_containers(structure) == {}:
        try:
            return _native.TreeTemplate(numbered(structure))
        except ValueError:  # keys that are neither strings nor integers
            pass
    return functools.partial(unflatten, structure)


def leaf_codes(structure: Structure, root: str) -> Iterator[str]:
    """For each leaf, the Python expression that gets it out of the pytree called `root`: `params.layers[0]['w']`."""
    if structure.is_leaf():
        yield root
    elif structure.num_children:
        one_level = structure.one_level()
        assert one_level is not None
        for child, suffix in zip(structure.children(), _suffixes(one_level), strict=True):
            yield from leaf_codes(child, root + suffix)


def spell(structure: Structure) -> str:
    """A structure as messages show it, a star for each leaf: `{'w': *, 'b': (*, None)}`."""
    text = str(structure)
    return text.removeprefix("PyTreeSpec(").removesuffix(f", namespace={NAMESPACE!r})").removesuffix(")")


@functools.lru_cache(maxsize=4096)
def _suffixes(one_level: Structure) -> tuple[str, ...]:
    return tuple(accessor.codify("") for accessor in one_level.accessors())


def register(
    cls: type,
    flatten_node: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten_node: Callable[[Any, Any], Any],
) -> None:
    """Makes a class a pytree container.

    `flatten_node(obj) -> (children, static)` and `unflatten_node(static, children) -> obj`; `static` must be
    hashable. Raises `ValueError` when the class is registered already.
    """
    optree.register_pytree_node(cls, flatten_node, unflatten_node, namespace=NAMESPACE)
    _native.CallCache.forget_containers()  # it may have been seen as a named tuple


def register_dataclass(cls: _C) -> _C:
    """Makes a dataclass a pytree container; happens by itself when an instance is first met."""
    fields = dataclasses.fields(cls)
    children = tuple(f.name for f in fields if not f.metadata.get("static"))
    static = tuple(f.name for f in fields if f.metadata.get("static"))

    def flatten_node(obj: Any) -> tuple[tuple[Any, ...], Any, tuple[str, ...]]:
        return (
            tuple(getattr(obj, name) for name in children),
            tuple(getattr(obj, name) for name in static),
            children,
        )

    def unflatten_node(metadata: Any, values: Iterable[Any]) -> Any:
        # Not by __init__: it may check or convert, and the values may be traced, or placeholders.
        obj = object.__new__(cls)
        for name, value in (*zip(static, metadata, strict=True), *zip(children, values, strict=True)):
            object.__setattr__(obj, name, value)
        return obj

    optree.register_pytree_node(
        cls, flatten_node, unflatten_node, path_entry_type=optree.DataclassEntry, namespace=NAMESPACE
    )
    _dataclasses[cls] = (children, static)
    _native.CallCache.forget_containers()
    return cls


_plain: set[type] = set()


def to_json(tree: Any) -> Any:
    """A pytree of plain containers whose leaves are numbers, as JSON; `None` when it holds other containers."""
    match tree:
        case None:
            return {"none": True}
        case int():
            return tree
        case dict() if all(isinstance(key, str) for key in tree):
            items = {key: to_json(value) for key, value in tree.items()}
            return None if any(v is None for v in items.values()) else {"dict": items}
        case list() | tuple() if type(tree) in (list, tuple):
            values = [to_json(value) for value in tree]
            return None if any(v is None for v in values) else {type(tree).__name__: values}
        case _:
            return None


def from_json(data: Any) -> Any:
    """The pytree that `to_json` wrote."""
    match data:
        case {"none": True}:
            return None
        case {"dict": dict() as items}:
            return {key: from_json(value) for key, value in items.items()}
        case {"list": list() as values}:
            return [from_json(value) for value in values]
        case {"tuple": list() as values}:
            return tuple(from_json(value) for value in values)
        case _:
            return data
