"""Convolutions in the layouts of PyTorch and of Flax, against torch and jax.jit.

Each framework has its own arrays in memory, laid out as the row says, in float32; the kernels are arguments, so nobody
prepares them before the call.
"""

import math
from dataclasses import dataclass

import harness
from bounds import Work
from cases import Case, timed


@dataclass(frozen=True)
class Layer:
    """Sizes by name: of the batch, the features in, the spatial dims, the features out and the kernel."""

    name: str
    batch: int
    ins: int
    sizes: tuple[int, ...]
    outs: int
    kernel: tuple[int, ...]
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    groups: int = 1


LAYERS = [
    Layer("3×3", 1, 64, (56, 56), 64, (3, 3), padding=1),
    Layer("3×3, stride 2", 1, 64, (56, 56), 128, (3, 3), stride=2, padding=1),
    Layer("3×3, dilation 2", 1, 64, (56, 56), 64, (3, 3), padding=2, dilation=2),
    Layer("1×1", 1, 64, (56, 56), 256, (1, 1)),
    Layer("7×7, stride 2, 3 ins", 1, 3, (224, 224), 64, (7, 7), stride=2, padding=3),
    Layer("patches of 16×16", 1, 3, (224, 224), 768, (16, 16), stride=16),
    Layer("3×3, depthwise", 1, 96, (56, 56), 96, (3, 3), padding=1, groups=96),
    Layer("3×3, 4 groups", 1, 64, (56, 56), 64, (3, 3), padding=1, groups=4),
    Layer("5", 4, 64, (1000,), 64, (5,), padding=2),
    Layer("3×3×3", 1, 32, (16, 28, 28), 32, (3, 3, 3), padding=1),
]


def case(layer: Layer, last: bool) -> Case:
    """The row of a layer, its channels last or first."""
    import jax
    import numpy as np
    import torch

    import wax.nn

    spatial = len(layer.sizes)
    features = layer.ins // layer.groups
    if last:
        shapes = (layer.batch, *layer.sizes, layer.ins), (*layer.kernel, features, layer.outs)
    else:
        shapes = (layer.batch, layer.ins, *layer.sizes), (layer.outs, features, *layer.kernel)
    random = np.random.default_rng(0)
    x, w = (random.standard_normal(shape).astype(np.float32) for shape in shapes)

    def ours(x, w):
        return wax.nn.conv(
            x,
            w,
            strides=layer.stride,
            padding=layer.padding,
            dilations=layer.dilation,
            groups=layer.groups,
            channels_last=last,
        )

    names = "DHW"[-spatial:]
    tensors, kernels = (f"N{names}C", f"{names}IO") if last else (f"NC{names}", f"OI{names}")

    def in_jax(x, w):
        return jax.lax.conv_general_dilated(
            x,
            w,
            (layer.stride,) * spatial,
            ((layer.padding, layer.padding),) * spatial,
            rhs_dilation=(layer.dilation,) * spatial,
            dimension_numbers=(tensors, kernels, tensors),
            feature_group_count=layer.groups,
        )

    function = getattr(torch.nn.functional, f"conv{spatial}d")

    def in_torch(x, w):
        # PyTorch names the dims in one order, whichever lies last in memory.
        if last:
            x = x.permute(0, spatial + 1, *range(1, spatial + 1))
            w = w.permute(spatial + 1, spatial, *range(spatial))
        made = function(x, w, None, layer.stride, layer.padding, layer.dilation, layer.groups)
        return made.movedim(1, -1) if last else made

    terms = features * math.prod(layer.kernel)
    results = layer.batch * layer.outs * math.prod(layer.sizes) // layer.stride**spatial
    return Case(
        f"conv {layer.name}, channels {'last' if last else 'first'}",
        ours,
        (x, w),
        {"torch": in_torch, "jax": in_jax},
        # Elements of a result are about as large as the root of the number of terms.
        64 * float(np.finfo(np.float32).eps),
        work=Work(2.0 * terms * results, x.nbytes + w.nbytes + 4.0 * results),
    )


def main() -> None:
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)

    import torch

    torch.set_num_threads(options.threads)
    cases = [case(layer, last) for layer in LAYERS for last in (True, False)]
    rows = [timed(one, options.rounds or 15) for one in cases if options.only in one.name]
    harness.report("convolve", "Convolutions", rows, options)


if __name__ == "__main__":
    main()
