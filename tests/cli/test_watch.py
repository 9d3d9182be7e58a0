"""`check --watch` in a process of its own, while other processes edit, replace, add and delete files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.watch import Files, Remembering, difference
from wellposed.compiler.bundle import Bundle
from wellposed.verifier.report import Verification

Command = Callable[..., Any]
PATIENCE = 60.0
"""Seconds; only a test that fails waits for so long."""
RULES = 'rules desk {\n  admit orders when subject contains "order"\n  refuse rest\n}\n'
RULED = """\
import "desk.rules"
scenario ruled {
  level L2
  horizon 40
  rules desk
  conversation order { from "ada@example.test" subject "Where is my order?" }
  at 0 deliver m1 in order "Hello."
  at 12 approve m1 as go
  expect { m1 sent within 5 of go }
}
"""


class Watcher:
    """A running `check --watch` and what it has written so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "wellposed", "check", "--watch", *arguments]
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.out = ""
        self.err = ""
        self._turns = 0
        self._seen = 0
        self._threads = [threading.Thread(target=read, daemon=True) for read in (self._read_out, self._read_err)]
        for thread in self._threads:
            thread.start()

    def _read_out(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.out += line

    def _read_err(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.err += line

    def turn(self) -> tuple[str, str]:
        """What the next check writes to stdout, and its last line on stderr."""
        self._turns += 1
        self._wait(lambda: self.err.count("Ctrl-C stops\n") >= self._turns)
        time.sleep(0.1)  # the other pipe is read by another thread
        new, self._seen = self.out[self._seen :], len(self.out)
        return new, self.err.splitlines()[-1]

    def _wait(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not done():
            assert self.process.poll() is None, self.err
            assert time.monotonic() < deadline, (self.out, self.err)
            time.sleep(0.02)

    def stop(self) -> int:
        """Ctrl-C, and the exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join()
        assert "Traceback" not in self.out + self.err
        return status


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Watcher]]:
    """Starts watchers in the folder of the test, and leaves none behind."""
    started: list[Watcher] = []

    def begin(*arguments: str) -> Watcher:
        started.append(Watcher(folder, *arguments))
        return started[-1]

    yield begin
    for watcher in started:
        watcher.process.kill()
        watcher.process.wait()


def edit(folder: Path, script: str) -> None:
    """Runs a few lines of Python in a process of its own, with `Path` and `os` at hand."""
    subprocess.run([sys.executable, "-c", f"import os\nfrom pathlib import Path\n{script}"], cwd=folder, check=True)


def test_a_session(folder: Path, start: Callable[..., Watcher]) -> None:
    (folder / "desk.rules").write_text(RULES)
    (folder / "ruled.scenario").write_text(RULED)
    watcher = start(".")
    out, said = watcher.turn()
    assert "3 scenarios: 2 well-posed, 1 ambiguous" in out
    assert said == "wellposed: verified 3 of 3; watching 4 files, Ctrl-C stops"

    edit(folder, "p = Path('race.scenario'); p.write_text(p.read_text().replace('at 13', 'at 12'))")
    out, said = watcher.turn()
    assert out.startswith("\n--- changed: race.scenario ---\n\n")
    assert "3 scenarios: 3 well-posed" in out
    assert said.startswith("wellposed: verified 1 of 3; ")

    # What is imported counts as well; touching a file does not.
    edit(folder, "os.utime('hello.scenario')")
    edit(folder, "p = Path('desk.rules'); p.write_text(p.read_text().replace('\"order\"', '\"Order\"'))")
    out, said = watcher.turn()
    assert out.startswith("\n--- changed: desk.rules ---\n\n")
    assert "error[WP401]" in out
    assert said.startswith("wellposed: verified 1 of 3; ")

    # A new file, written beside and put in place in one step, and one that is deleted.
    edit(
        folder,
        "Path('.x').write_text(Path('hello.scenario').read_text().replace('hello', 'b')); os.rename('.x', 'b.scenario')",
    )
    out, said = watcher.turn()
    assert out.startswith("\n--- new: b.scenario ---\n\n")
    assert said == "wellposed: verified 1 of 4; watching 5 files, Ctrl-C stops"
    edit(folder, "os.unlink('ruled.scenario'); os.unlink('desk.rules')")
    out, said = watcher.turn()
    assert out.startswith("\n--- gone: desk.rules, ruled.scenario ---\n\n")
    assert said == "wellposed: verified 0 of 3; watching 3 files, Ctrl-C stops"

    # A comment moves every place in the file, so its findings are made again.
    edit(
        folder,
        "p = Path('race.scenario'); p.write_text('# moved\\n' + p.read_text().replace('at 12 esc', 'at 13 esc'))",
    )
    assert "--> race.scenario:9:12" in watcher.turn()[0]
    edit(folder, "p = Path('race.scenario'); p.write_text('# again\\n' + p.read_text())")
    out, said = watcher.turn()
    assert "--> race.scenario:10:12" in out
    assert said.startswith("wellposed: verified 1 of 3; ")
    assert watcher.stop() == 130


def test_one_file_with_an_import_that_is_missing_at_first(folder: Path, start: Callable[..., Watcher]) -> None:
    (folder / "ruled.scenario").write_text(RULED)
    watcher = start("ruled.scenario")
    assert "error[WP221]: `desk.rules` does not exist" in watcher.turn()[0]
    edit(folder, f"Path('desk.rules').write_text({RULES!r})")
    out, said = watcher.turn()
    assert out.startswith("\n--- new: desk.rules ---\n\n")
    assert said == "wellposed: verified 1 of 1; watching 2 files, Ctrl-C stops"
    # What is no longer imported is no longer watched, and has not changed by that.
    edit(
        folder,
        "p = Path('ruled.scenario'); p.write_text(p.read_text().replace('import \"desk.rules\"\\n', '').replace('desk', 'all'))",
    )
    out, said = watcher.turn()
    assert out.startswith("\n--- changed: ruled.scenario ---\n\n")
    assert said.endswith("watching 1 file, Ctrl-C stops")
    edit(folder, "os.unlink('ruled.scenario')")
    out, _ = watcher.turn()
    assert out == "\n--- gone: ruled.scenario ---\n\n"
    assert "error[WP002]: ruled.scenario does not exist" in watcher.err
    assert watcher.stop() == 130


def test_bundle_folders(wellposed: Command, folder: Path, start: Callable[..., Watcher]) -> None:
    assert wellposed("build", "hello.scenario", "--out", "built").status == 0
    watcher = start("built")
    assert "1 scenario: 1 well-posed" in watcher.turn()[0]
    edit(folder, "Path('built/hello/mode.json').write_text('{}\\n')")
    out, _ = watcher.turn()
    assert out.startswith("\n--- changed: built/hello/mode.json ---\n\n")
    assert "error[WP753]" in out
    edit(folder, "import shutil; shutil.rmtree('built')")
    assert watcher.turn()[0].startswith("\n--- gone: built/hello/approvals.jsonl, ")
    assert watcher.stop() == 130


def test_formats_for_programs_stay_whole(folder: Path, start: Callable[..., Watcher]) -> None:
    watcher = start("hello.scenario", "--format", "json", "--output-file", "report.json")
    watcher.turn()
    before = json.loads((folder / "report.json").read_text())
    edit(folder, "p = Path('hello.scenario'); p.write_text(p.read_text().replace('10 }', '9 }'))")
    assert watcher.turn()[0] == ""
    after = json.loads((folder / "report.json").read_text())
    assert [one["scenarios"][0]["verdict"] for one in (before, after)] == ["well-posed", "ambiguous"]
    assert "wellposed: changed: hello.scenario\n" in watcher.err
    assert watcher.stop() == 130


def test_it_ends_when_nobody_reads(folder: Path, start: Callable[..., Watcher]) -> None:
    command = [sys.executable, "-m", "wellposed", "check", "--watch", "hello.scenario"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        while b"Ctrl-C" not in process.stderr.readline():
            pass
        process.stdout.close()
        edit(folder, "p = Path('hello.scenario'); p.write_text(p.read_text() + '# x\\n')")
        assert process.wait(PATIENCE) == 0
        assert b"Traceback" not in process.stderr.read()


def test_standard_input_cannot_be_watched(wellposed: Command) -> None:
    result = wellposed("check", "-", "--watch")
    assert (result.status, result.out) == (2, "")
    assert result.err == "wellposed: --watch needs files: standard input cannot be read twice\n"


def test_equal_stamps_do_not_hide_a_change(folder: Path) -> None:
    """A write that the file system's clock cannot tell from the one before it."""
    path = folder / "hello.scenario"
    files = Files(["hello.scenario"])
    files.look()
    before, times = files.hashes(), path.stat()
    path.write_text(path.read_text().replace("Hello.", "Hallo."))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    files.look()
    assert difference(before, files.hashes()) == "changed: hello.scenario"


def test_differences_in_words() -> None:
    assert difference({"a": "1", "b": "1", "c": "1"}, {"a": "2", "c": "1", "d": "1"}) == "changed: a; new: d; gone: b"
    assert (
        difference({}, {f"f{n}": "1" for n in range(10)})
        == "new: " + ", ".join(f"f{n}" for n in range(8)) + " and 2 more files"
    )


def test_only_what_changed_is_verified_again(folder: Path) -> None:
    seen: list[str] = []

    def verify(bundle: Bundle) -> Verification:
        seen.append(bundle.id)
        return Verification("well-posed")

    remembering = Remembering(verify)

    def check() -> int:
        examine(gather(["."], "-"), remembering)
        return remembering.turn()

    assert [check(), check()] == [2, 0]
    path = folder / "race.scenario"
    text = path.read_text()
    path.write_text(text.replace("at 13", "at 12"))
    assert check() == 1
    path.unlink()
    assert check() == 0
    # Forgotten with the turn in which it was not there.
    path.write_text(text)
    assert check() == 1
    assert seen == ["hello", "race", "race", "race"]
