"""What each construct means, in one sentence, and the obligations that it brings about: the text of hovers.

The sentences are those of `docs/language.md` in short; what a statement is in full stands there.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.dsl import tree


@dataclass(frozen=True, slots=True)
class Meaning:
    """One sentence, and ids of obligations (`OBLIGATIONS` of the vocabulary)."""

    text: str
    obligations: tuple[str, ...] = ()


MEANINGS: dict[type, Meaning] = {
    tree.Deliver: Meaning("A message arrives for the first time.", ("L2.admit", "L0.draft", "L0.reply", "L2.only", "L1.anchor")),
    tree.Redeliver: Meaning("A message that was delivered arrives again; it is the same work.", ("L1.fork", "L1.once")),
    tree.Decide: Meaning(
        "A human approves or rejects a draft of the item: the newest of that tick, or its oldest.",
        ("L2.send", "L2.authority", "L0.reply", "L0.abandon"),
    ),
    tree.Repeat: Meaning("The record of a decision or signal arrives again; it says nothing new.", ("L1.once",)),
    tree.ForgeDangling: Meaning("A forged decision about a draft that nobody declared.", ("L2.forged",)),
    tree.ForgeWrongHash: Meaning("A forged decision about a draft of the item, with a hash that is not its own.", ("L2.forged",)),
    tree.Escalate: Meaning("The operator takes the item away from the system.", ("L4.stop", "L4.resolve", "L6.stop")),
    tree.KillAgentOf: Meaning("The agent that holds the item dies.", ("L3.death",)),
    tree.KillAgent: Meaning("An agent dies, and whatever it holds is without an owner.", ("L3.death",)),
    tree.Crash: Meaning("The process is killed and started again in the same tick.", ("L1.crash",)),
    tree.Jump: Meaning("The clock jumps forward; the ticks between are never seen and count for no budget."),
    tree.ChangePosture: Meaning("Another posture is in force from this tick on.", ("L2.only",)),
    tree.ChangeRules: Meaning("Another version of the rules is in force from this tick on.", ("L2.only",)),
    tree.HoldEffects: Meaning("Nothing can be sent from here on, until effects are released."),
    tree.ReleaseEffects: Meaning("Effects that were held can be sent again."),
    tree.At: Meaning("What the environment does at this tick, in the order written."),
    tree.When: Meaning("What the environment does once the system has recorded this about the item."),
    tree.For: Meaning("Once for each number from the lower to the upper one, both included."),
    tree.Conversation: Meaning("A thread of messages: who writes, about what, and the anchor that replies to it carry."),
    tree.Stub: Meaning("How the model that the system asks is answered: which anchors it looks for, and what it replies."),
    tree.StubAnchors: Meaning("The order in which the stub looks for anchors in what it is shown."),
    tree.Reply: Meaning("What the stub answers in this conversation."),
    tree.Expect: Meaning("What every conforming run has to show: each of these is proved, or the scenario is not well-posed."),
    tree.InvariantsOnlyExpect: Meaning("There are no expectations: only the obligations of the level judge the run."),
    tree.Rejected: Meaning("The scenario is wrong on purpose: exactly this verdict, and this code, have to come out."),
    tree.Catches: Meaning("The faulty systems that this scenario has to fail."),
    tree.Scenario: Meaning("A scenario: what happens to a system at which tick, and what it then has to show."),
    tree.Family: Meaning("A scenario with parameters: one scenario for each combination of their values."),
    tree.Parameter: Meaning("A parameter of the family and the values that it takes."),
    tree.Rules: Meaning("A version of the rules: the first rule that applies to a message decides."),
    tree.Rule: Meaning("Messages for which all conditions hold are admitted, or refused."),
    tree.Skin: Meaning("The words that people read in place of those of the benchmark."),
    tree.SkinEntry: Meaning("The word that people read for this one."),
    tree.Import: Meaning("Brings the rules and skins of another file."),
    tree.Allow: Meaning("Findings of this code are accepted in what follows, for the reason given."),
    tree.Admitted: Meaning("The message becomes work, by that many ticks after its delivery where `within` says so."),
    tree.Drafted: Meaning("A draft is declared, by that many ticks after the delivery where `within` says so."),
    tree.Sent: Meaning(
        "Something is sent: once or more, or exactly once in the run; `within` counts from the delivery or from what `of` names."
    ),
    tree.NotSentAfter: Meaning("Nothing is sent in that tick or later; true where it never happens."),
    tree.Abandoned: Meaning("The item is resolved as abandoned, with this reason if one is named."),
    tree.Plain: Meaning("Something about this one message, as the words say."),
    tree.ReplyIn: Meaning("The message is answered, in this conversation."),
    tree.ReplyAnchor: Meaning("The message is answered, and the answer carries the anchor of this conversation."),
    tree.Distinct: Meaning("Both messages are admitted, as two items."),
    tree.OnlySent: Meaning("Each of these messages is sent exactly once, in this order if `then` stands between, and no other is."),
    tree.ClaimsSettle: Meaning("If several agents claim the item, one has won and the others have stood down in time."),
    tree.StateAgrees: Meaning("Every snapshot of the state agrees with the logs."),
    tree.AnyOf: Meaning("At least one of these blocks holds as a whole."),
    tree.If: Meaning("The second expectation where the first one holds, else the third."),
}

HEADERS = {
    "title": "A heading for people.",
    "level": "The level of the benchmark's ladder that is tested.",
    "horizon": "The last tick of the scenario, itself included.",
    "rules": "The version of the rules in force at tick 0.",
    "posture": "The posture in force at tick 0.",
    "skin": "The words that people read.",
}
"""What the header lines mean, by word."""
