"""Readers given anything: what comes out is a value, or the reader's own findings; never another exception."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hostile.bundles import document
from tests.hostile.inputs import GOOD
from tests.hostile.logs import CALL, GENESIS, MESSAGE

from wellposed.compiler.adopt import adopt
from wellposed.compiler.canonical import CanonicalError, decode, file_bytes, read
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.folder import check_folder
from wellposed.compiler.load import load_bundle
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding
from wellposed.dsl.parser import parse
from wellposed.dsl.source import read_source
from wellposed.reserve.lines import read_chain
from wellposed.verifier.models import JUDGES

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = settings(max_examples=3_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
WORDS = [
    *GOOD.split(),
    *[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "..",
        "+",
        "-",
        "*",
        "/",
        ",",
        ":",
        '"',
        '"""',
        "#",
        "\\",
        "for",
        "in",
        "family",
        "let",
        "import",
        "rules",
        "when",
        "any",
        "of",
        "or",
        "if",
        "then",
        "else",
    ],
]
PIECES = st.one_of(
    st.sampled_from(WORDS).map(lambda word: f" {word} "),
    st.text(max_size=6),
    st.sampled_from(
        ["\u202e", "\ufeff", "\r", "\0", "\u2028", "\U000e0031", "9" * 5_000, "{" * 50, "\\u{1b}", "##[error]"]
    ),
)
SOURCES = st.lists(PIECES, max_size=40).map("".join)
BYTES = st.one_of(st.binary(max_size=200), SOURCES.map(lambda text: text.encode("utf-8", "surrogatepass")))
SNIPPETS = st.sampled_from(
    [
        b"0",
        b"-1",
        b"null",
        b"[]",
        b"{}",
        b'"',
        b"m9",
        b"1e9",
        b"99999999999999999999",
        b",",
        b"\xff",
        b"\\ud800",
        b"\xe2\x80\xa8",
        b"\r",
    ]
)


@st.composite
def edited(draw: st.DrawFn, raw: bytes) -> bytes:
    """Good bytes with a few places overwritten."""
    changed = bytearray(raw)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(changed)))
        changed[at : at + draw(st.integers(0, 8))] = draw(st.one_of(SNIPPETS, st.binary(max_size=6)))
    return bytes(changed)


def _known(findings: object) -> None:
    for finding in findings:  # type: ignore[attr-defined]
        assert isinstance(finding, Finding) and finding.code in BY_ID and finding.code != "WP001"


def _source(raw: bytes) -> None:
    source, findings = read_source("x.scenario", raw)
    _known(findings)
    if source is not None:
        _known(parse(source)[1])
        compilation = compile_source(source)
        _known(compilation.findings)


def _json(raw: bytes) -> None:
    for reader in (decode, read):
        try:
            reader(raw)
        except CanonicalError as error:
            assert error.code in BY_ID
    bundle, findings = load_bundle(raw, "x.json")
    _known(findings)
    assert bundle is not None or findings


def _folder(name: str, raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "bundle.json").write_bytes(file_bytes(document()))
        (Path(scratch) / name).write_bytes(raw)
        _bundle, findings = check_folder(Path(scratch))
        _known(findings)


def _log(name: str, raw: bytes) -> None:
    bundle, _ = load_bundle(file_bytes(document()), "x.json")
    assert bundle is not None
    with tempfile.TemporaryDirectory() as scratch:
        for log in ("approvals", "signals", "drafts", "outbox", "audit", "state", "run", "inbox", "model-calls"):
            (Path(scratch) / f"{log}.jsonl").write_bytes(b"")
        (Path(scratch) / f"{name}.jsonl").write_bytes(raw)
        _known(JUDGES["amr/0.14"].run(bundle, Path(scratch), "run").findings)


def _fixture(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "inbox.jsonl").write_bytes(raw)
        _known(adopt(Path(scratch), "x").findings)


def _ledger(raw: bytes) -> None:
    _known(read_chain(raw, "ledger.jsonl").findings)


READERS = {
    "sources": (_source, BYTES),
    "edited sources": (_source, edited(GOOD.encode())),
    "bundles": (_json, st.one_of(BYTES, edited(file_bytes(document())))),
    "rules of a folder": (
        lambda raw: _folder("rules.json", raw),
        st.one_of(BYTES, edited(b'[{"effect":"admit","id":"all","when":[]}]\n')),
    ),
    "lines of a folder": (lambda raw: _folder("inbox.jsonl", raw), st.one_of(BYTES, edited(MESSAGE))),
    "audit logs": (lambda raw: _log("audit", raw), st.one_of(BYTES, edited(CALL * 2))),
    "run logs": (lambda raw: _log("run", raw), st.one_of(BYTES, edited(b'{"event":"advance","tick":0}\n' * 2))),
    "fixtures": (_fixture, st.one_of(BYTES, edited(MESSAGE * 2))),
    "ledgers": (_ledger, st.one_of(BYTES, edited(GENESIS))),
}


@pytest.mark.parametrize("name", READERS)
def test_a_reader(name: str) -> None:
    look, inputs = READERS[name]
    FEW(given(inputs)(look))()


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_reader_for_long(name: str) -> None:
    look, inputs = READERS[name]
    MANY(given(inputs)(look))()
