"""A work item as the reference knows it: a message, and what has become of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from wellposed.verifier.amr.simulator.sandbox import Record


@dataclass(frozen=True, slots=True)
class Decision:
    """A genuine decision as it was read: its tick, and the draft that it binds."""

    tick: int
    approve: bool
    draft: str


@dataclass(slots=True)
class Contest:
    """Agents that claim an item, from the tick of the first claim on; `settled` is the tick at which the last stood down."""

    claimed: int
    agents: list[str]
    settled: int | None = None


@dataclass(slots=True)
class Ticket:
    """A message, and its work item once it is admitted. All ticks are those at which something was read or written.

    - `history`: the numbers that rules may ask for.
    - `drafts`: ticks by draft id, in order. `sends`: tick and draft. `resolution`: tick, outcome and reason.
    - `decisions`: the genuine ones, each once; `repeated`: the ticks at which an approval came again; `forged`: those of
      forged approvals of a draft of it. `redelivered`: the ticks at which the message came again.
    - `deaths`: those that touched it; `won`: the reassignments that followed.
    - `holder`: the agent that has it, dead or alive. `owned`: an audit line says who won it since the last death.
    """

    message: Record
    arrived: int
    history: dict[str, int]
    work_id: str = ""
    admitted: int | None = None
    drafts: dict[str, int] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    forged: list[int] = field(default_factory=list)
    redelivered: list[int] = field(default_factory=list)
    escalations: list[int] = field(default_factory=list)
    deaths: list[int] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    sends: list[tuple[int, str]] = field(default_factory=list)
    resolution: tuple[int, str, str | None] | None = None
    holder: str = ""
    owned: bool = False
    contest: Contest | None = None
    fork: str | None = None

    @property
    def id(self) -> str:
        """The id of the message."""
        return str(self.message["id"])

    @property
    def conversation(self) -> str:
        return str(self.message["conversation_id"])

    @property
    def sent(self) -> int | None:
        """The tick of the first send."""
        return self.sends[0][0] if self.sends else None

    @property
    def resolved(self) -> int | None:
        """The tick of the resolution."""
        return None if self.resolution is None else self.resolution[0]

    @property
    def open(self) -> bool:
        """Admitted, and not resolved."""
        return self.admitted is not None and self.resolution is None

    @property
    def orphaned(self) -> bool:
        """A death has touched it, and it was not reassigned since."""
        return bool(self.deaths) and (not self.won or self.won[-1] < self.deaths[-1])

    @property
    def contended(self) -> bool:
        """Several agents have claimed it, and not all but one have stood down."""
        return self.contest is not None and self.contest.settled is None and len(self.contest.agents) > 1

    @property
    def approves(self) -> list[Decision]:
        return [decision for decision in self.decisions if decision.approve]

    @property
    def rejects(self) -> list[Decision]:
        return [decision for decision in self.decisions if not decision.approve]

    def over_before(self, tick: int) -> bool:
        """Sent or resolved at a tick before this one."""
        return any(at is not None and at < tick for at in (self.sent, self.resolved))

    def live(self, tick: int) -> bool:
        """Admitted before this tick, and neither sent nor resolved before it."""
        return self.admitted is not None and self.admitted < tick and not self.over_before(tick)

    def standing(self, tick: int) -> bool:
        """Of the decisions that fired by this tick, the last is an approval."""
        fired = [decision for decision in self.decisions if decision.tick <= tick]
        return bool(fired) and fired[-1].approve

    def drafted_before(self, tick: int) -> bool:
        return any(at < tick for at in self.drafts.values())

    def authorised(self, draft: str, tick: int) -> bool:
        """Of the decisions on this draft that fired by a tick, the last is an approval."""
        bound = [decision for decision in self.decisions if decision.draft == draft and decision.tick <= tick]
        return bool(bound) and bound[-1].approve
