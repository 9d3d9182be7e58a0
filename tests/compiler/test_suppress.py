"""`allow`: what it can be for, what it covers, and that an unused one is found."""

from __future__ import annotations

import pytest

from wellposed.compiler.compilation import Compilation, check_together, compile_source
from wellposed.compiler.imports import Importer, ImportFailed
from wellposed.compiler.suppress import needs_verdict, suppress
from wellposed.dsl.codes import TABLE
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.source import SourceFile

MAIL = 'level L2 horizon 40 conversation c { from "a" subject "s" } at 0 deliver m1 in c "b"'
DECOY = 'conversation d { from "a" subject "s" }'


def compiled(text: str, imported: str | None = None) -> Compilation:
    class Folder:
        def read_import(self, folder: str, path: str) -> bytes:
            if imported is None:
                raise ImportFailed("does not exist")
            return imported.encode()

    compilation = compile_source(SourceFile("x.scenario", text), Importer(Folder()))
    assert compilation.tree is not None, compilation.findings
    return compilation


def settled(compilation: Compilation) -> tuple[list[str], list[str], list[str]]:
    """Codes that count, codes that are allowed, and the text of what allows nothing."""
    found = (*compilation.findings, *check_together([compilation]))
    marked, unused = suppress(found, compilation.allows)
    counting = [one.code for one in marked if one.suppressed is None]
    allowed = [f"{one.code} {one.suppressed}" for one in marked if one.suppressed is not None]
    return counting, allowed, [compilation.source.text_of(one.place) for one in unused if isinstance(one.place, Span)]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_what_can_be_allowed(row: object) -> None:
    code, severity = row.id, row.severity  # type: ignore[attr-defined]
    compilation = compiled(f'scenario x {{ {MAIL} allow {code} "why" expect {{ m1 admitted }} }}')
    possible = code[2] in "56" or (code[2] == "3" and severity is not Severity.ERROR)
    assert [one.code for one in compilation.findings] == ([] if possible else ["WP232"])
    assert len(compilation.allows) == possible
    assert all(needs_verdict(one) == (code[2] in "56") for one in compilation.allows)


@pytest.mark.parametrize(
    "text",
    [
        f'scenario x {{ {MAIL} allow WP310 "why" {DECOY} }}',
        f'allow WP310 "why" scenario x {{ {MAIL} {DECOY} }}',
        f'scenario x {{ {MAIL} allow WP310 "why" for i in 1..2 {{ {DECOY.replace("d", "d[i]", 1)} }} }}',
        f'allow WP310 "why" family x(p in 1..2) {{ {MAIL} {DECOY} at p crash }}',
        f'family x(p in 1..2) {{ {MAIL} allow WP310 "why" {DECOY} at p crash }}',
        f'scenario x {{ {MAIL} allow WP310 "why" allow WP501 "other" {DECOY} }}',
    ],
)
def test_a_finding_in_what_is_covered_is_allowed(text: str) -> None:
    counting, allowed, unused = settled(compiled(text))
    assert counting == []
    assert allowed == ["WP310 why"]
    assert unused == (['allow WP501 "other"'] if "other" in text else [])


@pytest.mark.parametrize(
    "text",
    [
        f'scenario x {{ {MAIL} {DECOY} allow WP310 "why" at 1 crash }}',
        f'scenario x {{ {MAIL} allow WP313 "why" {DECOY} }}',
        f'allow WP310 "why" scenario y {{ {MAIL} }} scenario x {{ {MAIL} {DECOY} }}',
    ],
)
def test_a_finding_elsewhere_or_of_another_code_is_not_allowed(text: str) -> None:
    counting, allowed, unused = settled(compiled(text))
    assert (counting, allowed) == (["WP310"], [])
    assert len(unused) == 1 and unused[0].endswith('"why"')


def test_of_several_that_cover_a_finding_the_innermost_is_used() -> None:
    text = f'allow WP310 "outer" scenario x {{ {MAIL} allow WP310 "inner" {DECOY} }}'
    assert settled(compiled(text)) == ([], ["WP310 inner"], ['allow WP310 "outer"'])
    text = f'scenario x {{ {MAIL} allow WP310 "first" allow WP310 "second" {DECOY} }}'
    assert settled(compiled(text)) == ([], ["WP310 first"], ['allow WP310 "second"'])


def test_every_finding_of_the_code_in_what_is_covered_is_allowed() -> None:
    text = f'allow WP310 "why" scenario x {{ {MAIL} {DECOY} {DECOY.replace("d", "e", 1)} }}'
    assert settled(compiled(text)) == ([], ["WP310 why", "WP310 why"], [])


def test_the_reason_is_told_and_the_severity_stays() -> None:
    compilation = compiled(f'scenario x {{ {MAIL} allow WP310 "a {{decoy}}" {DECOY} }}')
    (finding,), _ = suppress(compilation.findings, compilation.allows)
    assert finding.suppressed == "a {decoy}"
    assert finding.notes[-1] == 'allowed: "a {decoy}"'
    assert finding.severity is Severity.WARNING


def test_findings_of_the_verifier_are_allowed_by_their_place() -> None:
    compilation = compiled(f'scenario x {{ {MAIL} expect {{ allow WP501 "why" m1 admitted m1 sent }} }}')
    (scenario,) = compilation.scenarios
    assert scenario.bundle is not None
    places = [scenario.bundle.place(f"/expect/{number}") for number in range(2)]
    findings = [Finding("WP501", Severity.ERROR, "ambiguous", place, scenario="x") for place in places]
    marked, unused = suppress(findings, compilation.allows)
    assert [one.suppressed for one in marked] == ["why", None]
    assert unused == ()


def test_nothing_is_said_about_an_allow_that_was_not_judged() -> None:
    compilation = compiled(f'scenario x {{ {MAIL} allow WP501 "why" expect {{ m1 admitted }} }}')
    assert [one.code for one in suppress((), compilation.allows)[1]] == ["WP233"]
    assert suppress((), compilation.allows, lambda allow: not needs_verdict(allow))[1] == ()


def test_an_allow_of_an_imported_file_covers_what_is_found_there() -> None:
    rules = 'rules r { allow WP326 "old rule" admit a when subject is "x" and subject is "y" admit rest }'
    text = f'import "r.rules" scenario x {{ {MAIL.replace("horizon 40", "horizon 40 rules r")} }}'
    compilation = compiled(text, rules)
    assert compilation.allows == ()
    marked, unused = suppress(compilation.findings, compilation.library.allows)
    assert [one.suppressed for one in marked if isinstance(one.place, Span) and one.place.path == "r.rules"] == [
        "old rule"
    ]
    assert unused == ()


def test_an_allow_changes_no_bundle() -> None:
    plain = compiled(f"scenario x {{ {MAIL} {DECOY} expect {{ m1 admitted }} }}").scenarios[0].bundle
    text = f'allow WP501 "a" scenario x {{ {MAIL} allow WP310 "b" {DECOY} expect {{ allow WP605 "c" m1 admitted }} }}'
    allowed = compiled(text).scenarios[0].bundle
    assert plain is not None and allowed is not None and plain.hash == allowed.hash
