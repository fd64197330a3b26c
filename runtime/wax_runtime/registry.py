"""Which backends there are: those of the entry point group `wax.backends`, and those registered by hand.

A plug-in that fails to load is logged and left out; it never breaks `import wax`.
"""

from __future__ import annotations

import importlib
import logging
import threading
from importlib.metadata import entry_points

from wax_runtime.backend import Backend
from wax_runtime.errors import BackendError

__all__ = ["GROUP", "backends", "get", "register"]

GROUP = "wax.backends"

# What this repository brings, for a source tree that is on the path without being installed.
_BUILT_IN = {
    "iree": "wax_runtime.iree.backend:backend",
    "reference": "wax_runtime.reference.backend:backend",
}

_log = logging.getLogger(GROUP)
_lock = threading.RLock()
_registered: dict[str, Backend] = {}
_failed: dict[str, str] = {}
_discovered = False


def register(backend: Backend) -> None:
    """Add a backend, or replace the one of its name."""
    with _lock:
        _registered[backend.name] = backend


def _load(name: str, path: str) -> None:
    module, _, attribute = path.partition(":")
    # Whatever an outside plug-in raises on import is its own fault and must stay its own: hence Exception.
    try:
        backend = getattr(importlib.import_module(module), attribute)
        if not isinstance(backend, Backend):
            raise BackendError(f"{path} is not a wax_runtime.backend.Backend")
    except Exception as error:  # noqa: BLE001
        _failed[name] = f"{type(error).__name__}: {error}"
        _log.warning("backend %r (%s) failed to load and is left out: %s", name, path, _failed[name])
        _log.debug("the failure of backend %r in full", name, exc_info=True)
        return
    _registered.setdefault(name, backend)


def _discover() -> None:
    global _discovered
    with _lock:
        if _discovered:
            return
        _discovered = True
        found = {e.name: e.value for e in entry_points(group=GROUP)}
        for name, path in {**_BUILT_IN, **found}.items():
            if name not in _registered:
                _load(name, path)


def backends() -> tuple[Backend, ...]:
    """All backends that loaded, by falling priority."""
    _discover()
    with _lock:
        return tuple(sorted(_registered.values(), key=lambda b: (-b.priority, b.name)))


def get(name: str) -> Backend:
    """The backend of this name. Raises `BackendError` with the names there are, and why one failed to load."""
    _discover()
    with _lock:
        if name in _registered:
            return _registered[name]
        reason = f" failed to load: {_failed[name]}" if name in _failed else " is not installed"
        raise BackendError(f"backend {name!r}{reason}; there are: {', '.join(sorted(_registered)) or 'none'}")
