"""`timeline` as pictures: whole files, every fact once in each, and nothing of an input taken for markup."""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render import timeline_html, timeline_mermaid, timeline_svg
from wellposed.cli.render.axis import FOLDED, JUMPED, bands
from wellposed.cli.report import ScenarioResult
from wellposed.cli.timeline import metrics, scale
from wellposed.cli.timeline.build import chart_of
from wellposed.cli.timeline.chart import Chart, RowKind
from wellposed.cli.timeline.facts import Facts, facts_of
from wellposed.cli.timeline.layout import scene_of
from wellposed.cli.timeline.scene import Glyph, Rect, Scene, Text
from wellposed.verifier.report import Trace
from wellposed.verifier.verify import verify

Command = Callable[..., Any]
Drawn = tuple[ScenarioResult, Chart, Facts, Scene]
ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).parent / "expected" / "timeline"
OWN = "tests/cli/expected/timeline"
FLEET = "scenarios/l3-fleet-concurrent.scenario"
CONTRADICTION = "examples/defects/l6-escalation-six-ticks-late/defect.scenario"
GOLDEN = {
    "l6-gap-1.svg": f"{OWN}/l6-gap-1.scenario",
    "l6-gap-1.html": f"{OWN}/l6-gap-1.scenario",
    "l6-gap-1.mermaid": f"{OWN}/l6-gap-1.scenario",
    "jump.svg": f"{OWN}/jump.scenario",
    "jump.mermaid": f"{OWN}/jump.scenario",
    "held.svg": f"{OWN}/held.scenario",
    "five.svg": f"{OWN}/five.scenario",
    "fleet.svg": FLEET,
    "fleet.mermaid": FLEET,
    "contradiction.svg": CONTRADICTION,
    "contradiction.mermaid": CONTRADICTION,
}
FORMATS = ("svg", "html", "mermaid")


def messages(number: int) -> str:
    """A scenario with so many messages, some of them escalated or hit by a crash; ambiguous from four messages on."""
    parts = []
    for one in range(number):
        at = one * 23
        parts += [
            f'conversation c{one} {{ from "u{one}@example.test" subject "s" }}',
            f'at {at} deliver m{one} in c{one} "x"',
            f"at {at + 12} approve m{one} as go-{one}",
        ]
        parts += [f"at {at + 14} escalate m{one}"] if one % 7 == 3 else []
        parts += [f"at {at + 13} crash"] if one % 9 == 4 else []
    claims = [f"m{one} " + ("never sent" if one % 7 == 3 else f"sent within 5 of go-{one}") for one in range(number)]
    body = "\n".join(["level L6", "horizon 1500", *parts, "expect {", *claims, "}"])
    return f"scenario many-{number} {{\n{body}\n}}\n"


HOSTILE = r"""scenario end {
  title "end; #35; <b>x</b> ]]> <!-- %%{init: \{\}}%% \"q\" 'a' \n alt style: x ``` \u{202e} ##[error] & &amp;"
  level L6
  horizon 40
  conversation `end` { from "ada@example.test" subject "s" }
  at 0 deliver alt in `end` "Hello."
  at 12 approve alt as `loop`
  at 13 escalate alt
  expect { alt never sent }
}
"""


@pytest.mark.parametrize("name", GOLDEN)
def test_whole_files(name: str, wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = wellposed("timeline", GOLDEN[name], "--format", Path(name).suffix[1:])
    golden = CASES / name
    if os.environ.get("UPDATE_EXPECTED"):
        golden.write_text(result.out, encoding="utf-8", newline="\n")
    assert result.out == golden.read_bytes().decode()
    assert result.status == wellposed("check", GOLDEN[name]).status


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Drawn]:
    """The library, the gallery, the cases of this folder, and some with 1, 5 and 40 messages, each laid out."""
    folder = tmp_path_factory.mktemp("many")
    for number in (1, 5, 40):
        (folder / f"{number}.scenario").write_text(messages(number))
    (folder / "hostile.scenario").write_text(HOSTILE)
    paths = [str(ROOT / place) for place in ("scenarios", "examples/defects", OWN)]
    found = examine(gather([*paths, str(folder)], ""), functools.partial(verify, windows=True)).scenarios
    charts = [(one, chart) for one in found if (chart := chart_of(one)) is not None]
    laid = [(one, chart, facts, scene_of(chart, facts)) for one, chart in charts for facts in [facts_of(chart)]]
    assert len(laid) > 45
    return laid


def runs(one: ScenarioResult) -> Iterator[tuple[tuple[RowKind, ...], Trace]]:
    """The kinds of the facts that tell each run of a scenario, and the run."""
    verification = one.verification
    if verification is not None and verification.passing and verification.failing:
        yield (RowKind.BOTH, RowKind.PASSING), verification.passing
        yield (RowKind.BOTH, RowKind.FAILING), verification.failing
    elif verification is not None:
        yield (RowKind.ONE, RowKind.FAILING), verification.passing or verification.failing


def test_every_event_of_a_schedule_is_one_fact(drawn: list[Drawn]) -> None:
    for one, _, facts, _ in drawn:
        assert one.bundle is not None
        of_schedule = [fact.seq for fact in facts.ordered if fact.seq is not None and not fact.said]
        assert sorted(of_schedule) == list(range(len(one.bundle.document["schedule"]))), one.id


def test_every_event_of_a_run_is_one_fact(drawn: list[Drawn]) -> None:
    """What the harness does in a run at the tick for which it is written is told once, as an event of the schedule."""
    told = 0
    for one, _, facts, _ in drawn:
        written = {(fact.seq, fact.first) for fact in facts.ordered if fact.kind is RowKind.EVENTS}
        for kinds, trace in runs(one):
            expected = Counter(
                (event.tick, event.text)
                for event in trace
                if event.actor == "system" or (event.data["seq"], event.tick) not in written or "held" in event.data
            )
            assert expected == Counter((fact.first, fact.detail) for fact in facts.ordered if fact.kind in kinds), (
                one.id
            )
            told += sum(expected.values())
    assert told > 300


def test_facts_are_numbered_by_their_ticks(drawn: list[Drawn]) -> None:
    for _, _, facts, _ in drawn:
        assert [fact.number for fact in facts.ordered] == list(range(1, len(facts.ordered) + 1))
        ticks = [fact.first for fact in facts.ordered if fact.first is not None]
        assert ticks == sorted(ticks)
        in_lanes = [fact for lane in facts.lanes for row in lane.rows for fact in row.facts]
        assert sorted(in_lanes, key=lambda fact: fact.number) == list(facts.ordered)


def test_every_fact_is_drawn_once_in_every_format(drawn: list[Drawn]) -> None:
    for _, chart, facts, scene in drawn:
        numbers = [fact.number for fact in facts.ordered]
        assert [spot.fact.number for spot in scene.spots] == numbers
        svg = ElementTree.fromstring(timeline_svg.render([chart]))
        spots = [group for group in svg.findall(".//{*}g") if group.get("class") == "spot"]
        assert [spot.findtext("{*}title") for spot in spots] == [fact.sentence for fact in facts.ordered]
        page = Page(timeline_html.render([chart]))
        assert page.links == [f"#s1-f{number}" for number in numbers]
        assert sorted(page.rows) == sorted(f"s1-f{number}" for number in numbers)
        assert sorted(page.details) == sorted(fact.detail for fact in facts.ordered)
        assert messages_of(timeline_mermaid.render([chart])) == Counter(
            f"{fact.first} {fact.detail}" for fact in facts.ordered if fact.kind not in timeline_mermaid.LASTS
        )


class Page(HTMLParser):
    """The links over the signs of a page, the ids of its rows, and their third cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.rows: list[str] = []
        self.details: list[str] = []
        self.tags: set[str] = set()
        self._cell = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if tag == "a" and "style" in given:
            self.links.append(str(given["href"]))
        if tag == "tr":
            self._cell = 0
        if tag == "td":
            self._cell += 1
            if "id" in given:
                self.rows.append(str(given["id"]))
            if self._cell == 2:
                self.details.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "td" and self._cell == 2:
            self._cell += 1

    def handle_data(self, data: str) -> None:
        if self._cell == 2 and self.details:
            self.details[-1] += data


LINE = re.compile(
    r"title [^;\n]*(?:#\d+;[^;\n]*)*|participant [HCW]\d* as (?P<name>.+)|(?P<open>alt|opt) .+|(?P<other>else) .+|(?P<end>end)|"
    r"(?:Note over [HCW]\d*(?:,[HCW]\d*)?|[HCW]\d*->>[HCW]\d*): (?P<words>.+)"
)
WORDS = re.compile(r"(?:[A-Za-z0-9 .,_()-]|#\d+;|<br/>)+")


def parsed(diagram: str) -> Iterator[str]:
    """The texts of the messages and notes of a diagram; fails where it is none."""
    first, *rest = diagram.removesuffix("\n").split("\n")
    assert first == "sequenceDiagram"
    depth: list[str] = []
    for line in rest:
        found = LINE.fullmatch(line.strip())
        assert found is not None, line
        if found["open"]:
            depth.append(found["open"])
        if found["other"]:
            assert depth == ["alt"], line
        if found["end"]:
            depth.pop()
        for words in (found["name"], found["words"]):
            assert words is None or (WORDS.fullmatch(words) and not re.search(r"(?i)\bend\b", words)), line
        if found["words"]:
            yield re.sub(r"#(\d+);", lambda code: chr(int(code[1])), found["words"])
    assert depth == []


def messages_of(diagram: str) -> Counter[str]:
    """The texts that begin with a tick."""
    return Counter(text for text in parsed(diagram) if re.match(r"\d+ ", text))


def boxes(scene: Scene) -> list[tuple[Text, int, int, int, int]]:
    """Every text of a picture with the rectangle that it takes."""
    parts = [*scene.back, *scene.names, *(part for spot in scene.spots for part in spot.parts)]
    texts = [part for part in parts if isinstance(part, Text)]
    starts = [text.x - text.width if text.ends else text.x for text in texts]
    return [(text, x, text.y - 10, x + text.width, text.y + 3) for text, x in zip(texts, starts, strict=True)]


def overlaps(scene: Scene) -> list[tuple[str, str]]:
    found = []
    for one, other in combinations(boxes(scene), 2):
        if one[1] < other[3] and other[1] < one[3] and one[2] < other[4] and other[2] < one[4]:
            found.append((one[0].text, other[0].text))
    return found


def test_no_text_lies_on_another_and_none_leaves_the_picture(drawn: list[Drawn]) -> None:
    for _, _, _, scene in drawn:
        assert overlaps(scene) == []
        outside = [
            text.text
            for text, x, top, end, low in boxes(scene)
            if x < 0 or top < 0 or end > scene.width or low > scene.height
        ]
        assert outside == []
        assert scene.width <= 1200


def test_texts_on_each_other_are_seen(drawn: list[Drawn]) -> None:
    scene = drawn[0][3]
    text = next(part for part in scene.back if isinstance(part, Text))
    moved = Text(text.x + 5, text.y + 5, text.text, text.style)
    assert overlaps(replace(scene, back=(*scene.back, moved))) != []


def test_every_sign_stands_at_its_tick(drawn: list[Drawn]) -> None:
    """In pictures of one band, where a tick has one place: that of its number on the axis."""
    looked_at = 0
    for _, _, _, scene in drawn:
        numbers = [
            part for part in scene.back if isinstance(part, Text) and part.style == "tick" and part.text != "jump"
        ]
        at = {int(number.text): number.x + number.width // 2 for number in numbers}
        if len(at) < len(numbers):
            continue
        for spot in scene.spots:
            first, last = spot.fact.first, spot.fact.last
            signs = [part for part in spot.parts if isinstance(part, Glyph)]
            bars = [part for part in spot.parts if isinstance(part, Rect) and part.style.startswith("bar ")]
            if first is None or last is None:
                continue
            assert all(sign.x == at[first] for sign in signs)
            assert len(signs) >= 1 or (bars[0].x, bars[-1].x + bars[-1].width) == (at[first] - 5, at[last] + 5)
            looked_at += 1
    assert looked_at > 400


def test_the_runs_are_one_line_until_they_part(drawn: list[Drawn]) -> None:
    parted = [(chart, facts, scene) for _, chart, facts, scene in drawn if chart.difference is not None]
    assert len(parted) > 3
    for chart, facts, scene in parted:
        difference = chart.difference
        assert difference is not None
        records = [fact for fact in facts.ordered if fact.kind in (RowKind.PASSING, RowKind.FAILING)]
        assert all(fact.first is not None and fact.first >= difference for fact in records)
        assert all(fact.first == difference for fact in facts.ordered if fact.parting)
        words = [part.text for part in scene.back if isinstance(part, Text) and part.style == "parted"]
        assert words == [f"the runs part at tick {difference}"]


def test_nothing_of_an_input_is_markup(wellposed: Command, folder: Path) -> None:
    (folder / "hostile.scenario").write_text(HOSTILE)
    out = {name: wellposed("timeline", "hostile.scenario", "--format", name).out for name in FORMATS}
    for text in out.values():
        assert "<b>" not in text and "\u202e" not in text and "##[" not in text
    svg = ElementTree.fromstring(out["svg"])
    assert {element.tag.partition("}")[2] for element in svg.iter()} <= {
        *("svg", "title", "desc", "style", "defs", "pattern", "rect", "path", "line", "g", "text")
    }
    title = svg.find("{*}title")
    assert (
        title is not None
        and title.text is not None
        and title.text.startswith("end; #35; <b>x</b> ]]> <!-- %%{init: {}}%%")
    )
    assert not Page(out["html"]).tags & {"script", "b", "img", "link", "iframe"}
    (name,) = [line for line in out["mermaid"].split("\n") if line.startswith("  title ")]
    assert name.startswith("  title #101;nd#59; #35;35#59; #60;b#62;x#60;#47;b#62;")
    assert list(parsed(out["mermaid"]))


def test_nothing_comes_from_outside(wellposed: Command, folder: Path) -> None:
    for name in ("svg", "html"):
        text = wellposed("timeline", ".", "--format", name).out
        assert set(re.findall(r"https?://[^\"' ]+", text)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"<script|@import|@font-face|src=|url\((?!#)", text)


def test_several_scenarios(wellposed: Command, folder: Path) -> None:
    svg = ElementTree.fromstring(wellposed("timeline", ".", "--format", "svg").out)
    assert svg.findtext("{*}title") == "hello · race"
    heights = [group.get("transform") for group in svg.findall("{*}g")]
    assert heights[0] == "translate(0 0)" and len(set(heights)) == len(heights) == 2
    page = wellposed("timeline", ".", "--format", "html").out
    assert [page.count(f'<section id="s{number}">') for number in (1, 2, 3)] == [1, 1, 0]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    markdown = wellposed("timeline", ".", "--format", "mermaid").out
    assert re.findall(r"^## (.+)$", markdown, re.MULTILINE) == ["hello", "race"]
    diagrams = re.findall(r"^```mermaid\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL)
    assert len(diagrams) == 2 and all(list(parsed(diagram)) for diagram in diagrams)


def test_without_a_scenario_that_has_a_picture(wellposed: Command, folder: Path) -> None:
    (folder / "bad.scenario").write_text((folder / "race.scenario").read_text().replace("approve m1", "approve m2"))
    out = {name: wellposed("timeline", "bad.scenario", "--format", name) for name in FORMATS}
    assert {result.status for result in out.values()} == {1}
    assert out["mermaid"].out == ""
    assert timeline_svg.NOTHING in out["html"].out
    assert ElementTree.fromstring(out["svg"].out).findtext("{*}text") == timeline_svg.NOTHING


def test_undecided_has_a_picture(wellposed: Command, folder: Path) -> None:
    result = wellposed("timeline", "race.scenario", "--budget", "1", "--format", "svg")
    assert result.status == 3
    assert ">undecided<" in result.out and ">escalate<" in result.out


def test_long_names_are_clipped(wellposed: Command, folder: Path) -> None:
    message, conversation, go = "m" * 64, "c" * 64, "g" * 64
    text = f"""\
scenario {"s" * 64} {{
  title "{"A title that does not end " * 20}"
  level L2
  horizon 4000
  conversation {conversation} {{ from "ada@example.test" subject "Where is my order?" }}
  at 0 deliver {message} in {conversation} "Hello."
  at 12 approve {message} as {go}
  at 3999 repeat {go}
  expect {{ {message} sent exactly once within 5 of {go} }}
}}
"""
    (folder / "long.scenario").write_text(text)
    (one,) = examine(gather(["long.scenario"], ""), functools.partial(verify, windows=True)).scenarios
    chart = chart_of(one)
    assert chart is not None
    scene = scene_of(chart, facts_of(chart))
    assert overlaps(scene) == [] and scene.width <= 1200
    assert all(end <= scene.width for _, _, _, end, _ in boxes(scene))
    assert any(text.text.endswith("…") for text, *_ in boxes(scene))


ticks = st.lists(st.integers(0, 100_000), min_size=2, max_size=60, unique=True).map(sorted)


@given(ticks, st.data())
def test_a_scale_has_every_tick_once_and_in_order(ticks: list[int], data: st.DataObject) -> None:
    pairs = [pair for pair in pairwise(ticks) if pair[1] > pair[0] + 1]
    jumps = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    width = 800
    drawn = bands(ticks, jumps, width, scale.PICTURE)
    for tick in ticks:
        assert sum(axis.owns(tick) for axis in drawn) == 1
    for axis in drawn:
        assert axis.width <= width or len(axis.columns) == 2
        assert list(axis.columns.values()) == sorted(set(axis.columns.values()))
        even = set()
        for (before, start), (after, end), gap in zip(
            axis.columns.items(), list(axis.columns.items())[1:], axis.gaps, strict=False
        ):
            assert gap.start == start
            assert (gap.middle == JUMPED) == ((before, after) in jumps)
            if not gap.middle:
                even.add((end - start) / (after - before))
            assert gap.middle != FOLDED or end - start == scale.FOLD
        assert len(even) <= 1  # the same number of units for a tick, wherever nothing is left out


@given(st.text(max_size=40), st.integers(0, 200))
def test_a_clipped_text_fits(text: str, room: int) -> None:
    clipped = metrics.clip(text, room, 12)
    assert metrics.width(clipped, 12) <= room or clipped == ""
    assert all(metrics.width(line, 12) <= max(room, 12) for line in metrics.wrap(text, max(room, 12), 12))


@given(st.text(max_size=60))
def test_any_text_is_safe_in_a_diagram(text: str) -> None:
    quoted = timeline_mermaid.quoted(text)
    assert WORDS.fullmatch(quoted) or not text
    assert "<br/>" not in quoted and not re.search(r"(?i)\bend\b", quoted)
    assert quoted.isascii()
