"""From text to tree: every form of the language, with the text that each node was read from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from wellposed.dsl import tree
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

Read = Callable[..., tree.File]


def plain(node: Any, text: str) -> Any:
    """A node without spans, in short: a name, number or string is what is written, a tuple a list."""
    if isinstance(node, tuple):
        return [plain(part, text) for part in node]
    if isinstance(node, tree.Name):
        written = text[node.span.start : node.span.end]
        if not node.indices:
            assert written in (node.text, f"`{node.text}`")
        return written
    if isinstance(node, tree.Number):
        assert text[node.span.start : node.span.end] == str(node.value)
        return node.value
    if isinstance(node, tree.Text):
        return text[node.span.start : node.span.end]
    if is_dataclass(node) and not isinstance(node, type):
        parts = [plain(getattr(node, field.name), text) for field in fields(node) if field.name != "span"]
        return (type(node).__name__, *parts)
    return node


def scenario_of(read: Read, body: str) -> tuple[tree.Scenario, str]:
    text = "scenario s {\n" + body + "\n}\n"
    (scenario,) = read(text).declarations
    assert isinstance(scenario, tree.Scenario)
    return scenario, text


STATEMENTS = {
    'deliver m in c "b"': ("Deliver", "m", "c", '"b"', [], None),
    'deliver m in c "b" with { from "f" subject "s" }': (
        *("Deliver", "m", "c", '"b"'),
        [("Field", "from", '"f"'), ("Field", "subject", '"s"')],
        None,
    ),
    "redeliver m": ("Redeliver", "m", None),
    "approve m": ("Decide", "approve", "newest", "m", None),
    "reject m as no": ("Decide", "reject", "newest", "m", "no"),
    "no: reject m": ("Decide", "reject", "newest", "m", "no"),
    "approve newest draft of m": ("Decide", "approve", "newest", "m", None),
    "approve oldest draft of m as go": ("Decide", "approve", "oldest", "m", "go"),
    "no: reject oldest draft of m": ("Decide", "reject", "oldest", "m", "no"),
    "repeat go": ("Repeat", "go", None),
    'forge approval "f" for draft "ghost-1"': ("ForgeDangling", "approve", '"f"', '"ghost-1"', None),
    'forge rejection "f" for draft "ghost-1"': ("ForgeDangling", "reject", '"f"', '"ghost-1"', None),
    'forge approval "f" for m with wrong hash': ("ForgeWrongHash", "approve", '"f"', "m", None),
    'forge rejection "f" for m with wrong hash as g': ("ForgeWrongHash", "reject", '"f"', "m", "g"),
    "escalate m": ("Escalate", "m", False, None),
    "e: escalate m": ("Escalate", "m", False, "e"),
    "escalate m deferred": ("Escalate", "m", True, None),
    "escalate m deferred as e": ("Escalate", "m", True, "e"),
    "kill agent of m": ("KillAgentOf", "m", False, None),
    "d: kill agent of m deferred": ("KillAgentOf", "m", True, "d"),
    'kill agent "a1" as k': ("KillAgent", '"a1"', "k"),
    "crash": ("Crash", None),
    "crash as c": ("Crash", "c"),
    "jump to 60": ("Jump", False, 60, None),
    "jump by go + 1 as j": ("Jump", True, ("Operation", "+", "go", 1), "j"),
    "posture vip-only": ("ChangePosture", "vip-only", None),
    "rules support-desk-v2 as r": ("ChangeRules", "support-desk-v2", "r"),
    "hold effects": ("HoldEffects", None),
    "hold effects as h": ("HoldEffects", "h"),
    "r: release effects": ("ReleaseEffects", "r"),
}


@pytest.mark.parametrize("written", STATEMENTS)
def test_statements(tree_of: Read, written: str) -> None:
    for body, index in (
        (f"at 5 {written}", 0),
        (f"at 5 {{ crash {written} crash }}", 1),
        (f"at 5 {{\n{written}\n}}", 0),
    ):
        scenario, text = scenario_of(tree_of, body)
        (at,) = scenario.items
        assert isinstance(at, tree.At)
        statement = at.statements[index]
        assert plain(statement, text) == STATEMENTS[written]
        assert text[statement.span.start : statement.span.end] == written
        assert text[at.span.start : at.span.end] == body


@pytest.mark.parametrize("event", ["admitted", "drafted", "sent"])
def test_when(tree_of: Read, event: str) -> None:
    body = f"when m {event} {{ crash approve m }}"
    scenario, text = scenario_of(tree_of, body)
    crash, approve = ("Crash", None), ("Decide", "approve", "newest", "m", None)
    assert plain(scenario.items, text) == [("When", "m", event, [crash, approve])]
    assert text[scenario.items[0].span.start : scenario.items[0].span.end] == body
    scenario, text = scenario_of(tree_of, f"when m {event} crash")
    assert plain(scenario.items, text) == [("When", "m", event, [crash])]


CLAIMS = {
    "m admitted": ("Admitted", "m", None),
    "m admitted within 5": ("Admitted", "m", 5),
    "m not admitted": ("Plain", "not-admitted", "m"),
    "m drafted": ("Drafted", "m", None),
    "m drafted within go + 1": ("Drafted", "m", ("Operation", "+", "go", 1)),
    "m sent": ("Sent", "m", False, None, None),
    "m sent exactly once": ("Sent", "m", True, None, None),
    "m sent within 10": ("Sent", "m", False, 10, None),
    "m sent within 5 of go": ("Sent", "m", False, 5, "go"),
    "m sent exactly once within 5 of go": ("Sent", "m", True, 5, "go"),
    "m never sent": ("Plain", "never-sent", "m"),
    "m not sent after stop": ("NotSentAfter", "m", "stop"),
    "m completed": ("Plain", "completed", "m"),
    "m abandoned": ("Abandoned", "m", None),
    "m abandoned because operator_escalation": ("Abandoned", "m", "operator_escalation"),
    "m abandoned because rejected": ("Abandoned", "m", "rejected"),
    "m abandoned because crash": ("Abandoned", "m", "crash"),
    "m open": ("Plain", "open", "m"),
    "m reply carries anchor of c": ("ReplyAnchor", "m", "c"),
    "m reply in c": ("ReplyIn", "m", "c"),
    "m, n distinct": ("Distinct", "m", "n"),
    "only m sent": ("OnlySent", ["m"], False),
    "only m, n, o sent": ("OnlySent", ["m", "n", "o"], False),
    "only m then n then o sent": ("OnlySent", ["m", "n", "o"], True),
    "if only m then n sent then only m sent else only n, m sent": (
        *("If", ("OnlySent", ["m", "n"], True), ("OnlySent", ["m"], False)),
        ("OnlySent", ["n", "m"], False),
    ),
    "claims on m settle within 5": ("ClaimsSettle", "m", 5),
    "m reassigned or orphaned": ("Plain", "reassigned-or-orphaned", "m"),
    "state agrees": ("StateAgrees",),
    "any of { m open } or { m sent n sent }": (
        "AnyOf",
        [
            [("Plain", "open", "m")],
            [("Sent", "m", False, None, None), ("Sent", "n", False, None, None)],
        ],
    ),
    "any of { m open } or { state agrees } or { m open }": (
        "AnyOf",
        [[("Plain", "open", "m")], [("StateAgrees",)], [("Plain", "open", "m")]],
    ),
    "if m open then n open else state agrees": (
        *("If", ("Plain", "open", "m"), ("Plain", "open", "n")),
        ("StateAgrees",),
    ),
    "if if m open then m open else m open then m open else if m open then m open else m open": (
        *("If", ("If", *[("Plain", "open", "m")] * 3)),
        ("Plain", "open", "m"),
        ("If", *[("Plain", "open", "m")] * 3),
    ),
}


@pytest.mark.parametrize("written", CLAIMS)
def test_claims(tree_of: Read, written: str) -> None:
    scenario, text = scenario_of(tree_of, f"expect {{ x open {written} y open }}")
    (expect,) = scenario.items
    assert isinstance(expect, tree.Expect)
    claim = expect.claims[1]
    assert plain(claim, text) == CLAIMS[written]
    assert text[claim.span.start : claim.span.end] == written
    assert len(expect.claims) == 3


EXPRESSIONS = {
    "5": 5,
    "go": "go",
    "go-1": "go-1",
    "go - 1": ("Operation", "-", "go", 1),
    "1 + 2 - 3": ("Operation", "-", ("Operation", "+", 1, 2), 3),
    "1 + 2 * 3": ("Operation", "+", 1, ("Operation", "*", 2, 3)),
    "(1 + 2) * 3": ("Operation", "*", ("Operation", "+", 1, 2), 3),
    "1 - (2 - 3)": ("Operation", "-", 1, ("Operation", "-", 2, 3)),
    "2*i": ("Operation", "*", 2, "i"),
    "((7))": 7,
}


@pytest.mark.parametrize("written", EXPRESSIONS)
def test_expressions(tree_of: Read, written: str) -> None:
    scenario, text = scenario_of(tree_of, f"at {written} crash")
    (at,) = scenario.items
    assert isinstance(at, tree.At)
    assert plain(at.tick, text) == EXPRESSIONS[written]
    if isinstance(at.tick, tree.Operation):
        assert text[at.tick.span.start : at.tick.span.end] == written


def test_a_time_before_a_named_statement(tree_of: Read) -> None:
    scenario, text = scenario_of(tree_of, "at go again: approve m")
    assert plain(scenario.items, text) == [("At", "go", [("Decide", "approve", "newest", "m", "again")])]


def test_headers_and_items(tree_of: Read) -> None:
    body = """title "t" level L6 horizon 2 * 20 rules support-desk posture maintenance skin shop
      expect { m open }
      conversation c { from "f" subject "s" anchor "a" }
      invariants only expect
      conversation empty { }
      rejected ambiguous WP501 "why"
      rejected invalid "no code" """
    scenario, text = scenario_of(tree_of, body)
    assert plain(scenario.name, text) == "s"
    assert plain(scenario.headers, text) == [
        ("Header", "title", '"t"'),
        ("Header", "level", "L6"),
        ("Header", "horizon", ("Operation", "*", 2, 20)),
        ("Header", "rules", "support-desk"),
        ("Header", "posture", "maintenance"),
        ("Header", "skin", "shop"),
    ]
    assert plain(scenario.items, text) == [
        ("Expect", [("Plain", "open", "m")]),
        ("Conversation", "c", [("Field", "from", '"f"'), ("Field", "subject", '"s"'), ("Field", "anchor", '"a"')]),
        ("InvariantsOnlyExpect",),
        ("Conversation", "empty", []),
        ("Rejected", "ambiguous", "WP501", '"why"'),
        ("Rejected", "invalid", None, '"no code"'),
    ]
    written = [text[item.span.start : item.span.end] for item in scenario.items]
    assert written[2] == "invariants only expect"
    assert written[4] == 'rejected ambiguous WP501 "why"'
    assert text[scenario.span.start : scenario.span.end] == text.strip()


def test_rules(tree_of: Read) -> None:
    text = """rules desk {
      admit orders when subject contains "order" and posture is normal
      admit vip when from in ["a", "b"] and conversation not in ["c"] and body is not "x"
      admit old when sender.messages >= 2 and thread.length = 0 and sender.conversations != 1
      refuse spam when subject starts with "re" and body ends with "!"
      refuse odd when colour is blue
      refuse rest
    }"""
    (rules,) = tree_of(text).declarations
    assert plain(rules, text) == (
        "Rules",
        "desk",
        [
            (
                *("Rule", "admit", "orders"),
                [
                    ("Condition", "subject", "contains", ['"order"']),
                    ("Condition", "posture", "is", ["normal"]),
                ],
            ),
            (
                *("Rule", "admit", "vip"),
                [
                    ("Condition", "from", "in", ['"a"', '"b"']),
                    ("Condition", "conversation", "not in", ['"c"']),
                    ("Condition", "body", "is not", ['"x"']),
                ],
            ),
            (
                *("Rule", "admit", "old"),
                [
                    ("Condition", "sender.messages", ">=", [2]),
                    ("Condition", "thread.length", "=", [0]),
                    ("Condition", "sender.conversations", "!=", [1]),
                ],
            ),
            (
                *("Rule", "refuse", "spam"),
                [
                    ("Condition", "subject", "starts with", ['"re"']),
                    ("Condition", "body", "ends with", ['"!"']),
                ],
            ),
            ("Rule", "refuse", "odd", [("Condition", "colour", "is", ["blue"])]),
            ("Rule", "refuse", None, []),
        ],
    )
    assert isinstance(rules, tree.Rules)
    assert text[rules.rules[-1].span.start : rules.rules[-1].span.end] == "refuse rest"
    condition = rules.rules[1].conditions[0]
    assert text[condition.span.start : condition.span.end] == 'from in ["a", "b"]'


def test_skins(tree_of: Read) -> None:
    text = 'skin shop { message "mail" work-item "ticket" agent "a" effect "e" draft "d" approval "ok" other "x" }'
    (skin,) = tree_of(text).declarations
    words = ["message", "work-item", "agent", "effect", "draft", "approval", "other"]
    assert isinstance(skin, tree.Skin)
    assert [entry.word.text for entry in skin.entries] == words
    assert text[skin.entries[1].span.start : skin.entries[1].span.end] == 'work-item "ticket"'


def test_a_file_with_everything(tree_of: Read) -> None:
    text = 'import "a.rules" import "b.skin" rules r { refuse rest } scenario s { } skin k { agent "a" } scenario t { }'
    file = tree_of(text)
    assert [plain(line.path, text) for line in file.imports] == ['"a.rules"', '"b.skin"']
    assert [declaration.name.text for declaration in file.declarations] == ["r", "s", "k", "t"]
    assert file.path == "a.scenario"
    assert (file.span.start, file.span.end) == (0, len(text))


@pytest.mark.parametrize("text", ["", "\n", "# only a comment", "# one\n\n  # two\r\n", " \t \r\n"])
def test_files_without_anything(tree_of: Read, text: str) -> None:
    file = tree_of(text)
    assert (file.imports, file.declarations) == ((), ())


@pytest.mark.parametrize(("path", "text"), [("a.rules", 'import "b.rules" rules r { refuse rest }'), ("a.skin", "")])
def test_rules_and_skin_files(tree_of: Read, path: str, text: str) -> None:
    assert tree_of(text, path).path == path


def test_line_ends_do_not_matter(tree_of: Read) -> None:
    lines = 'scenario s { # "x\n  at 5 { approve m # }\n  crash }\n  expect { m sent\n within\n 5 }\n}\n'
    unix, dos = tree_of(lines), tree_of(lines.replace("\n", "\r\n"))
    assert plain(unix.declarations, lines) == plain(dos.declarations, lines.replace("\n", "\r\n"))
    assert plain(unix.declarations, lines) == plain(
        tree_of(lines.replace("\n", "\n\n")).declarations, lines.replace("\n", "\n\n")
    )


def test_columns_behind_wide_and_astral_characters(tree_of: Read) -> None:
    text = 'scenario s { title "中文𝄞👍" level L0 }'
    (scenario,) = tree_of(text).declarations
    assert isinstance(scenario, tree.Scenario)
    level = scenario.headers[1]
    assert text[level.span.start : level.span.end] == "level L0"
    assert (level.span.line, level.span.column, level.span.end_column) == (1, 27, 35)


def test_spans_agree_with_the_source(tree_of: Read) -> None:
    text = "scenario s {\r\n  at 5 {\n    go: approve m\n  }\n expect { m sent within (1 + 2) * 3 of go } }"
    source = SourceFile("a.scenario", text)

    def check(node: Any) -> None:
        if isinstance(node, tuple):
            for part in node:
                check(part)
        elif is_dataclass(node) and hasattr(node, "span"):
            assert node.span == source.span(node.span.start, node.span.end)
            for field in fields(node):
                if field.name != "span":
                    check(getattr(node, field.name))

    check(tree_of(text))


# Loops, families and what belongs to them


INDEXED = {
    "m[1]": ("m", [1]),
    "m[i]": ("m", ["i"]),
    "m[i - 1]": ("m", [("Operation", "-", "i", 1)]),
    "c[i][2 * j]": ("c", ["i", ("Operation", "*", 2, "j")]),
    "m[n[1]]": ("m", ["n[1]"]),
    "`at`": ("at", []),
    "`m.3`": ("m.3", []),
    "`3-x`": ("3-x", []),
    "`when`[1]": ("when", [1]),
    "m [ 1 ]": ("m", [1]),
}


@pytest.mark.parametrize("written", INDEXED)
def test_names_with_indices_and_in_backquotes(tree_of: Read, written: str) -> None:
    body = f"""
      conversation {written} {{ }}
      at 1 {{ deliver {written} in {written} "b" {written}: approve {written} reject {written} as {written} repeat {written} }}
      at {written} + 1 crash
      when {written} sent crash
      expect {{ {written} sent within {written} of {written} {written}, {written} distinct {written} reply in {written} }}
      stub {{ anchors [{written}] reply {written} "x" }}"""
    scenario, text = scenario_of(tree_of, body)
    names = [name for name in names_of(scenario) if name.span != scenario.name.span and not inside(name, scenario)]
    assert len(names) == 19
    for name in names:
        assert text[name.span.start : name.span.end] == written
        assert (name.text, [plain(index, text) for index in name.indices]) == INDEXED[written]


def names_of(node: Any) -> list[tree.Name]:
    if isinstance(node, tuple):
        return [name for part in node for name in names_of(part)]
    if isinstance(node, tree.Name):
        return [node, *names_of(node.indices)]
    if is_dataclass(node) and not isinstance(node, type):
        return [name for field in fields(node) for name in names_of(getattr(node, field.name))]
    return []


def inside(name: tree.Name, node: Any) -> bool:
    """Whether a name stands in the index of another."""
    return any(
        other.span.start <= name.span.start and name.span.end <= other.span.end and other.span != name.span
        for other in names_of(node)
    )


@pytest.mark.parametrize("written", ["`at`", "`m.1`"])
def test_whatever_is_an_id_may_stand_in_backquotes(tree_of: Read, written: str) -> None:
    text = f"""rules {written} {{ admit {written} when posture is {written} }}
      skin {written} {{ agent "a" }}
      scenario {written} {{ rules {written} skin {written} at 1 rules {written} }}
      family {written}({written} in [{written}]) {{ for {written} in 1..2 {{ at 1 crash }} }}"""
    names = [name for name in names_of(tree_of(text)) if name.text not in ("posture", "agent")]
    assert [name.text for name in names] == [written.strip("`")] * 12


LOOPS = {
    "items": ("for i in 1..3 { at i crash conversation c[i] { } }", ["At", "Conversation"]),
    "one in another": ("for i in 1..3 { for j in i..3 { at j crash } at i crash }", ["For", "At"]),
    "every item": (
        'for i in 1..3 { when m sent crash expect { m open } stub { reply c "x" } catches a rejected invalid "x" }',
        ["When", "Expect", "Stub", "Catches", "Rejected"],
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_of_items(tree_of: Read, name: str) -> None:
    written, kinds = LOOPS[name]
    scenario, text = scenario_of(tree_of, written)
    (loop,) = scenario.items
    assert isinstance(loop, tree.For)
    assert text[loop.span.start : loop.span.end] == written
    assert [type(part).__name__ for part in loop.body] == kinds
    assert plain((loop.variable, loop.low, loop.high), text) == ["i", 1, 3]


def test_loops_in_blocks(tree_of: Read) -> None:
    body = """
      at 5 { crash for i in 1..2 { approve m[i] for j in 0..i { crash } } crash }
      expect { m open for i in n..n + 1 { m[i] open any of { m open } or { m sent } } }
      stub { for i in 1..2 { reply c[i] "x" anchors [a] } }"""
    scenario, text = scenario_of(tree_of, body)
    at, expect, stub = scenario.items
    assert isinstance(at, tree.At)
    assert isinstance(expect, tree.Expect)
    assert isinstance(stub, tree.Stub)
    crash = ("Crash", None)
    assert plain(at.statements, text) == [
        crash,
        ("For", "i", 1, 2, [("Decide", "approve", "newest", "m[i]", None), ("For", "j", 0, "i", [crash])]),
        crash,
    ]
    loop = expect.claims[1]
    assert isinstance(loop, tree.For)
    assert plain(loop.high, text) == ("Operation", "+", "n", 1)
    assert [type(claim) for claim in loop.body] == [tree.Plain, tree.AnyOf]
    assert plain(stub.lines, text) == [("For", "i", 1, 2, [("Reply", "c[i]", '"x"'), ("StubAnchors", ["a"])])]


@pytest.mark.parametrize(
    "written",
    [
        "at 1 for i in 1..2 { crash }",
        "at 1 { for i in 1..2 { at 2 crash } }",
        "expect { any of { for i in 1..2 { m open } } or { m open } }",
        "for i in [1, 2] { at 1 crash }",
        "for i in 1..2 { }",
        'for i in 1..2 { title "x" }',
        "for i[1] in 1..2 { at 1 crash }",
        "stub { }",
        'stub { allow W "x" reply c "x" }',
        "catches",
        "catches a,",
        'allow W "x"',
        "allow W",
        'allow W "x" title "x"',
        'at 1 go: allow W "x" crash',
        'at 1 allow W "x" { crash }',
        'expect { if allow W "x" m open then m open else m open }',
        "level L0[1]",
        "posture normal[1]",
        "expect { m[1, 2] open }",
        "expect { m[] open }",
    ],
)
def test_what_the_language_does_not_have(complaints_about: Callable[..., Any], written: str) -> None:
    complaints_about(f"scenario s {{ {written} }}")


def test_families(tree_of: Read) -> None:
    text = """family f(gap in [10, 50], posture in [normal, vip-only], n in 1..2 * m, level in [L1], rules in [a, `at`]) {
      title "{gap}" level level posture posture rules rules skin skin horizon gap
      at gap crash
    }"""
    (family,) = tree_of(text).declarations
    assert isinstance(family, tree.Family)
    assert plain(family, text) == (
        *("Family", "f"),
        [
            ("Parameter", "gap", [10, 50]),
            ("Parameter", "posture", ["normal", "vip-only"]),
            ("Parameter", "n", ("Range", 1, ("Operation", "*", 2, "m"))),
            ("Parameter", "level", ["L1"]),
            ("Parameter", "rules", ["a", "`at`"]),
        ],
        [
            ("Header", "title", '"{gap}"'),
            ("Header", "level", "level"),
            ("Header", "posture", "posture"),
            ("Header", "rules", "rules"),
            ("Header", "skin", "skin"),
            ("Header", "horizon", "gap"),
        ],
        [("At", "gap", [("Crash", None)])],
    )
    written = [text[one.span.start : one.span.end] for one in family.parameters]
    assert written[:3] == ["gap in [10, 50]", "posture in [normal, vip-only]", "n in 1..2 * m"]


def test_parameters_called_like_headers_in_statements(tree_of: Read) -> None:
    scenario, text = scenario_of(tree_of, "at 1 { posture posture rules rules posture normal }")
    assert plain(scenario.items, text) == [
        (
            "At",
            1,
            [("ChangePosture", "posture", None), ("ChangeRules", "rules", None), ("ChangePosture", "normal", None)],
        )
    ]


def test_stubs_and_catches(tree_of: Read) -> None:
    body = """stub { anchors [order, refund[1]] reply order "Your {anchor}." }
      catches sends-after-escalation, idle"""
    scenario, text = scenario_of(tree_of, body)
    assert plain(scenario.items, text) == [
        ("Stub", [("StubAnchors", ["order", "refund[1]"]), ("Reply", "order", '"Your {anchor}."')]),
        ("Catches", ["sends-after-escalation", "idle"]),
    ]
    (stub, _) = scenario.items
    assert isinstance(stub, tree.Stub)
    assert isinstance(stub.lines[1], tree.Reply)
    assert [getattr(part, "name", part) for part in stub.lines[1].text.parts] == ["Your ", "anchor", "."]


ALLOWED = [
    "scenario s { at 1 crash }",
    "family f(a in [1]) { at 1 crash }",
    "rules r { refuse rest }",
    "at 1 crash",
    "when m sent { crash }",
    "conversation c { }",
    "expect { m open }",
    'stub { reply c "x" }',
    "catches idle",
    "invariants only expect",
    'rejected invalid "x"',
    "for i in 1..2 { at i crash }",
    "go: approve m",
    "approve m as go",
    "crash",
    "m1, m2 distinct",
    "any of { m open } or { m sent }",
    "if m open then m open else m open",
    "admit x when subject is {1}",
    "refuse rest",
]
AROUND = [
    "{0}",
    "scenario s {{ {0} }}",
    "scenario s {{ for i in 1..2 {{ {0} }} }}",
    "scenario s {{ at 1 {0} }}",
    "scenario s {{ at 1 {{ crash {0} crash }} }}",
    "scenario s {{ at 1 {{ for i in 1..2 {{ {0} }} }} }}",
    "scenario s {{ when m sent {0} }}",
    "scenario s {{ expect {{ m open {0} n open }} }}",
    "scenario s {{ expect {{ for i in 1..2 {{ {0} }} }} }}",
    "scenario s {{ expect {{ any of {{ {0} }} or {{ m open }} }} }}",
    "rules r {{ refuse x when body is {1} {0} }}",
]


@pytest.mark.parametrize("around", AROUND)
def test_allow_covers_what_it_stands_before(tree_of: Read, around: str) -> None:
    found = 0
    for covered in ALLOWED:
        construct = covered.replace("{1}", '"x"')
        place = around.format(construct, '"x"')
        text = around.format(f'allow WP501 "one" allow WP502 "two {{x}}" {construct}', '"x"')
        if not is_right(place):
            assert not is_right(text)
            continue
        found += 1
        file = tree_of(text)
        assert [plain((one.code, one.reason), text) for one in file.allows] == [
            ["WP501", '"one"'],
            ["WP502", '"two {x}"'],
        ]
        assert [text[one.covers.start : one.covers.end] for one in file.allows] == [construct] * 2
        assert text[file.allows[0].span.start : file.allows[1].span.end].startswith('allow WP501 "one" allow WP502')
        assert kinds_of(file.declarations) == kinds_of(tree_of(place).declarations)
    assert found >= 2


def is_right(text: str) -> bool:
    return parse(SourceFile("a.scenario", text))[1] == ()


def kinds_of(node: Any) -> list[str]:
    if isinstance(node, tuple):
        return [kind for part in node for kind in kinds_of(part)]
    if is_dataclass(node) and not isinstance(node, type):
        return [type(node).__name__, *(kind for field in fields(node) for kind in kinds_of(getattr(node, field.name)))]
    return []


def test_allows_are_listed_in_the_order_written(tree_of: Read) -> None:
    text = 'allow A1 "x" scenario s { allow A2 "x" at 1 { allow A3 "x" crash } allow A4 "x" at 2 allow A5 "x" crash }'
    assert [one.code.text for one in tree_of(text).allows] == ["A1", "A2", "A3", "A4", "A5"]
