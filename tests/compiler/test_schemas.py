"""The shipped JSON Schemas: valid, equal to what the table of shapes gives, and of one mind with the loader's own checks."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wellposed.compiler.canonical import decode, pretty
from wellposed.compiler.folder import derive
from wellposed.compiler.load import examine, load_bundle
from wellposed.compiler.schemas import FOLDER, NAMES, derived_schemas, load_schema, validator, violations
from wellposed.compiler.shape import Checker
from wellposed.compiler.shapes import BUNDLE, CHANNELS, DEFINITIONS, LINES

ROOT = Path(__file__).resolve().parents[2]
VECTORS = Path(__file__).parent / "vectors"
BUNDLES = sorted(VECTORS.glob("*.json"))


def document(name: str = "every-form") -> Any:
    return decode((VECTORS / f"{name}.json").read_bytes())


def faults(name: str, value: Any) -> list[tuple[str, str]]:
    """Code and pointer of everything the hand-written checks say about a bundle or a line."""
    told: list[tuple[str, str]] = []
    checker = Checker(DEFINITIONS, lambda code, message, pointer: told.append((code, pointer)))
    checker.check(BUNDLE if name == "bundle" else LINES[name], value)
    return told


# The files


def test_every_schema_is_a_schema() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.json" for name in NAMES}
    for name in NAMES:
        schema = load_schema(name)
        assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
        assert schema["title"]
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", sorted(derived_schemas()))
def test_schemas_are_what_the_table_says(name: str) -> None:
    """`python tests/compiler/regenerate.py` writes them."""
    assert (FOLDER / f"{name}.json").read_text() == pretty(derived_schemas()[name]) + "\n"


def test_the_report_describes_events_as_the_trace_does() -> None:
    event, own = load_schema("report")["$defs"]["event"], load_schema("trace-event")
    members = ("type", "properties", "required")
    assert {name: event[name] for name in members} == {name: own[name] for name in members}


def test_validators_are_compiled_once() -> None:
    assert validator("bundle") is validator("bundle")


# Real documents


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_bundles_and_their_derived_lines(path: Path) -> None:
    bundle, _ = load_bundle(path.read_bytes(), path.name)
    assert bundle is not None
    assert list(violations("bundle", bundle.document)) == []
    for name, raw in derive(bundle).items():
        if name.endswith(".jsonl"):
            for line in raw.split(b"\n")[:-1]:
                value = decode(line + b"\n")
                assert list(violations(name.removesuffix(".jsonl"), value)) == []
                for other in CHANNELS:
                    fits = not list(violations(other, value))
                    assert fits == (other == name.removesuffix(".jsonl"))


def test_violations_say_where() -> None:
    value = document()
    value["level"] = 7
    assert list(violations("bundle", value)) == ["$.level: 7 is greater than the maximum of 6"]


# Agreement


def _places(value: Any, pointer: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield pointer
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _places(below, (*pointer, name))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _places(below, (*pointer, index))


SUBSTITUTES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 41, 1_000_001, 2**53 - 1, "", "m1", "work:m1", "ghost-1", "normal", "approve", "admitted", "a\n", "é", "x" * 200,
    [], ["m1"], ["m1", "m2"], [[]], {}, {"anchor": True}, {"holder_of": "work:m2"}, {"claim": "state-agrees"}, {"work_id": "work:m1"},
)  # fmt: skip


def _mutants(value: Any, substitutes: tuple[Any, ...] = SUBSTITUTES) -> Iterator[Any]:
    """The value with one element replaced, removed, doubled or given a member it does not have."""
    for place in list(_places(value)):
        for substitute in substitutes:
            yield _with(value, place, lambda box, key, new=substitute: box.__setitem__(key, new))
        yield _with(value, place, lambda box, key: box.pop(key))
        yield _with(
            value, place, lambda box, key: box.insert(key, box[key]) if isinstance(box, list) else box.update(extra=1)
        )


def _with(value: Any, place: tuple[Any, ...], change: Any) -> Any:
    holder = {"root": copy.deepcopy(value)}
    box: Any = holder
    for step in ("root", *place)[:-1]:
        box = box[step]
    change(box, ("root", *place)[-1])
    return holder.get("root")


def _agree(name: str, value: Any) -> bool:
    """Whether both accept the value; they must not differ."""
    mine = not faults(name, value)
    assert mine == validator(name).is_valid(value), value
    return mine


def test_loader_and_schema_agree_on_every_mutant_of_every_line() -> None:
    verdicts = set()
    for line in (line for path in BUNDLES for line in _lines(path)):
        for mutant in _mutants(line[1]):
            verdicts.add((line[0], _agree(line[0], mutant)))
    assert verdicts == {(channel, verdict) for channel in CHANNELS for verdict in (True, False)}


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    bundle, _ = load_bundle(path.read_bytes(), path.name)
    assert bundle is not None
    for name, raw in derive(bundle).items():
        if name.endswith(".jsonl"):
            for line in raw.split(b"\n")[:-1]:
                yield name.removesuffix(".jsonl"), decode(line + b"\n")


def _parts() -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Parts of a bundle that are mutated each in an otherwise small document, so that the schema answers quickly."""
    whole = document()
    for member in ("mode", "rules", "stub", "invariants", "catches"):
        yield (member,), whole[member]
    for claim in whole["expect"]:
        yield ("expect",), [claim]
    for entry in whole["schedule"]:
        yield ("schedule",), [entry]


def test_loader_and_schema_agree_on_every_mutant_of_every_part() -> None:
    small = document("l0-single-reply") | {
        "expect": [],
        "schedule": [],
        "catches": ["idle"],
        "invariants": ["K.declared"],
    }
    accepted = refused = 0
    for place, part in _parts():
        for mutant in _mutants(part, SUBSTITUTES[::2]):
            if _agree("bundle", small | {place[0]: mutant}):
                accepted += 1
            else:
                refused += 1
    assert accepted > 500
    assert refused > 5000


def test_loader_and_schema_agree_on_every_mutant_of_the_head() -> None:
    small = document("l0-single-reply") | {
        "expect": [],
        "schedule": [],
        "invariants": [],
        "seal": {"alg": "reserve-seal/1", "nonce": "0" * 64},
    }
    verdicts = {_agree("bundle", mutant) for mutant in _mutants(small)}
    assert verdicts == {True, False}


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_loader_and_schema_agree_on_several_faults_at_once(data: st.DataObject) -> None:
    value = document()
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from([one for one in _places(value) if one]))
        value = _with(value, place, lambda box, key: box.__setitem__(key, data.draw(st.sampled_from(SUBSTITUTES))))
    _agree("bundle", value)


def test_every_fault_of_shape_is_placed_inside_the_document() -> None:
    value = document()
    for mutant in _mutants(value["schedule"][:3]):
        for finding in examine(value | {"schedule": mutant}, "b.json"):
            assert finding.code.startswith("WP7")


# The report


REPORTED = """scenario %s {
  level L0
  horizon 20
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  expect { %s }
}
"""


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (REPORTED % ("fine", "m1 sent exactly once within 10"), 0),
        (REPORTED % ("ambiguous", "m1 sent within 3"), 1),
        (REPORTED % ("unsatisfiable", "m1 never sent"), 1),
        (REPORTED % ("unknown", "m2 never sent"), 1),
        ("scenario { level", 1),
        ("\0", 1),
    ],
)
def test_real_reports(text: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "a.scenario").write_text(text)
    report = _report(tmp_path, "a.scenario")
    assert list(violations("report", report[1])) == []
    assert report[0] == status


def test_the_report_on_bundles(tmp_path: Path) -> None:
    for path in BUNDLES:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "broken.json").write_bytes(b'{"format":"wellposed-bundle/1"}\n')
    _, report = _report(tmp_path, "broken.json", *(path.name for path in BUNDLES))
    assert list(violations("report", report)) == []
    assert {one["id"] for one in report["scenarios"]} >= {path.stem for path in BUNDLES}
    events = [event for one in report["scenarios"] for run in one["witnesses"].values() for event in run]
    assert events
    for event in events:
        assert list(violations("trace-event", event)) == []


def _report(folder: Path, *paths: str) -> tuple[int, Any]:
    command = [sys.executable, "-m", "wellposed", "check", "--format", "json", *paths]
    run = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    return run.returncode, json.loads(run.stdout)


@pytest.mark.parametrize(
    "broken",
    [
        lambda report: report.update(format="wellposed-report/2"),
        lambda report: report.update(time="12:00"),
        lambda report: report["summary"].update(errors=-1),
        lambda report: report["findings"].append({"code": "WP501"}),
        lambda report: report["scenarios"][0].update(verdict="pass"),
        lambda report: report["scenarios"][0].update(bundle="sha256:abc"),
        lambda report: report["scenarios"][0]["levels"].update(L7="untested"),
        lambda report: report["scenarios"][0]["witnesses"]["pass"].append({"tick": -1, "actor": "system", "item": None, "event": "send"}),
        lambda report: report["scenarios"][0].pop("core"),
    ],
)  # fmt: skip
def test_the_report_schema_is_closed(broken: Any, tmp_path: Path) -> None:
    (tmp_path / "a.scenario").write_text(REPORTED % ("fine", "m1 sent exactly once within 10"))
    _, report = _report(tmp_path, "a.scenario")
    assert list(violations("report", report)) == []
    broken(report)
    assert list(violations("report", report))
