"""From a folder of fixture files, as harnesses of the benchmark read them, to a source in the language.

The files become a bundle document first, so that everything a bundle must satisfy is asked of them too, with the line of
the file as the place; the source is then that of the document. What the files do not say is guessed, what the language
has no words for is dropped, and both are reported; what would change the meaning is refused.
Source: the specification, sections 2 and 5; `docs/adopting.md` lists the names that are understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellposed.compiler.adopt import words
from wellposed.compiler.adopt.events import Events
from wellposed.compiler.adopt.files import Fixture, read_fixture
from wellposed.compiler.adopt.frame import Frame, FrameReader
from wellposed.compiler.adopt.ids import Ids, WorkItems
from wellposed.compiler.adopt.report import WRONG_VALUE, AdoptReport, Item, count, drop_others, required, whole, word
from wellposed.compiler.adopt.rules import rules_of
from wellposed.compiler.adopt.schedule import Event, scheduled
from wellposed.compiler.adopt.stub import StubReader
from wellposed.compiler.bundle import bundle_of
from wellposed.compiler.canonical import CanonicalError
from wellposed.compiler.decompile import decompile
from wellposed.compiler.load import examine
from wellposed.compiler.shapes import CHANNELS
from wellposed.compiler.source_map import SourceMap
from wellposed.dsl.findings import Finding
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import BUILT_IN_SKIN, BUNDLE_FORMAT, POSTURES, READINGS, SPEC, obligations_of_level

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Adopted:
    """The source, or None where something is refused; the findings (guesses are notes, what is dropped warnings); lines
    about what was taken; and the files by display path, for quoting."""

    source: str | None
    findings: tuple[Finding, ...]
    taken: tuple[str, ...]
    sources: Mapping[str, SourceFile]


def adopt(path: Path, name: str | None = None) -> Adopted:
    """Adopt the fixture in the folder at `path`; without a `name` it is called like the folder.

    Raises `OSError` for what the system refuses.
    """
    report = AdoptReport(path.as_posix())
    fixture = read_fixture(path, report)
    source, more = (None, ()) if fixture is None else _adopted(fixture, name or path.resolve().name, report)
    return Adopted(source, (*report.findings(), *more), tuple(report.taken), report.sources)


def _adopted(fixture: Fixture, name: str, report: AdoptReport) -> tuple[str | None, tuple[Finding, ...]]:
    document, places = _document(fixture, name, report)
    if report.failed:
        return None, ()
    source_map = SourceMap({pointer: item.span for pointer, item in places.items()} | {"": whole(report.folder)})
    found = examine(document, report.folder, source_map)
    if found:
        return None, found
    try:
        bundle = bundle_of(document, source_map, report.folder)
    except CanonicalError as problem:
        report.refuse(problem.code, problem.message, None)
        return None, ()
    return decompile(bundle, report.heading(name))


def _document(fixture: Fixture, name: str, report: AdoptReport) -> tuple[Document, dict[str, Item]]:
    """The bundle document of a fixture, and where its elements stand."""
    ids, conversations, work = Ids(report), Ids(report), WorkItems(report)
    reader = Events(report, ids, conversations, Ids(report), work)
    reader.read(fixture)
    places: dict[str, Item] = {}
    schedule: list[Document] = []
    for seq, event in enumerate(scheduled(reader.events, ids, report)):
        timing = {"at": event.at} if event.when is None else {"when": event.when}
        schedule.append({"seq": seq, **timing, "channel": event.channel, "record": event.record})
        places[f"/schedule/{seq}"] = event.item
    _count(reader.events, fixture, report)
    used = [entry["record"]["rules"] for entry in schedule if entry["record"].get("fault") == "rules"]
    rules, rule_places = rules_of(fixture, used, report)
    places |= {
        f"/rules/{index}": rule_places[one["name"]] for index, one in enumerate(rules) if one["name"] in rule_places
    }
    stub_reader = StubReader(conversations, list(reader.messages.values()), report)
    stub = stub_reader.read(fixture.documents.get("stub.json"))
    places |= {
        f"/stub/replies/{index}": stub_reader.places[one["conversation_id"]]
        for index, one in enumerate(stub["replies"])
        if one["conversation_id"] in stub_reader.places
    }
    posture = _posture(fixture.documents.get("mode.json"), report)
    frame = FrameReader(fixture, name, report).read(schedule, ids, conversations)
    places |= {f"/expect/{index}": item for index, (_, item) in enumerate(frame.claims)}
    return _assembled(frame, posture, rules, stub, schedule), places


def _assembled(frame: Frame, posture: str, rules: list[Document], stub: Document, schedule: list[Document]) -> Document:
    return {
        "format": BUNDLE_FORMAT,
        "spec": SPEC,
        "readings": READINGS,
        "id": frame.id,
        "title": frame.title,
        "level": frame.level,
        "skin": BUILT_IN_SKIN,
        "horizon": frame.horizon,
        "mode": {"changed_at": 0, "posture": posture},
        "rules": rules,
        "stub": stub,
        "schedule": schedule,
        "invariants": list(obligations_of_level(frame.level)) if frame.standing else [],
        "expect": [claim for claim, _ in frame.claims],
        "catches": [],
    }


def _posture(item: Item | None, report: AdoptReport) -> str:
    if item is None:
        report.guess(f"there is no mode.json, so the posture is {POSTURES[0]}")
        return POSTURES[0]
    if not isinstance(item.value, dict):
        report.refuse(WRONG_VALUE, "the mode is an object with a `posture`", item)
        return POSTURES[0]
    drop_others(item, list(words.MODE.values()), report)
    changed = count(item.at("changed_at") if "changed_at" in item.value else None, report)
    if changed:
        report.drop("`changed_at`: the posture of mode.json is in force from tick 0 on", item)
    return word(required(item, words.MODE["posture"], "the mode", report), words.POSTURE_WORDS, report) or POSTURES[0]


def _count(events: list[Event], fixture: Fixture, report: AdoptReport) -> None:
    counts = Counter(event.file for event in events)
    for channel in CHANNELS:
        if counts[channel]:
            report.take(f"{channel}.jsonl: {counts[channel]} {'record' if counts[channel] == 1 else 'records'}")
    documents: list[str] = [name for name in ("rules.json", "stub.json", "mode.json") if name in fixture.documents]
    documents += [ascii(f"rules/{name}.json")[1:-1] for name in fixture.versions]
    if documents:
        report.take(", ".join(documents))
