"""Functions whose derivatives compute them again: the derivatives are the same, and less is remembered."""

import os
import subprocess
import sys

import jax
import jax.ad_checkpoint
import jax.numpy as jnp
import numpy as np
import pytest
from derivatives import Judged, close, judge, sampled

import wax
import wax.numpy as wnp
from wax import checkpoint_policies as policies
from wax.errors import InvalidArgumentError
from wax_runtime.iree.hal import hal_device

X = sampled((3, 4), "x")
W = sampled((4, 4), "w") / 2

NAMES = [
    "everything_saveable",
    "nothing_saveable",
    "dots_saveable",
    "dots_with_no_batch_dims_saveable",
    "checkpoint_dots",
    "checkpoint_dots_with_no_batch_dims",
]
POLICIES = {
    "none": lambda module: None,
    **{name: lambda module, name=name: getattr(module, name) for name in NAMES},
    "names": lambda module: module.save_only_these_names("hidden"),
    "other names": lambda module: module.save_any_names_but_these("hidden"),
    "unnamed": lambda module: module.save_anything_except_these_names("hidden"),
    "both": lambda module: module.save_from_both_policies(module.dots_saveable, module.save_only_these_names("hidden")),
}


def layers(lib, xp, named, policy):
    def layer(w, x):
        return xp.tanh(named(xp.sin(x @ w), "hidden") @ w) * xp.cos(x)

    inner = lib.checkpoint(layer, policy=policy)
    return lambda w, x: inner(w, inner(w, x)) + x


@pytest.mark.parametrize("policy", POLICIES)
def test_derivatives_are_those_of_jax(policy):
    chosen = POLICIES[policy]
    judge(
        Judged(
            policy,
            layers(wax, wnp, wax.checkpoint_name, chosen(policies)),
            layers(jax, jnp, jax.ad_checkpoint.checkpoint_name, chosen(jax.checkpoint_policies)),
            (W, X),
            tolerance=1e-9,
        )
    )


def both(name, make, **options):
    """A function that is written once for both libraries: of transformations, control flow and arrays."""
    return Judged(name, make(wax, wax, wnp), make(jax, jax.lax, jnp), (W, X), tolerance=1e-9, **options)


def in_a_scan(lib, lax, xp):
    @lib.checkpoint
    def step(h, v, w):
        return xp.tanh(h @ w + v)

    return lambda w, x: lax.scan(lambda h, v: (step(h, v, w), h), x[0], x)


def around_a_scan(lib, lax, xp):
    return lib.checkpoint(lambda w, x: lax.scan(lambda h, v: (xp.tanh(h @ w + v), xp.sin(h)), x[0], x))


def around_a_branch(lib, lax, xp):
    f = lib.checkpoint(lambda w, x: lax.cond(xp.sum(x) > 0, lambda: xp.sin(x @ w), lambda: xp.exp(-x * x)))
    return lambda w, x: f(w, x) + f(w, -x)


def nested(lib, lax, xp):
    inner = lib.checkpoint(lambda w, x: xp.sin(x @ w) @ w)
    return lib.checkpoint(lambda w, x: inner(w, xp.cos(inner(w, x))) * x)


def mapped(lib, lax, xp):
    return lambda w, x: lib.vmap(lib.checkpoint(lambda row: xp.tanh(w @ row) * row))(x)


def mapped_inside(lib, lax, xp):
    return lib.checkpoint(lambda w, x: lib.vmap(lambda row: xp.tanh(w @ row) * row)(x))


def gradient_inside(lib, lax, xp):
    return lib.checkpoint(lambda w, x: lib.grad(lambda x: xp.sum(xp.sin(x @ w) ** 2))(x))


def pushed_inside(lib, lax, xp):
    return lib.checkpoint(lambda w, x: lib.jvp(lambda x: xp.sin(x @ w), (x,), (xp.cos(x),))[1])


def captured(lib, lax, xp):
    return lambda w, x: lib.checkpoint(lambda y: xp.sin(y @ w) * x)(x * 2) + w[:3] @ w


def several(lib, lax, xp):
    f = lib.checkpoint(lambda pair, *, by: {"a": xp.sin(pair[0]) @ pair[1], "b": pair[0] * by})
    return lambda w, x: f((x, w), by=x)


def the_same_twice(lib, lax, xp):
    f = lib.checkpoint(lambda a, b, c: xp.sin(a) * xp.exp(b) + c)
    return lambda w, x: f(x, x, x) + f(x, x @ w, x)


PROGRAMS = [
    both("in a scan", in_a_scan),
    both("around a scan", around_a_scan),
    both("around a branch", around_a_branch),
    both("nested", nested),
    both("vmap of it", mapped),
    both("vmap inside", mapped_inside),
    both("grad inside", gradient_inside),
    both("jvp inside", pushed_inside),
    both("captured values", captured),
    both("pytrees and named arguments", several),
    both("the same twice", the_same_twice),
]


@pytest.mark.parametrize("case", PROGRAMS, ids=str)
def test_programs_have_the_derivatives_of_jax(case):
    judge(case)


@pytest.mark.parametrize("case", PROGRAMS[:5], ids=str)
def test_compiled_gradients_are_those_without_compiling(case):
    def pullback(w, x, ct):
        return wax.vjp(case.function, w, x)[1](ct)

    ct = jax.tree.map(lambda y: sampled(y.shape, "cotangent"), case.judge(W, X))
    compiled = wax.jit(pullback, device="cpu")(W, X, ct)
    close(compiled, jax.tree.map(np.asarray, pullback(W, X, ct)), 1e-9, case.name)


def test_a_rule_of_ones_own_is_used_inside():
    def make(lib, xp):
        @lib.custom_vjp
        def twice(x):
            return xp.sin(x)

        twice.defvjp(lambda x: (xp.sin(x), x), lambda x, ct: (2 * ct * xp.cos(x),))
        return lib.grad(lambda w: xp.sum(lib.checkpoint(lambda w: twice(twice(X) @ w))(w)))

    close(make(wax, wnp)(W), make(jax, jnp)(W), 1e-12, "gradient")


def test_static_arguments_stay_python_values():
    def power(x, n, scale=2.0):
        return x if n == 0 else power(x, n - 1, scale) * wnp.sin(x) * scale

    f = wax.checkpoint(power, static_argnums=1)
    assert f.__name__ == "power"
    for options in ({}, {"scale": 3.0}):
        found = wax.grad(lambda x, options=options: f(x, 3, **options))(0.5)
        wanted = wax.grad(lambda x, options=options: power(x, 3, **options))(0.5)
        np.testing.assert_allclose(float(found), float(wanted), rtol=1e-6)
    assert wax.remat is wax.checkpoint


def test_what_is_no_policy_is_refused():
    with pytest.raises(InvalidArgumentError, match=r"policy is 'dots'; it must be one of wax.checkpoint_policies"):
        wax.checkpoint(wnp.sin, policy="dots")
    with pytest.raises(InvalidArgumentError, match="must be strings"):
        policies.save_only_these_names(1)
    with pytest.raises(InvalidArgumentError, match="the name is 3; it must be a string"):
        wax.checkpoint_name(X, 3)
    with pytest.raises(InvalidArgumentError, match="static_argnums is 2"):
        wax.checkpoint(wnp.sin, static_argnums=2)(X)


# What is remembered.


def remembered(function, *arguments):
    """The shapes of what goes from the first half of `linearize` to the second."""
    _, push = wax.linearize(function, *arguments)
    cells = dict(zip(push.__code__.co_freevars, (cell.cell_contents for cell in push.__closure__), strict=True))
    return sorted(tuple(x.shape) for x in cells["residuals"])


def chain(policy):
    def f(w, x):
        y = wax.checkpoint_name(wnp.sin(x @ w), "hidden")
        return wnp.sum(wnp.tanh(wnp.exp(y[:, :2]) * 2))

    return f if policy is None else wax.checkpoint(f, policy=policy)


def test_linearize_remembers_what_the_policy_says():
    assert remembered(chain(policies.nothing_saveable), W, X) == [(3, 4), (4, 4)]
    assert remembered(chain(policies.dots_saveable), W, X) == [(3, 4), (3, 4), (4, 4)]
    assert remembered(chain(policies.save_only_these_names("hidden")), W, X).count((3, 4)) >= 2
    assert len(remembered(chain(None), W, X)) > 3


@pytest.mark.parametrize("policy", ["nothing_saveable", "dots_saveable", "everything_saveable"])
def test_linearized_functions_are_those_without_checkpoints(policy):
    tangents = sampled((4, 4), "t"), sampled((3, 4), "t")
    _, push = wax.linearize(chain(getattr(policies, policy)), W, X)
    _, wanted = wax.jvp(chain(None), (W, X), tangents)
    close(push(*tangents), np.asarray(wanted), 1e-12, "tangent")


# Memory.

SIZE = 256
DEPTH = 6


def stack(wrap):
    """A deep network of blocks, each of several layers."""

    def block(w, x):
        for _ in range(4):
            x = wnp.tanh(x @ w)
        return x

    wrapped = wrap(block)

    def loss(w, x):
        for _ in range(DEPTH):
            x = wrapped(w, x)
        return wnp.sum(x)

    return wax.value_and_grad(loss)


def allocated():
    """What IREE has allocated on the calling thread so far, in bytes; nothing of it is left in the pool."""
    hal_device("local-sync:pool").allocator.trim()
    counts = hal_device("local-sync").allocator.statistics  # the driver's
    return counts["device_bytes_allocated"] + counts["host_bytes_allocated"]


def taken(function, *arguments):
    """What a call of the compiled function allocates on one thread, and what it gives."""
    compiled = wax.jit(function, device="cpu")
    given = [wax.device_put(x, "cpu") for x in arguments]
    result = compiled(*given)
    before = allocated()
    compiled(*given)
    return allocated() - before, jax.tree.map(np.asarray, result)


def test_compiled_gradients_take_less_memory(monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", "1")  # the workers' allocator counts nothing
    x, w = sampled((SIZE, SIZE), "x", dtype=np.float32), sampled((SIZE, SIZE), "w", dtype=np.float32) / 32
    plain, wanted = taken(stack(lambda f: f), w, x)
    checkpointed, found = taken(stack(wax.checkpoint), w, x)
    kept, _ = taken(stack(lambda f: wax.checkpoint(f, policy=policies.everything_saveable)), w, x)
    close(found, wanted, 1e-3, "gradient")
    matrix = SIZE * SIZE * 4
    # 24 layers remember one matrix each; 6 blocks one, and four while they are computed again.
    assert plain > 24 * matrix
    assert checkpointed < 21 * matrix
    assert kept > 24 * matrix


SCANS = """
import numpy as np
import wax
import wax.numpy as wnp
from wax_runtime.iree.hal import hal_device

random = np.random.default_rng(0)
w, x = random.normal(size=(64, 64)).astype(np.float32) / 16, random.normal(size=(256, 64)).astype(np.float32)

def loss(w, x):
    h, _ = wax.scan(lambda h, _: (wnp.tanh(h @ w), None), x, None, 100, checkpoint=CHECKPOINT)
    return wnp.sum(h)

value, gradient = wax.jit(wax.value_and_grad(loss))(w, x)
print(hal_device("local-sync").allocator.statistics["device_bytes_peak"], float(value), float(wnp.sum(gradient**2)))
"""


def test_scans_that_remember_blocks_take_less_memory():
    environment = {**os.environ, "WAX_NUM_THREADS": "1"}  # the workers' allocator counts nothing
    texts = [SCANS.replace("CHECKPOINT", str(one)) for one in (False, True)]
    told = [subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True) for text in texts]
    (plain, *wanted), (checkpointed, *found) = [[float(word) for word in one.stdout.split()] for one in told]
    np.testing.assert_allclose(found, wanted, rtol=1e-3)
    # A hundred carries, or ten and ten.
    assert plain > 100 * 256 * 64 * 4
    assert checkpointed < plain / 3
