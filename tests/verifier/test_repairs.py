"""Repairs of every kind: proposed where they are due, and what is verified after them is well-posed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.bundle_edits import BundleEdit, Insert, Replace
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.edits import edited
from wellposed.dsl.findings import has_errors
from wellposed.dsl.source import SourceFile
from wellposed.verifier.amr.repairs import KINDS
from wellposed.verifier.models import MODELS
from wellposed.verifier.repair import Repair
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

MODEL_PAGE = Path(__file__).resolve().parents[2] / "docs" / "model.md"

ORDER = 'conversation order { from "ada@x" subject "an order" anchor "A-1" }'
RULES = 'rules desk { admit usual when subject contains "order" and posture is normal }\n'


def scenario(head: str, events: str, expected: str, rules: bool = False) -> str:
    """One scenario about m1, delivered at 0 unless the events deliver it."""
    if " deliver m1" not in events:
        events = f'at 0 deliver m1 in order "Hello?"\n{events}'
    own = (RULES, "rules desk") if rules else ("", "")
    return f"{own[0]}scenario x {{\n{head} {own[1]}\n{ORDER}\n{events}\nexpect {{\n{expected}\n}}\n}}\n"


HELD = "at 14 hold effects\nat 20 release effects"


def _switch(fault: str, at: int) -> Insert:
    return Insert("/schedule", {"at": at, "channel": "faults", "record": {"fault": fault, "fault_id": f"{fault}.1"}})


# One fault each, and the kind of repair that mends it by itself, with the edits of the first that does.
CASES: list[tuple[str, str, tuple[BundleEdit, ...] | None]] = [
    (
        scenario("level L2 horizon 40", "at 12 approve m1 as go", "m1 sent within 3 of go"),
        "window",
        (Replace("/expect/0/within", 5),),
    ),
    (
        scenario("level L2 horizon 40", "at 12 approve m1 as go", "m1 admitted within 1"),
        "window",
        (Replace("/expect/0/within", 5),),
    ),
    (
        # The approval may be deferred to 11: what it takes from there is a budget, not what is left of the ticks.
        scenario("level L2 horizon 40", "at 3 approve m1 as go", "m1 sent within 2 of go"),
        "window",
        (Replace("/expect/0/within", 5),),
    ),
    (
        # Held from 14 to 19: the fifth open tick behind 12 is 23, the seventeenth behind 0 too.
        scenario("level L2 horizon 40", f"at 12 approve m1 as go\n{HELD}", "m1 sent within 3 of go"),
        "window",
        (Replace("/expect/0/within", 5),),
    ),
    (
        scenario("level L2 horizon 40", f"at 12 approve m1 as go\n{HELD}", "m1 sent within 10"),
        "window",
        (Replace("/expect/0/within", 17),),
    ),
    (
        scenario("level L2 horizon 21", f"at 12 approve m1 as go\n{HELD}", "m1 sent within 5 of go"),
        "horizon",
        (Replace("/horizon", 23),),
    ),
    (
        scenario("level L0 horizon 8", "", "m1 sent within 10"),
        "horizon",
        (Replace("/horizon", 10),),
    ),
    (
        scenario("level L2 horizon 14", "at 12 approve m1 as go", "m1 sent within 5 of go"),
        "horizon",
        (Replace("/horizon", 17),),
    ),
    (
        scenario("level L0 horizon 40", "at 3 jump to 38", "m1 sent within 10"),
        "horizon",
        (Replace("/horizon", 44),),
    ),
    (
        scenario("level L0 horizon 40", "", "m1 sent within 10\nany of { m1 sent } or { m1 never sent }"),
        "hollow",
        None,
    ),
    *(
        (
            scenario("level L6 horizon 60", f"at 12 approve m1\nat {12 + gap} escalate m1", "m1 never sent"),
            "escalation",
            (Replace("/schedule/2/at", 12),),
        )
        for gap in range(1, 16)
    ),
    (
        # Only of m2, which the expectation does not name, is it that a send may come or not.
        scenario(
            "level L4 horizon 60",
            'at 0 deliver m1 in order "Hello?"\nat 0 deliver m2 in order "Well?"\nat 12 { approve m1 approve m2 }\nat 14 escalate m2',
            "only m1 sent",
        ),
        "hold",
        (_switch("hold", 12), _switch("release", 14)),
    ),
    *(
        (
            scenario(head, f"at 12 approve m1\n{more}at {12 + gap} escalate m1", expected),
            "hold",
            (_switch("hold", 12), _switch("release", 12 + gap)),
        )
        for gap in (1, 5, 20)
        for more in ("", "at 13 approve m1\n")
        for head, expected in (
            ("level L6 horizon 60", "m1 never sent"),
            ("level L4 horizon 60", "m1 abandoned because operator_escalation"),
        )
        if (gap, more) != (1, "at 13 approve m1\n")
    ),
    (
        scenario(
            "level L2 horizon 60",
            'at 10 posture maintenance\nat 8 deliver m1 in order "Hello?"\nat 30 approve m1 as go',
            "m1 sent within 5 of go",
            rules=True,
        ),
        "grace",
        (Replace("/schedule/0/at", 4),),
    ),
    (
        scenario("level L2 horizon 40 posture maintenance", "", "m1 admitted within 5", rules=True),
        "posture",
        (Replace("/mode/posture", "normal"),),
    ),
    (
        scenario(
            "level L2 horizon 80",
            "at 12 approve m1 as go\nat 14 jump to 60\nat 61 escalate m1",
            "m1 sent exactly once within 5 of go",
        ),
        "jump",
        (Replace("/schedule/2/at", 17),),
    ),
    (
        scenario("level L2 horizon 60", "at 12 approve m1\nat 25 crash", "m1 drafted within 10"),
        "dead",
        (Replace("/schedule/2/at", 17),),
    ),
    (scenario("level L2 horizon 40", "at 12 approve m1\nat 0 kill agent of m1", "m1 drafted"), "dead", None),
    (
        scenario("level L3 horizon 40", "at 12 approve m1 as go", "m1 sent within 5 of go"),
        "level",
        (Replace("/level", 2),),
    ),
    (
        scenario("level L4 horizon 40 invariants only expect", "at 12 escalate m1", "m1 never sent"),
        "liveness",
        None,
    ),
    (scenario("level L2 horizon 40", "", "m1 sent exactly once within 10"), "lower-level", None),
    (
        scenario(
            "level L2 horizon 40", "at 12 approve m1 as go", "any of { m1 sent within 3 of go } or { m1 abandoned }"
        ),
        "inner-window",
        (Replace("/expect/0/of/0/0/within", 5),),
    ),
    (scenario("level L1 horizon 60", "at 12 approve m1\nat 14 crash", "m1 sent within 33"), "accept", None),
    (scenario("level L4 horizon 60", "at 12 approve m1\nat 12 escalate m1", "m1 sent"), "accept", None),
    (
        scenario(
            "level L2 horizon 40",
            'conversation chat { from "bob@x" subject "Hello" }\nat 0 deliver m1 in chat "Hello?"',
            "m1 never sent",
            rules=True,
        ).replace(ORDER, ""),
        "control",
        None,
    ),
]


@dataclass(frozen=True)
class Tried:
    """A repair, and the verdict after it."""

    repair: Repair
    verdict: str


def verified(text: str) -> tuple[SourceFile, Bundle, Verification]:
    """The one scenario of a text, without errors, with the verification that repairs are made from."""
    source = SourceFile("x.scenario", text)
    (compiled,) = compile_source(source).scenarios
    assert compiled.bundle is not None, compiled.findings
    return source, compiled.bundle, verify(replace(compiled.bundle, source_map=None), windows=True)


def proposed(text: str) -> list[Repair]:
    """Every repair that is proposed."""
    _, bundle, result = verified(text)
    return list(MODELS[bundle.document["spec"]].repairs(bundle.document, result))


def tried(text: str) -> Iterator[Tried]:
    """Every repair that is proposed and has a rendering, with the verdict of the text after it, "" where it has errors."""
    source, bundle, _ = verified(text)
    file = compile_source(source).tree
    assert file is not None
    for repair in proposed(text):
        after = edited(bundle, source, file, repair.edits)
        if after is not None:
            compilation = compile_source(SourceFile("x.scenario", after))
            verdict = "" if has_errors(compilation.findings) else verified(after)[2].verdict
            yield Tried(repair, verdict)


@pytest.mark.parametrize(
    ("text", "kind", "edits"), CASES, ids=[f"{index}-{kind}" for index, (_, kind, _) in enumerate(CASES)]
)
def test_a_repair_of_this_kind_mends_this_fault(text: str, kind: str, edits: tuple[BundleEdit, ...] | None) -> None:
    assert verified(text)[2].verdict in ("unsatisfiable", "ambiguous", "vacuous")
    mended = [one.repair for one in tried(text) if one.repair.kind == kind and one.verdict == "well-posed"]
    assert mended
    if edits is not None:
        assert mended[0].edits == edits


def test_every_kind_has_a_case() -> None:
    assert {kind for _, kind, _ in CASES} == {kind.id for kind in KINDS}


def test_a_well_posed_scenario_has_no_repairs() -> None:
    text = scenario("level L2 horizon 40", "at 12 approve m1 as go", "m1 sent within 5 of go")
    assert verified(text)[2].verdict == "well-posed"
    assert proposed(text) == []


@pytest.mark.parametrize("at", [3, 8, 12, 20])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_widened_window_is_the_shortest_that_holds_all_lawful_runs(at: int, level: int) -> None:
    """Counted from an approval that may be deferred, and from one that may not."""

    def within(ticks: int) -> str:
        events = f"at 2 redeliver m1\nat {at} approve m1 as go"
        return scenario(f"level L{level} horizon 40", events, f"m1 sent within {ticks} of go")

    lawful = [ticks for ticks in range(2, 25) if verified(within(ticks))[2].verdict == "well-posed"]
    assert bool(lawful) == (level == 2), "below, a reply need not wait for its approval"
    windows = [one for one in tried(within(1)) if one.repair.kind == "window"]
    found = next((one.repair.edits for one in windows if one.verdict == "well-posed"), None)
    assert found == ((Replace("/expect/0/within", lawful[0]),) if lawful else None)


def test_safe_kinds_leave_the_schedule_and_the_meaning_of_expectations_alone() -> None:
    """They touch windows and the horizon, or take away an expectation that no log violates."""
    safe = [one for text, *_ in CASES for one in proposed(text) if one.safe]
    assert {one.kind for one in safe} == {"window", "horizon", "hollow"}
    for repair in safe:
        for edit in repair.edits:
            assert re.fullmatch(r"/horizon|/expect/\d+(/within)?", edit.pointer)


def test_the_page_of_the_model_has_every_kind() -> None:
    section = MODEL_PAGE.read_text().partition("\n## Repairs\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\| (yes|no) \|$", section, re.MULTILINE)
    assert rows == [(kind.id, "yes" if kind.safe else "no") for kind in KINDS]
