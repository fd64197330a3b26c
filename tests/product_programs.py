"""Products of matrices that tests are made of: factors of any order of dims, and what judges them."""

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _native

#: Letters of two factors and of the result; sizes that leave rows, columns and what is summed up over.
PATTERNS = {
    "rows and columns": ("ij,jk->ik", {"i": 37, "j": 300, "k": 50}),
    "rows and rows": ("ij,kj->ik", {"i": 37, "j": 300, "k": 50}),
    "columns and columns": ("ji,jk->ik", {"i": 38, "j": 65, "k": 70}),
    "columns and rows": ("ji,kj->ik", {"i": 48, "j": 67, "k": 39}),
    "turned": ("ij,jk->ki", {"i": 40, "j": 65, "k": 70}),
    "whole tiles": ("ij,jk->ik", {"i": 48, "j": 64, "k": 64}),
    "rows a kilobyte apart": ("ij,jk->ik", {"i": 49, "j": 512, "k": 80}),
    "several blocks": ("ij,jk->ik", {"i": 1031, "j": 24, "k": 83}),
    "several panels": ("ij,jk->ik", {"i": 20, "j": 1031, "k": 17}),
    "panels made before": ("ij,jk->ik", {"i": 531, "j": 1031, "k": 290}),
    "panels made before, turned": ("ji,kj->ik", {"i": 517, "j": 1030, "k": 260}),
    "several panels made before": ("ij,jk->ik", {"i": 514, "j": 4202, "k": 70}),
    "a stack of panels made before": ("bji,bjk->bik", {"b": 2, "i": 515, "j": 513, "k": 290}),
    "rows side by side": ("ji,jk->ik", {"i": 66, "j": 401, "k": 144}),
    "rows side by side, some left over": ("ji,jk->ik", {"i": 67, "j": 402, "k": 131}),
    "a stack": ("bij,bjk->bik", {"b": 3, "i": 31, "j": 33, "k": 52}),
    "scores": ("bqhd,bkhd->bhqk", {"b": 2, "q": 33, "k": 29, "h": 3, "d": 40}),
    "values": ("bhqk,bkhd->bqhd", {"b": 2, "q": 33, "k": 29, "h": 3, "d": 40}),
    "a stack in the middle": ("kij,nkj->nki", {"k": 4, "i": 40, "j": 40, "n": 33}),
    "a stack's gradient": ("nki,nkj->kij", {"k": 4, "i": 40, "j": 40, "n": 33}),
    "dims that go together": ("bsd,dhk->bshk", {"b": 3, "s": 15, "d": 64, "h": 3, "k": 15}),
    "dims that are apart": ("sbd,dn->bsn", {"b": 3, "s": 35, "d": 64, "n": 50}),
    "weights' gradient": ("bsn,bsd->dn", {"b": 3, "s": 25, "d": 50, "n": 60}),
    "one of several": ("bid,bdk->bik", {"b": 1, "i": 60, "d": 50, "k": 60}),
}

#: Products are written for what the processor has: for all that this one has, and for what every one has.
CPUS = {"all it has": wax.CompileOptions()}
if _native.processor("host") != "any":
    CPUS["what all have"] = wax.CompileOptions(flags=("--iree-llvmcpu-target-cpu=x86-64-v3",))


def each_cpu(test):
    return pytest.mark.parametrize("cpu", CPUS.values(), ids=CPUS)(test)


def product(name):
    """The function, and the shapes of its arguments."""
    spelled, sizes = PATTERNS[name]
    shapes = [tuple(sizes[letter] for letter in factor) for factor in spelled.split("->")[0].split(",")]
    return (lambda x, y: wnp.einsum(spelled, x, y)), shapes


def judged(name, x, y):
    """The product and a bound of its error for each element, in units of rounding."""
    spelled, sizes = PATTERNS[name]
    x, y = x.astype(np.float64), y.astype(np.float64)
    summed = np.prod([size for letter, size in sizes.items() if letter not in spelled.split("->")[1]])
    return np.einsum(spelled, x, y), (summed + 2) * np.einsum(spelled, np.abs(x), np.abs(y))


def open_dims(name):
    spelled = PATTERNS[name][0].split("->")[0].split(",")
    return {
        argument: {place: wax.Dim(letter) for place, letter in enumerate(letters)}
        for argument, letters in zip("xy", spelled, strict=True)
    }
