"""What operations of the basis are together: products of matrices, softmax, attention and others, as backends that want
them get them, and where they are in a program.

Found by the pass `wax-raise`; docs/reference/recognized.md says what each of them computes. Convolutions of windows are
found by `wax-convolve-windows`, and are `wax.convolve`, as those that are written as such.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from wax import _native
from wax._canonical import CANONICAL, canonical
from wax._table import short_place
from wax._tracing import TracedFunction
from wax.errors import BackendError
from wax_runtime.backend import Backend, Recognizer
from wax_runtime.snapshot import Location, Operation

__all__ = ["Recognized", "raised", "recognized", "wanted_by"]

#: In which lines a convolution was found.
_LINES = "lines"
#: What is no operation of its own, but one of the basis that is found.
_CONVOLVE = "convolve"


@dataclass(frozen=True, slots=True)
class Recognized:
    """What several operations are together: the name, `"contract"`, the result's type, and the user's lines."""

    name: str
    result: str
    locations: tuple[Location, ...]

    def __str__(self) -> str:
        lines = dict.fromkeys(map(short_place, self.locations))
        return f"{self.name} {self.result} at {', '.join(lines)}" if lines else f"{self.name} {self.result}"


def wanted_by(backend: Backend) -> frozenset[str]:
    """The names of the recognised operations that a backend wants."""
    return frozenset(backend.wants) if isinstance(backend, Recognizer) else frozenset()


def raised(function: TracedFunction, wanted: Collection[str]) -> _native.Module:
    """The function and its callees, with the recognised operations that are wanted, unless it is to stay plain. Raises
    `BackendError` for a name that none has.
    """
    module = _native.make_module(function.function)
    if not wanted or not function.optimize:
        return module
    names = {name.removeprefix("wax.") for name in wanted}
    passes = [CANONICAL]
    if _CONVOLVE in names:
        # What is padded with zeros before becomes the convolution's own.
        passes.append("wax-convolve-windows,wax-simplify,cse")
    if others := ",".join(sorted(names - {_CONVOLVE})):
        passes.append(f"wax-raise{{wanted={others}}}")
    try:
        module.run(",".join(passes))
    except _native.PassError as error:
        raise BackendError(f"what is wanted cannot be recognised: {error.args[0]}") from error
    return module


def recognized(function: TracedFunction) -> tuple[Recognized, ...]:
    """All that is recognised in a function, in the order of the program."""
    module = canonical(function.function)
    module.run("wax-convolve-windows{tell-lines=true},wax-raise")
    snapshot = module.snapshot()
    entry = snapshot.functions[snapshot.entry]
    names = frozenset(_native.recognized_operations())
    return tuple(
        Recognized(one.name.removeprefix("wax."), str(entry.types[one.results[0]]), _locations(one))
        for one in _operations(entry.operations)
        if one.name in names or _LINES in one.attributes
    )


def _operations(operations: Iterable[Operation]) -> Iterator[Operation]:
    for one in operations:
        yield one
        for region in one.regions:
            yield from _operations(region.operations)


def _locations(operation: Operation) -> tuple[Location, ...]:
    if _LINES in operation.attributes:
        lines = cast("tuple[tuple[str, int, int], ...]", operation.attributes[_LINES])
        return tuple(Location(*line) for line in lines)
    (region,) = operation.regions
    return tuple(dict.fromkeys(one.location for one in region.operations if one.location is not None))
