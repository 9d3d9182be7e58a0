"""Rules that no message of an invocation can reach: one note for each file, over all scenarios together."""

from __future__ import annotations

import pytest
from tests.compiler.lint.texts import compiled, findings, found, labelled, scenario

from wellposed.compiler.compilation import Compilation, check_together, compile_source
from wellposed.compiler.imports import Importer, ImportFailed
from wellposed.compiler.lint import unreached
from wellposed.dsl.findings import Finding, Severity
from wellposed.dsl.source import SourceFile

MAIL = 'at 20 deliver m1 in order "b"'
DESK = "rules desk {\n  admit orders when posture is normal\n  admit vip when posture is vip-only\n  refuse rest\n}\n"
VIP = "admit vip when posture is vip-only"


def test_a_rule_is_reached_by_the_message_that_it_decides() -> None:
    rules = (
        'admit a1 when body is "b"',
        'refuse a2 when body contains "b"',
        'admit a3 when body is "c"',
        "refuse rest",
    )
    text = scenario(MAIL, rules=rules)
    assert found(text, "WP328") == ['refuse a2 when body contains "b"']
    assert labelled(text, "WP328") == ['admit a3 when body is "c"']
    (finding,) = findings(text, "WP328")
    assert finding.severity is Severity.NOTE and finding.scenario is None
    assert finding.message.endswith("can reach `a2` or `a3`")


def test_what_is_left_over_and_what_can_never_match_is_not_noted() -> None:
    rules = ('admit a1 when body is "b"', 'admit a2 when body is "b"', "admit a3 when thread.length < 0", "refuse rest")
    assert found(scenario(MAIL, rules=rules), "WP328") == []


@pytest.mark.parametrize(("tick", "reached"), [(1, False), (15, False), (16, True), (40, True)])
def test_a_posture_that_ends_reaches_what_comes_at_most_five_ticks_later(tick: int, reached: bool) -> None:
    """The message comes at 20 and may be admitted under what was in force at 15."""
    text = scenario(MAIL, f"at {tick} posture normal", rules=(VIP, "admit rest"), posture="vip-only")
    assert found(text, "WP328") == [VIP] * (not reached)


@pytest.mark.parametrize("tick", [0, 20, 60])
def test_a_posture_that_begins_reaches_what_came_before(tick: int) -> None:
    assert found(scenario(MAIL, f"at {tick} posture vip-only", rules=(VIP, "admit rest")), "WP328") == []


def test_a_change_that_waits_for_the_system_may_come_at_any_time() -> None:
    rules = (VIP, "admit rest")
    assert found(scenario(MAIL, rules=rules), "WP328") == [VIP]
    assert found(scenario(MAIL, "when m1 admitted posture vip-only", rules=rules), "WP328") == []


def test_history_is_taken_as_it_is() -> None:
    rules = ("admit known when sender.messages >= 1", "refuse rest")
    assert len(found(scenario(MAIL, rules=rules), "WP328")) == 1
    assert len(found(scenario(MAIL, "at 21 redeliver m1", rules=rules), "WP328")) == 1
    assert found(scenario(MAIL, 'at 21 deliver m2 in order "b"', rules=rules), "WP328") == []


class Folder:
    def read_import(self, folder: str, path: str) -> bytes:
        if path != "desk.rules":
            raise ImportFailed("does not exist")
        return DESK.encode()


def importing(name: str, posture: str, more: str = "") -> Compilation:
    text = 'import "desk.rules"\n' + scenario(MAIL, posture=posture, name=name)
    text = text.replace("posture ", f"rules desk {more} posture ", 1)
    return compile_source(SourceFile(f"{name}.scenario", text), Importer(Folder()))


def told(*compilations: Compilation) -> list[Finding]:
    return list(check_together(compilations))


def test_scenarios_that_share_a_file_reach_its_rules_together() -> None:
    normal, vip = importing("a", "normal"), importing("b", "vip-only")
    (first,), (second,) = told(normal), told(vip)
    assert first.message.endswith("can reach `vip`") and second.message.endswith("can reach `orders`")
    assert told(normal, vip) == [] == told(vip, normal)
    assert len(told(normal, importing("c", "normal"))) == 1


def test_the_order_of_files_does_not_matter() -> None:
    one, two = importing("a", "maintenance"), importing("b", "maintenance")
    assert told(one, two) == told(two, one)


def test_each_file_has_a_note_of_its_own() -> None:
    own = compiled(scenario(MAIL, rules=(VIP, "admit rest"), name="z"), "z.scenario")
    assert [getattr(one.place, "path", None) for one in told(importing("a", "normal"), own)] == [
        "desk.rules",
        "z.scenario",
    ]


def test_scenarios_that_are_wrong_on_purpose_prove_nothing() -> None:
    marked = importing("b", "vip-only").source.text.replace("conversation", 'rejected ambiguous "why" conversation', 1)
    wrong = compile_source(SourceFile("b.scenario", marked), Importer(Folder()))
    assert wrong.scenarios[0].rejected is not None
    assert told(wrong) == []
    assert len(told(importing("a", "normal"), wrong)) == 1


def test_nothing_is_said_while_a_scenario_has_errors() -> None:
    broken = compile_source(SourceFile("b.scenario", "scenario b { level L9 horizon 5 }"))
    unreadable = compile_source(SourceFile("c.scenario", "scenario {"))
    assert len(told(importing("a", "normal"))) == 1
    assert told(importing("a", "normal"), broken) == []
    assert told(importing("a", "normal"), unreadable) == []


def test_many_rules_are_not_all_named() -> None:
    rules = [f'admit r{number} when body is "{number}"' for number in range(30)]
    text = scenario(MAIL, rules=(*rules, "refuse rest"))
    (finding,) = findings(text, "WP328")
    assert finding.message.endswith("can reach `r0`, `r1`, `r2`, `r3` or `r4` and 25 more")
    assert len(finding.labels) == 16


def test_where_finding_out_costs_too_much_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unreached, "STEPS", 4)
    assert len(found(scenario(MAIL, rules=(VIP, "admit rest")), "WP328")) == 1
    monkeypatch.setattr(unreached, "STEPS", 2)
    assert found(scenario(MAIL, rules=(VIP, "admit rest")), "WP328") == []
