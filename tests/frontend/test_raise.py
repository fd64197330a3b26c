"""What `wax-raise` recognises in traced programs, and that `wax-decompose` gives them back."""

import re

import ml_dtypes
import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _native, nn
from wax._canonical import CANONICAL, canonical
from wax.errors import BackendError
from wax.recognition import recognized
from wax_runtime import registry
from wax_runtime.backend import Artefact
from wax_runtime.reference.backend import ReferenceBackend
from wax_runtime.reference.plan import Rules, bind, build
from wax_runtime.reference.rules import RULES
from wax_runtime.snapshot import Apply, Argument, Literal, as_groups, as_ints

RANDOM = np.random.default_rng(21)


def array(*shape, dtype="float32"):
    if np.dtype(dtype).kind in "iu":
        return RANDOM.integers(0, 99, shape).astype(dtype)
    if np.dtype(dtype).kind == "b":
        return RANDOM.random(shape) < 0.7
    return RANDOM.standard_normal(shape).astype(dtype)


def spec(*shape, dtype="float32"):
    return wax.ShapeDtypeStruct(shape, dtype)


def picture(module):
    """What a program computes, operation by operation: equal for programs that differ in the order in which operations
    stand that do not depend on each other."""
    snapshot = module.snapshot()
    entry = snapshot.functions[snapshot.entry]

    def attribute(value):
        return (value.dtype.name, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else repr(value)

    def attributes(mapping):
        return tuple(sorted((name, attribute(value)) for name, value in mapping.items()))

    # What is read twice is the same object in both places.
    scalars: dict[int, int] = {}

    def scalar(one):
        if id(one) not in scalars:
            match one:
                case Argument():
                    parts = (one.index,)
                case Literal():
                    parts = (one.element, repr(one.value))
                case Apply():
                    parts = (one.op, one.element, attributes(one.attributes), *map(scalar, one.operands))
            scalars[id(one)] = hash(parts)
        return scalars[id(one)]

    known = {value: ("argument", value) for value in entry.arguments}
    for one in entry.operations:
        kernels = [kernel and (kernel.arguments, *map(scalar, kernel.results)) for kernel in one.kernels]
        types = [entry.types[value] for value in one.results]
        operands = [known[value] for value in one.operands]
        made = hash((one.name, attributes(one.attributes), *kernels, *types, *operands))
        known.update({value: (made, place) for place, value in enumerate(one.results)})
    return [known[value] for value in entry.results]


def raised(function, *arguments, **options):
    """What is recognised in a function, by name, once it is sure that nothing is lost."""
    traced = wax.jit(function, **options).trace(*arguments)._function
    before = canonical(traced.function)
    after = before.clone()
    after.run("wax-raise,wax-verify-normal-form{form=recognized}")
    module = after.clone()
    after.run(f"wax-decompose,{CANONICAL},wax-verify-normal-form")
    assert picture(after) == picture(before)
    text = module.text()
    names = [name.removeprefix("wax.") for name in _native.recognized_operations()]
    return [one for one in re.findall(r"\bwax\.(\w+)", text) if one in names], text


def names(function, *arguments, **options):
    return raised(function, *arguments, **options)[0]


# Products of matrices.

X, W = spec(4, 8), spec(8, 5)

PRODUCTS = {
    "matmul": (lambda x, w: x @ w, X, W),
    "of the transposed": (lambda x, w: wnp.matmul(x.T, w), spec(8, 4), W),
    "transposed": (lambda x, w: (x @ w).T, X, W),
    "einsum": (lambda x, w: wnp.einsum("ik,kj->ij", x, w), X, W),
    "einsum of batches": (lambda x, w: wnp.einsum("bik,bjk->jbi", x, w), spec(2, 4, 8), spec(2, 3, 8)),
    "over two dims": (lambda x, y: wnp.tensordot(x, y, axes=2), spec(3, 4, 8), spec(4, 8, 2)),
    "of vectors": (lambda x, y: wnp.vecdot(x, y), spec(8), spec(8)),
    "a product and a sum": (lambda x, w: wnp.sum(x[:, :, None] * w[None], axis=1), X, W),
    "the same the other way round": (lambda x, w: wnp.sum(w.T[None] * x[:, None, :], axis=-1), X, W),
    "stretched first": (
        lambda x, w: wnp.sum(wnp.broadcast_to(x[:, :, None], (4, 8, 5)) * wnp.broadcast_to(w, (4, 8, 5)), axis=1),
        X, W,
    ),
    "a user's function": (wax.jit(lambda x, w: wnp.sum(w * x[:, :, None], axis=1)), X, W),
    "half floats": (lambda x, w: x @ w, spec(4, 8, dtype="bfloat16"), spec(8, 5, dtype="bfloat16")),
    "bytes": (
        lambda x, w: x.astype("int32") @ w.astype("int32"), spec(4, 8, dtype="int8"), spec(8, 5, dtype="int8"),
    ),
    "complex numbers": (lambda x, w: x @ w, spec(4, 8, dtype="complex64"), spec(8, 5, dtype="complex64")),
    "rows by vmap": (lambda x, w: wax.vmap(lambda row: row @ w)(x), X, W),
    "a square": (lambda x: x @ x, spec(4, 4)),
}  # fmt: skip


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_contraction_is_found(name):
    function, *arguments = PRODUCTS[name]
    assert names(function, *arguments) == ["contract"]


def test_sums_of_half_floats_are_made_in_float32():
    _, text = raised(*PRODUCTS["half floats"])
    assert re.search(r"accumulator = f32, .*\(tensor<4x8xbf16>, tensor<8x5xbf16>\) -> tensor<4x5xbf16>", text)


def test_bytes_are_summed_in_integers():
    _, text = raised(*PRODUCTS["bytes"])
    assert re.search(r"accumulator = i32, .*\(tensor<4x8xi8>, tensor<8x5xi8>\) -> tensor<4x5xi32>", text)


def test_open_sizes():
    b, n = wax.Dim("b"), wax.Dim("n")
    assert names(lambda x, w: x @ w, spec(b, n), spec(n, 5)) == ["contract"]


def test_derivatives_hold_contractions_too():
    assert names(wax.grad(lambda w, x: wnp.sum(wnp.sin(x @ w))), W, X) == ["contract", "contract"]


NO_PRODUCTS = {
    "a maximum": (lambda x, w: wnp.max(x[:, :, None] * w[None], axis=1), X, W),
    "a sum of sums": (lambda x, w: wnp.sum(x[:, :, None] + w[None], axis=1), X, W),
    "a product": (lambda x, w: x[:, :, None] * w[None], X, W),
    "a product of rows": (lambda x: wnp.prod(x, axis=1), X),
    "a sum": (lambda x: wnp.sum(x, axis=1), X),
    "a sum over what one factor lacks": (lambda x, y: wnp.sum(x * y[:, None], axis=1), X, spec(4)),
    "sums so far": (lambda x, y: wnp.cumulative_sum(x * y), spec(8), spec(8)),
}


@pytest.mark.parametrize("name", NO_PRODUCTS)
def test_no_contraction(name):
    function, *arguments = NO_PRODUCTS[name]
    assert names(function, *arguments) == []


# Softmax.


def by_hand(x, axis=-1):
    e = wnp.exp(x - wnp.max(x, axis=axis, keepdims=True))
    return e / wnp.sum(e, axis=axis, keepdims=True)


SOFTMAX = {
    "wax.nn": (nn.softmax, X),
    "of half floats": (nn.softmax, spec(4, 8, dtype="bfloat16")),
    "over the first dim": (lambda x: nn.softmax(x, axis=0), X),
    "over two dims": (lambda x: nn.softmax(x, axis=(0, 2)), spec(2, 3, 4)),
    "by hand": (by_hand, X),
    "by the reciprocal": (
        lambda x: (lambda e: e * (1 / wnp.sum(e, axis=1))[:, None])(wnp.exp(x - wnp.max(x, axis=1)[:, None])), X,
    ),
    "of what is computed": (lambda x, y: nn.softmax(x * 3 + y), X, X),
    "of what is read again": (lambda x, y: (lambda z: nn.softmax(z) + z)(x + y), X, X),
}  # fmt: skip


@pytest.mark.parametrize("name", SOFTMAX)
def test_a_softmax_is_found(name):
    function, *arguments = SOFTMAX[name]
    assert names(function, *arguments) == ["softmax"]


NO_SOFTMAX = {
    "its logarithm": (nn.log_softmax, X),
    "without a maximum": (lambda x: wnp.exp(x) / wnp.sum(wnp.exp(x), axis=1, keepdims=True), X),
    "less the mean": (
        lambda x: (lambda e: e / wnp.sum(e, axis=1, keepdims=True))(wnp.exp(x - wnp.mean(x, axis=1, keepdims=True))),
        X,
    ),
    "sums of squares": (
        lambda x: (lambda e: e / wnp.sum(e * e, axis=1, keepdims=True))(wnp.exp(x - wnp.max(x, axis=1, keepdims=True))),
        X,
    ),
    "the maximum over another axis": (
        lambda x: (lambda e: e / wnp.sum(e, axis=1, keepdims=True))(wnp.exp(x - wnp.max(x, axis=0))), spec(8, 8),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_SOFTMAX)
def test_no_softmax(name):
    function, *arguments = NO_SOFTMAX[name]
    assert "softmax" not in names(function, *arguments)


# Normalizations.


def layer_norm(x, w, b):
    mean, variance = wnp.mean(x, axis=-1, keepdims=True), wnp.var(x, axis=-1, keepdims=True)
    return (x - mean) / wnp.sqrt(variance + 1e-5) * w + b


def by_moments(x):
    mean = wnp.mean(x, axis=-1, keepdims=True)
    return (x - mean) * (1 / wnp.sqrt(wnp.mean(x * x, axis=-1, keepdims=True) - mean * mean + 1e-5))


def batch_norm(x, w, b):
    mean, variance = wnp.mean(x, axis=(0, 2, 3), keepdims=True), wnp.var(x, axis=(0, 2, 3), keepdims=True)
    return (x - mean) / wnp.sqrt(variance + 1e-5) * w[:, None, None] + b[:, None, None]


V = spec(8)
NORMS = {
    "layer norm of wax.nn": (nn.layer_norm, X, V, V),
    "layer norm of half floats": (nn.layer_norm, *(spec(*s, dtype="float16") for s in [(4, 8), (8,), (8,)])),
    "without weight and bias": (nn.layer_norm, X),
    "over two dims": (lambda x: nn.layer_norm(x, axis=(1, 2)), spec(2, 3, 4)),
    "RMS norm of wax.nn": (nn.rms_norm, X, V),
    "RMS norm of half floats": (nn.rms_norm, spec(4, 8, dtype="bfloat16"), spec(8, dtype="bfloat16")),
    "layer norm by hand": (layer_norm, X, V, V),
    "by its moments": (by_moments, X),
    "RMS norm by hand": (
        lambda x, w: w * (x / wnp.sqrt(wnp.mean(x**2, axis=-1, keepdims=True) + 1e-6)), X, V,
    ),
    "batch norm": (batch_norm, spec(2, 3, 4, 5), spec(3), spec(3)),
    "of a sum that is read again": (lambda x, y: (lambda z: nn.rms_norm(z) + z)(x + y), X, X),
}  # fmt: skip


@pytest.mark.parametrize("name", NORMS)
def test_a_normalization_is_found(name):
    function, *arguments = NORMS[name]
    assert names(function, *arguments) == ["normalize"]


def test_what_a_normalization_is():
    _, text = raised(*NORMS["by its moments"])
    assert "centered" in text and "raw_moments" in text and "weight_dims" not in text
    _, text = raised(*NORMS["RMS norm of wax.nn"])
    assert "centered" not in text and "weight_dims = array<i64: 1>" in text
    _, text = raised(*NORMS["batch norm"])
    assert "dims = array<i64: 0, 2, 3>" in text and "bias_dims = array<i64: 1>" in text


NO_NORMS = {
    "the unbiased variance": (
        lambda x: (x - wnp.mean(x, axis=-1, keepdims=True))
        / wnp.sqrt(wnp.var(x, axis=-1, keepdims=True, correction=1) + 1e-5), X,
    ),
    "epsilon outside of the root": (
        lambda x: x / (wnp.sqrt(wnp.mean(x * x, axis=-1, keepdims=True)) + 1e-5), X,
    ),
    "divided by the variance": (
        lambda x: (x - wnp.mean(x, axis=-1, keepdims=True)) / (wnp.var(x, axis=-1, keepdims=True) + 1e-5), X,
    ),
    "to unit length": (nn.normalize, X),
    "the mean of another axis": (
        lambda x: (x - wnp.mean(x, axis=0)) / wnp.sqrt(wnp.var(x, axis=-1, keepdims=True) + 1e-5), spec(8, 8),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_NORMS)
def test_no_normalization(name):
    function, *arguments = NO_NORMS[name]
    assert "normalize" not in names(function, *arguments)


# Attention.


def attention(q, k, v, mask=None, low=float("-inf")):
    scores = wnp.einsum("bhqd,bhkd->bhqk", q, k) / 4.0
    if mask is not None:
        scores = wnp.where(mask, scores, low)
    return by_hand(scores) @ v


def causal(q, k, v):
    steps = wnp.arange(5)
    return attention(q, k, v, steps[:, None] >= steps[None, :], -1e9)


Q, K = spec(2, 4, 5, 16), spec(2, 4, 5, 16)
HALF = [spec(*one.shape, dtype="bfloat16") for one in (Q, K, K)]
ATTENTION = {
    "wax.nn": (nn.attention, Q, spec(2, 4, 7, 16), spec(2, 4, 7, 3)),
    "without heads": (nn.attention, spec(5, 16), spec(7, 16), spec(7, 16)),
    "of half floats": (nn.attention, *HALF),
    "causal": (lambda q, k, v: nn.attention(q, k, v, is_causal=True), Q, K, K),
    "masked": (lambda q, k, v, m: nn.attention(q, k, v, mask=m), Q, K, K, spec(5, 5, dtype="bool")),
    "masked and causal": (
        lambda q, k, v, m: nn.attention(q, k, v, mask=m, is_causal=True), Q, K, K, spec(2, 1, 1, 5, dtype="bool"),
    ),
    "with a bias": (lambda q, k, v, m: nn.attention(q, k, v, mask=m), Q, K, K, spec(4, 5, 5)),
    "of grouped heads": (nn.attention, Q, spec(2, 2, 5, 16), spec(2, 2, 5, 16)),
    "by hand": (attention, Q, K, K),
    "by hand and causal": (causal, Q, K, K),
    "by hand and masked": (attention, Q, K, K, spec(5, 5, dtype="bool")),
    "the queries are scaled": (lambda q, k, v: by_hand((q * 0.25) @ k.mT) @ v, Q, K, K),
    "of half floats by hand": (lambda q, k, v: nn.softmax(q @ k.mT) @ v, *HALF),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTENTION)
def test_attention_is_found(name):
    function, *arguments = ATTENTION[name]
    assert names(function, *arguments) == ["attention"]


def test_what_attention_is():
    _, text = raised(*ATTENTION["causal"])
    assert "causal_dim = 2" in text and "causal_offset = 0" in text and "zero_unmatched" in text
    assert "scale = 2.500000e-01" in text and "fill = 0xFFF0000000000000" in text
    _, text = raised(*ATTENTION["by hand and causal"])
    assert "causal_dim = 2" in text and "fill = -1.000000e+09" in text and "zero_unmatched" not in text
    _, text = raised(*ATTENTION["of grouped heads"])
    assert re.search(r"dims = \[array<i64: 0, 1, 2, 3, 6>, array<i64: 0, 1, 5, 6>, array<i64: 0, 1, 5, 4>\]", text)


NO_ATTENTION = {
    "with a cap": (lambda q, k, v: nn.attention(q, k, v, softcap=5.0), Q, K, K),
    "with dropout": (
        lambda q, k, v: nn.attention(q, k, v, dropout_key=wax.random.key(0), dropout_rate=0.5), Q, K, K,
    ),
    "over queries": (lambda q, k, v: nn.softmax(q @ k.mT, axis=-2) @ v, Q, K, K),
    "its weights are given too": (lambda q, k, v: (lambda p: (p @ v, p))(nn.softmax(q @ k.mT)), Q, K, K),
    "without a softmax": (lambda q, k, v: (q @ k.mT) @ v, Q, K, K),
    "scaled after the mask": (lambda q, k, v, m: nn.softmax(wnp.where(m, q @ k.mT, -9.0) * 0.25) @ v,
                              Q, K, K, spec(5, 5, dtype="bool")),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_ATTENTION)
def test_no_attention(name):
    function, *arguments = NO_ATTENTION[name]
    assert "attention" not in names(function, *arguments)


# The greatest elements.


TOP = {
    "top_k": (lambda x: wnp.top_k(x, 3), X),
    "of integers": (lambda x: wnp.top_k(x, 3), spec(4, 8, dtype="int32")),
    "along the first dim": (lambda x: wnp.top_k(x, 3, axis=0), X),
    "sorted": (lambda x: wnp.sort(x, descending=True)[:, :3], X),
    "where they are": (lambda x: wnp.argsort(x, descending=True)[:, :3], X),
}


@pytest.mark.parametrize("name", TOP)
def test_the_greatest_are_found(name):
    function, *arguments = TOP[name]
    assert names(function, *arguments) == ["top_k"]


def test_unsigned_integers_are_compared_as_such():
    _, text = raised(lambda x: wnp.top_k(x, 3), spec(4, 8, dtype="uint32"))
    assert "is_unsigned" in text
    _, text = raised(*TOP["of integers"])
    assert "is_unsigned" not in text


NO_TOP = {
    "the least": (lambda x: wnp.sort(x)[:, :3], X),
    "the last": (lambda x: wnp.sort(x, descending=True)[:, 5:], X),
    "every second": (lambda x: wnp.sort(x, descending=True)[:, ::2], X),
    "all are read": (lambda x: (lambda s: (s[:, :3], s))(wnp.sort(x, descending=True)), X),
    "of some rows": (lambda x: wnp.sort(x, descending=True)[1:, :3], X),
}


@pytest.mark.parametrize("name", NO_TOP)
def test_not_the_greatest(name):
    function, *arguments = NO_TOP[name]
    assert names(function, *arguments) == []


# What is done with them.


def test_explain_tells_what_was_recognised_and_where():
    def f(x, w):
        scores = x @ w
        return nn.softmax(scores)

    explanation = wax.jit(f).lower(X, W).explain()
    assert [one.name for one in explanation.recognized] == ["contract", "softmax"]
    line = f.__code__.co_firstlineno
    assert [{place.line for place in one.locations} for one in explanation.recognized] == [{line + 1}, {line + 2}]
    assert f"recognized: contract tensor<4x5xf32> at test_raise.py:{line + 1}" in str(explanation)


def contract(operation, scope):
    left, right = as_groups(operation.attributes["dims"])
    result = list(range(len(scope.shape(operation.results[0]))))
    dtype = scope.element(operation.results[0]).dtype
    wide = {"f32": np.float32}[operation.attributes["accumulator"]]
    DONE.append("contract")

    def run(x, y):
        return np.einsum(x.astype(wide), left, y.astype(wide), right, result).astype(dtype)

    return bind(run, operation.operands[:2], operation.results)


def softmax(operation, scope):
    dims = as_ints(operation.attributes["dims"])
    DONE.append("softmax")

    def run(x):
        e = np.exp(x - np.max(x, axis=dims, keepdims=True))
        return e / np.sum(e, axis=dims, keepdims=True)

    return bind(run, operation.operands[:1], operation.results)


DONE: list[str] = []


class Executable:
    """Runs snapshots by the reference backend's rules, and two of its own."""

    def __init__(self, module, signature, buffer_type):
        rules = Rules({**RULES.operations, "wax.contract": contract, "wax.softmax": softmax}, RULES.patterns)
        self.signature, self._run, self._buffer_type = signature, build(module, rules), buffer_type

    def __call__(self, args):
        return [self._buffer_type.from_numpy(one) for one in self._run([arg.numpy() for arg in args])]

    def bind(self, specs):
        return self

    def putter(self, spec):
        return self._buffer_type.from_numpy


class Wanting(ReferenceBackend):
    """NumPy, which has products of its own."""

    priority = -1000
    compiler = f"{__name__}:compiler"

    def __init__(self, name, wants):
        self.name, self.wants = name, frozenset(wants)

    def load(self, artefact, device, buffer_type):
        return Executable(artefact.payload, artefact.signature, buffer_type)


class Compiler:
    def compile(self, program, device, options):
        return Artefact("wanting", "snapshot", program.snapshot(), program.signature, device.platform)


compiler = Compiler()


@pytest.fixture(scope="module", autouse=True)
def backends():
    known = dict(registry._registered)
    registry.register(Wanting("wanting", {"contract", "softmax"}))
    registry.register(Wanting("mistaken", {"matmul"}))
    registry.register(Wanting("content", ()))
    yield
    registry._registered.clear()
    registry._registered.update(known)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_backend_gets_what_it_wants_and_all_else_as_it_is(dtype):
    def f(x, w, s):
        return nn.rms_norm(nn.softmax(x @ w), s)

    arguments = [array(*shape).astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
                 for shape in [(4, 8), (8, 5), (5,)]]  # fmt: skip
    DONE.clear()
    got = wax.jit(f, backend="wanting")(*arguments)
    assert sorted(set(DONE)) == ["contract", "softmax"]
    want = wax.jit(f, backend="reference")(*arguments)
    tolerance = 1e-5 if dtype == "float32" else 2e-2
    np.testing.assert_allclose(np.asarray(got, "f4"), np.asarray(want, "f4"), rtol=tolerance, atol=tolerance)


def test_a_backend_that_wants_nothing_gets_the_basis():
    DONE.clear()
    wax.jit(lambda x, w: x @ w, backend="content")(array(4, 8), array(8, 5))
    assert DONE == []


def test_a_plain_program_stays_plain():
    DONE.clear()
    wax.jit(lambda x, w: x @ w, backend="wanting", optimize=False)(array(4, 8), array(8, 5))
    assert DONE == []


def test_nobody_gets_what_there_is_not():
    with pytest.raises(BackendError, match="'matmul' is no recognised operation"):
        wax.jit(lambda x, w: x @ w, backend="mistaken")(array(4, 8), array(8, 5))


def test_programs_that_are_wanted_differently_have_different_keys():
    from wax._compile import program_of

    function = wax.jit(lambda x, w: x @ w).trace(X, W)._function
    keys = {program_of(function, backend=registry.get(name))("snapshot").key() for name in ("wanting", "content")}
    assert len(keys) == 2


RUN = {
    **{f"contract: {name}": case for name, case in PRODUCTS.items()},
    **{f"softmax: {name}": case for name, case in SOFTMAX.items()},
    **{f"normalize: {name}": case for name, case in NORMS.items()},
    **{f"attention: {name}": case for name, case in ATTENTION.items()},
    **{f"top_k: {name}": case for name, case in TOP.items()},
}


@pytest.mark.parametrize("name", RUN)
def test_decomposed_programs_compute_what_they_did(name):
    function, *specs = RUN[name]
    traced = wax.jit(function).trace(*specs)._function
    module = canonical(traced.function)
    decomposed = module.clone()
    decomposed.run("wax-raise,wax-decompose")
    arguments = [array(*one.shape, dtype=one.dtype) for one in specs]
    arguments = [one.view(f"i{one.itemsize}") if one.dtype.kind == "u" else one for one in arguments]
    got, want = (build(one.snapshot(), RULES)(arguments) for one in (decomposed, module))
    for a, b in zip(got, want, strict=True):
        np.testing.assert_array_equal(a, b)


def test_all_of_a_program_is_found_in_order():
    def block(x, w, s):
        q, k, v = (nn.rms_norm(x, s) @ w[i] for i in range(3))
        return x + nn.attention(q, k, v, is_causal=True)

    found = recognized(wax.jit(block).trace(spec(6, 8), spec(3, 8, 8), V)._function)
    assert [one.name for one in found].count("attention") == 1
    assert [one.name for one in found].count("contract") == 3
