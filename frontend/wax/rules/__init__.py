"""Rewrite rules from outside: what a program computes one way, and may compute another way.

    fewer = wax.rules.rule(lambda x, y: wnp.exp(x) * wnp.exp(y), lambda x, y: wnp.exp(x + y), finite=True)

    @wax.jit(rules=[fewer])
    def f(x, y): ...

    print(f.lower(x, y).as_text("wax"))     # as it was rewritten
    f.lower(x, y).rewrites                  # which rules were applied, and to which lines

Pattern and replacement are functions of arrays, traced like any other, so that a rule is written in the words in which
programs are. Where a pattern occurs is decided by what a program computes: by the operations of the basis, their
kernels and the data flow between them, calls inlined. Operands of what commutes may stand in any order, and arrays may
be read transposed. Names do not matter, nor how sizes are spelled. An occurrence of which something is read elsewhere
too, or which lies partly outside of a loop, is left as it is.

A rule's two sides are compared on random arrays before it is trusted. A backend brings rules of its own by
`wax_runtime.backend.Rewriter`.
"""

from wax.rules._rewriting import Rewrite, rewrite
from wax.rules._rule import Parameter, Rule, rule

__all__ = ["Parameter", "Rewrite", "Rule", "rewrite", "rule"]
