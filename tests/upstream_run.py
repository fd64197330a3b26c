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
    # A result of several is `%1#0`; what IREE declares is `#iree_linalg_ext.…`.
    renamed = [re.sub(r"(?<!\w)#(\w+)(?!\w|\.)", rf"#\1_{name}", text) for name, text in texts.items()]
    aliases = [line for text in renamed for line in text.splitlines() if line.startswith("#")]
    bodies = [text[text.index("{\n", text.index("module")) + 2 : text.rindex("}")] for text in renamed]
    return "\n".join([*aliases, "module {", *bodies, "}", ""])


def load(text: str, signatures: Mapping[str, Function]) -> dict[str, Callable[..., list[np.ndarray]]]:
    """The functions of a module in the upstream form, by name; snapshots of the wax functions tell their types.

    Raises:
        RuntimeError: One of the tools refuses the module.
    """
    pipeline = mlir_tools.TO_LLVM.replace("builtin.module(", "builtin.module(func.func(llvm-request-c-wrappers),", 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "program.mlir").write_text(text)
        support = next(one for one in mlir_tools.runner_libraries() if "c_runner" in one.name)
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
                support,
                f"-Wl,-rpath,{support.parent}",
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
    return {name: functools.partial(_call, library[f"_mlir_ciface_{name}"], one) for name, one in signatures.items()}


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


def _call(entry: Any, function: Function, arrays: Sequence[Any]) -> list[np.ndarray]:
    """Runs it. Arguments are copied, as bufferization may write into them."""
    held = [np.array(x, order="C", copy=True) for x in arrays]
    kinds = [function.types[value] for value in function.results]
    fields = [(f"result{i}", _descriptor(len(kind.shape))) for i, kind in enumerate(kinds)]
    results = type("Results", (ctypes.Structure,), {"_fields_": fields})()
    entry.restype = None
    entry(ctypes.byref(results), *(ctypes.byref(_describe(x)) for x in held))
    return [_fetch(getattr(results, name), kind) for (name, _), kind in zip(fields, kinds, strict=True)]
