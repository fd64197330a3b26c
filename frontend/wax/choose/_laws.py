"""The laws of sums and products, by which terms are equal: data, in egglog's notation.

Of integers, which wrap around, they hold to the bit. Of floats they change roundings, and with them what overflows:
where all goes well numbers differ by roundings of their terms, and where one of them is infinite or NaN, others may be.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LAWS", "Law"]


@dataclass(frozen=True, slots=True)
class Law:
    """What matches `left` equals `right`, where `free(…)` of what is named in `without` has not the index `i`, and of
    what is named in `having` has it.
    """

    name: str
    left: str
    right: str
    without: str = ""
    having: str = ""

    def as_rule(self) -> str:
        """The rule in egglog's notation."""
        facts = [f"(= whole {self.left})"]
        for variable in (*self.without, *self.having):
            test = "set-not-contains" if variable in self.without else "set-contains"
            facts += [f"(= free-{variable} (free {variable}))", f"({test} free-{variable} i)"]
        return f'(rule ({" ".join(facts)}) ((union whole {self.right})) :ruleset laws :name "{self.name}")'


#: Each holds in both directions; where only one is written, the other follows from it and the rest.
LAWS = (
    Law("products commute", "(Mul a b)", "(Mul b a)"),
    Law("products associate", "(Mul a (Mul b c))", "(Mul (Mul a b) c)"),
    Law("sums commute", "(Add a b)", "(Add b a)"),
    Law("sums associate", "(Add a (Add b c))", "(Add (Add a b) c)"),
    Law("sums over two indices commute", "(Sum i (Sum j a))", "(Sum j (Sum i a))"),
    Law("a factor leaves a sum over an index", "(Sum i (Mul a b))", "(Mul (Sum i a) b)", without="b"),
    Law("a factor enters a sum over an index", "(Mul (Sum i a) b)", "(Sum i (Mul a b))", without="b"),
    Law("a common factor leaves a sum", "(Add (Mul a b) (Mul a c))", "(Mul a (Add b c))"),
    Law("a factor is distributed over a sum", "(Mul a (Add b c))", "(Add (Mul a b) (Mul a c))"),
    Law("a common factor leaves a difference", "(Sub (Mul a b) (Mul a c))", "(Mul a (Sub b c))"),
    Law("a factor is distributed over a difference", "(Mul a (Sub b c))", "(Sub (Mul a b) (Mul a c))"),
    Law("a sum over an index is split", "(Sum i (Add a b))", "(Add (Sum i a) (Sum i b))", having="ab"),
    Law("sums over one index are one", "(Add (Sum i a) (Sum i b))", "(Sum i (Add a b))"),
    Law("a difference's sum is split", "(Sum i (Sub a b))", "(Sub (Sum i a) (Sum i b))", having="ab"),
    Law("a difference of sums is one", "(Sub (Sum i a) (Sum i b))", "(Sum i (Sub a b))"),
    Law("a quotient's factor is divided later", "(Mul (Div a b) c)", "(Div (Mul a c) b)"),
    Law("a product's factor is divided sooner", "(Div (Mul a c) b)", "(Mul (Div a b) c)"),
    Law("a divisor leaves a sum over an index", "(Sum i (Div a b))", "(Div (Sum i a) b)", without="b"),
    Law("a divisor enters a sum over an index", "(Div (Sum i a) b)", "(Sum i (Div a b))", without="b"),
)
