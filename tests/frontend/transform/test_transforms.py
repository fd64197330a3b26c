"""What the transformations promise: arguments, structures, nesting, symbolic sizes, dtypes, errors."""

from typing import NamedTuple

import jax
import ml_dtypes
import numpy as np
import pytest
from array_cases.case import rng
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp
import wax.special as special
from wax.errors import CustomRuleError, DifferentiationError, InvalidArgumentError

X = rng("x").normal(size=(3, 4)).astype(np.float32)
W = rng("w").normal(size=(4, 2)).astype(np.float32)


class Layer(NamedTuple):
    weight: object
    bias: object


def test_a_gradient_has_the_structure_of_its_argument():
    def loss(params, x):
        hidden = wnp.tanh(x @ params["first"].weight + params["first"].bias)
        return wnp.sum(hidden * params["scale"][0])

    params = {"first": Layer(W, np.zeros(2, np.float32)), "scale": [np.float32(2.0)]}
    gradient = wax.grad(loss)(params, X)
    wanted = jax.grad(
        lambda p, x: jax.numpy.sum(jax.numpy.tanh(x @ p["first"].weight + p["first"].bias) * p["scale"][0])
    )(params, X)
    assert isinstance(gradient["first"], Layer)
    for got, want in zip(wax.tree.flatten(gradient)[0], jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, atol=1e-5)


def test_argnums_choose_arguments_and_keywords_are_not_differentiated():
    def f(x, y, *, scale):
        return wnp.sum(x * y * scale)

    x, y = np.float32([1.0, 2.0]), np.float32([3.0, 4.0])
    by_y, by_x = wax.grad(f, argnums=(1, 0))(x, y, scale=np.float32(2.0))
    np.testing.assert_array_equal(np.asarray(by_y), 2 * x)
    np.testing.assert_array_equal(np.asarray(by_x), 2 * y)
    np.testing.assert_array_equal(np.asarray(wax.grad(f, argnums=-1)(x, y, scale=1.0)), x)


def test_auxiliary_values_come_back_beside_the_value():
    def f(x):
        return wnp.sum(x * x), {"count": wnp.asarray(3), "twice": x * 2}

    x = np.float32([1.0, 2.0])
    (value, aux), gradient = wax.value_and_grad(f, has_aux=True)(x)
    assert float(value) == 5.0
    assert int(aux["count"]) == 3
    np.testing.assert_array_equal(np.asarray(gradient), 2 * x)
    gradient, aux = wax.grad(f, has_aux=True)(x)
    np.testing.assert_array_equal(np.asarray(aux["twice"]), 2 * x)
    out, pullback, aux = wax.vjp(f, x, has_aux=True)
    np.testing.assert_array_equal(np.asarray(pullback(out)[0]), 10 * x)
    out, moved, aux = wax.jvp(f, (x,), (x,), has_aux=True)
    assert float(moved) == 10.0


def test_integers_have_no_derivative():
    def f(x, n):
        return x * n, n

    _, pullback = wax.vjp(f, np.float32(2.0), np.int32(3))
    by_x, by_n = pullback((np.float32(1.0), None))
    assert float(by_x) == 3.0
    assert by_n is None
    _, (moved, none) = wax.jvp(f, (np.float32(2.0), np.int32(3)), (np.float32(1.0), None))
    assert float(moved) == 3.0
    assert none is None


@pytest.mark.parametrize("depth", range(1, 5))
def test_derivatives_nest(depth):
    f = wnp.sin
    for _ in range(depth):
        f = wax.grad(f)
    wanted = [np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x), np.sin][depth - 1]
    np.testing.assert_allclose(float(f(np.float64(0.7))), wanted(0.7), rtol=1e-12)
    np.testing.assert_allclose(float(wax.jit(f)(np.float64(0.7))), wanted(0.7), rtol=1e-12)


def test_modes_mix():
    def cube(x):
        return x * x * x

    forward = wax.grad(lambda x: wax.jvp(cube, (x,), (1.0,))[1])
    reverse = lambda x: wax.jvp(wax.grad(cube), (x,), (np.float32(1.0),))[1]  # noqa: E731
    assert float(forward(np.float32(2.0))) == 12.0
    assert float(reverse(np.float32(2.0))) == 12.0
    np.testing.assert_allclose(np.asarray(wax.hessian(lambda x: wnp.sum(x**3))(X[0])), np.diag(6 * X[0]), rtol=1e-5)


def test_closures_over_traced_values_are_differentiated_by_the_outer_transformation():
    def outer(a):
        inner = wax.grad(lambda x: a * a * x * x)
        return inner(a)  # 2 a³

    assert float(wax.grad(outer)(np.float32(2.0))) == 24.0
    assert float(wax.jit(wax.grad(outer))(np.float32(2.0))) == 24.0


def test_jitted_functions_are_differentiated():
    inner = wax.jit(lambda x, w: wnp.tanh(x @ w))
    f = lambda x, w: wnp.sum(inner(inner(x, w), w[:2]))  # noqa: E731
    expected = jax.grad(lambda x, w: jax.numpy.sum(jax.numpy.tanh(jax.numpy.tanh(x @ w) @ w[:2])), argnums=(0, 1))(X, W)
    for got in (wax.grad(f, argnums=(0, 1))(X, W), wax.jit(wax.grad(f, argnums=(0, 1)))(X, W)):
        for one, want in zip(got, expected, strict=True):
            np.testing.assert_allclose(np.asarray(one), want, rtol=1e-4, atol=1e-5)


def test_a_pullback_can_be_called_again_and_a_linear_part_too():
    out, pullback = wax.vjp(lambda x: wnp.sin(x) * 2, X)
    np.testing.assert_allclose(np.asarray(out), np.sin(X) * 2, rtol=1e-6)
    for ct in (np.ones_like(X), X):
        np.testing.assert_allclose(np.asarray(pullback(ct)[0]), ct * 2 * np.cos(X), rtol=1e-5)
    out, push = wax.linearize(lambda x: wnp.sin(x) * 2, X)
    for t in (np.ones_like(X), X):
        np.testing.assert_allclose(np.asarray(push(t)), t * 2 * np.cos(X), rtol=1e-5)


def test_jacobians_have_the_dims_of_result_and_argument():
    def f(x, y):
        return {"a": wnp.sin(x) @ y, "b": x[0]}

    def judge(x, y):
        return {"a": jax.numpy.sin(x) @ y, "b": x[0]}

    for ours, theirs in ((wax.jacrev, jax.jacrev), (wax.jacfwd, jax.jacfwd)):
        got, want = ours(f, argnums=(0, 1))(X, W), theirs(judge, argnums=(0, 1))(X, W)
        for name in "ab":
            for one, wanted in zip(got[name], want[name], strict=True):
                np.testing.assert_allclose(np.asarray(one), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("size", tiered([0, 1, 2, 7], lambda size: size != 2))
def test_symbolic_sizes_serve_every_size(size):
    batch = wax.Dim("batch")

    def loss(w, x):
        hidden = wnp.concat([wnp.tanh(x @ w), x[:, 1:3]], axis=1)
        weights = wax.nn.softmax(wnp.cumsum(hidden, axis=0), axis=1)
        return wnp.sum(wnp.max(weights, axis=1) * wnp.mean(hidden, axis=1))

    def judge(w, x):
        hidden = jax.numpy.concat([jax.numpy.tanh(x @ w), x[:, 1:3]], axis=1)
        weights = jax.nn.softmax(jax.numpy.cumsum(hidden, axis=0), axis=1)
        return jax.numpy.sum(jax.numpy.max(weights, axis=1) * jax.numpy.mean(hidden, axis=1))

    x = rng("batch", size).normal(size=(size, 4)).astype(np.float32)
    wanted = jax.grad(judge, argnums=(0, 1))(W, x)
    for backend in ("reference", "iree") if size == 7 else ("reference",):
        f = wax.jit(wax.grad(loss, argnums=(0, 1)), dynamic_shapes={"x": {0: batch}}, backend=backend)
        for got, want in zip(f(W, x), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(got), want, rtol=1e-4, atol=1e-5)


def test_a_pullback_of_symbolic_sizes_is_called_where_it_was_made():
    def f(x, ct):
        out, pullback = wax.vjp(lambda x: wnp.sin(x) * wnp.sum(x), x)
        _, push = wax.linearize(wnp.cos, x)
        return out, pullback(ct)[0], push(ct)

    def judge(x, ct):
        out, pullback = jax.vjp(lambda x: jax.numpy.sin(x) * jax.numpy.sum(x), x)
        return out, pullback(ct)[0], jax.linearize(jax.numpy.cos, x)[1](ct)

    batch = wax.Dim("batch")
    run = wax.jit(f, dynamic_shapes={"x": {0: batch}, "ct": {0: batch}}, backend="reference")
    for got, want in zip(run(X, X * 2), judge(X, X * 2), strict=True):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
def test_a_gradient_has_its_argument_s_dtype(dtype):
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    x, w = X.astype(kind), W.astype(kind)
    gradient = wax.grad(lambda x, w: wnp.sum(wnp.tanh(x @ w)))(x, w)
    wanted = jax.grad(lambda x, w: jax.numpy.sum(jax.numpy.tanh(x @ w)))(x.astype("f8"), w.astype("f8"))
    assert np.asarray(gradient).dtype == kind
    tolerance = {"float64": 1e-12, "float32": 1e-5}.get(dtype, 4e-2)
    np.testing.assert_allclose(np.asarray(gradient).astype("f8"), wanted, rtol=tolerance, atol=tolerance)


def test_half_floats_are_summed_in_float32():
    ones = np.ones(4096, ml_dtypes.bfloat16)
    gradient = wax.grad(lambda s: wnp.sum((ones * s).astype(wnp.float32)))(np.asarray(1, ml_dtypes.bfloat16))
    assert float(gradient) == 4096.0  # summed in bfloat16 it would stop at 256


# Points without a derivative.


@pytest.mark.parametrize(
    ("f", "at", "slope"),
    [
        (wnp.abs, 0.0, 0.0),
        (lambda x: wnp.maximum(x, 1.0), 1.0, 0.5),
        (lambda x: wnp.minimum(x, 1.0), 1.0, 0.5),
        (wax.nn.relu, 0.0, 0.0),
        (lambda x: wnp.max(wnp.stack([x, x, x - 1])), 3.0, 1.0),
        (wnp.sign, 0.0, 0.0),
        (wnp.floor, 1.0, 0.0),
        (lambda x: wnp.where(x > 0, x, 2 * x), 0.0, 2.0),
        (wnp.sqrt, 0.0, np.inf),
        (lambda x: x**0.0, 0.0, 0.0),
        (lambda x: wnp.pow(0.0, x), 2.0, 0.0),
        (lambda x: special.xlogy(x, 2.0), 0.0, np.log(2.0)),
        (special.expit, 0.0, 0.25),
        (special.expit, -1000.0, 0.0),
        (wax.nn.sigmoid, -1000.0, 0.0),
        (wax.nn.softplus, 0.0, 0.5),
        (lambda x: wnp.logaddexp(x, 1.0), 1.0, 0.5),
        (wax.grad(wax.nn.softplus), 0.0, 0.25),
        (wax.grad(lambda x: wnp.logaddexp(x, 1.0)), 1.0, 0.25),
        (special.i1e, 0.0, 0.5),
        (lambda x: wnp.prod(wnp.stack([x, x * 0, x])), 2.0, 0.0),
    ],
)
def test_hard_points_have_the_stated_derivative(f, at, slope):
    np.testing.assert_allclose(float(wax.grad(f)(np.float64(at))), slope, rtol=1e-12)


def test_equal_maxima_share_alike():
    gradient = wax.grad(lambda x: wnp.sum(wnp.max(x, axis=0)))(np.float32([[1, 5], [3, 5], [3, 5], [3, 4]]))
    third = np.float32(1) / 3
    np.testing.assert_allclose(np.asarray(gradient), [[0, third], [third, third], [third, third], [third, 0]])


def test_a_complex_gradient_is_not_conjugated():
    z = np.complex64(1 + 2j)
    f = lambda z: wnp.real(z * z)  # noqa: E731
    np.testing.assert_allclose(complex(wax.grad(f)(z)), complex(jax.grad(lambda z: jax.numpy.real(z * z))(z)))
    np.testing.assert_allclose(complex(wax.grad(lambda z: z * z, holomorphic=True)(z)), 2 + 4j)
    np.testing.assert_allclose(complex(wax.grad(lambda z: wnp.abs(z))(np.complex64(0))), 0)


@pytest.mark.parametrize("f", [wnp.sign, wnp.abs, lambda z: wnp.conj(z) * wnp.abs(z), lambda z: wnp.sign(z) ** 2])
def test_functions_of_complex_numbers_without_complex_derivative_match_differences(f):
    z, weight, step = np.asarray([1 + 2j, -0.5 + 0.1j, -3j]), np.asarray([1 - 1j, 2 + 0.5j, 1j]), 1e-6

    def g(z):
        return wnp.sum(wnp.real(f(z) * weight))

    def slope(direction):
        return (complex(g(z + step * direction)) - complex(g(z - step * direction))).real / (2 * step)

    gradient = np.asarray(wax.grad(g)(z))
    for i, unit in enumerate(np.eye(3)):
        # Along t the derivative is Re(gradient · t): the transpose is not conjugated.
        np.testing.assert_allclose(gradient[i].real, slope(unit), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(-gradient[i].imag, slope(1j * unit), rtol=1e-6, atol=1e-8)
        moved = wax.jvp(g, (z,), ((1 + 1j) * unit,))[1]
        np.testing.assert_allclose(float(moved), slope((1 + 1j) * unit), rtol=1e-6, atol=1e-8)
    assert complex(wax.grad(lambda z: wnp.real(f(z)))(np.complex128(0))) == 0


# One's own rules.


def test_a_stopped_gradient_is_zero():
    assert float(wax.grad(lambda x: x * wax.stop_gradient(x * x))(np.float32(3.0))) == 9.0
    assert float(wax.jvp(lambda x: wax.stop_gradient({"a": x})["a"], (np.float32(3.0),), (1.0,))[1]) == 0.0
    assert float(wax.stop_gradient(wnp.asarray(3.0))) == 3.0


@wax.custom_vjp
def clipped(x):
    return x * 1.0


clipped.defvjp(lambda x: (x * 1.0, x), lambda x, ct: (wnp.clip(ct, -1.0, 1.0),))


@wax.custom_vjp
def own(x, y):
    return wnp.sin(x) * y


def own_forward(x, y):
    return own(x, y), (wnp.cos(x), wnp.sin(x), y)


def own_backward(residuals, ct):
    cos, sin, y = residuals
    return ct * cos * y, ct * sin


own.defvjp(own_forward, own_backward)


def test_reverse_mode_uses_a_custom_rule():
    assert float(clipped(np.float32(4.0))) == 4.0
    f = lambda x: wnp.sum(clipped(x) * np.float32([0.5, 7.0]))  # noqa: E731
    for g in (wax.grad(f), wax.jit(wax.grad(f)), wax.jit(wax.grad(wax.jit(f)))):
        np.testing.assert_array_equal(np.asarray(g(np.float32([1.0, 1.0]))), [0.5, 1.0])


def test_a_custom_rule_may_call_its_own_function_and_is_used_again():
    g = wax.grad(own, argnums=(0, 1))(np.float64(0.3), np.float64(2.0))
    np.testing.assert_allclose([float(x) for x in g], [np.cos(0.3) * 2, np.sin(0.3)])
    second = wax.grad(wax.grad(own))(np.float64(0.3), np.float64(2.0))
    np.testing.assert_allclose(float(second), -np.sin(0.3) * 2)


def test_a_custom_rule_may_have_one_for_forward_mode_beside_it():
    @wax.custom_vjp
    def root(x):
        return wnp.sqrt(x)

    root.defvjp(lambda x: (root(x),) * 2, lambda y, ct: (ct / (2 * y),))

    @root.defjvp
    def _(primals, tangents):
        y = root(*primals)
        return y, tangents[0] * 3 / y  # another than the rule for reverse mode: it is seen which one is taken

    x = np.array([4.0, 9.0])
    for pushed in (wax.jvp, wax.jit(lambda f, *args: wax.jvp(root, *args), static_argnums=0)):
        np.testing.assert_allclose(pushed(root, (x,), (x,))[1], 3 * np.sqrt(x))
    np.testing.assert_allclose(wax.vmap(lambda x: wax.jvp(root, (x,), (x,))[1])(x), 3 * np.sqrt(x))
    np.testing.assert_allclose(wax.grad(lambda x: wnp.sum(root(x)))(x), 0.5 / np.sqrt(x))
    np.testing.assert_allclose(wax.grad(lambda x: wax.jvp(root, (x,), (x,))[1][0])(x), [3 / 4, 0])
    np.testing.assert_allclose(wax.jvp(wax.grad(lambda x: wnp.sum(root(x))), (x,), (x,))[1], -1.5 / np.sqrt(x))

    def scaled(a, x):
        times = wax.custom_vjp(lambda x: a * x)
        times.defvjp(lambda x: (a * x, None), lambda _, ct: (10 * a * ct,))
        times.defjvp(lambda primals, tangents: (a * primals[0], 100 * a * tangents[0]))
        return times(x)

    assert float(wax.jvp(lambda x: scaled(2 * x, x), (3.0,), (1.0,))[1]) == 600
    assert float(wax.grad(lambda x: scaled(2 * x, x))(3.0)) == 60


def test_custom_rules_close_over_traced_values():
    def f(a, x):
        @wax.custom_vjp
        def scaled(x):
            return a * x

        scaled.defvjp(lambda x: (a * x, None), lambda _, ct: (10 * a * ct,))
        return scaled(x)

    assert float(wax.grad(f, argnums=1)(np.float32(2.0), np.float32(3.0))) == 20.0


@wax.custom_jvp
def softened(x):
    return wnp.maximum(x, 0.0)


@softened.defjvp
def softened_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return softened(x), t * special.expit(x)


def test_both_modes_use_a_custom_forward_rule():
    x = np.float64(0.3)
    slope = 1 / (1 + np.exp(-0.3))
    np.testing.assert_allclose(float(wax.jvp(softened, (x,), (2.0,))[1]), 2 * slope)
    np.testing.assert_allclose(float(wax.grad(softened)(x)), slope)
    np.testing.assert_allclose(float(wax.jit(wax.grad(lambda x: softened(x) * x))(x)), slope * 0.3 + 0.3)
    np.testing.assert_allclose(float(wax.grad(wax.grad(softened))(x)), slope * (1 - slope))


def test_rules_for_each_argument_are_summed():
    @wax.custom_jvp
    def f(x, y):
        return x * y

    f.defjvps(lambda t, _, x, y: 100 * t * y, lambda t, _, x, y: t * x)
    got = wax.grad(f, argnums=(0, 1))(np.float32(2.0), np.float32(3.0))
    assert [float(x) for x in got] == [300.0, 2.0]


def test_static_arguments_are_given_to_a_rule_first():
    f = wax.custom_vjp(lambda n, x: x * n, nondiff_argnums=(0,))
    f.defvjp(lambda n, x: (x * n, None), lambda n, _, ct: (ct * n * 2,))
    assert float(wax.grad(lambda x: f(3, x))(np.float32(1.0))) == 6.0


# What is refused.


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wax.grad(lambda x: x * 2)(X), r"returns float32\(3, 4\), no scalar"),
        (lambda: wax.grad(lambda x: (x, x))(np.float32(1)), "returns 2 values in a container"),
        (lambda: wax.grad(lambda x: x * 1.0)(np.int32(1)), "argument of dtype int32"),
        (lambda: wax.grad(lambda x: x > 0)(np.float32(1)), "returns bool"),
        (lambda: wax.grad(lambda x: x * 1j)(np.float32(1)), "a real floating scalar"),
        (lambda: wax.grad(lambda x: x, holomorphic=True)(np.float32(1)), "takes complex arguments"),
        (lambda: wax.jacrev(lambda x: x * 1.0)(np.int32(1)), "argument of dtype int32"),
        (lambda: wax.vjp(wnp.sin, X)[1](np.float32(1.0)), r"float32\(\), and belongs to float32\(3, 4\)"),
        (lambda: wax.vjp(lambda x: (x, x), X)[1](X), "another structure"),
        (lambda: wax.jvp(wnp.sin, (X,), (X[0],)), r"float32\(4,\), and belongs to float32\(3, 4\)"),
        (lambda: wax.jvp(wnp.sin, (X,), (X, X)), "another structure"),
        (lambda: wax.grad(lambda x: x, has_aux=True)(np.float32(1)), "returns a pair"),
        (lambda: wax.jvp(clipped, (np.float32(1),), (np.float32(1),)), "a rule for reverse mode only"),
    ],
)
def test_what_has_no_derivative_is_refused(call, message):
    with pytest.raises(DifferentiationError, match=message):
        call()


def test_argnums_that_do_not_exist_are_refused():
    with pytest.raises(InvalidArgumentError, match="argnums is 3"):
        wax.grad(lambda x: x, argnums=3)(np.float32(1))


def test_an_operation_without_derivative_is_named_with_its_line():
    def f(a):
        return special.gammainc(a, 2.0)

    with pytest.raises(DifferentiationError, match=r"'wax.igamma' has no derivative by operand 0") as caught:
        wax.grad(f)(np.float32(1.5))
    assert caught.value.location.file == __file__
    assert caught.value.location.line == f.__code__.co_firstlineno + 1


@pytest.mark.parametrize(
    ("forward", "backward", "message"),
    [
        (lambda x: x, lambda r, ct: (ct,), "returns a pair"),
        (lambda x: (x[0], None), lambda r, ct: (ct,), r"is float32\(4,\), and the function's is float32\(3, 4\)"),
        (lambda x: (x, None), lambda r, ct: ct, "a cotangent for each argument"),
        (lambda x: (x, None), lambda r, ct: (ct[0],), r"is float32\(4,\), and its argument is float32\(3, 4\)"),
    ],
)
def test_a_rule_that_does_not_fit_is_refused(forward, backward, message):
    f = wax.custom_vjp(lambda x: x * 1.0)
    f.defvjp(forward, backward)
    with pytest.raises(CustomRuleError, match=message):
        wax.grad(lambda x: wnp.sum(f(x)))(X)


def test_a_function_without_its_rule_is_refused():
    with pytest.raises(CustomRuleError, match="before its rule is given"):
        wax.custom_vjp(lambda x: x)(X)


# Kernels of one's own.


def test_user_kernels_are_differentiated():
    def f(x, y):
        mapped = wax.kernel.map(lambda a: wnp.where(a > 0, wnp.sin(a) * a, wnp.exp(a)), x)
        joined = wax.kernel.broadcast(lambda a, b: wnp.tanh(a * b) + b, mapped, y)
        return wnp.sum(joined)

    def judge(x, y):
        mapped = jax.numpy.where(x > 0, jax.numpy.sin(x) * x, jax.numpy.exp(x))
        return jax.numpy.sum(jax.numpy.tanh(mapped * y) + y)

    x, y = X.astype("f8"), X[0].astype("f8")
    for got, want in zip(wax.grad(f, argnums=(0, 1))(x, y), jax.grad(judge, argnums=(0, 1))(x, y), strict=True):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-12)


def test_user_folds_of_several_accumulators_are_differentiated():
    # Welford's mean and sum of squared distances, element by element.
    def welford(x, count, mean, squares):
        count = count + 1
        apart = x - mean
        mean = mean + apart / count
        return count, mean, squares + apart * (x - mean)

    def variance(x):
        start = [np.float64(0)] * 3
        count, _, squares = wax.kernel.reduce(welford, x, tuple(start), axis=1)
        return squares / count

    x = X.astype("f8")
    _, pullback = wax.vjp(variance, x)
    _, judge = jax.vjp(lambda x: jax.numpy.var(x, axis=1), x)
    ct = np.asarray([1.0, 2.0, -0.5])
    np.testing.assert_allclose(np.asarray(pullback(ct)[0]), judge(ct)[0], rtol=1e-12, atol=1e-12)
    _, moved = wax.jvp(variance, (x,), (np.cos(x),))
    np.testing.assert_allclose(np.asarray(moved), jax.jvp(lambda x: jax.numpy.var(x, axis=1), (x,), (np.cos(x),))[1])


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
def test_user_scans_are_differentiated(exclusive, reverse):
    def decayed(x):
        scanned = wax.kernel.scan(
            lambda a, total: total * wnp.sin(a) + a, x, np.float64(0.5), axis=0, exclusive=exclusive, reverse=reverse
        )
        return wnp.sum(scanned * scanned)

    x = rng("scan").normal(size=6)
    step = 1e-6
    wanted = [(float(decayed(x + step * unit)) - float(decayed(x - step * unit))) / (2 * step) for unit in np.eye(6)]
    np.testing.assert_allclose(np.asarray(wax.grad(decayed)(x)), wanted, rtol=1e-6, atol=1e-7)
    moved = wax.jvp(decayed, (x,), (np.ones(6),))[1]
    np.testing.assert_allclose(float(moved), sum(wanted), rtol=1e-6)
