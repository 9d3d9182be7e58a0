"""apply --record: the runs of one entry are judged, and the result is recorded with the salted hash of their logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wellposed.compiler.folder import rules_hash
from wellposed.compiler.load import load_bundle
from wellposed.reserve.judging import Judged, judge
from wellposed.reserve.ledger import Appended, Ledger
from wellposed.reserve.logs import KeptLogs, Run, manifest_of, read_run
from wellposed.reserve.operations.find import entry as find
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.shapes import RUNS
from wellposed.reserve.store import Store

UNANNOUNCED, UNREADABLE, UNUSABLE = "WP840", "WP875", "WP888"


def record(ledger: Ledger, entry: str, submission: str, folders: Sequence[Path], store: Store) -> tuple[Appended, Judged]:
    """Add an apply line. The logs are kept in the store until the reveal. Raises Refusal and OSError."""
    known = find(ledger.state(), entry)
    frozen, announce = known.batch.submissions.get(submission), known.batch.announce
    if frozen is None or announce is None:
        what = f"submission {submission} was not announced for batch {known.batch.name}"
        raise Refusal(at_file(UNANNOUNCED, what, str(ledger.folder)))
    if len(folders) != RUNS:
        what = f"{len(folders)} runs were given; {RUNS} consecutive ones are due"
        raise Refusal(at_file(UNREADABLE, what, str(folders[0])))
    bundle, findings = load_bundle(store.get(known.commit), str(store.path))
    if bundle is None:
        raise Refusal(at_file(UNUSABLE, f"the stored entry is no bundle: {findings[0].message}", str(store.path)))
    files = [read_run(folder) for folder in folders]
    judged = judge(bundle, folders)
    runs = [Run(*one) for one in zip(files, judged.runs, judged.forced_advances, strict=True)]
    rules = rules_hash(bundle.document["rules"][0]["rules"])
    manifest = manifest_of(known.commit, submission, frozen["commit"], rules, runs, judged.outcome)
    body = {
        "announce": announce.seq,
        "commit": known.commit,
        "submission": submission,
        "impl": frozen["commit"],
        "logs": KeptLogs(store.path).put(manifest, runs),
        "outcome": dict(judged.outcome),
        "origin": judged.origin,
    }
    return ledger.append([("apply", body)]), judged
