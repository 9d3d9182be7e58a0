"""The pictures of `timeline` in a real browser, with 1, 5 and 40 messages; and pictures that are wrong are told from good ones.

`Browser.faults` finds text over text, pale text, requests, messages on the console, what the keyboard cannot reach. Here the keyboard
is really used, too: every sign of a picture in turn, and what is shown of it then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_timeline_pictures import HOSTILE, messages
from tests.clients.browser import LOOK, Browser
from tests.clients.install_debian import command
from tests.meta.repository import ROOT

from wellposed.cli.main import main

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(
        command("chromium") is None and "CI" not in os.environ, reason="chromium is not on this machine"
    ),
]

OWN = ROOT / "tests" / "cli" / "expected" / "timeline"
SOURCES = {
    "1 message": messages(1),
    "5 messages": messages(5),
    "40 messages": messages(40),
    "hostile": HOSTILE,
    "jumps": (OWN / "jump.scenario").read_text(encoding="utf-8"),
    "runs that part": (OWN / "l6-gap-1.scenario").read_text(encoding="utf-8"),
    "held effects": (OWN / "held.scenario").read_text(encoding="utf-8"),
}
SIGN = """(() => {
  const link = document.activeElement, tip = link.querySelector(".tip");
  if (!tip) return null;
  const { left, right, top, bottom } = tip.getBoundingClientRect(), style = getComputedStyle(tip);
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return { to: link.getAttribute("href"), shown: style.display, inside, text: tip.textContent, name: link.ariaLabel };
})()"""


class Keyboard(Browser):
    """A browser in which keys are pressed."""

    def signs(self, page: Path, width: int = 1280) -> list[dict[str, Any]]:
        """What the Tab key reaches, from the first sign of a picture on: every sign with what is shown of it."""
        self.open(page, width)
        self._value("document.querySelector('.picture').focus()")
        found: list[dict[str, Any]] = []
        while True:
            for kind in ("keyDown", "keyUp"):
                self._call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
            sign = self._value(SIGN)
            if sign is None:
                return found
            found.append(sign)

    def printed(self, page: Path) -> list[str]:
        """What is wrong with a page on paper, for a reader whose screen is dark."""
        self.open(page, dark=True)
        dark = {"name": "prefers-color-scheme", "value": "dark"}
        self._call("Emulation.setEmulatedMedia", media="print", features=[dark])
        found = self._value(LOOK)
        self._call("Emulation.setEmulatedMedia", media="", features=[])
        return [one for one in found if one.startswith(("contrast", "overlap", "the page is", "cut off"))]

    def target(self, page: Path) -> str:
        """The text of the row to which the first sign leads, when Enter is pressed on it."""
        self.open(page)
        self._value("document.querySelector('.spots a').focus()")
        for kind in ("keyDown", "keyUp"):
            self._call(
                "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r"
            )
        return str(self._value("document.querySelector(':target').parentElement.innerText"))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyboard]:
    chromium = command("chromium")
    assert chromium is not None, "chromium is not on this machine"
    with Keyboard(chromium, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def drawn(source: str, folder: Path, name: str) -> Path:
    """The file in which `timeline` draws a source in the format of this name."""
    (folder / "one.scenario").write_text(source, encoding="utf-8")
    picture = folder / f"one.{name}"
    main(["timeline", str(folder / "one.scenario"), "--format", name, "--output-file", str(picture), "-q"])
    return picture


@pytest.fixture(scope="module", params=SOURCES)
def source(request: pytest.FixtureRequest) -> str:
    return SOURCES[request.param]


@pytest.fixture(scope="module")
def page(source: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn(source, tmp_path_factory.mktemp("page"), "html")


@pytest.fixture(scope="module")
def picture(source: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return drawn(source, tmp_path_factory.mktemp("picture"), "svg")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wrong_with_a_page(browser: Keyboard, page: Path, width: int, dark: bool) -> None:
    assert browser.faults(page, width, dark) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_is_wrong_with_a_picture_alone(browser: Keyboard, picture: Path, dark: bool) -> None:
    assert browser.faults(picture, dark=dark) == []


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs" / "pictures").iterdir()))
def test_nothing_is_wrong_with_a_picture_of_the_documentation(browser: Keyboard, name: str) -> None:
    picture = ROOT / "docs" / "pictures" / name
    assert browser.faults(picture) + browser.faults(picture, dark=True) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_every_sign_is_reached_in_order_and_tells_what_it_is(browser: Keyboard, page: Path, width: int) -> None:
    written = re.findall(r'<a href="#s1-f(\d+)"', page.read_text(encoding="utf-8"))
    signs = browser.signs(page, width)
    assert [sign["to"] for sign in signs] == [f"#s1-f{number}" for number in range(1, len(written) + 1)]
    assert written and [sign for sign in signs if sign["shown"] != "block" or not sign["inside"]] == []
    assert all(sign["text"] == sign["name"] != "" for sign in signs)


def test_a_sign_leads_to_its_row(browser: Keyboard, tmp_path: Path) -> None:
    page = drawn(messages(1), tmp_path, "html")
    assert browser.target(page).split("\t") == ["0", "conversation c0", "deliver m0", ""]


def test_a_page_on_paper_is_light_and_as_wide_as_the_paper(browser: Keyboard, page: Path) -> None:
    assert browser.printed(page) == []


def test_a_page_that_stays_dark_on_paper_is_seen(browser: Keyboard, tmp_path: Path) -> None:
    page = changed(drawn(messages(1), tmp_path, "html"), "color-scheme: only light;", "")
    assert any(one.startswith("contrast ") for one in browser.printed(page))


def changed(path: Path, pattern: str, replacement: str) -> Path:
    """The file with the first match of a pattern replaced."""
    text, number = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), count=1)
    assert number == 1
    path.write_text(text, encoding="utf-8")
    return path


WRONG = {
    "text over text": (r'(<text class="mark" x=")\d+(" y=")\d+', r"\g<1>20\g<2>34", "overlap: "),
    "pale text": (r'<text class="mark"', '<text style="fill: #999" class="mark"', "contrast 2."),
    "text on a dark shape": (
        r'(<text class="mark" x="(\d+)" y="(\d+)")',
        r'<path d="M\2 \3m-9 9h99v-30h-99z" style="fill: #334"/>\1',
        "contrast 1.",
    ),
    "text on a pattern": (r'<path class="tile-line"', '<path style="stroke: #333" class="tile-line"', "contrast 1."),
    "no title": (r"<title.*?</title>", "", "no title"),
    "a script": ("</svg>", "<script>console.log(1)</script></svg>", "Runtime.consoleAPICalled"),
    "a request": ("</svg>", '<image href="missing.png" width="9" height="9"/></svg>', "request: file:"),
}


@pytest.mark.parametrize(("pattern", "replacement", "fault"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_picture_is_seen(
    browser: Keyboard, tmp_path: Path, pattern: str, replacement: str, fault: str
) -> None:
    picture = drawn(SOURCES["jumps"], tmp_path, "svg")
    if fault == "contrast 1." and "tile" in pattern:
        # A label is put onto the ticks that a jump removes, without the paper around it.
        changed(picture, r'<text class="mark" x="\d+" y="(\d+)"', r'<text class="mark" x="\1" y="\1"')
    assert any(fault in one for one in browser.faults(changed(picture, pattern, replacement)))


WRONG_KEYS = {
    "not reached": (r'<a href="#s1-f3"', '<a tabindex="-1" href="#s1-f3"'),
    "out of order": (r'<a href="#s1-f3"', '<a tabindex="2" href="#s1-f3"'),
    "nothing shown": (r"> \.tip \{ display: block; \}", "> .tip { display: none; }"),
    "shown where nobody sees it": (r"left: 0; top: calc", "left: 99rem; top: calc"),
}


@pytest.mark.parametrize(("pattern", "replacement"), WRONG_KEYS.values(), ids=WRONG_KEYS)
def test_what_the_keyboard_misses_is_seen(browser: Keyboard, tmp_path: Path, pattern: str, replacement: str) -> None:
    page = changed(drawn(messages(1), tmp_path, "html"), pattern, replacement)
    with pytest.raises(AssertionError):
        test_every_sign_is_reached_in_order_and_tells_what_it_is(browser, page, 1280)
