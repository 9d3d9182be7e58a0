"""Files and folders: what is found, in which order, and what is refused with which sentence."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from wellposed.compiler.imports import ImportFailed
from wellposed.compiler.inputs import Collected, FolderReader, Kind, collect
from wellposed.compiler.limits import LIMITS, Limits


def write(base: Path, *paths: str) -> None:
    for path in paths:
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(f"# {path}\n", encoding="utf-8")


def shown(collected: Collected) -> list[str]:
    return [one.path for one in collected.inputs]


def test_a_folder_is_walked_in_sorted_order_and_by_kind(tmp_path: Path) -> None:
    write(tmp_path, "b.scenario", "a/z.rules", "a/b.skin", "a/notes.txt", "a.scenario", "a/x.json")
    found = collect(["."], tmp_path)
    assert shown(found) == ["a.scenario", "a/b.skin", "a/z.rules", "b.scenario"]
    assert [one.kind for one in found.inputs] == [Kind.SCENARIO, Kind.SKIN, Kind.RULES, Kind.SCENARIO]
    assert found.inputs[0].raw == b"# a.scenario\n"
    assert (found.problems, found.notices) == ((), ())
    assert found.sources == found.inputs and found.bundles == ()


def test_the_order_of_the_arguments_does_not_matter_and_nothing_is_found_twice(tmp_path: Path) -> None:
    write(tmp_path, "one/a.scenario", "two/b.scenario")
    paths = ["two", "one/a.scenario", "one", "./two/b.scenario", str(tmp_path / "one")]
    assert collect(paths, tmp_path) == collect(paths[::-1], tmp_path)
    assert shown(collect(paths, tmp_path)) == ["one/a.scenario", "two/b.scenario"]


def test_paths_outside_the_working_directory_are_shown_relative_to_it(tmp_path: Path) -> None:
    write(tmp_path, "here/a.scenario", "there/b.scenario")
    assert shown(collect(["../there", "a.scenario"], tmp_path / "here")) == ["../there/b.scenario", "a.scenario"]


def test_hidden_entries_are_skipped_unless_they_are_asked_for(tmp_path: Path) -> None:
    write(tmp_path, ".venv/a.scenario", ".git/b.scenario", ".c.scenario", "d.scenario")
    assert shown(collect(["."], tmp_path)) == ["d.scenario"]
    assert shown(collect([".venv", ".c.scenario"], tmp_path)) == [".c.scenario", ".venv/a.scenario"]


def test_a_folder_with_a_bundle_is_one_input(tmp_path: Path) -> None:
    write(tmp_path, "out/one/bundle.json", "out/one/inbox.jsonl", "out/one/x.scenario", "out/two/bundle.json")
    found = collect(["out"], tmp_path)
    assert [(one.path, one.kind, one.raw) for one in found.bundles] == [
        ("out/one", Kind.BUNDLE_FOLDER, b""),
        ("out/two", Kind.BUNDLE_FOLDER, b""),
    ]
    assert found.problems == ()
    assert [one.kind for one in collect(["out/one/bundle.json"], tmp_path).inputs] == [Kind.BUNDLE]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("missing", "missing does not exist"),
        ("missing.scenario", "missing.scenario does not exist"),
        ("a.scenario/x", "a.scenario/x does not exist"),
        ("", "'' does not exist"),
        ("a\0b", "'a\\x00b' does not exist"),
        ("empty", "no scenarios found in empty"),
        ("rules-only", "no scenarios found in rules-only"),
        ("notes.txt", "notes.txt is not a source file (.scenario, .rules, .skin) or a bundle (.json)"),
        ("link.scenario", "link.scenario is a link; links are not followed"),
        ("pipe.scenario", "pipe.scenario is not a regular file"),
        ("socket.scenario", "socket.scenario cannot be read: no such device or address"),
    ],
)
def test_paths_that_give_nothing_are_problems(
    tmp_path: Path, path: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.scenario", "rules-only/a.rules", "notes.txt")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.scenario").symlink_to("a.scenario")
    os.mkfifo(tmp_path / "pipe.scenario")
    monkeypatch.chdir(tmp_path)  # the path of a socket has to be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.scenario")
        found = collect([path, "a.scenario"])
    assert found.problems == (sentence,)
    assert "a.scenario" in shown(found)


def test_links_and_devices_in_a_folder_are_passed_over_with_a_notice(tmp_path: Path) -> None:
    write(tmp_path, "in/a.scenario", "out/secret.scenario")
    (tmp_path / "in/b.scenario").symlink_to("../out/secret.scenario")
    (tmp_path / "in/c").symlink_to("../out")
    (tmp_path / "in/loop").symlink_to(".")
    os.mkfifo(tmp_path / "in/d.scenario")
    found = collect(["in"], tmp_path)
    assert shown(found) == ["in/a.scenario"]
    assert found.problems == ()
    assert set(found.notices) == {
        "in/b.scenario is a link and was passed over",
        "in/c is a link and was passed over",
        "in/loop is a link and was passed over",
        "in/d.scenario is not a regular file",
    }


def test_names_that_are_not_utf8_are_shown_escaped(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.scenario")
    (tmp_path / name).write_bytes(b"x")
    found = collect(["."], tmp_path)
    assert shown(found) == ["caf\\xe9.scenario"]
    assert found.inputs[0].raw == b"x"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_what_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path, "a.scenario", "closed/b.scenario")
    (tmp_path / "a.scenario").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        problems = collect(["."], tmp_path).problems
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert "a.scenario cannot be read: permission denied" in problems
    assert "closed cannot be read: permission denied" in problems


def test_no_more_than_the_limit_and_one_byte_is_read(tmp_path: Path) -> None:
    (tmp_path / "big.scenario").write_bytes(b"#" * 100)
    (found,) = collect(["big.scenario"], tmp_path, Limits(source_bytes=10)).inputs
    assert len(found.raw) == 11


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (Limits(files=2), "too many or too large files at once; check fewer of them at a time"),
        (Limits(total_bytes=30), "too many or too large files at once; check fewer of them at a time"),
        (Limits(entries=2), "more than 2 directory entries; check fewer folders at a time"),
        (Limits(folder_depth=1), "one/two is nested too deeply and was not read"),
    ],
)
def test_counts_are_limited(tmp_path: Path, limits: Limits, sentence: str) -> None:
    write(tmp_path, "a.scenario", "b.scenario", "c.scenario", "one/two/three/d.scenario")
    assert sentence in collect(["."], tmp_path, limits).problems


def test_the_table_of_limits_is_generous_and_finite() -> None:
    assert 2**20 <= LIMITS.source_bytes <= LIMITS.bundle_bytes <= LIMITS.total_bytes


def test_imports_are_read_from_the_folder_of_the_importing_file(tmp_path: Path) -> None:
    write(tmp_path, "scenarios/rules/a.rules")
    assert FolderReader(tmp_path).read_import("scenarios", "rules/a.rules") == b"# scenarios/rules/a.rules\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("missing.rules", "does not exist"),
        ("missing/a.rules", "does not exist"),
        ("a.rules/b.rules", "cannot be read: not a directory"),
        ("link.rules", "is a link, or is reached through one; links are not followed"),
        ("linked/a.rules", "is a link, or is reached through one; links are not followed"),
        ("folder.rules", "is not a regular file"),
        ("pipe.rules", "is not a regular file"),
        ("a\0.rules", "cannot be read: its path is not possible"),
    ],
)
def test_imports_that_cannot_be_read(tmp_path: Path, path: str, reason: str) -> None:
    write(tmp_path, "here/a.rules", "elsewhere/a.rules")
    (tmp_path / "here/link.rules").symlink_to("a.rules")
    (tmp_path / "here/linked").symlink_to("../elsewhere")
    (tmp_path / "here/folder.rules").mkdir()
    os.mkfifo(tmp_path / "here/pipe.rules")
    with pytest.raises(ImportFailed) as raised:
        FolderReader(tmp_path).read_import("here", path)
    assert str(raised.value) == reason
