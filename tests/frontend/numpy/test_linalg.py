"""Decompositions by what defines them: products give the matrix back, vectors are orthonormal, values are the judge's.

The judge of values is NumPy in float64, or in the matrix's own dtype where that is wider; each is run eagerly and
compiled by IREE.
"""

import itertools

import numpy as np
import pytest
import scipy.linalg
from decompositions import (
    DECOMPOSITIONS,
    DTYPES,
    SQUARE,
    adjoint,
    arrays,
    check_eigh,
    check_svd,
    matrices,
    near,
    norm,
    positive,
    unitary,
    wide,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import every_other, tiered

import wax
import wax.numpy as wnp

L = wnp.linalg
SIZES = [0, 1, 2, 3, 5, 33, 70]
SHAPES = [(1, 1), (4, 4), (2, 3, 7, 3), (3, 7), (40, 33), (33, 40), (1, 5), (5, 1), (0, 3), (3, 0), (2, 0, 4)]
SHAPES += [(2, 70, 52), (52, 70)]


@pytest.mark.parametrize(
    ("name", "dtype"), every_other(DECOMPOSITIONS, tiered(DTYPES, ("float32", "complex128").__contains__))
)
def test_a_decomposition_is_one_of_its_matrix(name, dtype):
    function, made, check = DECOMPOSITIONS[name]
    shapes = [(2, n, n) for n in SIZES] if name in SQUARE else SHAPES
    for shape in shapes:
        x = made(dtype, *shape)
        check(x, arrays(function(wnp.asarray(x))))


QUICK = {("cholesky", "float32"), ("lu", "float32"), ("qr", "float32"), ("eigh", "float32"), ("svd", "float32")}
COMPILED = tiered(itertools.product(DECOMPOSITIONS, DTYPES), QUICK.__contains__)


@pytest.mark.parametrize(("name", "dtype"), COMPILED)
def test_a_compiled_decomposition_is_one_of_its_matrix(name, dtype):
    function, made, check = DECOMPOSITIONS[name]
    for shape in [(2, 5, 5), (70, 70)] if name in SQUARE else [(2, 7, 3), (33, 40)]:
        x = made(dtype, *shape)
        check(x, arrays(wax.jit(function, backend="iree")(wnp.asarray(x))))


@pytest.mark.parametrize("name", tiered(("cholesky", "eigh", "svd", "qr"), ("cholesky", "eigh").__contains__))
def test_the_number_of_matrices_may_be_left_open(name):
    function, made, check = DECOMPOSITIONS[name]
    compiled = wax.jit(lambda x: function(x), backend="iree", dynamic_shapes={"x": {0: wax.Dim("n")}})
    for count in (2, 3):
        x = made("float32", count, 4, 4)
        check(x, arrays(compiled(wnp.asarray(x))))


@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_the_text_of_a_program_does_not_grow_with_its_matrix(name):
    lengths = []
    for size in (70, 1030):
        program = wax.jit(DECOMPOSITIONS[name][0]).trace(wax.ShapeDtypeStruct((size, size), "float32")).as_text()
        lengths.append(program.count("\n"))
    assert abs(lengths[0] - lengths[1]) <= 6  # some numbers are equal to others at one of the sizes


# Systems.


@pytest.mark.parametrize(("size", "dtype"), every_other(SIZES, tiered(DTYPES, ("float32", "complex128").__contains__)))
def test_a_solution_solves_its_system(dtype, size):
    stacked = ((2,), (size, 3)), ((2, 1), (3, size, 2)), ((3,), (size,))
    for a_batch, b_shape in (((), (size,)), ((), (size, 3)), *stacked):
        a, b = matrices(dtype, *a_batch, size, size), matrices(dtype, *b_shape, seed=1)
        y = np.asarray(L.solve(wnp.asarray(a), wnp.asarray(b)))
        if b.ndim == 1:
            b, y = b[:, None], y[..., None]
        right = np.broadcast_to(b, (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:]))
        near(a @ y, right, norm(a) * np.abs(y).max(initial=0) + 1, 10 + size / 4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_inverses_and_determinants_are_the_judges(dtype):
    for size in (0, 1, 2, 5, 33):
        a = matrices(dtype, 2, size, size) + 2 * np.eye(size, dtype=dtype)
        inverse = np.linalg.inv(wide(a))
        near(L.inv(wnp.asarray(a)), inverse, norm(inverse) ** 2 * norm(a), 10)
        det = np.linalg.det(wide(a))
        condition = 1 + norm(inverse) * norm(a)
        near(L.det(wnp.asarray(a)), det, np.abs(det).max() * condition, 20)
        sign, logarithm = L.slogdet(wnp.asarray(a))
        near(sign, np.linalg.slogdet(wide(a)).sign, condition, 20)
        near(logarithm, np.linalg.slogdet(wide(a)).logabsdet, condition + size, 20)


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize(("lower", "trans", "unit"), list(itertools.product([False, True], [0, 1, 2], [False, True])))
def test_a_triangular_system_reads_one_triangle(dtype, lower, trans, unit):
    a, b = matrices(dtype, 37, 37) / 40 + np.eye(37, dtype=dtype), matrices(dtype, 37, 2, seed=1)
    t = np.tril(a) if lower else np.triu(a)
    if unit:
        t = t - np.diag(np.diag(t)) + np.eye(37)
    wanted = np.linalg.solve(wide([t, t.T, adjoint(t)][trans].astype(dtype)), wide(b))
    got = L.solve_triangular(wnp.asarray(a), wnp.asarray(b), lower=lower, trans=trans, unit_diagonal=unit)
    near(got, wanted, np.abs(wanted).max(), 50)


def test_a_compiled_system_is_solved():
    a, b = matrices("float32", 70, 70), matrices("float32", 70, 3, seed=1)
    y, inverse, det = wax.jit(lambda a, b: (L.solve(a, b), L.inv(a), L.det(a / 4)), backend="iree")(
        *map(wnp.asarray, (a, b))
    )
    near(a @ np.asarray(y), b, norm(a) * np.abs(y).max(), 30)
    near(a @ np.asarray(inverse), np.eye(70), norm(a) * norm(np.asarray(inverse)), 30)
    np.testing.assert_allclose(det, np.linalg.det(wide(a / 4)), rtol=1e-3)


def test_singular_systems_and_indefinite_matrices_give_what_is_stated():
    singular = wnp.asarray([[1.0, 2.0], [2.0, 4.0]])
    assert not np.isfinite(np.asarray(L.inv(singular))).any()
    assert float(L.det(singular)) == 0
    assert tuple(map(float, L.slogdet(singular))) == (0, -np.inf)
    stack = wnp.asarray([[[1.0, 2.0], [2.0, 1.0]], [[4.0, 0.0], [0.0, 4.0]]])
    assert np.isnan(np.asarray(L.cholesky(stack)[0])).all()
    np.testing.assert_array_equal(L.cholesky(stack)[1], 2 * np.eye(2))
    np.testing.assert_array_equal(L.cholesky(wnp.zeros((2, 2))), np.full((2, 2), np.nan))


@pytest.mark.parametrize("dtype", DTYPES)
def test_exponentials_are_the_judges(dtype):
    for size, scale in itertools.product((0, 1, 2, 5, 33), (1e-3, 1.0, 20.0)):
        a = (matrices(dtype, 2, size, size) * (scale / max(size, 1))).astype(dtype)
        a[1:] *= 0  # one matrix needs no squares
        wanted = scipy.linalg.expm(wide(a)) if size else wide(a)
        # How much a change of the matrix is enlarged: by the norm, where eigenvalues are no further apart.
        near(L.expm(wnp.asarray(a)), wanted, np.exp(norm(a)), 10 * (1 + norm(a)))
    for bad in (np.nan, np.inf):
        x = np.stack([np.eye(3, dtype=dtype) * 0, np.full((3, 3), bad, dtype)])
        y = np.asarray(L.expm(wnp.asarray(x)))
        assert np.array_equal(y[0], np.eye(3))
        assert np.isnan(y[1]).all()


def test_a_compiled_exponential_is_the_judges():
    a = matrices("float32", 3, 6, 6)
    a[1] *= 8
    y = wax.jit(lambda x: L.expm(x), backend="iree")(wnp.asarray(a))
    for ours, x in zip(np.asarray(y), a, strict=True):
        near(ours, scipy.linalg.expm(wide(x)), np.exp(norm(x)), 10 * (1 + norm(x)))


# What follows from singular values.


@pytest.mark.parametrize("dtype", DTYPES)
def test_pseudo_inverses_ranks_and_least_squares_are_the_judges(dtype):
    for shape in ((7, 3), (3, 7), (5, 5), (0, 3), (1, 1)):
        a, b = matrices(dtype, 2, *shape), matrices(dtype, 2, shape[0], 2, seed=1)
        a[0, :, -1] = a[0, :, 0] * 2  # one matrix has a lesser rank
        if not a.size:
            assert L.pinv(wnp.asarray(a)).shape == (2, shape[1], shape[0])
            continue
        inverse = np.linalg.pinv(wide(a), rtol=1e-5)
        near(L.pinv(wnp.asarray(a), rtol=1e-5), inverse, norm(inverse) ** 2 * norm(a), 20)
        assert np.array_equal(L.matrix_rank(wnp.asarray(a)), np.linalg.matrix_rank(wide(a), rtol=1e-5))
        result = L.lstsq(wnp.asarray(a), wnp.asarray(b), rcond=1e-5)
        near(result.x, inverse @ b, norm(inverse) ** 2 * norm(a) * norm(b), 30)
        near(result.residuals, (np.abs(wide(a) @ (inverse @ b) - b) ** 2).sum(1), norm(b) ** 2, 100)
        assert np.array_equal(result.rank, L.matrix_rank(wnp.asarray(a)))


def test_norms_and_condition_numbers_of_every_order_are_the_judges():
    a = matrices("float32", 2, 4, 4)
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        np.testing.assert_allclose(L.matrix_norm(wnp.asarray(a), ord=order), np.linalg.matrix_norm(a, ord=order), 1e-5)
        np.testing.assert_allclose(L.cond(wnp.asarray(a), order), np.linalg.cond(a, order), 1e-4)
    np.testing.assert_allclose(L.matrix_power(wnp.asarray(a), -2), np.linalg.matrix_power(wide(a), -2), 1e-3, 1e-4)


# Hard matrices.


@pytest.mark.parametrize("scale", [1e-38, 1e-30, 1e30, 1e38])
def test_scales_neither_overflow_nor_vanish(scale):
    x = (matrices("float32", 6, 6) / 4 * np.float32(scale)).astype("f4")
    x = (x / 2 + adjoint(x) / 2).astype("f4")
    for function, judge in ((L.svdvals, np.linalg.svdvals), (L.eigvalsh, np.linalg.eigvalsh)):
        found, wanted = np.asarray(function(wnp.asarray(x))), judge(wide(x))
        assert np.abs(found - wanted).max() <= 1e-6 * np.abs(wanted).max()
    q, r = map(np.asarray, L.qr(wnp.asarray(x)))
    unitary(q)
    assert np.abs(wide(q) @ wide(r) - x).max() <= 1e-6 * scale


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_gives_no_numbers_and_comes_to_an_end(bad):
    x = np.stack([np.eye(5, dtype="f4"), 2 * np.eye(5, dtype="f4")])
    x[0, 3, 1] = bad
    for name in ("eigh", "svd", "qr"):
        for part in arrays(DECOMPOSITIONS[name][0](wnp.asarray(x))):
            assert np.isnan(part[0]).all()
            assert not np.isnan(part[1]).any()
    for function in (L.svdvals, L.eigvalsh, L.pinv):
        assert np.isnan(np.asarray(function(wnp.asarray(x)))[0]).all()


@pytest.mark.parametrize(
    "values", [[0, 0, 0, 0], [1, 1, 1, 1], [1, 1, -1, -1], [3, 3, 0, 0], [1, 1e-5, 1e-10, 0], [-1, -2, -2, -2]]
)
def test_equal_and_vanishing_values_have_orthonormal_vectors(values):
    for dtype in DTYPES:
        q = np.linalg.qr(matrices(dtype, 4, 4)).Q
        x = (q * np.asarray(values, dtype)) @ adjoint(q)
        x = (x + adjoint(x)) / 2
        check_eigh(x, arrays(L.eigh(wnp.asarray(x))))
        check_svd(x, arrays(L.svd(wnp.asarray(x))))
        check_svd(x[:, :3], arrays(L.svd(wnp.asarray(x[:, :3]))))


def tridiagonal(diagonal, beside):
    return np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)


def hard_tridiagonals():
    """Whose eigenvalues are equal, nearly so, of very different sizes, or fall apart."""
    random = np.random.default_rng(0)
    n = 60
    wilkinson = np.abs(np.arange(21) - 10.0)
    glue = np.ones(62)
    yield "zeros on the diagonal", np.zeros(n), np.ones(n - 1)
    yield "second differences", np.full(n, 2.0), np.full(n - 1, -1.0)
    yield "the identity", np.ones(n), np.zeros(n - 1)
    yield "nearly the identity", np.ones(n), np.full(n - 1, 1e-7)
    yield "graded", 10.0 ** -np.arange(n), 10.0 ** -np.arange(1, n)
    yield "graded upwards", 10.0 ** np.arange(-n, 0), 10.0 ** np.arange(-n, -1)
    yield "split", random.standard_normal(n), random.standard_normal(n - 1) * 10.0 ** random.uniform(-9, 0, n - 1)
    yield "few values", random.integers(-1, 2, n).astype("f8"), random.integers(-1, 2, n - 1).astype("f8")
    for strength in (1e-4, 1e-8, 1e-14):
        glue[20::21] = strength
        yield f"Wilkinson's, glued by {strength}", np.tile(wilkinson, 3), glue[:62].copy()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_eigenvectors_of_values_that_meet_are_orthonormal(dtype):
    for name, diagonal, beside in hard_tridiagonals():
        x = tridiagonal(diagonal, beside).astype(dtype)
        values, vectors = arrays(L.eigh(wnp.asarray(x)))
        orthogonal = np.abs(adjoint(wide(vectors)) @ wide(vectors) - np.eye(len(x))).max()
        assert orthogonal <= 20 * np.finfo(dtype).eps, name
        residual = np.abs(wide(x) @ wide(vectors) - wide(vectors) * values).max()
        assert residual <= 10 * np.finfo(dtype).eps * norm(x), name
        near(values, np.linalg.eigvalsh(wide(x)), norm(x), 30)
        near(L.eigvalsh(wnp.asarray(x)), values, norm(x), 10)


@pytest.mark.parametrize(
    ("kind", "dtype"), every_other(["rank", "graded", "unitary", "zero"], ["float32", "complex128"])
)
def test_large_matrices_of_every_rank_have_singular_vectors(dtype, kind):
    x = matrices(dtype, 60, 55)
    if kind == "rank":
        x[:, 20:40] = x[:, :20]
    x = {"graded": x * 10.0 ** -np.linspace(0, 12, 55), "unitary": np.linalg.qr(x).Q, "zero": x * 0}.get(kind, x)
    x = x.astype(dtype)
    check_svd(x, arrays(L.svd(wnp.asarray(x))))
    near(L.svdvals(wnp.asarray(x)), np.linalg.svdvals(wide(x)), norm(x), 10)


def test_diagonal_matrices_are_decomposed_exactly():
    d = np.asarray([3, -0.1, 7e-15, 5], "f4")
    values, vectors = arrays(L.eigh(wnp.asarray(np.diag(d))))
    assert np.array_equal(values, np.sort(d))
    assert np.array_equal(np.abs(vectors).sum(0), np.ones(4))
    assert np.array_equal(L.svdvals(wnp.asarray(np.diag(d))), np.sort(np.abs(d))[::-1])


def test_small_values_of_graded_columns_are_close():
    d = 10.0 ** -np.arange(8)
    x = matrices("float64", 8, 8) * d
    import mpmath

    with mpmath.workdps(50):
        wanted = [float(s) for s in mpmath.svd_r(mpmath.matrix(x.tolist()), compute_uv=False)]
    np.testing.assert_allclose(L.svdvals(wnp.asarray(x)), sorted(wanted, reverse=True), rtol=1e-13)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 7), st.integers(1, 7), st.integers(-12, 12), st.integers(0, 2**16), st.sampled_from(DTYPES))
def test_ill_conditioned_matrices_are_decomposed(rows, columns, decades, seed, dtype):
    random = np.random.default_rng(seed)
    x = matrices(dtype, rows, columns, seed=seed)
    x = (x * 10.0 ** random.uniform(-abs(decades), 0, columns)).astype(dtype)
    check_svd(x, arrays(L.svd(wnp.asarray(x))))
    q, r = arrays(L.qr(wnp.asarray(x)))
    unitary(q)
    near(q @ r, x, norm(x), 10)
    h = x @ adjoint(x)
    h = (h + adjoint(h)) / 2
    check_eigh(h, arrays(L.eigh(wnp.asarray(h))))


# Options and dtypes.


def test_one_triangle_is_read_where_it_is_named():
    x = matrices("complex64", 5, 5)
    for triangle, lower in (("L", True), ("U", False)):
        t = np.tril(x, -1) if lower else np.triu(x, 1)
        h = t + adjoint(t) + np.diag(np.diag(x).real)
        near(L.eigvalsh(wnp.asarray(x), UPLO=triangle), np.linalg.eigvalsh(wide(h)), norm(h), 10)
    np.testing.assert_allclose(
        L.eigvalsh(wnp.asarray(x)), np.linalg.eigvalsh(wide((x + adjoint(x)) / 2)), rtol=1e-4, atol=1e-5
    )
    p = positive("complex64", 5, 5)
    upper = np.asarray(L.cholesky(wnp.asarray(np.triu(p)), upper=True, symmetrize_input=False))
    assert np.array_equal(upper, np.triu(upper))
    near(adjoint(upper) @ upper, p, norm(p), 5)


def test_half_floats_and_integers_are_computed_in_float32():
    x = np.asarray([[4, 2], [2, 3]])
    for dtype, result in (("float16", "float16"), ("bfloat16", "bfloat16"), ("int32", "float32"), ("uint8", "float32")):
        for function in (L.cholesky, L.inv, L.det, L.svdvals, L.eigvalsh, L.pinv):
            y = function(wnp.asarray(x).astype(getattr(wnp, dtype)))
            assert y.dtype == getattr(wnp, result)
            wanted = function(wnp.asarray(x, dtype=wnp.float32)).astype(y.dtype)
            assert np.array_equal(np.asarray(y).astype("f4"), np.asarray(wanted).astype("f4"))
