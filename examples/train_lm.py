"""Trains a small GPT (the model of `gpt.py`) to write, character by character, like the text it reads; then it writes.

    python examples/train_lm.py                             1000 steps on kjv.txt
    python examples/train_lm.py --text my.txt --width 256   another text, a larger model
    python examples/train_lm.py --stop 500                  a part of the steps; the next call goes on from there
    python examples/train_lm.py --fresh                     begins anew

A training step is one compiled program: the loss, its gradient, AdamW. Its state (parameters and moments) is donated,
so that all of it is updated in place. The checkpoint is a safetensors file of the state's leaves, and the batch of a
step goes by the seed and the step's number; so what goes on from a checkpoint ends with the very same numbers.

`kjv.txt` is Genesis, the Psalms, Proverbs, Ecclesiastes and the Song of Solomon in the King James Version of 1611,
which is in the public domain; the text is that of the Debian package `bible-kjv-text`.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

try:
    import rich.console
    import rich.progress
    import safetensors.numpy
except ImportError as error:
    sys.exit(f"this example needs the package {error.name}; install it with: pip install rich safetensors")

import gpt
import numpy as np

import wax
import wax.nn
import wax.numpy as wnp
from wax import optim

# What the program says goes to standard output, everything else (progress, notices) to standard error.
notes = rich.console.Console(stderr=True, highlight=False)


class State(NamedTuple):
    """All that training changes."""

    step: Any
    params: gpt.Parameters
    optimizer: Any


class Run(NamedTuple):
    """What a checkpoint must agree with to be gone on from."""

    config: gpt.Config
    batch: int
    seed: int
    learning_rate: float
    warmup: int
    steps: int


# Text.


class Characters:
    """The characters of a text, by number."""

    def __init__(self, text: str) -> None:
        self.all = "".join(sorted(set(text)))
        self._numbers = {character: number for number, character in enumerate(self.all)}

    def numbers(self, text: str) -> np.ndarray:
        """A text's characters as numbers; those it does not have are left out."""
        return np.array([self._numbers[c] for c in text if c in self._numbers], np.int32)

    def text(self, numbers: Sequence[int]) -> str:
        """The text that numbers stand for."""
        return "".join(self.all[number] for number in numbers)


def draw(text: np.ndarray, seed: int, step: int, batch: int, length: int) -> np.ndarray:
    """Pieces of the text, each of `length` characters and the one that follows: those of a step."""
    starts = np.random.default_rng((seed, step)).integers(0, len(text) - length, batch)
    return text[starts[:, None] + np.arange(length + 1)]


# Training.


def make_optimizer(run: Run) -> optim.GradientTransformation:
    """AdamW after a warm-up and along a cosine, with gradients clipped; tables and matrices decay, scales do not."""
    schedule = optim.warmup_cosine_decay_schedule(
        0.0, run.learning_rate, run.warmup, max(run.steps, run.warmup + 1), 0.1 * run.learning_rate
    )

    def decays(params: Any) -> Any:
        return wax.tree.map(lambda leaf: leaf.ndim > 1, params)

    return optim.chain(optim.clip_by_global_norm(1.0), optim.adamw(schedule, b2=0.99, weight_decay=0.1, mask=decays))


def initial(run: Run) -> State:
    """Where training begins."""
    params = gpt.initial(wax.random.key(run.seed), run.config)
    return State(wnp.asarray(0), params, make_optimizer(run).init(params))


def loss_of(params: gpt.Parameters, pieces: Any, config: gpt.Config) -> Any:
    """How badly the model foretells each next character: the mean of the negative log-likelihoods."""
    logits, _ = gpt.forward(params, pieces[:, :-1], None, wnp.asarray(0), config)
    return wax.nn.cross_entropy(logits, pieces[:, 1:])


def make_step(run: Run) -> Any:
    """The program of a training step: `(state, pieces) -> (state, loss)`."""
    optimizer = make_optimizer(run)

    def train_step(state: State, pieces: Any) -> tuple[State, Any]:
        loss, gradient = wax.value_and_grad(partial(loss_of, config=run.config))(state.params, pieces)
        updates, optimizer_state = optimizer.update(gradient, state.optimizer, state.params)
        params = optim.apply_updates(state.params, updates)
        return State(state.step + 1, params, optimizer_state), loss

    return wax.jit(train_step, donate_argnames="state")


# Checkpoints.


def settings(run: Run) -> str:
    """A run's settings as text."""
    return json.dumps({**run._asdict(), "config": run.config._asdict()})


def named(state: State) -> dict[str, Any]:
    """The leaves of a state by what finds them in it: `params.layers[0].query`."""
    leaves, structure = wax.tree.flatten(state)
    return {name.lstrip("."): leaf for name, leaf in zip(wax.tree.leaf_codes(structure, ""), leaves, strict=True)}


def save(path: Path, state: State, run: Run, losses: Sequence[float]) -> None:
    """Writes a checkpoint; what was there before stays until all of it is written."""
    arrays = {name: np.asarray(leaf) for name, leaf in named(state).items()}
    arrays["losses"] = np.asarray(losses, np.float32)
    unfinished = path.with_suffix(".partial")
    safetensors.numpy.save_file(arrays, unfinished, metadata={"run": settings(run)})
    os.replace(unfinished, path)


def restore(path: Path, run: Run) -> tuple[State, list[float]]:
    """A checkpoint's state, and the losses up to it. Exits where it is of another run."""
    with safetensors.safe_open(path, "np") as file:
        saved = (file.metadata() or {}).get("run")
    if saved != settings(run):
        sys.exit(f"{path} is of a run with other settings, {saved}; take these, another --checkpoint, or --fresh")
    arrays = safetensors.numpy.load_file(path)
    losses = arrays.pop("losses").tolist()
    template = wax.eval_shape(lambda: initial(run))
    _, structure = wax.tree.flatten(template)
    return wax.tree.unflatten(structure, [wnp.asarray(arrays[name]) for name in named(template)]), losses


# What it says.


def write(params: gpt.Parameters, characters: Characters, run: Run, prompt: str, count: int, temperature: float) -> str:
    """What the model writes after a prompt: all of it in one program, with a cache of keys and values."""
    ids = characters.numbers(prompt)[None, -run.config.context // 2 :]
    count = min(count, run.config.context - ids.shape[1])
    static = {"config": run.config, "temperature": temperature, "top_k": len(characters.all)}
    key = wax.random.key(run.seed + 1)
    token, cache = gpt.advance(params, ids, gpt.empty_cache(1, run.config), wnp.asarray(0), key, **static)
    first = np.asarray(token)
    rest = gpt.generate(params, token, cache, wnp.asarray(ids.shape[1]), key, count=count - 1, **static)
    return characters.text([*first, *np.asarray(rest)[0]])


def plot(losses: Sequence[float], width: int = 720, height: int = 360) -> str:
    """The losses as an SVG picture: each step, and their mean over a while."""
    values = np.asarray(losses)
    span = max(1, len(values) // 50)
    mean = np.convolve(values, np.ones(span) / span, "valid")
    low, high = float(np.floor(values.min())), float(np.ceil(values.max()))
    left, bottom = 40, height - 30

    def points(ys: np.ndarray, first: int) -> str:
        xs = left + (width - left - 10) * (np.arange(len(ys)) + first) / max(1, len(values) - 1)
        down = bottom - (bottom - 10) * (ys - low) / max(high - low, 1e-9)
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, down, strict=True))

    ticks = "".join(
        f'<text x="{left - 6}" y="{bottom - (bottom - 10) * (tick - low) / (high - low) + 4:.1f}" text-anchor="end">'
        f"{tick:g}</text>"
        for tick in (np.arange(low, high + 1) if high > low else ())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n{ticks}\n'
        f'<text x="{left}" y="{height - 10}">0</text>'
        f'<text x="{width - 10}" y="{height - 10}" text-anchor="end">{len(values)} steps</text>\n'
        f'<polyline fill="none" stroke="#bbb" points="{points(values, 0)}"/>\n'
        f'<polyline fill="none" stroke="#036" stroke-width="2" points="{points(mean, span - 1)}"/>\n</svg>\n'
    )


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Trains a small GPT on a text, then lets it write.")
    parser.add_argument(
        "--text", type=Path, default=Path(__file__).with_name("kjv.txt"), help="what it reads (kjv.txt)"
    )
    for name, default in (("width", 128), ("layers", 4), ("heads", 4), ("groups", 4), ("context", 128)):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=f"of the model ({default})")
    parser.add_argument("--batch", type=int, default=16, metavar="N", help="pieces of text in a step (16)")
    parser.add_argument("--steps", type=int, default=1000, metavar="N", help="steps in all (1000)")
    parser.add_argument("--stop", type=int, metavar="N", help="stop after so many of them, to go on another time")
    parser.add_argument("--warmup", type=int, default=50, metavar="N", help="steps with a growing learning rate (50)")
    parser.add_argument("--learning-rate", type=float, default=2e-3, metavar="X", help="the largest one (2e-3)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--checkpoint", type=Path, default=Path("train_lm.safetensors"), help="where the state is kept")
    parser.add_argument("--every", type=int, default=200, metavar="N", help="steps from checkpoint to checkpoint (200)")
    parser.add_argument("--fresh", action="store_true", help="do not go on from the checkpoint")
    parser.add_argument("--plot", type=Path, metavar="SVG", help="a picture of the losses")
    parser.add_argument("--prompt", default="In the beginning ", help="what the model goes on from")
    parser.add_argument("--tokens", type=int, default=400, metavar="N", help="characters to write (400)")
    parser.add_argument("--temperature", type=float, default=0.7, help="0 takes the likeliest character (0.7)")
    options = parser.parse_args(arguments)
    for name in ("width", "layers", "heads", "groups", "context", "batch", "steps", "every", "tokens"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1")
    if options.width % options.heads or options.heads % options.groups or options.width // options.heads % 2:
        parser.error("--groups must divide --heads, and --width be an even multiple of these")
    if options.warmup < 0 or options.temperature < 0 or not options.learning_rate > 0:
        parser.error("--warmup and --temperature must not be negative, and --learning-rate must be positive")
    if not options.text.is_file():
        parser.error(f"there is no file {options.text}")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    """Trains, then writes."""
    options = parse_arguments(arguments)
    text = options.text.read_text()
    if len(text) <= options.context + 1:
        sys.exit(f"{options.text} is shorter than a piece of --context {options.context} characters")
    characters = Characters(text)
    numbers = characters.numbers(text)
    sizes = (getattr(options, name) for name in ("width", "layers", "heads", "groups", "context"))
    config = gpt.Config(len(characters.all), *sizes)
    run = Run(config, options.batch, options.seed, options.learning_rate, options.warmup, options.steps)
    losses: list[float] = []
    if options.checkpoint.is_file() and not options.fresh:
        state, losses = restore(options.checkpoint, run)
        print(f"going on after {len(losses)} steps, from {options.checkpoint}")
    else:
        state = initial(run)
    count = sum(leaf.size for leaf in wax.tree.leaves(state.params))
    print(f"{count:,} parameters, {len(text):,} characters, {len(characters.all)} kinds of them")

    step = make_step(run)
    last = run.steps if options.stop is None else min(options.stop, run.steps)
    begin, done = time.perf_counter(), len(losses)
    progress = rich.progress.Progress(
        *rich.progress.Progress.get_default_columns(),
        rich.progress.MofNCompleteColumn(),
        rich.progress.TextColumn("loss {task.fields[loss]:.3f}"),
        console=notes,
    )
    with progress:
        task = progress.add_task("training", total=last, completed=done, loss=losses[-1] if losses else float("nan"))
        for number in range(done, last):
            state, loss = step(state, draw(numbers, run.seed, number, run.batch, config.context))
            losses.append(float(loss))
            progress.update(task, advance=1, loss=losses[-1])
            if (number + 1) % options.every == 0 or number + 1 == last:
                save(options.checkpoint, state, run, losses)
    if last > done:
        seconds = time.perf_counter() - begin
        speed = (last - done) * run.batch * config.context / seconds
        print(f"{last - done} steps in {seconds:.1f} s, {speed:,.0f} characters/s")
    print(f"loss {losses[0]:.3f} at first, {np.mean(losses[-50:]):.3f} in the end")
    if options.plot:
        options.plot.write_text(plot(losses))
    print(options.prompt + write(state.params, characters, run, options.prompt, options.tokens, options.temperature))


if __name__ == "__main__":
    main()
