"""Step 5: the logs are those whose hash was published, and they are of the scenario that was revealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import CanonicalError, decode, read, sha256
from wellposed.compiler.folder import rules_hash
from wellposed.dsl.findings import Finding
from wellposed.reserve.logs import MANIFEST_FILE, MAX_MANIFEST, differences
from wellposed.reserve.report import at_file, at_line
from wellposed.reserve.shapes import MANIFEST, RUNS, faults
from wellposed.reserve.state import Entry, Result
from wellposed.reserve.trees import NotReadable
from wellposed.reserve.verify.case import Applied, Case

_SHOWN = 20
"""Findings about the logs of one result."""
SWAPPED, RULES, INBOX, DISAGREES = "WP868", "WP870", "WP871", "WP873"


def check(case: Case) -> None:
    """Every result of a revealed entry that came with its logs."""
    count = 0
    for entry in case.state.entries.values():
        if entry.reveal is None:
            continue
        paths = {one["apply"]: one["path"] for one in entry.reveal.body["logs"]}
        for result in entry.results:
            if result.line.seq in paths:
                count += 1
                _check(case, entry, result, case.path(paths[result.line.seq]))
    if count:
        case.checked.append(f"{len(case.manifests)} of {count} sets of logs: hashes, ids and rules are those of the scenario")
    waiting = [one for entry in case.state.entries.values() if entry.reveal is None for one in entry.results]
    if waiting:
        case.unchecked.append(f"the logs of {len(waiting)} results: they are published with the reveal")


def _check(case: Case, entry: Entry, result: Result, folder: str) -> None:
    path, body = f"{folder}/{MANIFEST_FILE}", result.line.body
    try:
        raw = case.tree.read(path, MAX_MANIFEST)
    except NotReadable as problem:
        case.findings.append(at_file(SWAPPED, f"the manifest {problem}", path))
        return
    if sha256(raw) != body["logs"]:
        what = f"the manifest hashes to {sha256(raw)}, published at the application was {body['logs']}"
        case.findings.append(at_file(SWAPPED, what, path))
        return
    manifest = _manifest(case, raw, path)
    if manifest is None:
        return
    for member in ("commit", "submission", "impl", "outcome"):
        if manifest[member] != body[member]:
            what = f"{member} is not what line {result.line.number} of the ledger says"
            case.findings.append(at_file(DISAGREES, what, path))
    if len(manifest["runs"]) != RUNS:
        what = f"the manifest has {len(manifest['runs'])} runs; {RUNS} are due"
        case.findings.append(at_file(DISAGREES, what, path))
    wrong, runs = differences(case.tree, folder, manifest)
    case.findings += [at_file(SWAPPED, what, f"{folder}/{name}") for name, what in wrong]
    bundle = case.revealed.get(entry.commit)
    if bundle is not None:
        found = list(islice(_of_another(bundle, manifest, runs, folder, path), _SHOWN))
        case.findings += found
        wrong += [("", finding.message) for finding in found]
    if not wrong:
        case.manifests.append(Applied(result.line, bundle, manifest, tuple(runs), folder))


def _manifest(case: Case, raw: bytes, path: str) -> Mapping[str, Any] | None:
    try:
        value = decode(raw)
    except CanonicalError as error:
        case.findings.append(at_file(DISAGREES, f"the manifest is not canonical: {error.message}", path))
        return None
    told = faults(MANIFEST, value)
    if told or not isinstance(value, dict):
        case.findings.append(at_file(DISAGREES, f"this is no manifest of logs: {told[0]}", path))
        return None
    return value


def _of_another(
    bundle: Bundle, manifest: Mapping[str, Any], runs: Sequence[Mapping[str, bytes]], folder: str, path: str
) -> Iterator[Finding]:
    """Signs that the logs are of another scenario than the one that was revealed."""
    versions = [rules_hash(one["rules"]) for one in bundle.document["rules"]]
    if manifest["rules_hash"] != versions[0]:
        what = f"rules_hash {manifest['rules_hash'][:12]}… is not that of the revealed rules ({versions[0][:12]}…)"
        yield at_file(RULES, what, path)
    known = _known(bundle)
    for number, files in enumerate(runs, 1):
        for name, member, ids in (
            ("approvals.jsonl", "approval_id", known["approvals"]),
            ("signals.jsonl", "signal_id", known["signals"]),
        ):
            for line, record in _records(files, name):
                if record.get(member) not in ids:
                    what = f"{member} {str(record.get(member))[:64]!r} is not in the revealed schedule"
                    yield at_line(INBOX, what, f"{folder}/run-{number}/{name}", line)
        for line, record in _records(files, "inbox.jsonl"):
            if _message(record) not in known["inbox"]:
                what = f"message {str(record.get('id'))[:64]!r} is not one of the revealed schedule"
                yield at_line(INBOX, what, f"{folder}/run-{number}/inbox.jsonl", line)
        for line, record in _records(files, "audit.jsonl"):
            cited = record.get("rules_hash")
            if record.get("event") == "admission" and cited not in versions:
                what = f"rules_hash {str(cited)[:12]}… is not that of any revealed rules ({versions[0][:12]}…)"
                yield at_line(RULES, what, f"{folder}/run-{number}/audit.jsonl", line)


def _known(bundle: Bundle) -> dict[str, set[Any]]:
    schedule = bundle.document["schedule"]
    return {
        "approvals": {one["record"]["approval_id"] for one in schedule if one["channel"] == "approvals"},
        "signals": {one["record"]["signal_id"] for one in schedule if one["channel"] == "signals"},
        "inbox": {_message(one["record"]) for one in schedule if one["channel"] == "inbox"},
    }


def _message(record: Mapping[str, Any]) -> tuple[str, ...]:
    """What makes a message: everything but the tick, which a jump can move."""
    return tuple(str(record.get(name)) for name in ("id", "conversation_id", "from", "subject", "body"))


def _records(files: Mapping[str, bytes], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects on the first lines of a log; a line that is none is the judge's business."""
    for number, piece in enumerate(files.get(name, b"").split(b"\n"), 1):
        if not piece:
            continue
        try:
            value = read(piece)
        except CanonicalError:
            continue
        if isinstance(value, dict):
            yield number, value
