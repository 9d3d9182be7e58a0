"""OpenTimestamps: a detached proof file begins with the digest that it is about; the rest needs the block chain."""

from __future__ import annotations

from pathlib import Path

from wellposed.reserve.anchors.proof import Proof

_MAGIC = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94"
_VERSION = b"\x01"
_SHA256 = b"\x08"
HEADER = _MAGIC + _VERSION + _SHA256
"""What stands before the 32 bytes of the digest in a proof of a SHA-256."""


def examine(raw: bytes, digest: str, roots: Path | None) -> Proof:
    """Whether the proof is about the digest. When that was is not found out: it stands in the headers of blocks."""
    if not raw.startswith(HEADER) or len(raw) < len(HEADER) + 33:
        return Proof(wrong="the file is not an OpenTimestamps proof of a SHA-256")
    about = raw[len(HEADER) : len(HEADER) + 32].hex()
    if about != digest:
        return Proof(wrong=f"the proof is about {about[:16]}…, not about {digest[:16]}…")
    return Proof(unchecked=f"an OpenTimestamps proof is recorded; `ots verify -d {digest} FILE` looks its time up in the block chain")
