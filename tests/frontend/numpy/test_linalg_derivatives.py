"""Derivatives of linear algebra: those of JAX, whatever the size, and where JAX has none those of an equal formula."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from derivatives import Judged, close, judge, sampled
from tiers import tiered

import wax
import wax.numpy as wnp

SHAPES = [(1, 1), (4, 4), (5, 3), (3, 5), (2, 4, 3), (0, 3, 3)]
DTYPES = [np.float64, np.complex128]


def matrix(shape, dtype, *key):
    x = sampled(shape, *key, dtype=dtype)
    return x + 3 * np.eye(*shape[-2:]) if shape[-1] == shape[-2] else x


def adjoint(xp, x):
    return xp.conj(x).mT


def product(xp, u, s, vh):
    return (u * s[..., None, :]) @ vh


def size(xp, x):
    """What no phase of a vector changes."""
    return xp.real(x * xp.conj(x))


def rest(xp, basis, count):
    """The projection onto the columns from `count` on."""
    return basis[..., count:] @ adjoint(xp, basis[..., count:])


def complement(xp, basis):
    return xp.eye(basis.shape[-2]) - basis @ adjoint(xp, basis)


def hermitian(xp, x):
    return (x + adjoint(xp, x)) / 2


def spectral(xp, x):
    values, vectors = xp.linalg.eigh(hermitian(xp, x))
    return values, size(xp, vectors), product(xp, vectors, xp.cos(values), adjoint(xp, vectors))


def singular(xp, x):
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    return s, size(xp, u), size(xp, vh), product(xp, u, xp.sin(s), vh)


def complete_svd(xp, x):
    rows, columns = x.shape[-2:]
    if xp is wnp:
        u, s, vh = xp.linalg.svd(x)
        few = min(rows, columns)
        return s, rest(xp, u, few), rest(xp, adjoint(xp, vh), few), product(xp, u[..., :few], s, vh[..., :few, :])
    u, s, vh = xp.linalg.svd(x, full_matrices=False)
    return s, complement(xp, u), complement(xp, adjoint(xp, vh)), product(xp, u, s, vh)


def factors(xp, x):
    rows, columns = x.shape[-2:]
    if xp is wnp or rows >= columns:
        return tuple(xp.linalg.qr(x))
    q, r = xp.linalg.qr(x[..., :rows])
    return q, xp.concat([r, adjoint(xp, q) @ x[..., rows:]], axis=-1)


def complete_factors(xp, x):
    rows, columns = x.shape[-2:]
    if xp is wnp:
        q, r = xp.linalg.qr(x, mode="complete")
        return q[..., :columns], rest(xp, q, columns), r[..., :columns, :]
    q, r = factors(xp, x)
    return q, complement(xp, q) if rows > columns else 0 * complement(xp, q), r


def triangle(xp, x):
    return xp.linalg.cholesky(x @ adjoint(xp, x) + xp.eye(x.shape[-2]))


def forward_and_back(xp, x):
    solved = (jax.scipy if xp is jnp else xp).linalg.solve_triangular
    return solved(x, x.real, lower=True, trans="T"), solved(x, x.imag + 1, trans="C", unit_diagonal=True)


FUNCTIONS = {
    "eigh": (spectral, "square"),
    "eigvalsh": (lambda xp, x: xp.linalg.eigvalsh(hermitian(xp, x)), "square"),
    "svd": (complete_svd, "any"),
    "svd-reduced": (singular, "any"),
    "svdvals": (lambda xp, x: xp.linalg.svdvals(x), "any"),
    "qr": (factors, "any"),
    "qr-complete": (complete_factors, "tall"),
    "cholesky": (triangle, "any"),
    "pinv": (lambda xp, x: xp.linalg.pinv(x), "any"),
    "lstsq": (lambda xp, x: xp.linalg.pinv(x) @ x.real if xp is jnp else wnp.linalg.lstsq(x, x.real).x, "rank 2"),
    "nuclear": (lambda xp, x: xp.linalg.matrix_norm(x, ord="nuc"), "any"),
    "cond": (lambda xp, x: xp.linalg.cond(x), "rank 2"),
    "inv": (lambda xp, x: xp.linalg.inv(x), "square"),
    "det": (lambda xp, x: xp.linalg.det(x / 6), "square"),
    "slogdet": (lambda xp, x: tuple(xp.linalg.slogdet(x)), "square"),
    "solve": (lambda xp, x: xp.linalg.solve(x, x.real), "square"),
    "solve_triangular": (forward_and_back, "square"),
    "lu": (lambda xp, x: tuple((jax.scipy if xp is jnp else xp).linalg.lu(x)[1:]), "square"),
    "expm": (lambda xp, x: (jax.scipy.linalg if xp is jnp else xp.linalg).expm(x), "square"),
}


def fits(kind, shape):
    *_, rows, columns = shape
    some = {"any": True, "square": rows == columns, "tall": rows >= columns, "rank 2": len(shape) == 2}
    return some[kind]


CASES = [(name, shape) for name, (_, kind) in FUNCTIONS.items() for shape in SHAPES if fits(kind, shape)]


#: What is taken of (4, 4): of what takes square matrices only real ones, which have second derivatives as the others'
#: real ones of (5, 3) have; of some of these others complex ones.
QUICK = {name: np.float64 for name, (_, kind) in FUNCTIONS.items() if kind == "square"}
QUICK |= dict.fromkeys(("svd-reduced", "qr", "cholesky", "pinv", "cond"), np.complex128)
ALL = [(name, shape, dtype) for name, shape in CASES for dtype in DTYPES]


@pytest.mark.parametrize(
    ("name", "shape", "dtype"),
    tiered(
        ALL,
        lambda case: case[1:] in (((5, 3), np.float64), ((4, 4), QUICK.get(case[0]))),
    ),
)
def test_derivatives_are_those_of_jax(name, shape, dtype):
    function, _ = FUNCTIONS[name]
    judge(
        Judged(
            name,
            lambda x: function(wnp, x),
            lambda x: function(jnp, x),
            (matrix(shape, dtype, name),),
            tolerance=1e-9,
            second=dtype is np.float64 and shape in ((4, 4), (5, 3)),
        )
    )


N = wax.Dim("n")


@pytest.mark.parametrize("name", [name for name, (_, kind) in FUNCTIONS.items() if name != "cond"])
def test_gradients_of_matrices_of_open_size(name):
    function, _ = FUNCTIONS[name]

    def loss(x):
        return sum(wnp.sum(wnp.sin(leaf)) for leaf in wax.tree.flatten(function(wnp, x))[0])

    program = wax.jit(wax.grad(loss), backend="reference", dynamic_shapes={"x": {0: N, 1: N}})
    for count in (1, 2, 33):
        x = matrix((count, count), np.float64, name)
        close(program(wnp.asarray(x)), np.asarray(wax.grad(loss)(x)), 1e-8, f"{name} of {count} rows")


@pytest.mark.parametrize("name", tiered(("eigh", "svd-reduced", "qr", "cholesky", "pinv"), ("eigh", "qr").__contains__))
def test_compiled_gradients_are_the_same(name):
    function, _ = FUNCTIONS[name]

    def loss(x):
        return sum(wnp.sum(wnp.sin(leaf)) for leaf in wax.tree.flatten(function(wnp, x))[0])

    xs = np.stack([matrix((4, 4), np.float64, name, i) for i in range(3)])
    rows = wax.vmap(wax.grad(loss))
    wanted = np.stack([np.asarray(wax.grad(loss)(x)) for x in xs])
    close(rows(xs), wanted, 1e-10, "vmap")
    close(wax.jit(rows, device="cpu")(xs), wanted, 1e-9, "compiled")


def test_values_that_meet_have_derivatives_and_their_vectors_none():
    """What vectors of equal values are is arbitrary; so would be their derivatives."""
    one = np.eye(3)
    for values in (wnp.linalg.eigvalsh, wnp.linalg.svdvals):
        np.testing.assert_allclose(wax.grad(lambda x, f=values: wnp.sum(f(x) ** 2))(one), 2 * one, atol=1e-12)
    for vectors in (lambda x: wnp.linalg.eigh(x)[1], lambda x: wnp.linalg.svd(x)[0]):
        gradient = np.asarray(wax.grad(lambda x, f=vectors: wnp.sum(f(x) ** 3))(one))
        assert np.isnan(gradient).any()


def test_a_pseudo_inverse_has_its_derivative_where_values_meet_or_vanish():
    change = sampled((3, 3), "change")
    np.testing.assert_allclose(wax.jvp(wnp.linalg.pinv, (np.eye(3),), (change,))[1], -change, atol=1e-12)
    # Of rank 2, and moved to matrices of rank 2.
    left, right, step = sampled((5, 2), "left"), sampled((2, 4), "right"), 1e-6
    move = sampled((5, 2), "move") @ right
    found = wax.jvp(wnp.linalg.pinv, (left @ right,), (move,))[1]
    wanted = (np.linalg.pinv(left @ right + step * move) - np.linalg.pinv(left @ right - step * move)) / (2 * step)
    np.testing.assert_allclose(found, wanted, atol=1e-6 * np.abs(wanted).max())
    solution = wax.jvp(lambda a, b: wnp.linalg.lstsq(a, b).x, (left @ right, left[:, 0]), (move, left[:, 1]))[1]
    wanted = found @ left[:, 0] + np.linalg.pinv(left @ right) @ left[:, 1]
    np.testing.assert_allclose(solution, wanted, atol=1e-9 * np.abs(wanted).max())


@pytest.mark.parametrize("upper", [False, True])
def test_a_triangle_that_is_not_read_has_no_derivative(upper):
    x = np.diag([4.0, 5.0, 6.0]) + 1

    def loss(x):
        return wnp.sum(wnp.sin(wnp.linalg.cholesky(x, upper=upper, symmetrize_input=False)))

    found = np.asarray(wax.grad(loss)(x))
    assert not (np.tril if upper else np.triu)(found, -1 if upper else 1).any()
    both = np.asarray(wax.grad(lambda x: wnp.sum(wnp.sin(wnp.linalg.cholesky(x, upper=upper))))(x))
    np.testing.assert_allclose((found + found.T) / 2, both, atol=1e-12)


def cofactors(x):
    rows = range(len(x))
    minors = [[np.linalg.det(np.delete(np.delete(x, i, 0), j, 1)) for j in rows] for i in rows]
    return np.array([[(-1) ** (i + j) * minors[i][j] for j in rows] for i in rows])


@pytest.mark.parametrize(
    "x",
    [
        np.diag([1.0, 2.0, 0.0]),
        np.array([[0.0, 1.0], [0.0, 2.0]]),
        np.eye(5, k=1),
        np.zeros((3, 3)),
        sampled((5, 4), "left") @ sampled((4, 5), "right"),
        sampled((5, 3), "left") @ sampled((3, 5), "right"),
    ],
    ids=["last", "first", "all pivots", "zeros", "rank less 1", "rank less 2"],
)
def test_determinants_of_singular_matrices_have_cofactors_for_derivatives(x):
    np.testing.assert_allclose(wax.grad(wnp.linalg.det)(x), cofactors(x), rtol=1e-12, atol=1e-12)


def test_the_second_derivative_of_a_determinant_that_ends_in_a_zero_pivot():
    found = np.asarray(wax.hessian(wnp.linalg.det)(np.diag([1.0, 2.0, 0.0])))
    assert found[2, 2, 0, 0] == found[0, 0, 2, 2] == 2
    assert found[2, 2, 1, 1] == -found[1, 2, 2, 1] == 1


@pytest.mark.parametrize("name", ["inv", "solve", "slogdet", "solve_triangular", "cholesky"])
def test_derivatives_of_solutions_remember_no_turn_of_a_loop(name):
    function, _ = FUNCTIONS[name]

    def loss(x):
        return sum(wnp.sum(wnp.sin(leaf)) for leaf in wax.tree.flatten(function(wnp, x))[0])

    def twice(x):
        return wnp.sum(wax.grad(loss)(x) ** 2)

    for program in (wax.grad(loss), wax.grad(twice)):
        text = wax.jit(program).trace(matrix((5, 5), np.float64)).as_text()
        assert "scf.for" in text
        assert "tensor<5x1x5x5xf64>" not in text
