"""The pictures of the documentation are what `timeline` draws of the examples beside them."""

from __future__ import annotations

import re
import runpy
from types import SimpleNamespace

import pytest
from pages import ROOT, blocks, examples, page

GENERATOR = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "generate_pictures.py")))
PAGES = [f"docs/{name}" for name in GENERATOR.PAGES]


def test_pictures_are_generated() -> None:
    drawn = {path.name: path.read_bytes().decode() for path in GENERATOR.FOLDER.iterdir()}
    assert drawn == GENERATOR.pictures()


@pytest.mark.parametrize("name", PAGES)
def test_every_example_has_its_picture_behind_it_with_a_description(name: str) -> None:
    shown = re.findall(r"^!\[(.*)\]\(pictures/(.+)\.svg\)$", page(name), re.MULTILINE)
    assert [f"{picture}.scenario" for _, picture in shown] == list(examples(name))
    assert 4 <= len(shown) and all(len(words) > 40 for words, _ in shown)


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_run(name: str) -> None:
    assert [block.text for block in blocks(name) if not block.kind] == []
