"""The author's claims: which atoms speak about which message, and how a finished run decides them.

An atom about one message is decided by *marks* (set by the records as they happen, because a window is known then)
and by the final state of the message. Atoms that traces do not decide (reply-in, reply-anchor, claims-settle,
state-agrees, and distinct over U) depend on further free choices of the run, one choice shared by all claims.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

from tests.oracle.basics import ABANDON_REASONS
from tests.oracle.document import Scenario
from tests.oracle.environment import ItemEnvironment
from tests.oracle.state import State

Claim = dict[str, Any]
Atom = str
"""The canonical text of a claim: equal claims are one atom."""

DECISIONS = ("approve", "reject", "wrong-hash")
MARKED = ("admitted", "drafted", "sent", "not-sent-after")
CHOSEN = ("reply-in", "reply-anchor", "claims-settle")
SPANNING = ("distinct", "only-sent")
"""What is claimed of several messages together."""


def atom_of(claim: Claim) -> Atom:
    """The identity of a claim."""
    return json.dumps(claim, sort_keys=True)


def atoms_in(claim: Claim) -> Iterator[Claim]:
    """The atomic claims inside a claim."""
    if claim["claim"] == "any":
        for part in chain.from_iterable(claim["of"]):
            yield from atoms_in(part)
    elif claim["claim"] == "if":
        for key in ("if", "then", "else"):
            yield from atoms_in(claim[key])
    else:
        yield claim


def holds(claim: Claim, truth: dict[Atom, bool]) -> bool:
    """Whether a claim holds, given the truth of its atoms."""
    if claim["claim"] == "any":
        return any(all(holds(part, truth) for part in group) for group in claim["of"])
    if claim["claim"] == "if":
        return holds(claim["then"] if holds(claim["if"], truth) else claim["else"], truth)
    return truth[atom_of(claim)]


def reference(claim: Claim) -> str | None:
    """The statement or message a claim's window starts at, when it names one."""
    if claim["claim"] == "not-sent-after":
        return str(claim["after"])
    return claim.get("from")


def referenced(scenario: Scenario, expect: tuple[Claim, ...]) -> set[tuple[str, str]]:
    """(message, name) of every window that starts at a named statement."""
    pairs = set()
    for claim in chain.from_iterable(atoms_in(e) for e in expect):
        name = reference(claim)
        if name is not None:
            pairs.add((claim["of"], name))
    return pairs


@dataclass(frozen=True)
class ItemClaims:
    """The atoms about one message. ``fires`` lists its own decisions whose fire tick a window needs."""

    atoms: tuple[Claim, ...]
    fires: tuple[str, ...]
    tracks_claims: bool
    tracks_won: bool
    tracks_sent: bool

    @property
    def marks(self) -> tuple[Claim, ...]:
        """The atoms that records decide as they happen."""
        return tuple(c for c in self.atoms if c["claim"] in MARKED)

    @property
    def resolutions(self) -> tuple[tuple[str, str | None], ...]:
        """Every resolution that some atom tells from the others (none when no atom looks)."""
        kinds = {c["claim"] for c in self.atoms}
        if not kinds & {"completed", "abandoned", "open", "reassigned-or-orphaned"}:
            return ()
        named = [c["reason"] for c in self.atoms if c["claim"] == "abandoned" and c["reason"]]
        other = [reason for reason in ABANDON_REASONS if reason not in named][:1]
        return (("completed", None), *(("abandoned", reason) for reason in dict.fromkeys(named + other)))


def claims_on(scenario: Scenario, message: str, expect: tuple[Claim, ...]) -> ItemClaims:
    """Collect the atoms about one message."""
    atoms: dict[Atom, Claim] = {}
    in_order = False
    for claim in chain.from_iterable(atoms_in(e) for e in expect):
        if claim.get("of") == message:
            atoms[atom_of(claim)] = claim
        in_order |= claim["claim"] == "only-sent" and claim["ordered"] and message in claim["of"]
    names = [reference(c) for c in atoms.values()]
    own = [n for n in names if n is not None and _is_decision_on(scenario, n, message)]
    kinds = {c["claim"] for c in atoms.values()}
    return ItemClaims(
        atoms=tuple(atoms.values()),
        fires=tuple(dict.fromkeys(own)),
        tracks_claims="claims-settle" in kinds,
        tracks_won="reassigned-or-orphaned" in kinds,
        tracks_sent=in_order,
    )


def _is_decision_on(scenario: Scenario, name: str, message: str) -> bool:
    statement = scenario.by_id[name]
    return statement.kind in DECISIONS and statement.target == message


NO_CLAIMS = ItemClaims((), (), False, False, False)


def start_of(item: ItemEnvironment, claims: ItemClaims, fires: tuple[int, ...], name: str | None) -> int | None:
    """The index at which a window starts: None while (or if) what it refers to has not happened."""
    if name is None:
        return item.arrival
    if name in claims.fires:
        fired = fires[claims.fires.index(name)]
        return None if fired < 0 else fired
    environment = item.environment
    if ("fired", name) in environment.guess:
        return environment.index(("fired", name))
    return environment.fires[name]


def end_of(item: ItemEnvironment, start: int, within: int, of_send: bool = False) -> int:
    """The index of the last tick of an expectation's window, beyond the last one if it ends unseen."""
    until = item.environment.open_until if of_send else item.environment.until
    return until(start, within - 1 if item.environment.scenario.answers.open_windows else within)


def marks_of(
    item: ItemEnvironment, claims: ItemClaims, state: State, record: str, index: int, seen: set[str] | None
) -> int:
    """The marks after a record (admitted, drafted or sent) at an index.

    ``seen`` names the events of the tick that the record stands behind; None when it stands behind all of them.
    """
    scenario = item.environment.scenario
    marks = state.marks
    for bit, claim in enumerate(claims.marks):
        kind = claim["claim"]
        if kind == "not-sent-after" and record == "sent":
            name = claim["after"]
            start = start_of(item, claims, state.fires, name)
            hit = start is not None and start <= index
            if start == index and scenario.answers.same_tick_is_before and scenario.by_id[name].kind == "escalate":
                hit = False
            elif start == index and seen is not None:
                hit = name in seen
        elif kind == record:
            start = start_of(item, claims, state.fires, claim.get("from"))
            within = claim["within"]
            hit = within is None
            if within is not None and start is not None:
                hit = start <= index <= end_of(item, start, within, of_send=kind == "sent")
        else:
            hit = False
        if hit:
            marks |= 1 << bit
    return marks


@dataclass(frozen=True)
class Finish:
    """How a run ended for one message: what its atoms, the free choices and the verdict look at.

    ``sends`` lists the sent drafts, ``admitted`` is an index or -1; ``touches`` are indices of touching deaths;
    ``sent_at`` is the first send if a claim compares it with others, else -1.
    """

    admitted: int
    sends: tuple[int, ...]
    sent_at: int
    resolution: tuple[str, str | None] | None
    orphaned: bool
    touches: tuple[int, ...]
    marks: int
    broken: str | None


@dataclass(frozen=True)
class Freedom:
    """What the free choices of a run may be: conversations, anchor sets of a draft, and whether L3.claims binds it."""

    conversations: tuple[str | None, ...]
    anchor_sets: tuple[frozenset[str], ...]
    settles: bool


def freedom(item: ItemEnvironment, anchored: bool, own_conversation: bool, bounded: bool, lawful: bool) -> Freedom:
    """The choices for one message, given whether L1.anchor, L5.identity and L3.claims bind it and whether K does."""
    scenario = item.environment.scenario
    own = item.message.conversation
    declared: tuple[str | None, ...] = scenario.conversations
    anchors = tuple(scenario.anchors)
    subsets = chain.from_iterable(combinations(anchors, size) for size in range(len(anchors) + 1))
    return Freedom(
        conversations=(own,) if own_conversation else declared if lawful else (*declared, None),
        anchor_sets=(frozenset([own]),) if anchored and own in anchors else tuple(map(frozenset, subsets)),
        settles=bounded,
    )


def decided(claim: Claim, claims: ItemClaims, finish: Finish) -> bool:
    """The truth of an atom that needs no free choice."""
    kind = claim["claim"]
    if kind in MARKED:
        marked = bool(finish.marks >> claims.marks.index(claim) & 1)
        if kind == "sent" and claim["once"]:
            return marked and len(finish.sends) == 1
        return not marked if kind == "not-sent-after" else marked
    truths: dict[str, Callable[[], bool]] = {
        "not-admitted": lambda: finish.admitted < 0,
        "never-sent": lambda: not finish.sends,
        "completed": lambda: finish.resolution == ("completed", None),
        "open": lambda: not finish.sends and finish.resolution is None,
        "reassigned-or-orphaned": lambda: finish.orphaned,
        "abandoned": lambda: _abandoned(finish, claim.get("reason")),
    }
    return truths[kind]()


def _abandoned(finish: Finish, reason: str | None) -> bool:
    return (
        finish.resolution is not None
        and finish.resolution[0] == "abandoned"
        and (reason is None or finish.resolution[1] == reason)
    )


def truths_of(item: ItemEnvironment, claims: ItemClaims, finish: Finish, free: Freedom) -> set[tuple[bool, ...]]:
    """Every truth vector (in the order of the atoms) that the free choices leave possible for a finished message."""
    plain = {atom_of(c): decided(c, claims, finish) for c in claims.atoms if c["claim"] not in CHOSEN}
    groups = [list(_reply_options(claims, finish, free)), list(_settle_options(item, claims, finish, free))]
    vectors = set()
    for replies in groups[0]:
        for settles in groups[1]:
            truth = plain | replies | settles
            vectors.add(tuple(truth[atom_of(c)] for c in claims.atoms))
    return vectors


def _reply_options(claims: ItemClaims, finish: Finish, free: Freedom) -> Iterator[dict[Atom, bool]]:
    """Choices of the conversation and the anchors of the sent drafts; two different drafts may differ."""
    ins = [c for c in claims.atoms if c["claim"] == "reply-in"]
    carries = [c for c in claims.atoms if c["claim"] == "reply-anchor"]
    if not finish.sends:
        yield {atom_of(c): False for c in ins + carries}
        return
    drafts = len(set(finish.sends))
    used = [frozenset([c]) for c in free.conversations] if ins else [frozenset[str | None]()]
    if ins and drafts > 1:
        used += [frozenset(pair) for pair in combinations(free.conversations, 2)]
    for conversations in used:
        for anchors in free.anchor_sets if carries else (frozenset[str](),):
            truth = {atom_of(c): conversations == {c["conversation"]} for c in ins}
            yield truth | {atom_of(c): c["conversation"] in anchors for c in carries}


def _settle_options(
    item: ItemEnvironment, claims: ItemClaims, finish: Finish, free: Freedom
) -> Iterator[dict[Atom, bool]]:
    """Choices of contention: none, or a first claim at Q and a settlement at S (one after the horizon: never)."""
    atoms = [c for c in claims.atoms if c["claim"] == "claims-settle"]
    yield {atom_of(c): True for c in atoms}
    last = item.environment.last
    if not atoms or finish.admitted < 0:
        return
    for first in range(finish.admitted, last + 1):
        ends = {atom_of(c): end_of(item, first, c["within"]) for c in atoms}
        for settled in range(first, _settlement_bound(item, first, finish.touches, free) + 1):
            yield {atom: end > last or settled <= end for atom, end in ends.items()}


def _settlement_bound(item: ItemEnvironment, first: int, touches: tuple[int, ...], free: Freedom) -> int:
    """The latest lawful settlement of a contention that begins at an index; beyond the horizon it is not due."""
    environment = item.environment
    never = environment.last + 1
    if not free.settles:
        return never
    budget = environment.budgets.claims
    bound = environment.until(first, budget)
    for touch in sorted(touches):
        if first <= touch <= bound:
            bound = max(bound, environment.until(touch, budget))
    return min(bound, environment.last if environment.scenario.answers.due_at_horizon else never)
