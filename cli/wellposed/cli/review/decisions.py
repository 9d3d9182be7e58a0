"""What of the changes of scenarios a person has to decide, one finding per cause, the weightiest name for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from wellposed.cli.report import ScenarioResult
from wellposed.cli.review.changes import ADDED, MOVED, REMOVED, RENAMED, ScenarioChange
from wellposed.cli.review.diff import undecided
from wellposed.cli.review.finding import at
from wellposed.cli.review.suppressions import ALLOW, Suppression
from wellposed.compiler.limits import LIMITS
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Place, Severity
from wellposed.verifier.tables import alone

CHANGE, LOOSENED, WEAKER, GONE, RENAME = "WP950", "WP951", "WP952", "WP953", "WP954"
RULES, EXCUSED, UNCAUGHT, MARKED = "WP955", "WP956", "WP957", "WP958"
_ONLY_CATCHES = frozenset(("id", "title", "catches"))
_SHOWN = 6


def decisions(changes: Iterable[ScenarioChange], claimed: Mapping[str, str]) -> Iterator[Finding]:
    """The findings about changed scenarios; `claimed` are the claims that speak for one, by its id before or after."""
    by_import: dict[tuple[str, ...], list[ScenarioChange]] = {}
    for change in changes:
        if change.undecided:
            yield undecided("what the pull request changes in it", change.id)
        if change.because:
            by_import.setdefault(change.because, []).append(change)
        elif change.kind not in (ADDED, MOVED):
            yield from _of_one(change, _claim(change, claimed))
    for files, affected in sorted(by_import.items()):
        yield _of_import(files, affected)


def excuses(found: Iterable[Suppression], suppressed: Sequence[Finding]) -> Iterator[Finding]:
    """The findings about what is newly excused, with what it excuses, which is among those that were suppressed."""
    for one in found:
        if one.kind == ALLOW:
            covered = [each for each in suppressed if _covers(one, each)]
            title = f" ({BY_ID[one.what].title})" if one.what in BY_ID else ""
            yield at(
                EXCUSED, f'{one.what}{title} is newly allowed: "{one.reason}"', one.place,
                notes=[f"it covers: {each.message}" for each in covered[:_SHOWN]], detail=covered[0].detail if covered else (),
                scenario=covered[0].scenario if covered else None,
                help="whether the reason holds is for a person to decide; what is allowed counts for nothing from then on",
            )  # fmt: skip
        else:
            yield at(
                MARKED, f"{one.scenario} is marked as rejected on purpose: {one.what}", one.place, scenario=one.scenario,
                help="such a scenario tests nothing; it belongs into a gallery of defects, never among published scenarios",
            )  # fmt: skip


def _covers(one: Suppression, finding: Finding) -> bool:
    same_place = finding.place is not None and finding.place.path == one.place.path
    return same_place and (finding.code, finding.suppressed) == (one.what, one.reason)


def told(change: ScenarioChange) -> str:
    """What became of the scenario, in a few words: `L6 well-posed -> L4 ambiguous`."""
    sides = [_state(one) for one in (change.before, change.after)]
    return sides[0] if sides[0] == sides[1] else f"{sides[0]} -> {sides[1]}"


def _state(one: ScenarioResult | None) -> str:
    if one is None:
        return "nothing"
    level = "" if one.bundle is None else f"L{one.bundle.level} "
    verdict = one.verification.verdict if one.verification is not None else one.verdict
    mark = "" if one.rejection is None else ", marked as rejected"
    return f"{level}{verdict or 'not verified'}{mark}"


def _is_sound(one: ScenarioResult | None) -> bool:
    return one is not None and one.verification is not None and one.verification.verdict == "well-posed"


def _claim(change: ScenarioChange, claimed: Mapping[str, str]) -> str | None:
    ids = [one.id for one in (change.after, change.before) if one is not None]
    return next((claimed[id] for id in ids if id in claimed), None)


def _of_one(change: ScenarioChange, claim: str | None) -> Iterator[Finding]:
    place = _place(change)
    notes = [] if claim is None else [f"{claim} says why"]
    if change.kind == REMOVED:
        yield at(
            GONE, f"the published scenario {change.id} is removed ({_state(change.before)})", place, scenario=change.id, notes=notes,
            help="results that name it can no longer be understood; leave it, and say in its title that it is retired",
        )  # fmt: skip
        return
    if change.is_loosened:
        yield _loosened(change, claim, place)
    elif change.difference is None:
        yield at(CHANGE, f"the published scenario {change.id} changes: {told(change)}", place, scenario=change.id, notes=notes)
    elif change.lost.weaker:
        yield at(
            WEAKER, f"{_name(change)} tests less than before: {_less(change)}", place, scenario=change.id,
            detail=_different(change), notes=notes, help="a scenario that tests less is decided by a person, whatever else it gains",
        )  # fmt: skip
    elif set(change.difference.comparison.changed) <= _ONLY_CATCHES and change.lost.catches:
        pass  # told below, in one finding
    elif change.kind == RENAMED and set(change.difference.comparison.changed) <= {"id", "title"}:
        assert change.before is not None
        yield at(
            RENAME, f"{change.before.id} is now called {change.id}, and is the same otherwise", place, scenario=change.id, notes=notes,
            help="results that name the old id and its hash lose their scenario",
        )  # fmt: skip
    else:
        yield at(
            CHANGE, f"{_name(change)} changes in its {_members(change)}{_first(change)}: {_kept(change)}", place, scenario=change.id,
            detail=_different(change), notes=notes,
            help="decide whether it is better than what was published; its hash changes, so results on the old one do not carry over",
        )  # fmt: skip
    if change.lost.catches:
        yield at(
            UNCAUGHT, f"{change.id} no longer says that it catches {_list(change.lost.catches)}", place, scenario=change.id,
            help="without the line nobody is told when the scenario stops catching it",
        )  # fmt: skip


def _loosened(change: ScenarioChange, claim: str | None, place: Place | str) -> Finding:
    difference = change.difference
    assert difference is not None
    what = []
    if change.loosened:
        texts = ", ".join(f"`{text}`" for text in change.loosened[:_SHOWN]) + _more(change.loosened)
        what.append(f"{texts} {'is' if len(change.loosened) == 1 else 'are'} no longer demanded")
    if change.lost.obligations:
        what.append(f"{len(change.lost.obligations)} standing obligations are no longer in force")
    allowed = difference.comparison.allowed
    detail = [] if allowed is None else ["a lawful run that was rejected and is now accepted:", *alone(allowed.run, "the system")]
    notes = ["schedule, level and horizon are the same, so it is the expectations that accept more"]
    if allowed is None:
        notes.append("no lawful run is newly accepted; what is, are runs that break obligations")
    if change.lost.caught:
        notes.append(f"no longer caught whatever its timing: {_list(change.lost.caught)}")
    elif difference.before.cells is not None and difference.after.cells is not None:
        notes.append("each faulty system that was caught whatever its timing still is")
    notes += [f"{claim} says why"] if claim else []
    return at(
        LOOSENED, f"the expectations of {_name(change)} are loosened: {'; '.join(what) or 'a lawful run passes that failed'}{_flip(change)}", place,
        scenario=change.id, detail=detail, notes=notes, severity=Severity.WARNING if claim else None,
        help="decide whether the claim holds" if claim
        else "restore the expectations, or give the reason in a claim of kind scenario-change or fixture-defect, with its witness",
    )  # fmt: skip


def _of_import(files: tuple[str, ...], affected: Sequence[ScenarioChange]) -> Finding:
    """One finding for all that an edit of imported files does to scenarios whose own text did not change."""
    lines = []
    for one in affected[: LIMITS.told_files]:
        lines.append(f"{one.id}: {told(one)}")
        lines += [f"  {line}" for line in _different(one)[:_SHOWN]]
    if len(affected) > LIMITS.told_files:
        lines.append(f"and {len(affected) - LIMITS.told_files} more")
    worse = sum(1 for one in affected if _is_sound(one.before) and not _is_sound(one.after))
    flips = "" if not worse else ", which is no longer well-posed" if len(affected) == 1 else f", of which {worse} are no longer well-posed"
    what = f"{files[0]} changes" if len(files) == 1 else f"{' and '.join(files)} change"
    return at(
        RULES, f"{what} the meaning of {_counted(len(affected))} that only import it{flips}", files[0], detail=lines,
        severity=Severity.ERROR if worse else None, help="leave published rules as they are, and import a new version where it is wanted",
    )  # fmt: skip


def _different(change: ScenarioChange) -> list[str]:
    """What the sides differ in, a line each: events, expectations, outcomes."""
    difference = change.difference
    if difference is None:
        return []
    lines = []
    for event in difference.events:
        name = f"{event.channel} {event.id}"
        if event.before is None or event.after is None:
            lines.append(f"{name} {'added' if event.before is None else 'removed'}")
        elif event.before.get("at") != event.after.get("at"):
            lines.append(f"{name} moved: at {event.before.get('at', 'its trigger')} -> {event.after.get('at', 'its trigger')}")
        else:
            lines.append(f"{name} changed")
    lines += [f"no longer expected: {text}" for text in change.lost.expectations]
    kept = [one.text for one in difference.before.verification.expectations]
    lines += [f"newly expected: {one.text}" for one in difference.after.verification.expectations if one.text not in kept]
    for outcome in difference.comparison.outcomes:
        ends = " -> ".join("not lawful" if one is None else one.outcome + _window(one.first, one.last) for one in (outcome.before, outcome.after))
        lines.append(f"{outcome.item}: {ends}")
    if len(lines) > 2 * _SHOWN:
        return [*lines[: 2 * _SHOWN], f"and {len(lines) - 2 * _SHOWN} more differences"]
    return lines


def _window(first: int | None, last: int | None) -> str:
    return "" if first is None else f" {first}..{last}"


def _less(change: ScenarioChange) -> str:
    lost = change.lost
    parts = [] if lost.level is None else [f"level L{lost.level[0]} -> L{lost.level[1]}"]
    parts += [f"{_list(lost.exercised)} no longer exercised"] if lost.exercised else []
    parts += [f"no longer always caught: {_list(lost.caught)}"] if lost.caught else []
    return "; ".join(parts)


def _members(change: ScenarioChange) -> str:
    assert change.difference is not None
    names = [name for name in change.difference.comparison.changed if name != "id"]
    return ", ".join(names) or "source"


def _flip(change: ScenarioChange) -> str:
    words = told(change)
    return f" ({words})" if " -> " in words else ""


def _first(change: ScenarioChange) -> str:
    """The first of what differs, in brackets."""
    lines = _different(change)
    return f" ({'; '.join(lines[:2])}{'; …' if len(lines) > 2 else ''})" if lines else ""


def _kept(change: ScenarioChange) -> str:
    """The state before and after, or that it is the same."""
    words = told(change)
    return words if " -> " in words else f"{words}, as before"


def _name(change: ScenarioChange) -> str:
    renamed = change.kind == RENAMED and change.before is not None
    return f"{change.id} (until now {change.before.id})" if renamed and change.before else change.id


def _place(change: ScenarioChange) -> Place | str:
    bundle = None if change.after is None else change.after.bundle
    return change.source if bundle is None else bundle.place("/id")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + _more(names)


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""


def _counted(number: int) -> str:
    return "one scenario" if number == 1 else f"{number} scenarios"
