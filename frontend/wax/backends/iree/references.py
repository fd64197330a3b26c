"""References that branches pass, and others read as well.

IREE 3.13 gives the arguments of a block registers, and moves a reference that is not used any more to them. It loses
one in two cases, and the program then fails ("ref is null"), or waits for a fence that is another's:

- A branch passes it to a block twice, as what a turn of a loop or a branch makes at once lies in one piece of memory,
  with one fence. The moves are done one by one: where the first is to the register that the reference is in already,
  nothing is done for it, and the move to the second leaves it null.
- The block that it is passed to, or one behind that, reads it by its own name too. The argument may get its register,
  and what is passed the next time overwrites it.

Passed on as the choice between itself and null, which is itself, a reference is another one.
"""

from __future__ import annotations

import re

__all__ = ["branches_in", "told_apart"]

_FUNCTION = re.compile(r"^(?= *vm\.func\b)", re.MULTILINE)
_BLOCK = re.compile(r"^ *(\^bb\d+)(\(.*\))?:.*$", re.MULTILINE)
_BRANCH = re.compile(r"^( *)vm\.(?:cond_)?br\b.*", re.MULTILINE)
_LABEL = re.compile(r"\^bb\d+")
_VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
_RESULTS = re.compile(r"^ *%.*? = ", re.MULTILINE)
_TARGET = re.compile(r"(\^bb\d+)\(([^:()]*) : ([^()]*)\)")
_CONTROL = re.compile(r"\bscf\.(for|while|if)\b")


def branches_in(text: str) -> bool:
    """Whether the host may branch in a program."""
    return _CONTROL.search(text) is not None


def told_apart(text: str) -> str:
    """A module of the phase `vm`, in which branches pass references that nothing else reads, each to a block once."""
    count = 0

    def branch(found: re.Match[str], read: dict[str, set[str]]) -> str:
        lines: list[str] = []

        def target(block: re.Match[str]) -> str:
            nonlocal count
            values, types = block[2].split(", "), block[3].split(", ")
            seen = set(read.get(block[1], ()))
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

    def function(part: str) -> str:
        read = _read_on_entry(part)
        return _BRANCH.sub(lambda found: branch(found, read), part)

    return "".join(map(function, _FUNCTION.split(text)))


def _read_on_entry(function: str) -> dict[str, set[str]]:
    """The references some branch passes that a block, or one behind it, reads by the names they have before it."""
    passed = {
        value
        for line in _BRANCH.finditer(function)
        for block in _TARGET.finditer(line[0])
        for value, kind in zip(block[2].split(", "), block[3].split(", "), strict=True)
        if kind.startswith("!vm.")
    }
    read: dict[str, set[str]] = {}
    made: dict[str, set[str]] = {}
    behind: dict[str, set[str]] = {}
    # A label, its arguments, its body, and the next: what is before the first label nothing branches to.
    parts = _BLOCK.split(function)[1:]
    for label, arguments, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        results = " ".join([arguments or "", *_RESULTS.findall(body)])
        names = {value.partition("#")[0] for value in _VALUE.findall(results)}
        made[label] = {value for value in passed if value.partition("#")[0] in names}
        read[label] = passed.intersection(_VALUE.findall(body)) - made[label]
        behind[label] = set(_LABEL.findall(body))
    changed = True
    while changed:
        changed = False
        for label in reversed(read):
            all_read = read[label].union(*(read[other] - made[label] for other in behind[label]))
            changed |= all_read != read[label]
            read[label] = all_read
    return read
