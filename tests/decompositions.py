"""Decompositions and what makes them right: for the tests of linear algebra, at static sizes and at symbolic ones.

Products give the matrix back, vectors are orthonormal, values are those of NumPy in float64.
"""

import numpy as np

import wax.numpy as wnp

L = wnp.linalg
DTYPES = ["float32", "float64", "complex64", "complex128"]


def matrices(dtype, *shape, seed=0):
    random = np.random.default_rng([seed, *shape])
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def wide(x):
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


def hermitian(dtype, *shape):
    x = matrices(dtype, *shape)
    return (x + adjoint(x)) / 2


def positive(dtype, *shape):
    x = matrices(dtype, *shape)
    return x @ adjoint(x) + np.eye(shape[-1], dtype=dtype)


def near(actual, expected, scale, roundings):
    """Whether values differ by so many roundings of numbers of a size."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    if not actual.size:
        return
    error = np.abs(wide(actual) - wide(expected)).max()
    assert error <= roundings * np.finfo(actual.dtype).eps * scale, error


def norm(x):
    return np.linalg.norm(wide(x), 2, axis=(-2, -1)).max() if x.size else 0.0


def unitary(x):
    product = adjoint(x) @ x
    near(product, np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), product.shape), 1, 20)


def check_cholesky(x, factor):
    assert np.array_equal(factor, np.tril(factor))
    near(factor @ adjoint(factor), x, norm(x), 3 + x.shape[-1] / 4)


def check_lu(x, result):
    p, lower, upper = result
    assert lower.shape[-1] == upper.shape[-2] == min(x.shape[-2:])
    assert np.array_equal(lower, np.tril(lower))
    assert np.array_equal(np.abs(p).sum(-1), np.ones(x.shape[:-1]))
    assert np.array_equal(upper, np.triu(upper))
    assert not lower.size or np.abs(lower).max() <= (1 if x.dtype.kind == "f" else 2**0.5 + 1e-5)
    near(p @ lower @ upper, x, norm(x), 3 + x.shape[-1] / 4)


def check_qr(x, result):
    q, r = result
    unitary(q)
    assert np.array_equal(r, np.triu(r))
    near(q @ r, x, norm(x), 10)
    near(r, np.linalg.qr(wide(x), "complete" if q.shape[-1] > min(x.shape[-2:]) else "reduced").R, norm(x), 100)


def check_eigh(x, result):
    values, vectors = result
    unitary(vectors)
    near(vectors * values[..., None, :] @ adjoint(vectors), x, norm(x), 10 + x.shape[-1] / 4)
    near(values, np.linalg.eigvalsh(wide(x)), norm(x), 10 + x.shape[-1] / 4)


def check_svd(x, result):
    u, s, vh = result
    k = min(x.shape[-2:])
    assert s.shape == (*x.shape[:-2], k)
    unitary(u)
    unitary(adjoint(vh))
    near(u[..., :k] * s[..., None, :] @ vh[..., :k, :], x, norm(x), 10 + k / 4)
    near(s, np.linalg.svd(wide(x), compute_uv=False), norm(x), 10)


DECOMPOSITIONS = {
    "cholesky": (L.cholesky, positive, check_cholesky),
    "lu": (L.lu, matrices, check_lu),
    "eigh": (L.eigh, hermitian, check_eigh),
    "qr": (L.qr, matrices, check_qr),
    "qr-complete": (lambda x: L.qr(x, mode="complete"), matrices, check_qr),
    "svd": (L.svd, matrices, check_svd),
    "svd-reduced": (lambda x: L.svd(x, full_matrices=False), matrices, check_svd),
}
SQUARE = ("cholesky", "eigh")


def arrays(result):
    return tuple(map(np.asarray, result)) if isinstance(result, tuple) else np.asarray(result)
