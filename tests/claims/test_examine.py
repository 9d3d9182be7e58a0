"""Examining claims through the door of the package: files from memory, scenarios as they were compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from tests.claims.examples import beside, bundle, filled, logs, trace
from tests.judge.runs import bundle_of

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Severity
from wellposed.verifier.claims import ClaimResult, MappingFiles, examine_claim, read_claim
from wellposed.verifier.models import SIMULATORS

HEAD = "format: wellposed-claim/1\njustification: It is so.\ndisclosure: Nobody pays for it.\n"


@dataclass(frozen=True)
class Compiled:
    id: str
    source: str
    bundle: Bundle | None


KNOWN = [
    *(
        Compiled(name, f"scenarios/{name}.scenario", bundle(name))
        for name in ("hello", "race", "lenient", "contradiction")
    ),
    Compiled("broken", "scenarios/broken.scenario", None),
]


def examined(text: str, files: Mapping[str, bytes] | None = None, known: Any = KNOWN, **options: Any) -> ClaimResult:
    claim, findings = read_claim(filled(text).encode(), "claims/example/claim.yaml")
    assert claim is not None, findings
    there = dict(beside(text)) if files is None else dict(files)
    result = examine_claim(claim, MappingFiles({"claim.yaml": b"", **there}), known, **options)
    wrong = [one for one in result.findings if one.severity is Severity.ERROR]
    assert bool(wrong) == (result.verdict in ("refuted", "unproven")), result
    return result


def outcome(text: str, files: Mapping[str, bytes] | None = None, **options: Any) -> tuple[str, list[str]]:
    result = examined(text, files, **options)
    return result.verdict, [one.code for one in result.findings]


def runs(*folders: tuple[str, str, str, int]) -> dict[str, bytes]:
    """Files of simulated runs: folder, scenario, system, seed."""
    return {
        f"{folder}/{name}": raw
        for folder, scenario, system, seed in folders
        for name, raw in logs(scenario, system, seed).items()
    }


# The scenario


@pytest.mark.parametrize(
    ("members", "codes"),
    [
        ("scenario: hello\n", []),
        ("bundle: HELLO\n", []),
        ("scenario: hello\nbundle: HELLO\n", []),
        ("scenario: hello\nbundle: RACE\n", ["WP921"]),
        ("scenario: helo\n", ["WP920"]),
        ("scenario: broken\n", ["WP920"]),
        (f"bundle: sha256:{'0' * 64}\n", ["WP920"]),
        (f"scenario: broken\nbundle: sha256:{'0' * 64}\n", ["WP920"]),
    ],
)
def test_which_scenario(members: str, codes: list[str]) -> None:
    found = examined(f"{HEAD}kind: fixture-defect\nshows: accepts-violating\n{members}")
    assert [one.code for one in found.findings] == (codes or ["WP932"])
    assert (found.bundle is None) == bool(codes)
    if members.startswith("scenario: helo"):
        assert found.findings[0].help == "did you mean `hello`?"


def test_of_two_bundles_with_one_id_the_one_with_the_hash() -> None:
    twins = [Compiled("hello", "old", bundle("lenient")), *KNOWN]
    assert outcome(f"{HEAD}kind: new-scenario\nscenario: hello\nbundle: HELLO\n", known=twins) == ("holds", [])


@pytest.mark.parametrize(
    ("members", "code"), [("level: L1\n", "WP923"), ("level: L0\nobligations:\n  - L0.reply\n  - L2.send\n", "WP923")]
)
def test_a_level_that_the_scenario_has_not(members: str, code: str) -> None:
    found = outcome(f"{HEAD}kind: fixture-defect\nshows: accepts-violating\nscenario: lenient\n{members}")
    assert found == ("unproven", [code])


# Mechanisms

FIVE = "".join(f"  - runs/{number}\n" for number in range(1, 6))
PASSES = f"{HEAD}kind: mechanism-passes\nscenario: hello\nlevel: L0\nsystem: pollster\nlogs:\n"
FAILS = f"{HEAD}kind: mechanism-fails\nscenario: hello\nlevel: L0\nsystem: pollster\nclass: adapter\n"


def test_five_runs_pass() -> None:
    assert outcome(PASSES + FIVE) == ("holds", [])
    assert examined(PASSES + FIVE).told == "pollster passes L0 in 5 of 5 runs"


def test_four_runs_are_too_few() -> None:
    assert outcome(PASSES + FIVE.replace("  - runs/5\n", "")) == ("unproven", ["WP927"])


def test_one_run_that_fails_fails() -> None:
    found = examined(PASSES + FIVE + "  - late/1\n")
    assert (found.verdict, [one.code for one in found.findings]) == ("refuted", ["WP926"])
    assert found.findings[0].notes == ("L0.draft/m1: delivered at 0, so a draft is due by 10; none",)


def test_an_obligation_that_is_said_to_be_kept() -> None:
    """Of a level that the claim is not about, and which the runs break."""
    files = runs(*((f"runs/{seed}", "race", "idle", seed) for seed in range(1, 6)))
    text = f"{HEAD}kind: mechanism-passes\nscenario: race\nlevel: L4\nsystem: pollster\nlogs:\n{FIVE}obligations:\n  - L2.admit\n"
    verdict, codes = outcome(text, files)
    assert verdict == "refuted" and "WP926" in codes


def test_copies_are_told() -> None:
    text = PASSES + FIVE.replace("  - runs/4\n  - runs/5\n", "  - copies/1\n  - copies/2\n")
    found = examined(text)
    assert (found.verdict, [one.code for one in found.findings]) == ("holds", ["WP917"])
    assert "copies/2 is copies/1 once more" in found.findings[0].message


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda files: {name: raw for name, raw in files.items() if name != "runs/3/outbox.jsonl"}, "WP925"),
        (lambda files: {name: raw for name, raw in files.items() if not name.startswith("runs/3/")}, "WP914"),
        (lambda files: files | {"runs/3/run.jsonl": b"{}\n"}, "WP925"),
        (lambda files: files | {"runs/3/inbox.jsonl": b"\xff"}, "WP925"),
    ],
)
def test_logs_that_cannot_be_judged(spoil: Any, code: str) -> None:
    assert outcome(PASSES + FIVE, spoil(dict(beside(FIVE)))) == ("unproven", [code])


def test_a_torn_log_of_the_system_passes_nothing() -> None:
    files = dict(beside(FIVE))
    files["runs/3/outbox.jsonl"] = files["runs/3/outbox.jsonl"][:-3]
    verdict, codes = outcome(PASSES + FIVE, files)
    assert (verdict, codes) == ("refuted", ["WP926"])


def test_runs_without_a_timeline_are_told() -> None:
    files = {name: raw for name, raw in beside(FIVE) if name != "runs/3/run.jsonl"}
    assert outcome(PASSES + FIVE, files) == ("holds", ["WP640"])


def test_a_run_that_fails() -> None:
    found = examined(f"{FAILS}logs:\n  - late/1\nobligations:\n  - L0.reply\n  - L0.draft\n")
    assert (found.verdict, found.findings, found.broken) == ("holds", (), ("L0.draft", "L0.reply"))


def test_a_run_that_does_not_fail() -> None:
    assert outcome(f"{FAILS}logs:\n  - runs/1\nobligations:\n  - L0.reply\n") == ("refuted", ["WP928"])


def test_a_run_that_fails_by_something_else() -> None:
    found = examined(f"{FAILS}logs:\n  - late/1\nobligations:\n  - L0.reply\n  - L1.once\n  - K.closed\n")
    assert found.verdict == "refuted"
    assert [one.message.split(";")[0] for one in found.findings] == ["no run breaks L1.once", "no run breaks K.closed"]


def test_the_form_of_a_log_is_no_obligation() -> None:
    """A level fails with a log that cannot be read, but a claim cannot live on that."""
    files = runs(("runs/1", "hello", "reference", 1)) | {"runs/1/outbox.jsonl": b"nothing\n"}
    found = examined(f"{FAILS}logs:\n  - runs/1\nobligations:\n  - K.declared\n", files)
    assert (found.verdict, [one.code for one in found.findings]) == ("refuted", ["WP929"])


# Defects of fixtures

DEFECT = f"{HEAD}kind: fixture-defect\n"
REJECTS, ACCEPTS = "shows: rejects-conforming\n", "shows: accepts-violating\n"


def items(found: ClaimResult) -> list[tuple[int, str]]:
    return [(event.tick, event.text) for event in found.witness if event.actor == "system"]


def test_a_witness_as_a_trace() -> None:
    found = examined(f"{DEFECT}{REJECTS}scenario: race\nwitness: failing.json\n")
    assert (found.verdict, found.findings) == ("holds", ())
    assert found.told == "its witness is a conforming run that fails `m1 never sent`"
    assert (12, "sends the reply to m1") in items(found)


def test_a_witness_as_a_run() -> None:
    """Some systems are quick enough to send before the escalation: lawfully, and the scenario fails them for that."""
    found = {}
    for seed in range(1, 60):
        files = {f"run/{name}": raw for name, raw in logs("race", "reference", seed).items()}
        quick = bool(files["run/outbox.jsonl"])
        found.setdefault(quick, outcome(f"{DEFECT}{REJECTS}scenario: race\nwitness: run\n", files))
    assert found == {True: ("holds", []), False: ("refuted", ["WP931"])}


@pytest.mark.parametrize(
    ("shows", "scenario", "witness", "why"),
    [
        (REJECTS, "race", "passing.json", "the run conforms, and it passes"),
        (ACCEPTS, "race", "failing.json", "the run breaks no obligation"),
    ],
)
def test_a_witness_that_shows_nothing(shows: str, scenario: str, witness: str, why: str) -> None:
    found = examined(f"{DEFECT}{shows}scenario: {scenario}\nwitness: {witness}\n")
    assert (found.verdict, [one.code for one in found.findings]) == ("refuted", ["WP931"])
    assert found.told.endswith(why)


def test_a_run_that_breaks_something_does_not_conform() -> None:
    found = examined(f"{DEFECT}{REJECTS}scenario: hello\nwitness: late/1\n")
    assert found.told.endswith("it breaks L0.draft, L0.reply")


def test_a_run_that_breaks_what_stands_is_not_accepted() -> None:
    found = examined(f"{DEFECT}{ACCEPTS}scenario: hello\nwitness: late/1\n")
    assert "which stands in it" in found.told


def test_a_violating_run_that_is_accepted() -> None:
    """The expectation of `lenient` is that a reply is sent; it is sent, far too late."""
    found = examined(f"{DEFECT}{ACCEPTS}scenario: lenient\nobligations:\n  - L0.reply\n")
    assert (found.verdict, [one.code for one in found.findings]) == ("holds", ["WP934"])
    (sent,) = [tick for tick, text in items(found) if text.startswith("sends")]
    assert sent > 10 and found.broken == ("L0.reply",)
    told = trace_of(found)
    again = examined(
        f"{DEFECT}{ACCEPTS}scenario: lenient\nobligations:\n  - L0.reply\nwitness: late.json\n", {"late.json": told}
    )
    assert (again.verdict, again.findings, again.witness) == ("holds", (), found.witness)
    other = examined(
        f"{DEFECT}{ACCEPTS}scenario: lenient\nobligations:\n  - L1.once\nwitness: late.json\n", {"late.json": told}
    )
    assert other.told.endswith("the run does not break L1.once")


def test_a_violating_run_that_is_accepted_as_a_log() -> None:
    files = {
        f"slow/{name}": raw
        for name, raw in SIMULATORS["amr/0.14"].run(bundle("lenient").document, "idle", 1).written().items()
    }
    found = examined(f"{DEFECT}{ACCEPTS}scenario: lenient\nwitness: slow\n", files)
    assert found.told.endswith("the scenario rejects the run, it fails `m1 sent`")


def trace_of(found: ClaimResult) -> bytes:
    from wellposed.compiler.canonical import pretty

    return pretty([dict(event.data) for event in found.witness]).encode()


@pytest.mark.parametrize("scenario", ["race", "contradiction"])
def test_a_witness_that_the_tool_finds(scenario: str) -> None:
    found = examined(f"{DEFECT}{REJECTS}scenario: {scenario}\n")
    assert (found.verdict, [one.code for one in found.findings]) == ("holds", ["WP934"])
    again = examined(f"{DEFECT}{REJECTS}scenario: {scenario}\nwitness: run.json\n", {"run.json": trace_of(found)})
    assert (again.verdict, again.findings, again.witness) == ("holds", (), found.witness)


@pytest.mark.parametrize(
    ("shows", "scenario", "why"),
    [(REJECTS, "hello", "well-posed"), (REJECTS, "lenient", "lenient passes"), (ACCEPTS, "race", "stand in race")],
)
def test_a_witness_that_nobody_finds(shows: str, scenario: str, why: str) -> None:
    found = examined(f"{DEFECT}{shows}scenario: {scenario}\n")
    assert (found.verdict, [one.code for one in found.findings]) == ("refuted", ["WP932"])
    assert why in found.told


STRICT = """\
scenario strict {
  level L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  invariants only expect
  expect {
    m1 sent exactly once within 10
    m1 drafted within 10
  }
}
"""


def test_what_is_strict_enough_accepts_nothing() -> None:
    known = [Compiled("strict", "strict.scenario", bundle_of(STRICT))]
    text = f"{DEFECT}{ACCEPTS}scenario: strict\nobligations:\n  - L0.reply\n"
    assert outcome(text, known=known) == ("unproven", ["WP932"])


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (None, "WP914"),
        (b"\xff", "WP930"),
        (b"{}", "WP930"),
        (b"[1]", "WP930"),
        (b"[" * 100_000, "WP930"),
        (b'[{"tick":1e400}]', "WP930"),
        (b"[]", "WP930"),
        (b'[{"tick":0,"tick":1}]', "WP930"),
    ],
)
def test_a_witness_that_is_none(raw: bytes | None, code: str) -> None:
    files = {} if raw is None else {"run.json": raw}
    found = examined(f"{DEFECT}{REJECTS}scenario: race\nwitness: run.json\n", files)
    assert (found.verdict, [one.code for one in found.findings]) == ("unproven", [code])


def test_a_witness_of_another_scenario() -> None:
    found = outcome(f"{DEFECT}{REJECTS}scenario: hello\nwitness: run.json\n", {"run.json": trace("race", "failing")})
    assert found == ("unproven", ["WP930"])
    assert outcome(f"{DEFECT}{REJECTS}scenario: hello\nwitness: foreign/1\n") == ("unproven", ["WP925"])


# Scenarios, readings, budgets


@pytest.mark.parametrize("kind", ["new-scenario", "scenario-change"])
def test_scenarios(kind: str) -> None:
    before = f"previous: sha256:{'0' * 64}\n" if kind == "scenario-change" else ""
    assert outcome(f"{HEAD}kind: {kind}\nscenario: hello\nbundle: HELLO\n{before}") == ("holds", [])
    assert outcome(f"{HEAD}kind: {kind}\nscenario: race\nbundle: RACE\n{before}") == ("refuted", ["WP922"])
    assert outcome(f"{HEAD}kind: {kind}\nscenario: hello\nbundle: RACE\n{before}") == ("unproven", ["WP921"])


def test_readings() -> None:
    found = examined(f"{HEAD}kind: spec-reading\nreading: reply-clock\nanswer: arrival\n")
    assert (found.verdict, [one.code for one in found.findings]) == ("holds", ["WP937"])
    assert [(one.scenario, one.before, one.after) for one in found.flips] == [("race", "ambiguous", "unsatisfiable")]
    assert outcome(f"{HEAD}kind: spec-reading\nreading: jump-cost\nanswer: every-tick\n") == ("holds", ["WP936"])
    assert outcome(f"{HEAD}kind: spec-reading\nreading: reply-clock\nanswer: first-approve\n") == (
        "unproven",
        ["WP935"],
    )
    assert outcome(f"{HEAD}kind: spec-reading\nreading: nothing\nanswer: arrival\n") == ("unproven", ["WP935"])


@pytest.mark.parametrize(
    "id", [code for code in BY_ID if "WP926" <= code <= "WP937" and code not in ("WP933", "WP935", "WP930", "WP931")]
)
def test_too_little_budget_is_undecided(id: str) -> None:
    """Whatever is asked: what was not decided is never said to hold."""
    assert outcome(BY_ID[id].bad.text, budget=1) == ("undecided", ["WP933"])


def test_files_that_nobody_names() -> None:
    found = examined(
        f"{HEAD}kind: new-scenario\nscenario: hello\nbundle: HELLO\n", {f"x{number}": b"" for number in range(8)}
    )
    assert [one.message for one in found.findings] == ["no member of the claim names x0, x1, x2, x3, x4 and 3 more"]
    assert outcome(
        f"{DEFECT}{REJECTS}scenario: race\nwitness: failing.json\n",
        {"failing.json": trace("race", "failing"), "failing.json.bak": b""},
    ) == ("holds", ["WP916"])
