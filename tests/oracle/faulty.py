"""The kill matrix by brute force: which faulty systems the expectations of a small scenario catch.

Every log of a faulty system is written out, and judged as a finished run.
"""

from itertools import chain, product
from typing import NamedTuple

from tests.oracle.basics import Budgets, Document
from tests.oracle.claims import Claim, atom_of, atoms_in, holds, referenced
from tests.oracle.faulty_claims import truth
from tests.oracle.faulty_facts import Facts, breaks, plain, settled
from tests.oracle.faulty_logs import Log, in_force, logs_of, rows_of
from tests.oracle.faulty_systems import SYSTEMS, System
from tests.oracle.faulty_worlds import Item, Story, World


class Ending(NamedTuple):
    """What a log of one message means: whether it breaks an attacked row, the truth of its atoms, and more.

    ``sends`` are the ticks of its sends, where a claim counts them.
    """

    shows: bool
    atoms: tuple[bool, ...]
    admitted: bool
    agrees: bool
    sends: tuple[int, ...]


class Verdict:
    """What has been seen of one faulty system."""

    def __init__(self) -> None:
        self.shows = self.passes = self.shows_and_fails = self.escapes = False

    def see(self, shows: bool, expected: bool, passes: bool) -> None:
        """Take note of one log: whether it satisfies the expectations, and whether it passes."""
        self.shows |= shows
        self.passes |= passes
        self.shows_and_fails |= shows and not passes
        self.escapes |= shows and expected

    @property
    def cell(self) -> str:
        """The cell of the kill matrix."""
        if not self.shows:
            return "-"
        if not self.passes:
            return "K"
        return "k" if self.shows_and_fails else "."


class Late(Item):
    """A finished run judged with deadlines of obligations that are one tick longer, all else as ever."""

    def deadline(self, start: int, budget: int) -> int:
        """Until when something is due."""
        return super().deadline(start, budget) + 1

    def send_deadline(self, start: int, budget: int) -> int:
        """Until when a send is due: one open tick more."""
        return super().send_deadline(start, budget + 1)


def cells(document: Document, budgets: Budgets, max_logs: int = 30_000, max_worlds: int = 500) -> dict[str, str]:
    """The cell of every faulty system; TooLarge when there are too many logs or worlds."""
    verdicts = verdicts_of(document, budgets, max_logs, max_worlds)
    return {name: _combined([verdict.cell for verdict in variants]) for name, variants in verdicts.items()}


def escapes(document: Document, budgets: Budgets, max_logs: int = 30_000, max_worlds: int = 500) -> set[str]:
    """The faulty systems of which some log shows the fault and satisfies every expectation; TooLarge as above."""
    verdicts = verdicts_of(document, budgets, max_logs, max_worlds)
    return {name for name, variants in verdicts.items() if any(verdict.escapes for verdict in variants)}


def verdicts_of(document: Document, budgets: Budgets, max_logs: int, max_worlds: int) -> dict[str, list[Verdict]]:
    """What there is to see of every variant of every faulty system."""
    story = Story.read(document, budgets)
    scenario = story.scenario
    verdicts = {system: Verdict() for variants in SYSTEMS.values() for system in variants}
    for world in story.worlds(referenced(scenario, scenario.expect), max_worlds):
        logs = []
        for message in scenario.messages:
            found = logs_of(world, message, max_logs)
            max_logs -= len(found)
            logs.append(_by_rows(found))
        for system, verdict in verdicts.items():
            if any(in_force(row, scenario.level) for row in system.attacks):
                _judge(system, verdict, world, logs)
    return {name: [verdicts[system] for system in variants] for name, variants in SYSTEMS.items()}


def _combined(variants: list[str]) -> str:
    told = {cell for cell in variants if cell != "-"}
    if not told:
        return "-"
    return told.pop() if len(told) == 1 else "k"


Grouped = dict[frozenset[str], list[Log]]


def _by_rows(logs: list[Log]) -> Grouped:
    grouped: Grouped = {}
    for log in logs:
        grouped.setdefault(log.broken, []).append(log)
    return grouped


def _judge(system: System, verdict: Verdict, world: World, logs: list[Grouped]) -> None:
    """Look at every log of a system in one world."""
    scenario = world.story.scenario
    atoms = [_atoms_on(scenario.expect, message.id) for message in scenario.messages]
    counted = any(claim["claim"] == "only-sent" for claim in chain.from_iterable(map(atoms_in, scenario.expect)))
    endings = [_endings(system, item, own, counted) for item, own in zip(logs, atoms, strict=True)]
    for combination in product(*endings):
        shows = any(ending.shows for ending in combination)
        if system.late and not shows:
            continue
        known = {STATE_AGREES: all(ending.agrees for ending in combination)}
        for own, ending in zip(atoms, combination, strict=True):
            known.update(zip(map(atom_of, own), ending.atoms, strict=True))
        admitted = {m.id for m, ending in zip(scenario.messages, combination, strict=True) if ending.admitted}
        for claim in chain.from_iterable(map(atoms_in, scenario.expect)):
            if claim["claim"] == "distinct":
                known[atom_of(claim)] = admitted.issuperset(claim["of"])
            elif claim["claim"] == "only-sent":
                sends = [(m.id, ending.sends) for m, ending in zip(scenario.messages, combination, strict=True)]
                known[atom_of(claim)] = _only_sent(claim, dict(sends))
        expected = all(holds(claim, known) for claim in scenario.expect)
        verdict.see(shows, expected, expected and (scenario.only_expect or not shows))


STATE_AGREES = atom_of({"claim": "state-agrees"})


def _only_sent(claim: Claim, sends: dict[str, tuple[int, ...]]) -> bool:
    """Whether the named messages, and no others, have one send, in order if that is claimed."""
    named = [sends[name] for name in claim["of"]]
    if any(len(ticks) != 1 for ticks in named) or sum(map(len, sends.values())) > len(named):
        return False
    return not claim["ordered"] or named == sorted(named)


def _atoms_on(expect: tuple[Claim, ...], message: str) -> list[Claim]:
    return [claim for claim in chain.from_iterable(map(atoms_in, expect)) if claim.get("of") == message]


def _endings(system: System, logs: Grouped, atoms: list[Claim], counted: bool) -> set[Ending]:
    """What the logs of one message that the system can write mean."""
    found: set[Ending] = set()
    for rows, group in logs.items():
        if not rows <= system.without:
            continue
        for log in group:
            consequences = system.policy(log)
            if not all(consequences) or (not consequences and rows):
                continue
            for facts in system.besides(log) if consequences else [plain(log)]:
                broken = rows | breaks(log, facts)
                if not broken <= system.without or (system.late in broken and _too_late(str(system.late), log, facts)):
                    continue
                shows = bool(broken & system.attacks)
                values = tuple(truth(claim, log, facts) for claim in atoms)
                sends = tuple(log.sends) if counted else ()
                found.add(Ending(shows, values, log.item.admitted is not None, facts.agrees, sends))
    return found


def _too_late(row: str, log: Log, facts: Facts) -> bool:
    """Whether a log breaks a row even if its budget is one tick longer."""
    item = log.item
    if row == "L3.claims":
        return not settled(item, facts.contention, item.budgets.claims + 1)
    late = Late(log.world, item.message, item.run, item.clock)
    return row in rows_of(late)
