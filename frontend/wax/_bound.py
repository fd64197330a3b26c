"""Calls of programs that were compiled: what is the same in all calls of one kind is found out in the first one.

A kind is what `abstract.call_key` tells apart: the structure of the arguments, and each leaf's shape, dtype and device.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wax import _native, dtypes, tree
from wax.abstract import NATIVE_LEAVES, concrete_leaf
from wax.array import Array
from wax_runtime.backend import Executable, Preparer
from wax_runtime.buffer import Buffer
from wax_runtime.spec import ArraySpec

__all__ = ["MAX_ENTRIES", "Binder", "BoundCall", "KnownCalls"]

#: Kinds of calls that are remembered; of ever new shapes the cache starts afresh instead of growing for ever.
MAX_ENTRIES = 4096


@dataclass(frozen=True, slots=True)
class BoundCall:
    """What serves all calls of one kind."""

    #: For each leaf, what makes an array of it; arrays stay what they are.
    takes: tuple[Callable[[Any], Any], ...]
    run: Callable[[Sequence[Any]], list[Any]]
    rebuild: Callable[[Sequence[Any]], Any]
    #: The arguments with the leaves' numbers in their places.
    numbers: Any
    #: The classes among the containers; `None` where only Python can read such calls.
    containers: dict[type, tree.Fields] | None

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """What the function returns for these leaves."""
        arrays = [x if type(x) is Array else take(x) for x, take in zip(leaves, self.takes, strict=True)]
        return self.rebuild(self.run(arrays))

    def remember(
        self,
        cache: _native.CallCache,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        traced: tuple[Any, ...],
        leaves: Sequence[Any],
    ) -> None:
        """Lets a native cache find calls like this one; `traced` is the arguments without static ones."""
        if self.containers is not None:
            cache.add(
                args,
                kwargs,
                traced,
                tuple(leaves),
                self.numbers,
                self.takes,
                self.run,
                self.rebuild,
                self.containers,
            )


class _Prepared:
    """What was prepared of captured arrays, which live as long: nothing else may have their identities meanwhile."""

    __slots__ = ("__weakref__", "captured", "made")

    def __init__(self, captured: tuple[Any, ...], made: tuple[Buffer, ...]) -> None:
        self.captured, self.made = captured, made


#: What programs of this process have prepared, by what prepares it and the identities of what it is made of: programs
#: for other sizes of the same arguments prepare the same of the same weights.
_prepared: weakref.WeakValueDictionary[Any, _Prepared] = weakref.WeakValueDictionary()


def _prepare(executable: Preparer, captured: tuple[Buffer, ...], origins: tuple[Any, ...]) -> _Prepared:
    """`origins` are the arrays that were captured, of which `captured` may be copies on a device."""
    key = (executable.prepares, *map(id, origins))
    known = _prepared.get(key)
    if known is None:
        # Of two threads that do so one's stays, and the other's serves its own program.
        known = _prepared.setdefault(key, _Prepared(origins, executable.prepare(captured)))
    return known


class Binder:
    """Binds calls of a program, which takes captured arrays besides those that it is given.

    `origins` are the arrays that were captured, if these are copies of them.
    """

    def __init__(
        self,
        executable: Executable,
        captured: tuple[Buffer, ...],
        rebuild: Callable[[Sequence[Any]], Any],
        origins: tuple[Any, ...] | None = None,
    ) -> None:
        # What is made of captured arrays alone is made now.
        self._held: _Prepared | None = None
        if captured and isinstance(executable, Preparer):
            self._held = _prepare(executable, captured, captured if origins is None else origins)
            executable, captured = executable.resume(captured, self._held.made)
        self._executable, self._captured = executable, captured
        self._rebuild = rebuild

    def call(self, buffers: Sequence[Buffer]) -> list[Buffer]:
        """The results of one call, checked. Raises `ArgumentError`."""
        return self._executable([*buffers, *self._captured])

    def bind(self, leaves: Sequence[Any], structure: tree.Structure) -> BoundCall:
        """What serves all calls like one with these leaves. Raises `ArgumentError` when the program takes others."""
        specs = tuple([concrete_leaf(leaf).spec for leaf in leaves])
        return BoundCall(
            takes=tuple([self._taker(leaf, spec) for leaf, spec in zip(leaves, specs, strict=True)]),
            run=self._run(specs),
            rebuild=self._rebuild,
            numbers=tree.numbered(structure),
            containers=_native_containers(leaves, structure),
        )

    def _taker(self, leaf: Any, spec: ArraySpec) -> Callable[[Any], Any]:
        """What makes, of leaves like this one, arrays of a spec that a bound call takes without further ado."""
        if (type(leaf) is np.ndarray or isinstance(leaf, np.generic)) and leaf.dtype == spec.dtype:
            return self._executable.putter(spec)
        if dtypes.is_python_number(leaf):
            put, scalar = self._executable.putter(spec), spec.dtype.type
            return lambda number: put(scalar(number))
        return concrete_leaf

    def _run(self, specs: tuple[ArraySpec, ...]) -> Any:
        call = self._executable.bind((*specs, *(c.spec for c in self._captured)))
        return _Capturing(call, self._captured) if self._captured else call


def _native_containers(leaves: Sequence[Any], structure: tree.Structure) -> dict[type, tree.Fields] | None:
    return tree.native_containers(structure) if NATIVE_LEAVES.issuperset(map(type, leaves)) else None


class KnownCalls:
    """The calls of one program that were made before, found natively."""

    def __init__(self, binder: Binder) -> None:
        self._binder = binder
        self._cache = _native.CallCache(Array, np.ndarray, frozenset(), frozenset(), MAX_ENTRIES)
        #: The result of a call, or `NotImplemented` if there was none like it.
        self.call = self._cache.call

    def add(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], leaves: Sequence[Any], structure: tree.Structure
    ) -> None:
        """Lets calls like this one, which was checked and made, be found."""
        if _native_containers(leaves, structure) is not None:
            bound = self._binder.bind(leaves, structure)
            bound.remember(self._cache, args, kwargs, (args, kwargs), leaves)


class _Capturing:
    """A call with arrays besides those that it is given; `wax._native.CallCache` makes it natively where it can."""

    __slots__ = ("call", "captured")

    def __init__(self, call: Callable[[Sequence[Any]], Any], captured: tuple[Buffer, ...]) -> None:
        self.call, self.captured = call, captured

    def __call__(self, arrays: Sequence[Any]) -> Any:
        return self.call([*arrays, *self.captured])
