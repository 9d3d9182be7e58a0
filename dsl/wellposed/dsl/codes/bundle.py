"""WP7xx: bundles and the canonical form.

Examples of kind "bundle" are the text of a `bundle.json`, "bytes" the same written as Python writes bytes; "folder" are shell
commands, run inside the folder of a bundle as `wellposed build` writes it; "fixture" are the files of a folder to adopt.
"""

from __future__ import annotations

from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.findings import Severity
from wellposed.dsl.vocabulary import obligations_of_level

_GOOD = (
    '{"catches":[],"expect":[{"claim":"sent","from":"m1","of":"m1","once":true,"within":10}],"format":"wellposed-bundle/1","horizon":20,"id":"hello",'
    '"invariants":["K.declared","K.redeclare","K.admitted","K.completed","K.reason","K.closed","L0.draft","L0.reply","L0.abandon","L1.once","L1.fork"],'
    '"level":0,"mode":{"changed_at":0,"posture":"normal"},"readings":"amr/0.14-base.1",'
    '"rules":[{"name":"all","rules":[{"effect":"admit","id":"all","when":[]}]}],'
    '"schedule":[{"at":0,"channel":"inbox","record":{"at":0,"body":"Hello.","conversation_id":"order","from":"ada@example.test","id":"m1",'
    '"subject":"Where is my order?"},"seq":0}],"skin":"support-desk","spec":"amr/0.14",'
    '"stub":{"anchors":[],"replies":[{"conversation_id":"order","parts":["Noted."]}]},"title":"Hello"}\n'
)
_MESSAGE = _GOOD[_GOOD.index('{"at":0') : _GOOD.index('],"skin"')]


_LATE = _MESSAGE.replace('"m1"', '"m2"').replace('"at":0', '"at":9').replace('"seq":0', '"seq":1')
_EARLY = f"""{_MESSAGE},{_LATE},{_LATE.replace('"at":9,', '').replace('"seq":1', '"seq":2,"when":{"event":"drafted","work_id":"work:m1"}')}"""


def _edited(old: str, new: str) -> Example:
    """The good bundle with one piece of its text replaced wherever it stands."""
    return Example("bundle", _GOOD.replace(old, new))


def _literal(title: str) -> str:
    """The good bundle as Python writes its bytes, with this title as it stands in the literal."""
    text = _GOOD.rstrip("\n").replace('"title":"Hello"', f'"title":"{title}"')
    return f"b'{text}\\n'"


def _with_entry(entry: str) -> Example:
    """The good bundle with one more schedule entry."""
    return _edited(_MESSAGE, f"{_MESSAGE},{entry}")


def _row(id: str, slug: str, title: str, explanation: str, bad: Example, good: Example | None = None) -> Code:
    return Code(id, slug, Severity.ERROR, title, explanation, bad, good or Example("bundle", _GOOD))


_CANONICAL = (
    _row(
        "WP701",
        "bundle-not-utf8",
        "a bundle's bytes are not UTF-8",
        """\
A bundle is UTF-8, strictly: bytes that decode in no way, in two ways or to half a character would let two readers see two scenarios. The message gives
the offset of the first such byte. UTF-16 ends here too. Compile the scenario again instead of converting the file.""",
        Example("bytes", _literal("Hello\\xff")),
        Example("bytes", _literal("Hello\\xc3\\xa9")),
    ),
    _row(
        "WP702",
        "bundle-byte-order-mark",
        "a bundle begins with a byte order mark",
        """\
Some editors put the bytes EF BB BF before a UTF-8 text. They would change the hash of the bundle without changing what it says, so they are refused.
Save the file without a byte order mark, or compile the scenario again.""",
        Example("bundle", "\ufeff" + _GOOD),
    ),
    _row(
        "WP703",
        "bundle-not-json",
        "a bundle is not JSON",
        """\
The text breaks off, or holds something that JSON does not have: a comment, a comma before a closing bracket, a string in single quotes, a bare control
character in a string, an unknown escape. The message gives the byte and what was due there.""",
        _edited('"title":"Hello"}', '"title":"Hello",}'),
    ),
    _row(
        "WP704",
        "bundle-not-canonical",
        "a bundle is not in canonical form",
        """\
The document can be read, but its bytes are not the canonical ones: members in the order of their names, no white space, no character escaped without
need, one newline at the end. The identity of a bundle is the SHA-256 of its bytes, so there is exactly one spelling of each document. Pretty-printing a
bundle, or saving it in an editor that adds or drops the last newline, is the usual cause. Compile the scenario again.""",
        _edited('"horizon":20', '"horizon": 20'),
    ),
    _row(
        "WP705",
        "bundle-duplicate-member",
        "an object has a member twice",
        """\
Readers of JSON differ in which of the two they take, so one document would be two scenarios. Names are compared after their escapes are read:
`\\u0061` is `a`.""",
        _edited('"level":0', '"level":0,"level":6'),
    ),
    _row(
        "WP706",
        "bundle-fraction",
        "a number has a fraction or an exponent",
        """\
Ticks, counts and levels are integers, and 1.0, 1e0 and 1 are one number in some readers and two in others. A bundle holds integers only.""",
        _edited('"horizon":20', '"horizon":20.0'),
    ),
    _row(
        "WP707",
        "bundle-negative-zero",
        "a number is written -0",
        """\
Zero has one spelling. Some readers keep the sign of -0 and some do not.""",
        _edited('"level":0', '"level":-0'),
    ),
    _row(
        "WP708",
        "bundle-integer-range",
        "an integer is beyond 2^53-1",
        """\
Readers that keep numbers as binary floating point round larger integers, so that two different bundles would look alike to them. Integers reach from
-9007199254740991 to 9007199254740991.""",
        _edited('"horizon":20', '"horizon":9007199254740992'),
    ),
    _row(
        "WP709",
        "bundle-not-a-number",
        "a bundle holds NaN or Infinity",
        """\
They are not JSON, though some programs write and read them.""",
        _edited('"horizon":20', '"horizon":Infinity'),
    ),
    _row(
        "WP710",
        "bundle-member-name",
        "a member name has other characters than the profile",
        """\
Member names consist of 1 to 128 of the characters A-Z a-z 0-9 _ . / : -. In ASCII the order of bytes, of code points and of UTF-16 units is one order,
and that order is the canonical one. Free text belongs into values.""",
        _edited('"level":0', '"level":0,"l\u00e9vel":6'),
    ),
    _row(
        "WP711",
        "bundle-nul",
        "a string holds the character U+0000",
        """\
Programs written in C end a string there, so what follows would be seen by some readers only. It is refused in every string, escaped or not.""",
        _edited('"title":"Hello"', '"title":"Hello\\u0000"'),
    ),
    _row(
        "WP712",
        "bundle-lone-surrogate",
        "a string holds half a character",
        """\
JSON can escape one half of a UTF-16 pair without the other. No UTF-8 text can hold it, and readers replace it in different ways.""",
        _edited('"title":"Hello"', '"title":"Hello\\ud83d"'),
    ),
    _row(
        "WP713",
        "bundle-too-deep",
        "objects and arrays are nested more than 32 deep",
        """\
No bundle needs it, and readers give up at different depths. Claims nest through `any of` and `if`: write some of them as expectations of their own.""",
        _edited('"parts":["Noted."]', '"parts":' + "[" * 40 + "]" * 40),
    ),
    _row(
        "WP714",
        "bundle-too-large",
        "a bundle or a file of its folder is larger than the limits",
        """\
A bundle has at most 16 MiB and at most 1,000,000 values, counted before anything is read, so that no file can exhaust the memory of a reader. Split the
scenario.

The example stands for one that is too long to print.""",
        Example("folder", "head -c 16777217 /dev/zero | tr '\\0' ' ' > bundle.json"),
        Example("folder", "ls"),
    ),
)

_SHAPE = (
    _row(
        "WP720",
        "bundle-format",
        "a document is not a bundle of this format",
        """\
The member `format` says what a document is. This version reads `wellposed-bundle/1`; a ledger, a report or a bundle of another version is something
else, even where its members look alike.""",
        _edited("wellposed-bundle/1", "scenario-bundle/1"),
    ),
    _row(
        "WP721",
        "bundle-member-missing",
        "an object lacks a member",
        """\
Every member of a bundle is written, defaults included: one meaning has one form. The message names the object and the member.""",
        _edited('"skin":"support-desk",', ""),
    ),
    _row(
        "WP722",
        "bundle-member-unknown",
        "an object has a member that it cannot have",
        """\
Nothing in a bundle is ignored, so nothing unknown is accepted: a reader of the next version could give it a meaning. The message lists the members there
are. Comments, `allow` and `rejected` stay in the source.""",
        _edited('"mode":{"changed_at":0,', '"mode":{"by":"ada","changed_at":0,'),
    ),
    _row(
        "WP723",
        "bundle-wrong-type",
        "a value is of the wrong type",
        """\
For instance a tick written as a string, or null where something is due. The message says what is due and what is there.""",
        _edited('"horizon":20', '"horizon":"20"'),
    ),
    _row(
        "WP724",
        "bundle-wrong-value",
        "a value is outside what is possible here",
        """\
A level above 6, a posture or a claim that does not exist, an id with other characters than ids have, a list that is too short or too long.""",
        _edited('"level":0', '"level":7'),
    ),
    _row(
        "WP725",
        "bundle-unknown-spec",
        "the specification or the readings are not known",
        """\
A verdict is a function of the bundle, the specification and the readings of it that the bundle pins. This version of the tool does not know the ones
that are named, so it cannot say anything about the bundle; a newer one may.""",
        _edited("amr/0.14-base.1", "amr/0.15-base.1"),
    ),
)

_MEANING = (
    _row(
        "WP730",
        "bundle-duplicate-id",
        "one id stands for two things",
        """\
Messages, decisions, signals and faults share one space of ids, since any of them can be the start of a window; rules versions, the rules of one version,
the conversations of the stub and `catches` have their own. Upper and lower case are taken for one. Only a redelivery and a repeated decision or
signal have the id of what they repeat.""",
        _edited(
            '{"effect":"admit","id":"all","when":[]}',
            '{"effect":"admit","id":"all","when":[]},{"effect":"refuse","id":"all","when":[]}',
        ),
    ),
    _row(
        "WP731",
        "bundle-unknown-message",
        "a message is never delivered",
        """\
A decision, a signal, a trigger or a claim is about a message, or about its work item, `work:` and the id of the message; that message must be delivered at
some tick of the schedule. A triggered inbox record can only redeliver.""",
        _edited('"of":"m1"', '"of":"m2"'),
    ),
    _row(
        "WP732",
        "bundle-unknown-conversation",
        "a conversation is not known",
        """\
The conversations of a bundle are those for which the stub has a reply. A message, an anchor or a claim names another one.""",
        _edited('"body":"Hello.","conversation_id":"order"', '"body":"Hello.","conversation_id":"refund"'),
    ),
    _row(
        "WP733",
        "bundle-unknown-rules",
        "a change of rules names a version that is not there",
        """\
`rules` holds every version that comes into force: that of tick 0 first, then each that a change names.""",
        _with_entry(
            '{"at":5,"channel":"faults","record":{"fault":"rules","fault_id":"rules.1","rules":"strict"},"seq":1}'
        ),
    ),
    _row(
        "WP734",
        "bundle-unused-rules",
        "the rules versions are not those in use, in the order of their use",
        """\
The first version is in force at tick 0; the others follow in the order in which the schedule first brings them in. A version that nothing brings in would
make two bundles of one meaning.""",
        _edited('"when":[]}]}]', '"when":[]}]},{"name":"strict","rules":[{"effect":"refuse","id":"rest","when":[]}]}]'),
    ),
    _row(
        "WP735",
        "bundle-unknown-label",
        "a window starts at something that never happens",
        """\
`from` and `after` name a message or the id of a decision, signal or fault of the schedule.""",
        _edited('"from":"m1"', '"from":"go"'),
    ),
    _row(
        "WP736",
        "bundle-changed-copy",
        "a redelivery or repeat is not equal to its original",
        """\
A record with an id that has occurred is the same record again: a redelivered message or a repeated signal differs in its tick only, a repeated decision in
nothing. Other content under a known id would be another message in disguise.""",
        _with_entry(_MESSAGE.replace('"at":0', '"at":5').replace("Hello.", "Bye.").replace('"seq":0', '"seq":1')),
    ),
    _row(
        "WP737",
        "bundle-schedule-order",
        "the schedule is not in order",
        """\
The schedule is one list in the order in which things happen: by tick, then as written, and last what waits for a record (`when`). `seq` is the place in
the list, from 0 on.""",
        _edited('"seq":0', '"seq":1'),
    ),
    _row(
        "WP738",
        "bundle-after-horizon",
        "an entry lies after the horizon",
        """\
The horizon is the last tick, inclusive; what is scheduled after it never happens.""",
        _edited('"at":0', '"at":21'),
    ),
    _row(
        "WP739",
        "bundle-two-ticks",
        "a record and its schedule entry name different ticks",
        """\
Inbox and signal records carry their tick, as the harness writes them; it is that of the entry.""",
        _edited('"record":{"at":0', '"record":{"at":1'),
    ),
    _row(
        "WP740",
        "bundle-jump",
        "a jump does not lead forward, or leads beyond the horizon",
        """\
A jump at t to u removes the ticks between them. Its target lies after the tick at which it fires, which an earlier jump may have moved, and not after the
horizon: the last tick is one that is seen.""",
        _with_entry('{"at":5,"channel":"faults","record":{"fault":"jump","fault_id":"jump.1","to":30},"seq":1}'),
    ),
    _row(
        "WP741",
        "bundle-real-ghost",
        "something real has an id that starts with ghost-",
        """\
The prefix is kept for the draft ids of dangling forgeries, which no implementation can declare.""",
        _edited('"m1"', '"ghost-1"'),
    ),
    _row(
        "WP742",
        "bundle-invariants",
        "the invariants are not the standing obligations of the level",
        """\
`invariants` lists the obligations of the levels 0 to the bundle's own, all of them and in the order of the table, or none (`invariants only expect`).""",
        _edited('"L1.once","L1.fork"', '"L1.once"'),
    ),
    _row(
        "WP743",
        "bundle-stub",
        "the stub does not fit",
        """\
A reply or a claim uses the anchor of a conversation that has none, or a reply has two pieces of text in a row, which are one piece.""",
        _edited('"parts":["Noted."]', '"parts":["Noted, ",{"anchor":true},"."]'),
    ),
    _row(
        "WP744",
        "bundle-file-name",
        "an id cannot be the name of a file",
        """\
The id of a scenario is the name of its folder, that of a rules version the name of a file. Some systems keep names such as `con` or `nul.x` for devices,
and drop a dot at the end.""",
        _edited('"id":"hello"', '"id":"con"'),
    ),
    _row(
        "WP745",
        "bundle-early-copy",
        "a redelivery or repeat may come before its original",
        """\
A copy that waits for a record (`when`) comes whenever the system writes that record. It must not be able to come before the first one: that one then would
be the copy. Let it wait for a record that can only be written later, or give it a tick.""",
        _edited(_MESSAGE, _EARLY),
    ),
    _row(
        "WP746",
        "bundle-hold-out-of-turn",
        "effects are held twice, or released that are not held",
        """\
A fault `hold` closes the outbox and `release` opens it again. They take turns in the order of the schedule, beginning with a hold; the last one need not be
released.""",
        _with_entry('{"at":5,"channel":"faults","record":{"fault":"release","fault_id":"release.1"},"seq":1}'),
    ),
)

_NOTHING = Example("folder", "ls")
_FOLDER = (
    _row(
        "WP750",
        "not-a-bundle-folder",
        "a folder is not a bundle folder",
        """\
A bundle folder holds a `bundle.json`. Writing a bundle replaces a bundle folder of its name, and nothing else: what else lies there is not the tool's to
delete.""",
        Example("folder", "rm bundle.json"),
        _NOTHING,
    ),
    _row(
        "WP751",
        "bundle-folder-stranger",
        "a bundle folder holds something that does not belong there",
        """\
Every file of the folder is derived from `bundle.json`, byte for byte; a further one is either a mistake or an attempt to give a harness something that the
hash does not cover. Only `bundle.map.json` may lie beside them.""",
        Example("folder", "touch notes.txt"),
        _NOTHING,
    ),
    _row(
        "WP752",
        "bundle-not-a-file",
        "a link, pipe, device or folder stands where a file is due",
        """\
Reading a bundle folder never follows a link and opens nothing but regular files, so that a folder cannot show a file from elsewhere, or keep the reader
waiting.""",
        Example("folder", "rm stub.json && ln -s /etc/hostname stub.json"),
        _NOTHING,
    ),
    _row(
        "WP753",
        "bundle-file-differs",
        "a derived file is not what the bundle derives",
        """\
The harness reads the derived files and the hash covers `bundle.json`: where they differ, what runs is not what was published. The message gives the first
line that differs. Write the folder again with `wellposed build`.""",
        Example("folder", "echo >> inbox.jsonl"),
        _NOTHING,
    ),
    _row(
        "WP754",
        "bundle-file-missing",
        "a derived file is missing",
        """\
Every file that the bundle derives is there, an empty one too. Write the folder again with `wellposed build`.""",
        Example("folder", "rm faults.jsonl"),
        _NOTHING,
    ),
    _row(
        "WP755",
        "bundle-wrong-hash",
        "a bundle does not have the hash that is due",
        """\
The bytes of `bundle.json` hash to something else than the hash they were asked for by. They are not read further. This is another bundle.""",
        Example("folder", "echo >> bundle.json # read under the hash that was printed when it was built"),
        _NOTHING,
    ),
    Code(
        "WP756",
        "bundle-map-ignored",
        Severity.WARNING,
        "the source map is ignored",
        """\
`bundle.map.json` tells where each element of the bundle was written. It is not part of the bundle and not trusted: one that is malformed, that belongs to
another bundle or that points outside the working directory is left aside, and places are then given in `bundle.json`.""",
        Example("folder", "echo '{}' > bundle.map.json"),
        Example("folder", "rm -f bundle.map.json"),
    ),
)

_SOURCE = (
    _row(
        "WP760",
        "bundle-without-source",
        "the language has no words for something in a bundle",
        """\
`wellposed decompile` writes a source only where its compilation has the hash of the bundle. Some valid bundles have none: a sealed one (a seal is put on a
bundle, not written), one with a rule that has no conditions and is not called `rest`, ids or strings longer than a source can have, more entries than a
source file of 1 MiB holds. The message says what, the place where in the bundle. The bundle itself is as good as any other.""",
        _edited('"skin":', '"seal":{"alg":"reserve-seal/1","nonce":"' + "0" * 64 + '"},"skin":'),
    ),
)

_FIXTURE = """\
#: inbox.jsonl
{"id": "m1", "conversation_id": "order", "from": "ada@example.test", "subject": "My order", "body": "Where is it?", "at": 0}
#: approvals.jsonl
{"approval_id": "go", "match": {"work_id": "work:m1"}, "decision": "approve", "at": 12}
"""


_COMPLETE = (
    _FIXTURE
    + """\
#: rules.json
[{"id": "all", "effect": "admit", "when": []}]
#: stub.json
{"anchors": [], "replies": [{"conversation_id": "order", "parts": ["Noted."]}]}
#: mode.json
{"posture": "normal"}
#: invariants.json
"""
    + '{"horizon": 40, "invariants": ['
    + ", ".join(f'"{one}"' for one in obligations_of_level(2))
    + "]}\n"
)


def _fixture(old: str, new: str) -> Example:
    """The good fixture with one piece of its text replaced."""
    return Example("fixture", _FIXTURE.replace(old, new))


def _adoption(
    id: str,
    slug: str,
    title: str,
    explanation: str,
    bad: Example,
    severity: Severity = Severity.ERROR,
    good: Example | None = None,
) -> Code:
    return Code(id, slug, severity, title, explanation, bad, good or Example("fixture", _FIXTURE))


_ADOPTION = (
    _adoption(
        "WP770",
        "fixture-missing",
        "a folder is no fixture that could be adopted",
        """\
`wellposed adopt` reads a folder with an `inbox.jsonl` and, as far as they are there, `approvals.jsonl`, `signals.jsonl`, `faults.jsonl`, `rules.json`,
`rules/*.json`, `stub.json`, `mode.json`, `invariants.json` and `scenario.json`. A folder with a `bundle.json` is that of a bundle; `wellposed decompile`
gives its source.""",
        _fixture("#: inbox", "#: outbox"),
    ),
    _adoption(
        "WP771",
        "fixture-member-missing",
        "a record of a fixture lacks a member",
        """\
The message names the member, and the other names under which it is looked for; all of them are in the reference of `adopt`. A member whose value is null
counts as missing.""",
        _fixture('"decision": "approve", ', ""),
    ),
    _adoption(
        "WP772",
        "fixture-wrong-value",
        "a value of a fixture cannot be taken over",
        """\
It has the wrong type, it is a word that nothing is known by, two members say two things of one, or it says something that the language has no words for,
such as an alternative inside a rule. Leaving it out would change what the scenario means, so nothing is adopted. Write that part in the language by
hand.""",
        _fixture('"approve"', '"perhaps"'),
    ),
    _adoption(
        "WP773",
        "fixture-unknown-work",
        "a record of a fixture is about no message of its inbox",
        """\
Work ids are made by the system under test, so a fixture can only name a work item through its message: by the id of the message, alone or behind `work:`,
`work-`, `work_`, `item:`, `item-`, `ticket:` or `ticket-`, or by a conversation that has one message.""",
        _fixture("work:m1", "work:m2"),
    ),
    _adoption(
        "WP774",
        "fixture-dropped",
        "something of a fixture is not in the source",
        """\
It has no meaning in the language: a member that is not known, a file that no fixture has, an invariant in a form of its own. What it asks for may still
be said as an expectation. What changes the meaning of a scenario is never dropped: messages, decisions, signals, faults, and rules that some message can
meet.""",
        _fixture('"at": 0', '"priority": 1, "at": 0'),
        Severity.WARNING,
    ),
    _adoption(
        "WP775",
        "fixture-guessed",
        "something in the source was guessed",
        """\
The fixture does not say it, or says it in other words: the level, the horizon, the order of what several files have for one tick. Every guess is also a
comment at the head of the source. Read them before the verdict is believed.""",
        Example("fixture", _FIXTURE),
        Severity.NOTE,
        Example("fixture", _COMPLETE),
    ),
)

ROWS: tuple[Code, ...] = (*_CANONICAL, *_SHAPE, *_MEANING, *_FOLDER, *_SOURCE, *_ADOPTION)
