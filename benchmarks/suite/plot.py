"""What `bench.py` measured, as a plot: the time of wax over that of each peer, a row a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: By contender after the first: marker and colour.
_MARKS = (("o", "#1f77b4"), ("s", "#d95f02"), ("^", "#7a7a7a"))


def save(runs: Sequence[dict[str, Any]], contenders: Sequence[str], path: Path) -> None:
    """A panel for each number of threads; left of the line at 1 wax is ahead."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "wax", "font.size": 8, "font.family": "sans-serif"})
    first, *peers = contenders
    names = [row["name"] for row in runs[0]["rows"]]
    figure, panels = plt.subplots(
        1, len(runs), figsize=(2.5 + 4 * len(runs), 1 + 0.2 * len(names)), sharey=True, squeeze=False, layout="tight"
    )
    for panel, run in zip(panels[0], runs, strict=True):
        for peer, (marker, colour) in zip(peers, _MARKS, strict=True):
            found = [(row["seconds"], names.index(row["name"])) for row in run["rows"] if peer in row["seconds"]]
            ratios = [seconds[first] / seconds[peer] for seconds, _ in found]
            panel.scatter(
                ratios, [place for _, place in found], 16, colour, marker, label=peer, alpha=0.8, linewidths=0
            )
        panel.axvline(1, color="black", linewidth=0.8)
        panel.set_xscale("log", base=2)
        ticks = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]
        panel.set_xticks(ticks, [f"{tick:.2g}" for tick in ticks])
        panel.set_xlim(1 / 20, 12)
        panel.grid(linewidth=0.3)
        threads = run["machine"]["threads"]
        panel.set_title(f"{threads} thread{'s' * (threads > 1)}: time of {first} / time of the peer")
    panels[0][0].set_yticks(range(len(names)), names)
    panels[0][0].set_ylim(len(names) - 0.5, -0.5)
    panels[0][0].legend(loc="upper left")
    figure.savefig(path, metadata={"Date": None})
