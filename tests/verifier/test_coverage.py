"""What counts in a scenario and what it would see broken, against answers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import BY_POSTURE, abandoned, document, either, never_sent, sent

from wellposed.compiler.bundle import Bundle, bundle_of
from wellposed.dsl.vocabulary import OBLIGATIONS
from wellposed.verifier.amr.causes import CAUSES
from wellposed.verifier.amr.faulty.violators import USES, VIOLATORS
from wellposed.verifier.coverage import coverage

WORK = 5_000_000
ALWAYS = {"L0.draft", "L1.fork"}
GOVERNED = ALWAYS | {"L2.admit"}
SENT = {"L0.reply", "L1.once", "L2.authority", "L2.send"}
FLEET = {"L3.claims", "L3.state"}


def bundle(*arguments: Any, **options: Any) -> Bundle:
    made = document(*arguments, **options)
    return bundle_of(made, None, "known")


def counts(made: Bundle) -> set[str]:
    return {one.obligation for one in coverage(made, WORK)}


def unnoticed(made: Bundle) -> dict[str, set[str]]:
    """The near misses, with what their runs break."""
    found = coverage(made, WORK)
    return {one.obligation: set(one.unnoticed.broken) for one in found if one.unnoticed is not None}


def test_every_obligation_but_physics_has_a_cause_and_two_violators() -> None:
    rows = [row.id for row in OBLIGATIONS if not row.id.startswith("K.")]
    assert list(CAUSES) == rows
    assert [row.id for row in VIOLATORS] == [id for id in rows for _ in range(2)]
    assert set(USES) < set(rows)


REPLY = sent(True, 5, "go")
KNOWN = [
    ("a reply", (0, [], [sent(True, 10)]), {}, ALWAYS | {"L0.reply", "L1.once"}),
    ("approved", (2, [(12, "approve", "m1", "go")], [REPLY]), {}, GOVERNED | SENT),
    ("nobody approves", (2, [], [never_sent()]), {}, GOVERNED),
    ("never admitted", (2, [], [never_sent()]), {"rules": BY_POSTURE, "posture": "maintenance"}, set()),
    (
        "admitted by some only",
        (2, [(12, "approve", "m1", "go"), (30, "posture", "maintenance")], [REPLY]),
        {"rules": BY_POSTURE},
        GOVERNED | SENT | {"L2.only"},
    ),
    # An abandonment before the reject would name a cause that has not happened, which no log does; later it is lawful.
    ("rejected", (2, [(12, "reject", "m1", "no")], [never_sent()]), {}, GOVERNED),
    (
        "crash at the approval",
        (2, [(12, "approve", "m1", "go"), (12, "crash")], [either(sent(True, 20, "go"), abandoned("crash"))]),
        {},
        GOVERNED | SENT | {"L0.abandon", "L1.crash"},
    ),
    # A crash before the approval finds nothing pending, nor does one behind the last send.
    ("crash before", (2, [(11, "crash"), (12, "approve", "m1", "go")], [REPLY]), {}, GOVERNED | SENT),
    ("crash behind", (2, [(12, "approve", "m1", "go"), (18, "crash")], [REPLY]), {}, GOVERNED | SENT),
    (
        "approved in a fleet",
        (3, [(12, "approve", "m1", "go")], [REPLY]),
        {},
        GOVERNED | SENT | FLEET | {"L3.terminal"},
    ),
    # Less than 10 ticks are left: only the send within 5 is due.
    ("too late to end", (3, [(31, "approve", "m1", "go")], [REPLY]), {}, (GOVERNED | SENT | FLEET) - {"L0.reply"}),
    (
        "taken over",
        (4, [(12, "escalate", "m1")], [never_sent()]),
        {},
        GOVERNED | FLEET | {"L4.stop", "L4.resolve"},
    ),
    (
        "taken over with an approval in force",
        (6, [(12, "approve", "m1", "go"), (12, "escalate", "m1")], [never_sent()]),
        {},
        GOVERNED | FLEET | {"L3.terminal", "L4.stop", "L4.resolve", "L6.stop"},
    ),
    (
        "two conversations",
        (5, [], [never_sent()]),
        {"messages": (("m1", 0), ("m2", 0))},
        GOVERNED | FLEET | {"L5.identity"},
    ),
]


@pytest.mark.parametrize(("arguments", "options", "wanted"), [row[1:] for row in KNOWN], ids=[row[0] for row in KNOWN])
def test_what_counts(arguments: Any, options: Any, wanted: set[str]) -> None:
    assert counts(bundle(*arguments, **options)) == wanted


@pytest.mark.parametrize(("arguments", "options"), [row[1:3] for row in KNOWN], ids=[row[0] for row in KNOWN])
def test_standing_obligations_see_all_that_counts(arguments: Any, options: Any) -> None:
    assert unnoticed(bundle(*arguments, **options)) == {}


@pytest.mark.parametrize(("arguments", "options"), [row[1:3] for row in KNOWN], ids=[row[0] for row in KNOWN])
def test_what_counts_does_not_hang_on_who_judges(arguments: Any, options: Any) -> None:
    made = bundle(*arguments, **options)
    assert counts(bundle(*arguments, **options, only_expect=True)) == counts(made)


def test_without_expectations_nothing_is_noticed() -> None:
    """Each is broken alone, where that can be: what is wrong after an escalation breaks two rows at least."""
    found = unnoticed(bundle(6, [(12, "approve", "m1", "go"), (12, "escalate", "m1")], [], only_expect=True))
    assert set(found) == GOVERNED | FLEET | {"L3.terminal", "L4.stop", "L4.resolve", "L6.stop"}
    alone = {id for id, broken in found.items() if broken == {id}}
    assert alone == set(found) - {"L3.terminal", "L4.stop", "L4.resolve", "L6.stop"}
    assert found["L6.stop"] & {"L4.stop", "L4.resolve"}


def test_an_expectation_sees_what_it_asks_for() -> None:
    events = [(12, "approve", "m1", "go")]
    lenient = set(unnoticed(bundle(2, events, [sent(False, 5, "go")], only_expect=True)))
    assert lenient == GOVERNED | {"L1.once", "L2.authority"}
    strict = set(unnoticed(bundle(2, events, [sent(True, 5, "go")], only_expect=True)))
    assert lenient - strict == {"L1.once"}
    admitted = {"claim": "admitted", "of": "m1", "within": 5}
    assert strict - set(unnoticed(bundle(2, events, [sent(True, 5, "go"), admitted], only_expect=True))) == {"L2.admit"}
