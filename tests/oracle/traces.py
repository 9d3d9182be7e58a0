"""The conforming runs of a bundle document as explicit sets of traces."""

from dataclasses import dataclass
from itertools import product

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Document, MessageTrace, TooLarge, Trace
from tests.oracle.claims import NO_CLAIMS
from tests.oracle.document import read_document
from tests.oracle.environment import environments, item_environment
from tests.oracle.graph import build, count_runs, traces_of
from tests.oracle.item import Item
from tests.oracle.regime import conforming

Block = tuple[frozenset[MessageTrace], ...]


@dataclass(frozen=True)
class Factored:
    """The conforming runs as a disjoint union of products: one block per guess, one factor per message."""

    blocks: tuple[Block, ...]

    def __contains__(self, trace: object) -> bool:
        if not isinstance(trace, tuple):
            return False
        return any(
            len(trace) == len(block) and all(part in factor for part, factor in zip(trace, block, strict=True))
            for block in self.blocks
        )

    def __len__(self) -> int:
        total = 0
        for block in self.blocks:
            size = 1
            for factor in block:
                size *= len(factor)
            total += size
        return total

    def joint(self, max_traces: int) -> frozenset[Trace]:
        """The plain joint set."""
        if len(self) > max_traces:
            raise TooLarge(f"{len(self)} joint traces, more than {max_traces}")
        return frozenset(trace for block in self.blocks for trace in product(*block))


def explore_factored(
    document: Document,
    budgets: Budgets,
    max_drafts: int = 2,
    max_traces: int = 200_000,
    max_states: int = 400_000,
    answers: Answers = BASE,
) -> Factored:
    """Every conforming run, factored per message. ``max_traces`` bounds the traces written out over all factors."""
    scenario = read_document(document, answers)
    regime = conforming(scenario.level, answers)
    blocks: list[Block] = []
    written = 0
    for environment in environments(scenario, budgets, set()):
        graphs = []
        for message in scenario.messages:
            item = Item(item_environment(environment, message), regime, NO_CLAIMS, max_drafts)
            graphs.append(build(item, max_states))
            if not graphs[-1]:
                break
        if len(graphs) < len(scenario.messages) or not all(graphs):
            continue
        written += sum(map(count_runs, graphs))
        if written > max_traces:
            raise TooLarge(f"more than {max_traces} traces")
        blocks.append(tuple(frozenset(traces_of(graph)) for graph in graphs))
    return Factored(tuple(blocks))


def explore(
    document: Document,
    budgets: Budgets,
    max_drafts: int = 2,
    max_traces: int = 200_000,
    max_states: int = 400_000,
    answers: Answers = BASE,
) -> frozenset[Trace]:
    """Every conforming run of a bundle document as a joint trace (C: K and the obligations of levels 0..L)."""
    return explore_factored(document, budgets, max_drafts, max_traces, max_states, answers).joint(max_traces)
