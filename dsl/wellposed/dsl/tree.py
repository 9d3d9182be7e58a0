"""The syntax tree: frozen nodes, each with the span of the text that it was read from.

Nothing here knows what a name refers to; `wellposed.compiler.resolve` does. Statements that record something carry an
optional `label`, written `go: approve m1` or `approve m1 as go`.

Loops stand where they are written, in tuples of what they repeat. `allow` lines do not: they are listed once per file,
each with the span of the construct that it covers, so that a finding is covered where its place lies in that span.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from wellposed.dsl.findings import Span


@dataclass(frozen=True, slots=True)
class Name:
    """An id as the author wrote it, without backquotes; the span has them, and the indices of `c[i][j]`."""

    text: str
    span: Span
    indices: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Placeholder:
    """`{name}` inside a string."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal with escapes decoded: pieces of text and placeholders, in order.

    One in triple quotes has the indentation of its lines removed already, and LF for line ends.
    """

    parts: tuple[str | Placeholder, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Operation:
    """`left operator right` with operator one of + - *; the span covers both operands."""

    operator: str
    left: Expression
    right: Expression
    span: Span


Expression = Name | Number | Operation

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class For(Generic[Part]):
    """`for variable in low..high { … }`, both ends included; the body has what may stand around the loop."""

    variable: Name
    low: Expression
    high: Expression
    body: tuple[Part | For[Part], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Allow:
    """`allow WP501 "why"`; `covers` is the span of the construct that it stands before.

    That is a statement, an item, an expectation, a loop of these, a rule, or a whole scenario, family or rule set.
    """

    code: Name
    reason: Text
    covers: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Import:
    path: Text
    span: Span


# Rules and skins


@dataclass(frozen=True, slots=True)
class Condition:
    """`field operator value`. `field` and `operator` are the author's words (`starts with`, `sender.messages`)."""

    field: Name
    operator: str
    values: tuple[Text | Name | Number, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    """`admit name when …` or `refuse rest`; `name` is None for `rest`, which has no conditions."""

    effect: str
    name: Name | None
    conditions: tuple[Condition, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Rules:
    name: Name
    rules: tuple[Rule, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SkinEntry:
    word: Name
    text: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Skin:
    name: Name
    entries: tuple[SkinEntry, ...]
    span: Span


# Scenarios


@dataclass(frozen=True, slots=True)
class Header:
    """A header line; `word` is one of title level horizon rules posture skin."""

    word: str
    value: Text | Name | Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Field:
    """`from "…"`, `subject "…"` or `anchor "…"`."""

    word: str
    value: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Conversation:
    name: Name
    fields: tuple[Field, ...]
    span: Span


# Statements


@dataclass(frozen=True, slots=True)
class Deliver:
    message: Name
    conversation: Name
    body: Text
    overrides: tuple[Field, ...]
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Redeliver:
    message: Name
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Decide:
    """`approve m` or `reject oldest draft of m`; `decision` is "approve" or "reject", `draft` is "newest" or "oldest"."""

    decision: str
    draft: str
    message: Name
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    original: Name
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class ForgeDangling:
    """`forge approval "f" for draft "ghost-1"`; `decision` is "approve" or "reject", as in a genuine one."""

    decision: str
    id: Text
    draft: Text
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class ForgeWrongHash:
    """`forge approval "f" for m with wrong hash`; `decision` is "approve" or "reject"."""

    decision: str
    id: Text
    message: Name
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Escalate:
    message: Name
    deferred: bool
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class KillAgentOf:
    message: Name
    deferred: bool
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class KillAgent:
    agent: Text
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Crash:
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Jump:
    """`jump to 60` (relative False) or `jump by 50` (relative True)."""

    relative: bool
    amount: Expression
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class ChangePosture:
    posture: Name
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class ChangeRules:
    rules: Name
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class HoldEffects:
    label: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class ReleaseEffects:
    label: Name | None
    span: Span


Statement = (
    Deliver
    | Redeliver
    | Decide
    | Repeat
    | ForgeDangling
    | ForgeWrongHash
    | Escalate
    | KillAgentOf
    | KillAgent
    | Crash
    | Jump
    | ChangePosture
    | ChangeRules
    | HoldEffects
    | ReleaseEffects
)


@dataclass(frozen=True, slots=True)
class At:
    tick: Expression
    statements: tuple[Statement | For[Statement], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class When:
    """`when m1 drafted { … }`; `event` is one of admitted drafted sent."""

    message: Name
    event: str
    statements: tuple[Statement | For[Statement], ...]
    span: Span


# Expectations: one node per claim form of the language


@dataclass(frozen=True, slots=True)
class Admitted:
    message: Name
    within: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Drafted:
    message: Name
    within: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Sent:
    """`m sent [exactly once] [within N [of L]]`."""

    message: Name
    once: bool
    within: Expression | None
    anchor: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class NotSentAfter:
    message: Name
    anchor: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Abandoned:
    message: Name
    reason: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Plain:
    """A claim about one message without parts.

    `claim` is one of not-admitted, never-sent, completed, open, reassigned-or-orphaned.
    """

    claim: str
    message: Name
    span: Span


@dataclass(frozen=True, slots=True)
class ReplyIn:
    message: Name
    conversation: Name
    span: Span


@dataclass(frozen=True, slots=True)
class ReplyAnchor:
    message: Name
    conversation: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Distinct:
    first: Name
    second: Name
    span: Span


@dataclass(frozen=True, slots=True)
class OnlySent:
    """`only m1, m2 sent`; `ordered` for `only m1 then m2 sent`, which has two messages at least."""

    messages: tuple[Name, ...]
    ordered: bool
    span: Span


@dataclass(frozen=True, slots=True)
class ClaimsSettle:
    message: Name
    within: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class StateAgrees:
    span: Span


@dataclass(frozen=True, slots=True)
class AnyOf:
    """`any of { A B } or { C }`: claims in one brace all hold. They have no loops."""

    alternatives: tuple[tuple[Claim, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    condition: Claim
    then: Claim
    otherwise: Claim
    span: Span


Claim = (
    Admitted
    | Drafted
    | Sent
    | NotSentAfter
    | Abandoned
    | Plain
    | ReplyIn
    | ReplyAnchor
    | Distinct
    | OnlySent
    | ClaimsSettle
    | StateAgrees
    | AnyOf
    | If
)


@dataclass(frozen=True, slots=True)
class Expect:
    claims: tuple[Claim | For[Claim], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class InvariantsOnlyExpect:
    span: Span


@dataclass(frozen=True, slots=True)
class Rejected:
    """`rejected ambiguous WP501 "why"`; `code` is None where the author names none."""

    verdict: Name
    code: Name | None
    reason: Text
    span: Span


@dataclass(frozen=True, slots=True)
class Catches:
    """`catches a, b`: the faulty systems that the scenario must fail."""

    systems: tuple[Name, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class StubAnchors:
    """`anchors [order, refund]`: the conversations whose anchors the stub looks for, in this order."""

    conversations: tuple[Name, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Reply:
    """`reply order "…"`: what the stub answers in a conversation."""

    conversation: Name
    text: Text
    span: Span


StubLine = StubAnchors | Reply


@dataclass(frozen=True, slots=True)
class Stub:
    lines: tuple[StubLine | For[StubLine], ...]
    span: Span


Item = Conversation | At | When | Expect | Stub | Catches | InvariantsOnlyExpect | Rejected


@dataclass(frozen=True, slots=True)
class Scenario:
    name: Name
    headers: tuple[Header, ...]
    items: tuple[Item | For[Item], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Range:
    """`low..high`, both ends included."""

    low: Expression
    high: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Parameter:
    """`gap in [10, 50]`, `posture in [normal, vip-only]` or `n in 1..5`."""

    name: Name
    values: tuple[Name | Number, ...] | Range
    span: Span


@dataclass(frozen=True, slots=True)
class Family:
    """A scenario with parameters: one scenario for each combination of their values."""

    name: Name
    parameters: tuple[Parameter, ...]
    headers: tuple[Header, ...]
    items: tuple[Item | For[Item], ...]
    span: Span


Declaration = Scenario | Family | Rules | Skin


@dataclass(frozen=True, slots=True)
class File:
    """One source file: imports first, then declarations, in the order written; `allows` in the order written too."""

    path: str
    imports: tuple[Import, ...]
    declarations: tuple[Declaration, ...]
    span: Span
    allows: tuple[Allow, ...] = ()
