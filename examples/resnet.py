"""ResNet-18 with random weights: classes of images, and a training step's forward pass, which moves batch statistics.

    python examples/resnet.py                          four images of 224 × 224
    python examples/resnet.py --batch 1 --size 96      smaller ones
    python examples/resnet.py --blocks 3 4 6 3         as deep as ResNet-34

(K. He and others, "Deep Residual Learning for Image Recognition", 2015.) Images and weights have their channels last.
The batch is dynamic, so that one program serves all. Without training the classes mean nothing; their times do.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
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

BATCH = wax.Dim("batch")


class Norm(NamedTuple):
    """Batch norm: what it scales by and adds, and the running statistics."""

    weight: Any
    bias: Any
    mean: Any
    variance: Any


class Unit(NamedTuple):
    """A convolution, weight (height, width, in, out), and its norm."""

    weight: Any
    norm: Norm


class Block(NamedTuple):
    """Two convolutions beside a shortcut, which is empty or a convolution itself where the shape changes."""

    first: Unit
    second: Unit
    shortcut: tuple[Unit, ...]


class Parameters(NamedTuple):
    """All of the network; `stages` has tuples of blocks, `head` the weight (features, classes) and the bias."""

    stem: Unit
    stages: tuple[tuple[Block, ...], ...]
    head: tuple[Any, Any]


# The network.


def initial(key: Any, blocks: Sequence[int], width: int, classes: int) -> Parameters:
    """Random parameters: stage i has `blocks[i]` blocks of `width * 2**i` channels."""
    number = 0

    def fresh() -> Any:
        nonlocal number
        number += 1
        return wax.random.fold_in(key, number)

    def unit(size: int, ins: int, outs: int, scale: float = 1.0) -> Unit:
        weight = initializers.he_normal()(fresh(), (size, size, ins, outs))
        zeros, ones = wnp.zeros(outs), wnp.ones(outs)
        return Unit(weight, Norm(ones * scale, zeros, zeros, ones))

    def block(ins: int, outs: int) -> Block:
        shortcut = () if ins == outs else (unit(1, ins, outs),)
        # What is added to the shortcut starts small, as sums would grow from block to block.
        return Block(unit(3, ins, outs), unit(3, outs, outs, 0.25), shortcut)

    widths = [width * 2**stage for stage in range(len(blocks))]
    stem, before, stages = unit(7, 3, width), width, []
    for count, outs in zip(blocks, widths, strict=True):
        stages.append(tuple(block(before if place == 0 else outs, outs) for place in range(count)))
        before = outs
    head = initializers.lecun_normal()(fresh(), (before, classes)), wnp.zeros(classes)
    return Parameters(stem, tuple(stages), head)


#: How batch norm is done: the result, and the norm with the statistics it has then.
Normalize = Callable[[Any, Norm], tuple[Any, Norm]]


def by_running_statistics(x: Any, p: Norm) -> tuple[Any, Norm]:
    """What a trained network does."""
    return wax.nn.batch_norm(x, p.mean, p.variance, p.weight, p.bias, channels_last=True), p


def by_batch_statistics(x: Any, p: Norm) -> tuple[Any, Norm]:
    """What training does: the running statistics move."""
    y, mean, variance = wax.nn.batch_norm_training(x, p.mean, p.variance, p.weight, p.bias, channels_last=True)
    return y, Norm(p.weight, p.bias, mean, variance)


def apply(x: Any, p: Unit, normalize: Normalize, stride: int = 1) -> tuple[Any, Unit]:
    """A convolution that keeps the size but for its stride, and its norm."""
    around = p.weight.shape[0] // 2
    y = wax.nn.conv(x, p.weight, strides=stride, padding=around, channels_last=True)
    y, norm = normalize(y, p.norm)
    return y, Unit(p.weight, norm)


def residual(x: Any, p: Block, normalize: Normalize, stride: int) -> tuple[Any, Block]:
    """`relu(x + f(x))`, f being the two convolutions."""
    y, first = apply(x, p.first, normalize, stride)
    y, second = apply(wax.nn.relu(y), p.second, normalize)
    moved = []
    for unit in p.shortcut:
        x, made = apply(x, unit, normalize, stride)
        moved.append(made)
    return wax.nn.relu(x + y), Block(first, second, tuple(moved))


def forward(p: Parameters, images: Any, normalize: Normalize) -> tuple[Any, Parameters]:
    """Logits (batch, classes) of images (batch, height, width, 3), and the parameters with their new statistics."""
    x, stem = apply(images, p.stem, normalize, stride=2)
    x = wax.nn.max_pool(wax.nn.relu(x), 3, strides=2, padding=1, channels_last=True)
    stages = []
    for number, stage in enumerate(p.stages):
        blocks = []
        for place, block in enumerate(stage):
            x, made = residual(x, block, normalize, stride=2 if number and not place else 1)
            blocks.append(made)
        stages.append(tuple(blocks))
    features = wnp.mean(x, axis=(1, 2))
    return wax.nn.linear(features, *p.head, transposed=True), Parameters(stem, tuple(stages), p.head)


# Programs.


@partial(wax.jit, dynamic_shapes={"images": {0: BATCH}})
def classify(p: Parameters, images: Any) -> tuple[Any, Any]:
    """The five likeliest classes of each image, and their probabilities."""
    logits, _ = forward(p, images, by_running_statistics)
    best = wnp.top_k(wax.nn.softmax(logits), min(5, logits.shape[-1]))
    return best.indices, best.values


@partial(wax.jit, dynamic_shapes={"images": {0: BATCH}, "labels": {0: BATCH}})
def training_forward(p: Parameters, images: Any, labels: Any) -> tuple[Any, Parameters]:
    """The loss of a batch, and the parameters with the statistics that it moved."""
    logits, moved = forward(p, images, by_batch_statistics)
    return wax.nn.cross_entropy(logits, labels, label_smoothing=0.1), moved


# The command line.


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="ResNet-18 with random weights classifies images.")
    parser.add_argument("--batch", type=int, default=4, metavar="N", help="images (4)")
    parser.add_argument("--size", type=int, default=224, metavar="N", help="their height and width (224)")
    parser.add_argument("--width", type=int, default=64, metavar="N", help="channels of the first stage (64)")
    parser.add_argument(
        "--blocks", type=int, nargs="+", default=(2, 2, 2, 2), metavar="N", help="of each stage (2 2 2 2)"
    )
    parser.add_argument("--classes", type=int, default=1000, metavar="N", help="(1000)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="runs of which the median is shown (5)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    for name in ("batch", "width", "classes", "rounds"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1")
    if min(options.blocks) < 1:
        parser.error("--blocks must each be at least 1")
    if options.size < 2 ** (len(options.blocks) + 1):
        parser.error(f"--size must be at least {2 ** (len(options.blocks) + 1)}, as each stage halves it")
    return options


def timed(name: str, run: Callable[[], Any], rounds: int, progress: rich.progress.Progress) -> tuple[Any, float, float]:
    """A result, the seconds of the first run, and the median of the others."""
    task = progress.add_task(name, total=rounds + 1)
    seconds = []
    for _ in range(rounds + 1):
        begin = time.perf_counter()
        result = run()
        np.asarray(result[0])
        seconds.append(time.perf_counter() - begin)
        progress.advance(task)
    return result, seconds[0], float(np.median(seconds[1:]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Classifies random images, and runs the forward pass of a training step."""
    options = parse_arguments(arguments)
    key, image_key, label_key = wax.random.split(wax.random.key(options.seed), 3)
    with notes.status("drawing weights"):
        p = initial(key, options.blocks, options.width, options.classes)
        images = wax.random.normal(image_key, (options.batch, options.size, options.size, 3))
        labels = wax.random.randint(label_key, (options.batch,), 0, options.classes)
    count = sum(int(np.prod(leaf.shape)) for leaf in wax.tree.flatten(p)[0])
    print(f"images {images.shape}, {count:,} parameters, {sum(map(len, p.stages))} blocks")

    with rich.progress.Progress(console=notes, transient=True) as progress:
        best, *inference = timed("inference", lambda: classify(p, images), options.rounds, progress)
        trained, *training = timed("training", lambda: training_forward(p, images, labels), options.rounds, progress)
    table = rich.table.Table("program", "first call", "then", "images/s")
    for name, (first, then) in (("inference", inference), ("forward of training", training)):
        table.add_row(name, f"{first:.2f} s", f"{then * 1e3:.1f} ms", f"{options.batch / then:.1f}")
    rich.console.Console(highlight=False).print(table)

    for image, (classes, chances) in enumerate(zip(*map(np.asarray, best), strict=True)):
        shown = ", ".join(f"{one} ({chance:.1%})" for one, chance in zip(classes, chances, strict=True))
        print(f"image {image}: classes {shown}")
    loss, moved = trained
    change = np.abs(np.asarray(moved.stem.norm.mean)).max()
    print(f"loss {float(loss):.4f}; the stem's running mean moved by up to {change:.4f}")


if __name__ == "__main__":
    main()
