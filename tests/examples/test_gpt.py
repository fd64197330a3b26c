"""`examples/gpt.py`: its model against PyTorch's run of the same weights, decoding against the whole text at once."""

import re

import numpy as np
import pytest
from examples_folder import EXAMPLES

pytest.importorskip("rich")
torch = pytest.importorskip("torch")
F = torch.nn.functional

import gpt

import wax
import wax.numpy as wnp

assert gpt.__file__ == str(EXAMPLES / "gpt.py")

CONFIGS = {
    "rotary": gpt.Config(words=31, width=24, layers=2, heads=6, groups=2, context=16),
    "learned": gpt.Config(words=31, width=24, layers=1, heads=3, groups=3, context=16, rotary=False),
}


@pytest.fixture(scope="module", params=["rotary", pytest.param("learned", marks=pytest.mark.full)])
def model(request):
    config = CONFIGS[request.param]
    leaves, structure = wax.tree.flatten(gpt.initial(wax.random.key(3), config))
    # Larger than a model begins with, so that attention is not even.
    larger = [leaf * 8 if leaf.ndim > 1 else leaf for leaf in leaves]
    return wax.tree.unflatten(structure, larger), config


@pytest.fixture(scope="module")
def ids():
    return np.random.default_rng(2).integers(0, 31, (2, 12)).astype("i4")


def start(place):
    return wnp.asarray(place, dtype=wnp.int32)


def at_once(model, ids):
    p, config = model
    return np.asarray(wax.jit(lambda p, ids: gpt.forward(p, ids, None, start(0), config)[0], backend="iree")(p, ids))


def test_logits_agree_with_pytorch(model, ids):
    np.testing.assert_allclose(at_once(model, ids), judged(*model, ids), rtol=1e-4, atol=1e-4)


def judged(p, config, ids):
    """Logits in PyTorch's functions and double precision."""
    leaves, structure = wax.tree.flatten(p)
    p = wax.tree.unflatten(structure, [torch.from_numpy(np.asarray(leaf).astype("f8")) for leaf in leaves])
    places = torch.arange(ids.shape[1])
    half = config.width // config.heads // 2
    angles = places[:, None] * 10000.0 ** (-torch.arange(half).double() / half)
    turns = torch.polar(torch.ones_like(angles), angles)

    def heads(x, count):
        return x.unflatten(-1, (count, -1)).transpose(1, 2)

    def turned(x):
        pairs = torch.complex(x[..., :half], x[..., half:]) * turns
        return torch.cat([pairs.real, pairs.imag], -1)

    x = p.words[ids]
    x = x if config.rotary else x + p.positions[places]
    for layer in p.layers:
        h = F.rms_norm(x, x.shape[-1:], layer.norm, 1e-6)
        q, k, v = heads(h @ layer.query, config.heads), *(heads(h @ w, config.groups) for w in (layer.key, layer.value))
        q, k = (turned(q), turned(k)) if config.rotary else (q, k)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + mixed.transpose(1, 2).flatten(2) @ layer.output
        h = F.rms_norm(x, x.shape[-1:], layer.hidden_norm, 1e-6)
        x = x + (F.silu(h @ layer.gate) * (h @ layer.up)) @ layer.down
    return (F.rms_norm(x, x.shape[-1:], p.norm, 1e-6) @ p.words.T).numpy()


def test_decoding_with_the_cache_gives_the_logits_of_the_whole_text(model, ids):
    p, config = model
    step = wax.jit(gpt.forward, static_argnames="config", donate_argnames="cache", backend="iree")
    logits, cache = step(p, ids[:, :5], gpt.empty_cache(2, config), start(0), config=config)
    found = [np.asarray(logits)]
    for place in range(5, ids.shape[1]):
        logits, cache = step(p, ids[:, place : place + 1], cache, start(place), config=config)
        found.append(np.asarray(logits))
    np.testing.assert_allclose(np.concatenate(found, 1), at_once(model, ids), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("temperature", "top_k"), [(0.0, 1), pytest.param(0.9, 5, marks=pytest.mark.full)])
def test_steps_and_one_program_write_the_same_tokens(model, ids, temperature, top_k):
    p, config = model
    key, static = wax.random.key(9), {"config": config, "temperature": temperature, "top_k": top_k}
    token, cache = gpt.advance(p, ids[:, :5], gpt.empty_cache(2, config), start(0), key, **static)
    first, written = token, []
    for place in range(5, 11):
        token, cache = gpt.advance(p, token[:, None], cache, start(place), key, **static)
        written.append(np.asarray(token))
    _, cache = gpt.advance(p, ids[:, :5], gpt.empty_cache(2, config), start(0), key, **static)
    together = gpt.generate(p, first, cache, start(5), key, count=6, **static)
    np.testing.assert_array_equal(np.asarray(together), np.stack(written, 1))
    if temperature == 0:
        text = np.concatenate([ids[:, :5], np.asarray(first)[:, None], np.asarray(together)], 1)
        np.testing.assert_array_equal(at_once(model, text)[:, 4:-1].argmax(-1), text[:, 5:])


def test_samples_are_among_the_likeliest_and_follow_their_chances():
    logits = wnp.asarray(np.log([[0.1, 0.4, 0.2, 0.3]] * 4000).astype("f4"))
    tokens = np.asarray(gpt.sample(wax.random.key(1), logits, 1.0, 2))
    assert set(tokens) == {1, 3}
    assert np.mean(tokens == 1) == pytest.approx(4 / 7, abs=0.03)
    sharp = np.asarray(gpt.sample(wax.random.key(1), logits, 0.5, 2))
    assert np.mean(sharp == 1) == pytest.approx(16 / 25, abs=0.03)
    assert set(np.asarray(gpt.sample(wax.random.key(1), logits, 0.0, 2))) == {1}


@pytest.mark.parametrize("positions", [pytest.param("rotary", marks=pytest.mark.full), "learned"])
def test_the_program_prints_its_speed_and_the_same_tokens_twice(positions, capsys):
    sizes = {"words": 40, "width": 16, "layers": 1, "heads": 4, "groups": 2, "context": 12, "prompt": 4, "tokens": 5}
    options = [text for name, size in sizes.items() for text in (f"--{name}", str(size))]
    gpt.main([*options, "--batch", "2", "--positions", positions])
    out = capsys.readouterr().out
    assert "tokens/s" in out
    assert len(re.search(r"tokens: ([\d ]+)", out)[1].split()) == 5
    assert "the tokens are the same" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--groups", "3"], "--groups must divide --heads"),
        (["--prompt", "500"], "do not fit into --context"),
        (["--temperature", "-1"], "must not be negative"),
        (["--layers", "0"], "--layers must be at least 1"),
        (["--width", "24"], "must be even"),
    ],
)
def test_what_cannot_work_ends_with_a_message(arguments, message, capsys):
    with pytest.raises(SystemExit):
        gpt.main(arguments)
    assert message in capsys.readouterr().err
