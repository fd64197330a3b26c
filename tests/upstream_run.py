"""Lowered text turned into machine code by MLIR's and LLVM's own tools, and called with NumPy arrays.

The judge of the upstream target: `mlir-opt` takes a module to LLVM's dialect, `llc` makes an object of it, and calls
go through MLIR's C interface. A violated `cf.assert` ends the process, and results are never freed: long runs
belong in processes of their own.
"""

from __future__ import annotations

import ctypes
import functools
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import mlir_tools
import numpy as np
from scalar_judges import DTYPES

from wax_runtime.snapshot import Function, TensorType

__all__ = ["join", "load"]


def join(texts: dict[str, str]) -> str:
    """One module of many, each of one function that bears its key's name; attribute aliases are kept apart."""
    # Neither the results of one operation, %0#1, nor attributes of a dialect, #linalg.iterator_type.
    alias = re.compile(r"(?<!\w)#(\w+)\b(?!\.)")
    renamed = [alias.sub(rf"#\1_{name}", text) for name, text in texts.items()]
    aliases = [line for text in renamed for line in text.splitlines() if line.startswith("#")]
    bodies = [text[text.index("{\n", text.index("module")) + 2 : text.rindex("}")] for text in renamed]
    return "\n".join([*aliases, "module {", *bodies, "}", ""])


def load(
    text: str, signatures: Mapping[str, Function], *, split: bool = False
) -> dict[str, Callable[..., list[np.ndarray]]]:
    """The functions of a module in the upstream form, by name; snapshots of the wax functions tell their types.

    Of a module whose complex numbers are split, the functions take and give whole numbers all the same.

    Raises:
        RuntimeError: One of the tools refuses the module.
    """
    pipeline = mlir_tools.TO_LLVM.replace("builtin.module(", "builtin.module(func.func(llvm-request-c-wrappers),", 1)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work)
        (path / "program.mlir").write_text(text)
        folder = mlir_tools.llvm_prefix() / "lib"
        # Memory for MLIR's bufferization, and roundings to bfloat16 that GCC's own library lacks before 13.
        support = [folder / f"libmlir_{name}.so" for name in ("c_runner_utils", "float16_utils")]
        steps: list[list[Any]] = [
            [mlir_tools.llvm_tool("mlir-opt"), f"--pass-pipeline={pipeline}", "program.mlir", "-o", "llvm.mlir"],
            [mlir_tools.llvm_tool("mlir-translate"), "--mlir-to-llvmir", "llvm.mlir", "-o", "program.ll"],
            [
                mlir_tools.llvm_tool("llc"),
                "-O1",
                "-filetype=obj",
                "-relocation-model=pic",
                "program.ll",
                "-o",
                "program.o",
            ],
            [
                "gcc",
                "-shared",
                "program.o",
                *support,
                f"-Wl,-rpath,{folder}",
                "-lm",
                "-lgcc",
                "-o",
                "program.so",
            ],
        ]
        for step in steps:
            done = subprocess.run(step, cwd=path, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"{Path(step[0]).name}: {done.stderr[:2000]}")
        library = ctypes.CDLL(str(path / "program.so"))
    call = _call_split if split else _call
    return {
        name: functools.partial(
            call, library[f"_mlir_ciface_{name}"], [function.types[value] for value in function.results]
        )
        for name, function in signatures.items()
    }


@functools.cache
def _descriptor(rank: int) -> type[ctypes.Structure]:
    """MLIR's ranked memref descriptor."""
    fields: list[tuple[str, Any]] = [
        ("base", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
    ]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"Memref{rank}", (ctypes.Structure,), {"_fields_": fields})


def _describe(array: np.ndarray) -> ctypes.Structure:
    strides = [stride // array.itemsize for stride in array.strides]
    memref = _descriptor(array.ndim)(array.ctypes.data, array.ctypes.data, 0)
    for dim, (size, stride) in enumerate(zip(array.shape, strides, strict=True)):
        memref.sizes[dim], memref.strides[dim] = size, stride
    return memref


def _fetch(memref: Any, kind: TensorType) -> np.ndarray:
    rank = len(kind.shape)
    dtype = DTYPES[kind.element]
    shape = tuple(memref.sizes) if rank else ()
    if 0 in shape:
        return np.empty(shape, dtype)
    strides = tuple(stride * dtype.itemsize for stride in memref.strides) if rank else ()
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    start = memref.aligned + memref.offset * dtype.itemsize
    memory = np.frombuffer((ctypes.c_char * (last + dtype.itemsize)).from_address(start), np.uint8)
    return np.ndarray(shape, dtype, memory, strides=strides).copy()


def _call(entry: Any, kinds: Sequence[TensorType], arrays: Sequence[Any]) -> list[np.ndarray]:
    """Runs it. Arguments are copied, as bufferization may write into them."""
    held = [np.array(x, order="C", copy=True) for x in arrays]
    fields = [(f"result{i}", _descriptor(len(kind.shape))) for i, kind in enumerate(kinds)]
    results = type("Results", (ctypes.Structure,), {"_fields_": fields})()
    entry.restype = None
    entry(ctypes.byref(results), *(ctypes.byref(_describe(x)) for x in held))
    return [_fetch(getattr(results, name), kind) for (name, _), kind in zip(fields, kinds, strict=True)]


def _call_split(entry: Any, kinds: Sequence[TensorType], arrays: Sequence[Any]) -> list[np.ndarray]:
    parts = [part for x in arrays for part in ((x.real, x.imag) if np.iscomplexobj(x) else (x,))]
    elements = [re.findall(r"complex<(\w+)>", kind.element) * 2 or [kind.element] for kind in kinds]
    part_kinds = [TensorType(kind.shape, one) for kind, own in zip(kinds, elements, strict=True) for one in own]
    results = iter(_call(entry, part_kinds, parts))
    return [_join(*(next(results) for _ in own)) for own in elements]


def _join(real: np.ndarray, imaginary: np.ndarray | None = None) -> np.ndarray:
    """Not by a sum, in which infinities make NaNs."""
    if imaginary is None:
        return real
    whole = np.empty(real.shape, np.result_type(real.dtype, np.complex64))
    whole.real, whole.imag = real, imaginary
    return whole
