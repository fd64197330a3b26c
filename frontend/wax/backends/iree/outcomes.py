"""What comes of a compilation: a program, or messages."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CompilationFailed", "Compiled", "Diagnostic"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of the compiler, which begins with its location."""

    severity: str
    message: str


class CompilationFailed(Exception):
    """IREE refused a program. `hopeless`: it did not even parse, so that other flags cannot help."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], *, hopeless: bool) -> None:
        self.diagnostics = diagnostics
        self.hopeless = hopeless
        super().__init__(self.reason)

    @property
    def reason(self) -> str:
        """The first error's first line, cut where IREE goes on to print whole programs."""
        errors = [d.message for d in self.diagnostics if d.severity == "error"]
        first = errors[0].splitlines()[0] if errors else "no diagnostic was given"
        return first if len(first) <= 300 else first[:300] + " …"


@dataclass(frozen=True, slots=True)
class Compiled:
    """A `.vmfb`, and the program as it stands when its memory is placed, as IREE prints it."""

    payload: bytes
    stream: str
