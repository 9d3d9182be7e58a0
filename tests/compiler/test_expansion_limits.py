"""Expansion is counted before it is done: caps, the numbers that are told, and what hostile texts cost."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from wellposed.compiler.compilation import Compilation, compile_source
from wellposed.dsl.findings import Span
from wellposed.dsl.source import SourceFile

HEAD = "level L2 horizon 1000000"
MAIL = 'conversation c { from "a" subject "s" } at 0 deliver m1 in c "b"'
MILLION = "1..1000000"


def compiled(text: str) -> Compilation:
    compilation = compile_source(SourceFile("x.scenario", text))
    assert compilation.tree is not None, compilation.findings
    return compilation


def told(text: str) -> list[tuple[str, str, str]]:
    compilation = compiled(text)
    return [
        (one.code, compilation.source.text_of(one.place), one.message)
        for one in compilation.findings
        if isinstance(one.place, Span)
    ]


def nest(ranges: list[str], body: str = "at 1 crash") -> str:
    for variable, values in reversed(list(zip("ijkl", ranges, strict=False))):
        body = f"for {variable} in {values} {{ {body} }}"
    return body


@pytest.mark.parametrize(
    ("ranges", "records"),
    [
        ([MILLION] * 4, "1000000000000000000000000"),
        (["1..9007199254740991"] * 4, str(9007199254740991**4)),
        ([MILLION, "i..1000000", "j..1000000", "k..1000000"], "more than 1000000"),
        ([MILLION, MILLION, MILLION, "k + 1..k"], "more than 100001000000000000"),
        ([MILLION, MILLION, MILLION, "2..1"], "1000000000000000000"),
        (["1..100000"], None),
        (["1..50", "1..2000"], "100000"),
        (["1..1000", "i..1000"], "more than 100435"),
    ],
)
def test_a_nest_of_loops_is_counted_not_gone_through(ranges: list[str], records: str | None) -> None:
    start = time.perf_counter()
    (finding,) = told(f"scenario x {{ {HEAD} {MAIL} {nest(ranges)} }}")
    assert time.perf_counter() - start < 20
    code, text, message = finding
    assert (code, text) == ("WP229", f"i in {ranges[0]}")
    if records is not None:
        end = "records, at most 100000 are possible"
        assert message in (
            f"this loop would make {records} {end}",
            f"with this loop the scenario would make 100003 {end}",
        )


def test_the_cap_is_exact() -> None:
    # The scenario, its conversation and its delivery are records too.
    text = f"scenario x {{ {HEAD} {MAIL} expect {{ for i in 1..COUNT {{ m1 sent }} }} }}"
    (scenario,) = compiled(text.replace("COUNT", "99997")).scenarios
    assert scenario.findings == ()
    assert scenario.bundle is not None and len(scenario.bundle.document["expect"]) == 99_997
    ((code, _, message),) = told(text.replace("COUNT", "99998"))
    assert code == "WP229"
    assert message == "with this loop the scenario would make 100001 records, at most 100000 are possible"


def test_families_are_counted_over_all_their_scenarios() -> None:
    crash = "at 1 crash"
    for parameters, body, message in (
        ("a in 1..10001", "at a crash", "this family would be 10001 scenarios, at most 10000 are possible"),
        (
            "a in 0..9007199254740990, b in [1, 2]",
            "at a + b crash",
            f"this family would be {2 * 9007199254740991} scenarios, at most 10000 are possible",
        ),
        (
            "a in 1..1000",
            nest(["1..100"], f"{crash} at a crash"),
            "this family would make 203000 records, at most 100000 are possible",
        ),
        (
            "a in 1..1000",
            nest(["1..a"], crash),
            "this family would make more than 100122 records, at most 100000 are possible",
        ),
        (
            "a in [1, 1000000]",
            nest(["1..a"], crash),
            "this loop would make 1000000 records, at most 100000 are possible",
        ),
    ):
        (finding,) = told(f"family x({parameters}) {{ {HEAD} {MAIL} {body} }}")
        assert (finding[0], finding[2]) == ("WP229", message)


def test_a_file_has_one_budget_for_all_that_it_makes() -> None:
    texts = [
        f"scenario x{number} {{ {HEAD} {MAIL} for i in 1..40000 {{ expect {{ m1 sent }} }} }}" for number in range(3)
    ]
    compilation = compiled("".join(texts))
    assert [one.bundle is None for one in compilation.scenarios] == [False, False, True]
    (finding,) = [one for one in compilation.findings if one.code == "WP229"]
    assert finding.message == (
        "this loop would make 40000 records, at most 19994 more are possible after what stands before it in this file"
    )


def test_strings_that_loops_make_are_counted_too() -> None:
    mail = f'deliver m[i] in c "{"x" * 50_000}{{i}}"'
    (finding,) = told(f"scenario x {{ {HEAD} {MAIL} for i in 1..1000 {{ at i {mail} }} }}")
    assert finding[0] == "WP229"
    assert finding[2].startswith("this loop would make strings of 5003")


BOMBS = {
    "a nest of four": nest([MILLION] * 4),
    "a triangle": nest([MILLION, "i..1000000", "j..1000000", "k..1000000"]),
    "loops without a pass": nest([MILLION] * 3, "for l in k + 1..k { at 1 crash } " * 100),
    "long strings": f'for i in 1..50000 {{ at i deliver m[i] in c "{"{i}x" * 5000}" }}',
    "many indices": f"for i in 1..50000 {{ at i crash as k{'[i]' * 50_000} }}",
    "a long name": f"for i in 1..50000 {{ at i crash as {'k' * 500_000}[i] }}",
    "hyphens": f"at {'a-' * 250_000}b crash",
    "many loops": "for i in 1..1000000 { for j in i..1000000 { at 1 crash } } " * 5000,
    "lists": f"for i in 1..1000 {{ stub {{ anchors [{', '.join(['c'] * 100_000)}] }} }}",
    "sends": f"for i in 1..1000 {{ expect {{ only {', '.join(['m1'] * 100_000)} sent }} }}",
}
MEMORY = 600 * 2**20
"""Address space that compiling a hostile text may take, the interpreter's own included, in bytes."""

PROGRAM = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from wellposed.compiler.compilation import compile_source
from wellposed.dsl.source import SourceFile
compilation = compile_source(SourceFile("x.scenario", sys.stdin.read()))
assert any(one.severity.value == "error" for one in compilation.findings)
assert compilation.tree is not None
"""


@pytest.mark.parametrize("name", BOMBS)
def test_a_hostile_text_costs_little(name: str) -> None:
    text = f"scenario x {{ {HEAD} {MAIL} {BOMBS[name]} }}"
    assert len(text) < 2**20
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=text, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr
