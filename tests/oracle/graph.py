"""The runs of one message as a layered graph: one layer of states per visible tick, pruned to what can finish."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracle.basics import MessageTrace, TooLarge
from tests.oracle.claims import Finish
from tests.oracle.item import Item, Label
from tests.oracle.records import Written, options
from tests.oracle.state import State
from tests.oracle.tick import environment_step


@dataclass(frozen=True)
class Step:
    """One tick of one message: from a state at the start of the tick to the state at the start of the next."""

    labels: tuple[Label, ...]
    held: tuple[str, ...]
    written: Written
    after: State


@dataclass
class Graph:
    """``layers[i]`` maps every state in which tick i can begin to its steps; dead ends are pruned away.

    ``finishes`` maps the final states to what they mean; ``admits`` are, per layer, the states from which some run
    ends with the message admitted; the last ones are final states.
    """

    item: Item
    layers: list[dict[State, list[Step]]]
    finishes: dict[State, tuple[Finish, tuple[Label, ...]]]
    admits: list[set[State]]

    def __bool__(self) -> bool:
        return bool(self.finishes)


def build(item: Item, max_states: int) -> Graph:
    """Explore forward tick by tick, then prune backward."""
    layers: list[dict[State, list[Step]]] = []
    frontier: set[State] = {item.start}
    count = 0
    for index in range(item.last + 1):
        layer: dict[State, list[Step]] = {}
        following: set[State] = set()
        for state in frontier:
            steps = layer[state] = list(dict.fromkeys(_steps(item, state, index)))
            following.update(step.after for step in steps)
            count += len(steps)
        if count > max_states:
            raise TooLarge(f"more than {max_states} steps for message {item.name}")
        layers.append(layer)
        frontier = following
        if not frontier:
            break
    finishes: dict[State, tuple[Finish, tuple[Label, ...]]] = {}
    for state in frontier:
        labels: list[Label] = []
        final = item.finish(state, labels)
        if final is not None:
            finishes[state] = (item.summary(final), tuple(labels))
    return _pruned(item, layers, finishes)


def _steps(item: Item, state: State, index: int) -> Iterator[Step]:
    for seen in environment_step(item, state, index):
        for after, written, more in options(item, state, seen, index):
            labels = (*seen.labels, *more)
            if written.send is not None and item.answers.same_tick_is_before:
                labels = tuple(label for label in labels if label[0] not in ("finds-live", "finds-approved"))
            yield Step(labels, seen.held, written, after)


def finishes(item: Item, max_states: int) -> set[Finish]:
    """Only how the runs of a message can end, without keeping the way there."""
    frontier: set[State] = {item.start}
    count = 0
    for index in range(item.last + 1):
        following: set[State] = set()
        for state in frontier:
            for seen in environment_step(item, state, index):
                following.update(after for after, _, _ in options(item, state, seen, index))
        count += len(following)
        if count > max_states:
            raise TooLarge(f"more than {max_states} states for message {item.name}")
        frontier = following
    finals = (item.finish(state, []) for state in frontier)
    return {item.summary(final) for final in finals if final is not None}


def _pruned(
    item: Item, layers: list[dict[State, list[Step]]], finishes: dict[State, tuple[Finish, tuple[Label, ...]]]
) -> Graph:
    alive = set(finishes)
    admitting = {state for state in finishes if state.admitted >= 0}
    kept: list[dict[State, list[Step]]] = []
    admits: list[set[State]] = [admitting]
    for layer in reversed(layers):
        good = {state: [s for s in steps if s.after in alive] for state, steps in layer.items()}
        good = {state: steps for state, steps in good.items() if steps}
        admits.append({state for state, steps in good.items() if any(s.after in admitting for s in steps)})
        kept.append(good)
        alive, admitting = set(good), admits[-1]
    return Graph(item, kept[::-1], finishes, admits[::-1])


def count_runs(graph: Graph) -> int:
    """The number of runs in the graph; different ones write different traces, but for the place of a send."""
    if not graph:
        return 0
    ways: dict[State, int] = dict.fromkeys(graph.finishes, 1)
    for layer in reversed(graph.layers):
        ways = {state: sum(ways[step.after] for step in steps) for state, steps in layer.items()}
    return ways[graph.item.start]


def traces_of(graph: Graph) -> Iterator[MessageTrace]:
    """Every run of the message as a trace in real ticks."""
    if not graph:
        return
    real = graph.item.item.environment.real
    empty = MessageTrace(None, None, (), None, None, (), ())
    stack: list[tuple[int, State, MessageTrace]] = [(0, graph.item.start, empty)]
    while stack:
        index, state, trace = stack.pop()
        if index == len(real):
            yield trace
            continue
        for step in graph.layers[index][state]:
            stack.append((index + 1, step.after, _extended(trace, step, real[index])))


def _extended(trace: MessageTrace, step: Step, tick: int) -> MessageTrace:
    written = step.written
    if step.held:
        trace = trace._replace(held=(*trace.held, *step.held))
    if written.admission is not None:
        trace = trace._replace(admitted=tick, rules=written.admission)
    if written.won:
        trace = trace._replace(won=(*trace.won, tick))
    if written.draft:
        trace = trace._replace(drafts=(*trace.drafts, tick))
    if written.send is not None:
        trace = trace._replace(send=(tick, written.send))
    if written.resolution is not None:
        trace = trace._replace(resolution=(tick, *written.resolution))
    return trace
