"""Findings about several scenarios: which, when they part, what contradicts what, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label, Place
from wellposed.verifier.suite.chain import Clash, Unsettled
from wellposed.verifier.suite.story import Story, parting
from wellposed.verifier.theory import Claim, Constraint

SHOWN = 5
"""How many further scenarios a note names."""

Stories = Mapping[int, Story]


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what was found out about the scenarios of these bundles, which are known by number."""

    bundles: Sequence[Bundle]

    def same_beginning(self, found: Clash | Unsettled, stories: Stories) -> Finding:
        """WP404: no system passes all of them. Stories as told."""
        if isinstance(found, Unsettled):
            return self._unsettled(found)
        focus, others = self._told_at(found)
        told = self._named(others)
        which = f"both this scenario and {told}" if len(others) == 1 else f"all of this scenario, {told}"
        partings = "; ".join(self._parting(one, other, stories) for one, other in pairwise(found.scenarios))
        notes = (f"{partings}; until then a system cannot tell them apart, so what it does in one it does in the other", _CORE)
        help = "let the scenarios part before they disagree, or accept in each what the other demands"
        return self._clash("WP404", f"no system can pass {which}", found, focus, notes, help)

    def same_story(self, found: Clash | Unsettled, stories: Stories) -> Finding:
        """WP502: no run of the one, with the names and ticks of the other, passes both."""
        if isinstance(found, Unsettled):
            return self._unsettled(found)
        focus, others = self._told_at(found)
        begins = ", ".join(f"`{self._id(number)}` at tick {stories[number].start}" for number in found.scenarios)
        told = self._named(others)
        tells, both = ("tells", "both") if len(others) == 1 else ("tell", "all")
        notes = (f"the same events at the same distances, under other names or at other ticks: {begins} begins", _CORE)
        help = "correct one of them; where they are meant to differ, let something differ that a system may act on"
        message = f"{told} {tells} the same story as this scenario, and no run of it passes {both}"
        return self._clash("WP502", message, found, focus, notes, help)

    def same_scenario(self, numbers: Sequence[int]) -> Finding:
        """WP609: scenarios that differ in nothing but names and ticks."""
        first, second, *more = numbers
        notes = [f"so {'is' if len(more) == 1 else 'are'} {self._named(more)}"] if more else []
        return self._finding(
            "WP609",
            second,
            self.bundles[second].place("/id"),
            f"this is `{self._id(first)}` once more, but for names and ticks",
            labels=(Label(self.bundles[first].place("/id"), "the same scenario"),),
            notes=notes,
            help="remove one of the two, or let it test something else",
        )

    def _unsettled(self, found: Unsettled) -> Finding:
        """WP403: the work budget ran out on scenarios together."""
        message = "undecided: whether one system can pass this scenario and those that begin like it"
        place = self.bundles[found.scenario].place("/id")
        notes = ("the work budget ran out while they were held against each other",)
        return self._finding("WP403", found.scenario, place, message, notes=notes, help="a larger `--budget` may help")

    def _told_at(self, found: Clash) -> tuple[int, list[int]]:
        """The scenario at which a clash is told, the last in the order given, and the others."""
        *others, focus = sorted(found.scenarios)
        return focus, others

    def _clash(
        self, code: str, message: str, found: Clash, focus: int, notes: Sequence[str], help: str
    ) -> Finding:
        members = sorted(found.core, key=lambda one: (one[0] != focus, one[0]))
        (_, primary), *secondary = members
        labels = [
            Label(self._place(number, member), f"{self._prefix(number, focus)}{_words(member)}") for number, member in secondary
        ]
        detail = [f"{place}. {self._id(number)}: {_words(member)}" for place, (number, member) in enumerate(members, start=1)]
        if found.left:
            more = f"{found.left} more scenarios begin" if found.left > 1 else "one more scenario begins"
            notes = (*notes, f"{more} like these; they are held against each other once this is repaired")
        place = self._place(focus, primary)
        return self._finding(code, focus, place, message, labels=labels, detail=detail, notes=notes, help=help)

    def _parting(self, one: int, other: int, stories: Stories) -> str:
        tick = parting(stories[one], stories[other])
        told = f"`{self._id(one)}` and `{self._id(other)}` are the same"
        ended = next((number for number in (one, other) if stories[number].end == tick), None)
        if ended is not None:
            return f"{told} up to tick {tick - 1}, where `{self._id(ended)}` ends"
        return f"{told} before tick {tick}"

    def _place(self, number: int, member: Constraint | Claim) -> Place:
        pointer = f"/expect/{member.index}" if isinstance(member, Claim) else member.pointer
        return self.bundles[number].place(pointer)

    def _prefix(self, number: int, focus: int) -> str:
        return "" if number == focus else f"in `{self._id(number)}`: "

    def _named(self, numbers: Sequence[int]) -> str:
        names = [f"`{self._id(number)}`" for number in numbers[:SHOWN]]
        if len(numbers) > SHOWN:
            names.append(f"{len(numbers) - SHOWN} more")
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def _id(self, number: int) -> str:
        return self.bundles[number].id

    def _finding(
        self,
        code: str,
        number: int,
        place: Place,
        message: str,
        *,
        labels: Sequence[Label] = (),
        detail: Sequence[str] = (),
        notes: Sequence[str] = (),
        help: str,
    ) -> Finding:
        severity = BY_ID[code].severity
        return Finding(
            code, severity, message, place, tuple(labels), tuple(detail), tuple(notes), help, self._id(number)
        )


_CORE = "these cannot all hold of one system; leave out any one of them and one could do the rest"


def _words(member: Constraint | Claim) -> str:
    if isinstance(member, Claim):
        return f"`{member.text}` is expected"
    return f"{member.text}  [{member.obligation}]"
