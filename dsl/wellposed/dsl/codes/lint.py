"""WP3xx: fixture lint, findings about the schedule, the rules and the identities.

Those of error severity are texts without a meaning, from which no bundle can be built; the others are advice.
"""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_APPROVAL = """scenario late-approval {
  level   L2
  horizon 40

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0  deliver m1 in order "Hello, where is {anchor}?"
  at 3  redeliver m1
  at 12 approve m1 as go

  expect {
    m1 sent exactly once within 5 of go
  }
}
"""


def _edited(*changes: tuple[str, str]) -> Example:
    """The scenario above with each first string replaced by the second, once."""
    text = _APPROVAL
    for old, new in changes:
        assert old in text, f"{old!r} is not in the example"
        text = text.replace(old, new, 1)
    return Example("scenario", text)


_ERRORS = (314,)
_NOTES = (328,)


def _row(number: int, slug: str, title: str, explanation: str, bad: Example, good: Example) -> Code:
    is_error = number < 310 or number in _ERRORS
    severity = Severity.ERROR if is_error else Severity.NOTE if number in _NOTES else Severity.WARNING
    return Code(f"WP{number}", slug, severity, title, explanation, bad, good)


def _added(*lines: str, expect: str = "") -> Example:
    """The scenario above with further lines in front of `expect`, and one more expectation."""
    text = _APPROVAL.replace("\n  expect", "".join(f"  {line}\n" for line in lines) + "\n  expect")
    return Example("scenario", text.replace("of go\n", f"of go\n    {expect}\n") if expect else text)


def _ruled(*rules: str, lines: tuple[str, ...] = (), expect: str = "") -> Example:
    """As `_added`, under rules of these lines, which stand in front of the scenario."""
    text = _added(*lines, expect=expect).text.replace("horizon 40", "horizon 40\n  rules   desk")
    return Example("scenario", "rules desk {\n" + "".join(f"  {rule}\n" for rule in rules) + "}\n\n" + text)


_OTHER = 'conversation refund {{ from "bob@example.test" subject "Refund" anchor "{}" }}'
_ORDERS = 'admit  orders when subject contains "order"'
_SECOND = "m2 admitted within 5"
_GOOD = Example("scenario", _APPROVAL)
_EVERYONE = "\n#: everyone.rules\nrules everyone {\n  admit rest\n}\n"

ROWS: tuple[Code, ...] = (
    _row(
        301,
        "unknown-message",
        "the message is never delivered",
        "A statement, trigger or expectation is about a message that no `deliver` brings. Deliver it, or correct the "
        "name.",
        _edited(("approve m1", "approve m2")),
        _GOOD,
    ),
    _row(
        302,
        "redelivery-first",
        "a message is redelivered before it is delivered",
        "A redelivery is the inbox line of the first delivery again, so it stands after it: at a later tick, or "
        "later in the text at the same one. Under `when`, the first delivery has to be certain to have happened.",
        _edited(("  at 0  deliver", "  at 0  redeliver m1\n  at 0  deliver")),
        _GOOD,
    ),
    _row(
        303,
        "repeat-first",
        "a decision or signal is repeated before it is there",
        "A repeat is the record of a decision or signal again, so it stands after it: at a later tick, or later in the "
        "text at the same one. Under `when`, the original has to be certain to have been given by then.",
        _edited(("  at 12", "  at 11 repeat go\n  at 12")),
        _edited(("as go\n", "as go\n  at 13 repeat go\n")),
    ),
    _row(
        304,
        "message-id-reused",
        "two deliveries have one message id",
        "A message is delivered once; the same message again is a redelivery. Another message needs an id of its "
        "own, or the system under test could not tell the two apart.",
        _edited(("at 3  redeliver m1", 'at 3  deliver m1 in order "Hello again."')),
        _GOOD,
    ),
    _row(
        305,
        "after-horizon",
        "an event is scheduled after the last tick",
        "A scenario ends with its horizon, inclusive. What is written for a later tick never happens.",
        _edited(("at 3  redeliver", "at 41 redeliver")),
        _edited(("at 3  redeliver", "at 40 redeliver")),
    ),
    _row(
        306,
        "ghost-name",
        "`ghost-` names something real",
        "Ids that start with `ghost-` are kept for drafts that no system can declare, the targets of dangling "
        "forgeries.",
        _edited(("as go", "as ghost-go"), ("of go", "of ghost-go")),
        _GOOD,
    ),
    _row(
        307,
        "real-draft-id",
        "a dangling forgery names a draft that could exist",
        "A dangling forgery is about a draft that nobody declared. Only ids that start with `ghost-` are certain not "
        "to be declared by the system under test.",
        _edited(("expect", 'at 13 forge approval "f1" for draft "d1"\n\n  expect')),
        _edited(("expect", 'at 13 forge approval "f1" for draft "ghost-1"\n\n  expect')),
    ),
    _row(
        308,
        "horizon-jumped",
        "the clock jumps over the horizon",
        "A jump removes the ticks between its own and its target. The last tick of a scenario has to be one that is "
        "seen.",
        _edited(("expect", "at 20 jump to 60\n\n  expect")),
        _edited(("expect", "at 20 jump to 30\n\n  expect")),
    ),
    _row(
        309,
        "jump-backwards",
        "a jump does not lead forward",
        "The clock only jumps forward: to a tick after the one at which the jump happens. A jump that is itself "
        "inside the ticks that another one removes happens at that one's target.",
        _edited(("expect", "at 20 jump to 20\n\n  expect")),
        _edited(("expect", "at 20 jump to 22\n\n  expect")),
    ),
    _row(
        310,
        "unused-conversation",
        "a conversation is not used",
        "No message is delivered in it and no expectation names it. It still takes part in the stub model's replies, "
        "so it may stay where a stray anchor is the point.",
        _edited(
            ("  at 0", '  conversation refund {\n    from    "bob@example.test"\n    subject "Refund"\n  }\n\n  at 0')
        ),
        _GOOD,
    ),
    _row(
        311,
        "unused-import",
        "an import is not used",
        "No scenario of the file uses a rules version or a skin that the import brings.",
        Example("files", '#: late-approval.scenario\nimport "everyone.rules"\n\n' + _APPROVAL + _EVERYONE),
        Example(
            "files",
            '#: late-approval.scenario\nimport "everyone.rules"\n\n'
            + _APPROVAL.replace("horizon 40", "horizon 40\n  rules   everyone")
            + _EVERYONE,
        ),
    ),
    _row(
        312,
        "unused-declaration",
        "rules or a skin are not used",
        "A scenario file declares rules or a skin that none of its scenarios uses. What several files share stands "
        "in a `.rules` or `.skin` file.",
        _edited(("scenario late-approval", "rules everyone {\n  admit rest\n}\n\nscenario late-approval")),
        _edited(
            ("scenario late-approval", "rules everyone {\n  admit rest\n}\n\nscenario late-approval"),
            ("horizon 40", "horizon 40\n  rules   everyone"),
        ),
    ),
    _row(
        313,
        "unused-name",
        "the name of a statement is not used",
        "A statement is named so that an expectation, a tick or a repeat can refer to it. Nothing does.",
        _edited((" within 5 of go", " within 17")),
        _GOOD,
    ),
    _row(
        314,
        "hold-out-of-turn",
        "effects are held twice, or released that are not held",
        "`hold effects` closes the outbox and `release effects` opens it, so they take turns, in the order of the "
        "schedule: by ticks, and as written within a tick. A second hold in a row, or a release without a hold, is one "
        "that was forgotten or stands at the wrong tick.",
        _added("at 20 release effects"),
        _added("at 20 hold effects", "at 30 release effects"),
    ),
    _row(
        320,
        "tick-far-apart",
        "one tick is written in places that are far apart",
        "Everything that is written for one tick happens together, in the order of the text, in one block or in "
        "several. Where the blocks are far apart, a reader sees two moments, or misses that one event comes before "
        "the other.",
        _added(*(f"at {tick} redeliver m1" for tick in range(20, 29)), "at 12 repeat go"),
        _added("at 12 repeat go", *(f"at {tick} redeliver m1" for tick in range(20, 29))),
    ),
    _row(
        321,
        "event-in-jump",
        "an event stands at a tick that is jumped over",
        "A jump removes the ticks between its own and its target. What is written for one of them happens at the "
        "target, so the tick in the text is not the tick at which it happens.",
        _added("at 20 jump to 30", "at 25 redeliver m1"),
        _added("at 20 jump to 30", "at 30 redeliver m1"),
    ),
    _row(
        322,
        "window-jumped",
        "the clock jumps while a window is open",
        "Budgets and windows count the ticks that are seen, and a jump costs one, however far it leads. A jump inside "
        "a window therefore moves its end: 5 ticks from 12 end at 17, but with a jump from 14 to 20 they end at 22. "
        "Where that is not the point of the scenario, jump when nothing is due.",
        _added("at 14 jump to 20"),
        _added("at 17 jump to 20"),
    ),
    _row(
        323,
        "window-cut",
        "a window is still open at the horizon",
        "What is due after the last tick is not demanded: a system that does nothing about it is conforming. And an "
        "expectation whose window reaches further only sees what happens until then. A later horizon makes the "
        "response due; an earlier cause does too.",
        _added('at 35 deliver m2 in order "Hello again?"', expect=_SECOND),
        _added('at 30 deliver m2 in order "Hello again?"', expect=_SECOND),
    ),
    _row(
        324,
        "anchor-contained",
        "an anchor stands inside another one",
        "A reply shows by its anchor which conversation it answers, and the stub model looks for anchors as pieces of "
        "text. Whatever carries `ORD-10015` carries `ORD-1001` too, so neither of them can tell the two apart.",
        _added(_OTHER.format("ORD-10015"), 'at 20 deliver m2 in refund "About {anchor}."', expect=_SECOND),
        _added(_OTHER.format("ORD-1002"), 'at 20 deliver m2 in refund "About {anchor}."', expect=_SECOND),
    ),
    _row(
        325,
        "anchor-quoted",
        "a message quotes the anchor of another conversation",
        "The stub model answers with the first anchor, in its order, that a request carries. A message that quotes a "
        "sibling's anchor may get the sibling's reply, from a system that did nothing but pass the message on.",
        _added(_OTHER.format("REF-7"), 'at 20 deliver m2 in refund "Not about ORD-1001."', expect=_SECOND),
        _added(_OTHER.format("REF-7"), 'at 20 deliver m2 in refund "Not about my order."', expect=_SECOND),
    ),
    _row(
        326,
        "contradictory-conditions",
        "no message can satisfy the conditions of a rule",
        "The conditions of a rule hold together. These exclude each other, or one of them excludes everything, so the "
        "rule never matches. Alternatives are written as rules of their own, or with `in [...]`.",
        _ruled(_ORDERS, "admit  both   when posture is normal and posture is vip-only", "refuse rest"),
        _ruled(_ORDERS, "refuse rest"),
    ),
    _row(
        327,
        "shadowed-rule",
        "an earlier rule leaves a rule nothing to decide",
        "The first rule that matches decides. Every message that this rule matches is matched by the earlier one, so "
        "it could as well not be there. Narrow rules stand above wide ones.",
        _ruled(_ORDERS, 'refuse spam   when subject contains "reorder"', "refuse rest"),
        _ruled(
            'refuse spam   when subject contains "reorder"',
            _ORDERS,
            "refuse rest",
            lines=('at 20 deliver m2 in order "Again." with { subject "I reorder" }',),
            expect="m2 not admitted",
        ),
    ),
    _row(
        328,
        "unreached-rule",
        "no message can reach a rule",
        "In none of the scenarios that are checked together does this rule decide about a message, under any posture "
        "that is in force while the message can be admitted. That is no fault of rules that more scenarios share, but "
        "a scenario that was written for the rule does not test it. There is one note for each file.",
        _ruled(_ORDERS, 'refuse spam   when from ends with "@spam.test"', "refuse rest"),
        _ruled(_ORDERS, "refuse rest"),
    ),
    _row(
        329,
        "near-constant",
        "a constant of a rule nearly fits a message, and fits none",
        "Rules compare texts exactly: a letter too many, or an upper case letter, and the rule matches nothing. This "
        "constant occurs in no message of the scenario, and is a letter or two from what does.",
        _ruled('admit ada when from is "adda@example.test"', "admit rest"),
        _ruled('admit ada when from is "ada@example.test"', "admit rest"),
    ),
    _row(
        330,
        "history-in-one-tick",
        "messages of one tick do not count in each other's history",
        "Rules that ask for `sender.messages`, `sender.conversations` or `thread.length` count the messages of earlier "
        "ticks. Two messages of one sender, or of one conversation, in one tick have the same history, whatever their "
        "order in the text.",
        _ruled(
            "admit  first when sender.messages = 0",
            "refuse rest",
            lines=('at 0  deliver m2 in order "Hello again?"',),
            expect=_SECOND,
        ),
        _ruled(
            "admit  first when sender.messages = 0",
            "refuse rest",
            lines=('at 1  deliver m2 in order "Hello again?"',),
            expect="m2 not admitted",
        ),
    ),
    _row(
        331,
        "delivery-in-grace",
        "a delivery is so near a change that it may go either way",
        "A change of posture or rules may take 5 ticks to reach admissions. A message delivered from 5 ticks before it "
        "to 4 ticks after it, and admitted on one side of it only, may lawfully be admitted or not. 6 ticks before and "
        "5 ticks after are certain.",
        _ruled(
            "admit  usual when posture is normal",
            "refuse rest",
            lines=("at 20 posture maintenance", 'at 24 deliver m2 in order "Hello again?"'),
        ),
        _ruled(
            "admit  usual when posture is normal",
            "refuse rest",
            lines=("at 20 posture maintenance", 'at 25 deliver m2 in order "Hello again?"'),
            expect="m2 not admitted",
        ),
    ),
    _row(
        332,
        "early-escalation",
        "an escalation below level 4",
        "What an escalation asks for, no further send and a recorded abandonment, is asked for from level 4 on. Below, "
        "an escalation only excuses a reply that does not come.",
        _added("at 30 escalate m1"),
        _GOOD,
    ),
    _row(
        333,
        "unused-reply",
        "the stub model never gives a reply",
        "The stub looks for anchors in a request and answers with the reply of the first one that it finds. One without "
        "any anchor gets the reply of the conversation that is declared first. So the reply of another conversation "
        "is never given if that has no anchor, or one that no text of the scenario carries, whatever a system shows.",
        _added(
            'conversation chat { from "cem@example.test" subject "Hello" }',
            'stub { reply chat "How can we help?" }',
            'at 20 deliver m2 in chat "Hello!"',
            expect=_SECOND,
        ),
        _added(
            _OTHER.format("REF-7"),
            'stub { reply refund "Your refund {anchor} is on its way." }',
            'at 20 deliver m2 in refund "What about {anchor}?"',
            expect=_SECOND,
        ),
    ),
    _row(
        334,
        "hold-of-nothing",
        "effects are held and released at once",
        "A tick is held if the outbox is closed when all that is written for it has happened. A hold and its release in "
        "one tick leave none, and so do those between which a jump leaves no other tick. No system can tell that "
        "effects were held at all.",
        _added("at 20 hold effects", "at 20 release effects"),
        _added("at 20 hold effects", "at 21 release effects"),
    ),
)
