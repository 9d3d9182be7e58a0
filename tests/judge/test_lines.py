"""Lines of logs, read fast: the same answers as the strict reader of the canonical form gives line by line."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellposed.compiler.canonical import CanonicalError, read
from wellposed.verifier.amr.judge.limits import JudgeLimits
from wellposed.verifier.amr.judge.lines import LineReader

LINES = (
    b'{"at":3,"event":"note","n":1}',
    b'{"at": 3, "event": "note"}',
    b' {"at":3}\r',
    b'{"at":3,"attrs":{"a":1,"b":[1,{"c":2}]}}',
    '{"text":"h\u00e9 \u2028 \U0001f600"}'.encode(),
    b'{"text":"say \\":\\" twice"}',
    b'{"origin":["a","b"]}',
    b"{}",
    b'{"hash":"sha256:1234567890123456789012345678901234567890"}',
    b'{"date":"2026-01-05"}',
    b'{"n":9007199254740991}',
    b'{"text":"a : b"}',
    b'{"text":"\\ud83d\\ude00"}',
)
"""Objects of the profile, as different writers write them."""

NO_RECORDS = (
    b"",
    b"   ",
    b"[1]",
    b'"text"',
    b"null",
    b'{"a":1} {"b":2}',
    b'{"a":1},{"b":2}',
    b'{"a":[{}',
    b"{}]}",
    b'{"a":1,"a":2}',
    b'{"a":1,"a" :2}',
    b'{"a":1,"a"\t:2}',
    b'{"a":{"b":1,"b":2}}',
    b'{"a":1,"\\u0061":2}',
    b'{"a":1.0}',
    b'{"a":1e3}',
    b'{"a":NaN}',
    b'{"a":-Infinity}',
    b'{"a":-0}',
    b'{"a":[1,-0]}',
    b'{"a":9007199254740992}',
    b'{"a":-123456789012345678901234567890}',
    b'{"a":"\\u0000"}',
    b'{"a":"\\ud800"}',
    b'{"a":"\\uDC00"}',
    b'{"a b":1}',
    b'{"":1}',
    b'{"a":' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"a":' + b"[" * 50_000 + b"}",
    b'{"a":' + b'{"a":' * 60 + b"1" + b"}" * 61,
    b'{"a":1,}',
    b"{'a':1}",
    b'{"a":01}',
    b'{"a":"\xff"}',
    b'\xef\xbb\xbf{"a":1}',
    b'{"a":"x\ty"}',
    b'{"at":3,"event":"no',
)


def chunks(raw: bytes, size: int) -> Iterator[bytes]:
    yield from (raw[start : start + size] for start in range(0, len(raw), size))


def records(raw: bytes, size: int = 1 << 18, limits: JudgeLimits | None = None) -> tuple[list[object], dict[int, str]]:
    reader = LineReader(chunks(raw, size), limits or JudgeLimits())
    found: list[object] = []
    faults: dict[int, str] = {}
    for piece in reader.pieces():
        assert piece.first == len(found) + 1
        found += piece.records
        faults |= {fault.line: fault.text for fault in reader.faults}
    return found, faults


def strictly(line: bytes) -> object:
    """What the canonical form's own reader says of a line: the object, or None."""
    try:
        value = read(line)
    except CanonicalError:
        return None
    return value if isinstance(value, dict) else None


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("size", (1, 7, 1 << 18))
def test_an_object_of_the_profile_is_a_record(line: bytes, size: int) -> None:
    assert records(line + b"\n", size) == ([json.loads(line)], {})


@pytest.mark.parametrize("line", NO_RECORDS)
@pytest.mark.parametrize("place", (0, 1, 2))
def test_anything_else_is_a_fault_of_its_line_alone(line: bytes, place: int) -> None:
    around = [b'{"at":1,"event":"x"}', b'{"at":2,"event":"y"}']
    around.insert(place, line)
    found, faults = records(b"".join(one + b"\n" for one in around))
    assert [number for number, record in enumerate(found) if record is None] == [place]
    assert list(faults) == [place + 1] and faults[place + 1]


def test_lines_that_only_together_look_like_lines() -> None:
    """Joined with commas these three would be two objects of an array, and three lines of objects by their brackets."""
    found, faults = records(b'{"a":1},{"b":2}\n{"c":[{}\n{}]}\n')
    assert found == [None, None, None] and list(faults) == [1, 2, 3]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from((*LINES, *NO_RECORDS)),
            st.recursive(
                st.one_of(st.none(), st.booleans(), st.integers(-(2**54), 2**54), st.text(max_size=5), st.floats()),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
                max_leaves=6,
            ).map(lambda value: json.dumps({"v": value}).encode()),
        ),
        max_size=6,
    ),
    st.integers(1, 60),
)
def test_the_fast_reader_is_of_one_mind_with_the_strict_one(lines: list[bytes], size: int) -> None:
    found, faults = records(b"".join(line + b"\n" for line in lines), size)
    assert found == [strictly(line) for line in lines]
    assert set(faults) == {number for number, record in enumerate(found, start=1) if record is None}


@settings(max_examples=300, deadline=None)
@given(st.sampled_from((*LINES, *NO_RECORDS)), st.binary(min_size=1, max_size=3), st.integers(0, 80))
def test_of_one_mind_on_altered_lines(line: bytes, piece: bytes, at: int) -> None:
    altered = (line[:at] + piece + line[at + 1 :]).replace(b"\n", b"")
    found, _ = records(b'{"at":1}\n' + altered + b"\n")
    assert found == [{"at": 1}, strictly(altered)]


def test_a_line_without_its_end_is_read_and_remembered() -> None:
    reader = LineReader(chunks(b'{"at":1}\n{"at":2}', 4), JudgeLimits())
    assert [record for piece in reader.pieces() for record in piece.records] == [{"at": 1}, {"at": 2}]
    assert reader.torn == 2
    whole = LineReader(chunks(b'{"at":1}\n', 4), JudgeLimits())
    assert len(list(whole.pieces())) == 1 and whole.torn is None


def test_an_endless_line_costs_no_more_than_the_limit() -> None:
    limits = JudgeLimits(chunk_bytes=1 << 16, line_bytes=1 << 20)

    def endless() -> Iterator[bytes]:
        yield b'{"at":1}\n{"text":"'
        for _ in range(1_000):
            yield b"x" * limits.chunk_bytes
        yield b'"}\n{"at":2}\n'

    tracemalloc.start()
    reader = LineReader(endless(), limits)
    found, faults = [], []
    for piece in reader.pieces():
        found += piece.records
        faults += reader.faults
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [{"at": 1}, None, {"at": 2}]
    assert [fault.line for fault in faults] == [2] and "longer than" in faults[0].text
    assert peak < 12 * limits.line_bytes
