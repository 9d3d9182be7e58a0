"""A loop means its unrolled text, a scenario of a family the text with the values put in: the same bytes come out."""

from __future__ import annotations

import re
from itertools import product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compiler.unrolling import HORIZON, Part, looped, programs, unrolled

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import Compilation, compile_source
from wellposed.compiler.load import load_bundle
from wellposed.compiler.source_map import map_bytes, read_map
from wellposed.dsl.findings import Severity, Span
from wellposed.dsl.source import SourceFile

HEAD = f"level L6 horizon {HORIZON}"
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def compiled(text: str) -> Compilation:
    return compile_source(SourceFile("x.scenario", text))


def bundles(text: str) -> dict[str, Bundle]:
    compilation = compiled(text)
    assert [one for one in compilation.findings if one.severity is Severity.ERROR] == [], text
    assert all(one.bundle is not None for one in compilation.scenarios)
    return {one.id: one.bundle for one in compilation.scenarios if one.bundle is not None}


@given(programs())
@settings(max_examples=120, deadline=None, suppress_health_check=SLOW)
def test_a_loop_means_its_unrolled_text(items: tuple[Part, ...]) -> None:
    with_loops = bundles(f"scenario x {{ {HEAD} {' '.join(map(looped, items))} }}")
    by_hand = bundles(f"scenario x {{ {HEAD} {' '.join(unrolled(one, {}) for one in items)} }}")
    assert with_loops["x"].document == by_hand["x"].document
    assert with_loops["x"].hash == by_hand["x"].hash


@given(programs(("gap", "n")))
@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
def test_the_scenarios_of_a_family_are_those_with_its_values_put_in(items: tuple[Part, ...]) -> None:
    gaps, postures, counts = (3, 1), ("vip-only", "normal"), (1, 2)
    head = f'title "{{gap}} and {{n}}" {HEAD} + gap - gap posture posture'
    family = bundles(
        f"family x(gap in [3, 1], posture in [vip-only, normal], n in 1..2) {{ {head} {' '.join(map(looped, items))} }}"
    )
    members = list(product(gaps, postures, counts))
    assert list(family) == [f"x.gap-{gap}.posture-{posture}.n-{n}" for gap, posture, n in members]
    for (id, bundle), (gap, posture, n) in zip(family.items(), members, strict=True):
        values = {"gap": gap, "n": n}
        body = " ".join(unrolled(one, values) for one in items)
        own = bundles(f'scenario `{id}` {{ title "{gap} and {n}" {HEAD} posture {posture} {body} }}')
        assert bundle.document == own[id].document
        assert bundle.hash == own[id].hash


@given(programs())
@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
def test_elements_are_mapped_to_the_text_of_the_loop(items: tuple[Part, ...]) -> None:
    text = f"scenario x {{ {HEAD} {' '.join(map(looped, items))} }}"
    (bundle,) = bundles(text).values()
    assert load_bundle(bundle.raw, "bundle.json")[1] == ()
    assert bundle.source_map is not None
    for pointer, span in bundle.source_map.spans.items():
        if (found := re.fullmatch(r"/schedule/(\d+)", pointer)) is not None:
            channel = bundle.document["schedule"][int(found[1])]["channel"]
            words = text[span.start : span.end].replace(":", "").split()
            verbs = {
                "inbox": {"deliver", "redeliver"},
                "approvals": {"approve", "reject", "repeat", "forge"},
                "signals": {"escalate", "kill", "repeat"},
                "faults": {"crash", "hold", "release"},
            }
            assert verbs[channel] & set(words[:2])
    raw = map_bytes(bundle.source_map, bundle.hash)
    assert raw is not None
    again = read_map(raw, bundle.hash, bundle.document)
    assert not isinstance(again, str), again
    assert again.spans.keys() == bundle.source_map.spans.keys()


WORDS = (
    [str(number) for number in range(6)] + ["-1", "400", "401", "1000000"],
    ["i", "j", "k", "gap", "n", "m[i]", "m[i][j]", "m", "go[i]", "c", "c[i]", "c[i][j]", "`m.1`", "[i]"],
    ["approve", "reject", "escalate", "redeliver", "repeat", "for", "at", "when", "expect", "stub", "in", "of"],
    ["{", "}", "..", "+", "-", "*", "(", ")", '"{i}"', '"{x}"', '"{anchor}"', "allow WP501", "catches idle"],
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The text of a family or a scenario with a few words replaced by others."""
    body = " ".join(map(looped, draw(programs(("gap", "n")))))
    head = draw(
        st.sampled_from(["scenario x {", "family x(gap in [0, 1], n in 1..2) {", "family x(gap in [1], n in [a]) {"])
    )
    words = re.findall(r'"[^"]*"|[\w.`-]+(?:\[[^\]]*\])*|\S', f"{head} {HEAD} {body} }}")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(words) - 1))
        classes = [one for one in WORDS if words[at] in one] or list(WORDS)
        words[at] = draw(st.sampled_from(classes[0] if draw(st.booleans()) else draw(st.sampled_from(WORDS))))
    return " ".join(words)


@given(damaged())
@settings(max_examples=250, deadline=None, suppress_health_check=SLOW)
def test_any_text_gives_errors_or_bundles_and_tells_each_place_once(text: str) -> None:
    compilation = compiled(text)
    errors = {one.scenario for one in compilation.findings if one.severity is Severity.ERROR}
    assert compilation.scenarios or errors or compilation.tree is not None
    for scenario in compilation.scenarios:
        own = [one for one in scenario.findings if one.severity is Severity.ERROR]
        assert (scenario.bundle is None) == bool(own) or compilation.file_findings
        if scenario.bundle is not None:
            assert load_bundle(scenario.bundle.raw, "bundle.json")[1] == ()
        for finding in scenario.findings:
            assert type(finding.place) is Span
            assert all(type(label.place) is Span for label in finding.labels)
