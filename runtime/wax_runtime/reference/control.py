"""Calls and structured control flow: blocks are run on the frame of the function they stand in."""

from __future__ import annotations

from wax_runtime.errors import CheckError
from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.sizes import Frame
from wax_runtime.snapshot import Operation

__all__ = ["assert_", "call", "checkpoint", "for_", "if_", "while_"]


def call(operation: Operation, scope: Scope) -> Step:
    """`func.call`: the callee is built once, whoever calls it."""
    name = operation.attributes["callee"]
    assert isinstance(name, str)
    callee = scope.callee(name.removeprefix("@"))
    operands, results = operation.operands, operation.results

    def step(frame: Frame) -> None:
        for result, value in zip(results, callee([frame[v] for v in operands]), strict=True):
            frame[result] = value

    return step


def assert_(operation: Operation, scope: Scope) -> Step:
    """`cf.assert`: what must hold. Raises `CheckError` with its message."""
    (condition,) = operation.operands
    message, place = str(operation.attributes["msg"]), operation.location
    location = None if place is None else (place.file, place.line, place.column)

    def step(frame: Frame) -> None:
        if not frame[condition]:
            raise CheckError(message, location=location)

    return step


def checkpoint(operation: Operation, scope: Scope) -> Step:
    """`wax.checkpoint`: what is remembered was settled by whoever differentiated it."""
    (region,) = operation.regions
    body, results = scope.block(region), operation.results

    def step(frame: Frame) -> None:
        _assign(frame, region.arguments, operation.operands)
        body(frame)
        _assign(frame, results, region.results)

    return step


def if_(operation: Operation, scope: Scope) -> Step:
    """`scf.if`: the condition picks a region; a missing one does nothing."""
    (condition,) = operation.operands
    results = operation.results
    branches = [(scope.block(region), region.results) for region in operation.regions]
    while len(branches) < 2:
        branches.append((_nothing, ()))
    (then, then_results), (otherwise, else_results) = branches

    def step(frame: Frame) -> None:
        run, values = (then, then_results) if frame[condition] else (otherwise, else_results)
        run(frame)
        _assign(frame, results, values)

    return step


def for_(operation: Operation, scope: Scope) -> Step:
    """`scf.for`: a counted loop that carries values."""
    low, high, by, *starts = operation.operands
    (region,) = operation.regions
    counter, *carried = region.arguments
    body, results = scope.block(region), operation.results

    def step(frame: Frame) -> None:
        state = [frame[v] for v in starts]
        for count in range(frame[low], frame[high], frame[by]):
            frame[counter] = count
            for value, part in zip(carried, state, strict=True):
                frame[value] = part
            body(frame)
            state = [frame[v] for v in region.results]
        for value, part in zip(results, state, strict=True):
            frame[value] = part

    return step


def while_(operation: Operation, scope: Scope) -> Step:
    """`scf.while`: the first region yields a condition and what it passes on, the second what comes next."""
    before, after = operation.regions
    test, body, results = scope.block(before), scope.block(after), operation.results
    condition, *passed = before.results

    def step(frame: Frame) -> None:
        _assign(frame, before.arguments, operation.operands)
        while True:
            test(frame)
            if not frame[condition]:
                break
            _assign(frame, after.arguments, passed)
            body(frame)
            _assign(frame, before.arguments, after.results)
        _assign(frame, results, passed)

    return step


def _assign(frame: Frame, targets: tuple[int, ...], sources: tuple[int, ...] | list[int]) -> None:
    # All are read before one is written: a loop may swap its values.
    for target, value in zip(targets, [frame[v] for v in sources], strict=True):
        frame[target] = value


def _nothing(frame: Frame) -> None:
    """The step of a region that is not there."""
