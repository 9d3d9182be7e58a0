"""Time anchors: what a proof from outside the operator's reach says, as far as it can be checked offline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wellposed.reserve.anchors import opentimestamps, rfc3161
from wellposed.reserve.anchors.proof import Proof

__all__ = ["MAX_PROOF", "SUFFIXES", "Proof", "examine_proof"]

MAX_PROOF = 1 << 20
"""Bytes of a proof."""


@dataclass(frozen=True, slots=True)
class _Kind:
    examine: Callable[[bytes, str, Path | None], Proof] | None
    suffix: str


_KINDS: Mapping[str, _Kind] = {
    "ots": _Kind(opentimestamps.examine, ".ots"),
    "rfc3161": _Kind(rfc3161.examine, ".tsr"),
    "sigsum": _Kind(None, ".proof"),
    "swh": _Kind(None, ".swhid"),
}
SUFFIXES = {name: kind.suffix for name, kind in _KINDS.items()}
"""What a proof of each kind is called at its end."""


def examine_proof(kind: str, raw: bytes, digest: str, roots: Path | None) -> Proof:
    """What a proof says of a SHA-256 (64 hex digits).

    `roots` is a file of certificates that the reader trusts; without it a signature is not checked.
    """
    examine = _KINDS[kind].examine
    if examine is None:
        return Proof(unchecked=f"a {kind} proof is recorded, and cannot be checked here")
    return examine(raw, digest, roots)
