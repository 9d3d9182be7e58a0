"""The rows of the obligation table that prohibit: what no log may contain, whenever it comes.

A run records drafts that all differ and have an origin, and no audit lines; so K.redeclare and the citing half of
L2.forged hold by the form of a `Run` and have no row here.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.dsl.vocabulary import REASONS
from wellposed.verifier.amr.checker.case import Case
from wellposed.verifier.amr.checker.item import Item, Moment
from wellposed.verifier.amr.checker.rows import Breach, Row


def declared(case: Case, item: Item) -> Iterator[Breach]:
    """K.declared: the draft of a send was declared earlier or in the same tick."""
    for (tick, draft), sent in zip(item.run.sends, item.sends, strict=True):
        if item.drafts[draft] > sent:
            yield item.pointer, f"sent at {tick}, but its draft is only declared at {item.run.drafts[draft].tick}"


def admitted(case: Case, item: Item) -> Iterator[Breach]:
    """K.admitted: drafts, sends and the resolution belong to an item admitted earlier or in the same tick."""
    records = [("drafted", index) for index in item.drafts] + [("sent", index) for index in item.sends]
    if item.resolved is not None:
        records.append(("resolved", item.resolved))
    for what, index in records:
        if item.admitted is None:
            yield item.pointer, f"{what} at {case.tick(index)} without an admission"
        elif index < item.admitted:
            yield item.pointer, f"{what} at {case.tick(index)}, before the admission at {case.tick(item.admitted)}"


def completed(case: Case, item: Item) -> Iterator[Breach]:
    """K.completed: an item resolved as completed was sent earlier or in the same tick."""
    if item.outcome == "completed" and item.resolved is not None and not item.sent_by(item.resolved):
        yield item.pointer, f"completed at {case.tick(item.resolved)}, but nothing was sent by then"


def reason(case: Case, item: Item) -> Iterator[Breach]:
    """K.reason: an abandonment names a cause of the closed list that has happened; a completion names none."""
    at, word = item.resolved, item.reason
    if at is None:
        return
    if item.outcome == "completed":
        if word is not None:
            yield item.pointer, f"completed at {case.tick(at)} with reason {word}; a completion has none"
        return
    if word not in REASONS:
        yield item.pointer, f"abandoned at {case.tick(at)} because of {word}, which is not a reason"
        return
    causes = {
        "operator_escalation": ("an escalation", item.escalations),
        "rejected": ("a reject", item.rejects),
        "agent_death": ("a death of its agent", item.deaths),
        "crash": ("a crash", item.crashes),
    }
    what, events = causes[word]
    if not any(event.index <= at for event in events):
        yield item.pointer, f"abandoned at {case.tick(at)} because of {word}, but {what} has not happened by then"


def closed(case: Case, item: Item) -> Iterator[Breach]:
    """K.closed: no draft or send after the resolution; a sent item is completed or abandoned by the operator."""
    if item.resolved is None:
        return
    for what, indexes in (("drafted", item.drafts), ("sent", item.sends)):
        for index in indexes:
            if index > item.resolved:
                yield item.pointer, f"{what} at {case.tick(index)}, after the resolution at {case.tick(item.resolved)}"
    if item.sends and item.outcome == "abandoned" and item.reason != "operator_escalation":
        at = case.tick(item.resolved)
        yield item.pointer, f"sent at {case.tick(item.sends[0])}, yet abandoned at {at} because of {item.reason}"


def abandon(case: Case, item: Item) -> Iterator[Breach]:
    """L0.abandon: an escalation; or, unsent: a reject in force, its holder's death or a crash that found it pending."""
    at = item.resolved
    if item.outcome == "abandoned" and at is not None and not item.may_be_abandoned(at):
        yield item.pointer, f"abandoned at {case.tick(at)}, when nothing allowed it"


def once(case: Case, item: Item) -> Iterator[Breach]:
    """L1.once: at most one send per item."""
    for sent in item.sends[1:]:
        yield item.pointer, f"sent at {case.tick(item.sends[0])} and again at {case.tick(sent)}"


def fork(case: Case, item: Item) -> Iterator[Breach]:
    """L1.fork: at most one admission per message."""
    if item.run.forked:
        yield item.pointer, f"{item.message} is admitted a second time"


def anchor(case: Case, item: Item) -> Iterator[Breach]:
    """L1.anchor: every draft carries the anchor of its message's conversation and no other; none declared, no rule."""
    if item.arrival is None or item.arrival.conversation not in case.anchored:
        return
    own = item.arrival.conversation
    for draft in item.run.drafts:
        if own not in draft.carries:
            yield item.pointer, f"draft at {draft.tick} lacks the anchor of {own}"
        for other in sorted(draft.carries - {own}):
            yield item.pointer, f"draft at {draft.tick} carries the anchor of {other}"


def only(case: Case, item: Item) -> Iterator[Breach]:
    """L2.only: the cited rules version and a posture, both in force at one tick of those that decide, admit."""
    at, version, arrival = item.admitted, item.run.rules, item.arrival
    if at is None or arrival is None:
        return
    if version is None:
        yield item.pointer, f"admitted at {case.tick(at)} without a rules version"
        return
    window = case.deciding(arrival, at)
    pairs = {case.policy.at(index) for index in window}
    if any(name == version and case.policy.admits(arrival, posture, name) for posture, name in pairs):
        return
    span = case.span(window)
    if all(name != version for _, name in pairs):
        yield item.pointer, f"admitted at {case.tick(at)} under {version}, which is not in force {span}"
    else:
        yield item.pointer, f"admitted at {case.tick(at)}, but {version} as in force {span} does not admit it"


def _unauthorised(item: Item) -> Iterator[tuple[int, int, list[Moment]]]:
    """The sends without authority: number, index of the draft, and the decisions that had bound that draft by then."""
    for number, (_, draft) in enumerate(item.run.sends):
        bound = [one for one in item.decisions if one.draft == draft and not item.made_before(number, one)]
        if not item.approved_by(bound):
            yield number, draft, bound


def authority(case: Case, item: Item) -> Iterator[Breach]:
    """L2.authority: the genuine decisions that bound the sent draft and fired by the send amount to an approval."""
    for number, draft, bound in _unauthorised(item):
        what = f"sent at {case.tick(item.sends[number])} the draft of {item.run.drafts[draft].tick}"
        if not bound:
            yield item.pointer, f"{what}, which no decision had bound"
            continue
        reject = next(decision for decision in reversed(bound) if not decision.approve)
        yield reject.pointer, f"{what}, which was rejected at {case.tick(reject.index)}"


def forged(case: Case, item: Item) -> Iterator[Breach]:
    """L2.forged: a send without authority although a forged approve, of this item or dangling, had been written."""
    for number, _, _ in _unauthorised(item):
        tick, place = case.tick(item.sends[number]), item.places[number]
        for event in case.happenings[:place]:
            if event.kind != "forged" or event.again or event.record["decision"] != "approve":
                continue
            if event.message in (None, item.message):
                yield event.pointer, f"sent at {tick} without authority, after the forged {event.name} at {event.tick}"


def stop(case: Case, item: Item) -> Iterator[Breach]:
    """L4.stop: no send from an escalation on."""
    for escalation in item.escalations:
        for sent in item.sends_behind(escalation):
            yield escalation.pointer, f"escalated at {case.tick(escalation.index)}, yet sent at {case.tick(sent)}"


def identity(case: Case, item: Item) -> Iterator[Breach]:
    """L5.identity: every draft, so every send, is in its message's own conversation."""
    if item.arrival is None:
        return
    own = item.arrival.conversation
    for draft in item.run.drafts:
        if draft.conversation != own:
            yield item.pointer, f"draft at {draft.tick} replies in {draft.conversation}, the message is in {own}"


PROHIBITIONS: dict[str, Row] = {
    "K.declared": declared,
    "K.admitted": admitted,
    "K.completed": completed,
    "K.reason": reason,
    "K.closed": closed,
    "L0.abandon": abandon,
    "L1.once": once,
    "L1.fork": fork,
    "L1.anchor": anchor,
    "L2.only": only,
    "L2.authority": authority,
    "L2.forged": forged,
    "L4.stop": stop,
    "L5.identity": identity,
}
