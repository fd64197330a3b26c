"""Branches that pass one reference to a block twice.

What a turn of a loop or a branch makes at once lies in one piece of memory, with one fence, which the block after it
then gets once for each tensor. IREE 3.13 gives such a block's arguments registers, and moves a reference that is not
used any more to them, one by one: where the first is the register that it is in already, nothing is done for it, and
the move to the second leaves it null. The program then fails ("ref is null"), or waits for no fence. Passed on as the
choice between itself and null, which is itself, a reference is another one.
"""

from __future__ import annotations

import re

__all__ = ["branches_in", "told_apart"]

_BRANCH = re.compile(r"^( *)vm\.(?:cond_)?br\b.*", re.MULTILINE)
_TARGET = re.compile(r"(\^bb\d+)\(([^:()]*) : ([^()]*)\)")
_CONTROL = re.compile(r"\bscf\.(for|while|if)\b")


def branches_in(text: str) -> bool:
    """Whether the host may branch in a program."""
    return _CONTROL.search(text) is not None


def told_apart(text: str) -> str:
    """A module of the phase `vm`, in which no branch passes a reference to one block twice."""
    count = 0

    def branch(found: re.Match[str]) -> str:
        lines: list[str] = []

        def target(block: re.Match[str]) -> str:
            nonlocal count
            values, types = block[2].split(", "), block[3].split(", ")
            seen: set[str] = set()
            for index, (value, kind) in enumerate(zip(values, types, strict=True)):
                if value in seen and kind.startswith("!vm."):
                    name = f"%apart_{count}"
                    count += 1
                    lines.append(f"{name}_is = vm.cmp.nz.ref {value} : {kind}")
                    lines.append(f"{name}_null = vm.const.ref.zero : {kind}")
                    lines.append(f"{name} = vm.select.ref {name}_is, {value}, {name}_null : {kind}")
                    values[index] = name
                seen.add(value)
            return f"{block[1]}({', '.join(values)} : {block[3]})"

        replaced = _TARGET.sub(target, found[0])
        return "".join(f"{found[1]}{line}\n" for line in lines) + replaced

    return _BRANCH.sub(branch, text)
