"""Walking kernel trees, in which shared subexpressions are shared objects."""

from __future__ import annotations

from collections.abc import Sequence

from wax_runtime.snapshot import Apply, Argument, Scalar

__all__ = ["arguments_of", "in_order"]


def in_order(trees: Sequence[Scalar]) -> list[Scalar]:
    """Every node once, operands before their users. Not recursive, since generated kernels may be deep."""
    order: list[Scalar] = []
    seen: set[int] = set()
    stack: list[tuple[Scalar, bool]] = [(tree, False) for tree in reversed(trees)]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            if isinstance(node, Apply):
                stack.extend((operand, False) for operand in reversed(node.operands))
    return order


def arguments_of(tree: Scalar) -> frozenset[int]:
    """The numbers of the arguments that a tree reads."""
    return frozenset(node.index for node in in_order((tree,)) if isinstance(node, Argument))
