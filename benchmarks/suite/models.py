"""MiniLM over one sentence and over 32, of 128 tokens."""

from __future__ import annotations

import harness
import minilm_speed
from cases import COMPILED

BATCHES, LENGTH = (1, 32), 128


def rows(rounds: int, only: str = "", inductor: bool = False, budget: float = float("inf")) -> list[harness.Row]:
    """The rows whose name has `only` in it."""
    frameworks = ("wax", "jax", "torch", COMPILED) if inductor else ("wax", "jax", "torch")
    made = []
    for batch in BATCHES:
        name = f"MiniLM, {batch} × {LENGTH} tokens"
        if only in name:
            both = [minilm_speed.contender(framework, batch, LENGTH) for framework in frameworks]
            made.append(harness.compare(name, both, rounds=rounds, tolerance=1e-5, budget=budget))
    return made
