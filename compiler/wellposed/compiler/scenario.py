"""The immutable Scenario: what a scenario means once every name is known, before it is written as a bundle document.

Ticks are absolute and written (a jump does not move them); ids are final; texts have their placeholders replaced. Every
value keeps the span it was read from, for the source map and for later findings.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.dsl.findings import Span


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a rule, with field and operator as the bundle spells them."""

    field: str
    operator: str
    value: str | int | tuple[str, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """`effect` is "admit" or "refuse"; all conditions hold together, none means every message."""

    id: str
    effect: str
    conditions: tuple[Condition, ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rules version: the first rule that matches decides, no match admits nothing. Built-in ones have no span."""

    name: str
    rules: tuple[Rule, ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class Skin:
    """What a skin calls the things of the benchmark; it never changes meaning. Built-in ones have no span."""

    name: str
    words: tuple[tuple[str, str], ...]
    span: Span | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation; its sender and subject are already in its messages."""

    id: str
    anchor: str | None
    anchor_span: Span | None
    span: Span


@dataclass(frozen=True, slots=True)
class StubReply:
    """What the stub model answers in a conversation: pieces of text, None where the anchor stands."""

    conversation: str
    parts: tuple[str | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Stub:
    """The stub model: the first of `anchors` that a request carries picks the reply. Both in the bundle's order.

    `span` is that of the `stub` block, None where there is none.
    """

    anchors: tuple[Conversation, ...]
    replies: tuple[StubReply, ...]
    span: Span | None


# What a statement does


@dataclass(frozen=True, slots=True)
class Delivery:
    """The first delivery of a message."""

    message: str
    conversation: str
    sender: str
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Redelivery:
    """The inbox line of `original` again."""

    original: Delivery


@dataclass(frozen=True, slots=True)
class Decision:
    """A genuine approval or rejection of a draft of the message: the "newest" when it fires, or the "oldest" of all."""

    decision: str
    draft: str
    message: str


@dataclass(frozen=True, slots=True)
class DanglingForgery:
    """A forged decision on a draft id that nobody can declare."""

    decision: str
    draft: str


@dataclass(frozen=True, slots=True)
class WrongHashForgery:
    """A forged decision on the message's latest draft with a content hash that is not its own."""

    decision: str
    message: str


@dataclass(frozen=True, slots=True)
class Escalation:
    """The operator takes the message's work item over; if `deferred`, not before the tick behind its admission."""

    message: str
    deferred: bool


@dataclass(frozen=True, slots=True)
class HolderDeath:
    """The agent that holds the message's work item dies; if `deferred`, not before the tick behind its admission."""

    message: str
    deferred: bool


@dataclass(frozen=True, slots=True)
class AgentDeath:
    """The agent with this id dies."""

    agent: str


Repeatable = Decision | DanglingForgery | WrongHashForgery | Escalation | HolderDeath | AgentDeath


@dataclass(frozen=True, slots=True)
class Repetition:
    """The record of a decision or a signal again, under the same id."""

    id: str
    original: Repeatable


@dataclass(frozen=True, slots=True)
class Crash:
    """The process tree is killed and started again; its state is kept."""


@dataclass(frozen=True, slots=True)
class Jump:
    """The clock jumps forward: to a tick, or, where the firing tick is not known, by a number of ticks."""

    to: int | None
    by: int | None


@dataclass(frozen=True, slots=True)
class PostureChange:
    """The global posture from this tick on."""

    posture: str


@dataclass(frozen=True, slots=True)
class RulesChange:
    """The rules version in force from this tick on."""

    rules: str


@dataclass(frozen=True, slots=True)
class Hold:
    """No send can stand from here on, until effects are released."""


@dataclass(frozen=True, slots=True)
class Release:
    """Sends can stand again."""


Action = (
    Delivery
    | Redelivery
    | Decision
    | DanglingForgery
    | WrongHashForgery
    | Escalation
    | HolderDeath
    | AgentDeath
    | Repetition
    | Crash
    | Jump
    | PostureChange
    | RulesChange
    | Hold
    | Release
)


@dataclass(frozen=True, slots=True)
class Trigger:
    """`when message event`: the first tick after that record."""

    message: str
    event: str


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the schedule. Exactly one of `at` and `trigger` is given; `id` is the id of the record it makes.

    `timing` is the text of the tick or of the trigger.
    """

    at: int | None
    trigger: Trigger | None
    id: str
    action: Action
    span: Span
    timing: Span


@dataclass(frozen=True, slots=True)
class Claim:
    """An expectation: the bundle's word for its form, its members in the bundle's order, and where it is written."""

    form: str
    members: tuple[tuple[str, ClaimValue], ...]
    span: Span


ClaimValue = str | int | bool | None | tuple[str, ...] | Claim | tuple[tuple[Claim, ...], ...]


@dataclass(frozen=True, slots=True)
class RejectedMark:
    """`rejected verdict code "why"`: the scenario is wrong on purpose and must be found so."""

    verdict: str
    code: str | None
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario without errors. `rules` are the versions in order of use, `events` stand in `seq` order."""

    id: str
    title: str
    level: int
    horizon: int
    posture: str
    skin: Skin
    rules: tuple[RuleSet, ...]
    conversations: tuple[Conversation, ...]
    events: tuple[Event, ...]
    claims: tuple[Claim, ...]
    only_expectations: bool
    stub: Stub
    catches: tuple[tuple[str, Span], ...]
    """Faulty systems that the scenario is meant to fail, with the spans of their names."""
    places: tuple[tuple[str, Span], ...]
    """JSON pointers of header lines and the spans of those that are written."""
