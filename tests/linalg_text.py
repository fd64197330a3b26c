"""Programs in linalg text for the suites of the runtime and of the iree backend, by hand: no frontend needed."""

import numpy as np

from wax_runtime import CPU, ArgumentSpec, CompileOptions, Program, Signature, SymbolFact, dtypes, registry
from wax_runtime.backend import Artefact, Executable, compiler_of


def tensor(shape, dtype):
    dims = "".join(f"{d if isinstance(d, int) else '?'}x" for d in shape)
    return f"tensor<{dims}{dtypes.mlir_type(dtype)}>"


def spec(shape, dtype, name=""):
    return ArgumentSpec(name, tuple(shape), np.dtype(dtypes.dtype(dtype)))


def elementwise(body, shape, dtype, *, operands=1):
    """`body` computes `%y` from `%x0`, `%x1` …, for arguments and a result of one shape and dtype."""
    kind = tensor(shape, dtype)
    scalar = dtypes.mlir_type(dtype)
    rank = len(shape)
    dims = ", ".join(f"d{i}" for i in range(rank))
    identity = f"affine_map<({dims}) -> ({dims})>"
    sizes = "".join(
        f"%c{i} = arith.constant {i} : index\n%n{i} = tensor.dim %a0, %c{i} : {kind}\n"
        for i, d in enumerate(shape)
        if not isinstance(d, int)
    )
    dynamic = ", ".join(f"%n{i}" for i, d in enumerate(shape) if not isinstance(d, int))
    iterators = ", ".join(['"parallel"'] * rank)
    names = [f"%a{i}" for i in range(operands)]
    return f"""module @m {{
  func.func @main({", ".join(f"{n}: {kind}" for n in names)}) -> {kind} {{
    {sizes}%e = tensor.empty({dynamic}) : {kind}
    %r = linalg.generic {{indexing_maps = [{", ".join([identity] * (operands + 1))}], iterator_types = [{iterators}]}}
        ins({", ".join(names)} : {", ".join([kind] * operands)}) outs(%e : {kind}) {{
    ^bb0({", ".join(f"%x{i}: {scalar}" for i in range(operands))}, %o: {scalar}):
      {body}
      linalg.yield %y : {scalar}
    }} -> {kind}
    return %r : {kind}
  }}
}}"""


def program(text, arguments, results, *, symbols=(), donated=(), work=None, located=None, name="f"):
    signature = Signature(
        "main", tuple(arguments), tuple(results), tuple(SymbolFact(*s) for s in symbols), tuple(donated)
    )
    return Program(name, signature, lambda: text, lambda: text, lambda: None, located=located, work=work)


def compiled(given, **options) -> Artefact:
    return compiler_of(registry.get("iree")).compile(given, CPU, CompileOptions(**options))


def loaded(given, **options) -> Executable:
    return registry.get("iree").load(compiled(given, **options), CPU)


def doubling(shape=(4,), dtype="float32", **facts):
    """x + x, for any shape and dtype."""
    scalar = dtypes.mlir_type(dtype)
    kind = dtypes.info(dtype).kind
    if kind == "bool":
        body = "%y = arith.ori %x0, %x0 : i1"
    elif kind in ("int", "uint"):
        body = f"%y = arith.addi %x0, %x0 : {scalar}"
    elif kind == "complex":
        body = f"%y = complex.add %x0, %x0 : {scalar}"
    else:
        body = f"%y = arith.addf %x0, %x0 : {scalar}"
    return program(elementwise(body, shape, dtype), [spec(shape, dtype, "x")], [spec(shape, dtype)], **facts)
