"""A `.vmfb` file of wax: IREE's own bytes, then a trailer with what wax must know to call them.

IREE ignores what follows its bytes, so its tools run the same file. The trailer holds the signature and a
checksum of everything before it, because IREE itself detects only gross damage. It detects damage, not
malice: a `.vmfb` is machine code.

    IREE's bytes | JSON | 32 bytes sha256 of both | 8 bytes length of the JSON, little-endian | magic
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import asdict

from wax_runtime.backend import Artefact, Preparation
from wax_runtime.errors import LoadError
from wax_runtime.iree.plans import Plan
from wax_runtime.signature import Signature
from wax_runtime.weights import Weights

__all__ = ["read", "write"]

_MAGIC = b"WAXVMFB2"
#: Of programs that prepare something, which are to be called otherwise.
_PREPARING_MAGIC = b"WAXVMFB3"
_TAIL = struct.Struct("<32sQ8s")


def write(artefact: Artefact) -> bytes:
    """The file's bytes."""
    meta = {
        "signature": artefact.signature.to_json(),
        "target": artefact.target,
        "flags": artefact.flags,
        "work": artefact.work,
        "overwrites": artefact.overwrites,
        "aliases": artefact.aliases,
        "plan": artefact.plan,
        "preparation": artefact.preparation and artefact.preparation.to_json(),
        "versions": artefact.versions,
        "weights": None if artefact.weights is None else asdict(artefact.weights),
    }
    body = artefact.payload + json.dumps(meta, separators=(",", ":")).encode()
    magic = _MAGIC if artefact.preparation is None else _PREPARING_MAGIC
    return body + _TAIL.pack(hashlib.sha256(body).digest(), len(body) - len(artefact.payload), magic)


def read(data: bytes) -> Artefact | None:
    """The artefact in a file's bytes; `None` when it is no `.vmfb`. Raises `LoadError` for a damaged one."""
    if len(data) < _TAIL.size or data[-len(_MAGIC) :] not in (_MAGIC, _PREPARING_MAGIC):
        if data[4:8] == b"IREE" or (data[:2] == b"PK" and b"module.fb" in data[:64]):
            raise LoadError(
                "a .vmfb that is truncated, or that wax did not write: it ends without a signature. "
                "Save it again with wax, or run it with IREE's own tools"
            )
        return None
    digest, length, _ = _TAIL.unpack(data[-_TAIL.size :])
    body = data[: -_TAIL.size]
    if hashlib.sha256(body).digest() != digest or length > len(body):
        raise LoadError("the .vmfb is damaged: its checksum does not match; copy or compile it again")
    split = len(body) - length
    try:
        meta = json.loads(body[split:])
        return Artefact(
            backend="iree",
            format="vmfb",
            payload=body[:split],
            signature=Signature.from_json(meta["signature"]),
            target=meta["target"],
            flags=tuple(meta["flags"]),
            work=meta["work"],
            overwrites=tuple(meta["overwrites"]),
            aliases=tuple((r, a) for r, a in meta["aliases"]),
            plan=Plan.from_json(meta["plan"]) if meta.get("plan") else None,
            preparation=Preparation.from_json(meta["preparation"]) if meta.get("preparation") else None,
            versions=tuple((name, version) for name, version in meta["versions"]),
            weights=None if meta["weights"] is None else Weights(**meta["weights"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise LoadError(f"the .vmfb was written by another version of wax: {error!r}; compile it again") from error
