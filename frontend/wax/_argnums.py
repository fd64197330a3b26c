"""Arguments that a user names by their numbers or by their names."""

from __future__ import annotations

import inspect

from wax.errors import InvalidArgumentError

__all__ = ["completed", "parameter_name"]


def completed(
    function: str, signature: inspect.Signature, what: str, numbers: tuple[int, ...], names: tuple[str, ...]
) -> tuple[frozenset[int], frozenset[str]]:
    """Argument numbers and names, each completed by the other. Raises `InvalidArgumentError` for one that is not there.

    `what` they are is the beginning of the keywords: `static` of `static_argnums` and `static_argnames`.
    """
    parameters = list(signature.parameters.values())
    variadic = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters)
    keywords = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    found_numbers, found_names = set(), set(names)
    for number in numbers:
        index = number + len(positional) if number < 0 else number
        if not 0 <= index < len(positional) and not (variadic and index >= 0):
            raise InvalidArgumentError(f"{what}_argnums of {function!r} has {number}, but it takes {signature}")
        found_numbers.add(index)
        if index < len(positional):
            found_names.add(positional[index])
    for name in names:
        if name in positional:
            found_numbers.add(positional.index(name))
        elif name not in signature.parameters and not keywords:
            raise InvalidArgumentError(f"{what}_argnames of {function!r} has {name!r}, but it takes {signature}")
    return frozenset(found_numbers), frozenset(found_names)


def parameter_name(signature: inspect.Signature, position: int) -> str:
    """What the argument at a position of a call is called."""
    parameters = list(signature.parameters.values())
    if position < len(parameters) and parameters[position].kind is not inspect.Parameter.VAR_POSITIONAL:
        return parameters[position].name
    variadic = next((p for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
    if variadic is None:
        return f"argument {position}"
    return f"{variadic.name}[{position - parameters.index(variadic)}]"
