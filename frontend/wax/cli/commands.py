"""The commands. Each takes what the parser read and prints its result; faults are raised."""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import sys
import sysconfig
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

import wax
import wax_runtime
from wax import _native
from wax._compile import build_file, pipeline
from wax.cli import arguments, console
from wax.cli.arguments import UsageError
from wax.errors import WaxError
from wax.export import Exported
from wax.saved import program_of_file
from wax_runtime import dtypes, files, mlir_file
from wax_runtime.backend import Artefact, CompileOptions
from wax_runtime.replacing import replacing
from wax_runtime.weights import without_weights

__all__ = ["compile_", "devices", "emit", "inspect", "opt", "run"]


def devices(given: Namespace) -> None:
    """`wax devices`."""
    found = wax.devices()
    if given.json:
        print(json.dumps([{**dataclasses.asdict(one), "name": str(one)} for one in found]))
        return
    rows = [(str(one), one.description or "-", "emulated" if one.emulated else "") for one in found]
    console.table(("device", "what it is", ""), rows)


def _exported(given: Namespace, targets: tuple[str, ...] = ("cpu",)) -> Exported:
    function = arguments.function(given.source)
    positional, named = arguments.specs(given.spec, arguments.dims(given.dim))
    options = CompileOptions(tuple(given.flag), given.level) if hasattr(given, "flag") else None
    try:
        return wax.export(function, targets=targets, backend=getattr(given, "backend", None), options=options)(
            *positional, **named
        )
    except WaxError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever a function of the user's raises
        raise arguments.user_error(f"tracing {given.source}", error) from None


def compile_(given: Namespace) -> None:
    """`wax compile`."""
    out, targets = Path(given.output), tuple(given.target or ["cpu"])
    if not out.parent.is_dir():
        raise UsageError(f"--output {out}: there is no folder {out.parent}")
    before = set(sys.modules)
    if given.source.endswith(".mlir"):
        if given.spec or given.dim:
            raise UsageError(f"{given.source} says itself what it takes; --spec and --dim are for functions")
        with console.working(f"compiling {given.source}"):
            _compile_file(given, out, targets)
    else:
        exported = _exported(given, targets)
        with console.working(f"compiling {given.source}"):
            exported.save(out, dialect=given.dialect)
    if given.depfile:
        names = [given.source] if given.source.endswith(".mlir") else _sources(set(sys.modules) - before)
        escaped = [name.replace(" ", "\\ ") for name in (str(out), *names)]
        Path(given.depfile).write_text(f"{escaped[0]}: {' '.join(escaped[1:])}\n")


def _compile_file(given: Namespace, out: Path, targets: tuple[str, ...]) -> None:
    file = mlir_file.read(given.source)
    options = CompileOptions(tuple(given.flag), given.level)
    program = program_of_file(given.source, file)
    artefact = build_file(file.signature.title, lambda _: program, targets, given.backend, options)
    saved = file.weights
    if saved is not None:
        place = os.path.relpath(Path(given.source).parent / saved.file, out.parent)
        saved = dataclasses.replace(saved, file=place)
    files.save(dataclasses.replace(artefact, versions=(*file.versions, *artefact.versions), weights=saved), out)


def _sources(modules: set[str]) -> list[str]:
    """The files of modules that are nobody's package."""
    packages = [os.path.dirname(package.__file__ or "") for package in (wax, wax_runtime)]
    installed = (*sysconfig.get_paths().values(), *packages)
    found = [getattr(sys.modules.get(name), "__file__", None) for name in modules]
    return sorted({os.path.relpath(file) for file in found if file and not file.startswith(installed)})


def emit(given: Namespace) -> None:
    """`wax emit`."""
    _write(_exported(given).as_text(given.dialect, debug_info=given.debug_info), given.output)


def opt(given: Namespace) -> None:
    """`wax opt`."""
    text = sys.stdin.read() if given.file == "-" else Path(given.file).read_text()
    module = _native.parse_module(text, "<stdin>" if given.file == "-" else given.file)
    for passes in given.passes or [pipeline("upstream")]:
        module.run(passes if passes.startswith("builtin.module(") else f"builtin.module({passes})")
    _write(module.text(debug_info=given.debug_info), given.output)


def _write(text: str, path: str | None) -> None:
    text = text if text.endswith("\n") else text + "\n"
    if path is None:
        sys.stdout.write(text)
        return
    with replacing(path) as temporary:
        temporary.write_text(text)


def run(given: Namespace) -> None:
    """`wax run`."""
    with console.working(f"loading {given.file}"):
        loaded = wax.load(given.file, device=given.device, backend=given.backend, weights_file=given.weights).flat
    wanted = loaded.signature.arguments
    inputs = [
        arguments.array(text, wanted[place].dtype if place < len(wanted) else None)
        for place, text in enumerate(given.input)
    ]
    times = []
    results: Any = None
    for _ in range(max(given.repeat, 1)):
        begin = time.perf_counter()
        results = loaded(*inputs)
        times.append(time.perf_counter() - begin)
    made: tuple[Any, ...] = results if isinstance(results, tuple) else (results,)
    if given.repeat > 1:
        first, median = times[0] * 1e3, statistics.median(times) * 1e3
        console.note(f"{given.repeat} calls on {loaded.device}: {first:.3f} ms the first, {median:.3f} ms the median")
    if given.output and len(given.output) != len(made):
        raise UsageError(f"{given.file} gives {len(made)} arrays, and {len(given.output)} files were named for them")
    for place, result in enumerate(made):
        value = np.asarray(result)
        if given.output:
            with replacing(given.output[place]) as temporary, temporary.open("wb") as file:
                np.save(file, value, allow_pickle=False)
        else:
            shape = ", ".join(map(str, value.shape))
            text = np.array2string(value, separator=", ", threshold=100)
            print(f"result {place}: {dtypes.info(value.dtype).name}[{shape}] =\n{text}")


def inspect(given: Namespace) -> None:
    """`wax inspect`."""
    found = _manifest(given.file)
    if given.json:
        print(json.dumps(found))
        return
    signature = found["signature"]
    print(f"{given.file}: {found['format']}, {found['bytes']} bytes")
    for key in ("targets", "backend", "dialect"):
        if key in found:
            print(f"{key:<10}{found[key] if isinstance(found[key], str) else ', '.join(found[key])}")
    print(f"function  {signature['name']}")
    for kind in ("arguments", "results"):
        for name, shape, dtype in signature[kind]:
            print(f"  {kind[:-1]:<10}{name + ': ' if name else ''}{dtype}[{', '.join(map(str, shape))}]")
    for name, low, high, _ in signature["symbols"]:
        print(f"  dim       {name}: from {low}" + (f" to {high}" if high is not None else ""))
    if found["weights"]:
        weights = found["weights"]
        print(f"weights   {weights['count']} arrays in {weights['file']}, SHA-256 {weights['sha256']}")
    for name, version in found["versions"].items():
        print(f"made by   {name} {version}")
    if found.get("flags"):
        print("flags     " + "\n          ".join(found["flags"]))


def _manifest(path: str) -> dict[str, Any]:
    read: mlir_file.MlirFile | Artefact
    if Path(path).suffix == ".mlir":
        read = mlir_file.read(path)
        own: dict[str, Any] = {"format": "mlir", "dialect": read.dialect}
    else:
        read = files.read(path)
        own = {"format": read.format, "backend": read.backend, "targets": read.platforms, "flags": read.flags}
    return {
        **own,
        "bytes": Path(path).stat().st_size,
        "signature": json.loads(without_weights(read.signature, read.weights).to_json()),
        "weights": None if read.weights is None else dataclasses.asdict(read.weights),
        "versions": dict(read.versions),
    }
