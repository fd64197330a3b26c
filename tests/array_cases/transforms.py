"""Fourier transforms over dtypes, sizes, axes and norms; NumPy's in higher precision judge."""

from __future__ import annotations

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, C128, F16, F32, F64, Case, floats, integers, wide

NORMS = ("backward", "ortho", "forward")
COMPLEX = {F32: C64, F64: C128, C64: C64, C128: C128}
REAL = {C64: F32, C128: F64, F32: F32, F64: F64}
#: Roundings of the largest element that every element may be off.
ROUNDINGS = 8


def _values(dtype, shape, key):
    if dtype in (C64, C128):
        part = REAL[dtype]
        return (floats(part, shape, key) + 1j * floats(part, shape, key, "imaginary")).astype(dtype)
    return floats(dtype, shape, key)


def _case(name, function, x, expected, dtype):
    """An element is a sum, as accurate as the largest of them."""
    largest = float(np.abs(expected).max(initial=0))
    absolute = ROUNDINGS * np.finfo(dtype).eps * largest
    return Case(f"{name}-{x.dtype.name}", function, (x,), expected.astype(dtype), ROUNDINGS, absolute)


def _along(name, dtype, shape, **how):
    x = _values(dtype, shape, name)
    judged = x.astype(F32) if dtype in (F16, BF16) else x
    expected = getattr(np.fft, name)(wide(judged), **how)
    part = F32 if dtype in (F16, BF16) else dtype
    result = REAL[part] if name in ("hfft", "irfft", "irfftn") else COMPLEX[part]
    says = ",".join(f"{key}={value}" for key, value in how.items())
    return _case(f"{name}{list(shape)}({says})", lambda x: getattr(wnp.fft, name)(x, **how), x, expected, result)


def _transforms(dtype):
    real = dtype not in (C64, C128)
    names = ["fft", "ifft", "irfft", "hfft", *(["rfft", "ihfft"] if real else [])]
    several = ["fftn", "ifftn", "irfftn", *(["rfftn"] if real else [])]
    return [
        *(_along(name, dtype, (3, 12)) for name in names),
        *(_along(name, dtype, (5,), n=n, norm="ortho") for name in names for n in (1, 4, 9)),
        *(_along(name, dtype, (2, 6, 3), axis=1, norm=norm) for name in names for norm in NORMS),
        *(_along(name, dtype, (3, 4, 6)) for name in several),
        *(_along(name, dtype, (3, 4, 6), axes=(2, 0), norm="forward") for name in several),
        *(_along(name, dtype, (3, 4, 6), s=(5, 4), axes=(-1, 1)) for name in several),
        *(_along(name, dtype, (3, 0, 6), axes=(0, 2)) for name in several),
        _along("fftn", dtype, (3, 4), axes=()),
        _along("fft", dtype, (0, 4)),
        _along("fft", dtype, (4, 37), axis=0),
    ]


def _of_other_dtypes():
    x = integers(np.dtype("i4"), (7,), "fft") % 100
    return [
        _along("fft", F16, (2, 8)),
        _along("rfft", BF16, (2, 9)),
        _case("fft-of-integers", wnp.fft.fft, x, np.fft.fft(x.astype(F64)), C64),
        _case("rfft-of-integers", wnp.fft.rfft, x, np.fft.rfft(x.astype(F64)), C64),
        _case("ifft-of-booleans", wnp.fft.ifft, x > 3, np.fft.ifft((x > 3).astype(F64)), C64),
    ]


def _long():
    return [
        _along("fft", C64, (2, 1009)),
        _along("ifft", C64, (2, 1024)),
        _along("rfft", F32, (1000,)),
        _along("irfft", C64, (67,), n=131),
        _along("fftn", C64, (64, 48)),
    ]


def _frequencies():
    dimensions = [(wnp.fft.fftfreq, np.fft.fftfreq), (wnp.fft.rfftfreq, np.fft.rfftfreq)]
    freqs = [
        Case(
            f"{ours.__name__}-{n}-{d}-{dtype.name}",
            lambda ours=ours, n=n, d=d, dtype=dtype: ours(n, d=d, dtype=dtype),
            (),
            theirs(n, d).astype(dtype),
            2,
        )
        for ours, theirs in dimensions
        for n in (1, 2, 7, 8)
        for d in (1.0, 0.1)
        for dtype in (F16, F32, F64)
    ]
    x = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    shifts = [
        Case(
            f"{name}-{axes}",
            lambda x, name=name, axes=axes: getattr(wnp.fft, name)(x, axes=axes),
            (x,),
            getattr(np.fft, name)(x, axes),
        )
        for name in ("fftshift", "ifftshift")
        for axes in (None, 1, (0, -1))
    ]
    return freqs + shifts


FAMILIES = {
    **{f"fft-{dtype.name}": _transforms(dtype) for dtype in (F32, F64, C64, C128)},
    "fft-others": _of_other_dtypes(),
    "fft-long": _long(),
    "fft-frequencies": _frequencies(),
}
