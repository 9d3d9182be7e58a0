"""The canonical form against other implementations, over random documents of the profile and the vectors of RFC 8785.

`jcs` is not among them: it rounds 2^53+1 without a word. `test_the_oracles_can_disagree` shows that the comparison can fail.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from wellposed.compiler.canonical import CanonicalError, decode, encode, file_bytes, lines, sha256
from wellposed.compiler.scan import fault_of

JCS = Path(__file__).parent / "vectors" / "jcs"

KEYS = st.text(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:-", min_size=1, max_size=12
) | st.sampled_from(["id", "at", "body", "a" * 128, "-", "0", "__proto__", "toString"])
STRINGS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20) | st.sampled_from(
    ["\u2028", "\ufeff", "\x7f", "\x1f", '"\\/', "\\u0000", "e\u0301", "\U0001f600\ufb33", "</script>", "\r\n"]
)
INTEGERS = st.integers(1 - 2**53, 2**53 - 1) | st.sampled_from([0, 1, -1, 2**53 - 1, 1 - 2**53, 2**31, 2**32])
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | STRINGS,
    lambda below: st.lists(below, max_size=6) | st.dictionaries(KEYS, below, max_size=6),
    max_leaves=40,
)


@settings(max_examples=400, deadline=None)
@given(VALUES)
def test_the_bytes_are_those_of_rfc8785_and_orjson(value: Any) -> None:
    raw = encode(value)
    assert raw == rfc8785.dumps(value)
    assert raw == orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    assert raw == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@settings(max_examples=400, deadline=None)
@given(VALUES)
def test_what_is_written_is_read_again(value: Any) -> None:
    raw = file_bytes(value)
    again = decode(raw)
    assert again == value
    assert file_bytes(again) == raw
    assert fault_of(raw.decode()) is None


# Many records of a few shapes, which the writer takes apart into columns: members of one or several kinds, shapes of equal
# length with other members, arrays of one length or several, strings that need escapes beside strings that do not.
CELLS = st.sampled_from(
    [
        "",
        "a",
        '"',
        "\\",
        "\n",
        "é",
        0,
        7,
        -7,
        2**53 - 1,
        True,
        False,
        None,
        [],
        [0],
        ["x", "y"],
        [[]],
        {},
        {"k": 1},
        {"k": "v"},
    ]
)
SHAPES = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "id", "of", "when"]), unique=True, max_size=4), min_size=1, max_size=4
)


@st.composite
def tables(draw: st.DrawFn) -> Any:
    shapes = draw(SHAPES)
    columns = {name: draw(st.lists(CELLS, min_size=1, max_size=3)) for name in ("a", "b", "c", "id", "of", "when")}
    rows = draw(st.lists(st.tuples(st.sampled_from(shapes), st.integers(0, 5)), max_size=30))
    return [{name: columns[name][number % len(columns[name])] for name in shape} for shape, number in rows]


@settings(max_examples=400, deadline=None)
@given(tables() | st.lists(tables(), max_size=4))
def test_the_bytes_of_tables_are_those_of_rfc8785(value: Any) -> None:
    raw = encode(value)
    assert raw == rfc8785.dumps(value)
    assert decode(raw + b"\n") == value
    assert lines(value) == b"".join(rfc8785.dumps(row) + b"\n" for row in value)


def test_frozen_corpus() -> None:
    """The same bytes under every version of Python that runs this."""
    order = random.Random(8785)
    together = b"".join(file_bytes(_random(order, 0)) for _ in range(1000))
    assert sha256(together) == "sha256:86bd6f985a8bd8d3a6d354d3018ed54ad4848b1c7037facea16212611ffa96e8"


def _random(order: random.Random, depth: int) -> Any:
    kind = order.randrange(8 if depth < 5 else 5)
    if kind == 0:
        return order.randrange(1 - 2**53, 2**53)
    if kind == 1:
        return order.choice([True, False, None])
    if kind < 5:
        return "".join(
            chr(order.choice([order.randrange(1, 0x300), order.randrange(0xE000, 0x11000)]))
            for _ in range(order.randrange(8))
        )
    if kind == 5:
        return [_random(order, depth + 1) for _ in range(order.randrange(5))]
    names = [
        "".join(order.choice("abAB09_./:-") for _ in range(order.randrange(1, 6))) for _ in range(order.randrange(6))
    ]
    return {name: _random(order, depth + 1) for name in names}


@settings(max_examples=200, deadline=None)
@given(VALUES, st.randoms(use_true_random=False))
def test_one_value_has_one_hash_whatever_order_its_members_came_in(value: Any, order: random.Random) -> None:
    assert sha256(file_bytes(_shuffled(value, order))) == sha256(file_bytes(value))


def _shuffled(value: Any, order: random.Random) -> Any:
    if isinstance(value, dict):
        members = [(name, _shuffled(below, order)) for name, below in value.items()]
        order.shuffle(members)
        return dict(members)
    if isinstance(value, list):
        return [_shuffled(below, order) for below in value]
    return value


@settings(max_examples=200, deadline=None)
@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_other_spellings_of_a_value_are_refused_as_not_canonical(value: Any, indent: Any, ascii_only: bool) -> None:
    raw = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode() + b"\n"
    if raw == file_bytes(value):
        assert decode(raw) == value
    else:
        with pytest.raises(CanonicalError) as caught:
            decode(raw)
        assert caught.value.code == "WP704"


@pytest.mark.parametrize(
    ("value", "refused"),
    [(1.0, True), (2**53 + 1, True), ({"\U0001f600": 1, "\ufb33": 2}, True), ({"b": 1, "B": 2}, False)],
)
def test_the_oracles_can_disagree(value: Any, refused: bool) -> None:
    """Where the profile ends, the implementations part: orjson keeps what RFC 8785 rewrites, sorts otherwise or rounds."""
    try:
        alike = rfc8785.dumps(value) == orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except rfc8785.CanonicalizationError:
        alike = False
    assert alike is not refused
    try:
        encode(value)
    except CanonicalError:
        assert refused
    else:
        assert not refused


# The vectors of RFC 8785


def test_the_vectors_are_all_here() -> None:
    names = {"arrays", "french", "structures", "unicode", "values", "weird"}
    assert {path.stem for path in (JCS / "input").glob("*.json")} == names
    assert {path.stem for path in (JCS / "output").glob("*.json")} == names
    for path in (JCS / "output").glob("*.json"):
        assert bytes.fromhex((JCS / "outhex" / f"{path.stem}.txt").read_text()) == path.read_bytes()


def test_arrays_is_of_the_profile() -> None:
    given, due = (JCS / "input" / "arrays.json").read_bytes(), (JCS / "output" / "arrays.json").read_bytes()
    assert encode(json.loads(given)) == due
    assert decode(due + b"\n") == json.loads(given)
    for spelling in (given, due):  # white space; no final newline
        with pytest.raises(CanonicalError) as caught:
            decode(spelling)
        assert caught.value.code == "WP704"


@pytest.mark.parametrize(
    ("name", "code", "pointer"),
    [
        ("french", "WP710", ""),  # a member name with é
        ("structures", "WP710", "/1"),  # the member name "\n"; its 56.0 comes later
        ("unicode", "WP710", ""),  # a member name with a space
        ("values", "WP706", "/numbers/0"),  # 333333333.33333329
        ("weird", "WP710", ""),  # the member name "\r" or "€"
    ],
)
@pytest.mark.parametrize("folder", ["input", "output"])
def test_the_others_are_not(name: str, code: str, pointer: str, folder: str) -> None:
    raw = (JCS / folder / f"{name}.json").read_bytes()
    if (name, folder) == ("structures", "output"):
        pointer = ""  # its first member has the empty name
    with pytest.raises(CanonicalError) as caught:
        decode(raw + b"\n")
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    with pytest.raises(CanonicalError):
        encode(json.loads(raw))
