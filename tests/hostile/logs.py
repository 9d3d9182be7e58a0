"""Hostile lines in the logs of a run, in the files of a fixture, and in a ledger: the same lines, for every reader of lines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.inputs import Hostile
from tests.hostile.sources import MARKUP, SHOWN

MESSAGE = b'{"at":0,"body":"b","conversation_id":"c","from":"a@example.test","id":"m1","subject":"s"}\n'
CALL = b'{"at":10,"call_id":"call-1","reply":"r","request":"q"}\n'
GENESIS = (
    b'{"body":{"holders":["the operator"],"ledger":"00000000000000000000000000000000","policy":{"anchor":"optional","logs":'
    b'"committed","max_reveal_days":3650},"title":"A reserve"},"format":"reserve-ledger/1","prev":"sha256:'
    + b"0"
    * 64
    + b'","seq":0,'
    b'"t":"2026-01-01T00:00:00Z","type":"genesis"}\n'
)
RULED = b'[{"effect":"admit","id":"all","when":[]}]'
Change = Callable[[bytes], bytes]


def _said(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _changes() -> Iterator[tuple[str, str, Change]]:
    """What is done to the one good line of a file, or put behind it."""
    yield "nesting", "open arrays", lambda good: good + b"[" * 100_000 + b"\n"
    yield "nesting", "objects", lambda good: good + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"\n"
    numbers = {"digits": b"9" * 4_301, "2^53": str(2**53).encode(), "an exponent": b"1e400", "a fraction": b"0.5"}
    numbers |= {"a negative zero": b"-0", "NaN": b"NaN", "Arabic digits": "\u0661".encode(), "minus one": b"-1"}
    for name, number in numbers.items():
        yield "numbers", name, lambda good, number=number: good + _more(good).replace(b'"at":0', b'"at":' + number)  # type: ignore[misc]
    yield "duplicates", "a member", lambda good: good + b'{"at":1,' + _more(good)[1:]
    yield "duplicates", "an escaped member", lambda good: good + b'{"\\u0061t":1,' + _more(good)[1:]
    yield "duplicates", "the line", lambda good: good + good
    for encoding in ("utf-16", "utf-32", "utf-8-sig"):
        yield "encodings", encoding, lambda good, encoding=encoding: good.decode().encode(encoding)  # type: ignore[misc]
    yield "encodings", "a raw surrogate", lambda good: good + b'{"at":"\xed\xa0\x80"}\n'
    yield "encodings", "an escaped surrogate", lambda good: good + b'{"at":"\\ud800"}\n'
    yield "encodings", "NUL", lambda good: good + b"\0\0\0\n"
    yield "encodings", "an escaped NUL", lambda good: good + b'{"id":"\\u0000"}\n'
    yield "encodings", "every byte", lambda good: good + bytes(range(256)) * 40 + b"\n"
    for code, name in (
        (0x2028, "a line separator"),
        (0x85, "a next line"),
        (0x0B, "a vertical tab"),
        (0x1C, "a file separator"),
    ):
        splitting = chr(code).encode()
        yield "line splitting", name, lambda good, splitting=splitting: good[:-1] + splitting + good  # type: ignore[misc]
        yield (
            "line splitting",
            f"{name} in a string",
            lambda good, splitting=splitting: good + b'{"id":"a' + splitting + b'b"}\n',
        )  # type: ignore[misc]
    yield "line splitting", "a bare return", lambda good: good[:-1] + b"\r" + good
    yield "line splitting", "CR LF", lambda good: good[:-1] + b"\r\n" + good
    yield "line splitting", "a torn tail", lambda good: good + good[:30]
    yield "line splitting", "empty lines", lambda good: b"\n\n" + good + b"\n"
    yield "form", "no objects", lambda good: good + b'1\n[]\n"x"\nnull\ntrue\n'
    yield "form", "no JSON", lambda good: good + b"---\na: *b\n"
    yield "memory", "one line of 9 MB", lambda good: good + b'{"id":"' + b"x" * 9_000_000 + b'"}\n'
    yield "memory", "a line without end", lambda good: good + b"x" * 20_000_000
    yield "memory", "100,000 lines", lambda good: good + b"{}\n" * 100_000
    yield "memory", "100,000 broken lines", lambda good: good + b"{\n" * 100_000
    for name, id in {
        "an override": "m\u202e1",
        "Cyrillic": "m\u043e",
        "a path": "../../x",
        "letters": "m" * 10_000,
    }.items():
        yield "identifiers", name, lambda good, id=id: good + _more(good).replace(b'"id":"m1"', b'"id":' + _said(id))  # type: ignore[misc]
    for name, text in {"terminal": SHOWN, **MARKUP}.items():
        yield (
            "injection",
            name,
            lambda good, text=text: good + b'{"at":' + _said(text) + b',"id":' + _said(text) + b"}\n",
        )  # type: ignore[misc]
        yield "injection", f"{name}, as a member", lambda good, text=text: good + b"{" + _said(text) + b":1}\n"  # type: ignore[misc]
        yield "injection", f"{name}, bare", lambda good, text=text: good + text.replace("\n", " ").encode() + b"\n"  # type: ignore[misc]


def _more(good: bytes) -> bytes:
    return good.replace(b'"m1"', b'"m2"').replace(b"call-1", b"call-2")


def _in_run(change: Change, name: str) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        run = folder / "run"
        run.mkdir()
        logs = {file: b"" for file in ("approvals", "signals", "drafts", "outbox", "audit", "state", "run")}
        logs |= {"inbox": MESSAGE, "model-calls": CALL}
        for file, raw in logs.items():
            (run / f"{file}.jsonl").write_bytes(change(raw or CALL) if file == name else raw)

    return put


def _in_fixture(change: Change, name: str) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / "fixture").mkdir()
        (folder / "fixture" / "inbox.jsonl").write_bytes(MESSAGE)
        good = MESSAGE if name == "inbox.jsonl" else RULED + b"\n"
        (folder / "fixture" / name).write_bytes(change(good))

    return put


def _in_ledger(change: Change) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / "reserve").mkdir()
        (folder / "reserve" / "ledger.jsonl").write_bytes(change(GENESIS))
        repository(folder)

    return put


def repository(folder: Path) -> None:
    """Make the folder a repository with one commit."""
    import subprocess

    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "core.fsync=none")
    for step in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-q", "-m", "all")):
        subprocess.run(["git", *step], cwd=folder, check=True, env=environment)


def _heavy(name: str) -> bool:
    return name.startswith(("100,000", "one line", "a line without"))


RUNS = [
    Hostile(f"logs {group}", f"{name} in {file}", "log", _in_run(change, file), _heavy(name))
    for file in ("audit", "inbox", "run")
    for group, name, change in _changes()
    if file == "audit" or group in ("encodings", "line splitting")
]
FIXTURES = [
    Hostile(f"fixture {group}", f"{name} in {file}", "fixture", _in_fixture(change, file), _heavy(name))
    for file in ("inbox.jsonl", "rules.json")
    for group, name, change in _changes()
    if file == "inbox.jsonl" or group == "encodings"
]
LEDGERS = [
    Hostile(f"ledger {group}", name, "ledger", _in_ledger(change), _heavy(name)) for group, name, change in _changes()
]
