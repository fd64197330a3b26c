"""Inspection: what the namespace can do, as the array API standard has it asked."""

from __future__ import annotations

from wax import dtypes as _dtypes
from wax.dtypes import DType
from wax.errors import InvalidArgumentError
from wax_runtime.devices import CPU, Device
from wax_runtime.devices import devices as _devices
from wax_runtime.transfer import found_device

__all__ = ["Info", "__array_namespace_info__"]

#: NumPy's limit, which holds for arrays outside `jit`.
_MAX_DIMS = 64

_BY_KIND: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS: dict[str, tuple[str, ...]] = {
    **{kind: (kind,) for kind in _BY_KIND},
    "integral": ("signed integer", "unsigned integer"),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
}


class Info:
    """What `__array_namespace_info__` gives."""

    __slots__ = ()

    def capabilities(self) -> dict[str, bool | int | None]:
        """Whether masks index, whether results' shapes may depend on data, and how many dims an array may have."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": _MAX_DIMS}

    def default_device(self) -> Device:
        """Where an array is made when no device is named: in the host's memory."""
        return CPU

    def devices(self) -> list[Device]:
        """The devices that arrays can be made on now."""
        return list(_devices())

    def default_dtypes(self, *, device: Device | str | None = None) -> dict[str, DType]:
        """The dtypes of Python's numbers, and of indices. Raises `DeviceError`."""
        if device is not None:
            found_device(device)
        return {
            "real floating": _dtypes.float32,
            "complex floating": _dtypes.complex64,
            "integral": _dtypes.default_int,
            "indexing": _dtypes.default_int,
        }

    def dtypes(
        self, *, device: Device | str | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """The standard's dtypes, all, or of kinds. Raises `InvalidArgumentError` for a kind that it does not name."""
        if device is not None:
            found_device(device)
        if kind is None:
            wanted: tuple[str, ...] = tuple(_BY_KIND)
        else:
            given = kind if isinstance(kind, tuple) else (kind,)
            for one in given:
                if one not in _KINDS:
                    raise InvalidArgumentError(f"{one!r} is no kind of dtype; the kinds are {', '.join(_KINDS)}")
            wanted = tuple(part for one in given for part in _KINDS[one])
        names = [name for part in _BY_KIND if part in wanted for name in _BY_KIND[part]]
        return {name: _dtypes.canonical(name) for name in names}


def __array_namespace_info__() -> Info:
    """What the namespace can do.

    >>> wnp.__array_namespace_info__().default_dtypes()["real floating"]
    dtype('float32')
    """
    return Info()
