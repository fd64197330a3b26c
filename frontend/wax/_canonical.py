"""The form in which programs are matched: by rules, by searches, and by what recognises operations."""

from __future__ import annotations

from wax import _native

__all__ = ["CANONICAL", "canonical"]

#: What programs and rules go through before they are compared: calls inlined, the basis canonical, nothing twice.
CANONICAL = "inline{default-pipeline=},wax-simplify,cse"


def canonical(function: _native.Function) -> _native.Module:
    """A function and its callees as one, in the form in which it is matched."""
    module = _native.make_module(function)
    module.run(CANONICAL)
    return module
