"""`examples/train_lm.py`: its losses against JAX's, the state's memory, and what goes on from a checkpoint."""

import xml.etree.ElementTree as xml

import numpy as np
import pytest
from examples_folder import EXAMPLES

pytest.importorskip("rich")
pytest.importorskip("safetensors")
jax = pytest.importorskip("jax")

import gpt
import gpt_jax
import train_lm

import wax
from wax_runtime.errors import DeletedBufferError

assert train_lm.__file__ == str(EXAMPLES / "train_lm.py")

TEXT = (EXAMPLES / "kjv.txt").read_text()
CHARACTERS = train_lm.Characters(TEXT)
NUMBERS = CHARACTERS.numbers(TEXT)


def run_of(steps, rate=3e-3, **sizes):
    return train_lm.Run(gpt.Config(len(CHARACTERS.all), **sizes), 4, 0, rate, 5, steps)


MODEL = {"width": 32, "layers": 1, "heads": 4, "groups": 2, "context": 16}
RUNS = [
    pytest.param(run_of(12, **MODEL), id="quick"),
    # At a rate of 3e-3 roundings grow: of JAX itself, losses in f32 and in f64 differ by 1.6e-2, and by 1e-4 of two
    # programs in f64.
    pytest.param(
        run_of(200, rate=1e-3, width=64, layers=2, heads=4, groups=4, context=64), id="full", marks=pytest.mark.full
    ),
]


@pytest.mark.parametrize("run", RUNS)
def test_every_loss_is_that_of_the_same_training_in_jax(run):
    state = train_lm.initial(run)
    judge = gpt_jax.initial(wax.tree.map(np.asarray, state.params))
    step, judging = train_lm.make_step(run), gpt_jax.make_step(run)
    losses = []
    for number in range(run.steps):
        pieces = train_lm.draw(NUMBERS, run.seed, number, run.batch, run.config.context)
        state, loss = step(state, pieces)
        judge, expected = judging(judge, pieces)
        losses.append((float(loss), float(expected)))
    found, expected = np.array(losses).T
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert found[-1] < found[0] - 0.3
    for ours, theirs in zip(wax.tree.leaves(state.params), jax.tree.leaves(judge.params), strict=True):
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=0, atol=2e-3)


def test_a_step_writes_its_state_over_the_one_that_it_was_given():
    run = RUNS[0].values[0]
    step = train_lm.make_step(run)
    pieces = train_lm.draw(NUMBERS, 0, 0, run.batch, run.config.context)
    state, _ = step(train_lm.initial(run), pieces)
    given, before = state, memory(state)
    state, _ = step(state, pieces)
    after = memory(state)
    large = [name for name, leaf in train_lm.named(state).items() if leaf.ndim]
    assert len(large) == 3 * (len(wax.tree.leaves(state.params)))
    assert [name for name in large if before[name] != after[name]] == []
    with pytest.raises(DeletedBufferError, match="donated"):
        np.asarray(given.params.words)


def memory(state):
    """Where the leaves of a state lie, found without sharing them with anybody."""
    return {
        name: leaf._storage.view.map().asarray((leaf.nbytes,), np.dtype("u1")).ctypes.data
        for name, leaf in train_lm.named(state).items()
    }


# Its model and its numbers are those of the quick run, whose step is compiled then.
TRAINING = {"batch": 4, "steps": 12, "warmup": 5, "learning-rate": 3e-3, "tokens": 8, "every": 4}
SMALL = [text for name, size in (MODEL | TRAINING).items() for text in (f"--{name}", str(size))]


def test_what_goes_on_from_a_checkpoint_ends_with_the_same_numbers(tmp_path, capsys):
    whole, parts, picture = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors", tmp_path / "losses.svg"
    train_lm.main([*SMALL, "--checkpoint", str(whole), "--plot", str(picture)])
    written = capsys.readouterr().out.splitlines()[-1]
    train_lm.main([*SMALL, "--checkpoint", str(parts), "--stop", "3"])
    assert whole.read_bytes() != parts.read_bytes()
    train_lm.main([*SMALL, "--checkpoint", str(parts)])
    assert whole.read_bytes() == parts.read_bytes()
    out = capsys.readouterr().out
    assert "going on after 3 steps" in out and written in out
    assert not parts.with_suffix(".partial").exists()
    lines = xml.parse(picture).getroot().findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.get("points").split()) for line in lines] == [12, 12]
    with pytest.raises(SystemExit, match="other settings"):
        train_lm.main([*SMALL, "--batch", "3", "--checkpoint", str(parts)])
    train_lm.main([*SMALL, "--checkpoint", str(parts), "--fresh", "--temperature", "0"])
    assert "going on" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--groups", "3"], "--groups must divide --heads"),
        (["--steps", "0"], "--steps must be at least 1"),
        (["--learning-rate", "0"], "--learning-rate must be positive"),
        (["--text", "/nowhere"], "there is no file /nowhere"),
    ],
)
def test_what_cannot_work_ends_with_a_message(arguments, message, capsys):
    with pytest.raises(SystemExit):
        train_lm.main(arguments)
    assert message in capsys.readouterr().err


def test_a_text_shorter_than_a_piece_is_refused(tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("In the beginning")
    with pytest.raises(SystemExit, match="shorter than a piece"):
        train_lm.main(["--text", str(short)])
