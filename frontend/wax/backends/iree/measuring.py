"""Measures what IREE's compiler cuts out of a program: `python -m wax.backends.iree.measuring FILE IN_A_ROW SECONDS`.

In a process of its own, since what a dispatch does may depend on what its memory holds, which is nothing. IREE's
`iree-benchmark-module` would do, but for programs that Linux has to allow something, as AMX's registers.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from wax_runtime.iree.hal import hal_module, instance
from wax_runtime.iree.native import binding

__all__ = ["measure"]


def measure(path: Path, in_a_row: int, seconds: float) -> float:
    """Seconds of a dispatch, the average of the program's benchmarks, each for so long, in rows of so many."""
    module = binding.VmModule.copy_buffer(instance(), path.read_bytes())
    context = binding.VmContext(instance(), [hal_module("local-sync"), module])
    found = []
    for name in module.function_names:
        function = module.lookup_function(name)
        if function is None or "iree.benchmark" not in function.reflection:
            continue
        arguments = binding.VmVariantList(1)
        arguments.push_int(in_a_row)
        context.invoke(function, arguments, binding.VmVariantList(1))
        rows = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            context.invoke(function, arguments, binding.VmVariantList(1))
            rows += 1
        found.append((time.perf_counter() - start) / rows / in_a_row)
    return sum(found) / len(found)


if __name__ == "__main__":
    print(measure(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))
