"""The pages of codes as files that an editor can open: written when first linked to, and gone with the server."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pygls.uris import from_fs_path

from wellposed.cli.commands.explain import text_page
from wellposed.dsl.codes import BY_ID


class Pages:
    """A folder of its own for the pages, readable by nobody else."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._uris: dict[str, str | None] = {}

    def __call__(self, code: str) -> str | None:
        """The URI of a code's page; None where it cannot be written."""
        if code not in self._uris:
            self._uris[code] = self._written(code)
        return self._uris[code]

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        self._uris.clear()

    def _written(self, code: str) -> str | None:
        row = BY_ID.get(code)
        if row is None:
            return None
        try:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="wellposed-")
            page = Path(self._folder.name) / f"{code}.txt"
            page.write_text(f"{text_page(row)}\n", encoding="utf-8")
        except OSError:
            return None
        return str(from_fs_path(str(page)))
