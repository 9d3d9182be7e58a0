"""Resolving: times, names of every kind, the order of the schedule, the limits; findings by the text they underline."""

from __future__ import annotations

import pytest

from wellposed.compiler.compilation import CompiledScenario, compile_source
from wellposed.compiler.scenario import Event, RejectedMark
from wellposed.dsl.findings import Span
from wellposed.dsl.source import SourceFile

HEAD = (
    'level L6 horizon 60 conversation c { from "a@x" subject "s" anchor "A-1" } '
    'conversation d { from "b@x" subject "s" }'
)
MAIL = 'at 0 deliver m1 in c "b" at 10 deliver m2 in d "b"'


def source(body: str, head: str = HEAD, mail: str = MAIL) -> SourceFile:
    return SourceFile("x.scenario", f"scenario x {{ {head} {mail} {body} expect {{ m1 reply in c m2 reply in d }} }}")


def scenario_of(text: SourceFile) -> CompiledScenario:
    (scenario,) = compile_source(text).scenarios
    return scenario


def found(body: str, head: str = HEAD, mail: str = MAIL) -> list[tuple[str, str]]:
    """Code and underlined text of every finding but those of unused names and of the checks of `lint`."""
    text = source(body, head, mail)
    compilation = compile_source(text)
    assert compilation.tree is not None, compilation.findings
    findings = [finding for finding in compilation.findings if not "WP313" <= finding.code < "WP400"]
    return [(one.code, text.text_of(one.place)) for one in findings if isinstance(one.place, Span)]


def events(body: str) -> list[Event]:
    resolved = scenario_of(source(body)).scenario
    assert resolved is not None
    return list(resolved.events)


def ticks(body: str) -> dict[str, int | None]:
    return {event.id: event.at for event in events(body)}


# Times


def test_names_mean_written_ticks_in_any_order_of_declaration() -> None:
    body = "at c3 - 1 crash as c1 at m2 + 2 * (c1 - 1) crash as c2 at m1 + 7 { crash as c3 jump by c3 as j }"
    assert ticks(body) | {} == {"m1": 0, "m2": 10, "c1": 6, "c2": 20, "c3": 7, "j": 7}


def test_a_name_may_be_a_time_for_its_neighbours_in_one_block() -> None:
    assert ticks("at 5 { crash as a jump to a + 3 as j }")["j"] == 5


def test_the_horizon_may_be_counted_from_a_name() -> None:
    assert found("at 50 crash as last", HEAD.replace("horizon 60", "horizon last + 10")) == []


@pytest.mark.parametrize("size", [3, 3_000])
def test_chains_of_names_may_be_long(size: int) -> None:
    chain = " ".join(f"at n{number + 1} + 0 crash as n{number}" for number in range(size))
    assert ticks(f"{chain} at 7 crash as n{size}")["n0"] == 7


def test_a_long_circle_is_one_finding_with_some_of_its_places() -> None:
    size = 3_000
    chain = " ".join(f"at n{(number + 1) % size} crash as n{number}" for number in range(size))
    (finding,) = [one for one in scenario_of(source(chain)).findings if one.code == "WP210"]
    assert 2 < len(finding.labels) < 30


@pytest.mark.parametrize(
    ("tick", "expected"),
    [
        ("1 - 2", [("WP209", "1 - 2")]),
        ("5 - 2 - 3", []),
        ("2 - 3 + 1", []),
        ("9007199254740991 - 9007199254740990", []),
        ("9007199254740991 * 2 - 9007199254740991", [("WP209", "9007199254740991 * 2")]),
        ("0 - 9007199254740991 - 1", [("WP209", "0 - 9007199254740991 - 1")]),
        ("m1-1", [("WP201", "m1-1")]),
        ("m9 + 1", [("WP201", "m9")]),
        ("m9 + c", [("WP201", "m9"), ("WP204", "c")]),
        ("61", [("WP305", "61")]),
        ("60", []),
    ],
)
def test_values_of_ticks(tick: str, expected: list[tuple[str, str]]) -> None:
    assert found(f"at {tick} crash") == expected


def test_what_depends_on_a_wrong_tick_is_not_reported_again() -> None:
    assert found("at 1 - 2 crash as a at a + 1 crash as b at b redeliver m1 at a approve m1 as go at 3 repeat go") == [
        ("WP209", "1 - 2")
    ]


def test_one_finding_for_a_block_after_the_horizon() -> None:
    assert found("at 61 { crash crash crash }") == [("WP305", "61")]


@pytest.mark.parametrize(
    ("window", "expected"),
    [("2 * 3 - 6", []), ("1 - 2", [("WP209", "1 - 2")]), ("m1", [("WP204", "m1")]), ("m9 + 1", [("WP204", "m9")])],
)
def test_windows_are_lengths_and_have_no_names(window: str, expected: list[tuple[str, str]]) -> None:
    assert found(f"expect {{ m1 drafted within {window} }}") == expected


# Names


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("at 1 deliver m3 in m1 'b'", [("WP204", "m1")]),
        (
            "at 1 crash as k expect { m1 sent within 1 of k k sent c sent m1 sent within 1 of c }",
            [("WP204", "k"), ("WP204", "c"), ("WP204", "c")],
        ),
        (
            "at 1 crash as k at 2 repeat k at 2 redeliver k at 2 repeat c",
            [("WP204", "k"), ("WP204", "k"), ("WP201", "c")],
        ),
        ("at 1 crash as m1", [("WP202", "m1")]),
        ("at 1 crash as M1", [("WP203", "M1")]),
        ("at 1 crash as c", []),
        ("conversation C { }", [("WP203", "C")]),
        ("conversation c { }", [("WP202", "c")]),
        ("at 1 forge approval 'f' for m1 with wrong hash at 2 crash as f", [("WP202", "f")]),
        ("at 1 forge approval 'f' for m1 with wrong hash as g", [("WP217", "g")]),
        ("at 1 redeliver m1 as again", [("WP217", "again")]),
        ("at 1 approve m1 as go at 2 repeat go as again", [("WP217", "again")]),
        ("when m9 sent crash", [("WP301", "m9")]),
        ("at 1 { escalate m9 kill agent of m9 redeliver m9 reject m9 }", [("WP301", "m9")] * 4),
        ("at 1 forge rejection 'f' for m9 with wrong hash", [("WP301", "m9")]),
        (
            "expect { m1, m9 distinct any of { m9 open } or { if m9 sent then m1 open else m1 sent } }",
            [("WP301", "m9")] * 3,
        ),
        (f"at 1 crash as {'k' * 64}", []),
        (f"at 1 crash as {'k' * 65}", [("WP212", "k" * 65)]),
        ("at 1 forge approval '{anchor}' for m1 with wrong hash", [("WP212", "'{anchor}'")]),
        ("at 1 kill agent 'Ghost-1'", [("WP306", "'Ghost-1'")]),
        ("conversation ghost-c { from 'a' }", [("WP306", "ghost-c")]),
        ("at 1 forge approval 'f' for draft 'ghost-{anchor}'", [("WP212", "'ghost-{anchor}'"), ("WP216", "{anchor}")]),
    ],
)
def test_names(body: str, expected: list[tuple[str, str]]) -> None:
    unquoted = [(code, text.replace("'", '"')) for code, text in expected]
    unused = {("WP310", name) for name in ("ghost-c", "C", "c")}
    assert [one for one in found(body.replace("'", '"')) if one not in unused] == unquoted


@pytest.mark.parametrize("name", ["con", "AUX", "nul", "com1"])
def test_ids_that_some_system_keeps_for_devices(name: str) -> None:
    text = SourceFile("x.scenario", f"scenario {name} {{ {HEAD} {MAIL} }}")
    assert [one.code for one in scenario_of(text).findings if one.severity.value == "error"] == ["WP212"]


def test_unused_names_are_only_reported_of_a_scenario_without_errors() -> None:
    text = SourceFile("x.scenario", f'scenario x {{ {HEAD} at 0 deliver m1 in c "b" at 1 approve m1 as go }}')
    assert [one.code for one in scenario_of(text).findings] == ["WP310", "WP313"]
    text = SourceFile(
        "x.scenario", f'scenario x {{ {HEAD} at 0 deliver m1 in c "b" at 1 approve m1 as go at 2 repeat og }}'
    )
    assert [one.code for one in scenario_of(text).findings] == ["WP201"]


# Order of originals and copies


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("at 10 redeliver m2", []),
        ("at 9 redeliver m2", ["WP302"]),
        ("when m2 admitted redeliver m2", []),
        ("when m1 admitted redeliver m2", ["WP302"]),
        ("when m2 admitted redeliver m1", []),
        ("at 5 approve m1 as go at 5 repeat go", []),
        ("at 5 repeat go at 5 approve m1 as go", ["WP303"]),
        ("at 11 approve m1 as go when m2 sent repeat go", []),
        ("at 12 approve m1 as go when m2 sent repeat go", ["WP303"]),
        ("at 15 approve m1 as go at 10 jump to 20 when m2 sent repeat go", []),
        ("when m1 sent { approve m1 as go repeat go }", []),
        ("when m1 drafted approve m1 as go when m1 sent repeat go", []),
        ("when m1 sent approve m1 as go when m1 drafted repeat go", ["WP303"]),
        ("when m1 sent repeat go when m1 drafted approve m1 as go", ["WP303"]),
        ("when m1 drafted approve m1 as go when m2 sent repeat go", ["WP303"]),
        ("when m1 drafted approve m1 as go at 50 repeat go", ["WP303"]),
    ],
)
def test_copies_come_after_their_originals(body: str, codes: list[str]) -> None:
    assert [code for code, _ in found(body)] == codes


# Jumps


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("at 20 jump to 60", []),
        ("at 20 jump to 61", ["WP308"]),
        ("at 20 jump by 40", []),
        ("at 20 jump by 41", ["WP308"]),
        ("at 60 jump to 61", ["WP308"]),
        ("at 20 jump to 20", ["WP309"]),
        ("at 20 jump to 3", ["WP309"]),
        ("at 20 jump by 0", ["WP309"]),
        ("at 20 { jump to 30 jump to 25 jump to 40 }", []),
        ("at 20 jump to 40 at 30 jump to 40", ["WP309"]),
        ("at 20 jump to 40 at 30 jump to 41", []),
        ("at 20 jump to 40 at 30 jump to 50 at 45 jump to 50", ["WP309"]),
        ("at 20 jump to 40 at 30 jump to 50 at 35 jump by 10", []),
        ("at 20 jump to 40 at 40 jump to 41", []),
        ("when m1 sent jump by 59", []),
        ("when m1 sent jump by 60", ["WP308"]),
        ("when m1 sent jump by 0", ["WP309"]),
        ("when m1 sent jump to 61", ["WP308"]),
        ("at 20 jump to 9007199254740991 + 1", ["WP209"]),
        ("at 20 jump by 9007199254740991", ["WP308"]),
    ],
)
def test_jumps(body: str, codes: list[str]) -> None:
    assert [code for code, _ in found(body)] == codes


# Header, marks


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("horizon 60", [("WP207", "x")]),
        ("level L6", [("WP207", "x")]),
        ("", [("WP207", "x"), ("WP207", "x")]),
        ("level L7 horizon 60", [("WP206", "L7")]),
        ("level L06 horizon 60", [("WP206", "L06")]),
        ("level high horizon 60", [("WP206", "high")]),
        ("level L0 horizon 1000000", []),
        ("level L0 horizon 1000001", [("WP208", "1000001")]),
        ("level L0 horizon 0 - 1", [("WP209", "0 - 1")]),
        ("level L0 horizon 60 posture vip", [("WP205", "vip")]),
        ("level L0 horizon 60 rules some skin some", [("WP201", "some"), ("WP201", "some")]),
        ('level L0 horizon 60 title "{anchor}"', [("WP216", "{anchor}")]),
    ],
)
def test_header_lines(head: str, expected: list[tuple[str, str]]) -> None:
    assert found("", f"{head} {HEAD[HEAD.index('conversation') :]}") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('rejected invalid "why"', ("invalid", None)),
        ('rejected vacuous WP201 "why"', ("vacuous", "WP201")),
        ('rejected well-posed "why"', None),
        ('rejected hopeless "why"', None),
        ('rejected invalid WP299 "why"', None),
    ],
)
def test_the_mark_of_a_rejected_scenario(line: str, expected: tuple[str, str | None] | None) -> None:
    scenario = scenario_of(source(line))
    mark = scenario.rejected
    assert (None if mark is None else (mark.verdict, mark.code)) == expected
    assert [one.code for one in scenario.findings] == ([] if expected else ["WP218"])
    assert mark is None or isinstance(mark, RejectedMark) and mark.reason == "why"


def test_a_mark_survives_the_errors_that_it_announces() -> None:
    scenario = scenario_of(source('rejected invalid WP301 "why" at 1 approve m9'))
    assert scenario.bundle is None
    assert scenario.rejected is not None and scenario.rejected.code == "WP301"


# Limits


def test_a_short_text_cannot_become_a_huge_bundle() -> None:
    anchor = "x" * 90_000
    head = HEAD.replace('"A-1"', f'"{anchor}"')
    assert [code for code, _ in found("", head, MAIL.replace('"b"', '"' + "{anchor}" * 1_000 + '"', 1))] == ["WP226"]
    again = "redeliver m1 " * 300
    assert [code for code, _ in found(f"at 1 {{ {again} }}", head, MAIL.replace('"b"', '"{anchor}"', 1))] == ["WP226"]


def test_a_schedule_has_a_limited_number_of_entries() -> None:
    assert [code for code, _ in found("at 1 { " + "crash " * 100_000 + "}")] == ["WP226"]


# Rules and skins


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('subject is "a"', []),
        ('subject in ["a", "{anchor}"]', []),
        ("subject is a", [("WP223", "a")]),
        ("subject is 1", [("WP223", "1")]),
        ('subject in ["a", b, 2]', [("WP223", "b"), ("WP223", "2")]),
        ('subject < "a"', [("WP223", 'subject < "a"')]),
        ("sender.messages = 1", []),
        ('sender.messages = "1"', [("WP223", '"1"')]),
        ("sender.messages = one", [("WP223", "one")]),
        ("sender.messages in [1, 2]", [("WP223", "sender.messages in [1, 2]")]),
        ("sender.conversation = 1", [("WP205", "sender.conversation")]),
        ("posture not in [normal, vip-only]", []),
        ("posture is vip", [("WP205", "vip")]),
        ('posture is "normal"', [("WP223", '"normal"')]),
        ("posture contains normal", [("WP223", "posture contains normal")]),
        ("form is 1 and too is 2", [("WP205", "form"), ("WP205", "too")]),
    ],
)
def test_conditions(condition: str, expected: list[tuple[str, str]]) -> None:
    text = SourceFile("x.rules", f"rules a {{ admit x when {condition} refuse rest }}")
    compilation = compile_source(text)
    assert compilation.tree is not None, compilation.findings
    found = [(one.code, text.text_of(one.place)) for one in compilation.findings if isinstance(one.place, Span)]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rules all { admit rest }", [("WP202", "all")]),
        ("rules ALL { admit rest }", [("WP202", "ALL")]),
        ("rules con { admit rest }", [("WP212", "con")]),
        ("rules a { admit rest } rules a { admit rest }", [("WP202", "a")]),
        ("rules a { admit rest } rules A { admit rest }", [("WP203", "A")]),
        ('rules a { admit x when body is "b" refuse X when body is "c" }', [("WP203", "X")]),
        ('skin support-desk { message "letter" }', []),
        ('skin a { message "b" } skin A { message "b" }', [("WP203", "A")]),
        ('skin a { message "b" message "c" }', [("WP219", "message")]),
        ('skin a { work "b" }', [("WP205", "work")]),
    ],
)
def test_declarations(text: str, expected: list[tuple[str, str]]) -> None:
    source = SourceFile("x.scenario", text)
    compilation = compile_source(source)
    assert compilation.tree is not None, compilation.findings
    found = [(one.code, source.text_of(one.place)) for one in compilation.findings if isinstance(one.place, Span)]
    assert found == expected


def test_a_skin_may_replace_the_built_in_one() -> None:
    text = f'skin support-desk {{ message "letter" }} scenario x {{ {HEAD} {MAIL} expect {{ m1 sent m2 sent }} }}'
    scenario = scenario_of(SourceFile("x.scenario", text))
    assert scenario.findings == ()
    assert scenario.bundle is not None and scenario.bundle.document["skin"] == "support-desk"


@pytest.mark.parametrize("declaration", ["rules a { admit x when form is 1 }", 'skin a { massage "b" }'])
def test_what_uses_a_wrong_declaration_has_no_bundle_and_no_finding_of_its_own(declaration: str) -> None:
    kind = declaration.split()[0]
    text = f"{declaration} scenario x {{ level L0 horizon 60 {kind} a {HEAD[HEAD.index('conversation') :]} {MAIL} }}"
    scenario = scenario_of(SourceFile("x.scenario", text))
    assert scenario.bundle is None
    assert scenario.findings == ()


def test_an_event_under_a_wrong_trigger_is_not_checked_further() -> None:
    assert found("when m9 sent { crash jump by 0 repeat go } at 59 approve m1 as go") == [("WP301", "m9")]
