"""One compilation, for who looks on: its stages go to files and a line to the log, where somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wax import _native
from wax._compile_log import log_compilation
from wax._dump import Dump, dump_for
from wax._spans import Span, collected
from wax._tracing import TracedFunction
from wax_runtime.backend import Artefact, Backend, Form, Program

__all__ = ["Observed", "observed"]


@contextmanager
def observed(function: TracedFunction, cause: str) -> Iterator[Observed]:
    """A compilation of a function, for a cause, which begins here. Raises `SettingError`."""
    with collected() as spans:
        yield Observed(function, cause, dump_for(function.name), spans)


class Observed:
    """A compilation that is under way. Made by `observed`."""

    def __init__(self, function: TracedFunction, cause: str, dump: Dump | None, spans: list[Span]) -> None:
        self._function, self._cause, self._dump, self._spans = function, cause, dump, spans
        if dump is not None:
            dump.write("wax", _text(function))

    def program(
        self, backend: Backend, function: TracedFunction, program: Callable[[Form], Program]
    ) -> Callable[[Form], Program]:
        """`program`: the function as a backend takes it, in the form that it asks for."""
        if self._dump is None:
            return program
        if function is not self._function:
            self._dump.write(f"wax-{backend.name}", _text(function))
        return self._dump.watching(backend, program)

    def done(self, artefact: Artefact, where: str) -> None:
        """Notes what was made, for which device or targets."""
        function = self._function
        line = log_compilation(artefact, function.location, self._cause, where, function.seconds, self._spans)
        if self._dump is not None:
            self._dump.finish(artefact, line)


def _text(function: TracedFunction) -> str:
    return _native.make_module(function.function).text()
