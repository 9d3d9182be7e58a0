"""A reserve in words: what was checked and what not, the batches, the figures, and the checkpoint to remember."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellposed.cli.render.escape import escape
from wellposed.cli.render.table import render_table
from wellposed.dsl.findings import Severity

if TYPE_CHECKING:
    from wellposed.reserve.verify import Verified

Paint = Callable[[str, str], str]
_HEAD = ("batch", "entries", "sealed", "announced", "revealed", "forfeited", "open", "reveal by")


def render(found: Verified, paint: Paint) -> str:
    """What `verify` says after its findings."""
    blocks = [_block(title, lines, paint) for title, lines in _lists(found)]
    return _joined(blocks, found, paint)


def render_status(found: Verified, paint: Paint) -> str:
    """What `status` says: no list of what was checked, but all of what is open and what nobody can see from here."""
    blocks = [_block(title, lines, paint) for title, lines in _lists(found)[1:]]
    return _joined(blocks, found, paint)


def _lists(found: Verified) -> list[tuple[str, tuple[str, ...]]]:
    return [
        ("checked", found.checked),
        ("not checked", found.unchecked),
        ("cannot be seen from here", found.caveats),
    ]


def _block(title: str, lines: tuple[str, ...], paint: Paint) -> str:
    if not lines:
        return ""
    return paint(title, "bold") + "\n" + "\n".join(f"  {escape(line)}" for line in lines)


def _joined(blocks: list[str], found: Verified, paint: Paint) -> str:
    if found.batches:
        rows = [[[escape(cell)] for cell in _row(one)] for one in found.batches]
        blocks.append(render_table(_HEAD, rows, paint, [[""] * len(_HEAD)] * len(rows)).rstrip("\n"))
    if found.head is not None:
        blocks.append(_figures(found, paint))
    return "\n\n".join(block for block in blocks if block) + "\n" if any(blocks) else ""


def _row(batch: Mapping[str, Any]) -> list[str]:
    proof = batch["sealed_by_proof"]
    left = batch["days_left"]
    due = "" if not batch["open"] or left is None else f" (in {left} days)" if left >= 0 else f" ({-left} days ago)"
    return [
        batch["batch"],
        str(batch["entries"]),
        batch["sealed"][:10] + ("" if proof is None else f" (proven {proof[:10]})"),
        "" if batch["announced"] is None else batch["announced"][:10] + " to " + ", ".join(batch["submissions"]),
        str(batch["revealed"]),
        str(batch["forfeited"]),
        str(batch["open"]),
        batch["reveal_by"] + due,
    ]


def _figures(found: Verified, paint: Paint) -> str:
    of = found.figures
    classes = ", ".join(f"{count} {name}" for name, count in found.forfeits.items())
    unused = f" ({of['unused']} never applied)" if of["unused"] else ""
    sentence = (
        f"{of['sealed']} sealed: {of['revealed']} revealed{unused}, {of['forfeited']} forfeited"
        f"{f' ({classes})' if classes else ''}, {of['leaked']} leaked, "
        f"{of['sealed'] - of['revealed'] - of['forfeited'] - of['leaked']} still closed, {of['overdue']} overdue"
    )
    own = f" ({of['own']} of a system on its author's own entries, which do not count)" if of["own"] else ""
    results = f"{of['results']} results{own}, {of['voided']} voided, {of['pending']} still to come, {of['withheld']} withheld"
    anchored = f"{of['anchored']} of {len(found.batches)} batches with a verified time anchor"
    bad = any(one.severity is Severity.ERROR for one in found.findings)
    seq, head = found.head if found.head is not None else (0, "")
    lines = [
        paint(sentence, "error" if bad or of["overdue"] or of["withheld"] else "good"),
        f"{results}; {anchored}; as of {found.options.as_of.isoformat()}",
        f"reserve-checkpoint/1 {found.ledger} {seq} {head}",
    ]
    return "\n".join(lines)
