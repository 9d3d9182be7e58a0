"""The known answers of the model, at full budgets (visible ticks), under the base readings."""

import pytest
from tests.oracle import Budgets, Judgement, core_is_minimal, explore, judge, runs_exist
from tests.oracle.basics import Document, Trace
from tests.oracle.scenes import (
    ONLY_NORMAL,
    any_of,
    claim,
    decide,
    deliver,
    escalate,
    fault,
    kill,
    scene,
    sent,
)

FULL = Budgets()
NEVER_SENT = claim("never-sent", "m1")
ABANDONED = claim("abandoned", "m1", reason=None)
BY_OPERATOR = claim("abandoned", "m1", reason="operator_escalation")


def verdict(document: Document) -> str:
    """The verdict at full budgets."""
    return judge(document, FULL).verdict


def judged(document: Document) -> Judgement:
    """The judgement at full budgets."""
    return judge(document, FULL)


def test_l0_single_reply() -> None:
    assert verdict(scene(0, 40, [deliver("m1", 0)], [sent("m1", 10, once=True)])) == "well-posed"


def test_l2_approval_redelivery() -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), decide("m1", 14, "go")]
    assert verdict(scene(2, 40, schedule, [sent("m1", 5, "go", once=True)])) == "well-posed"
    assert verdict(scene(2, 40, schedule, [sent("m1", once=True)])) == "well-posed"


def test_l4_operator_escalation() -> None:
    schedule = [deliver("m1", 0), escalate("m1", 2), decide("m1", 5, "go")]
    expect = [claim("not-sent-after", "m1", after="esc"), NEVER_SENT, BY_OPERATOR]
    assert verdict(scene(4, 40, schedule, expect)) == "well-posed"


def l6(gap: int, delivered: int = 0, horizon: int = 60) -> Document:
    """Approve at 12 and escalate ``gap`` ticks later, expecting no send."""
    schedule = [deliver("m1", delivered), decide("m1", 12, "go"), escalate("m1", 12 + gap)]
    return scene(6, horizon, schedule, [NEVER_SENT])


def test_l6_at_the_same_tick_is_well_posed() -> None:
    assert verdict(l6(0)) == "well-posed"
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 12)]
    expect = [claim("admitted", "m1", within=5), NEVER_SENT, BY_OPERATOR]
    assert verdict(scene(6, 40, schedule, expect)) == "well-posed"


@pytest.mark.parametrize("gap", range(1, 6))
def test_l6_close_gaps_are_ambiguous(gap: int) -> None:
    assert verdict(l6(gap)) == "ambiguous"


def test_l6_gap_of_one_has_the_named_witnesses() -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 13)]
    runs = [trace[0] for trace in explore(scene(6, 14, schedule, []), FULL, max_drafts=1)]
    assert any(run.send is None and run.resolution == (13, "abandoned", "operator_escalation") for run in runs)
    assert any(run.send == (12, 0) for run in runs)
    assert not any(run.send is not None and run.send[0] >= 13 for run in runs)


@pytest.mark.parametrize("gap", range(6, 16))
def test_l6_wide_gaps_are_unsatisfiable(gap: int) -> None:
    document = l6(gap)
    assert verdict(document) == "unsatisfiable"
    by_send = [("expect", "", "0"), ("L0.draft", "m1", "m1"), ("L2.send", "m1", "go")]
    assert core_is_minimal(document, FULL, by_send) == (True, [])
    by_reply = [("expect", "", "0"), ("L0.draft", "m1", "m1"), ("L0.reply", "m1", "go")]
    assert runs_exist(document, FULL, by_reply) == (gap <= 10)
    if gap >= 11:
        assert core_is_minimal(document, FULL, by_reply) == (True, [])


@pytest.mark.parametrize("delivered", range(12))
def test_l6_delivered_later(delivered: int) -> None:
    limit = max(5, delivered + 4)
    for gap in (0, 1, limit, limit + 1):
        expected = "well-posed" if gap == 0 else "ambiguous" if gap <= limit else "unsatisfiable"
        assert verdict(l6(gap, delivered)) == expected, gap


@pytest.mark.parametrize("level", [4, 6])
def test_send_demanded_at_the_escalation(level: int) -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 12)]
    document = scene(level, 40, schedule, [sent("m1", once=True)])
    assert verdict(document) == "unsatisfiable"
    core = [("expect", "", "0"), ("L4.stop", "m1", "esc"), ("L2.authority", "m1", "m1")]
    assert core_is_minimal(document, FULL, core) == (True, [])


def test_a_death_in_a_fleet_is_ambiguous_for_every_item_that_may_share_the_holder() -> None:
    schedule = [deliver("m1", 0), deliver("m2", 0, "refund"), kill("m1", 8)]
    schedule += [decide("m1", 12, "go1"), decide("m2", 12, "go2")]
    result = judged(scene(3, 40, schedule, [sent("m1", once=True), sent("m2", once=True)]))
    assert result.verdict == "ambiguous"
    assert result.violated == (True, True)
    assert result.held == (True, True)


def test_an_item_admitted_behind_the_death_does_not_share_the_holder() -> None:
    schedule = [deliver("m1", 0), kill("m1", 8), deliver("m2", 8, "refund")]
    schedule += [decide("m1", 20, "go1"), decide("m2", 20, "go2")]
    result = judged(scene(3, 40, schedule, [sent("m1", once=True), sent("m2", once=True)]))
    assert result.violated == (True, False)


def test_late_approval_behind_a_crash() -> None:
    schedule = [deliver("m1", 0), fault("crash", 20), decide("m1", 105, "go")]
    assert verdict(scene(2, 120, schedule, [sent("m1")])) == "well-posed"


def test_reject_then_approve() -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "no", "reject"), decide("m1", 20, "go")]
    assert verdict(scene(2, 40, schedule, [any_of([sent("m1", 5, "go")], [ABANDONED])])) == "well-posed"


def test_admission_long_after_the_posture_returns() -> None:
    schedule = [deliver("m1", 4), fault("posture", 30, posture="normal")]
    document = scene(2, 40, schedule, [claim("not-admitted", "m1")], ONLY_NORMAL, "maintenance")
    assert verdict(document) == "ambiguous"


@pytest.mark.parametrize("offset", range(-7, 7))
def test_deliveries_around_a_change_of_posture(offset: int) -> None:
    """Deliveries in [p-5, p+4] may go either way, those at p-6 and p+5 may not."""
    change = 20
    admitted, not_admitted = claim("admitted", "m1", within=5), claim("not-admitted", "m1")

    def outcome(before: str, after: str) -> tuple[Judgement, bool]:
        schedule = [deliver("m1", change + offset), fault("posture", change, posture=after)]
        result = judged(scene(2, 40, schedule, [admitted, not_admitted], ONLY_NORMAL, before))
        return result, result.held[0] and result.violated[0]

    closing, either_way = outcome("normal", "maintenance")
    assert either_way == (-5 <= offset <= 4)
    assert closing.violated[0] == (offset >= -5)
    assert closing.held[1] == (offset >= -5)
    opening, either_way = outcome("maintenance", "normal")
    assert either_way == (-5 <= offset <= 4)
    assert opening.held[0] == (offset >= -5)
    assert opening.held[1] == (offset <= 4)


def test_l3_without_a_death_is_vacuous() -> None:
    result = judged(scene(3, 40, [deliver("m1", 0), decide("m1", 12, "go")], [sent("m1", once=True)]))
    assert result.verdict == "vacuous"
    assert result.vacuity == ("level",)
    assert result.exercised == {0, 2}


def test_a_death_that_finds_no_holder_is_vacuous() -> None:
    for expect in ([], [sent("m1", once=True)]):
        result = judged(scene(3, 40, [deliver("m1", 0), kill("m1", 0), decide("m1", 20, "go")], expect))
        assert result.verdict == "vacuous"
        assert "dead death" in result.vacuity


def test_a_governed_system_may_wait() -> None:
    schedule = [deliver("m1", 0), fault("crash", 12), decide("m1", 50, "go")]
    expect = [any_of([sent("m1", 10, "go")], [sent("m1", 32)])]
    assert verdict(scene(1, 70, schedule, expect)) == "ambiguous"


def test_well_posed_but_for_its_untested_top_level() -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), decide("m1", 13, "no", "reject"), decide("m1", 30, "g2")]
    result = judged(scene(1, 40, schedule, [any_of([sent("m1")], [ABANDONED])]))
    assert result.verdict == "vacuous"
    assert result.vacuity == ("level",)


def test_window_of_the_second_approval() -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), decide("m1", 14, "no", "reject"), decide("m1", 15, "g2")]
    assert verdict(scene(2, 40, schedule, [sent("m1", 2, "g2")])) == "ambiguous"


def test_a_death_behind_a_certain_send_is_vacuous() -> None:
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), kill("m1", 20)]
    result = judged(scene(3, 40, schedule, [sent("m1", once=True)]))
    assert result.verdict == "vacuous"
    assert "dead death" in result.vacuity


def test_a_sticky_escalation() -> None:
    schedule = [escalate("m1", 1), deliver("m1", 3)]
    assert verdict(scene(4, 40, schedule, [NEVER_SENT, ABANDONED])) == "well-posed"


def test_an_approval_at_once_is_deferred() -> None:
    schedule = [deliver("m1", 0), decide("m1", 0, "go")]
    assert verdict(scene(2, 40, schedule, [sent("m1", 16)])) == "well-posed"
    assert verdict(scene(2, 40, schedule, [sent("m1", 15)])) == "ambiguous"


def _prefixes(document: Document, budgets: Budgets, tick: int, sends: bool) -> set[Trace]:
    """What passing runs (those that send, or never send) have written up to a tick."""
    found: set[Trace] = set()
    for trace in explore(document, budgets):
        (run,) = trace
        if (run.send is not None and run.send[0] <= tick) if sends else run.send is None:
            early = run._replace(
                drafts=tuple(d for d in run.drafts if d <= tick),
                send=run.send if run.send and run.send[0] <= tick else None,
                resolution=run.resolution if run.resolution and run.resolution[0] <= tick else None,
            )
            found.add((early,))
    return found


def test_no_common_passing_prefix() -> None:
    """Scaled down by three: {approve 4, sent within 4} and {approve 4, escalate 5, never sent}."""
    budgets = Budgets(admit=2, lag=2, draft=3, reply=3, send=2, crash=6, death=2, claims=2, terminal=3)
    first = [deliver("m1", 0), decide("m1", 4, "go")]
    demanding = _prefixes(scene(4, 9, first, []), budgets, 4, sends=True)
    forbidding = _prefixes(scene(4, 9, [*first, escalate("m1", 5)], []), budgets, 4, sends=False)
    assert demanding and forbidding
    assert not demanding & forbidding
