"""Where rules apply in a program, and what becomes of it."""

import logging
import re

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _native
from wax.errors import InvalidArgumentError, RuleError
from wax.typing import Shaped, f32
from wax_runtime import registry
from wax_runtime.errors import BackendError

RANDOM = np.random.default_rng(8)
X, Y = (RANDOM.standard_normal((3, 4)).astype("f4") for _ in range(2))


def product_of_exps(x, y):
    return wnp.exp(x) * wnp.exp(y)


def exp_of_sum(x, y):
    return wnp.exp(x + y)


EXPS = wax.rules.rule(product_of_exps, exp_of_sum, finite=True)
NEGATIONS = wax.rules.rule(lambda x: -(-x), lambda x: x, name="negations", dtype="numeric")


def chain(x: Shaped["m", "k"], y: Shaped["k", "n"], z: Shaped["n", "l"]):
    return (x @ y) @ z


CHAIN = wax.rules.rule(chain, lambda x, y, z: x @ (y @ z), finite=True, dtype=wnp.float32)


def count(lowered, name):
    return len(re.findall(rf"\b{re.escape(name)}\b", lowered.as_text("wax")))


def applied(lowered):
    return [one.rule for one in lowered.rewrites]


def assert_rewritten(function, *arguments, rules, times=1, **options):
    """The function, rewritten so many times, gives what it gave."""
    options.setdefault("backend", "reference")
    plain = wax.jit(function, **options)
    made = wax.jit(function, rules=rules, **options)
    lowered = made.lower(*arguments)
    assert len(lowered.rewrites) == times, lowered.as_text("wax")
    for got, want in zip(wax.tree.leaves(made(*arguments)), wax.tree.leaves(plain(*arguments)), strict=True):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=2e-5, atol=1e-6)
    return lowered


def test_it_shows_in_the_text_and_in_what_was_done():
    def f(x, y):
        return wnp.exp(x) * wnp.exp(y) + 1

    lowered = assert_rewritten(f, X, Y, rules=[EXPS], backend="iree")
    assert count(lowered, "math.exp") == 1 and count(wax.jit(f).lower(X, Y), "math.exp") == 2
    (one,) = lowered.rewrites
    assert one.rule == "product_of_exps" and one.location.file == __file__
    assert one.location.line == f.__code__.co_firstlineno + 1
    assert len(re.findall("math.exp", lowered.as_text("linalg"))) == 1


def test_a_program_that_no_rule_fits_stays_itself():
    made = wax.jit(lambda x, y: x + y, rules=[EXPS, CHAIN])
    lowered = made.lower(X, Y)
    assert lowered.rewrites == () and lowered.as_text("wax") == wax.jit(lambda x, y: x + y).lower(X, Y).as_text("wax")


# What is the same program.

SAME = {
    "operands exchanged": lambda x, y: wnp.exp(y) * wnp.exp(x),
    "named": lambda x, y: (lambda a, b: a * b)(wnp.exp(x), wnp.exp(y)),
    "transposed": lambda x, y: wnp.exp(x.T) * wnp.exp(y.T),
    "in a jitted function": lambda x, y: wax.jit(product_of_exps)(x, y),
    "its parts in jitted functions": lambda x, y: wax.jit(wnp.exp)(x) * wax.jit(wnp.exp)(y),
    "a row and a matrix": lambda x, y: wnp.exp(x) * wnp.exp(y[0]),
    "a number and a matrix": lambda x, y: wnp.exp(x[1, 1]) * wnp.exp(y),
    "of one array": lambda x, y: wnp.exp(x) * wnp.exp(x) + y,
    "by einsum": lambda x, y: wnp.einsum("ij,ij->ij", wnp.exp(x), wnp.exp(y)),
    "in a loop": lambda x, y: wax.fori_loop(0, 3, lambda i, s: wnp.exp(s - 9) * wnp.exp(y - 9), x),
    "in a branch": lambda x, y: wax.cond(x[0, 0] < 9, product_of_exps, lambda x, y: x, x, y),
    "in a derivative": lambda x, y: wax.vjp(product_of_exps, x, y)[0],
    "of rows": lambda x, y: wax.vmap(product_of_exps)(x, y),
}


@pytest.mark.parametrize("name", SAME)
def test_a_pattern_is_found(name):
    assert_rewritten(SAME[name], X, Y, rules=[EXPS])


@pytest.mark.parametrize("shape", [(), (0,), (1,), (1, 1), (5, 0, 2), (3, 1, 7), (64, 129)])
def test_a_pattern_is_found_at_any_shape(shape):
    x, y = (RANDOM.standard_normal(shape).astype("f4") for _ in range(2))
    assert_rewritten(lambda x, y: wnp.exp(x) * wnp.exp(y), x, y, rules=[EXPS])


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_pattern_is_found_at_each_dtype(dtype):
    lowered = wax.jit(product_of_exps, rules=[EXPS]).lower(*[wax.ShapeDtypeStruct((3, 4), dtype)] * 2)
    assert applied(lowered) == ["product_of_exps"]


def test_open_sizes_stay_open():
    b = wax.Dim("b")
    lowered = assert_rewritten(
        lambda x, y: wnp.exp(wnp.concat([x, x])) * wnp.exp(wnp.concat([y, y])), X, Y,
        rules=[EXPS], dynamic_shapes=({0: b}, {0: b}),
    )  # fmt: skip
    assert "tensor<?x4xf32>" in lowered.as_text("wax")


def test_sizes_that_are_only_known_to_be_equal_are_equal():
    b = wax.Dim("b")
    shapes = [wax.ShapeDtypeStruct((2 * b, 8), "float32"), wax.ShapeDtypeStruct((b, 16), "float32")]
    made = wax.jit(lambda x, y: wnp.exp(x.reshape(b, 16)) * wnp.exp(y), rules=[EXPS])
    assert applied(made.lower(*shapes)) == ["product_of_exps"]


def test_named_sizes_and_transposed_arguments():
    a, b, c = (RANDOM.standard_normal(shape).astype("f4") for shape in [(64, 32), (32, 16), (1, 16)])
    lowered = assert_rewritten(lambda a, b, c: a @ b @ c.T, a, b, c, rules=[CHAIN])
    assert "tensor<64x16xf32>" not in lowered.as_text("wax")


def test_unsigned_integers_are_not_signed_ones():
    halves = wax.rules.rule(lambda x: x // 2, lambda x: x >> 1, dtype="unsigned integer")
    assert applied(wax.jit(lambda x: x // 2, rules=[halves]).lower(np.arange(4, dtype="u4"))) == ["<lambda>"]
    assert applied(wax.jit(lambda x: x // 2, rules=[halves]).lower(np.arange(4, dtype="i4"))) == []


# What is not.

OTHER = {
    "another function": lambda x, y: wnp.exp(x) * wnp.exp2(y),
    "another join": lambda x, y: wnp.exp(x) + wnp.exp(y),
    "a factor between": lambda x, y: wnp.exp(x) * (wnp.exp(y) * 2),
    "read elsewhere": lambda x, y: (lambda e: e * wnp.exp(y) + e)(wnp.exp(x)),
    "a result elsewhere": lambda x, y: (lambda e: (e * wnp.exp(y), e))(wnp.exp(x)),
    "partly outside of the loop": lambda x, y: (lambda e: wax.fori_loop(0, 3, lambda i, s: wnp.exp(s - 9) * e, x))(
        wnp.exp(y)
    ),
    "another dtype": lambda x, y: wnp.exp(x.astype(wnp.complex64)) * wnp.exp(y.astype(wnp.complex64)),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_is_only_alike_is_left(name):
    assert applied(wax.jit(OTHER[name], rules=[EXPS]).lower(X, Y)) == []


def test_sizes_of_one_name_are_equal():
    square = wax.rules.rule(lambda x: -(-x), lambda x: x, arguments={"x": f32["n", "n"]}, name="square")
    made = wax.jit(lambda x: -(-x), rules=[square])
    assert applied(made.lower(X)) == [] and applied(made.lower(X[:, :3])) == ["square"]


def test_literals_are_compared_by_their_bits():
    zero = wax.rules.rule(lambda x: x * -0.0, lambda x: -(x * 0.0), name="zero")
    assert applied(wax.jit(lambda x: x * 0.0, rules=[zero]).lower(X)) == []
    assert applied(wax.jit(lambda x: x * -0.0, rules=[zero]).lower(X)) == ["zero"]


def test_attributes_count():
    last = wax.rules.rule(
        lambda x: wnp.sum(-x, axis=1), lambda x: -wnp.sum(x, axis=1), dtype=wnp.int32, arguments={"x": Shaped["m", "n"]}
    )
    x = np.arange(12, dtype="i4").reshape(3, 4)
    assert_rewritten(lambda x: wnp.sum(-x, axis=1), x, rules=[last])
    assert applied(wax.jit(lambda x: wnp.sum(-x, axis=0), rules=[last]).lower(x)) == []
    assert applied(wax.jit(lambda x: wnp.prod(-x, axis=1), rules=[last]).lower(x)) == []


def test_when_decides_by_shapes():
    wide = wax.rules.rule(product_of_exps, exp_of_sum, finite=True, when=lambda x, y: x.shape[-1:] == (4,))
    made = wax.jit(product_of_exps, rules=[wide])
    assert applied(made.lower(X, Y)) == ["product_of_exps"] and applied(made.lower(X[:, :3], Y[:, :3])) == []
    b = wax.Dim("b")
    assert applied(made.lower(*[wax.ShapeDtypeStruct((3, b), "float32")] * 2)) == []
    deep = wax.rules.rule(product_of_exps, exp_of_sum, finite=True, when=lambda x, y: x.shape[2] > 1)
    assert applied(wax.jit(product_of_exps, rules=[deep]).lower(X, Y)) == []


# One after the other.


def test_a_rule_may_make_room_for_another():
    lowered = assert_rewritten(lambda x, y: wnp.exp(x) * -(-wnp.exp(y)), X, Y, rules=[EXPS, NEGATIONS], times=2)
    assert applied(lowered) == ["negations", "product_of_exps"]


def test_occurrences_that_overlap_are_taken_one_by_one():
    lowered = assert_rewritten(lambda x, y: -(-(-(-(-x)))) + y, X, Y, rules=[NEGATIONS], times=2)
    assert count(lowered, "arith.negf") == 1


def test_a_result_of_one_may_be_an_argument_of_another():
    lowered = assert_rewritten(lambda x, y: wnp.exp(-(-x)) * wnp.exp(-(-y)), X, Y, rules=[NEGATIONS, EXPS], times=3)
    assert count(lowered, "math.exp") == 1


def test_the_first_rule_that_fits_is_taken():
    other = wax.rules.rule(product_of_exps, lambda x, y: wnp.exp(y + x), finite=True, name="other")
    assert applied(wax.jit(product_of_exps, rules=[other, EXPS]).lower(X, Y)) == ["other"]


def test_rules_that_go_round_in_circles_end(caplog):
    there = wax.rules.rule(lambda x: x + x, lambda x: x * 2, name="there", finite=True)
    back = wax.rules.rule(lambda x: x * 2, lambda x: x + x, name="back", finite=True)
    made = wax.jit(lambda x: x + x, rules=[there, back])
    with caplog.at_level(logging.WARNING, "wax.rules"):
        np.testing.assert_array_equal(made(X), X + X)
    assert "rules apply after 64 turns still, and are left: there" in caplog.text


def test_random_integer_programs_stay_what_they_are():
    rules = [
        NEGATIONS,
        wax.rules.rule(lambda x, y, z: x * y + x * z, lambda x, y, z: x * (y + z), dtype="integral", name="factor"),
        wax.rules.rule(lambda x, y: ~(x & y), lambda x, y: ~x | ~y, dtype="integral", name="de Morgan"),
        wax.rules.rule(lambda x: x + x, lambda x: x << 1, dtype="integral", name="twice"),
        wax.rules.rule(lambda x, y: x - y, lambda x, y: x + -y, dtype="integral", name="difference"),
    ]
    binary = [wnp.add, wnp.subtract, wnp.multiply, wnp.bitwise_and, wnp.bitwise_xor]
    unary = [wnp.negative, wnp.bitwise_invert]
    done = set()
    for seed in range(20):
        random = np.random.default_rng(seed)
        dtype = random.choice(["int8", "uint8", "int32", "uint64"])
        arrays = [random.integers(-99, 99, shape).astype(dtype) for shape in [(3, 5), (5,), (3, 1), (), (3, 5)]]
        steps = [
            (int(random.integers(len(binary) + len(unary))), *(int(random.integers(99)) for _ in range(2)))
            for _ in range(14)
        ]

        def program(*values, steps=steps):
            values = list(values)
            for operation, a, b in steps:
                # Mostly what was made last, so that programs are deep.
                left, right = values[-1 - a % min(len(values), 3)], values[b % len(values)]
                values.append(
                    binary[operation](left, right) if operation < len(binary) else unary[operation - len(binary)](left)
                )
            return values[-3:]

        made = wax.jit(program, rules=rules, backend="reference")
        done |= set(applied(made.lower(*arrays)))
        for got, want in zip(made(*arrays), wax.jit(program, backend="reference")(*arrays), strict=True):
            np.testing.assert_array_equal(got, want)
    assert len(done) >= 4


# Where rules come from, and where they go.


def test_only_rules_are_rules():
    with pytest.raises(InvalidArgumentError, match=r"rules are made by wax\.rules\.rule"):
        wax.jit(product_of_exps, rules=[product_of_exps]).lower(X, Y)


def test_a_wrong_rule_is_told_when_it_would_be_used():
    wrong = wax.rules.rule(lambda x: wnp.exp(x), lambda x: wnp.exp2(x), dtype=wnp.float32, name="wrong")
    assert applied(wax.jit(lambda x: wnp.sin(x), rules=[wrong]).lower(X)) == []
    with pytest.raises(RuleError, match="rule 'wrong': its replacement does not compute"):
        wax.jit(lambda x: wnp.exp(x), rules=[wrong])(X)


def test_what_is_exported_is_rewritten(tmp_path):
    exported = wax.export(wax.jit(product_of_exps, rules=[EXPS]))(X, Y)
    assert exported.as_text("wax").count("math.exp") == 1
    exported.save(tmp_path / "f.vmfb")
    np.testing.assert_allclose(wax.load(tmp_path / "f.vmfb")(X, Y), np.exp(X + Y), rtol=1e-5)


def test_inside_of_another_function_its_rules_count():
    inner = wax.jit(product_of_exps, rules=[EXPS])
    assert wax.jit(lambda x, y: inner(x, y)).lower(X, Y).rewrites == ()


class Rewriting:
    """The reference backend with rules."""

    def __init__(self, name, rules, priority=-50):
        self.name, self.rules, self.priority = name, rules, priority
        self._backend = registry.get("reference")

    def __getattr__(self, name):
        return getattr(self._backend, name)


WRONG = [wax.rules.rule(lambda x: wnp.exp(x), lambda x: x, dtype=wnp.float32, name="wrong")]
RIGHT = (EXPS, NEGATIONS)


@pytest.fixture
def registered(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "rules_of_a_backend", sys.modules[__name__])
    known = dict(registry._registered)
    registry.register(Rewriting("rewriting", "rules_of_a_backend:RIGHT"))
    registry.register(Rewriting("mistaken", "rules_of_a_backend:WRONG"))
    registry.register(Rewriting("lost", "rules_of_nobody:RULES"))
    yield
    registry._registered.clear()
    registry._registered.update(known)


@pytest.mark.usefixtures("registered")
def test_a_backend_brings_its_own():
    lowered = wax.jit(product_of_exps).lower(X, Y)
    compiled = lowered.compile(backend="rewriting")
    assert compiled.as_text("wax").count("math.exp") == 1 and lowered.as_text("wax").count("math.exp") == 2
    assert lowered.compile(backend="reference").as_text("wax").count("math.exp") == 2
    np.testing.assert_allclose(compiled(X, Y), np.exp(X + Y), rtol=1e-5)


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("backend", "why"), [("mistaken", "rule 'wrong'"), ("lost", "No module named 'rules_of_nobody'")]
)
def test_a_backend_whose_rules_are_wrong_is_left(backend, why):
    with pytest.raises(BackendError, match=f"the rules of backend '{backend}' .*cannot be used: .*{why}"):
        wax.jit(product_of_exps, backend=backend)(X, Y)


# The native part.

TEXT = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = wax.map math.exp(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = wax.concat (%0, %x) along 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
"""


def function(text):
    return _native.parse_module(text).entry()


def test_sizes_are_told_in_words_of_the_arguments():
    sizes = _native.parse_module(TEXT).sizes()
    assert sizes[:3] == ((("dim", 0, 0), 4), (4,), (("dim", 0, 0), 4))
    assert sizes[3] == (("*", ("dim", 0, 0), 2), 4)


def test_a_value_is_computed_otherwise():
    module = _native.parse_module(TEXT)
    module.replace([(2, function(TEXT.replace("%0, %x", "%x, %0").replace("?x4xf32>, %y", "?x4xf32>, %y")), [0, 1])])
    assert module.text().count("wax.concat") == 2
    module.verify()


@pytest.mark.parametrize(
    ("value", "operands", "message"),
    [
        (0, [0, 1], "value 0 is an argument"),
        (9, [0, 1], "there is no value 9"),
        (2, [0, 7], "there is no value 7"),
        (2, [0], "does not take 1 values"),
        (2, [1, 0], "has other types than what it replaces"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(value, operands, message):
    module = _native.parse_module(TEXT)
    with pytest.raises(_native.DialectError, match=message):
        module.replace([(value, function(TEXT), operands)])
    assert module.text() == _native.parse_module(TEXT).text()
