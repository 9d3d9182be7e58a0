"""What the logs of a system say, per work item: as little as the obligations need, whatever the number of lines."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Claim:
    """An audit line `claim`: `outcome` is claimed, won or stood_down."""

    tick: int
    line: int
    agent: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """An audit line `resolution`. `reason` is None where it is no text."""

    tick: int
    line: int
    outcome: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A draft as it was declared first. `origin` are the ids of calls, None for `model-free`.

    `content` is a digest of everything that a second declaration must repeat; `carries` are the conversations whose
    anchors the body contains.
    """

    tick: int
    line: int
    work: str
    conversation: str
    carries: frozenset[str]
    hash: str
    origin: tuple[str, ...] | None
    content: bytes


@dataclass(frozen=True, slots=True)
class Sent:
    """A line of the outbox whose draft was declared, here or later in the logs."""

    tick: int
    line: int
    draft: str


@dataclass(slots=True)
class ItemLog:
    """What the logs say of the item that a message became. `hash` is the rules hash that the admission cites."""

    message: str
    work: str
    tick: int
    line: int
    hash: str
    again: int | None = None
    """The line of a second admission of the message."""
    fork: bool = False
    """Whether this is the item of such an admission. It is in `works` alone: no decision ever binds its drafts."""
    claims: list[Claim] = field(default_factory=list)
    resolutions: list[Resolution] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    sends: list[Sent] = field(default_factory=list)


@dataclass(slots=True)
class Logs:
    """The items by message, and by the system's own ids; several messages under one id where a system merges them."""

    items: dict[str, ItemLog] = field(default_factory=dict)
    works: dict[str, list[ItemLog]] = field(default_factory=dict)
    drafts: dict[str, DraftLine] = field(default_factory=dict)
    declared: int = 0
    model_free: int = 0
    lines: int = 0

    def message_of(self, draft: DraftLine) -> str | None:
        """The message whose item a draft is of; the first of several."""
        items = self.works.get(draft.work)
        return items[0].message if items else None

    @property
    def origin(self) -> str | None:
        """How drafts were made: model-based, model-free or mixed; None without a draft."""
        if not self.declared:
            return None
        if self.model_free in (0, self.declared):
            return "model-free" if self.model_free else "model-based"
        return "mixed"
