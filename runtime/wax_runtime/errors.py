"""The errors of wax: every one that a user may meet derives from `WaxError`.

A class's docstring is its documentation page: what went wrong, and the corrected code. The frontend adds
its own classes (tracing, shapes, static arguments) beside these and re-exports all of them as `wax.errors`.
This module is not for internal invariants: those are assertions.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

__all__ = [
    "ArgumentError",
    "BackendError",
    "CheckError",
    "CompileError",
    "DTypeError",
    "DeletedBufferError",
    "DeviceError",
    "LoadError",
    "Location",
    "SettingError",
    "WaxError",
]


class Location(NamedTuple):
    """A place in the user's source: file, line and column (both from 1; column 0 when unknown)."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


class WaxError(Exception):
    """The base of every error that wax raises on purpose.

    Catch it to catch them all::

        try:
            model(x)
        except wax.errors.WaxError as error:
            print(error.location, error.message)

    `location` is the user's own line that caused the error, when there is one; `str(error)` begins with it.
    """

    def __init__(self, message: str, *, location: Location | tuple[str, int, int] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location: Location | None = None if location is None else Location(*location)

    def __str__(self) -> str:
        return self.message if self.location is None else f"{self.location}: {self.message}"


class SettingError(WaxError, ValueError):
    """An environment variable that wax reads has a value that it cannot use; the message names the variable.

    For example::

        WAX_DUMP_IR=/proc/stages python train.py         # SettingError: nothing can be written there
        WAX_DUMP_IR=/tmp/stages python train.py          # corrected
    """


class DTypeError(WaxError, TypeError):
    """A dtype that wax has no arrays of, such as strings, dates, objects or float128.

    Convert first::

        wax_runtime.asbuffer(np.array(["1", "2"]).astype(np.float32))
    """


class DeviceError(WaxError):
    """A device was named that no installed backend can drive now, or arrays of different devices were mixed.

    `wax_runtime.devices()` lists what can be used::

        wax_runtime.devices()                      # (Device('cpu', 0),)
        wax_runtime.device("cpu:0")

    wax never moves to another device silently when you named one.
    """


class BackendError(WaxError):
    """A backend was named that is not installed, or that cannot do what was asked of it.

    `wax_runtime.registry.backends()` lists the backends that were found. A backend in a package of its own
    appears there once that package is installed; one that failed to load is reported in the log::

        logging.getLogger("wax.backends").setLevel(logging.INFO)

    Saved programs need the loader half only; to compile, install the compiler half too (`pip install wax`).
    """


class CompileError(WaxError):
    """The backend's compiler refused a program that wax gave it.

    This is a fault of wax or of the compiler below it, seldom of your program. The program and the exact
    command that shows the failure again were written to `reproducer`, a directory: please attach it to a
    report. Meanwhile another backend can run the function::

        wax.jit(f, backend="reference")

    `diagnostics` are the compiler's messages; `location` is the line of yours they point to, where known.
    """

    def __init__(
        self,
        message: str,
        *,
        location: Location | tuple[str, int, int] | None = None,
        reproducer: Path | None = None,
        diagnostics: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, location=location)
        self.reproducer = reproducer
        self.diagnostics = diagnostics


class LoadError(WaxError):
    """A compiled program cannot be loaded: a damaged, truncated or foreign file, or one for another device or version.

    A `.vmfb` runs with the release of `iree-base-runtime` that its compiler belongs to, on the CPU features
    it was compiled for. Compile it again on (or for) the machine that runs it::

        wax_runtime.files.load("model.vmfb")       # LoadError: … compiled by 3.12.0, this is 3.13.0
    """


class ArgumentError(WaxError, TypeError):
    """A compiled function was called with a wrong number of arguments, a wrong shape, dtype or device.

    The message names the argument, what it must be, and what it was. Convert the argument, or compile the
    function for these shapes; symbolic dims such as `"b"` accept every size within their facts::

        f(x.astype(np.float32))                    # x: float32[b, 384] was float64[8, 384]
    """


class CheckError(WaxError, RuntimeError):
    """A check that stands inside a compiled program failed while it ran.

    Such checks guard what is known only at run time: sizes that must agree, facts declared about dims. The
    message states the fact; call the function with arrays that keep it::

        f(x, y)                                    # CheckError: dim 0 of x (8) and of y (3) must agree
    """


class DeletedBufferError(WaxError):
    """An array was used after it was donated to a call or deleted.

    A donated argument's memory belongs to the call. Use the result instead, or do not donate::

        x = step(x)                                # with donate_argnums=0: go on with the new x
    """
