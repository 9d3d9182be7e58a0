"""What was done to scenarios: which is which, when expectations are loosened, what an import changes, what is newly excused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.pr.conftest import looked_at
from tests.pr.repository import (
    DESK,
    DISPUTED,
    ESCALATED,
    GOVERNED,
    HELLO,
    NEW,
    Sample,
    bundle_of,
    commit,
    git,
    sealed_bytes,
    write,
)

from wellposed.cli.review.changes import ScenarioChange
from wellposed.cli.review.pull import Options, Pull, review
from wellposed.compiler.folder import write_folder
from wellposed.compiler.limits import LIMITS
from wellposed.dsl.findings import Severity
from wellposed.verifier.loosened import no_longer_demanded
from wellposed.verifier.verify import DEFAULT_BUDGET

TWO = """\
scenario two {
  level L2
  horizon 60
  conversation one { from "ada@example.test" subject "An order" }
  conversation other { from "bea@example.test" subject "A refund" }
  at 0  deliver m1 in one "Hello."
  at 0  deliver m2 in other "Good day."
  at 20 approve m1 as go
  at 22 approve m2 as so
  INVARIANTS
  expect { CLAIMS }
}
"""


def two(claims: str, invariants: str = "") -> dict[str, Any]:
    return dict(bundle_of(TWO.replace("CLAIMS", claims).replace("INVARIANTS", invariants)).document)


GO, SO = "m1 sent exactly once within 5 of go", "m2 sent exactly once within 5 of so"


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        (f"{GO} {SO}", f"{GO} {SO}", ()),
        (f"{GO} {SO}", f"{SO} {GO}", ()),
        (f"{GO} {SO}", GO, (1,)),
        (GO, f"{GO} {SO}", ()),
        (GO, "m1 sent within 5 of go", (0,)),
        ("m1 sent within 5 of go", GO, ()),
        (GO, "m1 sent exactly once within 9 of go", (0,)),
        ("m1 sent exactly once within 9 of go", GO, ()),
        (f"{GO} {SO}", f"any of {{ {GO} }} or {{ {SO} }}", (0, 1)),
        (f"any of {{ {GO} }} or {{ {SO} }}", f"{GO} {SO}", ()),
        (f"m1, m2 distinct {GO}", GO, (0,)),
        (f"m1 sent {GO}", GO, ()),
    ],
)
def test_what_is_no_longer_demanded(before: str, after: str, gone: tuple[int, ...]) -> None:
    """Over all logs: an expectation that the others imply can go, whatever else is said less strictly cannot."""
    assert no_longer_demanded(two(before), two(after), DEFAULT_BUDGET) == gone


def changed(sample: Sample, files: dict[str, str]) -> Pull:
    write(sample.repo, dict(files))
    commit(sample.repo, "a change")
    return looked_at(sample.repo)


def only(pull: Pull) -> ScenarioChange:
    [one] = pull.scenarios
    return one


def codes(pull: Pull) -> list[str]:
    return sorted(one.code for one in pull.report.findings if one.severity is not Severity.NOTE)


def test_a_tighter_expectation_is_a_change_and_no_loosening(sample: Sample) -> None:
    pull = changed(sample, {"scenarios/hello.scenario": HELLO.replace("m1 drafted within 10", "m1 drafted within 10\n    m1 completed")})
    assert not only(pull).is_loosened and "WP951" not in codes(pull)


def test_what_a_lawful_run_passes_now_is_shown_as_a_run(sample: Sample) -> None:
    pull = changed(sample, {"scenarios/disputed.scenario": DISPUTED.replace("    m1 never sent\n", "    any of { m1 sent exactly once } or { m1 abandoned because operator_escalation }\n")})
    [finding] = [one for one in pull.report.findings if one.code == "WP951"]
    assert finding.severity is Severity.ERROR and any("sends the reply to m1" in line for line in finding.detail)
    assert only(pull).difference is not None and only(pull).difference.comparison.allowed is not None  # type: ignore[union-attr]


def test_obligations_that_are_switched_off_are_a_loosening(sample: Sample) -> None:
    text = ESCALATED.replace("  catches sends-after-escalation\n", "  invariants only expect\n")
    pull = changed(sample, {"scenarios/escalated.scenario": text})
    assert only(pull).is_loosened
    assert any("standing obligations" in one.message for one in pull.report.findings if one.code == "WP951")


def test_a_changed_schedule_is_no_loosening_but_what_is_gone_is_told(sample: Sample) -> None:
    """A run may be newly allowed because another tick or level makes it lawful: nobody loosened anything."""
    text = ESCALATED.replace("at 12 {", "at 13 {").replace("    m1 admitted within 5\n", "")
    pull = changed(sample, {"scenarios/escalated.scenario": text})
    assert only(pull).loosened is None and not only(pull).is_loosened
    [finding] = [one for one in pull.report.findings if one.code == "WP950"]
    assert "no longer expected: m1 admitted within 5" in finding.detail


def test_a_lower_level_is_weaker_and_no_loosening(sample: Sample) -> None:
    text = ESCALATED.replace("level   L6", "level   L4")
    pull = changed(sample, {"scenarios/escalated.scenario": text})
    assert codes(pull) == ["WP952"] and only(pull).lost.level == (6, 4)
    assert pull.verdict == "needs a person"


def test_only_a_claim_about_just_this_change_speaks_for_it(sample: Sample) -> None:
    loose = HELLO.replace("    m1 drafted within 10\n", "")
    claim = (
        "format: wellposed-claim/1\nkind: scenario-change\nscenario: hello\nbundle: {after}\nprevious: {before}\n"
        "justification: A draft is a means.\ndisclosure: None.\n"
    )
    right = claim.format(after=bundle_of(loose).hash, before=bundle_of(HELLO).hash)
    pull = changed(sample, {"scenarios/hello.scenario": loose, "claims/why/claim.yaml": right})
    assert [one.severity for one in pull.report.findings if one.code == "WP951"] == [Severity.WARNING]
    wrong = claim.format(after=bundle_of(loose).hash, before=bundle_of(NEW).hash)
    pull = changed(sample, {"claims/why/claim.yaml": wrong})
    assert [one.severity for one in pull.report.findings if one.code == "WP951"] == [Severity.ERROR]


def test_scenarios_are_found_through_what_their_imports_import(sample: Sample) -> None:
    """A rules file that is imported by a rules file; and one that is removed under the feet of its scenarios."""
    deep = {
        "scenarios/rules/desk.rules": 'import "deep/more.rules"\n' + DESK,
        "scenarios/rules/deep/more.rules": "rules more {\n  admit all-of-it when subject contains \"a\"\n}\n",
        "scenarios/desk-1.scenario": (sample.repo / "scenarios" / "desk-1.scenario").read_text().replace("rules   desk", "rules   more"),
    }
    write(sample.repo, dict(deep))
    commit(sample.repo, "deep")
    git(sample.repo, "branch", "-q", "-f", "main")
    pull = changed(sample, {"scenarios/rules/deep/more.rules": deep["scenarios/rules/deep/more.rules"].replace("all-of-it", "everything")})
    assert [(one.id, one.because) for one in pull.scenarios] == [("desk-1", ("scenarios/rules/deep/more.rules",))]
    assert "WP955" in codes(pull) and "WP950" not in codes(pull)


def test_a_removed_rules_file_breaks_scenarios_that_nobody_touched(sample: Sample) -> None:
    git(sample.repo, "rm", "-q", "scenarios/rules/desk.rules")
    commit(sample.repo, "tidy")
    pull = looked_at(sample.repo)
    assert pull.verdict == "reject" and "WP221" in codes(pull)
    assert {one.id for one in pull.scenarios} == {f"desk-{number}" for number in range(1, 6)}


def test_a_scenario_in_another_file_is_the_same_one(sample: Sample) -> None:
    git(sample.repo, "mv", "scenarios/hello.scenario", "scenarios/l0-hello.scenario")
    commit(sample.repo, "moved")
    pull = looked_at(sample.repo)
    assert (only(pull).kind, pull.verdict) == ("moved", "accept")


def test_a_removed_scenario_and_a_new_one_are_two(sample: Sample) -> None:
    git(sample.repo, "rm", "-q", "scenarios/escalated.scenario")
    pull = changed(sample, {"scenarios/new.scenario": NEW})
    assert [(one.kind, one.id) for one in pull.scenarios] == [("removed", "escalated"), ("added", "new")]
    assert codes(pull) == ["WP953"]


def test_a_family_is_told_member_by_member(sample: Sample) -> None:
    family = HELLO.replace("scenario hello", "family hello(late in [0, 3])").replace("at 0 deliver", "at late deliver")
    pull = changed(sample, {"scenarios/hello.scenario": family})
    assert sorted(one.id for one in pull.scenarios) == ["hello.late-0", "hello.late-3"]
    assert any(one.before is not None and one.before.id == "hello" for one in pull.scenarios)


def test_an_id_that_is_taken(sample: Sample) -> None:
    pull = changed(sample, {"scenarios/new.scenario": NEW.replace("scenario new", "scenario Hello")})
    assert "WP225" in codes(pull)


def test_an_allow_that_moves_outwards_covers_more(sample: Sample) -> None:
    inner = DISPUTED.replace("    m1 never", '    allow WP501 "a race"\n    m1 never')
    write(sample.repo, {"scenarios/disputed.scenario": inner})
    commit(sample.repo, "allowed")
    git(sample.repo, "branch", "-q", "-f", "main")
    assert "WP956" not in codes(changed(sample, {"scenarios/disputed.scenario": inner.replace("    m1 never", "\n    m1 never")}))
    outer = 'allow WP501 "a race"\n' + DISPUTED
    assert codes(changed(sample, {"scenarios/disputed.scenario": outer})) == ["WP956"]


def test_an_allow_in_rules_is_one(sample: Sample) -> None:
    rules = DESK.replace("  admit  orders", '  allow WP329 "meant so"\n  admit  orders')
    assert "WP956" in codes(changed(sample, {"scenarios/rules/desk.rules": rules}))


def test_folders_that_are_excepted_are_other_files(sample: Sample) -> None:
    write(sample.repo, {"tests/broken.scenario": "scenario {", "tests/sub/x.rules": "rules {"})
    commit(sample.repo, "material")
    pull = review(Options(sample.repo, "main", "topic", DEFAULT_BUDGET, LIMITS, ("tests",)))
    assert codes(pull) == ["WP976"]
    assert looked_at(sample.repo).verdict == "reject"


def test_a_new_bundle_folder_is_derived_again_and_verified(sample: Sample) -> None:
    write_folder(bundle_of(NEW), sample.repo / "bundles")
    (sample.repo / "bundles" / "new" / "bundle.map.json").unlink(missing_ok=True)
    commit(sample.repo, "bundle")
    pull = looked_at(sample.repo)
    assert (pull.verdict, [(one.kind, one.id) for one in pull.scenarios]) == ("accept", [("added", "new")])
    (sample.repo / "bundles" / "new" / "stub.json").write_text("{}\n")
    (sample.repo / "bundles" / "new" / "faults.jsonl").unlink()
    assert codes(changed(sample, {"bundles/new/more.txt": "x"})) == ["WP751", "WP753", "WP754"]


def test_one_edited_file_of_a_published_bundle_folder(sample: Sample) -> None:
    pull = changed(sample, {"bundles/hello/inbox.jsonl": "\n"})
    assert codes(pull) == ["WP965"] and "was edited" in pull.report.findings[0].message


def test_a_proper_line_of_the_ledger_is_for_a_person(sample: Sample) -> None:
    from tests.reserve.forge import chain, lines_of, seal_line, sha

    ledger = sample.repo / "reserve" / "ledger.jsonl"
    ledger.write_bytes(chain([*lines_of(ledger.read_bytes()), seal_line([sha(b"x")], batch="c", t="2026-01-03T00:00:00Z")]))
    commit(sample.repo, "seal")
    pull = looked_at(sample.repo)
    assert codes(pull) == ["WP967"] and pull.report.findings[0].message.endswith("gets 1 line: seal")


def test_a_line_that_does_not_fit_is_an_error(sample: Sample) -> None:
    ledger = sample.repo / "reserve" / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes() + b"{}\n")
    commit(sample.repo, "seal")
    assert codes(looked_at(sample.repo)) == ["WP802"]


@pytest.mark.parametrize("path", ["scenarios/x.json", "docs/x.txt", "claims/new/x.bin", ".github/x", "x.scenario"])
def test_a_sealed_entry_is_found_under_any_name(path: str, sample: Sample) -> None:
    write(sample.repo, {path: sealed_bytes()})
    commit(sample.repo, "x")
    assert "WP891" in codes(looked_at(sample.repo))


def test_a_side_branch_that_was_merged_is_looked_into(sample: Sample) -> None:
    """The sealed entry was only ever in a commit of a branch that the pull request merged."""
    git(sample.repo, "checkout", "-q", "-b", "side")
    write(sample.repo, {"x.json": sealed_bytes()})
    commit(sample.repo, "x")
    git(sample.repo, "rm", "-q", "x.json")
    commit(sample.repo, "y")
    git(sample.repo, "checkout", "-q", "topic")
    write(sample.repo, {"scenarios/new.scenario": NEW})
    commit(sample.repo, "new")
    git(sample.repo, "merge", "-q", "--no-edit", "side")
    assert codes(looked_at(sample.repo)) == ["WP891"]


def test_too_little_budget_is_undecided_and_for_a_person(sample: Sample) -> None:
    write(sample.repo, {"scenarios/governed.scenario": GOVERNED.replace("at 20 approve", "at 21 approve")})
    commit(sample.repo, "moved")
    pull = review(Options(sample.repo, "main", "topic", 1, LIMITS))
    assert pull.verdict == "needs a person" and pull.report.undecided


def test_files_of_a_claim_without_a_claim(sample: Sample) -> None:
    assert codes(changed(sample, {"claims/nothing/notes.txt": "x"})) == ["WP976"]


def test_the_current_folder_does_not_matter(sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are paths of the repository, wherever the command is called."""
    write(sample.repo, {"scenarios/hello.scenario": HELLO.replace("horizon 20", "horizon 22")})
    commit(sample.repo, "x")
    here = looked_at(sample.repo)
    monkeypatch.chdir(tmp_path)
    assert looked_at(sample.repo).report.findings == here.report.findings
