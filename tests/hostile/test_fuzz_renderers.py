"""Every format of a report with anything in it: whole, in its own form, and nothing in it but what can be seen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hostile.children import Said
from tests.hostile.sources import MARKUP, SHOWN
from tests.hostile.valid import faults

from wellposed.cli.render import concise, formats
from wellposed.cli.render import text as people
from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import defuse
from wellposed.cli.render.view import View
from wellposed.cli.report import Rejection, Report, ScenarioResult
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Edit, Finding, Fix, Label, Pointer, Severity, Span
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import VERDICTS

TEXT = st.one_of(
    st.text(st.characters(), max_size=30),
    st.lists(
        st.sampled_from(
            [*MARKUP.values(), SHOWN, "\n", "\r", "::error::x", "##[x]", "]]>", "\ud800", "\ufffe", "%0A", "\\"]
        ),
        max_size=4,
    ).map("".join),
)
LINE = TEXT.map(lambda text: text.replace("\n", " "))
PATHS = st.one_of(
    st.sampled_from(["x.scenario", "a b/c.scenario"]),
    LINE.map(lambda text: text.replace("/", "").replace("\0", "") + "x"),
)
CODES = st.sampled_from(sorted(set(BY_ID) - {"WP001"}))


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A report as no verb would make it: places, texts and verdicts that have nothing to do with one another."""
    paths = draw(st.lists(PATHS, min_size=1, max_size=3, unique=True))
    sources = {path: SourceFile(path, draw(TEXT) + "x\ny") for path in paths}

    def place(path: str) -> Span | Pointer:
        if draw(st.booleans()):
            return Pointer(path, draw(LINE))
        length = len(sources[path].text)
        start = draw(st.integers(0, length))
        return sources[path].span(start, draw(st.integers(start, length)))

    def finding() -> Finding:
        path = draw(st.sampled_from(paths))
        where = draw(st.booleans()) and place(path) or None
        fix = None
        if isinstance(where, Span) and draw(st.booleans()):
            fix = Fix(draw(LINE), (Edit(where, draw(TEXT)),), draw(st.booleans()))
        labels = tuple(Label(place(draw(st.sampled_from(paths))), draw(LINE)) for _ in range(draw(st.integers(0, 2))))
        scenario = draw(st.one_of(st.none(), st.sampled_from(["s", "t"]), LINE))
        return Finding(
            draw(CODES), draw(st.sampled_from(Severity)), draw(TEXT), where, labels, tuple(draw(st.lists(LINE, max_size=2))),
            tuple(draw(st.lists(TEXT, max_size=2))), draw(st.one_of(st.none(), TEXT)), scenario, None, fix,
        )  # fmt: skip

    def scenario(name: str) -> ScenarioResult:
        rejection = (
            Rejection(draw(LINE), draw(st.one_of(st.none(), LINE)), draw(st.booleans()))
            if draw(st.booleans())
            else None
        )
        return ScenarioResult(
            name, draw(st.sampled_from(paths)), None, draw(st.one_of(st.none(), st.sampled_from(VERDICTS))), rejection
        )

    found = tuple(finding() for _ in range(draw(st.integers(0, 4))))
    return Report(
        tuple(map(scenario, draw(st.sampled_from([(), ("s",), ("s", "t")])))),
        found,
        tuple(finding() for _ in range(draw(st.integers(0, 1)))),
        sources,
    )


def _rendered(form: str, report: Report) -> str:
    if form in formats.MACHINE:
        return formats.render(form, report)
    render = people.render if form == "text" else concise.render
    return defuse(render(report, Palette(False), View(False, True, True)))


def _look(form: str, report: Report) -> None:
    text = _rendered(form, report)
    # As it is written: what UTF-8 cannot hold is spelled out.
    written = text.encode("utf-8", "backslashreplace").decode()
    assert faults(Said(("check", "--format", form), 1, written, "")) == []


FORMS = ["text", "concise", *formats.MACHINE]


@pytest.mark.parametrize("form", FORMS)
def test_a_format(form: str) -> None:
    settings(max_examples=80, deadline=None)(given(reports())(lambda report: _look(form, report)))()


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_format_for_long(form: str) -> None:
    settings(max_examples=4_000, deadline=None)(given(reports())(lambda report: _look(form, report)))()
