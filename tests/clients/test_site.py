"""The site of the documentation as its builder makes it: whole, with links that lead somewhere, and nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.meta.repository import ROOT

pytestmark = pytest.mark.clients
OWN_WORDS = re.compile(r"https?://|mailto:|data:")


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.anchors |= {value for name in ("id", "name") if (value := found.get(name))}
        if tag == "a" and (link := found.get("href")):
            self.links.append(link)
        elif source := found.get("src") or (found.get("href") if tag == "link" and found.get("rel") == "stylesheet" else None):
            self.loaded.append(source)


@pytest.fixture(scope="module")
def site() -> Path:
    subprocess.run(["make", "--no-print-directory", "site"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ROOT / "build" / "site"


def test_the_site(site: Path) -> None:
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    assert site / "tutorial.html" in pages and len(pages) > 100
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are made for a server
        for link in page.links:
            if OWN_WORDS.match(link):
                continue
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path.relative_to(site)}: {link}"
            if parts.fragment and target in pages and not parts.fragment.startswith("__"):
                assert unquote(parts.fragment) in pages[target].anchors, f"{path.relative_to(site)}: {link}"
        assert [one for one in page.loaded if OWN_WORDS.match(one) and not one.startswith("data:")] == []
