"""Hostile folders: links, devices, huge files, odd names, archives, imports that lead outside."""

from __future__ import annotations

import io
import os
import socket
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.hostile.inputs import GOOD, Hostile
from tests.hostile.valid import SECRET

READ = (
    "x.scenario",
    "bundle.json",
    "inbox.jsonl",
    "rules.json",
    "audit.jsonl",
    "run.jsonl",
    "report.json",
    "readme.md",
)
"""Names under which some verb opens a file."""


def _everywhere(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """The same thing under every name that a verb would read."""

    def put(tree: Path) -> None:
        for name in READ:
            make(tree / name)

    return put


def _sparse(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(1 << 40)


def _full(size: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with open(path, "wb") as file:
            file.writelines(b"a" * 2**20 for _ in range(size >> 20))

    return make


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(before)


def _deep(tree: Path) -> None:
    here = os.open(tree, os.O_RDONLY)
    for _ in range(400):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def _names(tree: Path) -> None:
    for name in (
        "x\n::error::y",
        "\x1b[31m",
        "\u202ex",
        "##[error]",
        "CON",
        "a:b",
        "a\\b",
        "con.",
        " ",
        "-rf",
        "%s{0}",
        "[x](0)",
        "<img src=x>",
    ):
        (tree / f"{name}.scenario").write_text("scenario x {")
    (Path(os.fsdecode(os.fsencode(tree) + b"/caf\xe9.scenario"))).write_text("scenario x {")


def _twins(tree: Path) -> None:
    for name in ("a", "A", "\u212a", "k", "e\u0301", "\xe9"):
        (tree / f"{name}.scenario").write_text(GOOD)
        (tree / name).mkdir()
        (tree / name / "bundle.json").write_text("{}")


def _importing(path: str) -> Callable[[Path], None]:
    def put(tree: Path) -> None:
        (tree.parent / "secret.rules").write_text(SECRET)
        (tree / "in").mkdir()
        (tree / "in" / "link.rules").symlink_to(tree.parent / "secret.rules")
        (tree / "in" / "folder.rules").mkdir()
        os.mkfifo(tree / "in" / "pipe.rules")
        shown = path.replace("SECRET", str(tree.parent / "secret.rules"))
        (tree / "in" / "x.scenario").write_text(f'import "{shown}"\nscenario x {{ level L0 horizon 5 }}\n')

    return put


def _circle(tree: Path) -> None:
    for number in range(300):
        (tree / f"r{number}.rules").write_text(
            f'import "r{(number + 1) % 300}.rules"\nrules r{number} {{ admit a{number} when subject is "s" }}\n'
        )
    (tree / "x.scenario").write_text('import "r0.rules"\nscenario x { level L0 horizon 5 }\n')


def _zip(tree: Path) -> None:
    with zipfile.ZipFile(tree / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../escaped.scenario", SECRET)
        archive.writestr("bomb.scenario", b"0" * 2**25)
    for name in READ:
        (tree / name).write_bytes((tree / "x.zip").read_bytes())


def _tar(tree: Path) -> None:
    for name in READ:
        with tarfile.open(tree / name, "w:gz") as archive:
            link = tarfile.TarInfo("x.scenario")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
            archive.addfile(tarfile.TarInfo("../escaped.scenario"), io.BytesIO(b""))


def _nested(tree: Path) -> None:
    """A bundle folder, in which every other file is a link to what is outside."""
    (tree.parent / "secret.rules").write_text(SECRET)
    for name in (
        "approvals.jsonl",
        "faults.jsonl",
        "inbox.jsonl",
        "signals.jsonl",
        "mode.json",
        "rules.json",
        "bundle.map.json",
    ):
        (tree / name).symlink_to(tree.parent / "secret.rules")
    (tree / "bundle.json").write_text("{}\n")


def _outside(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        (path.parent.parent / "secret.rules").write_text(SECRET)
        path.symlink_to(target.replace("SECRET", str(path.parent.parent / "secret.rules")))

    return make


def _kinds() -> Iterator[tuple[str, str, Callable[[Path], object]]]:
    for target in ("SECRET", "/etc/passwd", "/proc/self/environ", "/dev/zero", ".", "..", "nowhere"):
        yield "links", f"to {target}", _everywhere(_outside(target))
    yield "links", "a folder to itself", lambda tree: (tree / "loop").symlink_to(tree)
    yield "links", "a bundle folder of links", _nested
    yield "devices", "FIFOs", _everywhere(os.mkfifo)
    yield "devices", "sockets", _everywhere(_socket)
    yield "devices", "folders", _everywhere(Path.mkdir)
    yield "huge files", "sparse", _everywhere(_sparse)
    yield "huge files", "20 MB", _everywhere(_full(20 << 20))
    yield "huge files", "empty", _everywhere(Path.touch)
    yield "paths", "names", _names
    yield "paths", "twins", _twins
    yield "paths", "nesting", _deep
    yield "paths", "10,000 names", lambda tree: [(tree / f"{number}.txt").touch() for number in range(10_000)]
    for path in (
        "../../secret.rules",
        "SECRET",
        "link.rules",
        "folder.rules",
        "pipe.rules",
        "a\\\\b.rules",
        "\\u{0}.rules",
        "C:/x.rules",
        "//x.rules",
    ):
        yield "imports", path, _importing(path)
    yield "imports", "a circle of 300", _circle
    yield "archives", "zip", _zip
    yield "archives", "tar", _tar


def _below(put: Callable[[Path], object]) -> Callable[[Path], None]:
    def below(folder: Path) -> None:
        (folder / "tree").mkdir()
        put(folder / "tree")

    return below


TREES = [
    Hostile(f"tree {group}", name, "tree", _below(put), name == "a circle of 300") for group, name, put in _kinds()
]
