"""What a program is known by in caches: everything that decides what the passes make of it.

Found without running them, so that a program which a cache has is not lowered at all. Source locations are no
part of it, unless they are in the text of what the passes make.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import wax
from wax import _native
from wax._tracing import TracedFunction
from wax_runtime.cache import default_cache, key_of

__all__ = ["native_build", "program_key"]

#: As messages name a line. What the passes make has nothing else that looks so.
_LINE = re.compile(r":\d+:\d+: ")


def program_key(function: TracedFunction, pipeline: str | None, run: Callable[[], _native.Module]) -> str:
    """The key of what `pipeline` makes of a function and its callees (`run` does), or of these as they are."""
    module = _native.make_module(function.function)
    key = key_of(wax.__version__, native_build(), pipeline or "", module.text())
    if pipeline is None or not _tells_lines(key, module, pipeline, run):
        return key
    return key_of(key, module.text(debug_info=True))


def _tells_lines(key: str, module: _native.Module, pipeline: str, run: Callable[[], _native.Module]) -> bool:
    """Whether what the passes make has lines of the user's in it: checks at run time name them in their messages.

    That is so of few programs, and shows only when the passes have run, so it is noted beside what they gave.
    """
    disk = default_cache()
    noted = None if disk is None else disk.get(key)
    if noted is None:
        made = run().text()
        noted = b"none"
        if _LINE.search(made):
            bare = module.clone()
            bare.run(f"builtin.module(strip-debuginfo,{pipeline})")
            noted = b"none" if made == bare.text() else b"lines"
        if disk is not None:
            disk.put(key, noted)
    return noted == b"lines"


@cache
def native_build() -> str:
    """The build of the dialect and the passes."""
    return _native.build_id or hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()
