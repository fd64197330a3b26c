"""XLA's client for the CPU: all that is known of jaxlib stands here.

`jaxlib` alone is used, without JAX. It promises no stability, so the package asks for one release. Arrays go in and
out by DLPack; the host's memory is XLA's, so nothing is copied.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

# What XLA tells of each client it makes is nothing to users; it reads this when it is loaded.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")

from jaxlib import _jax, xla_client

from wax_runtime.buffer import Buffer
from wax_runtime.errors import CompileError

__all__ = ["Held", "compile_text", "host_array", "printed"]

_lock = threading.Lock()


@cache
def _made() -> Any:
    return xla_client.make_cpu_client()


def _client() -> Any:
    with _lock:  # one for all threads: arrays of one client are nothing to another
        return _made()


class Held:
    """What a buffer's `_handle` is where XLA has it as an array already. Nothing that another backend could take."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array


def compile_text(text: str, title: str) -> Callable[[Sequence[Buffer]], list[Held]]:
    """A function of buffers on the host for a module of StableHLO. Raises `CompileError`."""
    client = _client()
    device = client.local_devices()[0]
    options = xla_client.CompileOptions()
    try:
        program = client.compile_and_load(text.encode(), xla_client.DeviceList((device,)), options)
    except xla_client.XlaRuntimeError as error:
        message = str(error)
        raise CompileError(f"XLA could not compile {title!r}: {message[:2000]}", diagnostics=(message,)) from None
    load, execute = _jax.dlpack_managed_tensor_to_buffer, program.execute_sharded

    def given(buffer: Buffer) -> Any:
        held = getattr(buffer, "_handle", None)
        if type(held) is Held:
            return held.array
        array = load(buffer.__dlpack__(), device, None)
        buffer._handle = Held(array)
        return array

    def run(arguments: Sequence[Buffer]) -> list[Held]:
        results = execute([given(x) for x in arguments])
        return [Held(part) for (part,) in results.disassemble_into_single_device_arrays()]

    return run


#: Without CHLO, which is StableHLO's neighbour, and without what nobody reads.
_TIDY = "builtin.module(func.func(chlo-legalize-to-stablehlo,cse,trivial-dce))"


@cache
def _dialects() -> Any:
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import stablehlo

    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    stablehlo.register_stablehlo_passes()
    return registry


def printed(text: str) -> str:
    """A module as MLIR itself writes it, verified, with StableHLO for what CHLO says besides."""
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import chlo, stablehlo

    with _lock:
        registry = _dialects()
    with ir.Context() as context:
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        stablehlo.register_dialect(context)
        chlo.register_dialect(context)
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(_TIDY).run(module.operation)
        return str(module)


def host_array(held: Held) -> np.ndarray[Any, Any]:
    """The memory of a result, once it is there; nobody may write to it."""
    return np.asarray(held.array)
