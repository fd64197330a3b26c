"""Calls of small programs without IREE: what its plan says is done by the kernels that IREE would run.

IREE takes microseconds around a kernel that takes less than one: for a list of arguments and one of results, its
virtual machine, a command buffer, semaphores, memory by way of a queue. A program that has a `Plan` needs none of it.
One of its first calls is watched, on IREE: which kernels run, with which numbers, and whether the memory that they are
given is what the plan says. From then on `libwax_team.so` runs the same kernels on other memory.

For native callers only (`wax._native.CallCache`): in Python, what is saved would be spent. docs/decisions/0050.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn

import numpy as np

from wax_runtime.buffer import Buffer
from wax_runtime.iree.plans import Piece, Place, Plan, Region
from wax_runtime.iree.storage import ViewStorage
from wax_runtime.iree.team import Program, Recording
from wax_runtime.spec import ArraySpec
from wax_runtime.storage import BufferStorage

__all__ = ["DirectSteps", "Watch", "memory_of"]

_log = logging.getLogger("wax.run")

# Bytes that a call may allocate: more is for IREE's pools, as beside what it computes IREE's time is nothing.
_MOST_BYTES = 16 << 20
# Bytes of arguments that it may return, as copies: IREE returns the arguments.
_MOST_RETURNED = 256 << 10
# Seconds for which a call may keep other Python threads waiting.
_SHORT = 20e-6


class DirectSteps(NamedTuple):
    """What a call is made of, for arguments of which each has its memory in the slot `memory_slot`, as a native block.

    - where an argument's slot has none, `memory_of(argument)` gives its bytes, or raises; an array of NumPy's of the
      argument's of `dtypes`, and a number, serve as well, and copies do of what is not on a multiple of 64;
    - a block of memory for each of `made`, so many bytes on a multiple of 64;
    - `run(program, regions)`, a C function of two addresses, the second that of the addresses of all arguments and then
      of all blocks; not 0 is an error, of which `fail` makes an exception and raises it;
    - for each of `results` (block, offset, spec) memory at that offset in the block, of as many bytes as the spec says;
    - its storage: a new `storage_type` with `storage_slot` set to the memory, and nothing else;
    - its buffer: a new `buffer_type` with `buffer_slots` set to the spec, the storage and the memory, and nothing else.

    `run` takes so long that other threads of Python's should run meanwhile, unless it is `short`. `owners` live as long
    as these steps.
    """

    run: int
    program: int
    memory_slot: Any
    memory_of: Callable[[Buffer], np.ndarray[Any, Any]]
    made: tuple[int, ...]
    results: tuple[tuple[int, int, ArraySpec], ...]
    fail: Callable[[Exception], NoReturn]
    storage_type: type[BufferStorage]
    storage_slot: Any
    buffer_type: type[Buffer]
    buffer_slots: tuple[Any, Any, Any]
    dtypes: tuple[np.dtype[Any], ...]
    short: bool
    owners: tuple[Any, ...]


def memory_of(buffer: Buffer) -> np.ndarray[Any, Any]:
    """A buffer's bytes, wherever they begin. Raises `DeletedBufferError`."""
    storage = buffer._live()
    # Not by `host_array`: nobody else is to see the memory, which a call to which the buffer is donated may overwrite.
    if isinstance(storage, ViewStorage):
        return _bytes_of(storage.view)
    return storage.host_array(buffer.shape, buffer.dtype).reshape(-1).view(np.uint8)


def _bytes_of(view: Any) -> np.ndarray[Any, Any]:
    return view.map().asarray((view.byte_length,), np.dtype(np.uint8))


class Watch:
    """One call on IREE, that is watched: `with Watch() as watch:` around it, then `steps`."""

    def __enter__(self) -> Watch:
        self._recording = Recording()
        self._begin = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self._seconds = time.perf_counter() - self._begin
        self._recording.end()

    def steps(
        self,
        plan: Plan,
        arguments: Sequence[Buffer],
        results: Sequence[Buffer],
        view_of: Callable[[Buffer], Any],
        threads: int,
        fail: Callable[[Exception], NoReturn],
        owner: Any,
    ) -> DirectSteps | None:
        """How native callers do what was watched, by so many threads: if it was what the plan says, and is worth it.

        `owner` has the kernels.
        """
        made = (*plan.made, *[arguments[index].nbytes for index in plan.copied])
        returned = {place.number for place in plan.results if place.region == "argument"}
        if not results or sum(made) > _MOST_BYTES or any(array.size == 0 for array in (*arguments, *results)):
            return None
        if sum(arguments[index].nbytes for index in returned) > _MOST_RETURNED:
            return None
        memory = [_bytes_of(view_of(array)) for array in (*arguments, *results)]
        bases = _bases(plan, memory[: len(arguments)], memory[len(arguments) :], self._recording.dispatches())
        if bases is None:
            _log.debug("a call is not what its plan says: calls stay on IREE")
            return None
        copied = {argument: len(plan.made) + index for index, argument in enumerate(plan.copied)}
        program = self._recording.program(_words(plan, bases, copied, arguments), threads)
        if program is None:
            return None
        blocks = [place.number if place.region == "made" else copied[place.number] for place in plan.results]
        return DirectSteps(
            run=Program.run_address(),
            program=program.address,
            memory_slot=Buffer._memory,
            memory_of=memory_of,
            made=made,
            results=tuple(
                [
                    (block, place.offset, result.spec)
                    for block, place, result in zip(blocks, plan.results, results, strict=True)
                ]
            ),
            fail=fail,
            storage_type=BufferStorage,
            storage_slot=BufferStorage.memory,
            buffer_type=type(results[0]),
            buffer_slots=(Buffer.spec, Buffer._storage, Buffer._memory),
            dtypes=tuple([array.dtype for array in arguments]),
            short=self._seconds < _SHORT,
            owners=(program, owner),
        )


def _bases(
    plan: Plan,
    arguments: Sequence[np.ndarray[Any, Any]],
    results: Sequence[np.ndarray[Any, Any]],
    dispatches: Sequence[Sequence[tuple[int, int]]],
) -> dict[tuple[Region, int], int] | None:
    """Where all memory of a call began, of which `dispatches` had pieces; `None` if the call was another."""
    sizes: dict[tuple[Region, int], int] = {("argument", i): array.nbytes for i, array in enumerate(arguments)}
    sizes |= {("made", i): size for i, size in enumerate(plan.made)}
    pieces = [piece for step in plan.steps for piece in step.pieces]
    pieces += [Piece(*place, array.nbytes) for place, array in zip(plan.results, results, strict=True)]
    for piece in pieces:
        size = 2**64 if piece.region == "constant" else sizes.get((piece.region, piece.number), -1)
        if piece.offset + piece.length > size:
            return None
    given = [step.pieces for step in plan.steps if step.kind == "dispatch"]
    if [len(pieces) for pieces in given] != [len(bindings) for bindings in dispatches]:
        return None
    given.append(tuple([Piece("argument", i, 0, array.nbytes) for i, array in enumerate(arguments)]))
    given.append(tuple(pieces[len(pieces) - len(results) :]))
    found = [*dispatches, *([(array.ctypes.data, array.nbytes) for array in arrays] for arrays in (arguments, results))]
    bases: dict[tuple[Region, int], int] = {}
    for piece, (place, length) in zip(chain(*given), chain(*found), strict=True):
        base = place - piece.offset
        if length != piece.length or bases.setdefault((piece.region, piece.number), base) != base:
            return None
    # What only copies read, nobody has said where it is.
    return bases if all(piece[:2] in bases for piece in pieces if piece.region == "constant") else None


def _words(
    plan: Plan, bases: Mapping[tuple[Region, int], int], copied: Mapping[int, int], arguments: Sequence[Buffer]
) -> list[int]:
    """The steps of a program as `program.cpp` reads them.

    Its regions are the arguments, then the blocks, of which those of `copied` begin as an argument.
    """
    kinds, count = ("dispatch", "copy", "fill"), len(arguments)

    def place(of: Place | Piece) -> tuple[int, int]:
        if of.region == "constant":
            return Program.FIXED, bases[of.region, of.number] + of.offset
        if of.region == "made":
            return count + of.number, of.offset
        return count + copied[of.number] if of.number in copied else of.number, of.offset

    words: list[int] = []
    for argument, block in copied.items():
        words += kinds.index("copy"), argument, 0, count + block, 0, arguments[argument].nbytes
    for step in plan.steps:
        words.append(kinds.index(step.kind))
        if step.kind == "dispatch":
            words.append(len(step.pieces))
        words += chain(*map(place, step.pieces))
        if step.kind != "dispatch":
            words.append(step.pieces[-1].length)
        if step.kind == "fill":
            words += step.value, step.width
    return words
