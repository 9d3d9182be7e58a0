"""From a judgement to coded findings: the verdict, the reason in ticks, the runs, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.words import retelling
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label
from wellposed.verifier.judgement import Ambiguity, Cell, Guarded, Judgement, Omission, Solution
from wellposed.verifier.models import Model, Witness
from wellposed.verifier.mutants import SOMETIMES
from wellposed.verifier.report import Trace, Verification
from wellposed.verifier.tables import acts_before, alone, concerning, first_difference, schedule_around, side_by_side
from wellposed.verifier.theory import Claim, Constraint

POINTED_AT = 8
"""How many places, at most, one finding points at beside its own."""


class WitnessRejected(Exception):
    """The log checker does not agree with the kernel about a run: an error of this tool, never shown as a verdict."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A witness in the words of the scenario's skin."""

    trace: Trace
    broken: frozenset[str]
    failed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reporter:
    """Tells what a judgement found out about one bundle."""

    bundle: Bundle
    model: Model
    judgement: Judgement
    claims: Sequence[str]
    top: str
    _witnesses: dict[tuple[Solution, int | None, Solution | None], Witness] = field(default_factory=dict)

    def told(self, text: str) -> str:
        """What is told of a run or an obligation, in the words of the scenario's skin."""
        return retelling(self.bundle.skin)(text)

    def findings(self) -> Iterator[Finding]:
        """Every finding, most severe kind first. Raises WitnessRejected."""
        judgement = self.judgement
        if judgement.core:
            yield self._core()
        for ambiguity in judgement.ambiguities:
            yield self._ambiguity(ambiguity)
        if judgement.satisfiable is not False:
            yield from self._vacuity()
        if judgement.unexplored:
            asked = "; ".join(judgement.unexplored)
            why = "the work budget ran out before every question was answered"
            yield self._finding(
                "WP403",
                "/id",
                f"undecided: {why if judgement.more_helps else 'no work budget is large enough'}",
                notes=(f"not explored: {asked}",),
                help=("raise `--budget`; or " if judgement.more_helps else "")
                + "give triggered jumps, postures and rules a tick, and split the scenario",
            )

    def pair(self, ambiguity: Ambiguity) -> tuple[Witness, Witness]:
        """The run that passes and the one that fails, no further apart than they need be. Raises WitnessRejected."""
        passing = self.checked(ambiguity.passing, beside=ambiguity.failing)
        return passing, self.checked(ambiguity.failing, ambiguity.index, beside=ambiguity.passing)

    def checked(
        self, solution: Solution, failing: int | None = None, beside: Solution | None = None
    ) -> Witness:
        """A conforming run, judged again by the log checker: it passes, or fails the expectation given.

        Raises WitnessRejected.
        """
        witness = self._witness(solution, failing, beside)
        agreed = not witness.broken and (not witness.failed if failing is None else failing in witness.failed)
        if not agreed:
            raise WitnessRejected(f"broken {sorted(witness.broken)}, failed {sorted(witness.failed)}")
        return witness

    def _conforming(self, solution: Solution) -> Witness:
        """A conforming run, whether it passes or not, judged again. Raises WitnessRejected."""
        witness = self._witness(solution)
        if witness.broken:
            raise WitnessRejected(f"broken {sorted(witness.broken)}")
        return witness

    def survivor(self, cell: Cell) -> Witness:
        """The run of a cell, judged again: it passes, and shows the fault if the cell says so. Raises WitnessRejected."""
        assert cell.survivor is not None
        witness = self._witness(cell.survivor)
        shown = bool(witness.broken & set(cell.attacked))
        counted = bool(self.bundle.document["invariants"]) and shown
        if witness.failed or counted or shown != cell.shown:
            raise WitnessRejected(f"{cell.system}: broken {sorted(witness.broken)}, failed {sorted(witness.failed)}")
        return witness

    def _witness(
        self, solution: Solution, failing: int | None = None, beside: Solution | None = None
    ) -> Witness:
        key = solution, failing, beside
        if key not in self._witnesses:
            found = self.model.witness(self.bundle.document, solution, failing, beside)
            told = tuple(replace(event, text=self.told(event.text)) for event in found.trace)
            self._witnesses[key] = _Told(told, found.broken, found.failed)
        return self._witnesses[key]

    def _finding(
        self,
        code: str,
        pointer: str,
        message: str,
        *,
        labels: Sequence[Label] = (),
        detail: Sequence[str] = (),
        notes: Sequence[str] = (),
        help: str | None = None,
    ) -> Finding:
        place = self.bundle.place(pointer)
        severity = BY_ID[code].severity
        return Finding(
            code, severity, message, place, tuple(labels), tuple(detail), tuple(notes), help, self.bundle.id
        )

    def _core(self) -> Finding:
        """WP401, WP402: the core, told as an argument in ticks."""
        core = self.judgement.core
        claims = [member for member in core if isinstance(member, Claim)]
        others = [member for member in core if isinstance(member, Constraint)]
        argument = [f"`{claim.text}` is expected" for claim in claims]
        argument += [f"{self.told(member.text)}  [{member.obligation}]" for member in others]
        detail = [f"{number}. {line}" for number, line in enumerate(argument, start=1)]
        labels = [Label(self.bundle.place(member.pointer), f"{member.obligation}: {self.told(member.text)}") for member in others]
        note = "these cannot all hold; leave out any one of them and some run satisfies the rest"
        if len(core) == 1:
            note = "this alone admits no run"
        if not claims:
            message = "no conforming run exists: the obligations contradict each other under this schedule"
            help = "change one of the events named here, or lower the level"
            pointer = others[0].pointer if others else "/id"
            return self._finding("WP402", pointer, message, labels=labels, detail=detail, notes=(note,), help=help)
        labels += [Label(self.bundle.place(f"/expect/{claim.index}"), "and this is expected") for claim in claims[1:]]
        message = f"no conforming run passes: `{claims[0].text}` contradicts what the system must do"
        if len(claims) > 1:
            message = f"no conforming run passes: `{claims[0].text}` contradicts the other expectations"
        lawful = self._lawful(claims[0].index)
        expect = f"what conforming runs do: {lawful}; expect that" if lawful else "expect what conforming runs do"
        help = f"{expect}, or move one of the events named here"
        if not others:
            help = "no run at all satisfies this: correct the expectation"
            help += f"; what conforming runs do: {lawful}" if lawful else ""
        pointer = f"/expect/{claims[0].index}"
        return self._finding("WP401", pointer, message, labels=labels, detail=detail, notes=(note,), help=help)

    def _ambiguity(self, ambiguity: Ambiguity) -> Finding:
        """WP501: two conforming runs, one of which passes, side by side."""
        case = ambiguity.failing.case
        items = (*case.components[ambiguity.focus].items, *case.hinges)
        passing, failing = (concerning(witness.trace, items) for witness in self.pair(ambiguity))
        labels = []
        tick = first_difference(passing, failing)
        if tick is not None:
            before, after = schedule_around(failing, tick)
            told = [(before, f"up to here both runs are the same; they part at tick {tick}")]
            if after is not None and acts_before(passing, after.tick) != acts_before(failing, after.tick):
                told.append((after, "by now one run has acted and the other has not"))
            for event, text in told:
                if event is not None:
                    labels.append(Label(self.bundle.place(f"/schedule/{event.data['seq']}"), text))
        text = self.claims[ambiguity.index]
        lawful = self._lawful(ambiguity.index)
        accept = f"what is lawful here: {lawful}; accept that" if lawful else "accept what either run does"
        return self._finding(
            "WP501",
            f"/expect/{ambiguity.index}",
            f"`{text}` holds in some conforming runs and fails in others",
            labels=labels,
            detail=side_by_side(passing, failing),
            notes=(f"both runs break no obligation of levels L0 to {self.top}: an honest system may do either",),
            help=f"{accept}, or move an event so that one outcome is left",
        )

    def _lawful(self, index: int) -> str:
        return self.model.lawful(self.bundle.document, index, self.judgement.outcomes)

    def _vacuity(self) -> Iterator[Finding]:
        judgement = self.judgement
        for index in judgement.hollow:
            yield self._finding(
                "WP601",
                f"/expect/{index}",
                f"`{self.claims[index]}` cannot fail: no log whatever violates it",
                help="expect something that a wrong system can break",
            )
        for index in judgement.redundant:
            yield self._finding(
                "WP608",
                f"/expect/{index}",
                f"`{self.claims[index]}` adds nothing: the other expectations imply it, whatever a system does",
                help="leave it out, or expect something that only it demands",
            )
        if judgement.idle_passes:
            yield self._finding(
                "WP602",
                "/id",
                "a system that does nothing passes this scenario",
                notes=("the empty log breaks none of its expectations",),
                help="add work that must be done: a message that the rules admit, and what must come of it",
            )
        if judgement.omission is not None:
            yield self._omission(judgement.omission)
        for cell in judgement.uncaught:
            yield self._uncaught(cell)
        for cell in judgement.accepted:
            yield self._accepted(cell)
        if judgement.top_untested:
            yield self._finding(
                "WP603",
                "/level",
                f"{self.top}, the level that this scenario reports, is not exercised in any conforming run",
                help=f"{self.model.exercising(self.top)}, or declare a lower level",
            )
        for pointer in judgement.dead:
            yield self._finding(
                "WP604",
                pointer,
                "dead stimulus: in no conforming run does this find what it aims at",
                notes=(self.model.aim(self.bundle.document, pointer),),
                help="move it to a tick at which its target exists, or remove it",
            )
        if judgement.guarded is not None:
            yield self._guarded(judgement.guarded)
        if judgement.satisfiable:
            yield from self._self_reported()
        lower = [level for level, state in judgement.levels.items() if state == "untested" and level != self.top]
        if lower and judgement.satisfiable:
            yield self._finding("WP606", "/level", f"not exercised, so reported as untested: {', '.join(lower)}")

    def _self_reported(self) -> Iterator[Finding]:
        """WP614, where no expectation is about an effect."""
        expected = self.bundle.document["expect"]
        if expected and all(map(self.model.self_reported, expected)):
            first, *others = [f"/expect/{index}" for index in range(len(expected))]
            logs = sorted({log for claim in expected for log in self.model.rests_on(claim)})
            yield self._finding(
                "WP614",
                first,
                f"every expectation rests on what the system says about itself ({', '.join(logs)}), none on an effect",
                labels=tuple(Label(self.bundle.place(pointer), "and so does this") for pointer in others[:POINTED_AT]),
                help="expect something of what is sent, or of what is not, too",
            )

    def _guarded(self, guarded: Guarded) -> Finding:
        """WP613: the stimuli that lawful runs can miss, and a run that misses the first."""
        sometimes = [pointer for pointer, finds in self.judgement.finds.items() if finds == "sometimes"]
        others = len(sometimes) - 1
        return self._finding(
            "WP613",
            guarded.pointer,
            "guarded stimulus: in some conforming runs this finds what it aims at, in others it does not"
            + (f", like {others} more" if others else ""),
            labels=tuple(Label(self.bundle.place(pointer), "so does this") for pointer in sometimes[1 : POINTED_AT + 1]),
            detail=alone(self._conforming(guarded.without).trace, "a conforming run in which it finds nothing"),
            notes=("a run like this one is inconclusive about it: neither a pass nor a failure",),
        )

    def _uncaught(self, cell: Cell) -> Finding:
        """WP610: the run that lets a faulty system pass that the author says is caught."""
        place = self.bundle.document["catches"].index(cell.system)
        what = self.model.fault(cell.system)
        if cell.survivor is None:
            attacked = ", ".join(cell.attacked) or "nothing that this level demands"
            return self._finding(
                "WP610",
                f"/catches/{place}",
                f"`{cell.system}` cannot err here: in no run does a system that {what} break anything",
                notes=(f"what it would break: {attacked}",),
                help="add what the fault needs to show, or leave the system out",
            )
        when = "under some timings" if cell.value == SOMETIMES else "always"
        return self._finding(
            "WP610",
            f"/catches/{place}",
            f"`{cell.system}` is not caught: {when}, a system that {what} passes",
            detail=alone(self.survivor(cell).trace, "a run of it that passes"),
            notes=() if cell.shown else ("in this run the fault does not show: the timing spares it",),
            help="move an event so that every timing shows the fault, or leave the system out",
        )

    def _accepted(self, cell: Cell) -> Finding:
        """WP611: the run of a faulty system that a too lenient checker accepts."""
        return self._finding(
            "WP611",
            "/expect",
            f"`{cell.system}` passes: nothing here notices a system that {self.model.fault(cell.system)}",
            detail=alone(self.survivor(cell).trace, "a wrong run that passes"),
            notes=(f"what it breaks is {', '.join(cell.attacked)}",),
            help="add the expectation that this run breaks, or leave the standing obligations on",
        )

    def _omission(self, omission: Omission) -> Finding:
        """WP605: the run that a too lenient checker accepts."""
        witness = self._witness(omission.solution)
        if omission.omitted.obligation not in witness.broken or witness.failed:
            raise WitnessRejected(f"omitted {omission.omitted.obligation}, broken {sorted(witness.broken)}")
        case = omission.solution.case
        items = (*case.components[omission.focus].items, *case.hinges)
        return self._finding(
            "WP605",
            "/expect",
            f"a run that omits something due passes: {omission.omitted.obligation} is broken and nobody notices",
            labels=(Label(self.bundle.place(omission.omitted.pointer), self.told(omission.omitted.text)),),
            detail=alone(concerning(witness.trace, items), "a wrong run that passes"),
            help="add the expectation that this run breaks, or leave the standing obligations on",
        )


def flip(bundle: Bundle, identity: str, answer: str, base: Verification, found: Verification) -> Finding:
    """WP607: the verdict, or that of an expectation, is another one under another reading; with the core or the runs."""
    changed = [
        f"`{one.text}`: {one.verdict} becomes {other.verdict}"
        for one, other in zip(base.expectations, found.expectations, strict=True)
        if one.verdict != other.verdict
    ]
    message = f"under the reading {identity} this scenario is {found.verdict}"
    if found.verdict == base.verdict:
        message = f"under the reading {identity} an expectation fares otherwise"
    reason = next(iter(found.findings), None)
    shows = reason is not None and found.verdict not in (base.verdict, "well-posed")
    return Finding(
        "WP607",
        BY_ID["WP607"].severity,
        message,
        reason.place if reason is not None and shows else bundle.place("/id"),
        reason.labels if reason is not None and shows else (),
        reason.detail if reason is not None and shows else (),
        (answer, *([reason.message] if reason is not None and shows else []), *changed),
        None,
        bundle.id,
    )
