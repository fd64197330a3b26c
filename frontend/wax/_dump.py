"""`WAX_DUMP_IR=folder`: what each program is at each stage of its compilation, in files.

Each compiled program has a folder in that folder, numbered and named by the function. In it are its stages, numbered
in order, each written before what follows is begun: the last of them is what a compiler was given that crashed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from wax_runtime import files
from wax_runtime.backend import Artefact, Backend, Emitter, Form, Program, compiler_of
from wax_runtime.errors import BackendError, SettingError

__all__ = ["Dump", "dump_for"]


def dump_for(name: str) -> Dump | None:
    """Where the stages of a function that is compiled now are written; `None` where nobody asks for them.

    Raises `SettingError` for a `WAX_DUMP_IR` that cannot be written to.
    """
    root = os.environ.get("WAX_DUMP_IR")
    return Dump(Path(root), name) if root else None


class Dump:
    """The folder of one program. Raises `SettingError` where nothing can be written."""

    def __init__(self, root: Path, name: str) -> None:
        self._root = root
        self._stages = 0
        safe = re.sub(r"\W+", "_", name)[:40]
        try:
            root.mkdir(parents=True, exist_ok=True)
            self.folder = self._new_folder(safe)
        except OSError as error:
            raise self._refused(error) from error

    def _new_folder(self, name: str) -> Path:
        number = sum(1 for _ in self._root.iterdir())
        while True:  # other threads and processes number theirs too
            number += 1
            folder = self._root / f"{number:04d}-{name}"
            if not any(self._root.glob(f"{number:04d}-*")):
                try:
                    folder.mkdir()
                except FileExistsError:
                    continue
                return folder

    def _refused(self, error: OSError) -> SettingError:
        return SettingError(
            f"WAX_DUMP_IR is {str(self._root)!r}, where nothing can be written ({error.strerror or error}); "
            f"name a folder that can be written to, or unset it"
        )

    def write(self, stage: str, text: str) -> None:
        """Writes the next stage. Raises `SettingError`."""
        try:
            (self.folder / f"{self._stages}-{stage}.mlir").write_text(text)
        except OSError as error:
            raise self._refused(error) from error
        self._stages += 1

    def watching(self, backend: Backend, of: Callable[[Form], Program]) -> Callable[[Form], Program]:
        """`of`, which gives a program in the form that a backend asks for, writing what it gives."""

        def form_of(form: Form) -> Program:
            made = of(form)
            if form != "snapshot":
                self.write(form, made.linalg())
            self._emit(backend, of)
            return made

        return form_of

    def _emit(self, backend: Backend, of: Callable[[Form], Program]) -> None:
        """The dialects that a backend writes itself."""
        try:
            half = compiler_of(backend)
            if isinstance(half, Emitter):
                for dialect in half.dialects:
                    self.write(dialect, half.emit(of("snapshot"), dialect))
        except BackendError:
            return  # it has no compiler here, or cannot say the program; compiling it tells that

    def finish(self, artefact: Artefact, about: str) -> None:
        """Writes what was made of it, and the line that the log has. Raises `SettingError`."""
        try:
            (self.folder / "about.txt").write_text("\n".join((about, "", *artefact.flags, "")))
            files.save(artefact, self.folder / f"{self._stages}-{artefact.backend}.{artefact.format}")
        except OSError as error:
            raise self._refused(error) from error
        except BackendError:
            return  # its programs cannot be saved
