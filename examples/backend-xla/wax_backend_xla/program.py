"""A whole program: a module of StableHLO for one set of argument shapes.

A function of the program is written once for each set of shapes and known indices it is called with. All
thinking about one operation is in its rule; here they are only gone through, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wax_backend_xla.rules import RULES
from wax_backend_xla.scalars import literal_element, unknown_scalars
from wax_backend_xla.scope import Known, Scope, Written
from wax_backend_xla.writer import Shape, Value, Writer
from wax_runtime import dtypes
from wax_runtime.errors import BackendError
from wax_runtime.signature import Signature
from wax_runtime.snapshot import Module, Operation

__all__ = ["check", "write"]

#: What a function is written for: types of values, and what is known of the others.
_Key = tuple[str, tuple["tuple[Shape, str] | Known", ...]]


def check(module: Module) -> None:
    """Raises `BackendError`, at the user's line, for an operation that has no rule here."""
    for function in module.functions.values():
        for operation in _walk(function.operations):
            unknown = set() if operation.name in RULES else {operation.name}
            for kernel in operation.kernels:
                unknown |= set() if kernel is None else unknown_scalars(kernel)
            if unknown:
                place = operation.location
                raise BackendError(
                    f"the xla backend has no rule for {', '.join(sorted(unknown))}",
                    location=None if place is None else (place.file, place.line, place.column),
                )


def write(module: Module, signature: Signature, shapes: Sequence[Shape]) -> str:
    """The module's text, with an entry `main` that takes and returns the signature's own dtypes.

    Raises `CheckError` for sizes that do not fit together, `BackendError` for sizes that data decides.
    """
    functions: list[str] = []
    written: dict[_Key, tuple[str, list[Value | Known]]] = {}

    def call(name: str, arguments: Sequence[Written], writer: Writer) -> Sequence[Written]:
        key = (name, tuple((x.shape, x.element) if isinstance(x, Value) else x for x in arguments))
        if key not in written:
            symbol = f"f{len(written)}_{'_'.join(name.split())}"
            written[key] = symbol, define(symbol, name, arguments)
        symbol, results = written[key]
        values = [x for x in results if isinstance(x, Value)]
        made = iter(
            writer.several(
                "func.call",
                [x for x in arguments if isinstance(x, Value)],
                [(x.shape, x.element) for x in values],
                f'callee = @"{symbol}"',
            )
        )
        return [next(made) if isinstance(x, Value) else x for x in results]

    def define(symbol: str, name: str, arguments: Sequence[Written]) -> list[Written]:
        function, writer = module.functions[name.removeprefix("@")], Writer()
        given = [writer.value(x.shape, x.element) if isinstance(x, Value) else x for x in arguments]
        scope = Scope(function, writer, dict(zip(function.arguments, given, strict=True)), call, run)
        scope.producers = {v: operation for operation in _walk(function.operations) for v in operation.results}
        run(function.operations, scope)
        results = [scope.values[value] for value in function.results]
        _close(functions, symbol, "private", writer, given, results)
        return results

    def run(operations: Sequence[Operation], scope: Scope) -> None:
        for operation in operations:
            made = RULES[operation.name](operation, scope)
            scope.values.update(zip(operation.results, made, strict=True))

    main = Writer()
    arguments = [
        main.value(shape, _border_element(want.dtype)) for want, shape in zip(signature.arguments, shapes, strict=True)
    ]
    results = call(module.entry, [argument.signless for argument in arguments], main)
    outside = []
    for result, want in zip(results, signature.results, strict=True):
        assert isinstance(result, Value), "a program's results are tensors"
        outside.append(result.bitcast(_border_element(want.dtype)))
    _close(functions, "main", "public", main, arguments, outside)
    return "module @wax {\n" + "\n".join(functions) + "\n}\n"


def _border_element(dtype: object) -> str:
    row = dtypes.info(dtype)
    return f"u{row.mlir}" if row.kind == "uint" else literal_element(row.mlir)


def _close(
    functions: list[str],
    symbol: str,
    visibility: str,
    writer: Writer,
    arguments: Sequence[Written],
    results: Sequence[Written],
) -> None:
    """Ends a function: its text, with a return."""
    writer.several("func.return", [x for x in results if isinstance(x, Value)], [])
    takes = ", ".join(f"{x.name}: {x.type}" for x in arguments if isinstance(x, Value))
    gives = ", ".join(x.type for x in results if isinstance(x, Value))
    body = "\n".join(writer.lines)
    functions.append(f'func.func {visibility} @"{symbol}"({takes}) -> ({gives}) {{\n{body}\n}}')


def _walk(operations: Sequence[Operation]) -> Iterator[Operation]:
    for operation in operations:
        yield operation
        for region in operation.regions:
            yield from _walk(region.operations)
