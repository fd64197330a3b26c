"""Writes docs/reference from the dialect's and the passes' TableGen files.

    python scripts/reference.py           writes the pages
    python scripts/reference.py --check   fails, with the difference, where a page is out of date

The text is mlir-tblgen's; here it gets a title, headings one level up, an index of the operations, and
a table of what is there for each of them.
"""

import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import mlir_tools  # noqa: E402
import operations  # noqa: E402

DIALECT = "dialect/include/wax/Dialect"

#: Page, title, TableGen file, generator.
PAGES = [
    ("dialect", "The wax dialect", f"{DIALECT}/WaxDialect.td", ["-gen-dialect-doc", "-dialect=wax"]),
    ("pointwise", "Pointwise operations", f"{DIALECT}/PointwiseOps.td", ["-gen-op-doc"]),
    ("reduce", "Reductions", f"{DIALECT}/ReduceOps.td", ["-gen-op-doc"]),
    ("ordering", "Ordering operations", f"{DIALECT}/OrderingOps.td", ["-gen-op-doc"]),
    ("special", "Special functions", f"{DIALECT}/SpecialOps.td", ["-gen-op-doc"]),
    ("structural", "Structural operations", f"{DIALECT}/StructuralOps.td", ["-gen-op-doc"]),
    ("window", "Sliding windows", f"{DIALECT}/WindowOps.td", ["-gen-op-doc"]),
    ("spectral", "Spectral operations", f"{DIALECT}/SpectralOps.td", ["-gen-op-doc"]),
    ("collectives", "Collectives", f"{DIALECT}/CollectiveOps.td", ["-gen-op-doc"]),
    ("checkpoints", "Checkpoints", f"{DIALECT}/CheckpointOps.td", ["-gen-op-doc"]),
    ("recognized", "Recognised operations", f"{DIALECT}/RecognizedOps.td", ["-gen-op-doc"]),
    ("updates", "Updates", f"{DIALECT}/UpdateOps.td", ["-gen-op-doc"]),
    ("interfaces", "Interfaces", f"{DIALECT}/WaxInterfaces.td", ["-gen-op-interface-docs"]),
    ("passes", "Passes", "passes/include/wax/Passes/Passes.td", ["-gen-pass-doc"]),
    ("machine", "Passes to machine code", "passes/include/wax/Passes/MachinePasses.td", ["-gen-pass-doc"]),
]

#: The heading that opens what a generator writes, above the entries.
PREAMBLE = re.compile(r"\A<!--[^\n]*-->\s*(?:# [^\n]*\n\s*(?:_[^\n]*_\n)?)?")
OPERATION = re.compile(r"^## `(wax\.\w+)`.*\n+(?:_(.+)_)?", re.MULTILINE)


def tablegen(source: str, generator: list[str]) -> str:
    """What mlir-tblgen says of a file."""
    includes = ["dialect/include", "passes/include", str(mlir_tools.llvm_prefix() / "include")]
    command = [
        str(mlir_tools.llvm_tool("mlir-tblgen")),
        *generator,
        *(f"-I{one}" for one in includes),
        source,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def page(title: str, source: str, generator: list[str]) -> str:
    """One page: a title, where it comes from, and the entries as second-level headings."""
    body = PREAMBLE.sub("", tablegen(source, generator)).strip()
    levels = [len(marks) for marks in re.findall(r"^(#+) ", body, re.MULTILINE)]
    surplus = min(levels, default=2) - 2
    if surplus > 0:
        body = re.sub(rf"^{'#' * surplus}(#+ )", r"\1", body, flags=re.MULTILINE)
    # A reader of the reference does not need the operation's C++ class.
    body = re.sub(r"^(## `wax\.\w+`) \(.*\)$", r"\1", body, flags=re.MULTILINE)
    body = "\n".join(line.rstrip() for line in body.splitlines())
    return f"<!-- Written by `make docs` from {source}. -->\n\n# {title}\n\n{body}\n"


def index(pages: dict[str, str]) -> str:
    """The page that lists the operations and points to the rest."""
    lines = ["<!-- Written by `make docs`. -->", "", "# Reference", ""]
    lines.append("- [What is there for each operation](status.md)")
    operations = []
    for name, title, _, _ in PAGES:
        lines.append(f"- [{title}]({name}.md)")
        for operation, summary in OPERATION.findall(pages[f"{name}.md"]):
            anchor = operation.replace(".", "")
            operations.append(f"| [`{operation}`]({name}.md#{anchor}) | {summary} |")
    return "\n".join([*lines, "", "| operation | what it does |", "|---|---|", *operations]) + "\n"


def files_with(text: str, pattern: str) -> list[Path]:
    """The files of a glob pattern in which a text stands as a whole word."""
    word = re.compile(rf"(?<![\w.]){re.escape(text)}\b")
    return [path.relative_to(ROOT) for path in sorted(ROOT.glob(pattern)) if word.search(path.read_text())]


def link(path: Path) -> str:
    """A link from a page of the reference."""
    return f"[{path.name}](../../{path})"


def run_by_iree(name: str, programs: list[Path]) -> bool:
    """Whether a test of the lowering gives the operation to IREE: text of its own, or a program of tests/passes/run."""
    tests = {path: path.read_text() for path in sorted(ROOT.glob("tests/passes/test_*.py"))}
    helpers = [path for path in files_with(name, "tests/*.py") if path.stem not in ("fuzz", "random_programs")]
    own = files_with(name, "tests/passes/test_*.py")
    imported = [path for path in helpers if any(f"from {path.stem} import" in text for text in tests.values())]
    shared = tests[ROOT / "tests" / "passes" / "test_iree_accepts.py"]
    return bool(own or imported or any(f'"{one.stem}"' in shared for one in programs))


def status() -> str:
    """The page that tells what there is for every operation of the basis, where it is lowered, and what tests it."""
    columns = ["operation", "constraints", "inferred", "folds", "canonicalizes", "lowered in", "differentiated in"]
    columns += ["batched in", "runs upstream", "runs on IREE", "reference", "tested by"]
    lines = [
        "<!-- Written by `make docs` from the sources and the tests. -->",
        "",
        "# What is there for each operation",
        "",
        "The number of labelled constraints its verifier checks; whether its result types are inferred, it has folders",
        "and canonicalizations; the files that lower it, for both targets, with its derivatives, and with its batches;",
        "whether tests run it through MLIR's own tools and on IREE; whether the reference backend has a rule for it;",
        "and the tests of its own and the programs that run it.",
        "",
        "| " + " | ".join(columns) + " |",
        "|" + "---|" * len(columns),
    ]
    rules = (ROOT / "runtime/wax_runtime/reference/rules.py").read_text()
    for one in operations.declared():
        if not one.is_basis:
            continue
        programs = files_with(one.name, "tests/passes/run/*.mlir")
        flags = [one.infers, one.folds, one.canonicalizes]
        runs = [bool(programs), run_by_iree(one.name, programs), f'"{one.name}":' in rules]
        cells = [
            f"`{one.name}`",
            str(len(one.labels)),
            *("✓" if flag else "–" for flag in flags),
            *(
                ", ".join(map(link, files_with(f"{one.cpp_class}::attachInterface", f"passes/{folder}/*.cpp"))) or "–"
                for folder in ("lowering", "differentiation", "batching")
            ),
            *("✓" if flag else "–" for flag in runs),
            ", ".join(map(link, files_with(one.name, "tests/**/*.mlir") + files_with(one.name, "tests/**/*.py")))
            or "–",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def differences(folder: Path, pages: dict[str, str]) -> list[str]:
    """How the folder differs from what would be written, as lines of a unified diff."""
    names = {one.name for one in folder.glob("*.md")} | set(pages)
    lines: list[str] = []
    for name in sorted(names):
        path = folder / name
        there = path.read_text() if path.exists() else ""
        lines += difflib.unified_diff(
            there.splitlines(),
            pages.get(name, "").splitlines(),
            f"{path} (there)",
            f"{path} (generated)",
            lineterm="",
        )
    return lines


def main() -> None:
    """Writes or checks the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--folder", type=Path, default=ROOT / "docs" / "reference")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    missing = {f"{DIALECT}/{path.name}" for path in (ROOT / DIALECT).glob("?*Ops.td") if path.name != "WaxOps.td"} - {
        page[2] for page in PAGES
    }
    if missing:
        sys.exit(f"PAGES lacks {', '.join(sorted(missing))}")
    pages = {f"{name}.md": page(title, source, generator) for name, title, source, generator in PAGES}
    pages["README.md"] = index(pages)
    pages["status.md"] = status()
    if arguments.check:
        if lines := differences(folder, pages):
            sys.exit("\n".join([*lines, "", "docs/reference is not what the sources say: run `make docs`"]))
        return
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
