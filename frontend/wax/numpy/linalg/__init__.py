"""Linear algebra: the extension `linalg` of the array API standard. Matrices stand in the last two dims.

Functions that wax.numpy has too are the same ones, but for `diagonal` and `trace`, which take NumPy's axes there.

Decompositions are programs over the basis, with loops over blocks of columns, for stacks of matrices and for any
device. They compute in the dtype they are given: float32, float64, complex64 or complex128; half floats and integers go
to float32. Rows, columns and the stacking dims may be symbolic. Where a matrix has NaN or infinite elements its results
are NaN, and no loop is longer for it.
"""

from wax.numpy.linalg.cholesky import cholesky
from wax.numpy.linalg.determinants import SlogdetResult, det, slogdet
from wax.numpy.linalg.eigen import EighResult, eigh, eigvalsh
from wax.numpy.linalg.exponential import expm
from wax.numpy.linalg.least_squares import LstsqResult, cond, lstsq, matrix_rank, pinv
from wax.numpy.linalg.orthogonal import QRResult, qr
from wax.numpy.linalg.products import cross, diagonal, matrix_power, trace
from wax.numpy.linalg.singular import SVDResult, svd, svdvals
from wax.numpy.linalg.systems import LUResult, inv, lu, solve, solve_triangular
from wax.numpy.linear_algebra import matmul, outer, tensordot, vecdot
from wax.numpy.manipulation import matrix_transpose
from wax.numpy.norms import matrix_norm, vector_norm

__all__ = [
    "EighResult",
    "LUResult",
    "LstsqResult",
    "QRResult",
    "SVDResult",
    "SlogdetResult",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "expm",
    "inv",
    "lstsq",
    "lu",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
