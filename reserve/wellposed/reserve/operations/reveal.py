"""reveal: every entry of a batch that is still closed is opened, with the logs of what it was applied to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wellposed.reserve.dates import day
from wellposed.reserve.disk import make_folder, write_whole
from wellposed.reserve.ledger import Appended, Ledger
from wellposed.reserve.logs import KeptLogs
from wellposed.reserve.operations.publish import check_stored
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.rules.due import pending
from wellposed.reserve.rules.reveal import logs_path, revealed_path
from wellposed.reserve.state import OPEN, Batch, Entry
from wellposed.reserve.store import Store


def reveal(ledger: Ledger, batch: str, store: Store, authors: Mapping[str, Sequence[str]], everyone: Sequence[str]) -> Appended:
    """Write the files, then the lines. A kill in between leaves files that no line names, which the next try writes again.

    `authors` are those of single entries by commitment, `everyone` those of the others. Raises Refusal, before anything is
    written, where an entry is missing from the store, is damaged, or is no sealed document.
    """
    state = ledger.state()
    known = state.batches.get(batch)
    if known is None:
        raise Refusal(at_file("WP836", f"batch {batch} was never sealed in this ledger", str(ledger.folder)))
    entries = [entry for entry in known.entries if entry.state in OPEN]
    if not entries:
        raise Refusal(at_file("WP850", f"nothing of batch {batch} is left to reveal", str(ledger.folder)))
    _check_complete(known, ledger)
    files: dict[str, bytes] = {}
    for entry in entries:
        files[revealed_path(entry.commit)] = _opened(entry, store)
        kept = KeptLogs(store.path)
        for one in entry.results:
            for name, raw in kept.get(entry.commit, one.line.body["logs"]).items():
                files[f"{logs_path(entry.commit, one.line.seq)}/{name}"] = raw
    for path, raw in files.items():
        target = ledger.folder / path
        make_folder(target.parent)
        write_whole(target, raw)
    records = [("reveal", _body(entry, authors.get(entry.commit, everyone))) for entry in entries]
    return ledger.append(records)


def _check_complete(batch: Batch, ledger: Ledger) -> None:
    """What is opened before its results are there can never get them: until the announced day is over, that is an accident."""
    missing = pending(batch)
    if batch.announce is not None and missing and day(ledger.now) <= day(batch.announce.body["until"]):
        what = f"{missing} announced results of batch {batch.name} are not recorded: revealed now, they would count as withheld for ever"
        raise Refusal(at_file("WP846", what, str(ledger.folder), f"record them first; they are due until {batch.announce.body['until']}"))


def _opened(entry: Entry, store: Store) -> bytes:
    check_stored([entry.commit], store)
    return store.get(entry.commit)


def _body(entry: Entry, authors: Sequence[str]) -> dict[str, object]:
    logs = [{"apply": one.line.seq, "path": logs_path(entry.commit, one.line.seq)} for one in entry.results]
    return {"commit": entry.commit, "path": revealed_path(entry.commit), "logs": logs, "authors": sorted(set(authors))}
