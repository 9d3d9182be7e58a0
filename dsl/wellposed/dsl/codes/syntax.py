"""WP1xx: text and syntax."""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity

_REPLY = """scenario single-reply {
  level   L0
  horizon 40

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
  at 12 approve m1 as go

  expect {
    m1 sent exactly once within 5 of go
  }
}
"""

_ORDERS = """rules orders-only {
  admit orders when subject contains "order"
}
"""


def _in(example: str, old: str, new: str) -> str:
    assert old in example, old
    return example.replace(old, new, 1)


def _scenario(old: str = "", new: str = "", base: str = _REPLY) -> Example:
    return Example("scenario", _in(base, old, new))


def _bytes(old: str = "", new: str = "", before: str = "", after: str = "") -> Example:
    return Example("bytes", f'{before}b"""{_in(_REPLY, old, new)}"""{after}\n')


_ANCHOR_LINE = '    anchor  "ORD-1001"\n'
_CLAIM = "m1 sent exactly once within 10"


def _error(id: str, slug: str, title: str, explanation: str, bad: Example, good: Example) -> Code:
    return Code(id, slug, Severity.ERROR, title, explanation, bad, good)


_TEXT = (
    _error(
        "WP101",
        "source-too-large",
        "a source file has at most 1 MiB",
        "A scenario is read by people. A file of more than 1 MiB is generated, and its generator can write several "
        "files, or a loop. The limit also bounds what a hostile file can cost.",
        _bytes(after=' + b"# and so on\\n" * 100000'),
        _bytes(after=' + b"# and so on\\n" * 100'),
    ),
    _error(
        "WP102",
        "not-utf8",
        "a source file is UTF-8",
        "The bytes that go into a bundle are hashed, so there must be one way to read a source file. It is UTF-8, "
        "strictly: no other encoding is guessed and no wrong byte is replaced.",
        _bytes("Hello", "Caf\\xe9"),
        _bytes("Hello", "Caf\\xc3\\xa9"),
    ),
    _error(
        "WP103",
        "byte-order-mark",
        "a source file has no byte order mark",
        "UTF-8 has no byte order to mark. Some editors write the mark all the same; it is invisible, and two files "
        "that look the same would differ in it.",
        _bytes(before='b"\\xef\\xbb\\xbf" + '),
        _bytes(),
    ),
    _error(
        "WP104",
        "bare-carriage-return",
        "lines end with LF or CRLF",
        "A carriage return without a line feed ends a line in some editors and none in others, so that what looks "
        "like the line behind a comment can be part of it.",
        _bytes("  horizon 40\n", "  # the last tick\\r  horizon 40\n"),
        _bytes("  horizon 40\n", "  # the last tick\\r\n  horizon 40\n"),
    ),
    _error(
        "WP105",
        "null-character",
        "U+0000 cannot stand in a source file",
        "Many tools end a text at U+0000. It can stand neither in a source file nor, as an escape, in a string, "
        "because no bundle may contain it.",
        _bytes("Hello", "Hello\\0"),
        _bytes(),
    ),
    _error(
        "WP106",
        "invisible-character",
        "invisible characters are written as escapes",
        "Control and format characters (bidirectional overrides, zero-width characters, soft hyphens) are not shown, "
        "or change the order in which the rest is shown: a reader sees another text than the tool. They cannot stand "
        "in a source file. In a string, where a scenario may well test them, they are written as \\u{…}.",
        _bytes("Hello", "Hello \\xe2\\x80\\xaeyletulosba"),
        _scenario("Hello", "Hello \\u{202E}yletulosba"),
    ),
)

_TOKENS = (
    _error(
        "WP110",
        "stray-character",
        "this sign has no meaning in the language",
        "Outside strings and comments a file is made of words, names, numbers and a few signs. Names are made of "
        "ASCII letters, digits, `_` and single hyphens. Nothing separates statements: each ends by itself.",
        _scenario("level   L0", "level   L0;"),
        _scenario(),
    ),
    _error(
        "WP111",
        "unclosed-string",
        "a string is closed on the line it begins",
        "A string in simple quotes stands on one line, so that a forgotten quotation mark is found where it is missing "
        'and not at the end of the file. A line break inside is written \\n, a quotation mark \\"; a text of several '
        "lines can stand in triple quotes, each on a line of its own.",
        _scenario('"Where is my order?"', '"Where is my order?'),
        _scenario(),
    ),
    _error(
        "WP112",
        "bad-escape",
        "a string knows few escapes",
        'The escapes are \\" \\\\ \\n \\t \\{ \\} and \\u{…} with one to six hexadecimal digits of a Unicode scalar '
        "value other than 0. Anything else after a backslash is an error, so that no string means something else in "
        "a later version.",
        _scenario("Hello,", "Hello\\x2c"),
        _scenario("Hello,", "Hello\\u{2C}"),
    ),
    _error(
        "WP113",
        "bad-number",
        "numbers are whole, decimal and without leading zeros",
        "Ticks and counts are whole numbers, written with the digits 0 to 9 in the one way in which they are shown "
        "everywhere else. `012` is eight in some languages and twelve in others; it is nothing here.",
        _scenario("within 10", "within 010"),
        _scenario(),
    ),
    _error(
        "WP114",
        "number-too-large",
        "numbers are at most 9007199254740991",
        "That is 2^53-1, the largest integer up to which every JSON reader is exact. A bundle has no larger one.",
        _scenario("within 10", "within 9007199254740992 - 9007199254740981"),
        _scenario(),
    ),
    _error(
        "WP115",
        "brackets-too-deep",
        "brackets are nested at most 32 deep",
        "Nobody reads deeper nesting. The limit holds before anything is built, so that a hostile file costs no more "
        "than its length.",
        _scenario("within 10", f"within {'(' * 32}10{')' * 32}"),
        _scenario("within 10", "within (10)"),
    ),
    _error(
        "WP116",
        "expression-too-long",
        "an expression has at most 64 operators",
        "A time is computed from a few names and numbers. What needs more is a table; write its numbers out.",
        _scenario("within 10", f"within 10{' - 1 + 1' * 33}"),
        _scenario("within 10", "within 9 + 1"),
    ),
    _error(
        "WP117",
        "if-too-deep",
        "`if` is nested at most 8 deep",
        "Nobody reads a chain of conditions that deep. `any of { … } or { … }` lists alternatives side by side.",
        _scenario(_CLAIM, "if m1 drafted then " * 9 + _CLAIM + " else m1 open" * 9),
        _scenario(),
    ),
)

_LONG = (
    _error(
        "WP118",
        "loops-too-deep",
        "`for` is nested at most 4 deep",
        "Each loop multiplies what stands inside. Four deep, a short text can already be a very large scenario; what "
        "needs more is better written out by a program.",
        _scenario(_CLAIM, "".join(f"for i{n} in 1..1 {{ " for n in range(5)) + _CLAIM + " }" * 5),
        _scenario(),
    ),
    _error(
        "WP119",
        "long-string-layout",
        'the text in `"""` stands on lines of its own',
        "A string in triple quotes begins on the line behind the opening quotes and ends on the line before the "
        "closing ones. The space before the closing quotes is removed from every line, so that the text can be "
        "indented like what stands around it; a line with less could only be guessed at.",
        _scenario('"Where is my order?"', '"""Where is my order?"""'),
        _scenario('"Where is my order?"', '"""\n      Where is my order?\n      """'),
    ),
)

_SYNTAX = (
    _error(
        "WP120",
        "unexpected",
        "something else was expected here",
        "The message names what could have stood here. Where an operand is missing at the end of a line, the end of "
        "that line is shown, not the next one, whose first word is innocent.",
        _scenario("at 0 deliver", "at deliver"),
        _scenario(),
    ),
    _error(
        "WP121",
        "unclosed-bracket",
        "this bracket is never closed",
        "Shown are the place where the closing bracket was missed and the bracket that it should close. Which one "
        "that is, is a guess from the indentation; nothing else in the language looks at it.",
        _scenario(_ANCHOR_LINE + "  }\n", _ANCHOR_LINE),
        _scenario(),
    ),
    _error(
        "WP122",
        "closes-nothing",
        "this bracket closes nothing",
        "There is one closing bracket more than opening ones. It stands here, or further up, where a block was "
        "closed too early.",
        Example("scenario", _REPLY + "}\n"),
        _scenario(),
    ),
    _error(
        "WP123",
        "reserved-word",
        "the words of the language are not names",
        "Every word of the language is reserved wherever it stands, so that a file is cut into the same words by every "
        "tool. Between backquotes a word is a name: `` `open` ``.",
        _scenario("approve m1 as go", "approve m1 as open", _APPROVAL),
        _scenario(base=_APPROVAL),
    ),
    _error(
        "WP124",
        "out-of-order",
        "imports and header lines come first",
        "`import` lines stand before all declarations of a file, and the header lines of a scenario (`title`, "
        "`level`, `horizon`, `rules`, `posture`, `skin`) before its items: `rules` and `posture` below them are "
        "changes during the run.",
        _scenario("  expect {", "  posture normal\n\n  expect {"),
        _scenario("  horizon 40\n", "  horizon 40\n  posture normal\n"),
    ),
    _error(
        "WP125",
        "given-twice",
        "this line is given twice",
        "Each header line of a scenario, and each of `from`, `subject` and `anchor`, stands at most once. No second "
        "line silently wins over the first.",
        _scenario("level   L0\n", "level   L0\n  level   L1\n"),
        _scenario(),
    ),
    _error(
        "WP126",
        "named-twice",
        "a statement has one name",
        "`approve m1 as go` and `go: approve m1` mean the same: the name is the id of the record and can be used as "
        "a time. A statement has one record and so one name.",
        _scenario("approve m1 as go", "yes: approve m1 as go", _APPROVAL),
        _scenario(base=_APPROVAL),
    ),
    _error(
        "WP127",
        "wrong-kind-of-file",
        "a rules or skin file holds only its kind",
        "A `.rules` file holds only rules and a `.skin` file only skins, so that an import brings what its name "
        "says. A `.scenario` file holds all of them.",
        Example("rules", _ORDERS + '\nskin shop {\n  message "order"\n}\n'),
        Example("rules", _ORDERS),
    ),
)

_LIMITS = (
    _error(
        "WP128",
        "inexpressible-event",
        "no event or attribute of a scenario carries this",
        "The words ask for an event, or for something that a message or a record would have to say, for which the "
        "benchmark has no channel: a pause of everything, an agent that is slow, a decision that sends a draft back, "
        "the name of the approver. Such a word is not a typing error, and no spelling of it would help. The message "
        "says what is missing, why, and what can be written instead; docs/limits.md lists all limits, each with the "
        "public report that asks for it and the words that are recognised.",
        _scenario("approve m1 as go", "approve m1 as go\n  at 14 pause", _APPROVAL),
        _scenario("approve m1 as go", "approve m1 as go\n  at 14 hold effects\n  at 16 release effects", _APPROVAL),
    ),
    _error(
        "WP129",
        "inexpressible-expectation",
        "no expectation can speak of this",
        "An expectation speaks of admissions, claims, drafts, sends, resolutions and snapshots, as far as a record of "
        "the benchmark shows them. The text, the hash, the subject and the recipient of a reply, which of several "
        "drafts is sent, or what a human was asked are in no record, so that no two checkers would agree about them. "
        "The message says why, and what can be expected instead; docs/limits.md lists all limits.",
        _scenario(_CLAIM, _CLAIM + '\n    m1 reply subject "Your order"'),
        _scenario(_CLAIM, _CLAIM + "\n    m1 reply in order"),
    ),
)

ROWS: tuple[Code, ...] = (*_TEXT, *_TOKENS, *_LONG, *_SYNTAX, *_LIMITS)
