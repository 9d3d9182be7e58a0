"""Places as an editor counts them, against Python's own encodings."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from wellposed.cli.lsp.positions import Positions

TEXTS = st.text(st.sampled_from("ab\n\r\t é€😀\u2028\x0b"), max_size=30)
WIDTHS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@pytest.mark.parametrize("encoding", WIDTHS)
@given(text=TEXTS, data=st.data())
def test_a_position_is_line_and_units(encoding: str, text: str, data: st.DataObject) -> None:
    codec, width = WIDTHS[encoding]
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1  # between the two there is no place
    places = Positions(text, encoding)
    lines = re.split(r"\r\n|\r|\n", text[:offset])
    expected = types.Position(len(lines) - 1, len(lines[-1].encode(codec)) // width)
    assert places.position(offset) == expected
    assert places.offset(expected) == offset


def test_what_is_outside_is_the_nearest_place() -> None:
    places = Positions("a😀b\nc")
    assert places.offset(types.Position(0, 2)) == 1, "inside of a character is before it"
    assert places.offset(types.Position(0, 99)) == 3
    assert places.offset(types.Position(9, 0)) == 5
    assert places.position(99) == types.Position(1, 1)
