"""Tracing a Python function on scalars into a kernel, and remembering what was traced.

A kernel depends on the function, on the dtype and weakness of each operand, and on the numbers embedded in it.
Functions of wax are the same function at every call, so their kernels are kept; a user's function may read
variables that have changed, so it is traced at every call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from wax import _native, dtypes
from wax.dtypes import Carried, DType
from wax.errors import KernelError
from wax.scalars.conversion import cast, lift, settle
from wax.scalars.scalar import KernelTrace, Number, Scalar, apart

__all__ = ["KernelSpec", "Spec", "cast_kernel", "clear_kernels", "trace_kernel"]

#: An operand of a kernel: its dtype and weakness if it is a tensor's element, or a number that is embedded.
Spec: TypeAlias = "Carried | Number | None"


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """A finished kernel, and what the native layer does not know of its results: the dtypes seen, and weakness."""

    name: str
    kernel: _native.Kernel
    dtypes: tuple[DType, ...]
    weaks: tuple[bool, ...]


_kernels: dict[Any, KernelSpec] = {}


def clear_kernels() -> None:
    """Forget every remembered kernel."""
    _kernels.clear()


def trace_kernel(
    function: Callable[..., Any],
    specs: Sequence[Spec],
    static: tuple[tuple[str, Any], ...] = (),
    *,
    name: str | None = None,
    keep: bool = True,
    as_dtypes: Sequence[DType] | None = None,
) -> KernelSpec:
    """The kernel of a Python function over operands.

    `static` are keyword arguments that select a kernel. With `keep`, kernels are remembered by function and
    operands. `as_dtypes` are the dtypes that the results must have (accumulators); results are converted to
    them only within the rules of promotion, otherwise as the function left them.

    Raises `KernelError` if the function gives something else than scalars, or captures an array.
    """
    label = name or getattr(function, "__name__", "kernel")
    if not keep:
        _check_arity(function, label, len(specs))
        return _trace(function, specs, static, label, True, as_dtypes)
    wanted = None if as_dtypes is None else tuple(as_dtypes)
    key = (function, tuple(map(_key, specs)), tuple((word, _key(value)) for word, value in static), wanted)
    found = _kernels.get(key)
    if found is None:
        found = _kernels[key] = _trace(function, specs, static, label, False, as_dtypes)
    return found


def cast_kernel(dtype: DType, weak: bool, to: DType) -> KernelSpec:
    """The kernel that converts elements of a dtype, as it is seen, to another."""
    return trace_kernel(cast, [(dtypes.carrier(dtype, weak), weak)], (("to", to),), name="astype")


def _check_arity(function: Callable[..., Any], name: str, count: int) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a function without one, of C's; the call itself will tell
        return
    try:
        signature.bind(*range(count))
    except TypeError as error:
        raise KernelError(
            f"{name}{signature} is called with {count} scalars, one an operand (and one an accumulator): {error}"
        ) from None


def _key(value: Any) -> Any:
    return apart(value) if dtypes.is_python_number(value) else value


def _trace(
    function: Callable[..., Any],
    specs: Sequence[Spec],
    static: tuple[tuple[str, Any], ...],
    name: str,
    located: bool,
    as_dtypes: Sequence[DType] | None,
) -> KernelSpec:
    elements = [spec for spec in specs if isinstance(spec, tuple)]
    kernel = KernelTrace(name, [dtype for dtype, _ in elements], located)
    numbered = iter(range(len(elements)))
    arguments = [kernel.argument(next(numbered), spec) if isinstance(spec, tuple) else spec for spec in specs]
    all_weak = all(weak for _, weak in elements)
    with kernel:
        results = function(*arguments, **dict(static))
        results = list(results) if isinstance(results, tuple | list) else [results]
        scalars = [_as_result(kernel, result, all_weak) for result in results]
        if as_dtypes is not None:
            scalars = _as_accumulators(kernel, scalars, as_dtypes)
        native = kernel.finish(scalars)
    seen = tuple(dtypes.default(scalar.carried) for scalar in scalars)
    return KernelSpec(name, native, seen, tuple(scalar.weak for scalar in scalars))


def _as_result(kernel: KernelTrace, result: Any, all_weak: bool) -> Scalar:
    if not isinstance(result, Scalar | np.generic) and not dtypes.is_python_number(result):
        raise KernelError(
            f"{kernel.name}: a kernel returns scalars, one or a tuple of them; it returned {_described(result)}"
        )
    scalar = lift(kernel, result)
    scalar.check_owner(kernel)
    return scalar if all_weak else settle(scalar)


def _as_accumulators(kernel: KernelTrace, scalars: list[Scalar], as_dtypes: Sequence[DType]) -> list[Scalar]:
    if len(scalars) != len(as_dtypes):
        raise KernelError(
            f"{kernel.name}: {len(as_dtypes)} accumulators need as many results; it returned {len(scalars)}"
        )
    for position, (scalar, dtype) in enumerate(zip(scalars, as_dtypes, strict=True)):
        if scalar.dtype != dtype and dtypes.promote(kernel.name, (scalar.carried, (dtype, False)))[0] != dtype:
            raise KernelError(
                f"{kernel.name}: result {position} is {scalar.dtype}, its accumulator is {dtype}; "
                f"start from an init of dtype {scalar.dtype}, or convert with .astype"
            )
    return [cast(scalar, dtype) for scalar, dtype in zip(scalars, as_dtypes, strict=True)]


def _described(result: Any) -> str:
    shape = getattr(result, "shape", None)
    return f"an array of shape {shape}" if shape is not None else f"a {type(result).__name__}"
