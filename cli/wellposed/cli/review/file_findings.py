"""What is to be said about files whatever they hold: links, submodules, names, attributes, what runs, and what nobody judged."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from wellposed.cli.review.files import FileKind, deceives, folded, says_what_runs, strange
from wellposed.cli.review.finding import at
from wellposed.cli.review.objects import LINK, PROGRAM, Changed, shown
from wellposed.cli.review.sources import IMPORTED, SCENARIO, Side
from wellposed.compiler.limits import LIMITS
from wellposed.dsl.findings import Finding, Severity

LARGE, RUNS, ATTRIBUTED, LINKED, MODULE, STRANGE, COLLIDES, UNJUDGED = (
    "WP945", "WP970", "WP971", "WP972", "WP973", "WP974", "WP975", "WP976",
)  # fmt: skip
_ATTRIBUTES_BYTES = 1 << 16
_TARGET_BYTES = 1024
_FEW = 5
_GLANCE_BYTES, _GLANCE_LINES, _GLANCE_WIDTH = 1 << 14, 200, 160
Sorted = Mapping[FileKind, Sequence[Changed]]


def findings(before: Side, after: Side, files: Sorted) -> Iterator[Finding]:
    """One finding per file and cause; many of one kind are counted. Raises GitError."""
    yield from _told(files.get(FileKind.STRANGE, ()), STRANGE)
    yield from _each(after, files, FileKind.LINK, LINKED, "a link", "nothing follows it, so what others see through it was not judged", "put the file itself there")
    yield from _each(
        after, files, FileKind.MODULE, MODULE, "a submodule", "its content is in another repository, where it can change", "put the files themselves here"
    )  # fmt: skip
    yield from _running(before, after, files.get(FileKind.RUNS, ()))
    for changed in files.get(FileKind.ATTRIBUTES, ()):
        yield _attributes(after, changed)
    yield from _colliding(after, [one for each in files.values() for one in each if one.before is None])
    others = [shown(one.path) for one in files.get(FileKind.OTHER, ())]
    if others:
        what = f"{others[0]} is" if len(others) == 1 else f"{len(others)} files are"
        yield at(
            UNJUDGED, f"{what} nothing that is judged here: no scenario, bundle, claim or ledger", others[0],
            detail=_some(others), help="look at the change yourself",
        )  # fmt: skip


def too_large(after: Side, changed: Iterable[Changed]) -> Iterator[tuple[Changed, Finding]]:
    """Files that are larger than their kind may be, which are not looked into. Raises GitError."""
    for one in changed:
        if one.after is None or not one.after.is_file:
            continue
        limit = LIMITS.source_bytes if one.path.endswith((SCENARIO, *IMPORTED)) else LIMITS.bundle_bytes
        size = after.objects.size(one.after.id)
        if size > limit:
            help = f"at most {limit} bytes are read of such a file; split it, or keep it elsewhere"
            yield one, at(LARGE, f"the file has {size} bytes and was not looked into", one.path, help=help)


def _told(changed: Sequence[Changed], code: str) -> Iterator[Finding]:
    for one in changed[: LIMITS.told_files]:
        why = next(strange(one.path))
        more = _more(changed, one)
        yield at(code, f"the name {why}{more}", one.path, help="nothing of the file was looked into; rename it")


def _each(after: Side, files: Sorted, kind: FileKind, code: str, what: str, why: str, help: str) -> Iterator[Finding]:
    changed = files.get(kind, ())
    for one in changed[: LIMITS.told_files]:
        gone = one.after is None or (one.before is not None and one.after.is_file)
        more = _more(changed, one)
        if gone:
            yield at(code, f"{what} was removed or replaced{more}", one.path, help="look at what takes its place", severity=Severity.WARNING)
        else:
            yield at(code, f"this is {what}{_target(after, one)}: {why}{more}", one.path, help=help)


def _target(after: Side, one: Changed) -> str:
    """Where a link leads, which is what it holds."""
    if one.after is None or one.after.mode != LINK or after.objects.size(one.after.id) > _TARGET_BYTES:
        return ""
    return f" to {after.objects.blob(one.after.id).decode('utf-8', 'backslashreplace')!a}"


def _running(before: Side, after: Side, changed: Sequence[Changed]) -> Iterator[Finding]:
    """One finding each for what runs by itself, and for programs as long as they are few."""
    programs = [one for one in changed if not says_what_runs(one.path)]
    if len(programs) > _FEW:
        yield at(
            RUNS, f"{len(programs)} programs are added, changed or removed", programs[0].path,
            detail=_some([shown(one.path) for one in programs]), help="read them before anything of the pull request is run",
        )  # fmt: skip
        changed = [one for one in changed if says_what_runs(one.path)]
    for one in changed[: LIMITS.told_files]:
        becomes = one.before is not None and one.after is not None and one.after.mode == PROGRAM != one.before.mode
        what = "is added" if one.before is None else "is removed" if one.after is None else "becomes executable" if becomes else "is changed"
        more = _more(changed, one)
        yield at(
            RUNS, f"this file runs, or says what runs, and {what}{more}", one.path, detail=_difference(before, after, one),
            help="read it before anything of the pull request is run; it has nothing to do with a scenario",
        )  # fmt: skip


def _difference(before: Side, after: Side, one: Changed) -> list[str]:
    """The lines that go and that come, of a file that is small enough to be read at a glance."""
    old = before.read(one.path, _GLANCE_BYTES) if one.before is not None else b""
    new = after.read(one.path, _GLANCE_BYTES) if one.after is not None else b""
    if old is None or new is None or b"\0" in old + new or max(old.count(b"\n"), new.count(b"\n")) > _GLANCE_LINES:
        return []
    had, has = (raw.decode("utf-8", "backslashreplace").split("\n") for raw in (old, new))
    lines = list(difflib.unified_diff(had, has, lineterm="", n=0))[2:]
    return _some([line[:_GLANCE_WIDTH] for line in lines if not line.startswith("@@") and line not in ("+", "-")])


def _attributes(after: Side, one: Changed) -> Finding:
    raw = after.read(one.path, _ATTRIBUTES_BYTES) if one.after is not None else b""
    help = "objects were read here, which no attribute changes; for checkouts, one line at the top is enough: `* -text`"
    lines = [] if raw is None else [line for line in raw.decode("utf-8", "backslashreplace").split("\n") if deceives(line.encode())]
    if raw is not None and not lines:
        return at(ATTRIBUTED, "attributes of files are changed", one.path, help=help, severity=Severity.WARNING)
    message = "attributes make a checkout, or a page that shows the change, differ from what is committed"
    return at(ATTRIBUTED, message, one.path, detail=_some(lines), help=help)


def _colliding(after: Side, added: Iterable[Changed]) -> Iterator[Finding]:
    """Names that some file systems take for another one of the same folder, at every folder on the way. Raises GitError."""
    names: dict[str, dict[str, list[str]]] = {}
    told: set[str] = set()
    for one in added:
        path = one.path
        while path and len(told) < LIMITS.told_files:
            folder, name = posixpath.split(path)
            if folder not in names:
                names[folder] = {}
                found = after.objects.entry(after.tree, folder)
                for each in after.objects.entries(found[1]) if found is not None else ():
                    names[folder].setdefault(folded(each), []).append(each)
            twins = [each for each in names[folder].get(folded(name), ()) if each != name]
            if twins and path not in told:
                told |= {path, *(posixpath.join(folder, each) for each in twins)}
                message = f"other systems take this name for {shown(twins[0])!a} in the same folder"
                yield at(COLLIDES, message, path, help="rename one of the two; there a checkout holds only one of them")
            path = folder


def _more(changed: Sequence[Changed], one: Changed) -> str:
    """What is said at the last file of a kind that is told one by one."""
    rest = len(changed) - LIMITS.told_files
    if rest <= 0 or one is not changed[LIMITS.told_files - 1]:
        return ""
    return f"; the same goes for {rest} more files"


def _some(paths: Sequence[str]) -> list[str]:
    rest = len(paths) - LIMITS.told_files
    return [*paths[: LIMITS.told_files], *([f"and {rest} more"] if rest > 0 else [])]
