"""Reading a ledger: never an exception, never a silent change, and no two ways to read one file."""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reserve.forge import GENESIS, ZERO, canon, chain, from_text, lines_of, seal_line, sha

from wellposed.compiler.canonical import encode
from wellposed.dsl.codes.reserve import ROWS
from wellposed.reserve import lines as module
from wellposed.reserve.lines import MAX_LINE, head_of, line_bytes, read_chain
from wellposed.reserve.plain import plain
from wellposed.reserve.rules import replay
from wellposed.reserve.rules.due import check_due
from wellposed.reserve.shapes import BODIES, LINE, faults

GOOD_LEDGERS = [from_text(row.good.text) for row in ROWS if row.good.kind == "ledger"]
BAD_LEDGERS = [from_text(row.bad.text) for row in ROWS if row.bad.kind == "ledger"]


@cache
def ledger() -> bytes:
    """The richest of the sound examples."""
    return max(GOOD_LEDGERS, key=len)


def test_the_empty_ledger_and_the_shortest() -> None:
    assert read_chain(b"", "x") == module.Chain((), ())
    found = read_chain(chain([GENESIS]), "x")
    assert found.findings == () and found.head == sha(chain([GENESIS]).rstrip(b"\n"))


def test_a_line_is_hashed_without_its_line_feed() -> None:
    raw = line_bytes(0, ZERO, GENESIS["t"], "genesis", GENESIS["body"])
    assert raw == chain([GENESIS])
    assert head_of(raw) == head_of(raw[:-1]) == sha(raw[:-1])


@given(st.integers(0, 10_000), st.integers(1, 255))
@settings(max_examples=150, deadline=None)
def test_no_byte_can_be_changed_without_a_trace(place: int, by: int) -> None:
    """Either the reading complains, or the last line has another hash, which a checkpoint or the next commit shows."""
    raw = bytearray(ledger())
    place %= len(raw)
    raw[place] = (raw[place] + by) % 256
    found = read_chain(bytes(raw), "x")
    honest = read_chain(ledger(), "x")
    assert found.findings or found.head != honest.head


@given(st.integers(0, 10_000), st.integers(0, 10_000))
@settings(max_examples=200, deadline=None)
def test_no_stretch_can_be_removed_without_a_trace(start: int, end: int) -> None:
    start, end = sorted((start % len(ledger()), end % len(ledger())))
    raw = ledger()[:start] + ledger()[end + 1 :]
    found = read_chain(raw, "x")
    assert found.findings or found.head != read_chain(ledger(), "x").head


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_without_an_exception(raw: bytes) -> None:
    for text in (raw, ledger() + raw, ledger() + raw + b"\n", raw + ledger()):
        found = read_chain(text, "x")
        assert len(found.findings) <= 1


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["seq", "prev", "t", "type", "body", "format", "a"]), below, max_size=6), max_leaves=12))
@settings(max_examples=150, deadline=None)
def test_any_value_on_a_line_is_read_without_an_exception(value: Any) -> None:
    raw = ledger() + json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    assert len(read_chain(raw, "x").findings) == 1


@pytest.mark.parametrize("raw", [*GOOD_LEDGERS, *BAD_LEDGERS])
def test_the_quick_way_and_the_slow_way_agree(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines at once and one by one; with the expressions for plain lines, and without."""
    quick = read_chain(raw, "x")
    monkeypatch.setattr(module, "_PLAIN", {})
    assert read_chain(raw, "x") == quick
    monkeypatch.setattr(module.canonical, "lines", lambda values: b"")
    assert read_chain(raw, "x") == quick


@pytest.mark.parametrize("raw", GOOD_LEDGERS)
def test_sound_examples_are_sound(raw: bytes) -> None:
    found = read_chain(raw, "x")
    state, findings = replay(found.lines, "x")
    assert found.findings == findings == ()
    assert check_due(state, "x", date(2026, 1, 10), date(2026, 1, 10)) == ()


LONG = "sha256:" + "a" * 64
EXPRESSIONS = {kind: plain(case) for kind, case in LINE.cases.items()}
REAL = [line for raw in GOOD_LEDGERS for line in lines_of(raw)]


@given(st.sampled_from(sorted(BODIES)), st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_plain_has_its_shape(kind: str, data: st.DataObject) -> None:
    """Members of real lines, exchanged and changed at random: what the expression accepts, the checker accepts."""
    pool: list[Any] = [LONG, "a", "", 0, 1, 99, 10**6, 10**7, -1, True, None, "2026-01-01", "committed", [LONG], [], {}, {"L0": "pass"}, {"L1": "pass"}, "a\nb", 'a"b', "é"]
    real = [line for line in REAL if line["type"] == kind]
    body = dict(data.draw(st.sampled_from(real))["body"]) if real else {name: LONG for name in BODIES[kind].members}
    for name in data.draw(st.lists(st.sampled_from(sorted(BODIES[kind].members)), max_size=2)):
        body[name] = data.draw(st.sampled_from(pool))
    value = {"format": "reserve-ledger/1", "seq": data.draw(st.sampled_from([0, 5, 999_999, 1_000_000, 1_000_001])), "prev": ZERO, "t": "2026-01-01T00:00:00Z", "type": kind, "body": body}
    if EXPRESSIONS[kind].fullmatch(encode(value)) is not None:
        assert faults(LINE, value) == []


def test_real_lines_are_plain(built: Any) -> None:
    for line in built.ledger.read_bytes().splitlines()[1:]:  # the policy of the first one has a number of five digits
        assert plain(LINE.cases[json.loads(line)["type"]]).fullmatch(line) is not None


def test_a_line_at_the_limit_is_read_and_one_above_it_is_not() -> None:
    room = MAX_LINE - len(canon({"format": "reserve-ledger/1", "seq": 0, "prev": ZERO, **GENESIS}))
    for more, code in ((room, None), (room + 1, "WP801")):
        line = {**GENESIS, "body": {**GENESIS["body"], "title": GENESIS["body"]["title"] + "x" * more}}
        assert [one.code for one in read_chain(chain([line]), "x").findings] == ([] if code is None else [code])


def test_too_many_lines_are_refused_before_they_are_parsed() -> None:
    found = read_chain(b"\n" * 300_000, "x")
    assert [one.code for one in found.findings] == ["WP801"] and "300000 lines" in found.findings[0].message


def test_reading_stops_at_the_first_line_that_does_not_fit() -> None:
    raw = chain([GENESIS, seal_line([LONG])]) + b"{}\n" + b"junk\n"
    found = read_chain(raw, "ledger")
    assert len(found.lines) == 2 and len(found.findings) == 1
    (told,) = found.findings
    assert told.place is not None and told.place.path == "ledger"
    assert "the last good head is seq 1 sha256:" in told.notes[0]
