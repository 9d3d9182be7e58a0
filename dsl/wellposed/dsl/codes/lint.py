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

  at 0 deliver m1 in order "Hello, where is {anchor}?"
  at 3 redeliver m1
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


def _row(number: int, slug: str, title: str, explanation: str, bad: Example, good: Example) -> Code:
    severity = Severity.ERROR if number < 310 else Severity.WARNING
    return Code(f"WP{number}", slug, severity, title, explanation, bad, good)


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
        _edited(("  at 0 deliver", "  at 0 redeliver m1\n  at 0 deliver")),
        _GOOD,
    ),
    _row(
        303,
        "repeat-first",
        "a decision is repeated before it is made",
        "A repeat is the record of a decision again, so it stands after it: at a later tick, or later in the text at "
        "the same one. Under `when`, the decision has to be certain to have been given by then.",
        _edited(("  at 12", "  at 11 repeat go\n  at 12")),
        _edited(("as go\n", "as go\n  at 13 repeat go\n")),
    ),
    _row(
        304,
        "message-id-reused",
        "two deliveries have one message id",
        "A message is delivered once; the same message again is a redelivery. Another message needs an id of its "
        "own, or the system under test could not tell the two apart.",
        _edited(("at 3 redeliver m1", 'at 3 deliver m1 in order "Hello again."')),
        _GOOD,
    ),
    _row(
        305,
        "after-horizon",
        "an event is scheduled after the last tick",
        "A scenario ends with its horizon, inclusive. What is written for a later tick never happens.",
        _edited(("at 3 redeliver", "at 41 redeliver")),
        _edited(("at 3 redeliver", "at 40 redeliver")),
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
)
