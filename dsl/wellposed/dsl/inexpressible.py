"""What authors ask for and no scenario can express: THE table of limits, by the words that they ask with.

A limit is one row. `asked.py` finds its words where the parser cannot go on, and `docs/limits.md` shows them beside the
limit itself, which stands in the corpus under the id of the row. Nothing here changes what a source means: a word is
looked up only where it cannot stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

PAGE = "docs/limits.md"


class Where(Enum):
    """Where the words of a limit are looked for."""

    STATEMENT = "where a statement or an item begins"
    DECIDED = "behind a decision"
    DELIVERED = "behind the message of a delivery"
    ATTRIBUTE = "where a line of a message or a conversation begins"
    FIELD = "as the field of a rule"
    HASH = "behind the message of a forged record"
    EXPECTATION = "where an expectation begins"
    PREDICATE = "behind the message of an expectation"


@dataclass(frozen=True, slots=True)
class Limit:
    """One thing that cannot be expressed.

    - `entry`: the entry of the corpus of public reports under which `docs/limits.md` explains it.
    - `wants`: what the words ask for; completes "… asks for".
    - `why`: what the kernel has instead of a channel for it.
    - `instead`: what an author can write.
    - `asked`: phrases by place, separated by commas. A word of a phrase is one of a source, where hyphens and `_` part
      words too; `*` stands for one name, word or string.
    """

    entry: str
    wants: str
    why: str
    instead: str
    asked: Mapping[Where, str]

    def phrases(self, where: Where) -> tuple[tuple[str, ...], ...]:
        """The phrases that are looked for at a place, each as its words."""
        return tuple(tuple(phrase.split()) for phrase in self.asked.get(where, "").split(",") if phrase.strip())


_AT, _DECIDED, _DELIVERED, _LINE, _FIELD, _HASH, _CLAIM, _OF = Where

LIMITS: tuple[Limit, ...] = (
    # the state snapshot, and which draft is sent
    Limit(
        "FD-12",
        "another relation between the snapshot and the logs",
        "`state agrees` is the one relation: it compares the snapshot with the logs item by item, in no order",
        "write `state agrees`",
        {
            _CLAIM: "state matches, state equals, state is, state has, state contains, state hash, state order, "
            "state ordered, state identical, state snapshot, snapshot, snapshots",
        },
    ),
    Limit(
        "FD-19",
        "a choice among the drafts that may be sent",
        "a decision can name the draft that it binds, and no expectation the one that is sent",
        "bind the decision (`approve oldest draft of m1`), expect the send, and write "
        "`catches sends-unapproved-redraft`",
        {
            _CLAIM: "newest draft, oldest draft, latest draft, first draft, second draft, last draft",
            _OF: "sent newest, sent oldest, sent latest, sent first, sent second, sent last, sent draft, draft sent, "
            "newest draft, oldest draft, latest draft, first draft, second draft, last draft",
        },
    ),
    Limit(
        "SF-03",
        "an expectation that no draft is made",
        "a system may draft as often as it likes until the item has ended; only a send is held to an approval",
        "expect what leaves (`m1 sent exactly once`, `m1 never sent`), or that nothing is taken up: `m1 not admitted`",
        {_OF: "never drafted, not drafted, drafted exactly, drafted once, redrafted, never redrafted, not redrafted"},
    ),
    # texts, hashes, subjects and recipients of replies
    Limit(
        "FD-20",
        "a content hash",
        "the form of a hash is the system's own; the model knows that of a draft, and one that is certainly another",
        'write `forge approval "f" for m1 with wrong hash` beside a genuine approval',
        {
            _HASH: "hash, with hash, with content hash, with draft hash",
            _DECIDED: "with hash, with content hash, hash",
            _CLAIM: "hash, hash of, content hash",
            _OF: "hash, content hash, draft hash, reply hash, sent hash, sent with hash, drafted with hash, rules hash",
        },
    ),
    Limit(
        "SF-11",
        "the text of a reply",
        "texts are not modelled: an outbox line names the draft that is sent, and has no body of its own",
        "expect the send, which is held to the approved draft, and write `catches sends-unapproved-redraft`",
        {
            _CLAIM: "body, text, with body, with text, saying, containing",
            _OF: "body, text, says, contains, reply body, reply text, reply content, reply says, reply contains, reply is, "
            "reply equals, reply carries text, sent body, sent text, sent unchanged, sent as approved, sent with body, "
            "sent with text",
        },
    ),
    Limit(
        "SF-42",
        "the subject of a reply",
        "replies have no subject: a draft has a conversation and anchors, an outbox line its draft",
        "expect the reply in its conversation (`m1 reply in order`); a message has a subject of its own by "
        '`with { subject "…" }`',
        {
            _CLAIM: "subject, with subject, under subject, under *",
            _OF: "subject, title, reply subject, reply has subject, reply under, sent subject, sent under, "
            "sent with subject",
        },
    ),
    Limit(
        "SF-45",
        "the recipient of a reply",
        "a reply has a conversation and no recipient",
        "expect it in its conversation (`m1 reply in order`), and write `catches replies-in-wrong-conversation`",
        {
            _CLAIM: "recipient, to *",
            _OF: "recipient, reply to, reply recipient, reply addressed, addressed, sent to, addressed to",
        },
    ),
    Limit(
        "SF-45",
        "a merge of conversations or items",
        "no event joins or parts them: a message stays in the conversation of its delivery, and is one item",
        "deliver messages with one subject in two conversations, expect each reply in its own, and write "
        "`catches merges-by-subject, replies-in-wrong-conversation`",
        {
            _AT: "merge, unmerge, split",
            _LINE: "merged, merged into, merged with, merge",
            _OF: "merged, merged into, merged with, split",
        },
    ),
    # decisions
    Limit(
        "SF-02",
        "a decision that sends a draft back",
        "a decision approves or rejects; none keeps an item open and demands another draft",
        "write `reject m1` and later `approve m1`, and accept both ends with `any of`",
        {
            _AT: "revise, revision, redraft, rework, send back, request changes, request revision, ask for changes, "
            "remark",
            _DECIDED: "with remark, with remarks, with comment, with comments, with changes",
        },
    ),
    Limit(
        "SF-12",
        "a message or a draft that voids an earlier one",
        "an approval stands until a later decision on its item, whatever is delivered meanwhile",
        "take the approval back in its own tick (`approve m1`, then `reject m1`), or expect the send that it demands",
        {_AT: "supersede, void, invalidate", _OF: "superseded, voided, invalidated, replaced"},
    ),
    Limit(
        "SF-13",
        "a record that withdraws an approval",
        "decisions approve or reject, and the last one that fired counts; postures and rules decide on admissions alone",
        "write `reject m1` in the tick of the approval, since a quick system has sent one tick later; `escalate m1` "
        "ends the item",
        {
            _AT: "revoke, withdraw, rescind, retract, unapprove, disapprove, cancel",
            _OF: "revoked, withdrawn, cancelled, canceled",
        },
    ),
    Limit(
        "SF-16",
        "the name of an approver",
        "a decision does not say who took it; a forged record is one that nobody has taken",
        'forge records beside the genuine one: `forge approval "f" for m1 with wrong hash`, or one `for draft "ghost-1"`',
        {
            _DECIDED: "by *, from *, as approver *, as reviewer *, as user *, as operator *, on behalf",
            _CLAIM: "approver",
            _OF: "approved by, rejected by, approver",
        },
    ),
    Limit(
        "SF-19",
        "an approval or a request that expires",
        "an approval is in force until a later decision on its item; nothing lapses by itself",
        "write `reject m1` at the tick at which it is to end, or let time pass with `jump` and expect the send all the same",
        {
            _AT: "expire, time out, timeout, lapse",
            _DECIDED: "until, expires, expiring, valid",
            _OF: "expired, expires, expire, lapsed, timed out",
        },
    ),
    Limit(
        "SF-20",
        "a record of what a human is asked",
        "there is no record of a request: only decisions are, and several drafts of one item are lawful",
        "redeliver the message, expect one send, and write `catches forks-on-redelivery`",
        {
            _AT: "request approval, request, ask",
            _CLAIM: "requests, request, approval requested, approval request, approval requests",
            _OF: "asked, requested, approval requested, presented, shown",
        },
    ),
    # operators
    Limit(
        "SF-28",
        "an escalation of a whole conversation",
        "an escalation names one item; a later message in the conversation is an item of its own",
        "write `escalate` for each message; one that nobody approves is not sent",
        {_AT: "escalate conversation"},
    ),
    Limit(
        "SF-30",
        "a pause of everything",
        "no signal stops a system and lets it go on: an escalation is about one item and final, a posture keeps out new "
        "mail alone",
        "escalate each item, change the posture (`posture maintenance`), or close the outbox from outside with "
        "`hold effects` and `release effects`",
        {
            _AT: "pause, resume, stop, halt, suspend, freeze, disable, enable, drain, kill switch, shut down, shutdown",
            _OF: "paused, resumed, stopped, suspended",
        },
    ),
    Limit(
        "SF-31",
        "an operator who gives an item back",
        "what is escalated ends abandoned; no signal takes an escalation back",
        "deliver a new message in the same conversation, which is an item of its own, approve it, and expect one reply",
        {
            _AT: "hand back, give back, take back, return, de escalate, deescalate, unescalate, reopen",
            _OF: "handed back, given back, returned, reopened",
        },
    ),
    # faults
    Limit(
        "SF-32",
        "an effect with an uncertain outcome",
        "a fault falls at a quiescent point, when all records of the tick are written, and a line in the outbox is sent",
        "crash one tick behind the send with `when m1 sent crash`, expect one send, and write `catches resends-on-crash`",
        {
            _AT: "crash between, crash before, crash during, crash inside, crash while, crash after, "
            "lose acknowledgement, lose ack, drop acknowledgement, drop ack, fail send, fail effect",
            _CLAIM: "outcome, uncertain",
            _OF: "uncertain, sent uncertain, uncertain outcome, outcome, acknowledged, unacknowledged, sent maybe",
        },
    ),
    Limit(
        "SF-36",
        "a process that stays down",
        "a crash is a kill and an immediate restart: no tick passes between the two",
        "write `crash`; a `jump` behind it lets time pass at once",
        {_AT: "restart, reboot, crash until, crash for, crash down, crash and restart, crash restart"},
    ),
    Limit(
        "SF-40",
        "an agent or a model that is slow",
        "an agent can die and cannot stall, and a call of the model that is open holds the clock",
        "report a death that need not be true (`kill agent of m1`), and accept one send or a visible end",
        {
            _AT: "stall, slow, slow down, hang, revive, wake agent, pause agent, suspend agent, resume agent, stop agent, "
            "freeze agent, block agent, hold agent, hold model, hold reply, hold replies, delay agent, delay model, "
            "delay reply, delay replies",
            _OF: "stalled, delayed",
        },
    ),
    Limit(
        "SF-51",
        "a clock that runs backwards, or one for each agent",
        "there is one clock for all agents, and it only leads forward",
        "jump forward (`jump to 60`, `jump by 50`), and expect what is due when time passes at once",
        {_AT: "jump back, jump backward, jump backwards, rewind, turn back, clock, set clock, skew, drift"},
    ),
    Limit(
        "FD-62",
        "the clock of the machine",
        "a scenario knows ticks alone; which clock a system reads cannot be seen in its records",
        "place a `jump`, over which a lease by the wall clock and a budget in ticks come apart, and expect what is due "
        "in ticks",
        {_AT: "wall clock, wallclock, real time, timezone, time zone, freeze clock, freeze time, stop clock"},
    ),
    Limit(
        "SF-52",
        "the part of one agent in a contest",
        "no schedule can make agents contend, and an agent that stood down has no name",
        "write `claims on m1 settle within 10` and `state agrees`, which hold where a run has claims, and "
        "`catches state-lies`",
        {
            _AT: "contend, contest, force claim, force claims, force contention, claim",
            _CLAIM: "agent, winner, loser, owner",
            _OF: "stood down, stands down, claimed, won, owned, owner, held by, assigned",
        },
    ),
    # messages
    Limit(
        "SF-43",
        "a message whose conversation is to be guessed",
        "every message is delivered with its conversation, and has no headers that refer to another",
        "deliver it in a conversation, and expect each reply in its own: `m1 reply in order`",
        {
            _DELIVERED: "in reply to, replying to, references, reply to, without conversation, without thread",
            _LINE: "in reply to, references, reference, message id, thread",
            _FIELD: "in reply to, message in reply to, references, message references, message id",
        },
    ),
    Limit(
        "SF-47",
        "proof that a sender is authentic",
        "a message does not say whether its sender is authentic; only decisions are forged",
        "refuse senders by address or history (`refuse strangers when sender.messages < 1`), and forge approvals",
        {
            _AT: "spoof, impersonate, forge message, forge mail, forge sender, forge from, forge signal, forge escalation",
            _LINE: "authenticated, authentic, verified, trusted, spoofed, signed, forged, dkim, spf, dmarc",
            _FIELD: "authenticated, authentic, verified, trusted, spoofed, signed, sender authenticated, sender verified, "
            "sender trusted, message authenticated, message verified, message signed",
        },
    ),
    Limit(
        "SF-48",
        "a correspondent who answers what the system sends",
        "the schedule is fixed before the run: what is sent feeds no inbox",
        "deliver the answers at written ticks, and let a rule count them: `refuse loops when sender.messages >= 3`",
        {_AT: "auto reply, autoreply, auto respond, respond, answer, bounce", _OF: "answered, bounced"},
    ),
    # the harness
    Limit(
        "FD-39",
        "a reference run",
        "expectations are proved over all lawful runs, and no single run is written down",
        "expect what all runs have in common; `wellposed simulate --system reference` writes the logs of a lawful one",
        {_AT: "reference, golden, solution, trace", _CLAIM: "reference, gold, golden, solution, trace"},
    ),
    Limit(
        "FD-57",
        "scores and repeated runs",
        "results, their averages and how often a scenario is run are of the harness",
        "leave it out: `wellposed judge` asks for five runs that count, and annuls one whose harness contradicts the "
        "scenario",
        {
            _AT: "score, scores, weight, points, grade, retry, retries, runs, attempts",
            _CLAIM: "score, scores, weight, points, grade",
        },
    ),
    Limit(
        "FD-60",
        "a state that a run begins with or leaves behind",
        "a scenario is one run that begins with nothing; what a run leaves for the next is the harness's business",
        "deliver in the scenario whatever it needs; ids that an implementation makes are never written",
        {_AT: "reset, cleanup, clean up, setup, set up, teardown, tear down, isolate, preload"},
    ),
)
