"""The command line, `wax` or `python -m wax`: docs/cli.md. This module reads it, and turns faults into exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

__all__ = ["main"]

#: What a build system may tell apart.
DONE, REFUSED, USAGE, FILE, DEVICE = 0, 1, 2, 3, 4


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wax",
        description="Compiles functions of arrays to files, and runs them. docs/cli.md has all of it.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, function: str, help: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help, description=help)
        made.set_defaults(function=function)
        return made

    def of_function(made: argparse.ArgumentParser, what: str) -> None:
        made.add_argument("source", help=what)
        made.add_argument("--spec", action="append", default=[], help="an argument, such as f32[batch,384]; repeat")
        made.add_argument("--dim", action="append", default=[], help="bounds of a dim, such as length=2:512; repeat")

    made = command("devices", "devices", "what programs can run on here, the preferred first")
    made.add_argument("--json", action="store_true", help="as JSON")

    made = command("compile", "compile_", "a function, or a .mlir file, to a file")
    of_function(made, "module:function, file.py:function, or a .mlir file")
    made.add_argument("--target", action="append", help="what to compile for (cpu), such as cuda:sm_80; repeat")
    made.add_argument("-o", "--output", required=True, help="the file: .vmfb, or .mlir for its text")
    made.add_argument(
        "--dialect", default="linalg", help="of a .mlir: linalg (the default), wax, or what a backend writes"
    )
    made.add_argument("--backend", help="which one compiles (the first that can)")
    made.add_argument("--level", type=int, choices=range(4), default=3, help="of optimization (3)")
    made.add_argument("--flag", action="append", default=[], help="for the backend's compiler; repeat")
    made.add_argument("--depfile", help="a file for make or ninja, with the sources that it was made of")

    made = command("emit", "emit", "a function as MLIR text")
    of_function(made, "module:function, or file.py:function")
    made.add_argument("--dialect", default="wax", help="wax (the default), linalg, or one that a backend writes")
    made.add_argument("--debug-info", action="store_true", help="with source locations")
    made.add_argument("-o", "--output", help="a file (standard output)")

    made = command("run", "run", "a saved program, once")
    made.add_argument("file", help="what wax compile, or wax.export, made")
    made.add_argument("--input", action="append", default=[], help="a .npy file, or f32[2,3]=1.5; repeat")
    made.add_argument("--output", action="append", help="a .npy file for each result (they are printed)")
    made.add_argument("--device", help="such as vulkan:0 (the best it was compiled for)")
    made.add_argument("--backend", help="which one compiles a .mlir")
    made.add_argument("--weights", help="a file to take the weights from instead")
    made.add_argument("--repeat", type=int, default=1, help="calls to make, and time")

    made = command("inspect", "inspect", "what a saved program takes and gives, and how it was made")
    made.add_argument("file")
    made.add_argument("--json", action="store_true", help="as JSON")

    made = command("opt", "opt", "passes over MLIR text")
    made.add_argument("file", help="- is standard input")
    made.add_argument("--passes", action="append", help="a pipeline, in MLIR's notation (wax-to-linalg); repeat")
    made.add_argument("--debug-info", action="store_true", help="with source locations")
    made.add_argument("-o", "--output", help="a file (standard output)")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code. Never raises for what a user may do wrong."""
    try:
        given = _parser().parse_args(argv)
    except SystemExit as end:  # argparse has told why
        return int(end.code or 0)
    # Only now: `wax --help` needs none of it.
    from wax import _native
    from wax.cli import commands, console
    from wax.cli.arguments import UsageError, UserError
    from wax.errors import BackendError, DeviceError, LoadError, WaxError

    try:
        getattr(commands, given.function)(given)
        sys.stdout.flush()
        return DONE
    except UsageError as error:
        console.error(str(error))
        return USAGE
    except UserError as error:
        console.error(str(error), error.location)
        return REFUSED
    except WaxError as error:
        console.error(error.message, error.location)
        if isinstance(error, LoadError):
            return FILE
        return DEVICE if isinstance(error, DeviceError | BackendError) else REFUSED
    except (_native.DialectError, _native.PassError) as error:
        console.error(str(error.args[0]))
        return REFUSED
    except BrokenPipeError:  # whoever read the output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        console.error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return FILE
    except UnicodeDecodeError as error:
        console.error(str(error))
        return FILE
    except KeyboardInterrupt:
        return 130
