"""User kernels: Python functions on scalars as the regions of map, broadcast, reduce and scan."""

import math

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax.errors import AxisError, InvalidArgumentError, KernelError, ShapeError

X = np.linspace(-2, 2, 12, dtype="f4").reshape(3, 4)


def leaky(a):
    return wnp.where(a > 0, a, 0.1 * a)


def both(function, *arguments):
    """The result outside jit, and compiled."""
    eager = function(*map(wnp.asarray, arguments))
    compiled = wax.jit(function)(*map(wnp.asarray, arguments))
    return eager, compiled


def test_map_applies_a_function_to_every_element():
    for result in both(lambda x: wax.kernel.map(leaky, x), X):
        np.testing.assert_allclose(result, np.where(X > 0, X, np.float32(0.1) * X), rtol=1e-6)


def test_functions_of_complex_numbers_are_not_undone_by_their_inverses():
    """Upstream's folders take them away; rounding and the turns of an imaginary part do not come back."""
    turned, large, small = np.asarray([10j], "c8"), np.asarray([1e8 + 1j], "c8"), np.asarray([1e-3 + 1j], "c8")
    for result in both(lambda x: wax.kernel.map(lambda a: wnp.log(wnp.exp(a)), x), turned):
        np.testing.assert_allclose(result, (10 - 4 * math.pi) * 1j, atol=1e-5)
    for result in both(lambda x, y: wax.kernel.broadcast(lambda a, b: (a + b) - a, x, y), large, small):
        np.testing.assert_array_equal(result, np.asarray([1j], "c8"))
    for result in both(lambda x, y: wax.kernel.broadcast(lambda a, b: (b - a) + a, x, y), large, small):
        np.testing.assert_array_equal(result, np.asarray([1j], "c8"))


def test_kernels_use_operators_numpy_scalars_and_elementwise_functions():
    def kernel(a):
        b = np.float32(2) * a + 1
        c = wax.nn.gelu(wnp.exp(-abs(b)), approximate=True)
        return wnp.where((b > 0) & ~(c < 0.5), c // 0.25, wnp.maximum(b, c) % 3).astype(wnp.float64)

    for result in both(lambda x: wax.kernel.map(kernel, x), X):
        b = 2 * X + 1
        e = np.exp(-np.abs(b))
        c = 0.5 * e * (1 + np.tanh(math.sqrt(2 / math.pi) * (e + 0.044715 * e**3)))
        expected = np.where((b > 0) & ~(c < 0.5), c // 0.25, np.maximum(b, c) % 3)
        assert result.dtype == wnp.float64
        np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_broadcast_follows_numpy_or_joins_named_dims():
    a, b = X, X[0]
    for result in both(lambda a, b: wax.kernel.broadcast(lambda p, q: p * q + 1, a, b), a, b):
        np.testing.assert_allclose(result, a * b + 1, rtol=1e-6)
    joined = lambda a, b: wax.kernel.broadcast(lambda p, q: p - q, a, b, dims=[(2, 0), (1,)])  # noqa: E731
    for result in both(joined, a, b):
        np.testing.assert_allclose(result, a.T[:, None, :] - b[None, :, None], rtol=1e-6)
    free = lambda b: wax.kernel.broadcast(lambda p: p, b, dims=[(1,)], shape=(2, 4, 3))  # noqa: E731
    for result in both(free, b):
        np.testing.assert_array_equal(result, np.broadcast_to(b[None, :, None], (2, 4, 3)))


def test_reduce_folds_with_one_accumulator_or_several():
    square_sum = lambda x: wax.kernel.reduce(lambda a, t: t + a * a, x, 0.0, axis=1, combine=lambda p, q: p + q)  # noqa: E731
    for result in both(square_sum, X):
        np.testing.assert_allclose(result, (X * X).sum(axis=1), rtol=1e-6)

    def extremes(x):
        return wax.kernel.reduce(
            lambda a, low, high: (wnp.minimum(a, low), wnp.maximum(a, high)), x, (math.inf, -math.inf), keepdims=True
        )

    for low, high in both(extremes, X):
        assert low.shape == high.shape == (1, 1)
        assert (float(low[0, 0]), float(high[0, 0])) == (X.min(), X.max())


def test_reduce_over_two_operands_welford():
    """Count, mean and squared distances in one pass, with the combine of Chan, Golub and LeVeque."""

    def fold(a, weight, count, mean, squares):
        total = count + weight
        step = a - mean
        mean = mean + step * weight / total
        return total, mean, squares + weight * step * (a - mean)

    def combine(count, mean, squares, other_count, other_mean, other_squares):
        total = count + other_count
        safe = wnp.where(total == 0, 1.0, total)
        step = other_mean - mean
        return total, mean + step * other_count / safe, squares + other_squares + step**2 * count * other_count / safe

    def moments(x):
        return wax.kernel.reduce(fold, (x, wnp.ones_like(x)), (0.0, 0.0, 0.0), axis=1, combine=combine)

    for count, mean, squares in both(moments, X):
        np.testing.assert_array_equal(count, np.full(3, 4, "f4"))
        np.testing.assert_allclose(mean, X.mean(axis=1), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(squares, X.var(axis=1) * 4, rtol=1e-5)


def test_without_combine_elements_come_in_row_major_order():
    digits = np.asarray([[1, 2], [3, 4]], "i4")
    for result in both(lambda x: wax.kernel.reduce(lambda a, number: number * 10 + a, x, 0), digits):
        assert int(result) == 1234
    for result in both(lambda x: wax.kernel.reduce(lambda a, number: number * 10 + a, x, 0, axis=0), digits):
        np.testing.assert_array_equal(result, [13, 24])


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
def test_a_scan_gives_every_accumulator_on_the_way(axis, reverse, exclusive):
    def decayed(a, last):
        return a + 0.5 * last

    wanted = np.empty((3, 4), np.float32)
    rows = np.moveaxis(X, axis, 0)[:: -1 if reverse else 1]
    into, last = np.moveaxis(wanted, axis, 0)[:: -1 if reverse else 1], np.zeros(rows.shape[1:], np.float32)
    for row, result in zip(rows, into, strict=True):
        after = row + np.float32(0.5) * last
        result[...] = last if exclusive else after
        last = after
    made = both(lambda x: wax.kernel.scan(decayed, x, 0.0, axis=axis, exclusive=exclusive, reverse=reverse), X)
    for result in made:
        np.testing.assert_allclose(result, wanted, rtol=1e-6)


def test_a_scan_of_several_accumulators_is_several_arrays():
    def record(a, i, best, at):
        more = a > best
        return wnp.where(more, a, best), wnp.where(more, i, at)

    def program(x, i):
        return wax.kernel.scan(record, (x, i), (-np.inf, -1), axis=0)

    x, i = np.asarray([1, 3, 2, 5], np.float32), np.arange(4, dtype=np.int32)
    for best, at in both(program, x, i):
        np.testing.assert_array_equal(best, [1, 3, 3, 5])
        np.testing.assert_array_equal(at, [0, 1, 1, 3])


def test_init_may_be_an_array_and_a_number_takes_the_dtype_of_its_operand():
    x = np.asarray([1, 2, 3], "i2")
    total = wax.kernel.reduce(lambda a, t: a + t, wnp.asarray(x), 0)
    assert total.dtype == wnp.int16
    wide = wax.kernel.reduce(lambda a, t: a + t, wnp.asarray(x), wnp.asarray(0, dtype=wnp.int64))
    assert wide.dtype == wnp.int64
    pair = wax.kernel.reduce(lambda a, i, t, n: (a + t, i + n), (wnp.asarray(X[0]), wnp.arange(4)), (0.0, 0))
    assert (pair[0].dtype, pair[1].dtype) == (wnp.float32, wnp.int32)


def test_a_kernel_sees_the_value_its_variables_have_now():
    factor = 2.0
    kernel = lambda a: a * factor  # noqa: E731
    assert float(wax.kernel.map(kernel, wnp.asarray(1.0))) == 2.0
    factor = 3.0
    assert float(wax.kernel.map(kernel, wnp.asarray(1.0))) == 3.0


def test_kernels_know_nothing_of_symbolic_sizes():
    f = wax.jit(
        lambda x: wax.kernel.reduce(
            lambda a, t: a + t, wax.kernel.map(leaky, x), 0.0, axis=0, combine=lambda a, b: a + b
        ),
        dynamic_shapes=({0: wax.Dim("b")},),
    )
    for rows in (2, 5):
        x = np.resize(X, (rows, 4))
        np.testing.assert_allclose(f(x), np.where(x > 0, x, 0.1 * x).sum(axis=0), rtol=1e-5, atol=1e-6)


ARRAY = wnp.ones((3, 4))
SCALE = wnp.ones(4)
LEAKED = []


def leak(a):
    LEAKED.append(a)
    return a


MISTAKES = [
    (lambda: wax.kernel.map(lambda a: a * SCALE, ARRAY), KernelError, r"array of shape \(4,\) is captured"),
    (lambda: wax.kernel.map(lambda a: SCALE + a, ARRAY), KernelError, "captured in a kernel"),
    (lambda: wax.kernel.map(lambda a: wnp.where(a > 0, SCALE, a), ARRAY), KernelError, "captured in a kernel"),
    (lambda: wax.kernel.map(lambda a: a + np.ones(3), ARRAY), KernelError, "captured in a kernel"),
    (lambda: wax.kernel.map(lambda a: a if a > 0 else -a, ARRAY), KernelError, "wnp.where"),
    (lambda: wax.kernel.map(lambda a: max(a, 0.0), ARRAY), KernelError, "wnp.maximum"),
    (lambda: wax.kernel.map(lambda a: math.exp(a), ARRAY), KernelError, "wnp.exp"),
    (lambda: wax.kernel.map(lambda a: np.exp(a), ARRAY), KernelError, "wnp.exp"),
    (lambda: wax.kernel.map(lambda a: wnp.sum(a), ARRAY), KernelError, "no array|no value"),
    (lambda: wax.kernel.map(lambda a: a[0], ARRAY), KernelError, "no array"),
    (lambda: wax.kernel.map(lambda a: "text", ARRAY), KernelError, "returned a str"),
    (lambda: wax.kernel.map(lambda a: ARRAY, ARRAY), KernelError, "returned an array"),
    (lambda: wax.kernel.map(lambda a: (a, a), ARRAY), KernelError, "2 scalars, and one is wanted"),
    (lambda: wax.kernel.map(lambda a, b: a, ARRAY), KernelError, "called with 1 scalars"),
    (
        lambda: (wax.kernel.map(leak, ARRAY), wax.kernel.map(lambda a: a + LEAKED[0], ARRAY)),
        KernelError,
        "another kernel",
    ),
    (lambda: wax.kernel.map(3, ARRAY), InvalidArgumentError, "function on scalars"),
    (lambda: wax.kernel.broadcast(lambda a: a), InvalidArgumentError, "at least one operand"),
    (lambda: wax.kernel.broadcast(lambda a: a, ARRAY, shape=(3, 4)), InvalidArgumentError, "give both"),
    (lambda: wax.kernel.broadcast(lambda a: a, ARRAY, dims=[(0,)]), ShapeError, "must list each dim"),
    (lambda: wax.kernel.broadcast(lambda a: a, ARRAY, dims=[(0, 2)]), ShapeError, "give the result's shape"),
    (lambda: wax.kernel.broadcast(lambda a: a, ARRAY, dims=[(0, 0)]), ShapeError, "against|twice"),
    (lambda: wax.kernel.broadcast(lambda a, b: a + b, ARRAY, SCALE, dims=[(0, 1), (0,)]), ShapeError, "against"),
    (lambda: wax.kernel.reduce(lambda a, t: a * 1.5 + t, wnp.arange(3), 0), KernelError, "init of dtype float32"),
    (lambda: wax.kernel.reduce(lambda a, t: (t, t), ARRAY, 0.0), KernelError, "1 accumulators need as many results"),
    (lambda: wax.kernel.reduce(lambda a, b, t: t, (ARRAY, SCALE), 0.0), ShapeError, "one shape"),
    (lambda: wax.kernel.reduce(lambda a, t: t, ARRAY, SCALE), ShapeError, "rank 0"),
    (lambda: wax.kernel.scan(lambda a, t: (t, t), ARRAY, 0.0, axis=0), KernelError, "1 accumulators need as many"),
    (lambda: wax.kernel.scan(lambda a, b, t: t, (ARRAY, SCALE), 0.0, axis=0), ShapeError, "of a scan have one shape"),
    (lambda: wax.kernel.scan(lambda a, t: t, ARRAY, 0.0, axis=2), AxisError, "axis 2"),
    (lambda: wax.kernel.scan(lambda a, t: t, (), 0.0, axis=0), InvalidArgumentError, "at least one operand"),
    (lambda: wax.jit(lambda x: wax.kernel.map(lambda a: a * x, x))(ARRAY), KernelError, "captured in a kernel"),
]


@pytest.mark.parametrize(("mistake", "error", "words"), MISTAKES)
def test_what_a_kernel_cannot_do_is_an_error_of_its_own(mistake, error, words):
    with pytest.raises(error, match=words) as caught:
        mistake()
    assert caught.value.location is not None
    assert caught.value.location.file == __file__


def test_operations_of_a_users_kernel_carry_their_line():
    text = wax.jit(lambda x: wax.kernel.map(leaky, x)).trace(X).as_text(debug_info=True)
    line = leaky.__code__.co_firstlineno + 1
    assert f"test_kernels.py:{line}" in text or f'test_kernels.py":{line}' in text
