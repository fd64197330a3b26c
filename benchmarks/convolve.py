"""Convolutions in the layouts of PyTorch and of Flax, against torch and jax.jit.

Each framework has its own arrays in memory, laid out as the row says, in float32; the kernels are arguments, so nobody
prepares them before the call.
"""

from dataclasses import dataclass

import harness


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


def main() -> None:
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)

    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.numpy as wnp

    torch.set_num_threads(options.threads)

    def contenders(layer, last, x, w):
        """One each; a result is there when it can be read."""
        spatial = len(layer.sizes)
        ours = wax.jit(
            lambda x, w: wax.nn.conv(
                x,
                w,
                strides=layer.stride,
                padding=layer.padding,
                dilations=layer.dilation,
                groups=layer.groups,
                channels_last=last,
            )
        )
        names = "DHW"[-spatial:]
        tensors, kernels = (f"N{names}C", f"{names}IO") if last else (f"NC{names}", f"OI{names}")
        theirs = jax.jit(
            lambda x, w: jax.lax.conv_general_dilated(
                x,
                w,
                (layer.stride,) * spatial,
                ((layer.padding, layer.padding),) * spatial,
                rhs_dilation=(layer.dilation,) * spatial,
                dimension_numbers=(tensors, kernels, tensors),
                feature_group_count=layer.groups,
            )
        )
        # PyTorch names the dims in one order, whichever lies last in memory.
        image, kernel = torch.tensor(x), torch.tensor(w)
        if last:
            image = image.permute(0, spatial + 1, *range(1, spatial + 1))
            kernel = kernel.permute(spatial + 1, spatial, *range(spatial))
        function = getattr(torch.nn.functional, f"conv{spatial}d")

        @torch.inference_mode()
        def torchs():
            made = function(image, kernel, None, layer.stride, layer.padding, layer.dilation, layer.groups)
            return made.movedim(1, -1) if last else made

        mine, its = (wnp.asarray(x), wnp.asarray(w)), (jnp.asarray(x), jnp.asarray(w))
        return [
            harness.Contender("wax", lambda: ours(*mine).block_until_ready()),
            harness.Contender("torch", torchs),
            harness.Contender("jax", lambda: theirs(*its).block_until_ready()),
        ]

    rows = []
    random = np.random.default_rng(0)
    for layer in LAYERS:
        for last in (True, False):
            name = f"{layer.name}, channels {'last' if last else 'first'}"
            if options.only not in name:
                continue
            features = layer.ins // layer.groups
            if last:
                shapes = (layer.batch, *layer.sizes, layer.ins), (*layer.kernel, features, layer.outs)
            else:
                shapes = (layer.batch, layer.ins, *layer.sizes), (layer.outs, features, *layer.kernel)
            x, w = (random.standard_normal(shape).astype(np.float32) for shape in shapes)
            frameworks = contenders(layer, last, x, w)
            # Elements of a result are about as large as the root of the number of terms.
            terms = features * np.prod(layer.kernel)
            tolerance = 64 * np.finfo(np.float32).eps * float(np.sqrt(terms))
            harness.agree({one.name: one.run() for one in frameworks}, tolerance)
            rows.append(harness.compare(name, frameworks, rounds=options.rounds or 15))
    harness.report("convolve", "Convolutions", rows, options)


if __name__ == "__main__":
    main()
