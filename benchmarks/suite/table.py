"""What `bench.py` measured, as a table in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import harness


def markdown(runs: Sequence[dict[str, Any]], contenders: Sequence[str]) -> str:
    """A section for each number of threads, and the notes of its rows."""
    return "\n".join(line for run in runs for line in _section(run, contenders)) + "\n"


def _section(run: dict[str, Any], contenders: Sequence[str]) -> list[str]:
    machine, (first, *peers) = run["machine"], contenders
    versions = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    threads = f"{machine['threads']} thread{'s' * (machine['threads'] > 1)}"
    head = ["", first, *(f"{first} / {peer}" for peer in peers), "best peer", "bound", "of the bound"]
    lines = [
        f"## {threads}",
        "",
        f"{machine['cpu']}, {machine['cpus']} CPUs, load {machine['load']}; {versions}.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'|'.join(['---'] + ['--:'] * (len(head) - 1))}|",
    ]
    notes: dict[str, int] = {}
    for row in run["rows"]:
        seconds, told = row["seconds"], [row["notes"]] if row["notes"] else []
        told += [f"{peer}: {reason}" for peer, reason in row["skipped"].items()]
        marks = "".join(f" [{notes.setdefault(note, len(notes) + 1)}]" for note in told)
        ratios = {peer: seconds[first] / seconds[peer] for peer in peers if peer in seconds}
        bound = f"{harness.duration(row['bound'])}, {row['bound_by']}" if row["bound"] else ""
        share = f"{row['bound'] / seconds[first]:.0%}" if row["bound"] else ""
        cells = [
            row["name"] + marks,
            harness.quantity(seconds[first], row["unit"]),
            *(f"{ratios[peer]:.2f}" if peer in ratios else "" for peer in peers),
            f"**{max(ratios.values()):.2f}**",
            bound,
            share,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", *(f"[{number}] {note}  " for note, number in notes.items()), ""]
    return lines
