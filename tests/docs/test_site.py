"""The site of the documentation, as it is staged: every link leads somewhere, and every page can be found."""

from __future__ import annotations

import posixpath
import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = runpy.run_path(str(ROOT / "docs" / "generate_site.py"))
CONFIGURATION = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def site() -> Any:
    return GENERATOR["Site"]()


def named(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from named(value)


def test_every_link_leads_somewhere(site: Any) -> None:
    assert site.missing == []
    for path, raw in site.files.items():
        if path.endswith(".md") and not path.startswith("source/"):
            text = GENERATOR["_FENCE"].sub("", raw.decode())
            for target in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", text):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) in site.files, (path, target)


def headings(text: str) -> set[str]:
    """The anchors of a page, as the site makes them."""
    found = re.findall(r"^#+ (.+)$", GENERATOR["_FENCE"].sub("", text), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", one)).strip().lower()) for one in found}


def test_every_link_into_a_page_leads_to_a_heading(site: Any) -> None:
    for path, raw in site.files.items():
        if path.endswith(".md") and not path.startswith("source/"):
            text = raw.decode()
            for target, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", GENERATOR["_FENCE"].sub("", text)):
                to = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
                there = site.files[to].decode()
                assert anchor in headings(there) or f'id="{anchor}"' in there, (path, target, anchor)


def test_every_page_is_in_the_navigation_once(site: Any) -> None:
    shown = list(named(CONFIGURATION["nav"]))
    pages = {path for path in site.files if path.endswith(".md") and not path.startswith(("source/", "codes/WP"))}
    assert sorted(shown) == sorted(pages)


def test_a_link_that_leads_nowhere_is_found(site: Any) -> None:
    before = list(site.missing)
    site._linked("[a](cli.md) [b](no-such-page.md) `[c](no.md)`\n```text\n[d](nor-this.md)\n```\n", "docs/a.md", "a.md")
    assert [target for _, target in site.missing[len(before) :]] == ["no-such-page.md", "no.md"]
    site.missing[:] = before


def test_files_are_shown_as_they_are(site: Any) -> None:
    shown = site.files["source/scenarios/l0-single-reply.scenario.md"].decode()
    assert (ROOT / "scenarios/l0-single-reply.scenario").read_text(encoding="utf-8").rstrip() in shown


def test_nothing_is_fetched_from_elsewhere() -> None:
    assert CONFIGURATION["theme"]["font"] is False
