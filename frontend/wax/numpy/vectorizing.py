"""`vectorize`: a function of small arrays made one that broadcasts over all other dims, by `vmap`."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from wax._trace import is_tracing
from wax.dims import Size, format_shape, same
from wax.eager import run
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy.creation import asarray
from wax.numpy.joining import broadcast_shapes
from wax.numpy.manipulation import expand_dims, reshape

__all__ = ["vectorize"]

_NAME = r"\w+"
_CORE = rf"\((?:{_NAME}(?:,{_NAME})*)?\)"
_LIST = rf"{_CORE}(?:,{_CORE})*"
_SIGNATURE = re.compile(rf"^(?:{_LIST})?->{_LIST}$")

_Cores = list[tuple[str, ...]]


def vectorize(
    pyfunc: Callable[..., Any], *, excluded: Collection[int | str] = (), signature: str | None = None
) -> Callable[..., Any]:
    """A function that takes arrays with more dims than `pyfunc` does, and broadcasts over these, as NumPy's does.

    `signature` names the dims that `pyfunc` itself sees, as in `"(n,m),(m)->(n)"`; without it, it sees scalars.
    Arguments at the places, or of the names, in `excluded` are handed on as they are. Raises `InvalidArgumentError` for
    a signature that is none, and `ShapeError` for arrays that do not fit it.

    >>> wnp.vectorize(wnp.vdot, signature="(n),(n)->()")(wnp.ones((2, 3)), wnp.arange(3.0))
    Array([3., 3.], dtype=float32)
    """
    cores = None if signature is None else _parse(signature)
    left_out = frozenset(excluded)

    @functools.wraps(pyfunc)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        places = [i for i in range(len(args)) if i not in left_out]
        names = [name for name in kwargs if name not in left_out]
        if cores is not None and len(cores[0]) != len(places):
            raise InvalidArgumentError(
                f"vectorize: the signature {signature!r} has {len(cores[0])} arguments, and {len(places)} are given"
            )
        if cores is not None and names:
            raise InvalidArgumentError(f"vectorize: {names[0]!r} is given by name; a signature speaks of places")

        def call(*given: Any) -> Any:
            arguments = list(args)
            for i, value in zip(places, given[: len(places)], strict=True):
                arguments[i] = value
            named = {**kwargs, **dict(zip(names, given[len(places) :], strict=True))}
            return pyfunc(*arguments, **named)

        arrays = [*(args[i] for i in places), *(kwargs[name] for name in names)]

        def body(*values: Any) -> Any:
            return _broadcast(call, values, cores, signature)

        return body(*arrays) if is_tracing() else run(body, tuple(arrays), {}, dynamic_scalars=True, keep=False)

    return wrapper


def _parse(signature: str) -> tuple[_Cores, _Cores]:
    text = signature.replace(" ", "")
    if not _SIGNATURE.match(text):
        raise InvalidArgumentError(f'vectorize: {signature!r} is no signature such as "(n,m),(m)->(n)"')
    sides = [[_dims(core) for core in re.findall(_CORE, side)] for side in text.split("->")]
    return sides[0], sides[1]


def _dims(core: str) -> tuple[str, ...]:
    return tuple(name for name in core[1:-1].split(",") if name)


def _broadcast(
    call: Callable[..., Any], given: Sequence[Any], cores: tuple[_Cores, _Cores] | None, signature: str | None
) -> Any:
    from wax.transform.batching import vmap

    arrays = [asarray(x) for x in given]
    own: _Cores = [()] * len(arrays) if cores is None else cores[0]
    sizes: dict[str, Size] = {}
    for i, (x, dims) in enumerate(zip(arrays, own, strict=True)):
        if len(x.shape) < len(dims):
            raise ShapeError(
                f"vectorize: argument {i} is {x.dtype.name}{format_shape(x.shape)}, and has the dims {dims} in "
                f"{signature!r}"
            )
        _bind(f"argument {i}", dims, x.shape[len(x.shape) - len(dims) :], sizes, signature)
    loops = [x.shape[: len(x.shape) - len(dims)] for x, dims in zip(arrays, own, strict=True)]
    loop = broadcast_shapes(*loops)

    # Dims of size 1 are the same for all rows.
    squeezed, has = [], []
    for x, dims, shape in zip(arrays, own, loops, strict=True):
        lead = len(loop) - len(shape)
        kept = [lead + i for i, size in enumerate(shape) if not same(size, 1)]
        squeezed.append(reshape(x, (*(shape[i - lead] for i in kept), *x.shape[len(x.shape) - len(dims) :])))
        has.append(set(kept))

    def checked(*inner: Any) -> Any:
        results = call(*inner)
        if cores is None:
            return results
        many = results if isinstance(results, tuple) else (results,)
        if len(many) != len(cores[1]):
            raise InvalidArgumentError(
                f"vectorize: the function returns {len(many)} results, and {signature!r} has {len(cores[1])}"
            )
        for i, (result, dims) in enumerate(zip(many, cores[1], strict=True)):
            if len(asarray(result).shape) != len(dims):
                raise ShapeError(
                    f"vectorize: result {i} has the shape {format_shape(result.shape)}, and the dims {dims} in "
                    f"{signature!r}"
                )
            _bind(f"result {i}", dims, result.shape, sizes, signature)
        return results

    made: Callable[..., Any] = checked
    repeated = []
    for axis in reversed(range(len(loop))):
        if any(axis in kept for kept in has):
            made = vmap(made, in_axes=tuple(0 if axis in kept else None for kept in has))
        else:
            repeated.append(axis)
    results = made(*squeezed)
    for axis in sorted(repeated):
        results = (
            tuple(expand_dims(x, axis) for x in results) if isinstance(results, tuple) else expand_dims(results, axis)
        )
    return results


def _bind(what: str, dims: Sequence[str], shape: Sequence[Size], sizes: dict[str, Size], signature: str | None) -> None:
    for name, size in zip(dims, shape, strict=True):
        known = int(name) if name.isdigit() else sizes.setdefault(name, size)
        if not same(known, size):
            raise ShapeError(f"vectorize: {name} in {signature!r} is {known}, and {size} in {what}")
