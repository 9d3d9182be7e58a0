"""Candidate traces to put to both formulations: all of them for one message, or mutants of conforming ones."""

from collections.abc import Iterator
from itertools import chain, combinations, permutations
from random import Random

from tests.oracle.basics import ABANDON_REASONS, MessageTrace, Trace
from tests.oracle.document import Scenario

OUTCOMES: tuple[tuple[str, str | None], ...] = (
    ("completed", None),
    *(("abandoned", reason) for reason in ABANDON_REASONS),
)


def all_candidates(scenario: Scenario) -> Iterator[Trace]:
    """Every trace of a one-message scenario with at most two drafts and two ``won``; K holds only roughly."""
    ticks = range(scenario.horizon + 1)
    deaths = [s.id for s in scenario.statements if s.kind in ("kill", "kill-literal")]
    subsets = list(chain.from_iterable(permutations(deaths, n) for n in range(len(deaths) + 1)))
    yield (MessageTrace(None, None, (), None, None, (), ()),)
    for admitted in ticks:
        for drafts in _up_to_two(range(admitted, ticks[-1] + 1)):
            sends = [None, *((t, d) for d, declared in enumerate(drafts) for t in range(declared, ticks[-1] + 1))]
            for send in sends:
                ends = [None, *((t, *o) for t in range(admitted, ticks[-1] + 1) for o in OUTCOMES)]
                for resolution in ends:
                    for held in subsets:
                        wons = _up_to_two(ticks) if held else [()]
                        for won in wons:
                            for version in scenario.rules:
                                run = MessageTrace(admitted, version, drafts, send, resolution, won, held)
                                yield (run,)


def _up_to_two(ticks: range) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(ticks, n) for n in range(3)))


def mutant(rng: Random, scenario: Scenario, trace: Trace) -> Trace:
    """A conforming trace with one to three records moved, added or removed."""
    runs = list(trace)
    for _ in range(rng.choice((1, 1, 2, 3))):
        position = rng.randrange(len(runs))
        runs[position] = _changed(rng, scenario, runs[position])
    return tuple(runs)


def _changed(rng: Random, scenario: Scenario, run: MessageTrace) -> MessageTrace:
    def near(tick: int | None) -> int:
        if tick is None or rng.random() < 0.3:
            return rng.randint(0, scenario.horizon)
        return min(scenario.horizon, max(0, tick + rng.choice((-2, -1, 1, 2))))

    part = rng.choice(
        ["admitted", "admitted", "rules", "drafts", "drafts", "send", "send", "resolution", "resolution", "won", "held"]
    )
    if part == "admitted":
        gone = rng.random() < 0.1
        return run._replace(
            admitted=None if gone else near(run.admitted), rules=None if gone else _version(rng, scenario)
        )
    if part == "rules":
        return run if run.admitted is None else run._replace(rules=_version(rng, scenario))
    if part == "drafts":
        drafts = list(run.drafts)
        draw = rng.random()
        if drafts and draw < 0.6:
            drafts[rng.randrange(len(drafts))] = near(rng.choice(drafts))
        elif drafts and draw < 0.7:
            drafts.pop()
        elif len(drafts) < 2:
            drafts.append(near(None))
        send = run.send if run.send is None or run.send[1] < len(drafts) else None
        return run._replace(drafts=tuple(sorted(drafts)), send=send)
    if part == "send":
        if not run.drafts or (run.send and rng.random() < 0.2):
            return run._replace(send=None)
        return run._replace(send=(near(run.send and run.send[0]), rng.randrange(len(run.drafts))))
    if part == "resolution":
        if run.resolution and rng.random() < 0.2:
            return run._replace(resolution=None)
        keep = run.resolution is not None and rng.random() < 0.5
        outcome = run.resolution[1:] if keep and run.resolution else rng.choice(OUTCOMES)
        return run._replace(resolution=(near(run.resolution and run.resolution[0]), *outcome))
    if part == "won":
        return run._replace(won=() if run.won and rng.random() < 0.5 else tuple(sorted({near(None), *run.won[:1]})))
    deaths = [s.id for s in scenario.statements if s.kind in ("kill", "kill-literal")]
    return run._replace(held=tuple(d for d in deaths if rng.random() < 0.5))


def _version(rng: Random, scenario: Scenario) -> str:
    return rng.choice(list(scenario.rules))
