"""Emission: order, ids, defaults, places; and any well-formed text gives a bundle that loads without a finding."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wellposed.compiler.canonical import decode
from wellposed.compiler.compilation import CompiledScenario, compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.load import load_bundle
from wellposed.compiler.source_map import resolves
from wellposed.dsl import tree
from wellposed.dsl.findings import Severity, Span
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import POSTURES, REASONS, TRIGGERS

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
EVERY_FORM = GOLDEN / "every-form" / "source.scenario"
HEAD = 'conversation c { from "a@x" subject "s" anchor "A-1" } at 0 deliver m1 in c "b"'


def compiled(text: str) -> CompiledScenario:
    (scenario,) = compile_source(SourceFile("x.scenario", text)).scenarios
    return scenario


def document(body: str, header: str = "level L6 horizon 99") -> dict[str, Any]:
    scenario = compiled(f"scenario x {{ {header} {HEAD} {body} }}")
    assert scenario.bundle is not None, scenario.findings
    assert load_bundle(scenario.bundle.raw, "x")[1] == ()
    return dict(scenario.bundle.document)


def ids(body: str) -> list[str]:
    entries = document(body)["schedule"][1:]
    return [next(value for name, value in entry["record"].items() if name.endswith("_id")) for entry in entries]


def test_every_member_is_written_with_its_default() -> None:
    document_ = document("")
    assert document_["title"] == "x"
    assert document_["skin"] == "support-desk"
    assert document_["mode"] == {"changed_at": 0, "posture": "normal"}
    assert document_["rules"] == [{"name": "all", "rules": [{"effect": "admit", "id": "all", "when": []}]}]
    assert document_["catches"] == []


def test_the_schedule_is_ordered_by_tick_then_as_written_with_triggers_last() -> None:
    body = "when m1 sent crash at 9 { crash as b jump to 12 } at 5 crash as a at 9 crash as c when m1 drafted crash"
    assert ids(body) == ["a", "b", "jump.1", "c", "crash.1", "crash.2"]


def test_where_a_block_stands_in_the_text_does_not_change_the_bundle() -> None:
    early = compiled(f"scenario x {{ level L1 horizon 9 at 5 crash {HEAD} at 7 jump to 9 expect {{ m1 sent }} }}")
    late = compiled(
        f"scenario x {{ level L1 horizon 9 expect {{ m1 sent }} at 7 jump to 9 {HEAD} at 3 + 2 {{ crash }} }}"
    )
    assert early.bundle is not None and late.bundle is not None
    assert early.bundle.hash == late.bundle.hash


def test_derived_ids_count_the_unnamed_records_in_the_order_of_the_schedule() -> None:
    body = """
        at 9 approve m1  at 5 approve m1  at 6 approve m1 as go  at 5 reject m1  at 4 { escalate m1 escalate m1 }
        at 3 kill agent of m1  at 2 kill agent "a1"  at 1 kill agent "m1"  at 7 posture normal  at 8 rules all
    """
    assert ids(body) == [
        "m1.death.1",
        "a1.death.1",
        "m1.death.2",
        "m1.escalate.1",
        "m1.escalate.2",
        "m1.approve.1",
        "m1.reject.1",
        "go",
        "posture.1",
        "rules.1",
        "m1.approve.2",
    ]


def test_a_derived_id_is_never_one_that_is_written() -> None:
    scenario = compiled(
        f'scenario x {{ level L2 horizon 9 {HEAD} at 1 forge approval "CRASH.1" for m1 with wrong hash at 2 crash }}'
    )
    assert scenario.bundle is None
    assert [finding.code for finding in scenario.findings] == ["WP213"]


def test_rules_versions_stand_in_order_of_first_use() -> None:
    rules = " ".join(f"rules {name} {{ admit rest }}" for name in "abcd")
    changes = "at 9 rules c at 5 rules b at 6 rules a at 7 rules b when m1 sent rules d"
    scenario = compile_source(
        SourceFile("x.scenario", f"{rules} scenario x {{ level L2 horizon 9 rules a {HEAD} {changes} }}")
    ).scenarios[0]
    assert scenario.bundle is not None
    assert [one["name"] for one in scenario.bundle.document["rules"]] == ["a", "b", "c", "d"]
    assert load_bundle(scenario.bundle.raw, "x")[1] == ()


def test_anchors_are_put_in_once_and_never_rescanned() -> None:
    conversation = r'conversation d { from "\{anchor\}" subject "<{anchor}>" anchor "\{anchor\}" }'
    body = conversation + r' at 1 deliver m2 in d "{anchor}\{anchor\}"'
    record = document(body)["schedule"][1]["record"]
    assert (record["from"], record["subject"], record["body"]) == ("{anchor}", "<{anchor}>", "{anchor}{anchor}")


def test_a_relative_jump_is_absolute_where_its_tick_is_known() -> None:
    entries = document("at 5 jump by 7 when m1 sent jump by 7")["schedule"]
    assert [entry["record"] for entry in entries[1:]] == [
        {"fault_id": "jump.1", "fault": "jump", "to": 12},
        {"fault_id": "jump.2", "fault": "jump", "by": 7},
    ]


def test_no_invariants_stand_under_invariants_only_expect() -> None:
    assert document("invariants only expect")["invariants"] == []
    assert document("", "level L0 horizon 9")["invariants"][-1] == "L1.fork"


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/id", "every-form"),
        ("/horizon", "horizon (6 + 4) * 7 - 10"),
        ("/level", "level   L3"),
        ("/mode", "posture maintenance"),
        ("/rules", "rules   support-desk"),
        ("/rules/1", "strict"),
        ("/rules/1/rules/0", 'admit  vip when posture is vip-only and body starts with "Dear"'),
        ("/stub/anchors/0", '"ORD-1001"'),
        ("/schedule/2", 'deliver m3 in order "And my refund?" with { from "eve@example.test" subject "{anchor}?" }'),
        ("/schedule/2/at", "m2 + 2"),
        ("/schedule/6/record/approval_id", "go: approve m1"),
        ("/schedule/18", "escalate m2 as stop"),
        ("/schedule/20/when", "m1"),
        ("/expect/1", "m1 admitted within 5"),
        ("/expect/24/of/0/1", "m2 open"),
        ("/expect/25/if", "m2 admitted within 5"),
        ("/expect/25/else/of/1/0", "m2 abandoned because crash"),
        ("/stub", "every-form"),
    ],
)
def test_elements_of_the_bundle_are_found_in_the_source(pointer: str, text: str) -> None:
    source = SourceFile("source.scenario", EVERY_FORM.read_text(encoding="utf-8"))
    (scenario,) = compile_source(source, Importer(FolderReader(EVERY_FORM.parent))).scenarios
    assert scenario.bundle is not None
    place = scenario.bundle.place(pointer)
    assert isinstance(place, Span)
    assert place.path == "source.scenario"
    assert source.text_of(place) == text


def test_two_golden_cases_have_every_statement_and_every_claim() -> None:
    seen: set[type] = set()

    def visit(value: object) -> None:
        if isinstance(value, tuple):
            for one in value:
                visit(one)
        elif hasattr(value, "__slots__"):
            seen.add(type(value))
            for name in type(value).__slots__:
                visit(getattr(value, name))

    for path in (EVERY_FORM, GOLDEN / "holds-and-waits" / "source.scenario"):
        visit(parse(SourceFile("x.scenario", path.read_text(encoding="utf-8")))[0])
    assert set(typing.get_args(tree.Statement)) | set(typing.get_args(tree.Claim)) <= seen


# Random texts

HORIZON = 60
WHICH = ["newest draft of", "oldest draft of"]
STRINGS = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp", "Cn")), max_size=12)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("{", "\\{").replace("}", "\\}") + '"'


class Builder:
    """Writes one scenario, keeping track of what later statements may refer to."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.anchored = draw(st.lists(st.booleans(), min_size=1, max_size=3))
        self.messages = {f"m{number}": self.number(0, 40) for number in range(draw(st.integers(1, 4)))}
        self.labels: dict[str, int | None] = {}
        self.repeatable: dict[str, int] = {}
        self.count = 0
        self.jumped = 0

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def pick(self, values: typing.Iterable[Any]) -> Any:
        return self.draw(st.sampled_from(sorted(values)))

    def conversations(self) -> list[str]:
        lines = []
        for number, has_anchor in enumerate(self.anchored):
            anchor = f"anchor {quoted('A' + self.draw(STRINGS))}" if has_anchor else ""
            subject = f'{quoted(self.draw(STRINGS))[:-1]}{{anchor}}"' if has_anchor else quoted(self.draw(STRINGS))
            lines.append(f"conversation c{number} {{ from {quoted(self.draw(STRINGS))} subject {subject} {anchor} }}")
        return lines

    def deliveries(self) -> list[str]:
        lines = []
        for message, tick in self.messages.items():
            number = self.number(0, len(self.anchored) - 1)
            body = "{anchor}" if self.anchored[number] else ""
            override = self.draw(st.sampled_from(["", 'with { from "eve" }', 'with { subject "other" from "eve" }']))
            lines.append(f'at {self.tick(tick)} deliver {message} in c{number} "{body}!" {override}')
        return lines

    def tick(self, value: int) -> str:
        """An expression with this value."""
        form = self.number(0, 3)
        if form == 1:
            return f"({value + 3} - 3)"
        if form == 2:
            return f"{value // 2} * 2 + {value % 2}"
        known = {name: at for name, at in self.labels.items() if at is not None and at <= value}
        if form == 3 and known:
            name = self.pick(known)
            return f"{name} + {value - known[name]}"
        return str(value)

    def label(self, at: int | None) -> tuple[str, str]:
        """What stands before and behind a statement, entered as a name half of the time."""
        form = self.number(0, 3)
        if form < 2:
            return "", ""
        self.count += 1
        name = f"l-{self.count}"
        self.labels[name] = at
        return (f"{name}:", "") if form == 2 else ("", f"as {name}")

    def statement(self, at: int | None, trigger: str | None) -> str:
        """A statement that is possible at this tick, or under a trigger of this message."""
        message = self.pick(self.messages)
        kinds = ["decide", "escalate", "kill", "agent", "crash", "posture", "rules", "dangling", "hash"]
        if trigger is not None or self.messages[message] < typing.cast(int, at):
            kinds.append("redeliver")
        earlier = [name for name, tick in self.repeatable.items() if at is not None and tick < at]
        kinds += ["repeat"] * bool(earlier)
        if at is None or self.jumped <= at < HORIZON:
            kinds.append("jump")
        kind = self.pick(kinds)
        self.count += 1
        fixed = {
            "redeliver": f"redeliver {trigger or message}",
            "repeat": f"repeat {self.pick(earlier)}" if earlier else "",
            "dangling": f'forge {self.pick(["approval", "rejection"])} "f{self.count}" for draft "ghost-{self.count}"',
            "hash": f'forge {self.pick(["approval", "rejection"])} "f{self.count}" for {message} with wrong hash',
        }
        if kind in fixed:
            return fixed[kind]
        before, behind = self.label(at)
        later = "deferred" if at is not None and self.draw(st.booleans()) else ""
        if kind in ("decide", "escalate", "kill", "agent") and at is not None and (before or behind):
            self.repeatable[next(reversed(self.labels))] = at
        if kind == "jump":
            action = self.jump(at)
        else:
            action = {
                "decide": f"{self.pick(['approve', 'reject'])} {self.pick(['', *WHICH])} {message}",
                "escalate": f"escalate {message} {later}",
                "kill": f"kill agent of {message} {later}",
                "agent": f'kill agent "a{self.number(1, 2)}"',
                "crash": "crash",
                "posture": f"posture {self.pick(POSTURES)}",
                "rules": f"rules {self.pick(['all', 'strict'])}",
            }[kind]
        return f"{before} {action} {behind}"

    def jump(self, at: int | None) -> str:
        if at is None:
            return f"jump by {self.number(1, 5)}" if self.draw(st.booleans()) else f"jump to {self.number(5, HORIZON)}"
        self.jumped = self.number(at + 1, HORIZON)
        return f"jump to {self.jumped}" if self.draw(st.booleans()) else f"jump by {self.jumped - at}"

    def schedule(self) -> list[str]:
        lines = []
        for at in sorted(self.draw(st.lists(st.integers(0, HORIZON), max_size=8))):
            tick = self.tick(at)
            inside = [self.statement(at, None) for _ in range(self.number(1, 3))]
            lines.append(f"at {tick} {{ {' '.join(inside)} }}" if len(inside) > 1 else f"at {tick} {inside[0]}")
        for number, at in enumerate(sorted(self.draw(st.sets(st.integers(0, HORIZON), max_size=4)))):
            tick = self.tick(at)
            before, behind = self.label(at)
            lines.append(f"at {tick} {before} {('release' if number % 2 else 'hold')} effects {behind}")
        for _ in range(self.number(0, 2)):
            message = self.pick(self.messages)
            inside = [self.statement(None, message) for _ in range(self.number(1, 2))]
            lines.append(f"when {message} {self.pick(TRIGGERS)} {{ {' '.join(inside)} }}")
        return lines

    def claim(self, depth: int = 0) -> str:
        message = self.pick(self.messages)
        window = f"within {self.number(0, 70)}" if self.draw(st.booleans()) else ""
        moment = self.pick({*self.messages, *self.labels})
        anchored = [f"c{number}" for number, has_anchor in enumerate(self.anchored) if has_anchor]
        forms = [
            f"{message} admitted {window}",
            f"{message} drafted {window}",
            f"{message} not admitted",
            f"{message} sent {window}",
            f"{message} sent exactly once {window}",
            f"{message} sent within 5 of {moment}",
            f"{message} sent exactly once within 9 of {moment}",
            f"{message} never sent",
            f"{message} not sent after {moment}",
            f"{message} completed",
            f"{message} open",
            f"{message} abandoned",
            f"{message} abandoned because {self.pick(REASONS)}",
            f"{message} reply in c0",
            f"{message} reassigned or orphaned",
            f"claims on {message} settle within {self.number(0, 9)}",
            "state agrees",
        ]
        forms += [f"{message} reply carries anchor of {name}" for name in anchored]
        others = sorted(set(self.messages) - {message})
        forms += [f"{message}, {others[0]} distinct"] if others else []
        named = self.draw(st.lists(st.sampled_from(sorted(self.messages)), min_size=1, unique=True))
        forms += [f"only {', '.join(named)} sent", f"only {' then '.join(named)} sent"]
        choice = self.number(0, len(forms) + (1 if depth < 3 else -1))
        if choice < len(forms):
            return forms[choice]
        if choice == len(forms):
            return "if {} then {} else {}".format(*(self.claim(depth + 1) for _ in range(3)))
        braces = ["{ " + " ".join(self.claim(depth + 1) for _ in range(self.number(1, 2))) + " }" for _ in range(2)]
        return f"any of {' or '.join(braces)}"

    def text(self) -> str:
        items = [*self.conversations(), *self.deliveries(), *self.schedule()]
        items.append(f"expect {{ {' '.join(self.claim() for _ in range(self.number(1, 4)))} }}")
        items += ["invariants only expect"] * self.draw(st.booleans())
        separator = self.draw(st.sampled_from([" ", "\n", "\r\n", "  # note\n"]))
        header = f"level L{self.number(0, 6)} horizon {HORIZON} {self.draw(st.sampled_from(['', 'rules strict']))}"
        strict = 'rules strict { admit some when subject contains "a" and sender.messages < 3 refuse rest }'
        return separator.join([strict, "scenario x {", header, *self.draw(st.permutations(items)), "}"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    return Builder(draw).text()


@given(texts())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_well_formed_text_gives_a_bundle_that_loads_unharmed(text: str) -> None:
    scenario = compiled(text)
    assert [finding for finding in scenario.findings if finding.severity is Severity.ERROR] == []
    assert scenario.bundle is not None
    loaded, findings = load_bundle(scenario.bundle.raw, "bundle.json")
    assert findings == ()
    assert loaded is not None and loaded.document == scenario.bundle.document == decode(scenario.bundle.raw)
    assert scenario.bundle.source_map is not None
    for pointer, span in scenario.bundle.source_map.spans.items():
        assert resolves(loaded.document, pointer)
        assert 0 <= span.start < span.end <= len(text)


NUMBERS = [str(number) for number in (*range(13), 59, 60, 61)]
NAMES = ["m0", "m1", "m2", "c0", "c1", "l-1", "l-2", "l-3", "all", "strict", "normal", "crash", "M0", "ghost-m"]
VERBS = [
    *("approve", "reject", "escalate", "redeliver", "repeat", "hold", "release"),
    *("at", "when", "drafted", "admitted", "sent"),
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A well-formed text with a few words replaced by others of their class, which mostly leaves it a text."""
    words = draw(texts()).split(" ")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(words) - 1))
        classes = [one for one in (NUMBERS, NAMES, VERBS) if words[at] in one]
        words[at] = draw(st.sampled_from(classes[0] if classes else [words[at]]))
    return " ".join(words)


@given(damaged())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_text_gives_errors_or_bundles_that_load(text: str) -> None:
    compilation = compile_source(SourceFile("x.scenario", text))
    errors = {finding.scenario for finding in compilation.findings if finding.severity is Severity.ERROR}
    assert compilation.scenarios or errors or compilation.tree is not None
    for scenario in compilation.scenarios:
        if scenario.bundle is None:
            assert scenario.id in errors or None in errors
        else:
            assert scenario.id not in errors or len(compilation.scenarios) > 1
            assert load_bundle(scenario.bundle.raw, "bundle.json")[1] == ()
