"""wax's runtime: arrays, devices, the backend protocol, and saved programs. It imports no compiler.

`Buffer` is an array value without operations; `wax.Array` in the frontend puts the array API on it.
"""

from wax_runtime import errors
from wax_runtime.backend import Artefact, Backend, CompileOptions, Compiler, Executable, Program
from wax_runtime.buffer import Buffer, asbuffer, from_dlpack
from wax_runtime.devices import CPU, Device, default_device, device, devices
from wax_runtime.files import LoadedFunction, load, save
from wax_runtime.signature import ArgumentSpec, Signature, SymbolFact
from wax_runtime.spec import ArraySpec, spec
from wax_runtime.storage import HostStorage, Storage

__all__ = [
    "CPU",
    "ArgumentSpec",
    "ArraySpec",
    "Artefact",
    "Backend",
    "Buffer",
    "CompileOptions",
    "Compiler",
    "Device",
    "Executable",
    "HostStorage",
    "LoadedFunction",
    "Program",
    "Signature",
    "Storage",
    "SymbolFact",
    "asbuffer",
    "default_device",
    "device",
    "devices",
    "errors",
    "from_dlpack",
    "load",
    "save",
    "spec",
]
