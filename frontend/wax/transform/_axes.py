"""Which axis of each leaf is the batch: `in_axes` and `out_axes`, prefixes of pytrees of numbers and `None`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import optree

from wax import tree
from wax.dims import Size, format_shape, same
from wax.errors import BatchingError

__all__ = ["batch_size", "flatten_axes", "leaf_paths", "positive"]


def flatten_axes(what: str, axes: Any, structure: tree.Structure, root: str) -> list[int | None]:
    """An axis or `None` for each leaf. Raises `BatchingError` where `axes` is no prefix of the structure."""
    if axes is None:
        return [None] * structure.num_leaves
    number = _integer(axes)
    if number is not None:
        return [number] * structure.num_leaves
    if structure.is_leaf():
        raise BatchingError(f"{what} has {axes!r} for {root}, which is an array; give an integer or None")
    children, kind = _children(axes)
    parts = structure.children()
    alike = kind is structure.type or {kind, structure.type} == {list, tuple}
    if not alike or len(children) != len(parts):
        raise BatchingError(
            f"{what} has {axes!r} for {root}, which is {tree.spell(structure)}; give an integer or None for all of it, "
            f"or a container like it"
        )
    one_level = structure.one_level()
    assert one_level is not None
    codes = list(tree.leaf_codes(one_level, root))
    return [
        axis
        for child, part, path in zip(children, parts, codes, strict=True)
        for axis in flatten_axes(what, child, part, path)
    ]


def _integer(axes: Any) -> int | None:
    if isinstance(axes, bool):
        return None
    try:
        return operator.index(axes)
    except TypeError:
        return None


def _children(axes: Any) -> tuple[Sequence[Any], Any]:
    node = tree.flatten(axes)[1]
    if node.is_leaf():
        return (), None
    return list(optree.tree_flatten_one_level(axes, none_is_leaf=True, namespace=tree.NAMESPACE)[0]), node.type


def leaf_paths(structure: tree.Structure) -> list[str]:
    """What messages call the leaves of `(args, kwargs)`."""
    positional, named = structure.children()
    return [*tree.leaf_codes(positional, "args"), *tree.leaf_codes(named, "kwargs")]


def positive(name: str, path: str, axis: int, x: Any) -> int:
    """The axis of an array, counted from the front. Raises `BatchingError`."""
    rank = len(x.shape)
    if not -rank <= axis < rank:
        raise BatchingError(
            f"vmap of {name}: {path} is {x.dtype.name}{format_shape(x.shape)}, which has no axis {axis} to go along; "
            f"choose another by in_axes=, or None for what is the same for all"
        )
    return axis % rank


def batch_size(
    name: str, paths: Sequence[str], axes: Sequence[int | None], leaves: Sequence[Any], stated: Size | None
) -> Size:
    """The size of all batch axes. Raises `BatchingError` where they differ, or there is none."""
    found = [
        (path, x, axis, x.shape[axis]) for path, axis, x in zip(paths, axes, leaves, strict=True) if axis is not None
    ]
    if stated is None and not found:
        raise BatchingError(f"vmap of {name}: nothing is batched; give in_axes= an axis, or the size by axis_size=")
    size = found[0][3] if stated is None else stated
    if not all(same(one, size) for *_, one in found):
        listed = ", ".join(
            f"{path} is {x.dtype.name}{format_shape(x.shape)} with {one} along axis {axis}"
            for path, x, axis, one in found
        )
        given = "" if stated is None else f", and axis_size={stated}"
        raise BatchingError(f"vmap of {name}: the sizes of the batch differ: {listed}{given}")
    return size
