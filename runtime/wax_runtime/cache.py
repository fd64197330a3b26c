"""The compile cache on disk: bytes under a key, safe under processes and threads, never trusted blindly.

An entry is one file, `magic | sha256 of the value | value`, written under a temporary name and renamed. A
file whose checksum does not match is deleted and counts as absent. When the whole passes its bound, the
entries used longest ago go. What the bytes mean, and the cache in memory, are the callers'.

`WAX_CACHE_DIR` names the folder (empty: no cache on disk), `WAX_CACHE_SIZE` its bound in bytes.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import threading
from collections.abc import Iterable
from functools import cache
from itertools import takewhile
from pathlib import Path

from wax_runtime.errors import SettingError

__all__ = ["DiskCache", "default_cache", "host_cpu", "key_of"]

_log = logging.getLogger("wax.cache")

# Part of every key: raise it when what is stored changes its meaning.
SCHEMA = 2
_MAGIC = b"WAXCACH1"
_HEADER = len(_MAGIC) + 32
_DEFAULT_BOUND = 4 << 30


@cache
def host_cpu() -> str:
    """The CPU's name and features, on which code compiled for `host` depends."""
    try:
        with open("/proc/cpuinfo") as file:  # the kernel makes the text as it is read, and takes long on many CPUs
            block = list(takewhile(str.strip, file))
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    fields = dict(line.split(":", 1) for line in block if ":" in line)
    names = {name.strip(): value.strip() for name, value in fields.items()}
    features = names.get("flags") or names.get("Features", "")
    return f"{platform.machine()} {names.get('model name', '')} {' '.join(sorted(features.split()))}"


def key_of(*parts: str) -> str:
    """The key of all that a compilation depends on; the schema and the CPU are added here."""
    digest = hashlib.sha256()
    for part in (str(SCHEMA), host_cpu(), *parts):
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


class DiskCache:
    """Bytes by key in a folder. Failing to write is logged and is no error: the cache only saves time."""

    def __init__(self, folder: Path, bound: int = _DEFAULT_BOUND) -> None:
        self.folder = folder
        self.bound = bound
        self._lock = threading.Lock()
        self._size: int | None = None

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key

    def get(self, key: str) -> bytes | None:
        """The value of a key, or `None`. A corrupt entry is deleted."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        value = data[_HEADER:]
        if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : _HEADER] != hashlib.sha256(value).digest():
            _log.warning("the cache entry %s is corrupt; it is deleted and made again", path)
            _unlink(path)
            return None
        try:
            os.utime(path)  # its age, for eviction
        except OSError as error:
            _log.debug("cannot touch %s: %s", path, error)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Store a value; concurrent writers of one key may both write, and either's entry is whole."""
        path = self._path(key)
        temporary = path.with_name(f"{key}.{os.getpid()}.{threading.get_ident()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(_MAGIC + hashlib.sha256(value).digest() + value)
            temporary.replace(path)
        except OSError as error:
            _log.warning("cannot write to the compile cache %s: %s", self.folder, error)
            _unlink(temporary)
            return
        self._evict(len(value) + _HEADER)

    def _entries(self) -> Iterable[tuple[float, int, Path]]:
        for path in self.folder.glob("??/*"):
            try:
                status = path.stat()
            except OSError:  # another process evicted it just now
                continue
            yield status.st_mtime, status.st_size, path

    def _evict(self, added: int) -> None:
        with self._lock:
            if self._size is not None:
                self._size += added
                if self._size <= self.bound:
                    return
            # The sum is kept between calls and measured again before anything is deleted, because other
            # processes write here too.
            entries = sorted(self._entries())
            self._size = sum(size for _, size, _ in entries)
            for _, size, path in entries[:-1]:  # the newest stays, however large
                if self._size <= self.bound:
                    break
                _unlink(path)
                self._size -= size

    def clear(self) -> None:
        """Delete all entries."""
        for _, _, path in list(self._entries()):
            _unlink(path)
        self._size = None


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.debug("cannot delete %s: %s", path, error)


_caches: dict[tuple[str, int], DiskCache] = {}


def default_cache() -> DiskCache | None:
    """The cache that the environment names, or the user's; `None` when `WAX_CACHE_DIR` is set to nothing."""
    folder = os.environ.get("WAX_CACHE_DIR")
    if folder is None:
        from platformdirs import user_cache_path

        folder = str(user_cache_path("wax"))
    if not folder:
        return None
    bound = os.environ.get("WAX_CACHE_SIZE", str(_DEFAULT_BOUND))
    if not bound.isdecimal():
        raise SettingError(f"WAX_CACHE_SIZE is {bound!r}; it must be a number of bytes")
    return _caches.setdefault((folder, int(bound)), DiskCache(Path(folder), int(bound)))
