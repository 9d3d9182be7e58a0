"""Names in one scope: none twice, and no two that only case tells apart."""

from __future__ import annotations

from typing import Generic, TypeVar

from wellposed.compiler.reporting import Reporter
from wellposed.dsl.findings import Span

T = TypeVar("T")


class Names(Generic[T]):
    """A table of declared names in order of declaration; the first declaration of a name is the one that counts.

    Ids become file names and keys in other systems, which is why two that are equal after case-folding are refused.
    """

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._folded: dict[str, tuple[str, str, Span]] = {}
        self.entries: dict[str, T] = {}

    def declare(
        self, what: str, name: str, span: Span, value: T, *, code: str = "WP202", help: str | None = None
    ) -> bool:
        """Enter a name for a `what`; a collision is reported at `span` with a second label at the first declaration.

        `code` and `help` are for a name that a thing of the very same kind has already.
        """
        folded = name.casefold()
        if folded not in self._folded:
            self._folded[folded] = (what, name, span)
            self.entries[name] = value
            return True
        first_what, first_name, first_span = self._folded[folded]
        if first_name != name:
            self._reporter.add(
                "WP203",
                span,
                f"`{name}` and `{first_name}` differ only in upper and lower case",
                labels=((first_span, f"`{first_name}` is declared here"),),
                help="choose names that differ in a letter: ids become file names",
            )
            self.entries.setdefault(name, value)
        elif first_what == what:
            self._reporter.add(
                code,
                span,
                f"there is a {what} `{name}` already",
                labels=((first_span, "it stands here"),),
                help=help or "remove one of the two, or give it another name",
            )
        else:
            self._reporter.add(
                "WP202",
                span,
                f"`{name}` is the name of a {first_what} already, a {what} needs another one",
                labels=((first_span, f"the {first_what} `{name}`"),),
                help="choose another name for one of the two",
            )
        return False
