"""Results that are kept between two runs, several processes, and the line that tells how far it has got."""

from __future__ import annotations

import dataclasses
import functools
import io
import os
import pty
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.cli.main import main
from wellposed.cli.results import progress, store, verifying
from wellposed.cli.results.codec import Unreadable, decode, encode
from wellposed.cli.results.progress import Progress
from wellposed.cli.results.store import Store
from wellposed.cli.results.verifying import Verifying
from wellposed.compiler import canonical
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = sorted(ROOT.glob("scenarios/*.scenario"))
DEFECTS = sorted(ROOT.glob("examples/defects/*/defect.scenario"))


def bundles(paths: list[Path]) -> Iterator[Bundle]:
    for path in paths:
        source, _ = read_source(str(path), path.read_bytes())
        assert source is not None
        for one in compile_source(source, Importer(FolderReader())).scenarios:
            if one.bundle is not None:
                yield one.bundle


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of one's own, and where the results lie in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "wellposed" / "results.sqlite"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "one.scenario"
    written.write_bytes((ROOT / "scenarios/l0-single-reply.scenario").read_bytes())
    return written


# -- the codec -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [*LIBRARY, *DEFECTS], ids=lambda path: path.stem)
def test_every_verification_of_the_library_comes_back_as_it_was(path: Path) -> None:
    for bundle in bundles([path]):
        found = verify(bundle, windows=True, readings=path in DEFECTS)
        assert decode(encode(found)) == found


def test_what_is_no_verification_is_refused() -> None:
    inside = (b"null", b"[]", b"{}", b'["Verification"]', b'["os.system","ls"]', b'["()",1]', b'["severity","bad"]', b"[[1]]", b'["{}",1]')
    for raw in (b"", b"{}", b"[]", *(b'{"verification":%b}' % part for part in inside)):
        with pytest.raises(Unreadable):
            decode(raw)


@given(st.recursive(st.none() | st.integers(-9, 9) | st.text(max_size=9), lambda inner: st.lists(inner, max_size=4)))
def test_no_json_makes_anything_else(value: object) -> None:
    try:
        raw = canonical.encode({"verification": ["Verification", value]})
    except canonical.CanonicalError:
        return
    try:
        assert isinstance(decode(raw), Verification)
    except Unreadable:
        pass


# -- the store -------------------------------------------------------------------------------------------------------


def counted(calls: list[str], bundle: Bundle) -> Verification:
    calls.append(bundle.id)
    return verify(bundle)


def test_a_result_is_found_again(kept: Path) -> None:
    calls: list[str] = []
    known = list(bundles(LIBRARY))
    first = [Verifying(functools.partial(counted, calls), Store("x"))(bundle) for bundle in known]
    assert calls == [bundle.id for bundle in known]
    again = Verifying(functools.partial(counted, calls), Store("x"))
    again.ahead(known)
    assert [again(bundle) for bundle in known] == first
    assert len(calls) == len(known)
    assert kept.stat().st_size and kept.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "other",
    [
        lambda bundle: dataclasses.replace(bundle, path="elsewhere.scenario"),
        lambda bundle: dataclasses.replace(bundle, source_map=None),
        lambda bundle: dataclasses.replace(bundle, raw=bundle.raw.replace(b"Where", b"There")),
    ],
)
def test_another_place_or_content_is_another_result(kept: Path, other: object) -> None:
    bundle = next(bundles([ROOT / "scenarios/l0-single-reply.scenario"]))
    Verifying(verify, Store("x"))(bundle)
    assert Store("x").get(bundle) is not None
    assert Store("x").get(other(bundle)) is None  # type: ignore[operator]
    assert Store("y").get(bundle) is None


def test_another_program_is_another_result(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = next(bundles([ROOT / "scenarios/l0-single-reply.scenario"]))
    Verifying(verify, Store("x"))(bundle)
    before = store.program()
    monkeypatch.setattr(store, "__version__", "0.0.0")
    assert store.program() != before
    assert Store("x").get(bundle) is None


def test_a_module_that_is_written_again_is_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.py").write_text("x = 1\n")
    monkeypatch.setattr(store.wellposed.verifier, "__path__", [str(tmp_path)])
    before = store.program()
    (tmp_path / "part.py").write_text("x = 12\n")
    assert store.program() != before


def test_damage_is_no_result(kept: Path) -> None:
    bundle = next(bundles([ROOT / "scenarios/l0-single-reply.scenario"]))
    Verifying(verify, Store("x"))(bundle)
    with sqlite3.connect(kept) as rows:
        rows.execute("update results set result = ?", (b'["os.system","ls"]',))
    assert Store("x").get(bundle) is None
    kept.write_bytes(b"not a database" * 100)
    assert Verifying(verify, Store("x"))(bundle).verdict == "well-posed"
    assert not kept.exists(), "the next run begins a new one"
    Verifying(verify, Store("x"))(bundle)
    assert Store("x").get(bundle) is not None


@pytest.mark.parametrize("home", ["", "relative", os.devnull, "\udcff"])
def test_without_a_usable_folder_there_is_no_store(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    monkeypatch.setenv("HOME", home or os.devnull)
    bundle = next(bundles([ROOT / "scenarios/l0-single-reply.scenario"]))
    nothing = Store("x")
    nothing.put(bundle, verify(bundle))
    nothing.flush()
    assert nothing.get(bundle) is None


@pytest.mark.parametrize("mode", [0o777, 0o720])
def test_a_folder_that_others_can_write_is_not_used(kept: Path, mode: int) -> None:
    kept.parent.mkdir(parents=True)
    kept.parent.chmod(mode)
    Verifying(verify, Store("x"))(next(bundles([ROOT / "scenarios/l0-single-reply.scenario"])))
    assert list(kept.parent.iterdir()) == []


def test_a_link_in_the_place_of_the_folder_is_not_followed(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "theirs").mkdir()
    kept.parent.symlink_to(tmp_path / "theirs")
    Verifying(verify, Store("x"))(next(bundles([ROOT / "scenarios/l0-single-reply.scenario"])))
    assert list((tmp_path / "theirs").iterdir()) == []


def test_the_oldest_go(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST", 3)
    known = list(bundles(LIBRARY))[:5]
    for bundle in known:
        Verifying(verify, Store("x"))(bundle)
    assert [Store("x").get(bundle) is not None for bundle in known] == [False, False, True, True, True]


def test_check_says_the_same_from_the_store(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(ROOT / "scenarios"), str(ROOT / "examples/defects")]
    said = []
    for options in (["--no-cache"], [], [], ["--jobs", "2"], ["--no-cache", "--jobs", "2"]):
        assert main(["check", "--format", "json", *options, *paths]) == 0
        said.append(capsys.readouterr().out)
        assert kept.exists() == ("--no-cache" not in options or len(said) > 1)
    assert len(set(said)) == 1


def test_a_budget_has_results_of_its_own(kept: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [main(["check", "-q", *budget, str(file)]) for budget in ([], ["--budget", "1"], [], ["--budget", "1"])] == [0, 3, 0, 3]


# -- several processes -----------------------------------------------------------------------------------------------


def test_several_processes_find_the_same() -> None:
    known = list(bundles([*LIBRARY, *DEFECTS]))
    several = Verifying(verify, None, 3)
    several.ahead(known)
    assert [several(bundle) for bundle in known] == [verify(bundle) for bundle in known]


@pytest.mark.parametrize(("jobs", "count", "processes"), [(None, 2, 1), (None, verifying.MANY, None), (4, 2, 2), (1, 400, 1)])
def test_how_many_processes(jobs: int | None, count: int, processes: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    class Executor:
        def __init__(self, workers: int, initializer: object) -> None:
            started.append(workers)

        def map(self, function: object, parts: list[object], chunksize: int) -> Iterator[Verification]:
            return (Verification("well-posed") for _ in parts)

        def shutdown(self, cancel_futures: bool) -> None:
            started.append(-1)

    monkeypatch.setattr(verifying, "ProcessPoolExecutor", Executor)
    bundle = next(bundles([ROOT / "scenarios/l0-single-reply.scenario"]))
    Verifying(lambda _: Verification("well-posed"), None, jobs).ahead([bundle] * count)
    expected = min(count, len(os.sched_getaffinity(0)) if processes is None else processes)
    assert started == ([] if expected == 1 else [expected, -1])


def failing(bundle: Bundle) -> Verification:
    raise RuntimeError(bundle.id)


def test_a_failure_in_a_process_is_a_failure() -> None:
    with pytest.raises(RuntimeError, match="l0"):
        Verifying(failing, None, 2).ahead(bundles(LIBRARY))


# -- progress --------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("quiet", "stream", "shown"),
    [(False, Terminal(), "\r\x1b[Kverified 1 of 2\r\x1b[Kverified 2 of 2\r\x1b[K"), (True, Terminal(), ""), (False, io.StringIO(), "")],
)
def test_progress(quiet: bool, stream: io.StringIO, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "AFTER", 0)
    monkeypatch.setattr(progress, "BETWEEN", 0)
    with Progress(2, quiet) as steps:
        steps.step()
        steps.step()
    assert stream.getvalue() == shown


def test_what_is_soon_done_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    with Progress(2, quiet=False) as steps:
        steps.step()
    assert stream.getvalue() == ""


def test_a_terminal_sees_only_the_result_in_the_end(file: Path, kept: Path) -> None:
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "wellposed", "check", str(file)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=True)
    os.close(terminal)
    os.set_blocking(controller, False)
    with pytest.raises(OSError):
        os.read(controller, 100)
    os.close(controller)
    assert b"well-posed" in done.stdout
