"""From the logs of a run to a run in the terms of the log checker, by `docs/runs.md` alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.verifier.amr.run import Contention, Draft, ItemRun, Run

Files = Mapping[str, list[Any]]


def run_of(document: Mapping[str, Any], files: Files) -> Run:
    return _Reader(document, files).run()


class _Reader:
    def __init__(self, document: Mapping[str, Any], files: Files) -> None:
        self.files = files
        self.anchors = {row["anchor"]: row["conversation_id"] for row in document["stub"]["anchors"]}
        hashes = {}
        for line in files["run.jsonl"]:
            if line["event"] == "rules":
                hashes[line["rules_hash"]] = line["rules"]
        self.versions = hashes
        self.first_version = document["rules"][0]["name"]
        self.seen: dict[tuple[str, int], int] = {}
        for line in files["run.jsonl"]:
            if "line" in line:
                self.seen.setdefault((line["file"], line["line"]), line["tick"])
        self.claims: dict[str, list[tuple[int, Any]]] = defaultdict(list)
        for tick, record in self.lines("audit.jsonl"):
            if record["event"] == "claim":
                self.claims[record["work_id"]].append((tick, record))

    def lines(self, file: str) -> Iterator[tuple[int, Any]]:
        for number, record in enumerate(self.files[file], 1):
            yield self.seen[file, number], record

    def run(self) -> Run:
        audit = list(self.lines("audit.jsonl"))
        admissions: dict[str, list[tuple[int, Any]]] = defaultdict(list)
        for tick, record in audit:
            if record["event"] == "admission":
                admissions[record["message_id"]].append((tick, record))
        works = {found[0][1]["work_id"]: message for message, found in admissions.items()}
        ends = {}
        for tick, record in audit:
            if record["event"] == "resolution":
                assert record["work_id"] not in ends
                ends[record["work_id"]] = (tick, record["outcome"], record["reason"])
        drafts: dict[str, dict[str, Draft]] = defaultdict(dict)
        for tick, record in self.lines("drafts.jsonl"):
            assert record["draft_id"] not in drafts[record["work_id"]]
            drafts[record["work_id"]][record["draft_id"]] = Draft(tick, record["conversation_id"], self.carried(record))
        sends = defaultdict(list)
        for tick, record in self.lines("outbox.jsonl"):
            work = next(work for work, own in drafts.items() if record["draft_id"] in own)
            sends[work].append((tick, list(drafts[work]).index(record["draft_id"])))
        held, touched = self.held(works, admissions, sends, ends)
        items = {}
        for work, message in works.items():
            tick, record = admissions[message][0]
            won, contention, claimed = self.owners(work, touched[message])
            if claimed is not None and work in ends and claimed > ends[work][0]:
                claimed = None  # the end of a contention, but nobody's any more
            items[message] = ItemRun(
                admitted=tick,
                rules=self.versions.get(record["rules_hash"], self.first_version),
                drafts=tuple(drafts[work].values()),
                sends=tuple(sends[work]),
                resolution=ends.get(work),
                won=won,
                contention=contention,
                claimed=claimed,
                forked=len(admissions[message]) > 1,
            )
        return Run(items, held, self.state_agrees(works))

    def carried(self, draft: Any) -> frozenset[str]:
        found, body = set(), draft["body"]
        for anchor in sorted(self.anchors, key=len, reverse=True):
            if anchor in body:
                found.add(self.anchors[anchor])
                body = body.replace(anchor, " ")
        return frozenset(found)

    def held(self, works: Any, admissions: Any, sends: Any, ends: Any) -> tuple[dict[str, frozenset[str]], Any]:
        """What each dying agent held, by signal, and the ticks of the deaths by message."""
        held, touched, known = {}, defaultdict(list), set()
        for tick, record in self.lines("signals.jsonl"):
            if record["signal_type"] != "AGENT_DEATH" or record["signal_id"] in known:
                continue
            known.add(record["signal_id"])
            before = [line["state"] for line in self.files["state.jsonl"] if line["tick"] < tick]
            found = set()
            for one in before[-1]["assignments"] if before else ():
                message = works.get(one["work_id"])
                if one["agent_id"] != record["target"] or message is None or admissions[message][0][0] >= tick:
                    continue
                over = [at for at, _ in sends[one["work_id"]]] + [at for at, *_ in [ends.get(one["work_id"], (tick,))]]
                if all(at >= tick for at in over):
                    found.add(message)
                    touched[message].append(tick)
            held[record["signal_id"]] = frozenset(found)
        return held, touched

    def owners(self, work: str, deaths: list[int]) -> tuple[tuple[int, ...], Contention | None, int | None]:
        """The reassignments, the contention, and the first `won`."""
        records = self.claims[work]
        wins = [tick for tick, record in records if record["outcome"] == "won"]
        won: list[int] = []
        for tick in wins:
            since = [death for death in deaths if death <= tick]
            if since and (not won or won[-1] < since[-1]):
                won.append(tick)
        claimants = [(tick, record["agent_id"]) for tick, record in records if record["outcome"] == "claimed"]
        agents = {agent for _, agent in claimants}
        contention = None
        if len(agents) > 1:
            winners = {record["agent_id"] for _, record in records if record["outcome"] == "won"} & agents
            losers = [(tick, r["agent_id"]) for tick, r in records if r["outcome"] == "stood_down"]
            settled = None
            if winners and {agent for _, agent in losers} | winners == agents and len({a for _, a in losers}) == len(agents) - 1:
                settled = max(tick for tick, _ in losers)
            contention = Contention(claimants[0][0], settled)
        return tuple(won), contention, wins[0] if wins and wins[0] not in won else None

    def state_agrees(self, works: Any) -> bool:
        """Whether every snapshot says what the logs say at the end of its tick."""
        agreed = True
        for line in self.files["state.jsonl"]:
            agreed = agreed and self.agrees(line["tick"], line["state"])
        return agreed

    def agrees(self, now: int, state: Any) -> bool:
        status: dict[str, str] = {}
        for tick, record in self.lines("audit.jsonl"):
            if tick <= now and record["event"] == "admission":
                status[record["work_id"]] = "admitted"
        of_draft, hashes = {}, {}
        for tick, record in self.lines("drafts.jsonl"):
            if tick <= now:
                status[record["work_id"]] = "drafted"
                of_draft[record["draft_id"]] = record["work_id"]
                hashes[record["draft_id"]] = record["content_hash"]
        known = set()
        for tick, record in self.lines("approvals.jsonl"):
            genuine = hashes.get(record["draft_id"]) == record["content_hash"]
            if tick <= now and genuine and record["approval_id"] not in known:
                status[of_draft[record["draft_id"]]] = "approved" if record["decision"] == "approve" else "drafted"
            known.add(record["approval_id"])
        for tick, record in self.lines("outbox.jsonl"):
            if tick <= now:
                status[of_draft[record["draft_id"]]] = "sent"
        for tick, record in self.lines("audit.jsonl"):
            if tick <= now and record["event"] == "resolution":
                status[record["work_id"]] = record["outcome"]
        dead = {r["target"] for tick, r in self.lines("signals.jsonl") if tick <= now and r["signal_type"] == "AGENT_DEATH"}
        return (
            {one["work_id"]: one["status"] for one in state["work_items"]} == status
            and len(state["work_items"]) == len(status)
            and all(one["alive"] is (one["id"] not in dead) for one in state["agents"])
        )
