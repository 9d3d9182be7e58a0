"""Loops, indices and families: what variables may be, where they are known, and what each place is told."""

from __future__ import annotations

import pickle

import pytest

from wellposed.compiler.compilation import Compilation, compile_source
from wellposed.compiler.passes import Pass, PassSpan, in_pass, written
from wellposed.dsl.findings import Span
from wellposed.dsl.source import SourceFile

HEAD = 'level L6 horizon 60 conversation c { from "a@x" subject "s" anchor "A-1" }'
MAIL = 'at 0 deliver m1 in c "b"'
UNUSED = {"WP310", "WP313"}


def compiled(text: str) -> Compilation:
    compilation = compile_source(SourceFile("x.scenario", text))
    assert compilation.tree is not None, compilation.findings
    return compilation


def found(text: str) -> list[tuple[str, str]]:
    """Code and underlined text of every finding but those of unused names."""
    compilation = compiled(text)
    findings = [one for one in compilation.findings if one.code not in UNUSED]
    return [(one.code, compilation.source.text_of(one.place)) for one in findings if isinstance(one.place, Span)]


def in_scenario(body: str, head: str = HEAD, mail: str = MAIL) -> list[tuple[str, str]]:
    return found(f"scenario x {{ {head} {mail} {body} }}")


def in_family(parameters: str, body: str = "", head: str = HEAD) -> list[tuple[str, str]]:
    return found(f"family x({parameters}) {{ {head} {MAIL} {body} }}")


# Variables


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for i in 1..2 { at i crash }", []),
        ("for i in 1..2 { for j in i..2 { at i * j crash } }", []),
        ("for i in 1..j { for j in 1..2 { at i crash } }", [("WP201", "j")]),
        ("for i in i..2 { at i crash }", [("WP201", "i")]),
        ("for i in m1..2 { at i crash }", [("WP201", "m1")]),
        ("for i in 1..2 { for i in 1..2 { at i crash } }", [("WP202", "i")]),
        ("for i in 1..2 { at i crash } for i in 1..2 { at i crash }", []),
        ("for m1 in 1..2 { at m1 crash }", [("WP202", "m1")]),
        ("for go in 1..2 { at go crash } at 1 approve m1 as go", [("WP202", "go")]),
        ("for c in 1..2 { at c redeliver m1 }", []),
        ("for `anchor` in 1..2 { at 1 crash }", [("WP202", "`anchor`")]),
        ("for `at` in 1..2 { at `at` crash }", []),
        (f"for {'i' * 65} in 1..2 {{ at 1 crash }}", [("WP212", "i" * 65)]),
        ("for i in 1..2 { at 1 crash as k[j] }", [("WP201", "j")]),
        ("for i in 1..2 { at 1 crash as k[i-1] }", [("WP201", "i-1")]),
        ("for i in 1..2 { at 1 crash as k[m1] }", [("WP201", "m1")]),
        ("for i in 1..2 { at i[1] crash }", [("WP204", "i[1]")]),
        ("for i in 1..2 { at 1 crash as k[i[1]] }", [("WP204", "i[1]")]),
        ("for i in 1..2 { at 1 crash as k[i] at k[j] crash }", [("WP201", "j")]),
        ("for i in 1..2 { at i crash } at i crash", [("WP201", "i")]),
        ("for i in 1..2 { when m1 sent jump by i }", []),
        ("for i in 1..2 { expect { m1 drafted within i } }", []),
    ],
)
def test_variables_are_known_in_their_loop(body: str, expected: list[tuple[str, str]]) -> None:
    assert in_scenario(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("at 1 crash as k[1] at k[1] + 1 crash at k[2 - 1] + 2 crash", []),
        ("at 1 crash as k[1] at k + 1 crash", [("WP228", "k")]),
        ("at 1 crash as k[1] at k[1][1] + 1 crash", [("WP228", "k[1][1]")]),
        ("conversation d[1] { } at 1 deliver d[1][1] in d[1] 'b' with { from 'a' subject 's' }", []),
        ("conversation d[1] { } at 1 deliver m[1] in d 'b'", [("WP228", "d")]),
        ("at 1 crash as k[0 - 1]", [("WP209", "0 - 1")]),
        ("at 1 crash as k[9007199254740991 + 1]", [("WP209", "9007199254740991 + 1")]),
        ("for i in 9007199254740991..9007199254740991 + 1 { at 1 crash }", [("WP209", "9007199254740991 + 1")]),
        ("for i in 0..2 { at 1 crash as k[i - 1] }", [("WP209", "i - 1")]),
        ("for i in 0 - 2..0 - 1 { at i + 2 crash }", []),
        (f"at 1 crash as {'k' * 64}[1]", []),
        (f"at 1 crash as {'k' * 65}[1]", [("WP212", f"{'k' * 65}[1]")]),
        (f"at 1 crash as {'k' * 64}" + "[9007199254740991]" * 4, [("WP212", f"{'k' * 64}" + "[9007199254740991]" * 4)]),
        ("at 1 crash as k[1] at 2 crash as `k.1`", [("WP202", "`k.1`")]),
        ("at 1 crash as `crash`[1] at 2 crash", [("WP213", "`crash`[1]")]),
    ],
)
def test_indices(body: str, expected: list[tuple[str, str]]) -> None:
    assert in_scenario(body.replace("'", '"')) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for i in 2..1 { at i crash }", [("WP231", "i in 2..1")]),
        ("for i in 1..2 { for j in i + 1..2 { at i crash } }", []),
        ("for i in 1..2 { for j in i + 2..2 { at i crash } }", [("WP231", "j in i + 2..2")]),
        ("for i in 2..1 { for j in 2..1 { at i crash } }", [("WP231", "i in 2..1"), ("WP231", "j in 2..1")]),
        ("at 1 { for i in 2..1 { crash } }", [("WP231", "i in 2..1")]),
    ],
)
def test_loops_without_a_pass(body: str, expected: list[tuple[str, str]]) -> None:
    assert in_scenario(body) == expected


def test_loops_may_stand_in_scenarios_blocks_expectations_and_stubs() -> None:
    body = """
      for i in 1..2 { conversation d[i] { from "d" subject "s" anchor "D-{i}" } at i { deliver m[i] in d[i] "b" } }
      at 10 { for i in 1..2 { for j in 1..2 { approve m[i] as go[i][j] } } }
      when m1 drafted { for i in 1..2 { approve m[i] } }
      stub { for i in 1..2 { reply d[i] "{anchor}, {i}" } }
      expect { for i in 1..2 { for j in 1..2 { m[i] sent within 5 of go[i][j] } } }
    """
    compilation = compiled(f"scenario x {{ {HEAD} {MAIL} {body} }}")
    assert compilation.findings == ()
    (scenario,) = compilation.scenarios
    assert scenario.bundle is not None
    document = scenario.bundle.document
    ids = [entry["record"].get("approval_id") or entry["record"]["id"] for entry in document["schedule"]]
    assert ids == ["m1", "m.1", "m.2", "go.1.1", "go.1.2", "go.2.1", "go.2.2", "m.1.approve.1", "m.2.approve.1"]
    assert [claim["from"] for claim in document["expect"]] == ["go.1.1", "go.1.2", "go.2.1", "go.2.2"]
    assert document["stub"]["replies"][2]["parts"] == [{"anchor": True}, ", 2"]


# What the passes of a loop and the scenarios of a family have is told once


def test_a_finding_of_many_passes_is_told_once_with_the_first() -> None:
    (finding,) = compiled(
        f"scenario x {{ {HEAD} {MAIL} for i in 1..9 {{ for j in 0..9 {{ at i approve m[j] }} }} }}"
    ).findings
    assert finding.message == "no message `m.0` is ever delivered"
    assert finding.notes == ("found with `i` = 1, `j` = 0 and 89 more times",)


def test_a_collision_of_passes_names_both() -> None:
    (finding,) = compiled(f"scenario x {{ {HEAD} {MAIL} for i in 1..3 {{ at i approve m1 as go }} }}").findings
    assert (finding.code, finding.labels) == ("WP202", ())
    assert finding.notes == ("found with `i` = 2 and 1 more time", "it stands here, with `i` = 1")


def test_a_finding_of_many_members_is_told_once_with_the_first() -> None:
    text = f"family x(gap in [5, 7, 9]) {{ {HEAD} {MAIL} at gap approve m9 at gap + 53 crash }}"
    first, second = compiled(text).findings
    assert first.notes == ("found in `x.gap-5` and in 2 more scenarios of this family",)
    assert second.message == "tick 62 is after the horizon 60, so this never happens"
    assert second.notes == ("found in `x.gap-9`",)


def test_what_some_pass_or_member_uses_is_not_unused() -> None:
    body = "for i in 1..3 { conversation d[i] { } at i approve m1 as go[i] } expect { m1 reply in d[2] m1 sent within 5 of go[3] }"
    assert compiled(f"scenario x {{ {HEAD} {MAIL} {body} }}").findings == ()
    text = f"family x(n in 0..1) {{ {HEAD} {MAIL} at 1 approve m1 as go for i in 1..n {{ at i + 9 repeat go }} }}"
    assert compiled(text).findings == ()
    text = f"family x(n in 0..1) {{ {HEAD} {MAIL} at n approve m1 as go }}"
    assert [one.code for one in compiled(text).findings] == ["WP313"]


# Families


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("gap in [1, 2]", []),
        ("gap in 1..2", []),
        ("gap in 2 * 2 - 3..2", []),
        ("gap in [0]", []),
        ("gap in [1, 2, 1]", [("WP219", "1")]),
        ("gap in [1], gap in [2]", [("WP202", "gap")]),
        ("gap in 2..1", [("WP230", "2..1")]),
        ("gap in 0 - 1..1", [("WP209", "0 - 1")]),
        ("gap in 1..9007199254740991 + 1", [("WP209", "9007199254740991 + 1")]),
        ("gap in 1..k", [("WP204", "k")]),
        ("gap in [1], k in 1..gap", [("WP204", "gap")]),
        ("gap in [1], `anchor` in [1]", [("WP202", "`anchor`")]),
        ("gap in [1], m1 in [1]", [("WP202", "m1")]),
        ("gap in [1], k in [1]", [("WP236", "k")]),
        (f"gap in [1], k in [{'v' * 65}]", [("WP212", "v" * 65)]),
    ],
)
def test_parameters(parameters: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(in_family(parameters, "at gap crash")) == sorted(expected)


@pytest.mark.parametrize(
    ("parameters", "body", "head", "expected"),
    [
        ("p in [normal, vip-only]", "at 5 posture p", "level L2 horizon 60 posture p", []),
        ("posture in [normal, vip]", "", "level L2 horizon 60 posture posture", [("WP205", "posture")]),
        ("level in [L1, L7]", "", "level level horizon 60", [("WP206", "level")]),
        ("level in 1..2", "", "level level horizon 60", [("WP206", "level")]),
        ("rules in [all, none]", "at 5 rules rules", "level L2 horizon 60 rules rules", [("WP201", "rules")] * 2),
        ("skin in [support-desk]", "", "level L2 horizon 60 skin skin", []),
        ("h in [60, 10]", "", "level L2 horizon h", []),
        ("h in [sixty]", "", "level L2 horizon h", [("WP204", "h")]),
        ("h in [60]", "at `h` crash", 'level L2 horizon 60 title "{h} {k}"', [("WP216", "{k}")]),
        ("p in [normal]", "at p crash", "level L2 horizon 60", [("WP204", "p")]),
        ("p in [normal]", "for i in 1..p { at 1 crash }", "level L2 horizon 60", [("WP204", "p")]),
        ("p in [normal]", "at 1 crash as k[p]", "level L2 horizon 60", [("WP204", "p")]),
        ("p in [a]", "at 1 deliver m2 in p '{p}'", "level L2 horizon 60", [("WP201", "p")]),
    ],
)
def test_where_parameters_stand_for_values(
    parameters: str, body: str, head: str, expected: list[tuple[str, str]]
) -> None:
    rest = HEAD[HEAD.index("conversation") :]
    assert in_family(parameters, body.replace("'", '"'), f"{head} {rest}") == expected


def test_the_right_most_parameter_runs_fastest_and_ids_name_the_values() -> None:
    text = f"family x(gap in [5, 3], p in [normal, vip-only], n in 1..2) {{ {HEAD} {MAIL} at gap * n posture p }}"
    assert [one.id for one in compiled(text).scenarios] == [
        f"x.gap-{gap}.p-{p}.n-{n}" for gap in (5, 3) for p in ("normal", "vip-only") for n in (1, 2)
    ]


def test_the_ids_of_a_family_are_ids() -> None:
    body = f"{{ {HEAD} {MAIL} at p crash }}"
    assert found(f"family {'x' * 65}(p in [1]) {body}") == [("WP212", "x" * 65)]
    assert found(f"family {'x' * 64}({'p' * 64} in [1]) {{ {HEAD} {MAIL} at {'p' * 64} crash }}") == [
        ("WP212", "x" * 64)
    ]
    assert found(f"family con(p in [1]) {body}") == [("WP212", "con")]
    assert found(f"family x(p in [1]) {body} scenario `x.p-1` {{ {HEAD} {MAIL} }}") == [("WP225", "`x.p-1`")]
    assert found(f"family x(p in [1]) {body} family X(p in [1, 2]) {body}") == [("WP225", "X")]


def test_one_scenario_of_a_family_with_errors_does_not_keep_others_from_their_bundles() -> None:
    scenarios = compiled(f"family x(at-tick in [5, 61]) {{ {HEAD} {MAIL} at at-tick crash }}").scenarios
    assert [(one.id, one.bundle is None) for one in scenarios] == [("x.at-tick-5", False), ("x.at-tick-61", True)]
    assert {one.family for one in scenarios} == {"x"}


def test_a_mark_holds_for_each_scenario_of_a_family() -> None:
    scenarios = compiled(
        f'family x(p in [5, 6]) {{ {HEAD} {MAIL} rejected invalid WP301 "why" at p approve m9 }}'
    ).scenarios
    assert [one.rejected is not None and one.rejected.code for one in scenarios] == ["WP301", "WP301"]
    (scenario,) = compiled(f'family x(p in 2..1) {{ {HEAD} {MAIL} rejected invalid WP230 "why" at p crash }}').scenarios
    assert scenario.id == "x" and scenario.rejected is not None and scenario.rejected.code == "WP230"


def test_rules_that_only_a_parameter_names_are_used() -> None:
    rules = "rules a { admit rest } rules b { admit rest } rules d { admit rest }"
    assert found(f"{rules} family x(r in [a, b]) {{ level L2 horizon 60 rules r {HEAD[20:]} {MAIL} }}") == [
        ("WP312", "d")
    ]
    assert found(f"{rules} family x(r in 2..1) {{ level L2 horizon 60 rules r {HEAD[20:]} {MAIL} }}") == [
        ("WP230", "2..1")
    ]


def test_spans_of_passes_are_equal_where_their_text_is_and_survive_copies() -> None:
    written_span = Span("x.scenario", 3, 5, 1, 4, 1, 6)
    first, second = (in_pass(written_span, Pass("i", value, None)) for value in (1, 2))
    assert first == second and hash(first) == hash(second) and first != written_span
    again = pickle.loads(pickle.dumps(second))
    assert isinstance(again, PassSpan) and str(again.during) == "`i` = 2"
    assert written(again) == written_span and type(written(again)) is Span
