"""What a bundle of the right shape must also satisfy: references, order, equality and the bounds of time.

Each check is one function over the whole document and reports everything it finds; none relies on another having passed.
Source: the bundle format, and the specification's section 2 for redelivery.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping

from wellposed.compiler.references import Document, Report, check_references, record_id, unique
from wellposed.compiler.shape import quoted
from wellposed.dsl.vocabulary import TRIGGERS, obligations_of_level

UNKNOWN_RULES = "WP733"
UNUSED_RULES = "WP734"
CHANGED_COPY = "WP736"
SCHEDULE_ORDER = "WP737"
AFTER_HORIZON = "WP738"
TWO_TICKS = "WP739"
JUMP = "WP740"
INVARIANTS = "WP742"
FILE_NAME = "WP744"
EARLY_COPY = "WP745"
HOLDS = "WP746"
DEFERRED = "WP724"

Lands = Callable[[int], int]

_COPIED = {"inbox": "message", "approvals": "decision", "signals": "signal"}

# Names that some systems keep for devices, with or without an ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def check(document: Document, report: Report) -> None:
    """Report everything in which a document of the right shape makes no sense."""
    for one in _CHECKS:
        one(document, report)


def _file_names(document: Document, report: Report) -> None:
    named = [("/id", document["id"])]
    named += [(f"/rules/{index}/name", version["name"]) for index, version in enumerate(document["rules"])]
    for pointer, name in named:
        if name.endswith(".") or _DEVICE.fullmatch(name) is not None:
            report(FILE_NAME, f"{quoted(name)} cannot be the name of a file everywhere", pointer)


def _rules(document: Document, report: Report) -> None:
    versions = [version["name"] for version in document["rules"]]
    unique(((f"/rules/{index}/name", name) for index, name in enumerate(versions)), "rules version", report)
    for index, version in enumerate(document["rules"]):
        ids = ((f"/rules/{index}/rules/{place}/id", rule["id"]) for place, rule in enumerate(version["rules"]))
        unique(ids, "rule", report)
    known = set(versions)
    used = {versions[0]: None}  # in order of first use
    for index, entry in enumerate(document["schedule"]):
        if entry["channel"] != "faults" or entry["record"]["fault"] != "rules":
            continue
        name = entry["record"]["rules"]
        if name not in known:
            report(UNKNOWN_RULES, f"there is no rules version {quoted(name)}", f"/schedule/{index}/record/rules")
        else:
            used[name] = None
    for index, name in enumerate(versions):
        if name not in used:
            report(
                UNUSED_RULES, f"no entry of the schedule brings in the rules version {quoted(name)}", f"/rules/{index}"
            )
    if known == used.keys() and versions != list(used) and len(versions) == len(known):
        report(UNUSED_RULES, f"rules versions stand in the order of their first use: {', '.join(used)}", "/rules")


def _order(document: Document, report: Report) -> None:
    before = -1
    triggered = False
    for index, entry in enumerate(document["schedule"]):
        if entry["seq"] != index:
            report(
                SCHEDULE_ORDER, f"seq is {entry['seq']}; the place in the schedule is {index}", f"/schedule/{index}/seq"
            )
        at = entry.get("at")
        if at is None:
            triggered = True
        elif triggered:
            report(
                SCHEDULE_ORDER, "an entry with a tick stands after one that waits for a record", f"/schedule/{index}"
            )
        elif at < before:
            report(SCHEDULE_ORDER, f"tick {at} stands after tick {before}", f"/schedule/{index}/at")
        before = before if at is None else at


def _ticks(document: Document, report: Report) -> None:
    horizon = document["horizon"]
    for index, entry in enumerate(document["schedule"]):
        at, record, pointer = entry.get("at"), entry["record"], f"/schedule/{index}"
        if at is not None and at > horizon:
            report(AFTER_HORIZON, f"tick {at} is after the horizon, {horizon}", f"{pointer}/at")
        if at is not None and record.get("at", at) != at:
            report(TWO_TICKS, f"the record says tick {record['at']}, its entry tick {at}", f"{pointer}/record/at")


def _jumps(document: Document, report: Report) -> None:
    """A jump at t to u removes the ticks between them; what is written for one of those happens at u."""
    horizon = document["horizon"]
    starts: list[int] = []
    ends: list[int] = []
    for index, entry in enumerate(document["schedule"]):
        record, pointer = entry["record"], f"/schedule/{index}/record"
        if record.get("fault") != "jump":
            continue
        to = record.get("to")
        if to is None:
            # A triggered jump fires at tick 1 at the earliest.
            if record["by"] >= horizon:
                report(JUMP, f"a jump by {record['by']} leads beyond the horizon, {horizon}", f"{pointer}/by")
        elif to > horizon:
            report(JUMP, f"a jump to {to} leads beyond the horizon, {horizon}", f"{pointer}/to")
        elif "at" in entry:
            at = entry["at"]
            gap = bisect_right(ends, at)
            fires = ends[gap] if gap < len(ends) and starts[gap] < at else at
            if to <= fires:
                report(JUMP, f"at tick {fires} a jump to {to} does not lead forward", f"{pointer}/to")
            elif starts and starts[-1] == fires:
                ends[-1] = max(ends[-1], to)
            else:
                starts.append(fires)
                ends.append(to)


def _copies(document: Document, report: Report) -> None:
    """A redelivery or repeated signal is the first record but for its tick; a repeated decision is the very same record."""
    first: dict[tuple[str, str], Document] = {}
    for index, entry in enumerate(document["schedule"]):
        if entry["channel"] not in _COPIED:
            continue
        name = record_id(entry)[1]
        content = {member: value for member, value in entry["record"].items() if member != "at"}
        original = first.setdefault((entry["channel"], name), content)
        for member in sorted(original.keys() | content.keys()):
            if original.get(member) != content.get(member):
                report(
                    CHANGED_COPY,
                    f"this is the {_COPIED[entry['channel']]} {quoted(name)} again, but its `{member}` is another",
                    f"/schedule/{index}/record",
                )


def _early_copies(document: Document, report: Report) -> None:
    """What waits for a record may come before a timed original, or without one that waits for a later record."""
    clock = _lands(document)
    originals: dict[tuple[str, str], Document] = {}
    for entry in document["schedule"]:
        if entry["channel"] in _COPIED:
            originals.setdefault((entry["channel"], record_id(entry)[1]), entry)
    for index, entry in enumerate(document["schedule"]):
        if entry["channel"] not in _COPIED or "when" not in entry:
            continue
        name = record_id(entry)[1]
        original = originals[entry["channel"], name]
        if original is not entry and not _follows(entry["when"], original, originals, clock):
            text = f"this is {quoted(name)} again, and it may come before the first one"
            report(EARLY_COPY, text, f"/schedule/{index}/when")


def _follows(when: Document, original: Document, originals: Mapping[tuple[str, str], Document], clock: Lands) -> bool:
    """Whether what is triggered comes after its original in every run in which it comes at all."""
    if "when" in original:
        same = original["when"]["work_id"] == when["work_id"]
        return bool(same and TRIGGERS.index(original["when"]["event"]) <= TRIGGERS.index(when["event"]))
    delivery = originals.get(("inbox", str(when["work_id"]).removeprefix("work:")))
    if delivery is None or "at" not in delivery:
        return True  # reported as a reference to nothing
    return clock(original["at"]) <= clock(clock(delivery["at"]) + 1)


def _lands(document: Document) -> Lands:
    """From a written tick to the visible tick at which it happens, as the timed jumps have it."""
    starts: list[int] = []
    ends: list[int] = []

    def lands(tick: int) -> int:
        gap = bisect_right(ends, tick)
        return ends[gap] if gap < len(ends) and starts[gap] < tick else tick

    for entry in document["schedule"]:
        to = entry["record"].get("to") if entry["record"].get("fault") == "jump" else None
        if to is None or "at" not in entry:
            continue
        fires = lands(entry["at"])
        if starts and starts[-1] == fires:
            ends[-1] = max(ends[-1], to)
        elif to > fires:
            starts.append(fires)
            ends.append(to)
    return lands


def _deferred(document: Document, report: Report) -> None:
    """What waits for a record has no tick that could be deferred; it can repeat what has."""
    timed = {record_id(entry)[1] for entry in document["schedule"] if "at" in entry}
    for index, entry in enumerate(document["schedule"]):
        if "deferred" in entry["record"] and record_id(entry)[1] not in timed:
            text = "only a signal that is written for a tick is deferred"
            report(DEFERRED, text, f"/schedule/{index}/record/deferred")


def _holds(document: Document, report: Report) -> None:
    """Effects are held and released in turns, in the order of the schedule."""
    held = False
    for index, entry in enumerate(document["schedule"]):
        fault = entry["record"].get("fault")
        if fault in ("hold", "release"):
            if held is (fault == "hold"):
                text = "effects are held here already" if held else "nothing holds effects here"
                report(HOLDS, text, f"/schedule/{index}/record/fault")
            held = fault == "hold"


def _invariants(document: Document, report: Report) -> None:
    due = list(obligations_of_level(document["level"]))
    if document["invariants"] not in ([], due):
        report(
            INVARIANTS,
            f"these are not the {len(due)} standing obligations of level {document['level']} in their order, nor none",
            "/invariants",
        )


def _catches(document: Document, report: Report) -> None:
    unique(((f"/catches/{index}", name) for index, name in enumerate(document["catches"])), "faulty system", report)


_CHECKS = (
    *(_file_names, _rules, _order, _ticks, _jumps, _copies, _early_copies, check_references, _deferred, _holds),
    *(_invariants, _catches),
)
