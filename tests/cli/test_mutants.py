"""`mutants`: the library catches every faulty system, and survivors are told with what catches them."""

from __future__ import annotations

import functools
import json
import runpy
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.meta.repository import ROOT

from wellposed.cli.matrix import FAULTS
from wellposed.verifier.amr.faulty import SYSTEMS
from wellposed.verifier.amr.faulty.words import WORDS

Command = Callable[..., Any]

LENIENT = """\
scenario lenient {
  level   L2
  horizon 40
  invariants only expect
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0  deliver m1 in order "Hello."
  at 12 approve m1 as go
  at 14 repeat go
  expect {
    m1 sent within 5 of go
  }
}
"""
NEAR = """\
scenario near {
  level   L2
  horizon 60
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0  deliver m1 in order "Hello."
  at 12 approve m1 as go
  at 14 crash
  expect {
    any of { m1 sent exactly once within 22 of go } or { m1 abandoned because crash }
  }
}
"""


@functools.cache
def library() -> Any:
    """The matrix of the published scenarios, as JSON."""
    from wellposed.cli.gather import gather
    from wellposed.cli.matrix import matrix_of
    from wellposed.cli.pipeline import examine
    from wellposed.cli.render import matrix_json
    from wellposed.verifier.verify import DEFAULT_BUDGET, verify

    report = examine(gather([str(ROOT / "scenarios")], ""), verify)
    return json.loads(matrix_json.render(*matrix_of(report, DEFAULT_BUDGET, changes=True)))


@pytest.fixture
def files(folder: Path) -> Path:
    (folder / "lenient.scenario").write_text(LENIENT)
    (folder / "near.scenario").write_text(NEAR)
    return folder


def document(wellposed: Command, *paths: str) -> Any:
    return json.loads(wellposed("mutants", "-q", "--format", "json", *paths).out)


def survivors(scenario: Any) -> dict[str, Any]:
    return {one["system"]: one for one in scenario["survivors"]}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_published_scenario_catches_every_system(fault: Any) -> None:
    """Always; or under some timings, and the reason why no schedule can force it stands with the system."""
    system = next(one for one in library()["systems"] if one["id"] == fault.id)
    assert system["best"] == ("k" if fault.unforced else "K")


def test_what_the_published_scenarios_say_that_they_catch() -> None:
    cells = {one["id"]: one["cells"] for one in library()["scenarios"]}
    assert cells["l2-withdrawn-approval"]["ignores-reject"] == "K"
    assert cells["l2-crash-at-approval"]["restarts-step-on-crash"] == "K"
    assert {name for name, row in cells.items() if row["stale-posture"] != "-"} == {"l2-posture-change"}


def test_every_survivor_and_no_other_cell_has_a_run() -> None:
    for one in library()["scenarios"]:
        assert list(one["cells"]) == [fault.id for fault in FAULTS]
        assert set(survivors(one)) == {system for system, value in one["cells"].items() if value in "k."}
        assert all(survivor["run"] for survivor in one["survivors"])


def test_a_run_that_shows_the_fault_breaks_what_is_attacked(wellposed: Command, files: Path) -> None:
    found = survivors(document(wellposed, "lenient.scenario")["scenarios"][0])
    assert {one["system"] for one in found.values() if one["shown"]} >= {"resends-on-repeated-approval", "late-by-one"}
    for one in found.values():
        assert bool(one["broken"]) == one["shown"]
        assert set(one["broken"]) <= set(one["attacked"]) and not set(one["beside"]) & set(one["attacked"])


def test_the_expectation_that_is_told_catches_the_system(wellposed: Command, files: Path) -> None:
    found = survivors(document(wellposed, "lenient.scenario")["scenarios"][0])
    change = found["resends-on-repeated-approval"]["change"]
    assert (change["kind"], change["words"]) == ("expectation", "expect `m1 sent exactly once within 5 of go`")
    (files / "lenient.scenario").write_text(
        LENIENT.replace("m1 sent", "m1 sent exactly once within 5 of go\n    m1 sent")
    )
    again = document(wellposed, "lenient.scenario")["scenarios"][0]
    assert again["cells"]["resends-on-repeated-approval"] == "K"
    assert again["bundle"] != change["bundle"], "there the expectation comes last"
    (files / "lenient.scenario").write_text(
        LENIENT.replace("5 of go\n", "5 of go\n    m1 sent exactly once within 5 of go\n")
    )
    assert document(wellposed, "lenient.scenario")["scenarios"][0]["bundle"] == change["bundle"]


def test_several_expectations_where_one_does_not_do(wellposed: Command, files: Path) -> None:
    """A deadline of the admission or of the draft may be missed."""
    found = survivors(document(wellposed, "lenient.scenario")["scenarios"][0])
    assert found["late-by-one"]["change"]["words"] == "expect `m1 admitted within 5` and `m1 drafted within 10`"


def test_no_expectation_tells_one_draft_from_another(wellposed: Command, files: Path) -> None:
    found = survivors(document(wellposed, "lenient.scenario")["scenarios"][0])
    assert found["sends-unapproved-redraft"]["change"] is None


def test_the_move_that_is_told_catches_the_system(wellposed: Command, files: Path) -> None:
    found = survivors(document(wellposed, "near.scenario")["scenarios"][0])
    change = found["forgets-on-crash"]["change"]
    assert (change["kind"], change["words"]) == ("schedule", "move `approve m1` from 12 to 14")
    moved = NEAR.replace("  at 12 approve m1 as go\n", "").replace(
        "at 14 crash", "at 14 crash\n  at 14 approve m1 as go"
    )
    (files / "near.scenario").write_text(moved)
    again = document(wellposed, "near.scenario")["scenarios"][0]
    assert (again["bundle"], again["verdict"]) == (change["bundle"], "well-posed")
    assert again["cells"]["forgets-on-crash"] == "K"


def test_an_event_that_is_added_catches_the_system(wellposed: Command) -> None:
    """Where an operator takes the only item over, giving everything up is right; not so with one more message."""
    source = (ROOT / "scenarios" / "l4-operator-escalation.scenario").read_text()
    Path("rules").mkdir()
    Path("rules/support-desk.rules").write_text((ROOT / "scenarios" / "rules" / "support-desk.rules").read_text())
    Path("taken.scenario").write_text(source)
    change = survivors(document(wellposed, "taken.scenario")["scenarios"][0])["abandons-everything"]["change"]
    added = 'at 0 deliver `other-1` in order "Hello, where is {anchor}?"'
    assert change["words"].replace("`", "") == f"add {added}".replace("`", "")
    Path("taken.scenario").write_text(source.replace("  at m1 + 2", f"  {added.replace('`', '')}\n  at m1 + 2"))
    again = document(wellposed, "taken.scenario")["scenarios"][0]
    assert (again["bundle"], again["cells"]["abandons-everything"]) == (change["bundle"], "K")


def test_what_another_scenario_always_catches_needs_no_change(wellposed: Command, files: Path) -> None:
    both = document(wellposed, "near.scenario", str(ROOT / "scenarios" / "l2-crash-at-approval.scenario"))
    near = survivors(next(one for one in both["scenarios"] if one["id"] == "near"))
    assert near["forgets-on-crash"]["change"] is None
    out = wellposed("mutants", "near.scenario", str(ROOT / "scenarios" / "l2-crash-at-approval.scenario")).out
    assert "forgets-on-crash in near" not in out


def test_text(wellposed: Command, files: Path) -> None:
    result = wellposed("mutants", "near.scenario")
    assert (result.status, result.err) == (0, "")
    assert "  1  near\n" in result.out and "\nforgets-on-crash               k\n" in result.out
    assert "forgets-on-crash in near: caught under some timings\n" in result.out
    assert "  what catches it: move `approve m1` from 12 to 14 (verified)\n" in result.out
    assert result.out.splitlines()[-1].startswith("31 faulty systems, 1 scenario: ")
    assert wellposed("mutants", "near.scenario").out == result.out


def test_why_no_schedule_can_force_a_system(wellposed: Command) -> None:
    out = wellposed("mutants", str(ROOT / "scenarios" / "l4-operator-escalation.scenario")).out
    assert "  no schedule can force it: agents contend at a tick of their own choosing." in out


def test_the_table_stands_on_its_side_where_that_is_narrower(wellposed: Command, folder: Path) -> None:
    hello = (folder / "hello.scenario").read_text()
    (folder / "many.scenario").write_text("".join(hello.replace("hello", f"h{n}") for n in range(len(FAULTS) + 1)))
    lines = wellposed("mutants", "many.scenario").out.splitlines()
    assert f" {len(FAULTS):>2}  {FAULTS[-1].id}" in lines
    assert sum(line.startswith("h") and set(line.split()[1:]) <= set("Kk.-") for line in lines) == len(FAULTS) + 1


def test_scenarios_without_cells_are_named(wellposed: Command, files: Path) -> None:
    result = wellposed("mutants", "race.scenario", "near.scenario")
    assert result.status == 1 and "error[WP501]" in result.err
    assert "verdict: race (ambiguous)\n" in result.out
    assert wellposed("mutants", "race.scenario").out.count("\n") == 1
    assert document(wellposed, "race.scenario")["left_out"] == [{"id": "race", "verdict": "ambiguous"}]


def test_a_budget_that_does_not_suffice(wellposed: Command, files: Path) -> None:
    """For the verdict, and for the cells alone."""
    assert wellposed("mutants", "near.scenario", "--budget", "1").status == 3
    statuses = set()
    for budget in (300, 1_000, 3_000, 10_000):
        result = wellposed("mutants", "near.scenario", "--budget", str(budget))
        statuses.add((result.status, "kill matrix" in result.err))
    assert (3, True) in statuses


def test_the_report_of_check_has_the_cells_that_a_verdict_needs(wellposed: Command, files: Path) -> None:
    """Of who does nothing, of what an author names, and of all where no simpler wrong run passes; the same as here."""
    cells = {one["id"]: one["cells"] for one in library()["scenarios"]}
    report = json.loads(wellposed("check", "--format", "json", str(ROOT / "scenarios")).out)
    for one in report["scenarios"]:
        assert one["mutants"].items() <= cells[one["id"]].items() and "idle" in one["mutants"]
    told = {one["id"]: list(one["mutants"]) for one in report["scenarios"] if len(one["mutants"]) > 1}
    assert told == {
        "l2-crash-at-approval": ["idle", "restarts-step-on-crash", "forgets-on-crash"],
        "l2-withdrawn-approval": ["idle", "ignores-reject"],
    }
    strict = LENIENT.replace("m1 sent", "m1 admitted within 5\n    m1 drafted within 10\n    m1 sent")
    (files / "strict.scenario").write_text(strict.replace("lenient", "strict"))
    report = json.loads(wellposed("check", "--format", "json", "strict.scenario", "race.scenario").out)
    race, lenient = sorted(report["scenarios"], key=lambda one: len(one["mutants"]))
    assert (race["verdict"], race["mutants"]) == ("ambiguous", {})
    assert lenient["mutants"] == document(wellposed, "strict.scenario")["scenarios"][0]["cells"]


class Page(HTMLParser):
    """Which elements there are, that they are closed, and where links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.links: set[str] = set()
        self.ids: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        values = dict(attrs)
        assert not values.keys() & {"src", "onclick", "style"}
        self.links |= {values["href"] or ""} if "href" in values else set()
        self.ids += [values["id"] or ""] if "id" in values else []
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html(wellposed: Command, files: Path) -> None:
    out = wellposed("mutants", "--format", "html", "near.scenario", "lenient.scenario").out
    page = Page(out)
    assert not page.names & {"script", "link", "img", "iframe"}
    assert "://" not in out and "@import" not in out
    assert page.links <= {f"#{one}" for one in page.ids} and len(page.ids) == len(set(page.ids))
    cells = document(wellposed, "near.scenario", "lenient.scenario")["scenarios"]
    assert len(page.links) == len(FAULTS) + sum(len(one["survivors"]) for one in cells)
    assert "prefers-color-scheme" in out and 'tabindex="0"' in out and 'scope="row"' in out


def test_a_bundle_that_is_given_twice_has_two_columns(wellposed: Command, files: Path) -> None:
    assert wellposed("build", "near.scenario", "--out", "built").status == 0
    page = Page(wellposed("mutants", "--format", "html", "near.scenario", "built").out)
    assert len(page.ids) == len(set(page.ids)) and {"forgets-on-crash.1", "forgets-on-crash.2"} <= set(page.ids)


def test_the_pages_are_what_the_generators_write() -> None:
    for name in ("mutants", "coverage"):
        page = runpy.run_path(str(ROOT / "docs" / f"generate_{name}.py"))["page"]
        assert (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") == page(), "run `make docs`"


def test_every_system_is_told() -> None:
    assert list(WORDS) == list(dict.fromkeys(system.id for system in SYSTEMS))


def test_variants_of_a_system_are_told_alike() -> None:
    for fault in FAULTS:
        assert len({(row.text, row.unforced) for row in SYSTEMS if row.id == fault.id}) == 1


def test_spec_mutants(wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = wellposed("spec", "mutants")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[5:] if line[:1] not in ("", " ")] == [fault.id for fault in FAULTS]


def test_explain(wellposed: Command) -> None:
    for fault in FAULTS:
        said = " ".join(wellposed("explain", fault.id).out.split())
        assert said.startswith(f"{fault.id} (faulty system): a system that {fault.text}.")
        assert f"{fault.cause}. Then: {fault.consequence}." in said and fault.unforced in said
    assert "did you mean idle" in wellposed("explain", "idel").err
