"""Several threads that do something at one time."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def at_once(work: Callable[[int], None], count: int = 6) -> None:
    """`work` of each number below `count`, each by a thread of its own, taking turns often. Raises what one raised."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(work, range(count)))
    finally:
        sys.setswitchinterval(interval)
