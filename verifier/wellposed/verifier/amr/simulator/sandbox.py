"""What a simulated system finds in its sandbox, and what it leaves there: the logs, the clock, the rules, the stub.

Record shapes and their meaning: `docs/runs.md`. Source: seed section 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from wellposed.verifier.amr.simulator.stub import Stub

Record = Mapping[str, Any]
"""One line of a log. Records are never changed once they are written."""

MODEL_FREE = "model-free"


@dataclass(frozen=True, slots=True)
class Brief:
    """What a simulated system is told before the run, beyond what any system under test is shown.

    A real system knows neither its level nor its horizon. The reference does, so that it can use every freedom that the
    obligations leave: it is a generator of lawful runs, not a contestant. What happens when, it is not told.

    - `level`, `horizon`: as in the bundle; the horizon is a tick.
    - `decided`: the messages with a genuine decision in the schedule, whose items are gated at every level.
    - `anchors`: the anchor of each conversation that declares one, in the order in which the stub looks for them: what
      a desk has on file about its threads.
    - `conversations`: all declared ones. `agents`: the ids of agents whom the scenario names.
    """

    level: int
    horizon: int
    decided: frozenset[str]
    anchors: Mapping[str, str]
    conversations: tuple[str, ...]
    agents: tuple[str, ...]


@dataclass(slots=True)
class Sandbox:
    """The files of one run, as lists of records, and what the harness keeps up to date at every tick.

    `rules_hash` names the version in force; `versions` holds every version that has been. `outbox_open` is false while
    effects are held. `kept` is a file of the system's own, which outlives a crash as the logs do and is no part of the run.
    """

    stub: Stub
    posture: str
    tick: int = 0
    rules_hash: str = ""
    versions: dict[str, Sequence[Record]] = field(default_factory=dict)
    outbox_open: bool = True
    inbox: list[Record] = field(default_factory=list)
    approvals: list[Record] = field(default_factory=list)
    signals: list[Record] = field(default_factory=list)
    drafts: list[Record] = field(default_factory=list)
    outbox: list[Record] = field(default_factory=list)
    audit: list[Record] = field(default_factory=list)
    calls: list[Record] = field(default_factory=list)
    state: Record = field(default_factory=lambda: {"agents": [], "assignments": [], "work_items": []})
    kept: object = None

    def ask(self, request: str) -> tuple[str, str]:
        """Ask the stub model; the id of the call and the answer."""
        call, reply = f"call-{len(self.calls) + 1}", self.stub.reply(request)
        self.calls.append({"at": self.tick, "call_id": call, "reply": reply, "request": request})
        return call, reply

    def send(self, record: Record) -> bool:
        """Write an effect; false, and nothing is written, where effects are held."""
        if self.outbox_open:
            self.outbox.append(record)
        return self.outbox_open


class System(Protocol):
    """A system under test, as the harness drives it. It is made anew at each restart, and then has only its sandbox."""

    def act(self) -> None:
        """Do the work of one tick, when everything that happens in it has happened."""
        ...


def carried(body: str, anchors: Iterable[str]) -> frozenset[str]:
    """The anchors in a text. One that is only a piece of a longer one does not count (`docs/runs.md`)."""
    found = set()
    for anchor in sorted(anchors, key=len, reverse=True):
        if anchor in body:
            found.add(anchor)
            body = body.replace(anchor, "\0")
    return frozenset(found)
