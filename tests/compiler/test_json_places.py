"""Reading JSON that is strict but not canonical, and finding where in it a value stands."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.compiler.canonical import CanonicalError, file_bytes, read
from wellposed.compiler.json_places import Step, stretch_of

KEYS = st.text("abc./-:_09", min_size=1, max_size=4)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)
SPELLINGS = st.sampled_from(({"indent": 1}, {"ensure_ascii": False}, {"separators": ("  ,\t", "\r\n:\n")}))


@given(VALUES, SPELLINGS)
def test_every_spelling_is_read(value: Any, spelling: dict[str, Any]) -> None:
    text = f" {json.dumps(value, **spelling)}\r\n"
    assert read(text.encode()) == value
    assert read(file_bytes(value)) == value


@pytest.mark.parametrize(
    ("raw", "code", "offset"),
    [
        (b'{"a":1, "b":{"c":1, "c":2}}', "WP705", 20),
        (b'{"a":1, "\\u0061":2}', "WP705", 8),
        (b"[1, 2.0]", "WP706", 4),
        (b"[1, 2e3]", "WP706", 4),
        (b"[ -0]", "WP707", 2),
        (b"9007199254740992", "WP708", 0),
        (b"1" * 5000, "WP708", 0),
        (b"[NaN]", "WP709", 1),
        (b'{"a b":1}', "WP710", 1),
        (b'["\\u0000"]', "WP711", 1),
        (b'["\\ud800"]', "WP712", 1),
        (b"[" * 33 + b"]" * 33, "WP713", 32),
        (b"[1,]", "WP703", 3),
        (b"[1] 2", "WP703", 4),
        (b"", "WP703", 0),
        (b"'a'", "WP703", 0),
        (b'"\xff"', "WP701", 1),
        (b"\xef\xbb\xbf1", "WP702", 0),
        (b"[" + b"1," * 1_000_001 + b"1]", "WP714", None),
    ],
)
def test_what_a_bundle_refuses_is_refused(raw: bytes, code: str, offset: int | None) -> None:
    with pytest.raises(CanonicalError) as caught:
        read(raw)
    assert (caught.value.code, caught.value.offset) == (code, offset)


def _all(value: Any, steps: tuple[Step, ...] = ()) -> list[tuple[tuple[Step, ...], Any]]:
    found = [(steps, value)]
    if isinstance(value, dict):
        found += [one for name, below in value.items() for one in _all(below, (*steps, name))]
    elif isinstance(value, list):
        found += [one for index, below in enumerate(value) for one in _all(below, (*steps, index))]
    return found


@given(VALUES, SPELLINGS)
def test_every_value_is_found(value: Any, spelling: dict[str, Any]) -> None:
    text = f"\n {json.dumps(value, **spelling)} "
    for steps, due in _all(value):
        start, end = stretch_of(text, steps)
        assert json.loads(text[start:end]) == due
        assert text[start:end].strip() == text[start:end]


def test_steps_that_lead_nowhere_end_where_they_do() -> None:
    text = '{"a": [1, {"b": 2}]}'
    for steps in (("a", 1, "c"), ("a", 1, 0), ("a", 1, "c", "d")):
        start, end = stretch_of(text, steps)
        assert text[start:end] == '{"b": 2}'
    assert stretch_of("3", ("a",)) == (0, 1)
