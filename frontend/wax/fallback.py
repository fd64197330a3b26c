"""`try_with_fallback`: a function that runs where it can, also where that shows only when it is run."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar

from wax import tree
from wax._source import strip_traceback
from wax._spans import waited
from wax._trace import is_tracing
from wax.errors import BackendError, CompileError, DeviceError, InvalidArgumentError, LoadError
from wax.jit import Jitted, jit
from wax.placement import common_device
from wax_runtime import registry
from wax_runtime.devices import Device, preferred
from wax_runtime.devices import device as find_device

__all__ = ["WithFallback", "try_with_fallback"]

_log = logging.getLogger("wax.compile")

_P = ParamSpec("_P")
_R = TypeVar("_R")


def try_with_fallback(
    function: Callable[_P, _R], devices: Sequence[str | Device] | None = None
) -> WithFallback[_P, _R]:
    """The function, jitted or not, on the first device and backend that compiles, loads and runs it.

    `jit` goes on to the next backend where a program cannot be compiled or loaded; this one goes on where its run fails
    as well, as for want of memory. The devices are those listed, in that order, or the best of each platform, CUDA,
    Vulkan, CPU. It then stays where it ran, and the log is told once, with the reason. A function of a device that was
    named, `jit(device=…)`, stays on it, and so do arrays that are not on the host. What is wrong with a call is raised
    as ever.

    >>> f = try_with_fallback(lambda x: x * 2, ["cuda", "cpu"])
    >>> float(f(ones(())))
    2.0
    """
    if devices is not None and (isinstance(devices, str | Device) or not devices):
        raise InvalidArgumentError(
            f"try_with_fallback: devices={devices!r} is no list of devices, such as ['cuda', 'cpu']"
        )
    return WithFallback(
        function if isinstance(function, Jitted) else jit(function),
        None if devices is None else tuple(map(find_device, devices)),
    )


class WithFallback(Generic[_P, _R]):
    """A function with ways out. Made by `try_with_fallback`."""

    def __init__(self, jitted: Jitted[_P, _R], devices: tuple[Device, ...] | None) -> None:
        functools.update_wrapper(self, jitted)
        self._jitted = jitted
        self._devices = devices
        self._lock = threading.Lock()
        self._chosen: dict[Device | None, Jitted[_P, _R]] = {}

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Calls the function. Raises what the first way out raised where none works."""
        if is_tracing():
            return self._jitted(*args, **kwargs)
        where = common_device(self._jitted._name, tree.flatten((args, kwargs))[0])
        chosen = self._chosen.get(where)
        if chosen is not None:
            return chosen(*args, **kwargs)
        with self._lock:
            return self._search(where, args, kwargs)

    def _search(self, where: Device | None, args: Any, kwargs: Any) -> _R:
        first: Exception | None = None
        told = ""
        for device, backend in self._ways(where):
            candidate = self._jitted.on(device, backend)
            call: Any = candidate
            try:
                result = waited(call(*args, **kwargs))
            except (BackendError, CompileError, DeviceError, LoadError) as error:
                told = told or f"{backend} on {device} could not: {error}"
                first = first or error
                continue
            if first is not None:
                _log.warning("%r runs by backend %r on %s, because %s", self._jitted._name, backend, device, told)
            self._chosen[where] = candidate
            return result
        if first is None:
            named = "" if self._devices is None else f" {', '.join(map(str, self._devices))}"
            raise DeviceError(f"{self._jitted._name}: no backend drives any of the devices{named} now")
        strip_traceback(first)
        raise first

    def _ways(self, where: Device | None) -> list[tuple[Device, str]]:
        """Devices and backends to try, in order."""
        named = where or self._jitted._device
        listed = (find_device(named),) if named is not None else self._devices or tuple(preferred())
        return [
            (device, backend.name)
            for device in listed
            for backend in registry.backends()
            if device.platform in backend.platforms
            and device in backend.devices(device.platform)
            and self._jitted._backend in (None, backend.name)
        ]

    def __repr__(self) -> str:
        return f"try_with_fallback({self._jitted!r})"
