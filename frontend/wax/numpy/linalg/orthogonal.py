"""QR factors: an orthonormal basis of the columns, and the triangle that makes them of it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from wax.eager import api
from wax.errors import InvalidArgumentError
from wax.numpy._basis import ArrayLike
from wax.numpy.linalg._reflections import reflected
from wax.numpy.linalg._stacks import fitted, is_finite, stack_of, unless

__all__ = ["QRResult", "qr"]


class QRResult(NamedTuple):
    """What `qr` returns: `Q @ R` is the matrix."""

    Q: Any
    R: Any


@api
def qr(x: ArrayLike, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Orthonormal columns `Q` and an upper triangle `R` of which `Q @ R` is the matrix, for every one of a stack.

    Of `m` by `n` matrices, `Q` has `min(m, n)` columns if `mode` is `"reduced"`, and `m` if it is `"complete"`. By
    Householder's reflections (Golub and Van Loan, Matrix Computations, 2013, 5.2.2), with the signs of LAPACK: the
    diagonal of `R` is real, and negative where the reflected column began with a number that is not. The residual is
    `n * eps` of each column's size.

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wnp.linalg.qr(wnp.asarray([[3.0, 1.0], [4.0, 2.0]])).R.shape
    (2, 2)
    """
    if mode not in ("reduced", "complete"):
        raise InvalidArgumentError(f'qr: mode is "reduced" or "complete", not {mode!r}')
    stack = stack_of("qr", x, ordered=True)
    rows = stack.rows if mode == "complete" else stack.fewer
    found = reflected(stack.values)
    good = is_finite(stack.values)
    q, r = found.orthogonal(rows), fitted(found.triangle, rows, stack.columns)
    return QRResult(stack.restored(unless(good, q)), stack.restored(unless(good, r)))
