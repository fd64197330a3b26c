"""Mistakes raise their own error, which names the line, the function, the shapes and dtypes, and the way out."""

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax import errors

IMAGE = wnp.ones((2, 3, 5, 4))
X = wnp.ones((2, 3))
IDS = wnp.arange(3)
FLAGS = wnp.asarray([True, False])
Z = wnp.asarray([1j])
U8 = wnp.asarray([1, 2], dtype=wnp.uint8)
HEADS = wnp.ones((3, 4, 5))
KEY = wax.random.key(0)
FOUR = wnp.ones((4, 2), dtype=wnp.int32)

MISTAKES = [
    (lambda: X + wnp.ones((2, 4)), errors.ShapeError, r"add of float32\(2, 3\) and float32\(2, 4\): 3 against 4"),
    (lambda: FLAGS + FLAGS, errors.PromotionError, "add does not take bool; .*logical"),
    (lambda: -FLAGS, errors.PromotionError, "logical_not"),
    (lambda: Z < X, errors.PromotionError, "complex numbers have no order"),
    (lambda: wnp.max(Z), errors.PromotionError, "no order"),
    (lambda: wnp.clip(X, 1j), errors.PromotionError, "clip does not take complex"),
    (lambda: Z.astype(wnp.float32), errors.PromotionError, r"wnp.real\(x\)"),
    (lambda: IDS**-1, errors.PromotionError, "negative power -1; convert"),
    (lambda: X & 1, errors.PromotionError, "bitwise_and does not take float32"),
    (lambda: X << 1, errors.PromotionError, "takes integers"),
    (lambda: wnp.where(IDS, 1, 2), errors.PromotionError, "condition is bool"),
    (lambda: wnp.sum(X, axis=2), errors.AxisError, "axis 2 of an array of 2 dims"),
    (lambda: wnp.sum(X, axis=(0, -2)), errors.AxisError, "named twice"),
    (lambda: wnp.sum(X, axis=1.5), errors.InvalidArgumentError, "must be an integer"),
    (lambda: wnp.max(wnp.zeros((0, 3)), axis=0), errors.ShapeError, "no elements"),
    (lambda: wnp.argmin(wnp.zeros((3, 0)), axis=1), errors.ShapeError, "no elements"),
    (lambda: wnp.cumulative_sum(X), errors.AxisError, "cumulative_sum of an array of 2 dims needs axis="),
    (lambda: wnp.cumulative_prod(X, axis=2), errors.AxisError, "axis 2 of an array of 2 dims"),
    (lambda: wnp.cummax(Z), errors.PromotionError, "cummax does not take complex.*no order"),
    (lambda: wnp.sort(wnp.asarray(1.0)), errors.AxisError, "sort: axis -1 of an array of 0 dims; it has none"),
    (lambda: wnp.argsort(X, axis=-3), errors.AxisError, "argsort: axis -3"),
    (lambda: wnp.searchsorted(X, X), errors.ShapeError, "searchsorted takes x1 of one dim"),
    (lambda: wnp.searchsorted(X[0], X, side="up"), errors.InvalidArgumentError, "'left' or 'right', not 'up'"),
    (lambda: X.reshape(4, -1), errors.ShapeError, "6 elements are not a multiple of 4"),
    (lambda: X.reshape(5), errors.ShapeError, "6 elements against 5"),
    (lambda: X.reshape(-1, -1), errors.InvalidArgumentError, "only one size"),
    (lambda: wnp.zeros((0, 3)).reshape(0, -1), errors.ShapeError, "any size would do"),
    (lambda: X.reshape(-2, -3), errors.ShapeError, "negative"),
    (lambda: X @ X, errors.ShapeError, "matmul of .* 3 columns against 2 rows; transpose"),
    (lambda: X @ 3, errors.ShapeError, r"multiply with \*"),
    (lambda: wnp.ones((2, 3, 4)) @ wnp.ones((5, 4, 3)), errors.ShapeError, "stacks do not broadcast, 2 against 5"),
    (lambda: FLAGS[None] @ FLAGS, errors.PromotionError, "matmul does not take bool"),
    (lambda: IDS.T, errors.ShapeError, "of 1 dims; use .mT"),
    (lambda: IDS.mT, errors.ShapeError, "takes matrices"),
    (lambda: HEADS.T, errors.ShapeError, "of 3 dims; use .mT"),
    (lambda: wnp.tensordot(X, X, axes=1), errors.ShapeError, "not equal"),
    (lambda: wnp.outer(X, X), errors.ShapeError, "vectors"),
    (lambda: wnp.vecdot(X, IDS[:2]), errors.ShapeError, "3 against 2"),
    (lambda: X[2], errors.WaxIndexError, "index 2 along axis 0 of size 2"),
    (lambda: X[0, 0, 0], errors.WaxIndexError, "3 indices for an array of shape"),
    (lambda: X["a"], errors.WaxIndexError, "str is no index"),
    (lambda: X[0.5], errors.WaxIndexError, "float is no index"),
    (lambda: wax.jit(lambda x: x[x > 0])(X), errors.DataDependentShapeError, "boolean mask .* wnp.where.*size="),
    (lambda: wax.jit(wnp.nonzero)(X), errors.DataDependentShapeError, "nonzero: .* size=.* fill_value="),
    (lambda: wax.jit(wnp.unique_all)(X), errors.DataDependentShapeError, "unique_all: .* size="),
    (lambda: wax.jit(wnp.unique_values)(X), errors.DataDependentShapeError, "unique_values: .* size="),
    (lambda: wax.jit(wnp.extract)(X > 0, X), errors.DataDependentShapeError, "extract: .* size="),
    (lambda: wax.jit(wnp.bincount)(IDS), errors.DataDependentShapeError, "bincount: .* size="),
    (lambda: wax.jit(wnp.repeat)(IDS, IDS), errors.DataDependentShapeError, "total_repeat_length="),
    (lambda: wnp.nonzero(wnp.asarray(1)), errors.ShapeError, "reshape"),
    (lambda: wnp.nonzero(X, size=-1), errors.ShapeError, "negative"),
    (lambda: wnp.extract(IDS, X), errors.ShapeError, "must be equal"),
    (lambda: wnp.repeat(IDS, [1, 2]), errors.ShapeError, "2 numbers for"),
    (lambda: wnp.segment_sum(X, X), errors.PromotionError, "must be integers"),
    (lambda: wnp.segment_max(Z, IDS), errors.PromotionError, "no order"),
    (lambda: wnp.quantile(X, 1.5), errors.InvalidArgumentError, "q must lie in 0"),
    (lambda: wnp.quantile(X, 0.5, method="best"), errors.InvalidArgumentError, "method is one of"),
    (lambda: wnp.median(X[:0]), errors.ShapeError, "no elements"),
    (lambda: wnp.top_k(X, 9), errors.ShapeError, "9 elements of 3"),
    (lambda: wnp.diff(X, n=-1), errors.InvalidArgumentError, "negative"),
    (lambda: wnp.convolve(X, X), errors.ShapeError, "vectors"),
    (lambda: wnp.interp(X, X, X), errors.ShapeError, "vectors of one size"),
    (lambda: wnp.diagonal(X, 0, 1, 1), errors.AxisError, "both axes"),
    (lambda: wnp.diag(IMAGE), errors.ShapeError, "a vector or a matrix"),
    (lambda: wnp.linalg.cross(X, IDS[:2]), errors.ShapeError, "three elements"),
    (lambda: wnp.linalg.matrix_power(X, 2), errors.ShapeError, "square"),
    (lambda: wnp.linalg.matrix_power(IDS[None] * IDS[:, None], -1), errors.InvalidArgumentError, "needs the inverse"),
    (lambda: wnp.linalg.matrix_norm(X, ord=3), errors.InvalidArgumentError, "'nuc', 1, -1, 2"),
    (lambda: wnp.linalg.cholesky(X), errors.ShapeError, r"cholesky takes square matrices; the shape is \(2, 3\)"),
    (lambda: wnp.linalg.eigh(X), errors.ShapeError, "eigh takes square"),
    (lambda: wnp.linalg.inv(IDS), errors.ShapeError, "inv takes matrices, or stacks"),
    (lambda: wnp.linalg.svd(wnp.asarray(1.0)), errors.ShapeError, "svd takes matrices"),
    (lambda: wnp.linalg.det(FLAGS[None] & FLAGS[:, None]), errors.PromotionError, "det does not take bool"),
    (lambda: wnp.linalg.qr(X, mode="full"), errors.InvalidArgumentError, "'full'"),
    (lambda: wnp.linalg.eigh(X[:, :2], UPLO="lower"), errors.InvalidArgumentError, "UPLO"),
    (lambda: wnp.linalg.solve(X[:, :2], IDS), errors.ShapeError, "solve of .* 2 columns against 3 rows"),
    (lambda: wnp.linalg.solve(X[:, :2], HEADS), errors.ShapeError, "stack of vectors is x2"),
    (lambda: wnp.linalg.solve(X[:, :2], wnp.asarray(1.0)), errors.ShapeError, "a vector or a matrix"),
    (lambda: wnp.linalg.solve_triangular(X[:, :2], X, trans=3), errors.InvalidArgumentError, "trans is"),
    (lambda: wnp.linalg.lstsq(X, IDS), errors.ShapeError, "as many rows"),
    (lambda: wnp.linalg.pinv(X, rtol=Z), errors.PromotionError, "rtol is real"),
    (lambda: wnp.linalg.vector_norm(X[:0], ord=-wnp.inf), errors.ShapeError, "least magnitude of no elements"),
    (lambda: wnp.average(X, weights=IDS), errors.ShapeError, "weights fit neither"),
    (lambda: wnp.select([], []), errors.InvalidArgumentError, "0 conditions"),
    (lambda: wnp.histogram(X, 0), errors.InvalidArgumentError, "must be a bin"),
    (lambda: wnp.broadcast_shapes((2,), (3,)), errors.ShapeError, "broadcast_shapes"),
    (lambda: X[wnp.ones(2)], errors.WaxIndexError, "float32 is no index"),
    (lambda: X[::0], errors.WaxIndexError, "step"),
    (lambda: X.at[2].set(0), errors.WaxIndexError, "index 2 along axis 0 of size 2"),
    (lambda: X.at[0, 0, 0].set(0), errors.WaxIndexError, "3 indices for an array of shape"),
    (lambda: X.at[0].set(wnp.ones(4)), errors.ShapeError, r"of shape \(3,\) cannot hold a value of shape \(4,\)"),
    (lambda: IDS.at[0].set(0.5), errors.PromotionError, "would promote the array to float32; .* .astype"),
    (lambda: FLAGS.at[0].add(True), errors.PromotionError, "bool"),
    (lambda: Z.at[0].max(1), errors.PromotionError, "no order"),
    (lambda: wax.jit(lambda x: x.at[x > 0].set(IDS))(X), errors.DataDependentShapeError, "boolean mask"),
    (lambda: X.at[X[0] > 0].set(0), errors.WaxIndexError, "those of the leading dims"),
    (lambda: X[..., ...], errors.WaxIndexError, "one `...`"),
    (lambda: wnp.take(X, X, axis=0), errors.PromotionError, "indices must be integers"),
    (lambda: wnp.take(wnp.zeros((0, 2)), IDS, axis=0), errors.ShapeError, "no elements there"),
    (lambda: wnp.take_along_axis(X, IDS), errors.ShapeError, "ranks must be equal"),
    (lambda: wnp.einsum("ij,kj->iz", X, X), errors.EinsumError, "z of the result stands in no operand"),
    (lambda: wnp.einsum("ij,jk", X), errors.EinsumError, "names 2 operands, and 1 are given"),
    (lambda: wnp.einsum("i?", X), errors.EinsumError, "letters"),
    (lambda: wnp.einsum("ij,jk->ik", X, X), errors.EinsumError, "j is 3 and 2"),
    (lambda: wnp.einsum("ijk", X), errors.EinsumError, "does not name the dims of"),
    (lambda: wnp.einsum("ij->ii", X), errors.EinsumError, "twice in the result"),
    (lambda: wnp.einsum("...i->i", X), errors.EinsumError, "the result has none"),
    (lambda: wnp.concat([X, IDS]), errors.ShapeError, r"shapes \(2, 3\), \(3,\)"),
    (lambda: wnp.concat([]), errors.InvalidArgumentError, "at least one"),
    (lambda: wnp.stack([X, IDS]), errors.ShapeError, "must be equal"),
    (lambda: wnp.squeeze(X, axis=0), errors.ShapeError, "axis 0 has size 2, not 1"),
    (lambda: wnp.broadcast_to(X, (3, 3)), errors.ShapeError, r"\(2, 3\) to \(3, 3\)"),
    (lambda: wnp.permute_dims(X, (0,)), errors.ShapeError, "every axis"),
    (lambda: wnp.moveaxis(X, 0, (0, 1)), errors.InvalidArgumentError, "1 axes to 2 places"),
    (lambda: wnp.split(X, 2, axis=1), errors.ShapeError, "no multiple of 2"),
    (lambda: wnp.pad(X, (1, -1)), errors.InvalidArgumentError, "negative"),
    (lambda: wnp.pad(X, [(1, 1)] * 3), errors.InvalidArgumentError, "3 pairs of widths for 2 axes"),
    (lambda: wnp.pad(X, (1, 2, 3)), errors.InvalidArgumentError, "a pair for each axis"),
    (lambda: wnp.pad(U8, 1, constant_values=-1), errors.PromotionError, "uint8"),
    (lambda: wnp.pad(X, 1, constant_values=X), errors.ShapeError, "rank 0"),
    (lambda: wnp.repeat(X, -1), errors.InvalidArgumentError, "negative"),
    (lambda: wnp.asarray([[1], [2, 3]]), errors.ShapeError, "ragged"),
    (lambda: wnp.asarray([1, "a"]), errors.DTypeError, "not a dtype"),
    (lambda: wnp.asarray([2**40]), errors.PromotionError, "1099511627776 does not fit int32"),
    (lambda: wnp.asarray([300], dtype=wnp.uint8), errors.PromotionError, "300 does not fit uint8"),
    (lambda: wnp.asarray([1j], dtype=wnp.float32), errors.PromotionError, "imaginary"),
    (lambda: wnp.zeros((2, -1)), errors.ShapeError, "zeros: .*negative"),
    (lambda: wnp.zeros(2.5), errors.InvalidArgumentError, "zeros: a size must be an integer"),
    (lambda: wnp.full(2, 300, dtype=wnp.int8), errors.PromotionError, "300 does not fit int8"),
    (lambda: wnp.full(2, X), errors.ShapeError, "rank 0"),
    (lambda: wnp.arange(1, 2, 0), errors.InvalidArgumentError, "step"),
    (lambda: wnp.arange(300, dtype=wnp.int8), errors.PromotionError, "299 does not fit int8"),
    (lambda: wnp.linspace(0, 1, -3), errors.InvalidArgumentError, "num must not be negative"),
    (lambda: wnp.tril(IDS), errors.ShapeError, "takes matrices"),
    (lambda: wnp.meshgrid(X), errors.ShapeError, "vectors"),
    (lambda: wnp.sum([1, 2]), errors.ArgumentTypeError, "list"),
    (lambda: wax.nn.linear(X, wnp.ones((4, 2))), errors.ShapeError, "transposed=True"),
    (lambda: wax.nn.layer_norm(X, wnp.ones(2)), errors.ShapeError, r"weight has shape \(2,\) and must have \(3,\)"),
    (lambda: wax.nn.attention(X, X, IDS), errors.ShapeError, "same rank"),
    (lambda: wax.nn.attention(HEADS, HEADS[:2], HEADS[:2]), errors.ShapeError, "no multiple"),
    (lambda: wax.nn.attention(HEADS, HEADS, HEADS, mask=X), errors.ShapeError, "mask .* does not broadcast"),
    (lambda: wax.nn.embedding(IDS, IDS), errors.ShapeError, "rows, width"),
    (lambda: wax.nn.one_hot(X, 3), errors.PromotionError, "labels must be integers"),
    (lambda: wax.nn.softmax(Z), errors.PromotionError, "real dtypes"),
    (lambda: wax.nn.attention(X, X, X, query_offset=0.5, is_causal=True), errors.PromotionError, "be an integer"),
    (lambda: wax.nn.attention(X, X, X, query_offset=IDS, is_causal=True), errors.ShapeError, r"batches' shape \(\)"),
    (lambda: wax.nn.attention(X, X, X, dropout_key=KEY, dropout_rate=2), errors.InvalidArgumentError, "from 0 to 1"),
    (lambda: wax.nn.update_cache(X, IMAGE, 0), errors.ShapeError, "not more along axis -2"),
    (lambda: wax.nn.update_cache(X, wnp.ones((3, 3)), 0), errors.ShapeError, "not more along axis -2"),
    (lambda: wax.nn.update_cache(X, U8[:, None], 0, axis=1), errors.PromotionError, r"\.astype\(float32\)"),
    (lambda: wax.nn.update_cache(X, X, 0.5), errors.PromotionError, "one integer"),
    (lambda: wax.nn.rotary_embedding(X, 0), errors.InvalidArgumentError, "width is 3; it must be even"),
    (lambda: wax.nn.rotary_embedding(IMAGE, IDS), errors.ShapeError, r"do not broadcast to \(2, 3, 5\)"),
    (lambda: wax.nn.rotary_embedding(IDS, 0), errors.ShapeError, "features static"),
    (lambda: wax.nn.dropout(KEY, X, -0.1), errors.InvalidArgumentError, "rate must be .* from 0 to 1, it is -0.1"),
    (lambda: wax.nn.dropout(KEY, X, X), errors.InvalidArgumentError, "Python number"),
    (lambda: wax.nn.dropout(IDS, X, 0.5), errors.PromotionError, "a key is two uint32"),
    (lambda: wax.nn.glu(X), errors.ShapeError, "axis -1 has 3 elements"),
    (lambda: wax.nn.celu(X, alpha=0), errors.InvalidArgumentError, "must not be 0"),
    (lambda: wax.nn.normalize(X, p=0), errors.InvalidArgumentError, "p must be positive"),
    (lambda: wax.nn.batch_norm(IMAGE, IDS, X), errors.ShapeError, r"variance has shape \(2, 3\)"),
    (lambda: wax.nn.batch_norm(IMAGE, wnp.ones(4), wnp.ones(4)), errors.ShapeError, r"shape \(3,\), .*channels_last="),
    (lambda: wax.nn.batch_norm_training(X[:1], X[0], X[0]), errors.ShapeError, "a channel has 1 values"),
    (lambda: wax.nn.group_norm(IMAGE, 2), errors.ShapeError, "3 channels, of dim 1, are not divided by 2 groups"),
    (lambda: wax.nn.group_norm(IMAGE, 0), errors.InvalidArgumentError, "groups must be at least 1"),
    (lambda: wax.nn.instance_norm(X), errors.ShapeError, "at least 3 dims"),
    (lambda: wax.nn.conv_transpose(IMAGE, X), errors.ShapeError, "add a batch dim"),
    (lambda: wax.nn.conv_transpose(IMAGE, wnp.ones((4, 3, 2, 2))), errors.ShapeError, "the weight takes 4"),
    (lambda: wax.nn.conv_transpose(IMAGE, IMAGE[:, :, :2], groups=2), errors.ShapeError, "the weight takes 2"),
    (
        lambda: wax.nn.conv_transpose(IMAGE, wnp.ones((3, 1, 2, 2)), output_padding=1),
        errors.InvalidArgumentError,
        "less than the stride or the dilation",
    ),
    (lambda: wax.nn.adaptive_avg_pool(IMAGE[:, :, :0], 2), errors.ShapeError, "dim 2 has no elements"),
    (lambda: wax.nn.adaptive_max_pool(IMAGE, (0, 1)), errors.InvalidArgumentError, r"sizes is \(0, 1\)"),
    (lambda: wax.nn.mse_loss(X, X, reduction="all"), errors.InvalidArgumentError, '"mean", "sum" and "none"'),
    (lambda: wax.nn.mse_loss(X, wnp.ones((2, 2))), errors.ShapeError, "3 against 2"),
    (lambda: wax.nn.huber_loss(X, X, delta=0), errors.InvalidArgumentError, "delta must be positive"),
    (lambda: wax.nn.cross_entropy(X, IDS), errors.ShapeError, r"labels must be integers of shape \(2,\)"),
    (lambda: wax.nn.cross_entropy(X, X[0]), errors.ShapeError, "has the shape of the logits"),
    (lambda: wax.nn.cross_entropy(X, X, ignore_index=1), errors.InvalidArgumentError, "goes with labels"),
    (lambda: wax.nn.cross_entropy(X, U8, label_smoothing=2), errors.InvalidArgumentError, "from 0 to 1, it is 2"),
    (lambda: wax.nn.nll_loss(X, FLAGS), errors.ShapeError, "labels must be integers"),
    (lambda: wax.nn.ctc_loss(HEADS, U8, IDS, IDS), errors.ShapeError, "with one time or more"),
    (lambda: wax.nn.ctc_loss(HEADS, HEADS[0], IDS, IDS), errors.PromotionError, "labels must be integers"),
    (lambda: wax.nn.ctc_loss(HEADS, FOUR, IDS, IDS), errors.ShapeError, r"input_lengths are .* must have shape \(4,\)"),
    (lambda: wax.nn.ctc_loss(HEADS, FOUR, IDS, IDS, blank=5), errors.InvalidArgumentError, "classes are 0 to 4"),
    (lambda: wnp.fft.fft(X, axis=2), errors.AxisError, "axis 2 of an array of 2 dims"),
    (lambda: wnp.fft.fft(wnp.asarray(1.0)), errors.AxisError, "fft: axis -1 of an array of 0 dims"),
    (lambda: wnp.fft.fftn(X, axes=(0, -2)), errors.AxisError, "named twice"),
    (lambda: wnp.fft.fft(X, n=0), errors.InvalidArgumentError, "an element along axis 1, not 0"),
    (lambda: wnp.fft.ifft(X, n=-1), errors.InvalidArgumentError, "an element along axis 1, not -1"),
    (lambda: wnp.fft.fft(X, n=2**31), errors.InvalidArgumentError, "at most 2147483647 elements"),
    (lambda: wnp.fft.irfftn(X, s=(2, 10**30)), errors.InvalidArgumentError, "axis 1 has 10{30}"),
    (lambda: wnp.fft.rfftfreq(2**31), errors.InvalidArgumentError, "n must be at most"),
    (lambda: wnp.fft.fft(wnp.zeros((2, 0))), errors.InvalidArgumentError, "an element along axis 1, not 0"),
    (lambda: wnp.fft.fft(X, n=2.5), errors.InvalidArgumentError, "must be an integer"),
    (lambda: wnp.fft.fft(X, norm="half"), errors.InvalidArgumentError, "not 'half'"),
    (lambda: wnp.fft.rfft(Z), errors.PromotionError, "rfft does not take complex64.*use fft"),
    (lambda: wnp.fft.ihfft(Z), errors.PromotionError, "ihfft does not take complex64"),
    (lambda: wnp.fft.irfft(Z), errors.InvalidArgumentError, "size 0 along axis 0; give n or s"),
    (lambda: wnp.fft.rfftn(X, axes=()), errors.InvalidArgumentError, "needs an axis"),
    (lambda: wnp.fft.fftn(X, s=(2,), axes=(0, 1)), errors.InvalidArgumentError, "1 sizes for 2 axes"),
    (lambda: wnp.fft.fftfreq(0), errors.InvalidArgumentError, "n must be at least 1"),
    (lambda: wnp.fft.fftfreq(4, dtype=wnp.int32), errors.PromotionError, "fftfreq does not take int32"),
    (lambda: wax.nn.conv(X, X), errors.ShapeError, "add a batch dim"),
    (lambda: wax.nn.conv(IMAGE, wnp.ones((4, 2, 3, 3))), errors.ShapeError, "x has 3 channels .* channels_last="),
    (lambda: wax.nn.conv(IMAGE, IMAGE, groups=0), errors.InvalidArgumentError, "groups must be at least 1"),
    (lambda: wax.nn.conv(IMAGE, IMAGE, strides=0), errors.InvalidArgumentError, "strides is 0"),
    (lambda: wax.nn.conv(IMAGE, IMAGE, strides=(1, 2, 3)), errors.InvalidArgumentError, "each of 2 spatial dims"),
    (lambda: wax.nn.conv(IMAGE, IMAGE, padding="FULL"), errors.InvalidArgumentError, 'words are "VALID" and "SAME"'),
    (lambda: wax.nn.conv(IMAGE, IMAGE, padding=((1,), 2)), errors.InvalidArgumentError, "pair"),
    (lambda: wax.nn.conv(IMAGE, IMAGE, wnp.ones(3)), errors.ShapeError, "the bias is"),
    (lambda: wax.nn.conv(IMAGE, IMAGE, strides=2**40), errors.WaxError, "more than 2147483647"),
    (lambda: wax.nn.conv(IMAGE, IMAGE, padding=-9), errors.WaxError, "becomes negative"),
    (lambda: wax.nn.max_pool(X[0], 2), errors.ShapeError, "there is no spatial dim"),
    (lambda: wax.nn.max_pool(IMAGE + 1j, 2), errors.PromotionError, "real dtypes"),
    (lambda: wax.nn.avg_pool(IMAGE, 0), errors.InvalidArgumentError, "window is 0"),
    (lambda: X.astype("str"), errors.DTypeError, "not a dtype of wax"),
    (lambda: X.__array_namespace__(api_version="1999.01"), errors.InvalidArgumentError, "2024.12"),
]


@pytest.mark.parametrize(("mistake", "error", "words"), MISTAKES)
def test_a_mistake_raises_its_error_at_the_line_of_the_user(mistake, error, words):
    with pytest.raises(error, match=words) as caught:
        mistake()
    assert isinstance(caught.value, errors.WaxError)
    assert caught.value.location is not None
    assert caught.value.location.file == __file__
    assert caught.value.location.line == mistake.__code__.co_firstlineno


@pytest.mark.parametrize(("mistake", "error", "words"), MISTAKES[::4])
def test_the_same_mistake_in_jit_is_found_while_tracing(mistake, error, words):
    with pytest.raises(error, match=words):
        wax.eval_shape(lambda x: (x, mistake()), X)


def test_an_operator_with_something_that_is_no_array_is_left_to_python():
    for other in ("a", [1, 2, 3], None, object()):
        with pytest.raises(TypeError):
            X + other
        assert X.__eq__(other) is NotImplemented


def test_operators_work_from_both_sides_and_with_numpy():
    x = np.asarray([1.5, 2.5, 3.5], np.float32)
    w = wnp.asarray(x)
    for left, right in ((x, w), (w, x), (2, w), (w, 2), (np.float32(2), w)):
        for operate in (
            lambda a, b: a + b,
            lambda a, b: a - b,
            lambda a, b: a * b,
            lambda a, b: a / b,
            lambda a, b: a // b,
            lambda a, b: a % b,
            lambda a, b: a**b,
            lambda a, b: a < b,
            lambda a, b: a >= b,
            lambda a, b: a == b,
        ):
            result = operate(left, right)
            assert isinstance(result, wax.Array)
            np.testing.assert_allclose(result, operate(np.asarray(left), np.asarray(right)), rtol=1e-6)
