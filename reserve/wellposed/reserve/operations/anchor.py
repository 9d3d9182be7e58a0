"""anchor: a proof of time for a line, copied to the ledger's side and recorded."""

from __future__ import annotations

from pathlib import Path

from wellposed.compiler.canonical import sha256
from wellposed.reserve.anchors import MAX_PROOF, SUFFIXES, examine_proof
from wellposed.reserve.disk import make_folder, write_whole
from wellposed.reserve.ledger import Appended, Ledger
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.trees import Folder, NotReadable

UNFIT = "WP820"


def anchor(ledger: Ledger, proof: Path, kind: str, of: int | None = None) -> Appended:
    """Record a proof of the line `of`, by default the last one. Raises Refusal where it is about something else."""
    lines = ledger.state().lines
    of = len(lines) - 1 if of is None else of
    if of >= len(lines):
        raise Refusal(at_file(UNFIT, f"there is no line of seq {of}; the last one has {len(lines) - 1}", str(proof)))
    try:
        raw = Folder(proof.parent).read(proof.name, MAX_PROOF)
    except NotReadable as problem:
        raise Refusal(at_file(UNFIT, f"the proof {problem}", str(proof))) from problem
    head = lines[of].head
    seen = examine_proof(kind, raw, head.removeprefix("sha256:"), None)
    if seen.wrong is not None:
        raise Refusal(at_file(UNFIT, seen.wrong, str(proof), f"line {of + 1} has the hash {head}"))
    path = f"proofs/{of:06d}-{sha256(raw)[7:15]}{SUFFIXES[kind]}"
    make_folder(ledger.folder / "proofs")
    write_whole(ledger.folder / path, raw)
    return ledger.append([("anchor", {"of": of, "head": head, "kind": kind, "path": path, "proof": sha256(raw)})])
