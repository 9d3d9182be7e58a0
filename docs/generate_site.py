"""Stages the documentation as a site: pages, README as the first of them, and a page for every file or folder that a page links to.

`make site` stages it into build/docs and has it built from there into build/site. In the repository a link to a scenario leads to
the file; on the site it leads to a page that shows the file.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAGE = ROOT / "build/docs"
FIRST = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "LICENSE": "license.md",
}
SHOWN = "source"
"""The folder of the pages that show files."""
LANGUAGES = {".json": "json", ".jsonl": "json", ".py": "python", ".sh": "sh", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".lua": "lua"}
MOST_BYTES = 200_000
_FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*?$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\]\()(?P<to>[^)\s#]+)(?P<anchor>#[^)\s]*)?(?=\))|(?<=\]\()(?P<here>#[^)\s]+)(?=\))")


def pages(tracked: list[str]) -> dict[str, str]:
    """Where each Markdown page of the repository that belongs to the site is staged, by its path."""
    below = {path: path.removeprefix("docs/") for path in tracked if path.startswith("docs/") and path.endswith(".md")}
    return FIRST | {path: posixpath.join(posixpath.dirname(to), "index.md") if to.endswith("README.md") else to for path, to in below.items()}


def tracked_files() -> list[str]:
    """Every file of the repository."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    return sorted(path for path in listed.stdout.decode().split("\0") if path and (ROOT / path).is_file())


class Site:
    """The staged files by their path on the site; `missing` are links that lead nowhere, as (page, target)."""

    def __init__(self) -> None:
        self._tracked = tracked_files()
        self._pages = pages(self._tracked)
        self._waiting: list[str] = []
        self.files: dict[str, bytes] = {}
        self.missing: list[tuple[str, str]] = []
        for path, to in self._pages.items():
            text = (ROOT / path).read_text(encoding="utf-8")
            self.files[to] = (f"# License\n\n```text\n{text}```\n" if path == "LICENSE" else self._linked(text, path, to)).encode()
        while self._waiting:
            path = self._waiting.pop()
            to = _place(path)
            if to not in self.files:
                self.files[to] = "\n".join(self._shown(path)).encode()

    def _linked(self, text: str, path: str, to: str) -> str:
        """The text of a page with links for its place on the site; what stands in code is left alone."""

        def link(found: re.Match[str]) -> str:
            target = found["to"]
            if target is None or re.match(r"\w+:", target):
                return found[0]
            staged = self._staged(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
            if staged is None:
                self.missing.append((path, target))
                return found[0]
            return posixpath.relpath(staged, posixpath.dirname(to) or ".") + (found["anchor"] or "")

        parts, end = [], 0
        for fence in _FENCE.finditer(text):
            parts += [_LINK.sub(link, text[end : fence.start()]), fence[0]]
            end = fence.end()
        return "".join((*parts, _LINK.sub(link, text[end:])))

    def _staged(self, path: str) -> str | None:
        """Where on the site a path of the repository is; asks for a page that shows it, where it is none itself."""
        if path in self._pages:
            return self._pages[path]
        if path.startswith("docs/") and path in self._tracked:
            self.files[path.removeprefix("docs/")] = (ROOT / path).read_bytes()
            return path.removeprefix("docs/")
        if path + "/README.md" in self._pages:
            return self._pages[path + "/README.md"]
        if path in self._tracked or any(one.startswith(f"{path}/") for one in self._tracked):
            self._waiting.append(path)
            return _place(path)
        return None

    def _shown(self, path: str) -> Iterator[str]:
        """A page that shows a file, or the files of a folder."""
        yield f"# {path}\n"
        inside = [path] if path in self._tracked else [one for one in self._tracked if one.startswith(f"{path}/")]
        for one in inside:
            raw = (ROOT / one).read_bytes()
            if one != path:
                yield f"## {posixpath.relpath(one, path)}\n"
            if len(raw) > MOST_BYTES or b"\0" in raw:
                yield f"{len(raw)} bytes, not shown here.\n"
                continue
            text = raw.decode(errors="replace")
            marks = max((len(run) for run in re.findall(r"`{3,}", text)), default=2) + 1
            yield f"{'`' * marks}{LANGUAGES.get(posixpath.splitext(one)[1], 'text')}\n{text.rstrip()}\n{'`' * marks}\n"


def _place(path: str) -> str:
    """Where a page that shows a file or folder is staged; a leading dot would hide it."""
    return f"{SHOWN}/{'/'.join(part.lstrip('.') for part in path.split('/'))}.md"


def main() -> None:
    """Stage the site; a link that leads nowhere is an error."""
    site = Site()
    if site.missing:
        raise SystemExit("\n".join(f"{page}: a link to {target}, which is not there" for page, target in site.missing))
    shutil.rmtree(STAGE, ignore_errors=True)
    for path, raw in site.files.items():
        (STAGE / path).parent.mkdir(parents=True, exist_ok=True)
        (STAGE / path).write_bytes(raw)


if __name__ == "__main__":
    main()
