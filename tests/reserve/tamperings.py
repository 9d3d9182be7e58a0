"""Everything that somebody could do to a reserve, as one table: what it is, what it gets, and what a page of shell says."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.reserve.forge import Line, canon, edit, lines_of, reveal_line, seal_line, sha
from tests.reserve.sample import Sample, commit, document, git

BAD, SILENT = "bad", "silent"
_TOO_SOON = {"claim": "sent", "from": "m1", "of": "m1", "once": True, "within": 3}


@dataclass(frozen=True)
class Tampering:
    """`codes` are all that `verify` reports, `says` stands in one of its messages; `by_hand` is what the shell comes to.

    `since` says that the reader remembers the last line. `as_of` is the day of the look.
    """

    name: str
    do: Callable[[Sample], object]
    codes: frozenset[str]
    says: str
    by_hand: str
    since: bool = False
    as_of: str | None = None
    anchors: bool = False


def _t(
    name: str, do: Callable[[Sample], object], codes: str, says: str, by_hand: str = BAD, since: bool = False,
    as_of: str | None = None, anchors: bool = False,
) -> Tampering:  # fmt: skip
    return Tampering(name, do, frozenset(codes.split()), says, by_hand, since, as_of, anchors)


def _committed(change: Callable[[Path], object]) -> Callable[[Sample], object]:
    """Change the ledger and commit it on top of the honest history."""

    def do(sample: Sample) -> None:
        change(sample.ledger)
        commit(sample.repo)

    return do


def _rewritten(change: Callable[[list[Line]], object]) -> Callable[[Sample], object]:
    """Change lines, chain them anew, and begin the history anew as well: the work of a careful operator."""

    def do(sample: Sample) -> None:
        edit(sample.ledger, change)
        anew(sample)

    return do


def _files(change: Callable[[Sample], object]) -> Callable[[Sample], object]:
    """Change files, and begin the history anew."""

    def do(sample: Sample) -> None:
        change(sample)
        anew(sample)

    return do


def anew(sample: Sample) -> None:
    """One commit with everything, and no history."""
    shutil.rmtree(sample.repo / ".git")
    git(sample.repo, "init", "-q", "-b", "main")
    commit(sample.repo)


def _bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(path.read_bytes()))


def _line(number: int, change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    def edited(raw: bytes) -> bytes:
        lines = raw.splitlines(keepends=True)
        lines[number] = change(lines[number])
        return b"".join(lines)

    return _bytes(edited)


def _revealed(sample: Sample) -> list[Path]:
    return sorted(sample.reserve.glob("revealed/*"))


def _swap(one: Path, other: Path) -> None:
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def _swap_logs(sample: Sample) -> None:
    one, other = sorted(sample.reserve.glob("logs/*/*"))
    spare = sample.top / "spare"
    one.rename(spare)
    other.rename(one)
    spare.rename(other)


def _swap_reveal_paths(lines: list[Line]) -> None:
    one, other = (line["body"] for line in lines if line["type"] == "reveal")
    one["path"], other["path"] = other["path"], one["path"]


def _link(sample: Sample) -> None:
    sample.ledger.rename(sample.reserve / "other.jsonl")
    sample.ledger.symlink_to("other.jsonl")
    commit(sample.repo)


def _replace(sample: Sample) -> None:
    other = git(sample.repo, "hash-object", "-w", "--stdin", stdin=sample.ledger.read_bytes()[:-1])
    git(sample.repo, "replace", git(sample.repo, "rev-parse", "HEAD:reserve/ledger.jsonl"), other)


def _attributes(sample: Sample) -> None:
    (sample.reserve / ".gitattributes").write_text("*.jsonl text eol=crlf\n")
    commit(sample.repo)


def _forged_batch(*documents: bytes) -> Callable[[Sample], object]:
    """A further batch of documents that the product would not seal, opened at once."""

    def do(sample: Sample) -> None:
        lines = lines_of(sample.ledger.read_bytes())
        commits = [sha(raw) for raw in documents]
        lines.append(seal_line(commits, "forged", "2026-02-01T00:00:00Z", "2026-02-28"))
        for raw, one in zip(documents, commits, strict=True):
            lines.append(reveal_line(one, "2026-02-02T00:00:00Z"))
            (sample.reserve / "revealed" / f"{one[7:23]}.json").write_bytes(raw)
        edit(sample.ledger, lambda _: lines)
        commit(sample.repo)

    return do


def sealed_document(number: int, nonce: str = "7", **changes: object) -> bytes:
    seal = {"alg": "reserve-seal/1", "nonce": nonce * 64}
    return canon({**document(number), "seal": seal, **changes}) + b"\n"


def _add(*lines: Line) -> Callable[[Sample], object]:
    """Lines that follow the honest ones, correctly chained."""

    def do(sample: Sample) -> None:
        edit(sample.ledger, lambda old: [*old, *lines])
        commit(sample.repo)

    return do


def _again(kind: str) -> Callable[[Sample], object]:
    """The first line of a type once more, at the end."""

    def do(sample: Sample) -> None:
        old = next(line for line in lines_of(sample.ledger.read_bytes()) if line["type"] == kind)
        _add({**old, "t": "2026-02-01T00:00:00Z"})(sample)

    return do


def _set(kind: str, **changes: object) -> Callable[[list[Line]], object]:
    def change(lines: list[Line]) -> None:
        next(line for line in lines if line["type"] == kind)["body"].update(changes)

    return change


def _second_result(lines: list[Line]) -> None:
    first = next(line for line in lines if line["type"] == "apply")
    lines.insert(lines.index(first) + 1, {**first, "body": {**first["body"], "outcome": {"L0": "fail"}}})
    _renumber(lines)


def _withhold(lines: list[Line]) -> None:
    """Remove the second result, and let its reveal come without logs."""
    gone = [line for line in lines if line["type"] == "apply"][1]
    lines.remove(gone)
    for line in lines:
        if line["type"] == "reveal" and line["body"]["commit"] == gone["body"]["commit"]:
            line["body"]["logs"] = []


def _renumber(lines: list[Line]) -> None:
    """Let every reveal name the lines of its entry's results as they are numbered now."""
    for line in lines:
        if line["type"] == "reveal":
            one = line["body"]["commit"]
            seqs = [n for n, other in enumerate(lines) if other["type"] == "apply" and other["body"]["commit"] == one]
            line["body"]["logs"] = [{"apply": seq, "path": f"logs/{one[7:23]}/{seq}"} for seq in seqs]


def _copy_logs(sample: Sample) -> None:
    edit(sample.ledger, _second_result)
    first, second = next(sample.reserve.glob("logs/*/3")), next(sample.reserve.glob("logs/*/4"))
    second.rename(second.with_name("5"))
    shutil.copytree(first, first.with_name("4"))


def _drop_unrevealed(lines: list[Line]) -> None:
    """Cut everything behind the first reveal."""
    del lines[[line["type"] for line in lines].index("reveal") + 1 :]


TABLE = (
    # The lines.
    _t("bit flip", _committed(_line(0, lambda raw: raw.replace(b"A reserve", b"a reserve"))), "WP804 WP808", "prev is not the hash"),
    _t("dropped line", _committed(_line(3, lambda raw: b"")), "WP803 WP808", "seq is 4 and 3 is due"),
    _t("line said twice", _committed(_line(3, lambda raw: raw + raw)), "WP803 WP808", "seq is 3 and 4 is due"),
    _t("unknown line type", _add({"t": "2026-02-01T00:00:00Z", "type": "note", "body": {}}), "WP802", "'note' is not one of the 9", SILENT),
    _t("unknown member", _add({"t": "2026-02-01T00:00:00Z", "type": "leak", "body": {"commit": "sha256:" + "a" * 64, "justification": "x", "more": 1}}), "WP802", "no member `more`", SILENT),
    _t("CR LF", _committed(_bytes(lambda raw: raw.replace(b"\n", b"\r\n"))), "WP801 WP808", "a line ends in CR LF"),
    _t("byte order mark", _committed(_bytes(lambda raw: b"\xef\xbb\xbf" + raw)), "WP801 WP808", "byte order mark"),
    _t("blank line", _committed(_bytes(lambda raw: raw + b"\n")), "WP801", "the file ends where a value is due"),
    _t("torn last line", _committed(_bytes(lambda raw: raw + b'{"body":{"batch"')), "WP801", "no line feed"),
    _t("10 MB line", _committed(_bytes(lambda raw: raw + b'"' + b"x" * 10_000_000 + b'"\n')), "WP801", "a line of 10000002 bytes"),
    _t("deep nesting", _committed(_bytes(lambda raw: raw + b"[" * 100_000 + b"\n")), "WP801", "nested more than"),
    _t("member twice", _committed(_line(9, lambda raw: raw.replace(b'{"body":', b'{"body":{},"body":'))), "WP801 WP808", "stands twice"),
    _t("not UTF-8", _committed(_bytes(lambda raw: raw + b"\xff\n")), "WP801", "is not UTF-8"),
    _t("clock going backwards", _rewritten(lambda lines: lines[4].update(t="2026-01-03T00:00:00Z")), "WP805", "is before that of the line above", SILENT),
    _t("30th of February", _add({**seal_line(["sha256:" + "a" * 64], "late"), "t": "2026-02-30T00:00:00Z"}), "WP805", "is on no calendar", SILENT),
    _t("second genesis", _again("genesis"), "WP806", "a second genesis line", SILENT),
    # The history.
    _t("truncated tail, reader without memory", _rewritten(lambda lines: lines.pop()), "", "", SILENT),
    _t("truncated tail, with a remembered checkpoint", _rewritten(lambda lines: lines.pop()), "WP807", "is not on this chain (9 lines here)", BAD, since=True),
    _t("truncated tail, on the honest history", _committed(lambda path: edit(path, lambda lines: lines.pop())), "WP808", "does not begin with"),
    _t("rewritten, reader without memory", _rewritten(_set("genesis", title="Another")), "", "", SILENT),
    _t("rewritten, with a remembered checkpoint", _rewritten(_set("genesis", title="Another")), "WP807", "is not on this chain (10 lines here)", BAD, since=True),
    _t("rewritten, on the honest history", _committed(lambda path: edit(path, _set("genesis", title="Another"))), "WP808", "does not begin with"),
    _t("rewritten, under an old anchor", _files(lambda sample: edit(sample.ledger, _set("genesis", title="Another"))), "WP820", "the ledger was rewritten above it", BAD, anchors=True),
    _t("removed and begun anew", lambda sample: _begun_anew(sample), "WP808", "is missing here, and was there in its ancestor"),
    _t("rewritten, with the honest history merged and ignored", lambda sample: _buried(sample), "WP808", "in a history which was merged", SILENT),
    _t("rewritten, with the honest history tidied away and merged", lambda sample: _buried_deep(sample), "WP808", "in a history which was merged", SILENT),
    _t("symlinked ledger", _link, "WP809", "a link where a file is due"),
    _t("replace ref", _replace, "WP811", "shows other readers another object", SILENT),
    _t("nested .gitattributes", _attributes, "WP810", "attributes inside the reserve", SILENT),
    # Batches and results.
    _t("chosen pool", _rewritten(lambda lines: lines[2]["body"]["pool"].pop()), "WP830 WP840 WP868", "lists 1 of the 2 live entries", SILENT),
    _t("old announce replayed", _again("announce"), "WP833", "was announced already, by line 3", SILENT),
    _t("duplicate commit across batches", lambda sample: _add(seal_line(sample.commits["first"][:1], "again", "2026-02-01T00:00:00Z", "2026-02-28"))(sample), "WP832", "in batch first already", SILENT),
    _t("batch name used again", _again("seal"), "WP831", "batch first is sealed already, by line 2", SILENT),
    _t("other implementation", _rewritten(_set("apply", impl="3" * 40)), "WP843 WP873", "it was changed in between", SILENT),
    _t("second result", _files(_copy_logs), "WP844 WP872 WP873", "and no void between them", SILENT),
    _t("withheld result", _files(lambda sample: _withheld(sample)), "WP846", "announced and not reported: reference on", SILENT),
    _t("never revealed", lambda sample: None, "WP846 WP880", "counted as withheld", SILENT, as_of="2100-01-02"),
    _t("revealed in part", _rewritten(_drop_unrevealed), "WP851 WP862 WP880", "is revealed in part: 1 of 2", SILENT),
    _t("missing anchor", _rewritten(lambda lines: lines[0]["body"]["policy"].update(anchor="required")), "WP821", "rests on the operator's word", SILENT),
    _t("other origin", _rewritten(_set("apply", origin="model-based")), "WP872", "origin is", SILENT),
    # What is revealed.
    _t("altered bundle", _files(lambda sample: _revealed(sample)[0].write_bytes(_revealed(sample)[0].read_bytes().replace(b"entry-", b"Entry-"))), "WP863", "it is not the sealed scenario"),
    _t("pretty-printed reveal", _files(lambda sample: _pretty(_revealed(sample)[0])), "WP863", "it is not the sealed scenario"),
    _t("two revealed files swapped", _files(lambda sample: _swap(*_revealed(sample))), "WP863", "it is not the sealed scenario"),
    _t("two reveal lines swapped", _rewritten(_swap_reveal_paths), "WP869", "is not the place of"),
    _t("non-canonical reveal with the right hash", _forged_batch(sealed_document(40).replace(b'"horizon":', b'"horizon": ')), "WP864", "right hash and wrong form", SILENT),
    _t("member twice in a reveal with the right hash", _forged_batch(sealed_document(40).replace(b'"level":0', b'"level":0,"level":6')), "WP864", "stands twice", SILENT),
    _t("no nonce", _forged_batch(canon(document(40)) + b"\n"), "WP860", "sealed without a nonce", SILENT),
    _t("nonce reuse", _forged_batch(sealed_document(40), sealed_document(41)), "WP866", "the nonce is that of", SILENT),
    _t("padded content", _forged_batch(sealed_document(40), sealed_document(40, "8", id="x", title="Another")), "WP867", "this is the test of", SILENT),
    _t("public content", _forged_batch(sealed_document(40, "8", horizon=25)), "WP867", "scenarios/public.scenario", SILENT),
    _t("junk", _forged_batch(sealed_document(40, "8", expect=[_TOO_SOON])), "WP865", "is ambiguous", SILENT),
    _t("not a bundle", _forged_batch(b'{"format":"junk/1"}\n'), "WP865", "this is no bundle", SILENT),
    # Logs.
    _t("swapped logs", _files(_swap_logs), "WP868", "published at the application was"),
    _t("altered log", _files(lambda sample: next(sample.reserve.glob("logs/*/*/run-2/outbox.jsonl")).write_bytes(b"")), "WP868", "and the manifest has"),
    _t("stray log", _files(lambda sample: (next(sample.reserve.glob("logs/*/*/run-2")) / "notes.txt").write_bytes(b"")), "WP868", "the manifest does not have this", SILENT),
    _t("nicer outcome", _files(lambda sample: edit(sample.ledger, _set("apply", outcome={"L0": "untested"}))), "WP872 WP873", "the logs come to L0 pass", SILENT),
)


def _buried(sample: Sample) -> None:
    """The first parents lead along a history that was written anew; the honest one is a second parent."""
    git(sample.repo, "checkout", "-q", "--orphan", "other")
    edit(sample.ledger, _set("genesis", title="Another"))
    commit(sample.repo, "from the beginning")
    git(sample.repo, "merge", "-q", "-s", "ours", "--allow-unrelated-histories", "-m", "joined", "main")
    commit(sample.repo, "and on top of it, as if nothing had happened")


def _buried_deep(sample: Sample) -> None:
    """As before, but the honest ledger is removed from its branch first: no merged commit has it."""
    git(sample.repo, "rm", "-q", "reserve/ledger.jsonl")
    commit(sample.repo, "tidy")
    git(sample.repo, "checkout", "-q", "--orphan", "begin", "main~1")
    edit(sample.ledger, _set("genesis", title="Another"))
    commit(sample.repo, "from the beginning")
    git(sample.repo, "merge", "-q", "-s", "ours", "--allow-unrelated-histories", "-m", "joined", "main")


def _begun_anew(sample: Sample) -> None:
    raw = sample.ledger.read_bytes()
    sample.ledger.unlink()
    commit(sample.repo, "tidy")
    sample.ledger.write_bytes(raw)
    commit(sample.repo, "back")


def _pretty(path: Path) -> None:
    import json

    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=2) + "\n")


def _withheld(sample: Sample) -> None:
    edit(sample.ledger, _withhold)
    shutil.rmtree(next(sample.reserve.glob("logs/*/4")))
