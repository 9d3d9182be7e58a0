"""The findings that no scenario has alone: over all scenarios of one run of the tool.

Definitions: `docs/model.md`, Suites. Nothing here knows what the items are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding
from wellposed.verifier.models import MODELS
from wellposed.verifier.report import Verification
from wellposed.verifier.suite.chain import Chain, Clash, Unsettled
from wellposed.verifier.suite.findings import Teller
from wellposed.verifier.suite.story import Story, share
from wellposed.verifier.verify import DEFAULT_BUDGET

MOST_CLASHES = 8
"""How many clashes are told of scenarios that begin alike; the rest waits until these are repaired."""

Numbers = Sequence[int]


def check_suite(verified: Iterable[tuple[Bundle, Verification]], budget: int = DEFAULT_BUDGET) -> tuple[Finding, ...]:
    """Findings about scenarios together. `budget` is in work units, for each scenario that is held against others.

    Those that no conforming run passes, or none is known to, take no part; nor do those without standing obligations,
    which a system may pass that does not conform.
    """
    bundles = {
        bundle.hash: bundle
        for bundle, verification in verified
        if verification.passing and bundle.document["invariants"]
    }
    return tuple(_Suite(list(bundles.values()), budget).findings())


class _Suite:
    """The scenarios by number, with their stories: as told, and up to names and the tick at which they begin."""

    def __init__(self, bundles: Sequence[Bundle], budget: int) -> None:
        self._bundles = bundles
        self._documents = dict(enumerate(bundle.document for bundle in bundles))
        self._budget = budget
        self._as_told = self._stories(renamed=False)
        self._renamed = self._stories(renamed=True)
        self._tell = Teller(bundles)

    def _stories(self, renamed: bool) -> Mapping[int, Story]:
        return {
            number: MODELS[document["spec"]].story(document, renamed) for number, document in self._documents.items()
        }

    def findings(self) -> Iterator[Finding]:
        clashing: set[int] = set()
        for group in self._sharing():
            for one in self._chained(group, self._as_told):
                if isinstance(one, Clash):
                    clashing.update(one.scenarios)
                yield self._tell.same_beginning(one, self._as_told)
        alike = self._alike()
        for same in alike:
            if len(same) > 1:
                yield self._tell.same_scenario(same)
        firsts = [same[0] for same in alike if same[0] not in clashing and self._renamed[same[0]].first is not None]
        for group in _grouped(firsts, lambda number: self._renamed[number].plot):
            if len({self._as_told[number].told for number in group}) > 1:
                for one in self._chained(group, self._renamed):
                    yield self._tell.same_story(one, self._renamed)

    def _sharing(self) -> Iterator[list[int]]:
        """The scenarios in the order of their stories, in stretches in which all share an item before they part."""
        stretch: list[int] = []
        for number in sorted(self._as_told, key=lambda number: self._as_told[number].told):
            if stretch and not share(self._as_told[stretch[-1]], self._as_told[number]):
                yield stretch
                stretch = []
            stretch.append(number)
        yield stretch

    def _alike(self) -> list[list[int]]:
        """The scenarios that say the same up to names and ticks, together."""

        def same(number: int) -> tuple[object, str]:
            story, document = self._renamed[number], self._documents[number]
            return story.told, MODELS[document["spec"]].expected(document, story)

        return _grouped(self._documents, same)

    def _chained(self, group: Numbers, stories: Mapping[int, Story]) -> Iterator[Clash | Unsettled]:
        if len(group) > 1:
            model = MODELS[self._documents[group[0]]["spec"]]
            chain = Chain(model, self._documents, stories, self._budget)
            left, clashes = len(group), 0
            for number in sorted(group, key=lambda number: stories[number].told):
                found = chain.add(number)
                left -= 1
                if isinstance(found, Clash):
                    clashes += 1
                    if clashes == MOST_CLASHES:
                        yield replace(found, left=left)
                        return
                if found is not None:
                    yield found


def _grouped(numbers: Iterable[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    """The numbers with one key, together, in order of appearance."""
    groups: dict[Hashable, list[int]] = {}
    for number in numbers:
        groups.setdefault(key(number), []).append(number)
    return list(groups.values())
