"""WP2xx: names, types and values."""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_REPLY = """scenario one-reply {
  level   L0
  horizon 20

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0 deliver m1 in order "Hello, where is {anchor}?"

  expect {
    m1 sent exactly once within 10
  }
}
"""

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

_RULES = """rules orders-only {
  admit orders when subject contains "order"
}

scenario newcomers {
  level   L2
  horizon 40
  rules   orders-only

  conversation order {
    from    "ada@example.test"
    subject "my order"
  }

  at 0  deliver m1 in order "Hello."
  at 3  redeliver m1
  at 12 approve m1 as go

  expect {
    m1 sent within 5 of go
  }
}
"""

_SKIN = """skin clinic {
  message   "letter"
  work-item "case"
}

"""


_LOOP = """scenario two-letters {
  level   L0
  horizon 40

  for i in 1..2 {
    conversation c[i] {
      from    "user-{i}@example.test"
      subject "Where is my order?"
    }
    at 10 * i deliver m[i] in c[i] "This is letter {i}."
  }

  expect {
    for i in 1..2 { m[i] sent exactly once within 10 }
  }
}
"""

_FAMILY = """family late-approval(gap in [0, 20]) {
  title   "Approved {gap} ticks late"
  level   L2
  horizon gap + 40

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0 deliver m1 in order "Hello, where is {anchor}?"
  at gap + 12 approve m1 as go

  expect {
    m1 sent exactly once within 5 of go
  }
}
"""


def _edited(text: str, *changes: tuple[str, str]) -> Example:
    """`text` with each first string replaced by the second, once."""
    for old, new in changes:
        assert old in text, f"{old!r} is not in the example"
        text = text.replace(old, new, 1)
    return Example("scenario", text)


def _row(
    number: int,
    slug: str,
    title: str,
    explanation: str,
    bad: Example,
    good: Example,
    severity: Severity = Severity.ERROR,
) -> Code:
    return Code(f"WP{number}", slug, severity, title, explanation, bad, good)


def _nested(depth: int) -> str:
    """An expectation with alternatives inside alternatives."""
    lines = ["m1 sent"]
    for _ in range(depth):
        lines = ["any of {", *(f"  {line}" for line in lines), "} or {", "  m1 open", "}"]
    return "  expect {\n" + "".join(f"    {line}\n" for line in lines) + "  }"


_GOOD_REPLY = Example("scenario", _REPLY)
_GOOD_APPROVAL = Example("scenario", _APPROVAL)
_GOOD_RULES = Example("scenario", _RULES)
_GOOD_LOOP = Example("scenario", _LOOP)
_GOOD_FAMILY = Example("scenario", _FAMILY)
_SECOND = (
    "\n  at 0",
    '\n  conversation refund {\n    from    "bob@example.test"\n    subject "Refund"\n    anchor  "REF-7"\n  }\n\n  at 0',
)
_SECOND_MAIL = ("\n\n  expect", '\n  at 5 deliver m2 in refund "Hello, what about {anchor}?"\n\n%s  expect')


_ALLOWED = _edited(
    _REPLY, (_SECOND[0], _SECOND[1].replace("  conversation", '  allow WP310 "its anchor is a decoy"\n  conversation'))
)


def _stub(anchors: str) -> Example:
    """Two conversations, and a stub that looks for these anchors."""
    block = f"  stub {{\n    anchors [{anchors}]\n  }}\n\n"
    return _edited(_REPLY, _SECOND, (_SECOND_MAIL[0], _SECOND_MAIL[1] % block))


ROWS: tuple[Code, ...] = (
    _row(
        201,
        "unknown-name",
        "nothing is called so",
        "A conversation, rules version, skin, statement or time is named that is not declared in this scenario, in "
        "its file, or in what the file imports. Declare it, or correct the name; a hint shows the nearest name that "
        "exists. A word with a hyphen is one name: to subtract, put spaces around the minus sign. The bounds of loops "
        "and the indices of names are made of numbers, loop variables and parameters only, for they are known before "
        "anything happens.",
        _edited(_REPLY, ("in order", "in ordre")),
        _GOOD_REPLY,
    ),
    _row(
        202,
        "declared-twice",
        "a name is declared twice",
        "Two things of one scope have one name, so it would not be clear which one is meant. Messages and named "
        "statements share one scope, because either can be used as a time; conversations, rules and skins each have "
        "their own. A loop variable or parameter is called neither like another one around it nor like something that "
        "happens. The rules `all` are built in and cannot be declared again.",
        _edited(_APPROVAL, ("as go\n", "as go\n  at 13 approve m1 as go\n")),
        _edited(
            _APPROVAL,
            ("as go\n", "as go\n  at 13 approve m1 as again\n"),
            (
                "m1 sent exactly once within 5 of go",
                "any of { m1 sent within 5 of go } or { m1 sent within 5 of again }",
            ),
        ),
    ),
    _row(
        203,
        "case-twins",
        "two names differ only in upper and lower case",
        "Ids become names of files and keys in other systems, some of which do not tell upper from lower case: one "
        "of the two would overwrite the other there.",
        _edited(
            _REPLY,
            ("deliver m1", 'deliver M1 in order "Me first."\n  at 0 deliver m1'),
            ("m1 sent", "M1 sent within 10\n    m1 sent"),
        ),
        _edited(
            _REPLY,
            ("deliver m1", 'deliver m2 in order "Me first."\n  at 0 deliver m1'),
            ("m1 sent", "m2 sent within 10\n    m1 sent"),
        ),
    ),
    _row(
        204,
        "wrong-kind",
        "a name means something of another kind",
        "The name exists, but not as what is needed here: a statement where a message is meant, a conversation where "
        "a time is meant, a message where a decision to repeat is meant, a word where a number is meant.",
        _edited(_APPROVAL, ("within 5 of go", "within 5 of order")),
        _GOOD_APPROVAL,
    ),
    _row(
        205,
        "unknown-word",
        "a word is not in the list of possible words",
        "Postures, reasons of an abandonment, fields of rules, words of skins and faulty systems come from closed lists "
        "of the benchmark. The hint shows the nearest one, or all of them.",
        _edited(_REPLY, ("horizon 20", "horizon 20\n  posture vip")),
        _edited(_REPLY, ("horizon 20", "horizon 20\n  posture vip-only")),
    ),
    _row(
        206,
        "unknown-level",
        "there is no such level",
        "A scenario reports the levels from L0 up to the one in its head; the benchmark has L0 to L6.",
        _edited(_REPLY, ("L0", "L7")),
        _GOOD_REPLY,
    ),
    _row(
        207,
        "missing-header",
        "level or horizon is missing",
        "Every scenario says in its head which level it reports and which tick is its last. Neither has a default, "
        "for both decide what is due.",
        _edited(_REPLY, ("  horizon 20\n", "")),
        _GOOD_REPLY,
    ),
    _row(
        208,
        "far-horizon",
        "the horizon is too far away",
        "The last tick of a scenario is at most 1,000,000.",
        _edited(_REPLY, ("horizon 20", "horizon 2000000")),
        _GOOD_REPLY,
    ),
    _row(
        209,
        "tick-out-of-range",
        "a tick or a number of ticks is out of range",
        "Ticks start at 0, and every number in a calculation has to be one that all JSON readers agree on: at most "
        "2^53 - 1 in either direction.",
        _edited(_REPLY, ("at 0", "at 3 - 5")),
        _edited(_REPLY, ("at 0", "at 5 - 3")),
    ),
    _row(
        210,
        "time-circle",
        "a tick depends on itself",
        "The names in a tick lead, directly or through others, back to the statement whose tick it is. One of the "
        "ticks in the circle has to be given by a number.",
        _edited(
            _APPROVAL,
            ("at 0  ", "at 0 "),
            ("at 3  ", "at 3 "),
            ("at 12 approve m1 as go", "at second - 2 approve m1 as go\n  at go + 2     approve m1 as second"),
        ),
        _edited(
            _APPROVAL,
            ("at 0  ", "at 0 "),
            ("at 3  ", "at 3 "),
            ("at 12 approve m1 as go", "at second - 2 approve m1 as go\n  at 14 approve m1 as second"),
        ),
    ),
    _row(
        211,
        "no-written-tick",
        "a time is named that is not known beforehand",
        "What stands under `when` fires one tick after a record of the system under test, so its tick cannot be used "
        "to place another event. In an expectation it can be used: there a name means the tick at which it happened.",
        _edited(_APPROVAL, ("at 12", "when m1 drafted"), ("at 0  ", "at 0 "), ("at 3  ", "at go + 5 ")),
        _edited(_APPROVAL, ("at 12", "when m1 drafted"), ("at 3  ", "at 17 ")),
    ),
    _row(
        212,
        "unusable-id",
        "an id is too long or has characters that ids cannot have",
        "Ids become names of files and keys of records: at most 64 characters, of ASCII letters, digits, `_`, `.` "
        "and `-`, and at most 128 where indices or values of parameters have been added.",
        _edited(_APPROVAL, ("\n\n  expect", '\n  at 13 forge approval "by nobody" for m1 with wrong hash\n\n  expect')),
        _edited(_APPROVAL, ("\n\n  expect", '\n  at 13 forge approval "by-nobody" for m1 with wrong hash\n\n  expect')),
    ),
    _row(
        213,
        "derived-id-taken",
        "a written id is equal to a derived one",
        "A record without a name of its own is called by what it is about and a count, such as `m1.approve.1`. An id "
        "in a string can be equal to such a one; two records would then have one id.",
        _edited(
            _APPROVAL,
            (" as go", '\n  at 13 forge approval "m1.approve.1" for m1 with wrong hash'),
            ("within 5 of go", "within 17"),
        ),
        _edited(
            _APPROVAL,
            (" as go", '\n  at 13 forge approval "f1" for m1 with wrong hash'),
            ("within 5 of go", "within 17"),
        ),
    ),
    _row(
        214,
        "deliver-under-when",
        "a message is delivered under `when`",
        "The tick of a block under `when` depends on the system under test, and so would everything that is counted "
        "from the delivery. Deliver messages at written ticks.",
        _edited(_REPLY, ("\n\n  expect", '\n  when m1 sent deliver m2 in order "Thanks."\n\n  expect')),
        _edited(_REPLY, ("at 0", "at 0 "), ("\n\n  expect", '\n  at 10 deliver m2 in order "Thanks."\n\n  expect')),
    ),
    _row(
        215,
        "no-anchor",
        "the conversation declares no anchor",
        "`{anchor}` in a subject or body stands for the anchor of the message's conversation, and `reply carries "
        "anchor of` asks for it in the reply; either needs a conversation that declares one.",
        _edited(_REPLY, ('    anchor  "ORD-1001"\n', "")),
        _GOOD_REPLY,
    ),
    _row(
        216,
        "unknown-placeholder",
        "nothing can be put in at a placeholder",
        "A word in braces is replaced: `{anchor}` in subjects, bodies and replies by the anchor of the conversation, the "
        "variable of a loop or the parameter of a family around it by its value. Braces that are meant literally are "
        "written \\{ and \\}; in the strings of rules nothing is replaced.",
        _edited(_REPLY, ("{anchor}", "{order}")),
        _GOOD_REPLY,
    ),
    _row(
        217,
        "unnameable-statement",
        "this statement cannot have a name",
        "A name is the id of the record that a statement makes. A delivery has the id of its message, a forgery the "
        "id in its string, and a redelivery or repeat that of its original.",
        _edited(_REPLY, ("at 0 deliver", "at 0 first: deliver"), ("within 10", "within 10 of m1")),
        _edited(_REPLY, ("within 10", "within 10 of m1")),
    ),
    _row(
        218,
        "unknown-rejection",
        "a scenario is rejected as something that does not exist",
        "`rejected` names the verdict that the scenario is meant to get, any but well-posed, and may name a code of "
        "the table.",
        _edited(_REPLY, ("horizon 20", 'horizon 20\n\n  rejected hopeless "it cannot be met"')),
        _GOOD_REPLY,
    ),
    _row(
        219,
        "said-twice",
        "something is said twice that can be said once",
        "`rejected` and `invariants only expect` stand at most once in a scenario, each word at most once in a skin, "
        "each value once in a parameter, each conversation once in the lists of a stub, each system once in `catches`, each "
        "message once in an `only`.",
        Example(
            "scenario",
            _SKIN.replace("work-item", "message  ") + _REPLY.replace("horizon 20", "horizon 20\n  skin    clinic"),
        ),
        Example("scenario", _SKIN + _REPLY.replace("horizon 20", "horizon 20\n  skin    clinic")),
    ),
    _row(
        220,
        "import-path",
        "an import path leads where imports do not lead",
        "An import names a file that ends in `.rules` or `.skin`, by a relative path with `/` between folders, from "
        "the folder of the importing file downwards. So a tree of sources means the same wherever it is.",
        Example("scenario", 'import "../rules/orders.rules"\n\n' + _REPLY),
        _GOOD_REPLY,
    ),
    _row(
        221,
        "import-unreadable",
        "an imported file cannot be read",
        "There is no such file, or it is a link, a folder or a device, which imports do not follow.",
        Example("scenario", 'import "rules/no-such-file.rules"\n\n' + _REPLY),
        Example(
            "files",
            '#: one-reply.scenario\nimport "rules/everyone.rules"\n\n'
            + _REPLY.replace("horizon 20", "horizon 20\n  rules   everyone")
            + "\n#: rules/everyone.rules\nrules everyone {\n  admit rest\n}\n",
        ),
    ),
    _row(
        222,
        "import-circle",
        "files import each other in a circle",
        "Imports may join again, but not lead back to where they started: move what two files need from each other "
        "into a third.",
        Example(
            "files",
            '#: one-reply.scenario\nimport "everyone.rules"\n\n'
            + _REPLY.replace("horizon 20", "horizon 20\n  rules   everyone")
            + '\n#: everyone.rules\nimport "others.rules"\n\nrules everyone {\n  admit rest\n}\n'
            + '\n#: others.rules\nimport "everyone.rules"\n\nrules nobody {\n  refuse rest\n}\n',
        ),
        Example(
            "files",
            '#: one-reply.scenario\nimport "everyone.rules"\n\n'
            + _REPLY.replace("horizon 20", "horizon 20\n  rules   everyone")
            + '\n#: everyone.rules\nimport "others.rules"\n\nrules everyone {\n  admit rest\n}\n'
            + "\n#: others.rules\nrules nobody {\n  refuse rest\n}\n",
        ),
    ),
    _row(
        223,
        "wrong-type",
        "a condition asks a field for what it cannot answer",
        "Text fields are compared with strings in quotes, counts with numbers, and the posture with the words for "
        "postures.",
        _edited(_RULES, ('subject contains "order"', 'sender.messages is "1"')),
        _edited(_RULES, ('subject contains "order"', "sender.messages < 2")),
    ),
    _row(
        224,
        "incomplete-message",
        "a message has no sender or no subject",
        "Sender and subject come from the conversation, or from `with` at the delivery; there is no default for "
        "either.",
        _edited(_REPLY, ('    subject "Where is my order?"\n', "")),
        _GOOD_REPLY,
    ),
    _row(
        225,
        "scenario-id-taken",
        "two scenarios have one id",
        "The id of a scenario is the name of its bundle folder. It is unique over all files that are checked "
        "together, upper and lower case taken for one.",
        Example("scenario", _REPLY + "\n" + _REPLY),
        Example("scenario", _REPLY + "\n" + _REPLY.replace("scenario one-reply", "scenario another-reply")),
    ),
    _row(
        226,
        "too-large",
        "a scenario is larger than a bundle can be",
        "Strings, schedules, whole bundles and claims inside claims have limits, far above what a scenario needs, so "
        "that no input can exhaust the memory of whoever checks it.",
        _edited(_REPLY, ("  expect {\n    m1 sent exactly once within 10\n  }", _nested(11))),
        _edited(_REPLY, ("  expect {\n    m1 sent exactly once within 10\n  }", _nested(9))),
    ),
    _row(
        227,
        "compared-with-itself",
        "a message is compared with itself",
        "`distinct` says that two messages become two work items; of one message it says nothing that can be true.",
        _edited(_REPLY, ("m1 sent exactly once within 10", "m1, m1 distinct")),
        _edited(
            _REPLY,
            ("  expect", '  at 0 deliver m2 in order "Hello?"\n\n  expect'),
            ("m1 sent exactly once within 10", "m1, m2 distinct"),
        ),
    ),
    _row(
        228,
        "index-count",
        "a name has different numbers of indices",
        "`m[3]` and `m[3][1]` would be things of two kinds under one name. A name has the same number of indices "
        "wherever it stands, or none.",
        _edited(_LOOP, ("{ m[i] sent", "{ m[i][1] sent")),
        _GOOD_LOOP,
    ),
    _row(
        229,
        "too-many-records",
        "loops and families make too much",
        "Statements, expectations and conversations that loops and families make of a file are counted before anything is "
        "made: at most 100,000 together, in at most 10,000 scenarios. A loop counts as one record at least, and so does "
        "each of its passes.",
        _edited(_LOOP, ("1..2 {\n    conv", "1..1000000 {\n    conv")),
        _GOOD_LOOP,
    ),
    _row(
        230,
        "no-values",
        "a parameter has no values",
        "A family has one scenario for each combination of values. A range whose first end is greater than its last has "
        "no values, so there would be no scenario at all.",
        _edited(_FAMILY, ("gap in [0, 20]", "gap in 3..0")),
        _edited(_FAMILY, ("gap in [0, 20]", "gap in 0..3")),
    ),
    _row(
        231,
        "idle-loop",
        "a loop has no pass",
        "A range whose first end is greater than its last has no numbers, so nothing of the loop happens. That is said "
        "where it is so in every pass of the loops around it, and in every scenario of a family.",
        _edited(
            _LOOP,
            (
                "for i in 1..2 { m[i] sent exactly once within 10 }",
                "for i in 2..1 { m[i] sent }\n    m[1] sent\n    m[2] sent",
            ),
        ),
        _GOOD_LOOP,
        Severity.WARNING,
    ),
    _row(
        232,
        "impossible-allow",
        "this code cannot be allowed",
        "`allow` suppresses advice and verdicts with which an author can live: lint, ambiguity, what tests nothing. It "
        "never suppresses that a text has no meaning (errors of syntax, names and schedules), that no system can pass, or "
        "that a question was not answered.",
        _edited(_REPLY, ("  at 0", '  allow WP201 "the name is known elsewhere"\n  at 0')),
        _ALLOWED,
    ),
    _row(
        233,
        "unused-allow",
        "an `allow` allows nothing",
        "No finding of this code is in the construct that the `allow` stands before. It may have been repaired; left "
        "standing, the line would silently allow what comes later. Nothing is said where verification did not come to "
        "an end.",
        _edited(_REPLY, ("  at 0", '  allow WP310 "kept for later"\n  at 0')),
        _ALLOWED,
        Severity.WARNING,
    ),
    _row(
        234,
        "incomplete-anchors",
        "the stub's list of anchors is not complete",
        "The stub model answers with the reply of the first anchor, in its order, that a request carries. An order that "
        "leaves out a conversation's anchor does not say when that one is found; without any list it is the order of "
        "declaration.",
        _stub("refund"),
        _stub("refund, order"),
    ),
    _row(
        236,
        "unused-parameter",
        "a parameter is not used",
        "Nothing in the family depends on the parameter, so that scenarios differ in their ids only.",
        _edited(_FAMILY, ("gap in [0, 20]", "gap in [0, 20], day in 1..2")),
        _GOOD_FAMILY,
        Severity.WARNING,
    ),
    _row(
        237,
        "timed-under-when",
        "what needs a written tick stands under `when`",
        "Effects are held and released, and signals deferred, at ticks that are known beforehand: whether a tick is held "
        "may not depend on the system under test, and what stands under `when` waits for a record already.",
        _edited(_REPLY, ("\n\n  expect", "\n  when m1 drafted hold effects\n\n  expect")),
        _edited(
            _REPLY,
            ("\n\n  expect", "\n  at 4 hold effects\n  at 8 release effects\n\n  expect"),
            ("within 10", "within 10 of m1"),
        ),
    ),
)
