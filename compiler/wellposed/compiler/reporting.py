"""Collecting the findings of one phase: severities come from the table of codes, hints from one bounded suggester."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.passes import PassSpan, settled
from wellposed.compiler.suggest import Suggester
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label, Severity, Span


class Reporter:
    """Gathers findings while one file or one scenario is resolved; the phase hands them on as a tuple.

    `variables` are the names of loop variables and parameters of the text, for advice about names that are unknown.
    """

    def __init__(
        self, suggester: Suggester, scenario: str | None = None, variables: frozenset[str] = frozenset()
    ) -> None:
        self._suggester = suggester
        self._scenario = scenario
        self.variables = variables
        self._findings: list[Finding] = []
        self._passes: dict[tuple[str, PassSpan], int] = {}

    def add(
        self,
        code: str,
        place: Span,
        message: str,
        *,
        labels: Iterable[tuple[Span, str]] = (),
        notes: tuple[str, ...] = (),
        help: str | None = None,
    ) -> None:
        """Report `message` under a code of the table, with its severity there.

        What several passes of a loop have at one place is kept once, with the number of the others.
        """
        if isinstance(place, PassSpan):
            key = (code, place)
            self._passes[key] = self._passes.get(key, -1) + 1
            if self._passes[key]:
                return
        self._findings.append(
            Finding(
                code=code,
                severity=BY_ID[code].severity,
                message=message,
                place=place,
                labels=tuple(Label(span, text) for span, text in labels),
                notes=notes,
                help=help,
                scenario=self._scenario,
            )
        )

    def nested(self) -> Reporter:
        """A reporter for a part of the same text, so that it can be asked whether that part failed."""
        return Reporter(self._suggester, self._scenario, self.variables)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Take over the findings of a part."""
        self._findings.extend(findings)

    def meant(self, word: str, known: Iterable[str], otherwise: str, spell: Callable[[str], str] = str) -> str:
        """A help line: "did you mean …?" where a known word is near, which is shown as `spell` has it, else `otherwise`."""
        guess = self._suggester.nearest(word, known)
        return otherwise if guess is None else f"did you mean `{spell(guess)}`?"

    @property
    def failed(self) -> bool:
        """Whether anything of error severity was reported so far."""
        return any(finding.severity is Severity.ERROR for finding in self._findings)

    def findings(self) -> tuple[Finding, ...]:
        """What was reported, in source order."""
        return tuple(sorted(map(self._settled, self._findings), key=source_order))

    def _settled(self, finding: Finding) -> Finding:
        place = finding.place
        return settled(finding, self._passes[finding.code, place] if isinstance(place, PassSpan) else 0)


def source_order(finding: Finding) -> tuple[str, int, str, str]:
    """A key that puts findings in the order of the text, whatever order they were found in."""
    place = finding.place
    if isinstance(place, Span):
        return (place.path, place.start, finding.code, finding.message)
    return ("" if place is None else place.path, -1, finding.code, finding.message)


def chained(names: Sequence[str]) -> str:
    """a -> b -> c, for messages; the middle of a long chain is left out."""
    shown = [*names[: LIMITS.chain_labels], "…", names[-1]] if len(names) > LIMITS.chain_labels + 2 else names
    return " -> ".join(shown)


def listed(words: Iterable[str], joint: str = "or") -> str:
    """`a`, `b` or `c`, for messages."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {joint} {quoted[-1]}"
