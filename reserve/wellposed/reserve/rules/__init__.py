"""What a line of the ledger may say after those above it: one module per type of line, and one for what is due by a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wellposed.dsl.findings import Finding
from wellposed.reserve.lines import Line
from wellposed.reserve.report import at_line
from wellposed.reserve.rules import anchor, announce, apply, genesis, leave, reveal, seal, void
from wellposed.reserve.state import State, Tell

Rule = Callable[[State, Line, Tell], None]

RULES: Mapping[str, Rule] = {
    "genesis": genesis.take,
    "seal": seal.take,
    "anchor": anchor.take,
    "announce": announce.take,
    "apply": apply.take,
    "void": void.take,
    "reveal": reveal.take,
    "leak": leave.leak,
    "forfeit": leave.forfeit,
}


def replay(lines: Sequence[Line], path: str) -> tuple[State, tuple[Finding, ...]]:
    """The state that the lines come to, and every line that the ones above it do not allow."""
    state = State()
    findings: list[Finding] = []
    for line in lines:
        genesis.check_first(state, line, _teller(line, path, findings))
        RULES[line.type](state, line, _teller(line, path, findings))
        state.lines.append(line)
    return state, tuple(findings)


def _teller(line: Line, path: str, findings: list[Finding]) -> Tell:
    def tell(code: str, message: str, help: str | None = None) -> None:
        findings.append(at_line(code, message, path, line.number, help=help))

    return tell
