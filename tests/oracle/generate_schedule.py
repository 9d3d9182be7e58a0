"""One schedule under construction: every kind of statement, drawn near the ticks used so far and near the budgets."""

from random import Random
from typing import Any

from tests.oracle.basics import Budgets
from tests.oracle.generate_rules import BODIES, CONVERSATIONS, POSTURES, SENDERS, SUBJECTS

Entry = dict[str, Any]


class Maker:
    """Draws one document; ``times`` are the ticks used so far, near which further ones are drawn."""

    def __init__(self, rng: Random, budgets: Budgets, messages: int, horizon: int, level: int) -> None:
        self.rng = rng
        self.budgets = budgets
        self.horizon = horizon
        self.level = level
        self.messages = [f"m{i + 1}" for i in range(messages)]
        self.entries: list[Entry] = []
        self.numbers: dict[str, int] = {}
        self.delivered: dict[str, int] = {}
        self.times: list[int] = []
        self.triggers: set[tuple[str, str]] = set()
        self.conversation_of: dict[str, str] = {}

    # -- small helpers -----------------------------------------------------------------------------------------------

    def _id(self, stem: str) -> str:
        self.numbers[stem] = self.numbers.get(stem, 0) + 1
        return f"{stem}.{self.numbers[stem]}"

    def _tick(self, *bases: int) -> int:
        """A tick at, just before or just behind a base, or a budget away from it."""
        rng, b = self.rng, self.budgets
        base = rng.choice(bases or tuple(self.times))
        step = rng.choice((-1, 0, 0, 0, 1, 1, 1, 2, b.send, b.send + 1, b.draft, b.draft + 1))
        return min(self.horizon, max(0, base + step))

    def _add(self, at: int | None, channel: str, record: Entry, trigger: Entry | None = None) -> Entry:
        """Add an entry; a triggered one has ``when`` in place of ``at`` and no ``at`` inside the record."""
        if trigger is not None:
            record = {key: value for key, value in record.items() if key != "at"}
            entry: Entry = {"when": trigger, "channel": channel, "record": record}
        else:
            assert at is not None
            entry = {"at": at, "channel": channel, "record": record}
            self.times.append(at)
        self.entries.append(entry)
        return entry

    # -- statements --------------------------------------------------------------------------------------------------

    def deliver(self, message: str, at: int | None = None) -> None:
        """A first delivery, early, the second message near the first."""
        rng = self.rng
        first = not self.delivered
        if at is None:
            at = rng.choice((0, 0, 0, 0, 1, 2, 3, 4)) if first else self._tick(*self.delivered.values())
        at = min(at, self.horizon - 1)
        used = list(self.conversation_of.values())
        conversation = CONVERSATIONS[0] if first or rng.random() < 0.2 else CONVERSATIONS[1]
        self.conversation_of[message] = conversation
        subject, sender = rng.choice(SUBJECTS), rng.choice(SENDERS)
        if used and rng.random() < 0.6:
            subject = self.entries[0]["record"]["subject"]
        record = {"id": message, "conversation_id": conversation, "from": sender, "subject": subject}
        self._add(at, "inbox", record | {"body": rng.choice(BODIES), "at": at})
        self.delivered[message] = at

    def redeliver(self, message: str, trigger: Entry | None = None) -> None:
        """The same record again, at or behind the first delivery."""
        original = next(e for e in self.entries if e["record"].get("id") == message)
        at = max(original["at"], self._tick(original["at"]))
        self._add(at, "inbox", original["record"], trigger)

    def decide(self, message: str, decision: str, at: int, trigger: Entry | None = None) -> Entry:
        """A genuine decision."""
        record = {"approval_id": self._id(f"{message}.{decision}"), "match": {"work_id": f"work:{message}"}}
        return self._add(at, "approvals", record | {"decision": decision}, trigger)

    def decisions(self, message: str) -> None:
        """Up to three decisions, the next near the one before; sometimes one is repeated."""
        rng = self.rng
        at = self.delivered[message]
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 2, 3))):
            at = max(0, self._tick(at))
            entry = self.decide(message, rng.choice(("approve", "approve", "approve", "reject")), at)
            if rng.random() < 0.12:
                self._add(max(at, self._tick(at)), "approvals", entry["record"])

    def escalate(self, message: str, trigger: Entry | None = None, at: int | None = None) -> None:
        """An operator's escalation."""
        at = self._tick() if at is None else at
        record = {"signal_id": self._id(f"{message}.escalate"), "signal_type": "OPERATOR_ESCALATION"}
        self._add(at, "signals", record | {"target": f"work:{message}", "at": at}, trigger)

    def kill(self, message: str | None, trigger: Entry | None = None, at: int | None = None) -> None:
        """The death of the holder of a message, or of a named agent."""
        at = self._tick() if at is None else at
        stem, target = (f"{message}.death", {"holder_of": f"work:{message}"}) if message else ("a1.death", "a1")
        record = {"signal_id": self._id(stem), "signal_type": "AGENT_DEATH", "target": target, "at": at}
        self._add(at, "signals", record, trigger)

    def fault(self, fault: str, trigger: Entry | None = None, at: int | None = None, **values: Any) -> None:
        """A fault: crash, jump, posture or rules."""
        at = self._tick() if at is None else at
        if fault in ("posture", "rules") and self.rng.random() < 0.7:
            lag, admit = self.budgets.lag, self.budgets.admit
            around = self.rng.choice((-lag, -lag, 1 - lag, 1 - lag, -1, 0, 1, 2, admit, admit, admit + 1, admit + 1))
            at = min(self.horizon, max(0, self.rng.choice(list(self.delivered.values())) + around))
        if fault == "jump":
            at = min(at, self.horizon - 1)
            values = {"to": min(self.horizon, at + self.rng.choice((2, 2, 3, 3, 4)))}
        self._add(at, "faults", {"fault_id": self._id(fault), "fault": fault} | values, trigger)

    def forge(self, message: str | None, trigger: Entry | None = None) -> None:
        """A dangling forgery, or one with a wrong hash for a message."""
        record: Entry = {
            "approval_id": self._id("forged"),
            "decision": self.rng.choice(("approve", "approve", "reject")),
        }
        if message is None:
            record |= {"forged": "dangling", "draft_id": "ghost-1"}
        else:
            record |= {"forged": "wrong-hash", "match": {"work_id": f"work:{message}"}}
        self._add(self._tick(), "approvals", record, trigger)

    def triggered(self) -> None:
        """A statement that waits for a record of a message."""
        rng = self.rng
        message = rng.choice(self.messages)
        events = ("drafted", "drafted", "drafted", "sent", "admitted")
        trigger: Entry = {"event": rng.choice(events), "work_id": f"work:{message}"}
        self.triggers.add((trigger["event"], message))
        on = rng.choice(self.messages)
        kinds = ["approve", "reject", "escalate", "crash", "crash", "kill", "kill-literal"]
        kind = rng.choice([*kinds, *kinds, "approve", "rare"])
        if kind == "rare":
            kind = rng.choice(["posture", "jump", "redeliver", "wrong-hash", "dangling"])
        if kind in ("approve", "reject"):
            self.decide(on, kind, 0, trigger)
        elif kind == "escalate":
            self.escalate(on, trigger)
        elif kind in ("kill", "kill-literal"):
            self.kill(on if kind == "kill" else None, trigger)
        elif kind == "redeliver":
            self.redeliver(on, trigger)
        elif kind in ("wrong-hash", "dangling"):
            self.forge(on if kind == "wrong-hash" else None, trigger)
        elif kind == "posture":
            self.fault("posture", trigger, posture=rng.choice(POSTURES))
        else:
            self.fault(kind, trigger)

    def schedule(self) -> list[Entry]:
        """The entries in order, timed ones by tick, then the triggered ones; ids are counted in this order."""
        timed = [e for e in self.entries if "at" in e]
        timed.sort(key=lambda e: int(e["at"]))
        ordered = timed + [e for e in self.entries if "at" not in e]
        renamed: dict[str, str] = {}
        self.numbers = {}
        numbered = []
        for seq, entry in enumerate(ordered):
            key = next(key for key in ("approval_id", "signal_id", "fault_id", "id") if key in entry["record"])
            old = entry["record"][key]
            if old not in renamed:
                renamed[old] = old if key == "id" else self._id(old.rpartition(".")[0])
            numbered.append({"seq": seq} | entry | {"record": entry["record"] | {key: renamed[old]}})
        return numbered
