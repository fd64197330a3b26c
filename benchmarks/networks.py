"""A decoder's step with a cache of keys and values, and a residual block with batch norm, against torch and jax.jit.

A step writes one token's keys and values into caches that it owns, and attends to them up to its place. Weights are
arguments, so nobody prepares them before the call.
"""

from functools import partial

import harness

HEADS, GROUPS, WIDTH = 16, 4, 64
CONTEXTS = (256, 1024, 4096)


def main() -> None:
    options = harness.parser(__doc__).parse_args()
    harness.start(options)

    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.nn
    import wax.numpy as wnp

    torch.set_num_threads(options.threads)
    random = np.random.default_rng(0)
    functional = torch.nn.functional

    def drawn(*shape):
        return random.standard_normal(shape).astype(np.float32)

    # A step at the middle of the cache.

    @partial(wax.jit, donate_argnames=("keys", "values"))
    def our_step(q, k, v, keys, values, place):
        keys, values = wax.nn.update_cache(keys, k, place), wax.nn.update_cache(values, v, place)
        return wax.nn.attention(q, keys, values, is_causal=True, query_offset=place), keys, values

    @partial(jax.jit, donate_argnames=("keys", "values"))
    def its_step(q, k, v, keys, values, place):
        keys, values = (
            jax.lax.dynamic_update_slice(cache, new, (0, 0, place, 0)) for cache, new in ((keys, k), (values, v))
        )
        grouped = q.reshape(1, GROUPS, HEADS // GROUPS, WIDTH)
        scores = jnp.einsum("bgmd,bgkd->bgmk", grouped, keys) / np.sqrt(WIDTH)
        scores = jnp.where(jnp.arange(keys.shape[2]) <= place, scores, -jnp.inf)
        mixed = jnp.einsum("bgmk,bgkd->bgmd", jax.nn.softmax(scores), values)
        return mixed.reshape(1, HEADS, 1, WIDTH), keys, values

    def step(context):
        place = context // 2
        q, k, v = drawn(1, HEADS, 1, WIDTH), drawn(1, GROUPS, 1, WIDTH), drawn(1, GROUPS, 1, WIDTH)
        caches = drawn(1, GROUPS, context, WIDTH), drawn(1, GROUPS, context, WIDTH)

        def stepping(function, to_array):
            new, at = [to_array(x) for x in (q, k, v)], to_array(np.int32(place))
            state = [to_array(x) for x in caches]

            def run():
                result, *state[:] = function(*new, *state, at)
                return result.block_until_ready()

            return run

        query, *new = map(torch.tensor, (q, k, v))
        state = [torch.tensor(x) for x in caches]
        seen = (torch.arange(context) <= place)[None]

        @torch.inference_mode()
        def torchs():
            for cache, one in zip(state, new, strict=True):
                cache[:, :, place : place + 1] = one
            return functional.scaled_dot_product_attention(query, *state, attn_mask=seen, enable_gqa=True)

        return [
            harness.Contender("wax", stepping(our_step, wnp.asarray)),
            harness.Contender("torch", torchs),
            harness.Contender("jax", stepping(its_step, jnp.asarray)),
        ]

    # Two convolutions with batch norm, and a shortcut.

    def block(images, size, channels):
        x, w = drawn(images, size, size, channels), drawn(2, 3, 3, channels, channels) / np.float32(channels)
        norms = np.abs(drawn(2, 4, channels)) + np.float32(0.5)  # means, variances, weights, biases

        @wax.jit
        def ours(x, w, norms):
            def unit(x, w, p):
                made = wax.nn.conv(x, w, padding=1, channels_last=True)
                return wax.nn.batch_norm(made, p[0], p[1], p[2], p[3], channels_last=True)

            return wax.nn.relu(x + unit(wax.nn.relu(unit(x, w[0], norms[0])), w[1], norms[1]))

        @jax.jit
        def its(x, w, norms):
            def unit(x, w, p):
                made = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
                return (made - p[0]) * jax.lax.rsqrt(p[1] + 1e-5) * p[2] + p[3]

            return jax.nn.relu(x + unit(jax.nn.relu(unit(x, w[0], norms[0])), w[1], norms[1]))

        image, kernels, statistics = torch.tensor(x).permute(0, 3, 1, 2), torch.tensor(w), torch.tensor(norms)
        weights = [one.permute(3, 2, 0, 1) for one in kernels]

        @torch.inference_mode()
        def torchs():
            def unit(x, w, p):
                return functional.batch_norm(functional.conv2d(x, w, padding=1), *p)

            hidden = functional.relu(unit(image, weights[0], statistics[0]))
            return functional.relu(image + unit(hidden, weights[1], statistics[1])).movedim(1, -1)

        mine, theirs = [wnp.asarray(one) for one in (x, w, norms)], [jnp.asarray(one) for one in (x, w, norms)]
        return [
            harness.Contender("wax", lambda: ours(*mine).block_until_ready()),
            harness.Contender("torch", torchs),
            harness.Contender("jax", lambda: its(*theirs).block_until_ready()),
        ]

    rounds = options.rounds or 15
    rows = [
        harness.compare(f"decoder step, cache of {context}", step(context), rounds=rounds, tolerance=1e-4)
        for context in CONTEXTS
    ]
    rows += [
        harness.compare(
            f"residual block, {channels} channels of {size} × {size}",
            block(1, size, channels),
            rounds=rounds,
            tolerance=1e-3,
        )
        for size, channels in ((56, 64), (14, 256))
    ]
    harness.report("networks", "Decoder steps and residual blocks", rows, options)


if __name__ == "__main__":
    main()
