"""A GPT-style decoder with random weights, which writes tokens one after another with a cache of keys and values.

    python examples/gpt.py                              a small model writes 64 tokens
    python examples/gpt.py --heads 8 --groups 2         four heads share keys and values
    python examples/gpt.py --positions learned          a table of positions in place of rotary ones
    python examples/gpt.py --temperature 0              the likeliest token each time

The prompt goes through the model at once (prefill), then each token by itself (a step): one function, `forward`,
compiled for two lengths. The cache is donated, so that a step writes its keys and values into it and copies nothing.
`generate` is the whole loop as one program. Without training what it writes is noise; its speed is not.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

try:
    import rich.console
    import rich.progress
    import rich.table
except ImportError as error:
    sys.exit(f"this example needs the package {error.name}; install it with: pip install rich")

import numpy as np

import wax
import wax.nn
import wax.numpy as wnp
from wax.nn import initializers

# The results go to standard output, everything else (progress, notices) to standard error.
notes = rich.console.Console(stderr=True, highlight=False)


class Config(NamedTuple):
    """The model's sizes: heads share the keys and values of their group."""

    words: int = 4096
    width: int = 256
    layers: int = 4
    heads: int = 8
    groups: int = 4
    context: int = 512
    rotary: bool = True


class Layer(NamedTuple):
    """One decoder layer; weights are (in, out)."""

    norm: Any
    query: Any
    key: Any
    value: Any
    output: Any
    hidden_norm: Any
    gate: Any
    up: Any
    down: Any


class Parameters(NamedTuple):
    """All of the model. `positions` is empty where positions are rotary; words come out by the table they go in by."""

    words: Any
    positions: Any
    layers: tuple[Layer, ...]
    norm: Any


class Cache(NamedTuple):
    """Keys and values of the tokens so far, each (batch, groups, context, features of a head)."""

    keys: Any
    values: Any


# The model.


def initial(key: Any, config: Config) -> Parameters:
    """Random parameters."""
    width, inner = config.width, 4 * config.width
    shared = width // config.heads * config.groups
    small = initializers.normal(0.02)
    keys = iter(wax.random.split(key, 2 + 7 * config.layers))

    def layer() -> Layer:
        square, narrow = (width, width), (width, shared)
        query, key, value, output = (small(next(keys), shape) for shape in (square, narrow, narrow, square))
        gate, up, down = (small(next(keys), shape) for shape in ((width, inner), (width, inner), (inner, width)))
        return Layer(wnp.ones(width), query, key, value, output, wnp.ones(width), gate, up, down)

    words = small(next(keys), (config.words, width))
    positions = () if config.rotary else small(next(keys), (config.context, width))
    return Parameters(words, positions, tuple(layer() for _ in range(config.layers)), wnp.ones(width))


def empty_cache(batch: int, config: Config) -> tuple[Cache, ...]:
    """A cache of zeros for each layer."""
    shape = (batch, config.groups, config.context, config.width // config.heads)
    return tuple(Cache(wnp.zeros(shape), wnp.zeros(shape)) for _ in range(config.layers))


def split_heads(x: Any, heads: int) -> Any:
    """(batch, length, features) → (batch, heads, length, features of a head)."""
    batch, length, features = x.shape
    return wnp.permute_dims(wnp.reshape(x, (batch, length, heads, features // heads)), (0, 2, 1, 3))


def attend(x: Any, p: Layer, cache: Cache | None, start: Any, config: Config) -> tuple[Any, Cache]:
    """What the tokens from place `start` on take from those before them, and the cache with their keys and values."""
    query = split_heads(x @ p.query, config.heads)
    key, value = (split_heads(x @ weight, config.groups) for weight in (p.key, p.value))
    if config.rotary:
        places = wnp.arange(x.shape[1]) + start
        query, key = (wax.nn.rotary_embedding(one, places) for one in (query, key))
    if cache is None:
        cache = Cache(key, value)
    else:
        cache = Cache(wax.nn.update_cache(cache.keys, key, start), wax.nn.update_cache(cache.values, value, start))
    mixed = wax.nn.attention(query, *cache, is_causal=True, query_offset=start)
    merged = wnp.reshape(wnp.permute_dims(mixed, (0, 2, 1, 3)), x.shape)
    return merged @ p.output, cache


def forward(
    p: Parameters, ids: Any, cache: tuple[Cache, ...] | None, start: Any, config: Config
) -> tuple[Any, tuple[Cache, ...]]:
    """Logits for tokens (batch, length) that stand from place `start` on, and the cache with theirs."""
    x = wax.nn.embedding(p.words, ids)
    if not config.rotary:
        x = x + wax.nn.embedding(p.positions, wnp.arange(ids.shape[1]) + start)
    made = []
    for number, layer in enumerate(p.layers):
        old = None if cache is None else cache[number]
        mixed, new = attend(wax.nn.rms_norm(x, layer.norm), layer, old, start, config)
        x = x + mixed
        h = wax.nn.rms_norm(x, layer.hidden_norm)
        x = x + (wax.nn.silu(h @ layer.gate) * (h @ layer.up)) @ layer.down
        made.append(new)
    return wax.nn.linear(wax.nn.rms_norm(x, p.norm), p.words), tuple(made)


def sample(key: Any, logits: Any, temperature: float, top_k: int) -> Any:
    """A token for each row of logits: the likeliest at temperature 0, else drawn from the `top_k` likeliest."""
    if temperature == 0:
        return wnp.argmax(logits, axis=-1)
    if top_k < logits.shape[-1]:
        least = wnp.top_k(logits, top_k).values[..., -1:]
        logits = wnp.where(logits >= least, logits, -wnp.inf)
    return wax.random.categorical(key, logits / temperature)


# Programs.


@partial(wax.jit, static_argnames=("config", "temperature", "top_k"), donate_argnames="cache")
def advance(
    p: Parameters,
    ids: Any,
    cache: tuple[Cache, ...],
    start: Any,
    key: Any,
    config: Config,
    temperature: float,
    top_k: int,
) -> tuple[Any, tuple[Cache, ...]]:
    """The token that follows those from place `start` on, and the cache with theirs: a prefill, or a step."""
    logits, cache = forward(p, ids, cache, start, config)
    return sample(wax.random.fold_in(key, start), logits[:, -1], temperature, top_k), cache


@partial(wax.jit, static_argnames=("count", "config", "temperature", "top_k"), donate_argnames="cache")
def generate(
    p: Parameters,
    first: Any,
    cache: tuple[Cache, ...],
    start: Any,
    key: Any,
    count: int,
    config: Config,
    temperature: float,
    top_k: int,
) -> Any:
    """`count` steps in one program: the tokens (batch, count) that follow the token `first` at place `start`."""

    def step(carry: Any, _: Any) -> Any:
        token, cache, place = carry
        logits, cache = forward(p, token[:, None], cache, place, config)
        token = sample(wax.random.fold_in(key, place), logits[:, -1], temperature, top_k)
        return (token, cache, place + 1), token

    _, tokens = wax.scan(step, (first, cache, start), length=count)
    return wnp.permute_dims(tokens, (1, 0))


# The command line.


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    default = Config()
    parser = argparse.ArgumentParser(description="A GPT-style decoder with random weights writes tokens.")
    for name in ("words", "width", "layers", "heads", "groups", "context"):
        parser.add_argument(f"--{name}", type=int, default=getattr(default, name), metavar="N")
    parser.add_argument("--positions", choices=("rotary", "learned"), default="rotary")
    parser.add_argument("--batch", type=int, default=1, metavar="N", help="texts side by side (1)")
    parser.add_argument("--prompt", type=int, default=32, metavar="N", help="tokens of the prompt (32)")
    parser.add_argument("--tokens", type=int, default=64, metavar="N", help="tokens to write (64)")
    parser.add_argument("--temperature", type=float, default=0.8, help="0 takes the likeliest token (0.8)")
    parser.add_argument("--top-k", type=int, default=40, metavar="N", help="draw from the N likeliest tokens (40)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    names = ("words", "width", "layers", "heads", "groups", "context", "batch", "prompt", "tokens", "top_k")
    for name in names:
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")
    if options.width % options.heads or options.heads % options.groups:
        parser.error("--groups must divide --heads, and these --width")
    if options.positions == "rotary" and options.width // options.heads % 2:
        parser.error("with rotary positions --width / --heads must be even")
    if options.prompt + options.tokens > options.context:
        parser.error("--prompt and --tokens do not fit into --context")
    if options.temperature < 0:
        parser.error("--temperature must not be negative")
    return options


def timed(run: Any) -> tuple[Any, float]:
    """A result, and the seconds until it is there."""
    begin = time.perf_counter()
    result = run()
    np.asarray(wax.tree.flatten(result)[0][0])
    return result, time.perf_counter() - begin


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes tokens step by step, then in one program, and compares."""
    options = parse_arguments(arguments)
    config = Config(
        *(getattr(options, name) for name in ("words", "width", "layers", "heads", "groups", "context")),
        rotary=options.positions == "rotary",
    )
    key, prompt_key, draw_key = wax.random.split(wax.random.key(options.seed), 3)
    p = initial(key, config)
    count = sum(int(np.prod(leaf.shape)) for leaf in wax.tree.flatten(p)[0])
    print(f"{count:,} parameters, {config}")
    prompt = wax.random.randint(prompt_key, (options.batch, options.prompt), 0, config.words)
    static = {"config": config, "temperature": options.temperature, "top_k": options.top_k}

    def start_of(place: int) -> Any:
        return wnp.asarray(place, dtype=wnp.int32)

    def prefill() -> Any:
        return advance(p, prompt, empty_cache(options.batch, config), start_of(0), draw_key, **static)

    with notes.status("compiling"):
        compiling = [timed(prefill)[1]]
        token, cache = prefill()
        compiling.append(
            timed(lambda: advance(p, token[:, None], cache, start_of(options.prompt), draw_key, **static))[1]
        )
        loop = partial(generate, count=options.tokens - 1, **static)
        token, cache = prefill()
        compiling.append(timed(lambda: loop(p, token, cache, start_of(options.prompt), draw_key))[1])
    (token, cache), prefill_seconds = timed(prefill)

    written = [np.asarray(token)]
    progress = rich.progress.Progress(
        *rich.progress.Progress.get_default_columns(), rich.progress.MofNCompleteColumn(), console=notes, transient=True
    )
    with progress:
        task = progress.add_task("writing", total=options.tokens, completed=1)
        begin = time.perf_counter()
        for place in range(options.prompt, options.prompt + options.tokens - 1):
            token, cache = advance(p, token[:, None], cache, start_of(place), draw_key, **static)
            written.append(np.asarray(token))
            progress.advance(task)
        step_seconds = time.perf_counter() - begin
    tokens = np.stack(written, 1)

    token, cache = prefill()
    together, loop_seconds = timed(lambda: loop(p, token, cache, start_of(options.prompt), draw_key))
    same = np.array_equal(np.asarray(together), tokens[:, 1:])

    table = rich.table.Table("program", "first call", "then", "tokens/s")
    steps = options.batch * (options.tokens - 1)
    rows = (
        (f"prefill of {options.prompt}", prefill_seconds, options.batch * options.prompt),
        ("step by step", step_seconds, steps),
        ("one program", loop_seconds, steps),
    )
    for (name, seconds, tokens_made), first in zip(rows, compiling, strict=True):
        table.add_row(name, f"{first:.2f} s", f"{seconds * 1e3:.1f} ms", f"{tokens_made / max(seconds, 1e-9):,.0f}")
    rich.console.Console(highlight=False).print(table)
    print("tokens:", *tokens[0])
    print(f"step by step and in one program, the tokens are {'the same' if same else 'different'}")


if __name__ == "__main__":
    main()
