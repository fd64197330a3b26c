"""What the rows of a batch share: sums and gathers over an axis that `vmap` has named by `axis_name=`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import dtypes, primitives, tree
from wax._axis_names import axis_names
from wax._trace import current, is_tracing
from wax.dims import Size, product
from wax.errors import AxisNameError, DTypeError, InvalidArgumentError
from wax.tracer import Tracer

__all__ = [
    "all_gather",
    "axis_index",
    "axis_size",
    "pmax",
    "pmean",
    "pmin",
    "ppermute",
    "psum",
]


def _size(what: str, name: Any) -> Size:
    for known, size in reversed(axis_names()):
        if known == name:
            return size
    known = ", ".join(repr(name) for name, _ in axis_names()) or "none"
    raise AxisNameError(
        f"{what}: there is no axis named {name!r} here; the named axes are: {known}; name one by wax.vmap(…, "
        f"axis_name={name!r})"
    )


def _axes(what: str, axis_name: Any) -> list[tuple[str, Size]]:
    names = list(axis_name) if isinstance(axis_name, tuple | list) else [axis_name]
    return [(name, _size(what, name)) for name in names]


def axis_size(axis_name: str | Sequence[str]) -> Size:
    """The number of rows along a named axis; of several, their product. Raises `AxisNameError`.

    >>> wax.vmap(lambda x: x / wax.axis_size("i"), axis_name="i")(wnp.asarray([2.0, 4.0]))
    Array([1., 2.], dtype=float32)
    """
    return product(tuple(size for _, size in _axes("axis_size", axis_name)))


def axis_index(axis_name: str | Sequence[str]) -> Any:
    """The number of the row along a named axis, an int32; of several, as if they were one. Raises `AxisNameError`.

    >>> wax.vmap(lambda x: x * wax.axis_index("i"), axis_name="i")(wnp.asarray([5, 6, 7]))
    Array([ 0,  6, 14], dtype=int32)
    """
    index: Any = None
    for name, size in _axes("axis_index", axis_name):
        own = primitives.axis_index(name)
        index = own if index is None else index * size + own
    if index is None:
        raise InvalidArgumentError("axis_index: no axis is named")
    return index


def _on_leaves(function: Callable[[Tracer], Any], x: Any) -> Any:
    leaves, structure = tree.flatten(x)
    assert is_tracing()
    trace = current()
    return tree.unflatten(structure, [function(primitives.strengthen(trace.lift(leaf))) for leaf in leaves])


def psum(x: Any, axis_name: str | Sequence[str]) -> Any:
    """The sum over all rows along a named axis, or several; pytrees too. Of a Python number, a number.

    Raises `AxisNameError`.

    >>> wax.vmap(lambda x: x / wax.psum(x, "i"), axis_name="i")(wnp.asarray([1.0, 3.0]))
    Array([0.25, 0.75], dtype=float32)
    """
    axes = _axes("psum", axis_name)
    rows = axis_size(axis_name)
    if isinstance(x, int | float) and not isinstance(x, bool) and isinstance(rows, int):
        return x * rows

    def total(leaf: Tracer) -> Tracer:
        from wax.numpy._basis import cast

        if dtypes.kind(leaf.dtype) == "bool":
            leaf = cast(leaf, dtypes.default_int)
        for name, _ in axes:
            leaf = primitives.psum(leaf, name)
        return leaf

    return _on_leaves(total, x)


def pmean(x: Any, axis_name: str | Sequence[str]) -> Any:
    """The mean over all rows along a named axis, or several; pytrees too. Raises `AxisNameError`.

    >>> wax.vmap(lambda x: x - wax.pmean(x, "i"), axis_name="i")(wnp.asarray([1.0, 3.0]))
    Array([-1.,  1.], dtype=float32)
    """
    size = axis_size(axis_name)
    return _on_leaves(lambda leaf: psum(leaf, axis_name) / size, x)


def pmax(x: Any, axis_name: str | Sequence[str]) -> Any:
    """The maximum over all rows along a named axis, or several; pytrees too. Raises `AxisNameError`.

    >>> wax.vmap(lambda x: wax.pmax(x, "i"), axis_name="i")(wnp.asarray([1, 3, 2]))
    Array([3, 3, 3], dtype=int32)
    """
    return _extremum("pmax", x, axis_name, minimum=False)


def pmin(x: Any, axis_name: str | Sequence[str]) -> Any:
    """The minimum over all rows along a named axis, or several; pytrees too. Raises `AxisNameError`.

    >>> wax.vmap(lambda x: wax.pmin(x, "i"), axis_name="i")(wnp.asarray([1, 3, 2]))
    Array([1, 1, 1], dtype=int32)
    """
    return _extremum("pmin", x, axis_name, minimum=True)


def _extremum(what: str, x: Any, axis_name: Any, *, minimum: bool) -> Any:
    axes = _axes(what, axis_name)

    def reduced(leaf: Tracer) -> Tracer:
        if dtypes.kind(leaf.dtype) == "complex":
            raise DTypeError(f"{what} of {leaf.dtype.name}: complex numbers have no order")
        for name, _ in axes:
            leaf = primitives.pmax(leaf, name, minimum=minimum)
        return leaf

    return _on_leaves(reduced, x)


def all_gather(x: Any, axis_name: str | Sequence[str], *, axis: int = 0, tiled: bool = False) -> Any:
    """What all rows have, stacked along a new axis; with `tiled` one after another along an axis that there is.

    Raises `AxisNameError`.

    >>> wax.vmap(lambda x: wax.all_gather(x, "i"), axis_name="i")(wnp.asarray([1, 2]))
    Array([[1, 2],
           [1, 2]], dtype=int32)
    """
    axes = _axes("all_gather", axis_name)
    size = axis_size(axis_name)

    def gathered(leaf: Any) -> Any:
        from wax.numpy import moveaxis, reshape

        shape = leaf.shape
        for name, own in reversed(axes):
            leaf = primitives.all_gather(leaf, own, name)
        if len(axes) != 1:
            leaf = reshape(leaf, (size, *shape))
        rank = len(shape) + (0 if tiled else 1)
        if not -rank <= axis < rank:
            raise InvalidArgumentError(f"all_gather: axis is {axis}, and there are {rank}")
        place = axis % rank
        stacked = moveaxis(leaf, 0, place)
        if not tiled:
            return stacked
        return reshape(stacked, (*shape[:place], size * shape[place], *shape[place + 1 :]))

    return _on_leaves(gathered, x)


def ppermute(x: Any, axis_name: str, perm: Sequence[tuple[int, int]]) -> Any:
    """What other rows have: row `to` gets that of row `source` for each `(source, to)`; those that get none, zeros.

    Raises `AxisNameError`, and `InvalidArgumentError` for pairs that are no such rows, or name one twice.

    >>> wax.vmap(lambda x: wax.ppermute(x, "i", [(0, 1), (1, 0)]), axis_name="i")(wnp.asarray([1, 2]))
    Array([2, 1], dtype=int32)
    """
    size = _size("ppermute", axis_name)
    if not isinstance(size, int):
        raise InvalidArgumentError(f"ppermute: the axis {axis_name!r} has a symbolic size")
    sources = [-1] * size
    pairs = [(int(source), int(to)) for source, to in perm]
    for column in zip(*pairs, strict=True):
        if len(set(column)) != len(column) or not all(0 <= row < size for row in column):
            raise InvalidArgumentError(
                f"ppermute: perm={pairs} must name rows from 0 to {size - 1}, none twice as a source or as a target"
            )
    for source, to in pairs:
        sources[to] = source

    return _on_leaves(lambda leaf: primitives.ppermute(leaf, axis_name, sources), x)
