"""THE table of diagnostic codes, one module per family. A code is never reused; its message may change freely."""

from __future__ import annotations

from wellposed.dsl.codes import bundle, claims, judging, lint, names, pulls, reserve, syntax, tool, verdicts
from wellposed.dsl.codes.row import Code, Example

TABLE: tuple[Code, ...] = (
    *tool.ROWS,
    *syntax.ROWS,
    *names.ROWS,
    *lint.ROWS,
    *verdicts.ROWS,
    *judging.ROWS,
    *bundle.ROWS,
    *reserve.ROWS,
    *claims.ROWS,
    *pulls.ROWS,
)
BY_ID = {row.id: row for row in TABLE}

__all__ = ["BY_ID", "TABLE", "Code", "Example"]
