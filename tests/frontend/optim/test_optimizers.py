"""`wax.optim`: PyTorch's optimizers, and Optax's where it is installed, on the same gradients; schedules."""

import math

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import optim
from wax.errors import InvalidArgumentError

torch = pytest.importorskip("torch")

STEPS = 12


def parameters(dtype):
    random = np.random.default_rng(1)
    return {"w": random.standard_normal((3, 4)).astype(dtype), "b": (random.standard_normal(4).astype(dtype),)}


def gradients(dtype):
    """Small and large, with zeros."""
    random = np.random.default_rng(2)
    for step in range(STEPS):
        scale = 10.0 ** (step % 4 - 2)
        w = random.standard_normal((3, 4)) * scale
        w[0] = 0
        yield {"w": w.astype(dtype), "b": ((random.standard_normal(4) * scale).astype(dtype),)}


def optimized(optimizer, dtype, *, compiled=False):
    params = wax.tree.map(wnp.asarray, parameters(dtype))
    state = optimizer.init(params)

    def step(params, state, gradient):
        updates, state = optimizer.update(gradient, state, params)
        return optim.apply_updates(params, updates), state

    run = wax.jit(step, donate_argnames=("params", "state"), backend="iree") if compiled else step
    for gradient in gradients(dtype):
        params, state = run(params, state, gradient)
    return wax.tree.map(np.asarray, params)


def close(found, expected, tolerance):
    for x, y in zip(wax.tree.leaves(found), wax.tree.leaves(expected), strict=True):
        assert x.dtype == y.dtype
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


PYTORCH = {
    "sgd": (optim.sgd(0.1), lambda p: torch.optim.SGD(p, 0.1)),
    "momentum": (optim.sgd(0.1, momentum=0.9), lambda p: torch.optim.SGD(p, 0.1, momentum=0.9)),
    "nesterov": (
        optim.sgd(0.1, momentum=0.9, nesterov=True),
        lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
    ),
    "adam": (optim.adam(0.01, 0.8, 0.95, 1e-6), lambda p: torch.optim.Adam(p, 0.01, (0.8, 0.95), 1e-6)),
    "adamw": (optim.adamw(0.01, weight_decay=0.1), lambda p: torch.optim.AdamW(p, 0.01, weight_decay=0.1)),
    "rmsprop": (
        optim.rmsprop(0.01, 0.8, 1e-6, eps_in_sqrt=False, momentum=0.5),
        lambda p: torch.optim.RMSprop(p, 0.01, 0.8, 1e-6, momentum=0.5),
    ),
    "centered rmsprop": (
        optim.rmsprop(0.01, 0.8, 1e-6, eps_in_sqrt=False, centered=True),
        lambda p: torch.optim.RMSprop(p, 0.01, 0.8, 1e-6, centered=True),
    ),
    # PyTorch adds eps to the root and not under it.
    "adagrad": (
        optim.adagrad(0.1, 0.5, 0.0),
        lambda p: torch.optim.Adagrad(p, 0.1, initial_accumulator_value=0.5, eps=0.0),
    ),
}


@pytest.mark.parametrize("name", PYTORCH)
def test_an_optimizer_is_pytorchs_in_double_precision(name):
    optimizer, judge = PYTORCH[name]
    leaves, structure = wax.tree.flatten(parameters("f8"))
    params = [torch.tensor(leaf, requires_grad=True) for leaf in leaves]
    stepping = judge(params)
    for gradient in gradients("f8"):
        for param, given in zip(params, wax.tree.leaves(gradient), strict=True):
            param.grad = torch.tensor(given)
        stepping.step()
    expected = wax.tree.unflatten(structure, [param.detach().numpy() for param in params])
    close(optimized(optimizer, "f8"), expected, 1e-12)


CHAINS = {
    "sgd": lambda o: o.sgd(o.linear_schedule(0.1, 0.01, 8)),
    "nesterov": lambda o: o.sgd(0.1, 0.9, True),
    "adam": lambda o: o.adam(o.warmup_cosine_decay_schedule(0.0, 0.1, 3, 9, 0.01)),
    "nadam": lambda o: o.adam(0.01, 0.8, 0.95, eps_root=1e-9, nesterov=True),
    "adamw": lambda o: o.adamw(0.01, weight_decay=0.1, mask={"w": True, "b": False}),
    "adamw with a mask that is made": lambda o: o.adamw(0.01, mask=lambda p: {"w": p["w"].ndim > 1, "b": (False,)}),
    "lion": lambda o: o.lion(0.01, weight_decay=0.1),
    "rmsprop": lambda o: o.rmsprop(0.01, initial_scale=1.0, momentum=0.9, nesterov=True),
    "centered rmsprop": lambda o: o.rmsprop(0.01, centered=True, bias_correction=True, eps=1e-3),
    "unbiased rmsprop": lambda o: o.rmsprop(0.01, bias_correction=True, eps_in_sqrt=False),
    "adagrad": lambda o: o.adagrad(0.1),
    "adagrad from zero": lambda o: o.adagrad(0.1, 0.0),
    "chain": lambda o: o.chain(o.clip_by_global_norm(0.5), o.add_decayed_weights(0.1), o.scale(-0.1)),
    "clip": lambda o: o.chain(o.clip(0.1), o.scale_by_schedule(o.exponential_decay(0.1, 3, 0.5, 2, True, 0.02))),
    "weight decay by a schedule": lambda o: o.chain(
        o.add_decayed_weights(o.piecewise_constant_schedule(0.1, {3: 0.5, 6: 0.1})), o.scale(-0.1)
    ),
}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize(("dtype", "tolerance"), [("f8", 2e-6), ("f4", 1e-4)])
def test_an_optimizer_is_optaxs(name, dtype, tolerance):
    optax = pytest.importorskip("optax")
    import jax

    with jax.enable_x64(dtype == "f8"):
        optimizer = CHAINS[name](optax)
        params = jax.tree.map(jax.numpy.asarray, parameters(dtype))
        state = optimizer.init(params)
        for gradient in gradients(dtype):
            updates, state = optimizer.update(gradient, state, params)
            params = optax.apply_updates(params, updates)
    close(optimized(CHAINS[name](optim), dtype), jax.tree.map(np.asarray, params), tolerance)


@pytest.mark.parametrize("name", ["adamw", *(pytest.param(n, marks=pytest.mark.full) for n in ("lion", "chain"))])
def test_a_compiled_step_with_a_donated_state_is_the_same(name):
    optimizer = CHAINS[name](optim)
    close(optimized(optimizer, "f4", compiled=True), optimized(optimizer, "f4"), 1e-5)


@pytest.mark.parametrize("name", CHAINS)
def test_half_floats_stay_what_they_are(name):
    optimizer = CHAINS[name](optim)
    params = wax.tree.map(wnp.asarray, parameters(wnp.bfloat16))
    updates, _ = optimizer.update(params, optimizer.init(params), params)
    moved = optim.apply_updates(params, updates)
    assert {x.dtype for x in (*wax.tree.leaves(updates), *wax.tree.leaves(moved))} == {wnp.bfloat16}


def test_moments_have_the_dtype_that_is_asked_for():
    optimizer = optim.adam(0.1, mu_dtype=wnp.bfloat16)
    params = {"w": wnp.asarray([1.0, 2.0])}
    state = optimizer.init(params)
    for _ in range(2):
        assert state[0].mu["w"].dtype == wnp.bfloat16 and state[0].nu["w"].dtype == wnp.float32
        updates, state = optimizer.update(params, state, params)
        assert updates["w"].dtype == wnp.float32


def test_a_parameter_without_gradient_stays():
    params = {"w": wnp.asarray([1.0]), "fixed": None}
    optimizer = optim.adamw(0.1)
    updates, _ = optimizer.update({"w": wnp.asarray([1.0]), "fixed": None}, optimizer.init(params), params)
    assert updates["fixed"] is None


def cosine(step):
    return 0.5 * (1 + math.cos(math.pi * step))


SCHEDULES = {
    "constant": (optim.constant_schedule(0.3), lambda n: 0.3),
    "linear": (optim.linear_schedule(1.0, 0.1, 4, 2), lambda n: 1 - 0.9 * min(max(n - 2, 0), 4) / 4),
    "polynomial": (optim.polynomial_schedule(1.0, 0.1, 2, 5), lambda n: 0.9 * (1 - min(n, 5) / 5) ** 2 + 0.1),
    "no steps": (optim.polynomial_schedule(1.0, 0.1, 2, 0), lambda n: 1.0),
    "cosine": (optim.cosine_decay_schedule(2.0, 8, 0.1), lambda n: 2 * (0.9 * cosine(min(n, 8) / 8) + 0.1)),
    "sharper cosine": (optim.cosine_decay_schedule(2.0, 8, 0.0, 2.0), lambda n: 2 * cosine(min(n, 8) / 8) ** 2),
    "warmup and cosine": (
        optim.warmup_cosine_decay_schedule(0.0, 1.0, 3, 10, 0.2),
        lambda n: n / 3 if n < 3 else 0.8 * cosine(min(n - 3, 7) / 7) + 0.2,
    ),
    "pieces": (
        optim.piecewise_constant_schedule(1.0, {6: 0.1, 3: 0.5}),
        lambda n: 1.0 if n < 3 else 0.5 if n < 6 else 0.05,
    ),
    "exponential": (optim.exponential_decay(1.0, 3, 0.5, 1), lambda n: 0.5 ** (max(n - 1, 0) / 3)),
    "staircase": (
        optim.exponential_decay(1.0, 3, 0.5, staircase=True, end_value=0.2),
        lambda n: max(0.5 ** (n // 3), 0.2),
    ),
    "joined": (
        optim.join_schedules([optim.constant_schedule(1.0), optim.linear_schedule(0.5, 0.0, 5)], [4]),
        lambda n: 1.0 if n < 4 else 0.5 - 0.1 * min(n - 4, 5),
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_has_the_value_of_its_formula_at_every_step(name):
    schedule, formula = SCHEDULES[name]
    compiled = wax.jit(lambda count: wnp.asarray(schedule(count)))
    for step in range(14):
        assert float(compiled(wnp.asarray(step))) == pytest.approx(formula(step), abs=1e-6)
        assert float(schedule(step)) == pytest.approx(formula(step), abs=1e-6)


def test_the_count_of_updates_does_not_overflow():
    optimizer = optim.scale_by_schedule(lambda count: 1.0)
    state = optim.ScaleByScheduleState(wnp.asarray(2**31 - 1, dtype=wnp.int32))
    assert int(optimizer.update(wnp.asarray(1.0), state)[1].count) == 2**31 - 1


def test_the_global_norm_is_that_of_all_leaves_together():
    tree = {"w": wnp.asarray([3.0 + 4.0j]), "b": (wnp.asarray(12.0), None)}
    assert float(optim.global_norm(tree)) == pytest.approx(13.0)
    assert float(optim.global_norm(())) == 0


def test_wrong_use_is_an_error_that_says_the_way_out():
    params = {"w": wnp.asarray([1.0])}
    decay = optim.add_decayed_weights(0.1)
    with pytest.raises(InvalidArgumentError, match="update\\(updates, state, params\\)"):
        decay.update(params, decay.init(params))
    with pytest.raises(InvalidArgumentError, match="structure"):
        optim.add_decayed_weights(0.1, {"v": True}).update(params, optim.EmptyState(), params)
    with pytest.raises(InvalidArgumentError, match="booleans"):
        optim.add_decayed_weights(0.1, {"w": 1.0}).update(params, optim.EmptyState(), params)
    with pytest.raises(InvalidArgumentError, match="states"):
        optim.adam(0.1).update(params, (), params)
    with pytest.raises(InvalidArgumentError, match="decay_steps"):
        optim.cosine_decay_schedule(1.0, 0)
    with pytest.raises(InvalidArgumentError, match="warmup_steps"):
        optim.warmup_cosine_decay_schedule(0.0, 1.0, 5, 5)
    with pytest.raises(InvalidArgumentError, match="negative"):
        optim.piecewise_constant_schedule(1.0, {3: -1.0})
    with pytest.raises(InvalidArgumentError, match="boundaries"):
        optim.join_schedules([optim.constant_schedule(1.0)], [3])
