"""The folder a harness reads: frozen bytes, every tampering found, no link followed, nothing foreign overwritten."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellposed.compiler.bundle import Bundle, SourceMap, bundle_of
from wellposed.compiler.canonical import decode, file_bytes
from wellposed.compiler.folder import FolderError, check_folder, derive, read_folder, rules_hash, write_folder
from wellposed.compiler.load import load_bundle
from wellposed.compiler.opened import Opened, TooLarge
from wellposed.compiler.profile import MAX_BYTES
from wellposed.dsl.codes.bundle import ROWS
from wellposed.dsl.findings import Pointer, Severity, Span

VECTORS = Path(__file__).parent / "vectors"
FOLDERS = VECTORS / "folders"


def bundle(name: str = "every-form", source_map: SourceMap | None = None) -> Bundle:
    loaded, findings = load_bundle((VECTORS / f"{name}.json").read_bytes(), f"{name}.json", source_map)
    assert loaded is not None, findings
    return loaded


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below the folder by its relative name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def codes(folder: Path, expected: str | None = None) -> set[tuple[str, str]]:
    """Code and the file's name of every finding of `check_folder`."""
    checked, findings = check_folder(folder, expected)
    assert (checked is None) == any(finding.severity is Severity.ERROR for finding in findings)
    pairs = set()
    for finding in findings:
        assert isinstance(finding.place, Pointer)
        pairs.add((finding.code, finding.place.path.removeprefix(folder.as_posix()).removeprefix("/")))
    return pairs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(bundle(), tmp_path)


# Derivation


@pytest.mark.parametrize("name", ["every-form", "l0-single-reply"])
def test_derived_files_are_frozen(name: str) -> None:
    assert derive(bundle(name)) == contents(FOLDERS / name)


def test_rules_hashes_are_those_of_the_files() -> None:
    one = bundle()
    files = derive(one)
    for file, version in zip(("rules.json", "rules/strict.json"), one.document["rules"], strict=True):
        assert rules_hash(version["rules"]) == hashlib.sha256(files[file]).hexdigest()


def test_the_lines_of_all_channels_together_are_the_schedule() -> None:
    one = bundle()
    lines: list[Any] = []
    for name, raw in derive(one).items():
        if name.endswith(".jsonl"):
            channel = name.removesuffix(".jsonl")
            lines += [(decode(line + b"\n"), channel) for line in raw.split(b"\n")[:-1]]
    lines.sort(key=lambda pair: pair[0]["seq"])
    again = []
    for line, channel in lines:
        timing = {name: line.pop(name) for name in ("seq", "when") if name in line}
        if "when" not in timing:
            timing["at"] = line["at"] if channel in ("inbox", "signals") else line.pop("at")
        again.append({**timing, "channel": channel, "record": line})
    assert again == one.document["schedule"]


# Writing


def test_a_written_folder_checks(folder: Path, tmp_path: Path) -> None:
    assert folder == tmp_path / "every-form"
    assert contents(folder) == derive(bundle())
    assert list(tmp_path.iterdir()) == [folder]
    checked, findings = check_folder(folder)
    assert findings == ()
    assert checked is not None
    assert checked.raw == bundle().raw
    assert checked.path == f"{folder.as_posix()}/bundle.json"
    assert read_folder(folder) == (checked, ())


def test_sha256sum_of_the_file_is_the_hash(folder: Path) -> None:
    printed = subprocess.run(["sha256sum", folder / "bundle.json"], capture_output=True, text=True, check=True).stdout
    assert "sha256:" + printed.split()[0] == bundle().hash


def test_writing_replaces_an_older_bundle_and_leaves_nothing_of_it(folder: Path, tmp_path: Path) -> None:
    document: Any = decode(bundle().raw)
    document["title"] = "Another"
    document["rules"][1]["name"] = "stricter"
    document["schedule"][9]["record"]["rules"] = "stricter"
    other = bundle_of(document, None, "x")
    assert write_folder(other, tmp_path) == folder
    assert contents(folder) == derive(other)
    assert "rules/strict.json" not in contents(folder)
    assert list(tmp_path.iterdir()) == [folder]
    write_folder(bundle("l0-single-reply"), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"every-form", "l0-single-reply"}


def test_parents_are_made(tmp_path: Path) -> None:
    assert write_folder(bundle(), tmp_path / "a" / "b").is_dir()


def test_files_have_ordinary_permissions(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "file").touch()
    for path, like in (
        (folder, "plain"),
        (folder / "bundle.json", "plain/file"),
        (folder / "rules" / "strict.json", "plain/file"),
    ):
        assert path.stat().st_mode == (tmp_path / like).stat().st_mode


def _foreign_file(target: Path) -> None:
    target.write_text("mine")


def _foreign_folder(target: Path) -> None:
    target.mkdir()
    (target / "notes.txt").write_text("mine")


def _foreign_link(target: Path) -> None:
    (target.parent / "elsewhere").mkdir()
    target.symlink_to("elsewhere")


def _bundle_with_notes(target: Path) -> None:
    write_folder(bundle(), target.parent)
    (target / "notes.txt").write_text("mine")


def _bundle_with_rules_notes(target: Path) -> None:
    write_folder(bundle(), target.parent)
    (target / "rules" / "notes.txt").write_text("mine")


def _bundle_with_a_deep_folder(target: Path) -> None:
    write_folder(bundle(), target.parent)
    (target / "rules" / "mine.json").mkdir()
    (target / "rules" / "mine.json" / "notes.txt").write_text("mine")


FOREIGN = (
    _foreign_file,
    _foreign_folder,
    _foreign_link,
    _bundle_with_notes,
    _bundle_with_rules_notes,
    _bundle_with_a_deep_folder,
)


@pytest.mark.parametrize("make", FOREIGN)
def test_nothing_foreign_is_overwritten(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "every-form")
    before = contents(tmp_path)
    listing = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(FolderError) as caught:
        write_folder(bundle(), tmp_path)
    assert caught.value.code in ("WP750", "WP751")
    assert caught.value.path == (tmp_path / "every-form").as_posix()
    assert contents(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == listing


def test_an_empty_folder_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "every-form").mkdir()
    assert check_folder(write_folder(bundle(), tmp_path))[1] == ()


def test_a_failure_leaves_the_old_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both when the new files cannot be written and when the new folder cannot take its place."""
    before = contents(tmp_path)
    document: Any = decode(bundle().raw)
    document["title"] = "Another"
    other = bundle_of(document, None, "x")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", _fail)
        with pytest.raises(OSError, match="no space"):
            write_folder(other, tmp_path)
    assert contents(tmp_path) == before
    assert list(tmp_path.iterdir()) == [folder]
    rename = Path.rename

    def refuse_new(self: Path, target: Path) -> Path:
        if self.name.endswith(".new"):
            raise OSError("no space")
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse_new)
        with pytest.raises(OSError, match="no space"):
            write_folder(other, tmp_path)
    assert contents(tmp_path) == before
    assert list(tmp_path.iterdir()) == [folder]


def _fail(self: Path, data: bytes) -> int:
    raise OSError("no space")


# Reading


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.bad.kind == "folder" and row.id != "WP755"], ids=lambda row: row.id
)
def test_examples_of_the_table(row: Any, folder: Path) -> None:
    subprocess.run(["sh", "-c", row.good.text], cwd=folder, check=True, capture_output=True)
    assert codes(folder) == set()
    subprocess.run(["sh", "-c", row.bad.text], cwd=folder, check=True, capture_output=True)
    assert {code for code, _ in codes(folder)} == {row.id}


def _every_flip() -> list[tuple[str, int]]:
    files = derive(bundle("l0-single-reply"))
    return [(name, at) for name, raw in files.items() if name != "bundle.json" for at in range(0, len(raw), 3)]


def test_every_changed_byte_of_a_derived_file_is_found(tmp_path: Path) -> None:
    target = write_folder(bundle("l0-single-reply"), tmp_path)
    for name, at in _every_flip():
        raw = (target / name).read_bytes()
        (target / name).write_bytes(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
        assert codes(target) == {("WP753", name)}, (name, at)
        (target / name).write_bytes(raw)
    assert codes(target) == set()


@pytest.mark.parametrize("name", sorted(set(derive(bundle())) - {"bundle.json"}))
def test_every_missing_shorter_or_longer_file_is_found(name: str, folder: Path) -> None:
    raw = (folder / name).read_bytes()
    (folder / name).write_bytes(raw + b"\n")
    assert codes(folder) == {("WP753", name)}
    (folder / name).write_bytes(raw[:-1])
    assert codes(folder) == {("WP753", name)}
    (folder / name).unlink()
    assert codes(folder) == {("WP754", name)}
    assert read_folder(folder)[1] == ()  # which does not look at them


def test_a_changed_bundle_is_another_bundle(folder: Path) -> None:
    document: Any = decode(bundle().raw)
    document["stub"]["replies"][1]["parts"] = ["Thanks."]
    (folder / "bundle.json").write_bytes(file_bytes(document))
    assert codes(folder) == {("WP753", "stub.json")}
    assert codes(folder, bundle().hash) == {("WP755", "bundle.json")}


def test_the_hash_is_compared_before_the_bytes_are_parsed(folder: Path) -> None:
    (folder / "bundle.json").write_bytes(b"[" * 100)
    assert codes(folder, bundle().hash) == {("WP755", "bundle.json")}
    assert codes(folder) == {("WP713", "bundle.json")}


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "inbox.jsonl",
            lambda raw: raw.replace(b"bob@", b"eve@"),
            """line 2 is not what the bundle derives: 'refund","from":"eve@example.test","id":"' instead of 'refund","from":"bob@""",
        ),
        ("inbox.jsonl", lambda raw: raw[:-30], "the file ends in line 3, where the bundle derives more"),
        (
            "inbox.jsonl",
            lambda raw: raw[: raw.index(b"\n") + 1],
            "the file ends in line 2, where the bundle derives more",
        ),
        ("inbox.jsonl", lambda raw: b"", "the file ends in line 1, where the bundle derives more"),
        ("faults.jsonl", lambda raw: raw + b"{}\n", "line 8 is more than the bundle derives"),
        ("stub.json", lambda raw: b" " + raw, """line 1 is not what the bundle derives: ' {"anchors":"""),
        (
            "mode.json",
            lambda raw: b"\xff\n",
            """line 1 is not what the bundle derives: '\\ufffd' instead of '{"changed_at""",
        ),
    ],
)
def test_differences_name_the_line(name: str, change: Callable[[bytes], bytes], message: str, folder: Path) -> None:
    raw = (folder / name).read_bytes()
    (folder / name).write_bytes(change(raw))
    _, (finding,) = check_folder(folder)
    assert finding.message.startswith(message)
    assert finding.message.isascii()
    assert len(finding.message) < 200


def test_all_differences_are_reported(folder: Path) -> None:
    (folder / "mode.json").unlink()
    (folder / "stub.json").write_bytes(b"")
    (folder / "notes").touch()
    (folder / "rules" / "more.json").touch()
    assert codes(folder) == {("WP754", "mode.json"), ("WP753", "stub.json"), ("WP751", "")}
    assert len(check_folder(folder)[1]) == 4


@pytest.mark.parametrize(
    "name", [".git", "README.md", "Bundle.json", "bundle.json~", "x\ny", "é", "rules.json.orig", ".gitattributes"]
)
def test_only_the_closed_list_of_names_is_accepted(name: str, folder: Path) -> None:
    (folder / name).touch()
    assert codes(folder) == {("WP751", "")}
    assert read_folder(folder)[0] is None
    (finding,) = check_folder(folder)[1]
    assert finding.message.isascii()
    assert finding.message.isprintable()


def test_a_folder_of_rules_needs_later_rules(tmp_path: Path) -> None:
    target = write_folder(bundle("l0-single-reply"), tmp_path)
    (target / "rules").mkdir()
    assert codes(target) == {("WP751", "")}
    (target / "rules" / "all.json").write_bytes(b"[]\n")
    assert codes(target) == {("WP751", "")}


# Links, pipes, devices


SECRET = "very secret"


def _link(path: Path) -> None:
    (path.parent.parent / "secret").write_text(SECRET)
    path.symlink_to("../secret")


def _broken_link(path: Path) -> None:
    path.symlink_to("nowhere")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _device_link(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)


@pytest.mark.parametrize("make", [_link, _broken_link, _pipe, _folder, _device_link, _sparse])
@pytest.mark.parametrize("name", ["bundle.json", "inbox.jsonl", "invariants.json"])
def test_only_regular_files_are_opened(make: Callable[[Path], None], name: str, folder: Path) -> None:
    (folder / name).unlink()
    make(folder / name)
    assert codes(folder) == {("WP714" if make is _sparse else "WP752", name)}
    assert SECRET not in "".join(finding.message for finding in check_folder(folder)[1])


def test_sockets_are_not_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "stub.json").unlink()
    monkeypatch.chdir(folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("stub.json")
        assert codes(folder) == {("WP752", "stub.json")}


def test_folders_are_not_reached_through_links(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("every-form")
    assert codes(tmp_path / "link") == {("WP752", "")}
    (folder / "rules").rename(tmp_path / "rules")
    (folder / "rules").symlink_to("../rules")
    assert codes(folder) == {("WP752", "rules"), ("WP752", "rules/strict.json")} or codes(folder) == {
        ("WP752", "rules")
    }


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert codes(tmp_path / "file") == {("WP752", "")}
    (tmp_path / "empty").mkdir()
    assert codes(tmp_path / "empty") == {("WP750", "")}
    with pytest.raises(FileNotFoundError):
        check_folder(tmp_path / "nothing")


def test_oversized_bundles_are_not_read(folder: Path) -> None:
    with (folder / "bundle.json").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert codes(folder) == {("WP714", "bundle.json")}


def test_files_up_to_the_limit_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    with Opened(tmp_path) as opened:
        assert opened.read("file", 5) == b"12345"
        with pytest.raises(TooLarge) as caught:
            opened.read("file", 4)
        assert caught.value.path == f"{tmp_path.as_posix()}/file"


@pytest.mark.parametrize("make", [_link, _broken_link, _pipe, _device_link])
def test_what_changes_between_the_look_and_the_opening(
    make: Callable[[Path], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first look saw a file; what is opened a moment later is not one, and is not read either."""
    seen = os.stat(folder / "stub.json")
    (folder / "stub.json").unlink()
    make(folder / "stub.json")
    look = os.stat

    def earlier(path: Any, **options: Any) -> os.stat_result:
        return seen if path == "stub.json" else look(path, **options)

    monkeypatch.setattr("wellposed.compiler.opened.os.stat", earlier)
    assert codes(folder) == {("WP752", "stub.json")}


def test_nothing_stays_open(folder: Path) -> None:
    before = os.listdir("/proc/self/fd")
    check_folder(folder)
    (folder / "stub.json").unlink()
    _pipe(folder / "stub.json")
    check_folder(folder)
    write_folder(bundle("l0-single-reply"), folder.parent)
    assert os.listdir("/proc/self/fd") == before


# The map


SPAN = Span("scenarios/a.scenario", 0, 4, 1, 1, 1, 5)
MAP = SourceMap({"/schedule/0": SPAN})


def test_the_map_lies_beside_the_bundle(tmp_path: Path) -> None:
    target = write_folder(bundle(source_map=MAP), tmp_path)
    assert contents(target).keys() == derive(bundle()).keys() | {"bundle.map.json"}
    checked, findings = check_folder(target)
    assert findings == ()
    assert checked is not None
    assert checked.hash == bundle().hash
    assert checked.place("/schedule/0/at") == SPAN
    assert read_folder(target)[0] == checked


def test_a_map_that_does_not_fit_is_ignored_with_a_warning(tmp_path: Path) -> None:
    target = write_folder(bundle("l0-single-reply", MAP), tmp_path)
    other = (target / "bundle.map.json").read_bytes()
    target = write_folder(bundle(), tmp_path)
    for raw in (other, b"", b"{}", b"\xff" * 100):
        (target / "bundle.map.json").write_bytes(raw)
        checked, (finding,) = check_folder(target)
        assert checked is not None
        assert checked.source_map is None
        assert (finding.code, finding.severity) == ("WP756", Severity.WARNING)
    (target / "bundle.map.json").unlink()
    _link(target / "bundle.map.json")
    assert codes(target) == {("WP756", "bundle.map.json")}


def test_no_map_beside_what_is_sealed_or_lies_elsewhere(tmp_path: Path) -> None:
    document: Any = decode(bundle().raw)
    document["seal"] = {"alg": "reserve-seal/1", "nonce": "ab" * 32}
    sealed = write_folder(bundle_of(document, MAP, "x"), tmp_path)
    assert not (sealed / "bundle.map.json").exists()
    assert codes(sealed) == set()
    elsewhere = SourceMap({"/schedule/0": Span("../a.scenario", 0, 4, 1, 1, 1, 5)})
    assert not (write_folder(bundle(source_map=elsewhere), tmp_path) / "bundle.map.json").exists()
