"""IREE's native runtime module, `binding`, without the Python package around it.

`iree.runtime` brings its own arrays, a benchmark runner, `subprocess` and more, whose import takes as long as that
of the native module, and of which nothing is used here. Both may live in one process: they share the module.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

__all__ = ["binding"]


def _load() -> Any:
    # The package is what reads this variable, and what knows where other versions keep the module.
    if not os.environ.get("IREE_PY_RUNTIME_FLAGS"):
        try:
            from iree._runtime.libs import _runtime
        except ImportError:
            pass
        else:
            return _runtime
    from iree.runtime import _binding

    return _binding


if TYPE_CHECKING:
    from iree.runtime import _binding as binding
else:
    binding = _load()
