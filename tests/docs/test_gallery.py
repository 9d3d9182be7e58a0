"""The gallery is what its generator writes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make docs` writes it again."""
    monkeypatch.chdir(ROOT)
    page = runpy.run_path(str(ROOT / "docs" / "generate_gallery.py"))["page"]
    assert (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8") == page()
