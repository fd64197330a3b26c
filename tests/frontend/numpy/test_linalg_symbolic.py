"""Matrices whose rows and columns are left open: one program for every size, judged as programs of known sizes are."""

import itertools

import numpy as np
import pytest
import scipy.linalg
from decompositions import DECOMPOSITIONS, DTYPES, SQUARE, arrays, matrices, near, norm, positive, wide
from tiers import every_other, tiered

import wax
import wax.numpy as wnp

L = wnp.linalg
N = wax.Dim("n")
#: None and one, which are programs of their own, few, a block and one more or less, and some blocks.
SIZES = (0, 1, 2, 3, 31, 32, 33, 65)
TALL = ((2, 2), (7, 3), (33, 32), (70, 33))


def open_at(function, count, *, rank=2, backend="reference"):
    """The function for square matrices of any size, and as many more arguments with as many rows."""
    names = ["x", "y"][:count]
    shapes = {name: {rank - 2: N, rank - 1: N} if name == "x" else {0: N} for name in names}
    wrapped = (lambda x: function(x)) if count == 1 else (lambda x, y: function(x, y))
    return wax.jit(wrapped, backend=backend, dynamic_shapes=shapes)


def tall(function, backend="reference"):
    """The function for matrices with at least as many rows as columns."""
    columns = wax.Dim("n", max=33)
    rows = wax.Dim("m", min=33)
    return wax.jit(lambda x: function(x), backend=backend, dynamic_shapes={"x": {0: rows, 1: columns}})


# Of each the quick tier takes the other type than of known sizes.
@pytest.mark.parametrize(
    ("name", "dtype"), every_other(DECOMPOSITIONS, tiered(DTYPES[::-1], ("float32", "complex128").__contains__))
)
def test_a_decomposition_of_open_size_is_one_of_its_matrix(name, dtype):
    function, made, check = DECOMPOSITIONS[name]
    program = open_at(function, 1)
    for size in SIZES:
        x = made(dtype, size, size)
        check(x, arrays(program(wnp.asarray(x))))


@pytest.mark.parametrize("name", [name for name in DECOMPOSITIONS if name not in SQUARE])
def test_rows_and_columns_may_be_different_dims_if_one_has_fewer(name):
    function, made, check = DECOMPOSITIONS[name]
    program, turned = tall(function), tall(lambda x: function(x.mT))
    for rows, columns in ((33, 2), (33, 33), (70, 32), (40, 1)):
        x = made("float32", rows, columns)
        check(x, arrays(program(wnp.asarray(x))))
        check(x.T, arrays(turned(wnp.asarray(x))))


@pytest.mark.parametrize("name", [name for name in DECOMPOSITIONS if name not in SQUARE])
def test_one_of_rows_and_columns_may_be_open(name):
    function, made, check = DECOMPOSITIONS[name]
    program = wax.jit(
        lambda x: function(x), backend="reference", dynamic_shapes={"x": {0: wax.Dim("b"), 1: wax.Dim("m", min=3)}}
    )
    for count, rows in ((2, 3), (0, 5), (1, 40)):
        x = made("float32", count, rows, 3)
        check(x, arrays(program(wnp.asarray(x))))


@pytest.mark.parametrize("most", tiered((3, 32, 40), (3, 40).__contains__))
def test_a_greatest_size_that_is_known_changes_nothing(most):
    size = wax.Dim("n", max=most)
    for name, (function, made, check) in DECOMPOSITIONS.items():
        program = wax.jit(lambda x, f=function: f(x), backend="reference", dynamic_shapes={"x": {0: size, 1: size}})
        for n in (2, most):
            x = made("complex64", n, n)
            check(x, arrays(program(wnp.asarray(x)))), name


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_systems_of_open_size_are_solved(dtype):
    solve, inverse, factors = open_at(L.solve, 2), open_at(L.inv, 1), open_at(L.slogdet, 1)
    det, power, triangular = open_at(L.det, 1), open_at(lambda x: L.matrix_power(x, -2), 1), open_at(solved_lower, 2)
    for size in SIZES:
        a = matrices(dtype, size, size) / max(size, 1) ** 0.5 + 2 * np.eye(size, dtype=dtype)
        y = np.asarray(matrices(dtype, size, 3, seed=1))
        for right in (y, y[:, 0]):
            found = np.asarray(solve(wnp.asarray(a), wnp.asarray(right)))
            near(found, np.linalg.solve(wide(a), wide(right)), 1 + np.abs(right).max(initial=0), 300)
        judge = np.linalg.inv(wide(a))
        near(inverse(wnp.asarray(a)), judge, norm(judge), 300)
        near(power(wnp.asarray(a)), judge @ judge, norm(judge) ** 2, 900)
        sign, logarithm = factors(wnp.asarray(a))
        near(sign, np.linalg.slogdet(wide(a)).sign, 1, 300)
        near(logarithm, np.linalg.slogdet(wide(a)).logabsdet, size + 1, 30)
        wanted = np.linalg.det(wide(a))
        near(det(wnp.asarray(a)), wanted, np.abs(wanted), 1000)
        t = np.tril(a)
        near(triangular(wnp.asarray(a), wnp.asarray(y)), np.linalg.solve(wide(t), wide(y)), norm(np.linalg.inv(t)), 1e3)


def solved_lower(a, b):
    return L.solve_triangular(a, b, lower=True)


def test_what_follows_from_decompositions_takes_open_sizes():
    programs = {
        "expm": (lambda x: L.expm(x / 8), lambda x: scipy.linalg.expm(x / 8)),
        "pinv": (L.pinv, np.linalg.pinv),
        "matrix_rank": (L.matrix_rank, np.linalg.matrix_rank),
        "nuc": (lambda x: L.matrix_norm(x, ord="nuc"), lambda x: np.linalg.matrix_norm(x, ord="nuc")),
        "cond": (lambda x: L.cond(x, 1), lambda x: np.linalg.cond(x, 1)),
        "svdvals": (L.svdvals, np.linalg.svdvals),
        "eigvalsh": (L.eigvalsh, lambda x: np.linalg.eigvalsh((x + x.T) / 2)),
        "lstsq": (lambda x: L.lstsq(x, x)[0], lambda x: np.eye(len(x))),
    }
    for name, (function, judge) in programs.items():
        program = open_at(function, 1)
        for size in (2, 5, 33):
            x = matrices("float32", size, size) + 3 * np.eye(size, dtype="f4")
            np.testing.assert_allclose(np.asarray(program(wnp.asarray(x))), judge(wide(x)), 2e-3, 2e-3, err_msg=name)


def test_sizes_that_are_computed_of_open_ones_are_open_sizes():
    @wax.jit(backend="reference", dynamic_shapes={"x": {0: N}})
    def program(x):
        outer = x[:, None] @ x[None, :] + wnp.eye(x.shape[0])
        twice = wnp.concat([wnp.concat([outer, outer * 0], axis=1), wnp.concat([outer * 0, outer], axis=1)])
        return L.cholesky(twice), L.eigh(twice[1:, 1:])[0]

    for size in (2, 5, 17):
        x = matrices("float32", size)
        one = np.outer(x, x) + np.eye(size)
        two = scipy.linalg.block_diag(one, one)
        factor, values = program(wnp.asarray(x))
        near(factor, np.linalg.cholesky(two), norm(two), 20)
        near(values, np.linalg.eigvalsh(two[1:, 1:]), norm(two), 20)


COMPILED = ["cholesky", "lu", "qr", "solve", "eigh", "svd"]
QUICK = {("cholesky", "float32"), ("solve", "float32"), ("qr", "float32")}
PARAMETERS = tiered(itertools.product(COMPILED, DTYPES), QUICK.__contains__)


@pytest.mark.parametrize(("name", "dtype"), PARAMETERS)
def test_one_compiled_program_takes_every_size(name, dtype):
    if name == "solve":
        program = open_at(L.solve, 2, backend="iree")
        for size in (2, 31, 32, 33, 65):
            a, b = positive(dtype, size, size) / size, matrices(dtype, size, 2, seed=1)
            y = np.asarray(program(wnp.asarray(a), wnp.asarray(b)))
            near(a @ y, b, norm(a) * np.abs(y).max() + 1, 30)
        return
    function, made, check = DECOMPOSITIONS[name]
    program = open_at(function, 1, rank=3, backend="iree")
    for size in (2, 31, 32, 33, 65):
        x = made(dtype, 2, size, size)
        check(x, arrays(program(wnp.asarray(x))))


@pytest.mark.parametrize("function", [L.qr, L.svd, L.svdvals, L.pinv, L.lu, L.matrix_rank])
def test_rows_and_columns_of_which_either_may_be_fewer_are_refused_with_the_way_out(function):
    program = wax.jit(lambda x: function(x), dynamic_shapes={"x": {0: wax.Dim("m"), 1: wax.Dim("n")}})
    with pytest.raises(wax.errors.ShapeError, match=r"of shape \(m, n\): whether rows or columns are fewer .*min= and"):
        program(wnp.ones((3, 4)))


def test_open_sizes_that_may_differ_are_not_square():
    program = wax.jit(lambda x: L.inv(x), dynamic_shapes={"x": {0: wax.Dim("m"), 1: wax.Dim("n")}})
    with pytest.raises(wax.errors.ShapeError, match=r"inv takes square matrices; the shape is \(m, n\)"):
        program(wnp.ones((3, 3)))
