"""Every page of HTML in a real browser, light and dark, wide and narrow; and pages that are wrong are told from good ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_mutants import LENIENT
from tests.clients.browser import Browser
from tests.clients.install_debian import command
from tests.meta.repository import ROOT

from wellposed.cli.main import main

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(command("chromium") is None and "CI" not in os.environ, reason="chromium is not on this machine"),
]

LIBRARY = str(ROOT / "scenarios")
ONE = str(ROOT / "scenarios" / "l0-single-reply.scenario")
LONGEST = "-".join(["as", "long", "as", *["a-name-can-be"] * 4])[:64].rstrip("-")
LONG = LENIENT.replace("lenient", LONGEST)

PAGES = {
    "mutants of the library": ("mutants", LIBRARY),
    "mutants of one scenario": ("mutants", ONE),
    "mutants of lenient scenarios": ("mutants", "lenient.scenario", "long.scenario"),
    "coverage of the library": ("coverage", LIBRARY),
    "coverage of one scenario": ("coverage", ONE),
    "coverage of lenient scenarios": ("coverage", "lenient.scenario", "long.scenario"),
}
"""What is looked at: the verb and its paths, to which the format and the file are added."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium = command("chromium")
    assert chromium is not None, "chromium is not on this machine"
    with Browser(chromium, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "lenient.scenario").write_text(LENIENT)
    (folder / "long.scenario").write_text(LONG)
    before = Path.cwd()
    os.chdir(folder)
    try:
        main([*PAGES[request.param], "--format", "html", "--output-file", "page.html", "-q"])
    finally:
        os.chdir(before)
    scenarios = [word for word in PAGES[request.param][1:] if word.startswith("l")]
    assert all(name in (folder / "page.html").read_text() for name in (["lenient", LONGEST] if scenarios else []))
    return folder / "page.html"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wrong_with_a_page(browser: Browser, page: Path, width: int, dark: bool) -> None:
    assert browser.faults(page, width, dark) == []


GOOD = (
    "<title>t</title><style>:root { color-scheme: light dark }</style><p>some words</p><a href='#x' id='x'>a link</a>"
)
WRONG = {
    "a message": ("<script>console.log(1)</script>", "Runtime.consoleAPICalled"),
    "an exception": ("<script>nothing()</script>", "Runtime.exceptionThrown"),
    "a request": ("<img src='missing.png' alt=''>", "request: file:"),
    "a request to a server": ("<img src='http://127.0.0.1:9/x.png' alt=''>", "request: http:"),
    "text over text": ("<p style='margin-top: -2.5rem'>over it</p>", "overlap: "),
    "pale text": ("<p style='color: #888'>pale</p>", "contrast 3."),
    "dark on dark": ("<p style='color: #223; background: #000'>dark</p>", "contrast 1."),
    "too wide": ("<p style='width: 300vw'>wide</p>", "pixels too wide"),
    "cut off": ("<div style='width: 3rem; overflow: hidden; white-space: nowrap'>cut off here</div>", "cut off: "),
    "no keyboard": ("<div style='width: 3rem; overflow: auto'><pre>a long line of words</pre></div>", "not reached by"),
    "no focus": ("<style>a:focus { outline: none }</style>", "its focus does not show"),
    "nowhere": ("<a href='#y'>there</a>", "leads nowhere: #y"),
    "no words": ("<a href='#x'><b></b></a>", "a link without words"),
}


@pytest.mark.parametrize(("body", "fault"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_seen(browser: Browser, tmp_path: Path, body: str, fault: str) -> None:
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><html lang='en'><meta charset='utf-8'>{GOOD}{body}")
    assert any(fault in one for one in browser.faults(tmp_path / "page.html"))


def test_a_header_under_another_is_seen(browser: Browser, tmp_path: Path) -> None:
    row = "<tr><th scope='row' style='position: sticky; left: 0; z-index: 3'>row</th>" + "<td>cell</td>" * 90 + "</tr>"
    heads = "".join(f"<th scope='col' style='position: sticky; top: 0'>h{number}</th>" for number in range(90))
    corner = "<th scope='col' style='position: sticky; top: 0; left: 0'>corner</th>"
    table = f"<table><thead><tr>{corner}{heads}</tr></thead><tbody>{row * 90}</tbody></table>"
    region = f"<div class='scroll' tabindex=0 aria-label='t' style='overflow: auto; height: 20rem'>{table}</div>"
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><html lang='en'>{GOOD}{region}")
    assert any(one.startswith("covered: ") for one in browser.faults(tmp_path / "page.html"))


def test_a_good_page_has_no_fault(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><html lang='en'>{GOOD}")
    assert browser.faults(tmp_path / "page.html") == []
    assert browser.faults(tmp_path / "page.html", dark=True) == []
