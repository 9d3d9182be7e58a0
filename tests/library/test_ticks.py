"""Why the ticks of the published scenarios are what their comments say: one tick or one word further, and they break."""

from __future__ import annotations

from pathlib import Path

import pytest

from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[2]

# (scenario, what stands there, what is put in its place, the verdict then)
CHANGES = [
    ("l0-single-reply", "within 10", "within 9", "ambiguous"),
    ("l1-follow-up", "lamp-2 sent exactly once within 10", "lamp-2 sent exactly once within 9", "ambiguous"),
    ("l1-follow-up", "chair-1 reply carries anchor of chair", "chair-1 reply in chair", "ambiguous"),
    ("l1-crash-before-send", "within 30", "within 29", "ambiguous"),
    ("l1-crash-before-send", "m2 abandoned because crash", "m2 open", "ambiguous"),
    # With the crash at 25 the level is still exercised, but m2 may be sent, abandoned or not even drafted before it.
    ("l1-crash-before-send", "when m2 drafted { crash }", "at 25 crash", "well-posed"),
    ("l1-crash-before-send", "when m2 drafted { crash }", "at 31 crash", "vacuous"),
    ("l2-late-approval-two-restarts", "within 5 of go", "within 4 of go", "ambiguous"),
    ("l2-late-approval-two-restarts", "level   L2", "level   L1", "ambiguous"),
    ("l2-approval-redelivery", "repeat go", "approve m1", "well-posed"),
    ("l2-approval-redelivery", "at 12 approve", "at 11 reject m1\n  at 12 approve", "ambiguous"),
    ("l2-forged-approvals", "at 30 approve m1 as go", "at 18 approve m1 as go", "well-posed"),
    ("l2-forged-approvals", "forge rejection", "forge approval", "well-posed"),
    ("l2-forged-approvals", "m2 open", "m2 abandoned", "unsatisfiable"),
    # One tick earlier the crash finds nothing pending, and neither faulty system is made to err.
    ("l2-crash-at-approval", "    crash\n  }", "  }\n  at 11 crash", "vacuous"),
    ("l2-crash-at-approval", "    crash\n  }", "  }\n  at 13 crash", "ambiguous"),
    ("l2-crash-at-approval", "within 20 of go", "within 19 of go", "ambiguous"),
    ("l2-withdrawn-approval", "approve m1 as go-m1\n    reject  m1 as no-m1", "reject  m1 as no-m1\n    approve m1 as go-m1", "unsatisfiable"),
    ("l2-withdrawn-approval", "    approve m2 as go-m2\n  }", "  }\n  at 13 approve m2 as go-m2", "well-posed"),
    ("l2-posture-change", "at 14 deliver m1", "at 15 deliver m1", "ambiguous"),
    ("l2-posture-change", "at 25 deliver m2", "at 24 deliver m2", "ambiguous"),
    ("l2-posture-change", "at 55 {", "at 54 {", "ambiguous"),
    ("l2-posture-change", "at 70 approve", "at 75 posture normal\n  at 70 approve", "ambiguous"),
    ("l2-rules-change", "at 14 deliver m1", "at 15 deliver m1", "ambiguous"),
    ("l2-rules-change", "at 25 {", "at 24 {", "ambiguous"),
    ("l2-rules-change", "m3 admitted within 5", "m3 admitted within 4", "ambiguous"),
    ("l2-sender-history", "at 6 deliver m2", "at 12 deliver m2", "unsatisfiable"),
    ("l2-sender-history", "at 3 redeliver m1", 'at 3  deliver m0 in order "Hello?"', "unsatisfiable"),
    ("l3-fleet-concurrent", "claims on m1 settle within 10", "claims on m1 settle within 9", "ambiguous"),
    ("l3-fleet-concurrent", "at 15 kill", "at 6 kill", "well-posed"),
    ("l3-fleet-concurrent", "at 15 kill", "at 5 kill", "ambiguous"),
    ("l3-fleet-concurrent", "m1 reassigned or orphaned", "m2 reassigned or orphaned", "ambiguous"),
    ("l3-fleet-concurrent", "horizon 60", "horizon 53", "ambiguous"),
    ("l3-fleet-concurrent", "horizon 60", "horizon 54", "well-posed"),
    ("l4-operator-escalation", "m1 admitted within 5", "m1 drafted within 10", "ambiguous"),
    ("l5-identity-fallibility", "horizon 40", "horizon 21", "ambiguous"),
    ("l5-identity-fallibility", "horizon 40", "horizon 22", "well-posed"),
    ("l5-identity-fallibility", "m1 reply in ada", "m1 reply in bob", "unsatisfiable"),
    ("l6-post-approval-escalation", "    escalate m1\n  }", "  }\n  at 13 escalate m1", "ambiguous"),
    ("l6-post-approval-escalation", "    escalate m1\n  }", "  }\n  at 18 escalate m1", "unsatisfiable"),
]


@pytest.mark.parametrize(("name", "old", "new", "verdict"), CHANGES)
def test_a_changed_scenario_comes_out_so(name: str, old: str, new: str, verdict: str) -> None:
    path = f"scenarios/{name}.scenario"
    text = (ROOT / path).read_text()
    assert old in text
    source, _ = read_source(path, text.replace(old, new).encode())
    assert source is not None
    compilation = compile_source(source, Importer(FolderReader(ROOT)))
    bundle = compilation.scenarios[0].bundle
    assert bundle is not None, compilation.findings
    assert verify(bundle).verdict == verdict
