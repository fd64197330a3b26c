"""Machine code for CPUs, of functions of executables.

There where wax was built for x86-64. It holds LLVM's code generation, so that it is imported when something is
compiled. Nothing is kept between calls, and calls from several threads do not wait for each other.
"""

def emit(
    text: str, prefix: str, triple: str, processor: str, features: str
) -> tuple[bytes | None, dict[str, int | None], str]:
    """An object file of functions of executables (`wax-outline-dispatches`), each named `prefix` and as it is.

    `processor` and `features` are LLVM's words; those that it does not know are left out.

    Returns the file; how many workgroups each function is for, `None` where that is what they are told; and why there
    is no file, if there is none: the text does not parse, more memory than a stack has is needed, something is called.
    """

def emit_library(
    kernels: list[tuple[str, int, int]], prefix: str, query: str, triple: str, processor: str, features: str
) -> bytes:
    """An object file with the function `query`, by which IREE's runtime asks for a program's kernels: these, in order.

    Each is a function that `emit` made, by its name without `prefix`, and how many words and tensors it is given.
    Raises `ValueError` where LLVM does not know the machine.
    """

def host() -> tuple[str, str, str]:
    """This machine, as IREE names it for programs that need nothing of a system: triple, processor and features."""
