"""Functions on arrays with symbolic dims: shapes stay exact, and one program serves every size."""

import numpy as np
import pytest
from array_cases.case import F32, floats, integers

import wax
import wax.nn
import wax.numpy as wnp
from wax.errors import InconclusiveDimensionError, ShapeError, WaxIndexError

B = wax.Dim("b")
N = wax.Dim("n", min=4)
SIZES = [(2, 4), (3, 5), (5, 8)]


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x):
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)


def rotated(x):
    """Pairs of halves turned by π times their frequencies."""
    turned = (x[..., :3] + 1j * x[..., 3:]) * np.exp(1j * np.pi * 10000.0 ** (-np.arange(3) / 3))
    return np.concatenate([turned.real, turned.imag], -1).astype("f4")


# Name, function of x: (b, n, 6), judge on NumPy arrays.
PROGRAMS = [
    ("add", lambda x: x + x, lambda x: x + x),
    ("add-column", lambda x: x + x[:, :1], lambda x: x + x[:, :1]),
    ("add-row", lambda x: x + x[0, 0], lambda x: x + x[0, 0]),
    ("divide-by-size", lambda x: x / x.shape[1], lambda x: x / x.shape[1]),
    ("sum", lambda x: wnp.sum(x, axis=1), lambda x: x.sum(axis=1)),
    ("mean", lambda x: wnp.mean(x, axis=(0, 1)), lambda x: x.mean(axis=(0, 1))),
    ("mean-all", wnp.mean, np.mean),
    ("var", lambda x: wnp.var(x, axis=1), lambda x: x.var(axis=1)),
    ("var-1", lambda x: wnp.var(x, axis=1, correction=1), lambda x: x.var(axis=1, ddof=1)),
    ("max", lambda x: wnp.max(x, axis=0, keepdims=True), lambda x: x.max(axis=0, keepdims=True)),
    ("argmax", lambda x: wnp.argmax(x, axis=1), lambda x: x.argmax(axis=1).astype("i4")),
    ("argmax-flat", wnp.argmax, lambda x: np.asarray(x.argmax()).astype("i4")),
    ("cumulative_sum", lambda x: wnp.cumulative_sum(x, axis=1), lambda x: np.cumsum(x, axis=1)),
    (
        "cumulative_sum-initial",
        lambda x: wnp.cumulative_sum(x, axis=0, include_initial=True),
        lambda x: np.concatenate([np.zeros_like(x[:1]), np.cumsum(x, axis=0)]),
    ),
    ("cummax", lambda x: wnp.cummax(x, axis=2), lambda x: np.maximum.accumulate(x, axis=2)),
    ("cumsum-flat", wnp.cumsum, np.cumsum),
    ("sort", lambda x: wnp.sort(x, axis=1), lambda x: np.sort(x, axis=1)),
    ("sort-last", wnp.sort, np.sort),
    ("argsort", lambda x: wnp.argsort(x, axis=0), lambda x: np.argsort(x, axis=0).astype("i4")),
    (
        "searchsorted",
        lambda x: wnp.searchsorted(wnp.sort(x[0, :, 0]), x),
        lambda x: np.searchsorted(np.sort(x[0, :, 0]), x).astype("i4"),
    ),
    ("softmax", wax.nn.softmax, softmax),
    ("layer_norm", wax.nn.layer_norm, layer_norm),
    (
        "reshape-split",
        lambda x: wnp.reshape(x, (x.shape[0], x.shape[1], 2, 3)),
        lambda x: x.reshape(*x.shape[:2], 2, 3),
    ),
    ("reshape-merge", lambda x: wnp.reshape(x, (-1, 6)), lambda x: x.reshape(-1, 6)),
    ("reshape-merge-last", lambda x: wnp.reshape(x, (x.shape[0], -1)), lambda x: x.reshape(x.shape[0], -1)),
    ("reshape-flat", lambda x: wnp.reshape(x, -1), lambda x: x.reshape(-1)),
    (
        "reshape-between",
        lambda x: wnp.reshape(x, (x.shape[0], x.shape[1] * 3, 2)),
        lambda x: x.reshape(x.shape[0], -1, 2),
    ),
    ("reshape-back", lambda x: wnp.reshape(wnp.reshape(x, (-1, 6)), x.shape), lambda x: x),
    ("flatten-roll", lambda x: wnp.roll(x, 2, axis=1), lambda x: np.roll(x, 2, axis=1)),
    ("pad", lambda x: wnp.pad(x, (1, 2)), lambda x: np.pad(x, (1, 2))),
    ("flip", lambda x: wnp.flip(x, axis=(0, 1)), lambda x: np.flip(x, (0, 1))),
    ("fft", wnp.fft.fft, np.fft.fft),
    ("irfft", lambda x: wnp.fft.irfft(x, n=9, norm="ortho"), lambda x: np.fft.irfft(x, n=9, norm="ortho")),
    ("fftshift", lambda x: wnp.fft.fftshift(x, axes=1), lambda x: np.fft.fftshift(x, axes=1)),
    ("concat", lambda x: wnp.concat([x, x, x[:, :1]], axis=1), lambda x: np.concatenate([x, x, x[:, :1]], axis=1)),
    ("stack", lambda x: wnp.stack([x, x * 2]), lambda x: np.stack([x, x * 2])),
    ("repeat", lambda x: wnp.repeat(x, 3, axis=1), lambda x: np.repeat(x, 3, axis=1)),
    (
        "sliding_window_view",
        lambda x: wnp.sliding_window_view(x, 2, 1, strides=2),
        lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, 1)[:, ::2],
    ),
    ("tile", lambda x: wnp.tile(x, (2, 1, 2)), lambda x: np.tile(x, (2, 1, 2))),
    ("broadcast_to", lambda x: wnp.broadcast_to(x[0], x.shape), lambda x: np.broadcast_to(x[0], x.shape)),
    ("zeros", lambda x: wnp.zeros(x.shape) + x, lambda x: x),
    ("arange", lambda x: wnp.arange(x.shape[1]), lambda x: np.arange(x.shape[1], dtype="i4")),
    (
        "arange-from",
        lambda x: wnp.arange(1, x.shape[1] * 2 + 1),
        lambda x: np.arange(1, x.shape[1] * 2 + 1, dtype="i4"),
    ),
    ("eye", lambda x: wnp.eye(x.shape[1]), lambda x: np.eye(x.shape[1], dtype="f4")),
    ("tril", lambda x: wnp.tril(wnp.ones((x.shape[1], x.shape[1]))), lambda x: np.tri(x.shape[1], dtype="f4")),
    ("matmul", lambda x: x @ x.mT, lambda x: x @ np.swapaxes(x, 1, 2)),
    ("matmul-vector", lambda x: x @ x[0, 0], lambda x: x @ x[0, 0]),
    ("einsum", lambda x: wnp.einsum("bnd,bmd->nm", x, x), lambda x: np.einsum("bnd,bmd->nm", x, x)),
    (
        "einsum-three",
        lambda x: wnp.einsum("bnd,md,bm->n", x, x[0], x[:, :, 0]),
        lambda x: np.einsum("bnd,md,bm->n", x, x[0], x[:, :, 0]),
    ),
    ("einsum-diagonal", lambda x: wnp.einsum("nn->n", x[0] @ x[0].T), lambda x: np.einsum("nd,nd->n", x[0], x[0])),
    (
        "tensordot",
        lambda x: wnp.tensordot(x, x, axes=((0, 1), (0, 1))),
        lambda x: np.tensordot(x, x, axes=((0, 1), (0, 1))),
    ),
    ("slice", lambda x: x[1:, 2:-1, ::2], lambda x: x[1:, 2:-1, ::2]),
    ("slice-step", lambda x: x[:, ::2], lambda x: x[:, ::2]),
    ("slice-step-3", lambda x: x[:, 1::3], lambda x: x[:, 1::3]),
    ("slice-reversed", lambda x: x[::-1, ::-2], lambda x: x[::-1, ::-2]),
    ("slice-size", lambda x: x[:, : x.shape[1] - 1], lambda x: x[:, : x.shape[1] - 1]),
    ("index", lambda x: x[1, -1], lambda x: x[1, -1]),
    ("index-new-axis", lambda x: x[:, None, -2:, 0], lambda x: x[:, None, -2:, 0]),
    ("split", lambda x: wnp.split(x, [1], axis=1)[1], lambda x: x[:, 1:]),
    ("take", lambda x: wnp.take(x, wnp.asarray([0, -1]), axis=1), lambda x: x[:, [0, -1]]),
    (
        "take_along_axis",
        lambda x: wnp.take_along_axis(x, wnp.argmax(x, axis=1, keepdims=True), axis=1),
        lambda x: x.max(axis=1, keepdims=True),
    ),
    ("swapaxes", lambda x: wnp.swapaxes(x, 0, 1), lambda x: np.swapaxes(x, 0, 1)),
    ("squeeze", lambda x: wnp.squeeze(wnp.expand_dims(x, 1), 1), lambda x: x),
    (
        "where-mask",
        lambda x: wnp.where(wnp.arange(x.shape[1])[:, None] < 2, x, 0.0),
        lambda x: np.where(np.arange(x.shape[1])[:, None] < 2, x, 0),
    ),
    (
        "meshgrid",
        lambda x: wnp.meshgrid(wnp.arange(x.shape[0]), wnp.arange(x.shape[1]))[0],
        lambda x: np.meshgrid(np.arange(x.shape[0], dtype="i4"), np.arange(x.shape[1], dtype="i4"))[0],
    ),
    (
        "attention",
        lambda x: wax.nn.attention(x, x, x, is_causal=True),
        lambda x: softmax(np.where(np.tri(x.shape[1], dtype=bool), x @ np.swapaxes(x, 1, 2) / np.sqrt(6), -np.inf)) @ x,
    ),
    (
        "heads",
        lambda x: (
            wax.nn.attention(*[wnp.permute_dims(wnp.reshape(x, (*x.shape[:2], 2, 3)), (0, 2, 1, 3))] * 3).shape
            and wnp.sum(x)
        ),
        np.sum,
    ),
    (
        "one_hot",
        lambda x: wax.nn.one_hot(wnp.argmax(x, axis=2), 6),
        lambda x: (x.argmax(axis=2)[..., None] == np.arange(6)).astype("f4"),
    ),
    (
        "batch_norm_training",
        lambda x: wax.nn.batch_norm_training(x, wnp.zeros(6), wnp.zeros(6), momentum=1.0, channels_last=True).variance,
        lambda x: x.astype("f8").var((0, 1), ddof=1).astype("f4"),
    ),
    (
        "group_norm",
        lambda x: wax.nn.group_norm(x, 6, eps=1e-3, channels_last=True),
        lambda x: (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-3),
    ),
    (
        "rotary_embedding",
        lambda x: wax.nn.rotary_embedding(x, wnp.zeros(x.shape[1])) + wax.nn.rotary_embedding(x, wnp.pi),
        lambda x: x + rotated(x),
    ),
    (
        "cross_entropy",
        lambda x: wax.nn.cross_entropy(x, wnp.full(x.shape[:2], 2), label_smoothing=0.5),
        lambda x: -(np.log(softmax(x)) @ (np.eye(6)[2] / 2 + 1 / 12)).mean(dtype="f8").astype("f4"),
    ),
    (
        "dropout",
        lambda x: wnp.where(wax.nn.dropout(wax.random.key(3), x, 0.5) == 2 * x, 1.0, 0.0),
        lambda x: (np.asarray(wax.random.uniform(wax.random.key(3), x.shape)) >= 0.5).astype("f4"),
    ),
    (
        "global-pools",
        lambda x: (
            wax.nn.adaptive_avg_pool(x, 1, channels_last=True) + wax.nn.adaptive_max_pool(x, 1, channels_last=True)
        ),
        lambda x: x.mean(1, keepdims=True) + x.max(1, keepdims=True),
    ),
    (
        "conv_transpose",
        lambda x: wax.nn.conv_transpose(x, wnp.ones((2, 1, 6)), strides=2, padding="SAME", channels_last=True),
        lambda x: np.repeat(x.sum(-1, keepdims=True), 2, axis=1),
    ),
    (
        "linear",
        lambda x: wax.nn.linear(x, wnp.ones((3, 6)), wnp.ones(3)),
        lambda x: np.repeat(x.sum(-1, keepdims=True) + 1, 3, -1),
    ),
]


@pytest.mark.parametrize("backend", ["reference", "iree"])
def test_one_program_serves_every_size(backend):
    program = wax.jit(
        lambda x: [function(x) for _, function, _ in PROGRAMS], dynamic_shapes=({0: B, 1: N},), backend=backend
    )
    for size in SIZES:
        x = floats(F32, (*size, 6), "symbolic")
        for (name, _, judge), result in zip(PROGRAMS, program(wnp.asarray(x)), strict=True):
            expected = np.asarray(judge(x))
            got = np.asarray(result)
            assert got.dtype == (np.dtype("f4") if expected.dtype.kind == "f" else expected.dtype), name
            assert got.shape == expected.shape, name
            np.testing.assert_allclose(got, expected, rtol=2e-5, atol=2e-5, err_msg=name)


def test_shapes_of_results_are_expressions_of_the_dims():
    x = wax.ShapeDtypeStruct((B, N, 6), "float32")

    def shape(function):
        return str(wax.eval_shape(function, x).shape)

    assert shape(lambda x: wnp.reshape(x, (-1, 6))) == "(b*n, 6)"
    assert shape(lambda x: wnp.concat([x, x, x[:, :1]], axis=1)) == "(b, 2*n + 1, 6)"
    assert shape(lambda x: x[1:, 2:-1]) == "(b - 1, n - 3, 6)"
    assert shape(lambda x: wnp.repeat(x, 3, axis=1)) == "(b, 3*n, 6)"
    assert shape(lambda x: x[:, ::2]) == "(b, ((n + 1) // 2), 6)"


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda x: x[5], WaxIndexError, "min="),
        (lambda x: x[:, :9], WaxIndexError, "min="),
        (lambda x: wnp.reshape(x, (-1, 4)), ShapeError, "multiple"),
        (lambda x: x + wnp.swapaxes(x, 0, 1), ShapeError, "against"),
        (lambda x: wnp.unstack(x), ShapeError, "symbolic"),
        (lambda x: x @ x, ShapeError, "columns"),
        (lambda x: wnp.zeros(x.shape[0] if x.shape[0] > 5 else 3), InconclusiveDimensionError, "b > 5"),
    ],
)
def test_what_does_not_follow_from_the_dims_is_an_error(function, error, words):
    with pytest.raises(error, match=words):
        wax.eval_shape(function, wax.ShapeDtypeStruct((B, N, 6), "float32"))


def test_a_gather_with_symbolic_sizes_stays_in_range():
    f = wax.jit(lambda x, i: x[i], dynamic_shapes=({0: B}, {0: N}))
    x = floats(F32, (3, 2))
    i = integers(np.dtype("i4"), (7,)) % 3
    np.testing.assert_array_equal(np.asarray(f(x, i)), x[i])
    wild = np.array([100, -100, 2, -1], "i4")
    np.testing.assert_array_equal(np.asarray(f(x, wild)), x[[2, 0, 2, 2]])
