"""How long a 12-layer transformer takes from Python to linalg text, and what share of compiling that is.

    trace      Python to the wax dialect            jax: Python to a jaxpr
    lower      passes, wax dialect to linalg        jax: jaxpr to StableHLO
    text       linalg as text, for the compiler     jax: the module's text
    compile    text to machine code                 jax: XLA

Each turn forgets what was traced before. Parameters are shapes only. Compilation is timed once, without cache.
"""

import time

import harness


def main() -> None:
    parser = harness.parser(__doc__)
    parser.add_argument("--layers", type=int, default=12)
    options = parser.parse_args()
    harness.start(options)

    import jax
    import jax.numpy as jnp
    import models

    import wax
    import wax.nn
    import wax.numpy as wnp
    from wax.scalars import clear_kernels

    def ours(p, ids):
        return models.transformer(wnp, wax.nn, p, ids)

    def theirs(p, ids):
        return models.transformer(jnp, jax.nn, p, ids)

    def arguments(struct):
        parameters = models.transformer_shapes(lambda shape: struct(shape, "float32"), options.layers)
        return parameters, struct((1, 128), "int32")

    mine, peer = arguments(wax.ShapeDtypeStruct), arguments(jax.ShapeDtypeStruct)

    def wax_trace():
        clear_kernels()
        return wax.jit(ours).trace(*mine)

    def jax_trace():
        jax.clear_caches()
        return jax.jit(theirs).trace(*peer)

    def wax_linalg():
        return wax_trace().lower().as_text()

    def jax_stablehlo():
        return jax_trace().lower().as_text()

    rounds = options.rounds or 7

    def compare(name, run_ours, run_theirs):
        contenders = [harness.Contender("wax", run_ours), harness.Contender("jax", run_theirs)]
        return harness.compare(name, contenders, rounds=rounds, target=0.0)

    traced = compare("trace", wax_trace, jax_trace)
    whole = compare("trace + lower + text", wax_linalg, jax_stablehlo)
    lowered = harness.Row("lower + text", {k: whole.seconds[k] - traced.seconds[k] for k in whole.seconds})

    def once(run):
        begin = time.perf_counter()
        run()
        return time.perf_counter() - begin

    wax_lowered = wax_trace().lower()
    wax_lowered.as_text()
    jax_lowered = jax_trace().lower()
    compiled = harness.Row(
        "compile (once)",
        {
            "wax": once(lambda: wax_lowered.compile(options=wax.CompileOptions(cache=False))),
            "jax": once(jax_lowered.compile),
        },
    )
    share = whole.seconds["wax"] / compiled.seconds["wax"]
    whole.notes = f"{share:.1%} of wax's compile time"
    title = f"A {options.layers}-layer transformer, from Python to machine code"
    harness.report("trace_time", title, [traced, lowered, whole, compiled], options)


if __name__ == "__main__":
    main()
