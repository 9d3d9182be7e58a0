"""Sealed entries of a reserve that a pull request gives away, by hash: in its files, or in one of its commits on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wellposed.cli.review.finding import at
from wellposed.cli.review.objects import Changed, Objects, TooMany
from wellposed.cli.review.published import Reserves
from wellposed.compiler.limits import Limits
from wellposed.dsl.findings import Finding
from wellposed.reserve.audit import COMMITTED, MAX_FILE, Secrets, sealed_in
from wellposed.reserve.state import LIVE, REVEALED, short

_HELP = "do not merge it, and record the entry with `wellposed reserve leak`: it was pushed, so it is known"


def secrets(published: Reserves, proposed: Reserves) -> Secrets:
    """What is still sealed where it was published, and is not properly revealed by the pull request itself."""
    live: set[str] = set()
    for state in published.states.values():
        live |= {one.commit for one in state.entries.values() if one.state in LIVE}
    for folder, state in proposed.states.items():
        if not proposed.findings[folder]:
            live -= {one.commit for one in state.entries.values() if one.state == REVEALED}
    return Secrets(frozenset(live), {})


def leaks(
    objects: Objects, changed: Iterable[Changed], commits: Iterable[str], sealed: Secrets, limits: Limits
) -> Iterator[Finding]:
    """WP891 for each. Raises TooMany where the commits change more files than are looked at, and GitError."""
    seen: set[str] = set()
    for one in changed:
        yield from _in(objects, one, "", sealed, seen)
    for commit in commits:
        read = objects.commit(commit)
        parents = [objects.commit(parent).tree for parent in read.parents if objects.has(parent)]
        before = parents[0] if parents else None
        for one in objects.changes(before, read.tree, limits.changed_files):
            yield from _in(objects, one, f" in commit {commit[:12]}, and removed again later", sealed, seen)
            if len(seen) > 4 * limits.changed_files:
                raise TooMany("changed_commits", f"the commits change more than {4 * limits.changed_files} files on the way")


def _in(objects: Objects, one: Changed, where: str, sealed: Secrets, seen: set[str]) -> Iterator[Finding]:
    if one.after is None or not one.after.is_file or one.after.id in seen:
        return
    seen.add(one.after.id)
    if objects.size(one.after.id) > MAX_FILE:
        return
    commit = sealed_in(objects.blob(one.after.id), one.path, sealed)
    if commit is not None:
        yield at(COMMITTED, f"this is the sealed entry {short(commit)}{where}", one.path, help=_HELP)
