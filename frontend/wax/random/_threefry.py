"""Threefry-2x32-20: two words of 32 bits encrypted under a key of two, as a function on scalars.

J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

from typing import Any

__all__ = ["threefry2x32"]

#: By how many bits the rounds rotate, in turn.
_ROTATIONS = (13, 15, 26, 6, 17, 29, 16, 24)
_ROUNDS = 20
#: With it the words of the key schedule are never all zero.
_PARITY = 0x1BD11BDA


def threefry2x32(key: tuple[Any, Any], words: tuple[Any, Any]) -> tuple[Any, Any]:
    """Two `uint32` scalars encrypted under two others."""
    schedule = (*key, key[0] ^ key[1] ^ _PARITY)
    x, y = words[0] + schedule[0], words[1] + schedule[1]
    for turn in range(_ROUNDS):
        x = x + y
        by = _ROTATIONS[turn % len(_ROTATIONS)]
        y = ((y << by) | (y >> (32 - by))) ^ x
        if turn % 4 == 3:
            injection = turn // 4 + 1
            x = x + schedule[injection % 3]
            y = y + schedule[(injection + 1) % 3] + injection
    return x, y
