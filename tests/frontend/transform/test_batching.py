"""`vmap`: axes, control flow, what it nests with, and collectives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from control_programs import PROGRAMS

import wax
import wax.numpy as wnp
from wax.errors import AxisNameError, BatchingError, InvalidArgumentError

RNG = np.random.default_rng(5)
X = RNG.normal(size=(4, 3))
Y = RNG.normal(size=(4, 3))
M = RNG.normal(size=(3, 3))


def close(actual, wanted, tolerance=1e-12):
    ours = wax.tree.flatten(actual)[0]
    theirs = [wanted] if len(ours) == 1 else jax.tree_util.tree_leaves(wanted)
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=tolerance, atol=tolerance)


@pytest.fixture(autouse=True)
def _double():
    with jax.enable_x64(True):
        yield


class TestAxes:
    @pytest.mark.parametrize("axis", [0, 1, -1, -2])
    def test_rows_lie_along_any_axis(self, axis):
        rows = np.moveaxis(X, 0, axis)
        close(wax.vmap(lambda x: x.sum() * x, in_axes=axis)(rows), X.sum(1, keepdims=True) * X)

    @pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
    def test_rows_of_results_go_along_any_axis(self, axis):
        close(
            wax.vmap(wnp.outer, out_axes=axis)(X, Y),
            jax.vmap(jnp.outer, out_axes=axis)(X, Y),
        )

    def test_axes_are_prefixes_of_pytrees(self):
        def f(pair, scale):
            return {"sum": pair[0] + pair[1]["b"] * scale, "same": scale}

        args = ((X, {"b": Y.T}), 2.0)
        axes = ((0, {"b": 1}), None)
        close(wax.vmap(f, in_axes=axes)(*args), jax.vmap(f, in_axes=axes)(*args))
        out = {"sum": 1, "same": None}
        close(wax.vmap(f, in_axes=axes, out_axes=out)(*args), jax.vmap(f, in_axes=axes, out_axes=out)(*args))

    def test_named_arguments_are_batched_along_axis_0(self):
        close(wax.vmap(lambda x, y: x @ y, in_axes=1)(X.T, y=Y), (X * Y).sum(1))

    def test_what_is_the_same_for_all_rows_is_repeated(self):
        close(wax.vmap(lambda x: (x, wnp.ones(2)))(X), (X, np.ones((4, 2))))

    def test_a_size_without_a_batched_argument(self):
        close(wax.vmap(lambda x: x * 2, in_axes=None, axis_size=5)(3.0), np.full(5, 6.0, np.float32))

    def test_batches_of_no_rows(self):
        assert wax.vmap(lambda x: wnp.sort(x) + x.sum())(np.zeros((0, 3))).shape == (0, 3)

    def test_a_symbolic_size(self):
        b = wax.Dim("b")
        f = wax.jit(wax.vmap(lambda x: wnp.sort(x) - x.sum()), dynamic_shapes=[{0: b}])
        for size in (2, 5):
            rows = RNG.normal(size=(size, 3))
            close(f(rows), np.sort(rows, 1) - rows.sum(1, keepdims=True))


class TestControlFlow:
    def test_rows_choose_their_branches(self):
        def f(module):
            def g(x):
                return module.cond(x[0] > 0, lambda x: x.sum() * x, lambda x: x - 1, x)

            return g

        close(wax.vmap(f(wax))(X), jax.vmap(f(jax.lax))(X))

    def test_a_choice_that_all_rows_make_stays_one(self):
        def f(flag, x):
            return wax.cond(flag, lambda x: x * 2, lambda x: x - 1, x)

        close(wax.vmap(f, in_axes=(None, 0))(np.bool_(True), X), X * 2)
        text = wax.jit(wax.vmap(f, in_axes=(None, 0))).trace(np.bool_(True), X).as_text()
        assert "scf.if" in text
        text = wax.jit(wax.vmap(f)).trace(np.ones(4, bool), X).as_text()
        assert "scf.if" not in text

    def test_rows_leave_a_loop_at_different_turns(self):
        def f(n):
            return wax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2), (0, 1.0))

        count, power = wax.vmap(f)(np.asarray([0, 3, 1, 7]))
        close((count, power), (np.asarray([0, 3, 1, 7]), np.asarray([1.0, 8, 2, 128], np.float32)))

    def test_bounds_differ_between_rows(self):
        def f(low, high, x):
            return wax.fori_loop(low, high, lambda i, c: c + i * x, 0.0 * x)

        low, high = np.asarray([0, 2, 5]), np.asarray([3, 2, 9])
        wanted = [sum(range(a, b)) * x for a, b, x in zip(low, high, X[:3, 0], strict=True)]
        close(wax.vmap(f)(low, high, X[:3, 0]), wanted)
        close(wax.vmap(f, in_axes=(None, 0, None))(1, high, 2.0), [6.0, 2.0, 72.0])

    def test_a_loop_within_a_branch_not_taken_need_not_end(self):
        def forever(x):
            return wax.while_loop(lambda c: c != 1, lambda c: wnp.where(c % 2 == 0, c // 2, 3 * c + 1), x)

        def f(x):
            return wax.cond(x > 0, forever, lambda x: x, x)

        # From 0 and -5 the loop goes round for ever.
        close(wax.vmap(f)(np.asarray([0, 7, -5, 1])), [0, 1, -5, 1])

    def test_loops_within_loops(self):
        def f(module):
            def g(n, x):
                def turn(i, c):
                    return module.while_loop(lambda v: v.sum() < i, lambda v: v + 1.5, c)

                return module.fori_loop(0, n, turn, x)

            return g

        n = np.asarray([0, 2, 9, 5])
        close(wax.vmap(f(wax))(n, X), jax.vmap(f(jax.lax))(n, X))

    def test_scans(self):
        def f(module):
            def g(c, xs):
                return module.scan(lambda c, x: (c * 0.5 + x, c * x), c, xs)

            return g

        close(wax.vmap(f(wax))(X[:, 0], Y), jax.vmap(f(jax.lax))(X[:, 0], Y))
        close(wax.vmap(f(wax), in_axes=(None, 0))(1.0, Y), jax.vmap(f(jax.lax), in_axes=(None, 0))(1.0, Y))
        close(
            wax.vmap(f(wax), in_axes=(0, None))(X[:, 0], Y[0]), jax.vmap(f(jax.lax), in_axes=(0, None))(X[:, 0], Y[0])
        )

    def test_slices_at_places_of_the_row(self):
        close(wax.vmap(lambda x, i: x[i])(X, np.asarray([0, 2, 1, 2])), X[np.arange(4), [0, 2, 1, 2]])
        made = wax.vmap(lambda x, i: x.at[i].set(7.0), in_axes=(None, 0))(X[0], np.arange(3))
        close(made, np.where(np.eye(3) > 0, 7.0, X[0]))


def energy(np_):
    return lambda x, m: np_.sum(np_.tanh(m @ x) ** 2) + np_.prod(x)


class TestNesting:
    def test_gradients_of_each_row(self):
        close(wax.vmap(wax.grad(energy(wnp)), (0, None))(X, M), jax.vmap(jax.grad(energy(jnp)), (0, None))(X, M))

    def test_the_gradient_of_a_batch(self):
        def f(module, np_):
            return lambda x, m: module.vmap(energy(np_), (0, None))(x, m).sum()

        ours = wax.grad(f(wax, wnp), argnums=(0, 1))(X, M)
        close(ours, jax.grad(f(jax, jnp), argnums=(0, 1))(X, M))

    def test_gradients_of_batches_of_gradients(self):
        def f(module, np_):
            inner = module.vmap(module.grad(energy(np_)), (0, None))
            return module.grad(lambda x, m: (inner(x, m) ** 2).sum())

        close(f(wax, wnp)(X, M), f(jax, jnp)(X, M), 1e-10)

    def test_hessians_of_each_row(self):
        close(
            wax.jit(wax.vmap(wax.hessian(energy(wnp)), (0, None)))(X, M),
            jax.vmap(jax.hessian(energy(jnp)), (0, None))(X, M),
            1e-10,
        )

    def test_batches_of_batches(self):
        def f(module):
            return module.vmap(module.vmap(lambda x, y: x - y, (None, 0)), (0, None))

        close(f(wax)(X[0], Y[0]), f(jax)(X[0], Y[0]))

    def test_closures_over_values_of_the_trace(self):
        def f(module, np_):
            def g(x, m):
                y = np_.sin(m)
                return module.vmap(lambda row: np_.dot(y, row) * module.vmap(lambda a: a * y[0])(row).sum())(x)

            return g

        close(wax.jit(f(wax, wnp))(X, M), f(jax, jnp)(X, M))
        close(
            wax.grad(lambda m: f(wax, wnp)(X, m).sum())(M),
            jax.grad(lambda m: f(jax, jnp)(X, m).sum())(M),
        )

    def test_gradients_through_scans_in_batches(self):
        def f(module, np_):
            def g(c, xs):
                return module.scan(lambda c, x: (np_.sin(c) * x, c), c, xs)[0]

            return g

        ours = wax.jit(wax.grad(lambda c, xs: wax.vmap(f(wax, wnp))(c, xs).sum()))(X[:, 0], Y)
        close(ours, jax.grad(lambda c, xs: jax.vmap(f(jax.lax, jnp))(c, xs).sum())(X[:, 0], Y))

    def test_a_jitted_function_in_a_batch(self):
        close(wax.vmap(wax.jit(lambda x: x * x.sum()))(X), X * X.sum(1, keepdims=True))


def clipped(module):
    @module.custom_vjp
    def f(x, scale):
        return x * scale

    f.defvjp(lambda x, scale: (x * scale, scale), lambda scale, ct: (ct * 0.5, ct.sum() * 0 + 3.0))
    return f


def pushed(module):
    @module.custom_jvp
    def f(x):
        return x * x

    f.defjvp(lambda primals, tangents: (primals[0] ** 2, tangents[0] * 5.0))
    return f


class TestRules:
    def test_a_batch_of_a_function_with_a_rule_is_differentiated_by_it(self):
        def f(module, in_axes):
            return module.grad(lambda x, s: module.vmap(clipped(module), in_axes)(x, s).sum(), argnums=(0, 1))

        close(f(wax, (0, 0))(X[:, 0], Y[:, 0]), f(jax, (0, 0))(X[:, 0], Y[:, 0]))
        close(f(wax, (0, None))(X[:, 0], np.float64(2)), f(jax, (0, None))(X[:, 0], np.float64(2)))
        close(f(wax, (None, 0))(np.float64(2), X[:, 0]), f(jax, (None, 0))(np.float64(2), X[:, 0]))

    def test_batches_of_gradients_by_a_rule(self):
        close(wax.vmap(wax.grad(clipped(wax)))(X[:, 0], Y[:, 0]), np.full(4, 0.5))

    def test_rules_for_forward_mode(self):
        f = wax.vmap(pushed(wax))
        close(wax.jvp(f, (X,), (Y,)), (X * X, 5 * Y))
        close(wax.grad(lambda x: f(x).sum())(X), np.full((4, 3), 5.0))

    def test_what_has_no_derivative_has_none_in_a_batch(self):
        close(wax.grad(lambda x: wax.vmap(lambda r: r * wax.stop_gradient(r))(x).sum())(X), X)


class TestCollectives:
    def test_sums_means_and_extremes_over_the_rows(self):
        def f(x):
            return wax.psum(x, "i"), wax.pmean(x, "i"), wax.pmax(x, "i"), wax.pmin(x, "i")

        wanted = [np.broadcast_to(one, X.shape) for one in (X.sum(0), X.mean(0), X.max(0), X.min(0))]
        close(wax.vmap(f, axis_name="i")(X), wanted)
        close(wax.vmap(f, axis_name="i", out_axes=None)(X), [one[0] for one in wanted])

    def test_the_number_of_the_row(self):
        close(wax.vmap(lambda x: x * wax.axis_index("i"), axis_name="i")(X), X * np.arange(4)[:, None])

    def test_what_is_the_same_for_all_rows_is_summed_too(self):
        close(wax.vmap(lambda x: wax.psum(wnp.ones(2), "i"), axis_name="i")(X), np.full((4, 2), 4.0))
        assert wax.vmap(lambda x: x * wax.psum(1, "i"), axis_name="i")(X).shape == X.shape
        for dtype in ("bool", "uint8", "int64", "float16", "bfloat16", "complex64"):
            rows = np.ones((4, 3), np.int8)
            same, judged = wnp.asarray([3, 0, 1], dtype=dtype), jnp.asarray([3, 0, 1], dtype=dtype)
            found = wax.vmap(lambda x, same=same: wax.psum(same, "i") + 0 * x, axis_name="i")(rows)
            wanted = jax.vmap(lambda x, same=judged: jax.lax.psum(same, "i") + 0 * x, axis_name="i")(rows)
            np.testing.assert_array_equal(np.asarray(found, complex), np.asarray(wanted, complex), err_msg=dtype)

    @pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": -1}, {"tiled": True}])
    def test_all_rows_together(self, options):
        ours = wax.vmap(lambda x: wax.all_gather(x, "i", **options), axis_name="i")(X)
        close(ours, jax.vmap(lambda x: jax.lax.all_gather(x, "i", **options), axis_name="i")(X))

    @pytest.mark.parametrize("perm", [[(0, 1), (1, 2), (2, 3), (3, 0)], [(0, 2), (3, 1)], []])
    def test_rows_that_go_elsewhere(self, perm):
        wanted = np.zeros_like(X)
        for source, to in perm:
            wanted[to] = X[source]
        close(wax.vmap(lambda x: wax.ppermute(x, "i", perm), axis_name="i")(X), wanted)

    def test_axes_of_several_batches(self):
        def f(module, collective):
            def g(x):
                return (
                    collective.psum(x, ("i", "j")),
                    collective.psum(x, "i") - collective.psum(x, "j"),
                    collective.all_gather(x, "i"),
                    collective.axis_index("i") * 10 + collective.axis_index("j"),
                )

            return module.vmap(module.vmap(g, axis_name="j"), axis_name="i")

        close(f(wax, wax)(X), f(jax, jax.lax)(X))

    @pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint8, np.int64, np.uint64, np.bool_])
    def test_extremes_of_all_dtypes(self, dtype):
        x = np.asarray([[0, 3], [200, 1], [7, 7]]).astype(dtype)
        found = wax.vmap(lambda x: (wax.pmax(x, "i"), wax.pmin(x, "i")), axis_name="i")(x)
        close(found, [np.broadcast_to(one, x.shape) for one in (x.max(0), x.min(0))])
        close(wax.vmap(lambda _: wax.pmax(wnp.asarray(x), "i"), axis_name="i", out_axes=None)(X), x)

    def test_gradients_of_extremes_go_to_those_that_have_them(self):
        x = np.asarray([[1.0, 5.0], [4.0, 5.0], [2.0, 3.0]])
        ct = np.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        _, pullback = wax.vjp(wax.vmap(lambda x: wax.pmax(x, "i"), axis_name="i"), x)
        close(pullback(ct)[0], [[0.0, 6.0], [9.0, 6.0], [0.0, 0.0]])
        _, moved = wax.jvp(wax.vmap(lambda x: wax.pmin(x, "i"), axis_name="i"), (x,), (ct,))
        close(moved, np.broadcast_to([1.0, 6.0], (3, 2)))

    def test_gradients_of_what_goes_elsewhere_come_back(self):
        perm = [(0, 2), (3, 1)]
        _, pullback = wax.vjp(wax.vmap(lambda x: wax.ppermute(x, "i", perm), axis_name="i"), X)
        wanted = np.zeros_like(X)
        for source, to in perm:
            wanted[source] = Y[to]
        close(pullback(Y)[0], wanted)

    def test_complex_numbers_have_no_extremes(self):
        with pytest.raises(wax.errors.DTypeError, match="pmax of complex128: complex numbers have no order"):
            wax.vmap(lambda x: wax.pmax(x, "i"), axis_name="i")(X + 1j)

    def test_gradients_through_collectives(self):
        def f(module, collective, np_):
            def g(x):
                y = np_.sin(x) - collective.pmean(x * x, "i")
                return (y * collective.all_gather(x, "i").sum()).sum()

            return module.vmap(module.grad(g), axis_name="i"), module.grad(
                lambda x: module.vmap(g, axis_name="i")(x).sum()
            )

        for ours, theirs in zip(f(wax, wax, wnp), f(jax, jax.lax, jnp), strict=True):
            close(ours(X), theirs(X))

    def test_an_axis_that_there_is_not(self):
        with pytest.raises(AxisNameError, match=r"no axis named 'j' here; the named axes are: 'i'"):
            wax.vmap(lambda x: wax.psum(x, "j"), axis_name="i")(X)
        with pytest.raises(AxisNameError, match="the named axes are: none"):
            wax.axis_index("i")

    def test_a_jitted_function_sees_the_axes_around_it(self):
        f = wax.jit(lambda x: wax.psum(x, "i") + wax.axis_size("i"))
        close(wax.vmap(f, axis_name="i")(X), np.broadcast_to(X.sum(0) + 4, X.shape))
        close(wax.vmap(f, axis_name="i")(X[:2]), np.broadcast_to(X[:2].sum(0) + 2, (2, 3)))
        with pytest.raises(AxisNameError):
            f(X)


class TestRefusals:
    def test_sizes_that_differ(self):
        with pytest.raises(
            BatchingError, match=r"sizes of the batch differ: args\[0\] is float64\(4, 3\) with 4 along"
        ):
            wax.vmap(lambda x, y: x)(X, X[:2])
        with pytest.raises(BatchingError, match="axis_size=3"):
            wax.vmap(lambda x: x, axis_size=3)(X)

    def test_axes_that_there_are_not(self):
        with pytest.raises(BatchingError, match=r"args\[0\]\['a'\] is float64\(4, 3\), which has no axis 2"):
            wax.vmap(lambda x: x["a"], in_axes=2)({"a": X})
        with pytest.raises(BatchingError, match="has no axis 0"):
            wax.vmap(lambda x, y: x * y)(X, 2.0)
        with pytest.raises(BatchingError, match="no axis 3"):
            wax.vmap(lambda x: x, out_axes=3)(X)

    def test_axes_unlike_the_arguments(self):
        with pytest.raises(BatchingError, match="in_axes"):
            wax.vmap(lambda x: x, in_axes=({"b": 0},))({"a": X, "c": X})
        with pytest.raises(BatchingError, match="2 entries, and there are 1 positional"):
            wax.vmap(lambda x: x, in_axes=(0, None))(X)
        with pytest.raises(BatchingError, match="nothing is batched"):
            wax.vmap(lambda x: x, in_axes=None)(X)

    def test_results_that_differ_between_rows_have_an_axis(self):
        with pytest.raises(BatchingError, match="not the same for all rows"):
            wax.vmap(lambda x: x, out_axes=None)(X)

    def test_names_and_permutations(self):
        with pytest.raises(InvalidArgumentError, match="axis_name"):
            wax.vmap(lambda x: x, axis_name=3)
        with pytest.raises(InvalidArgumentError, match="none twice"):
            wax.vmap(lambda x: wax.ppermute(x, "i", [(0, 1), (2, 1)]), axis_name="i")(X)


def _varied(x):
    """An argument, and others like it."""
    x = np.asarray(x)
    if x.dtype == np.bool_:
        return np.stack([x, ~x, x])
    if x.dtype.kind in "iu":
        return np.stack([x, x + 1, x + 2]).astype(x.dtype)
    return np.stack([x, x * 0.75, x * 1.25]).astype(x.dtype)


@pytest.mark.parametrize("program", [one for one in PROGRAMS if one.arguments], ids=str)
def test_programs_with_branches_and_loops(program):
    rows = [_varied(x) for x in program.arguments]
    singles = [wax.tree.flatten(program.traced(*(wnp.asarray(x[i]) for x in rows)))[0] for i in range(3)]
    for own in [range(len(rows)), *([i] for i in range(len(rows)))]:
        axes = tuple(0 if i in own else None for i in range(len(rows)))
        given = [x if i in own else x[0] for i, x in enumerate(rows)]
        if len(own) != len(rows):
            singles = [
                wax.tree.flatten(
                    program.traced(
                        *(wnp.asarray(x[i] if axis == 0 else x) for x, axis in zip(given, axes, strict=True))
                    )
                )[0]
                for i in range(3)
            ]
        made = wax.tree.flatten(wax.vmap(program.traced, in_axes=axes)(*given))[0]
        for one, *wanted in zip(made, *singles, strict=True):
            many, stacked = np.asarray(one), np.stack([np.asarray(x) for x in wanted])
            assert many.dtype == stacked.dtype
            np.testing.assert_allclose(
                many.astype(np.float64) if many.dtype.kind not in "c" else many,
                stacked.astype(np.float64) if many.dtype.kind not in "c" else stacked,
                rtol=max(program.tolerance, 1e-6),
                atol=1e-6,
            )
