"""Writes docs/errors.md from the docstrings of the error classes.

    python scripts/errors_page.py           writes the page
    python scripts/errors_page.py --check   fails, with the difference, where it is out of date

The sources are read, not imported: nothing need be built.
"""

import argparse
import ast
import builtins
import difflib
import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errors.md"
SOURCES = ("runtime/wax_runtime/errors.py", "frontend/wax/errors.py")
BASE = "WaxError"

INTRODUCTION = """\
<!-- Written by `make docs` from the error classes' docstrings. -->

# Errors

Every error that wax raises on purpose is a `wax.errors.WaxError`. Those found while a function is traced, or
by a call, begin with the user's own `file:line:column`, which `error.location` has too; `error.message` is the
rest. Where Python has a class for the same fault, the error derives from it as well.
"""


@dataclass(frozen=True)
class ErrorClass:
    """One class as the page shows it."""

    name: str
    bases: tuple[str, ...]
    docstring: str

    @property
    def parent(self) -> str | None:
        """The wax class it is listed under."""
        return next((base for base in self.bases if base.endswith("Error") and base not in BUILTIN), None)


BUILTIN = frozenset(name for name in dir(builtins) if name.endswith("Error"))


def read(path: Path) -> list[ErrorClass]:
    """The classes that a module defines, but for those that are no errors."""
    found = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error"):
            docstring = ast.get_docstring(node)
            if not docstring:
                sys.exit(f"{path}:{node.lineno}: {node.name} has no docstring, which is its documentation")
            found.append(ErrorClass(node.name, tuple(ast.unparse(base) for base in node.bases), docstring))
    return found


def markdown(docstring: str) -> str:
    """A docstring's text; an indented block after `::` is Python."""
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(docstring))
    lines = []
    in_code = False
    for block in blocks:
        is_code = block.startswith("    ")
        if is_code != in_code:
            lines += ["```python"] if is_code else ["```", ""]
        elif is_code:
            lines.append("")
        in_code = is_code
        if is_code:
            lines += [line.removeprefix("    ") for line in block.splitlines()]
        else:
            lines += [re.sub(r"::$", ":", block), ""]
    if in_code:
        lines.append("```")
    return "\n".join(lines).rstrip()


def page(classes: list[ErrorClass]) -> str:
    """The whole page: the tree of classes, then each in the tree's order."""
    by_parent: dict[str | None, list[ErrorClass]] = {}
    names = {one.name for one in classes}
    for one in classes:
        parent = one.parent if one.parent in names else None
        by_parent.setdefault(parent, []).append(one)
    strays = [one.name for one in by_parent.get(None, []) if one.name != BASE]
    if strays:
        sys.exit(f"{', '.join(strays)}: every error derives from {BASE}")
    tree: list[str] = []
    sections: list[str] = []

    def visit(one: ErrorClass, depth: int) -> None:
        others = [base for base in one.bases if base != one.parent and base != "Exception"]
        also = f" (also `{'`, `'.join(others)}`)" if others else ""
        tree.append(f"{'  ' * depth}- [`{one.name}`](#{one.name.lower()}){also}")
        sections.append(f"## {one.name}\n\n{markdown(one.docstring)}\n")
        for child in by_parent.get(one.name, []):
            visit(child, depth + 1)

    for root in by_parent.get(None, []):
        visit(root, 0)
    return "\n".join([INTRODUCTION, *tree, "", *sections])


def main() -> None:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check: bool = parser.parse_args().check
    text = page([one for source in SOURCES for one in read(ROOT / source)])
    if not check:
        PAGE.write_text(text)
        return
    there = PAGE.read_text() if PAGE.exists() else ""
    difference = list(
        difflib.unified_diff(
            there.splitlines(), text.splitlines(), "docs/errors.md (there)", "docs/errors.md (generated)", lineterm=""
        )
    )
    if difference:
        sys.exit("\n".join([*difference, "", "docs/errors.md is not what the classes say: run `make docs`"]))


if __name__ == "__main__":
    main()
