"""A compilation: lazy phases, the same bytes everywhere, and ids that are unique over all files of an invocation."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from wellposed.compiler.canonical import CanonicalError
from wellposed.compiler.compilation import Compilation, check_unique, compile_source
from wellposed.compiler.imports import Importer, ImportFailed
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.profile import TOO_LARGE
from wellposed.dsl.findings import Severity
from wellposed.dsl.source import SourceFile, read_source

ROOT = Path(__file__).resolve().parents[2]
EVERY_FORM = ROOT / "tests" / "golden" / "every-form"
BODY = 'level L0 horizon 10 conversation c { from "a" subject "s" } at 0 deliver m1 in c "b" expect { m1 sent }'


class Folder:
    """A reader of imports that counts what it is asked for."""

    def __init__(self, **files: str) -> None:
        self.files = {f"{name}.rules": text for name, text in files.items()}
        self.asked: list[str] = []

    def read_import(self, folder: str, path: str) -> bytes:
        self.asked.append(f"{folder}:{path}")
        if path not in self.files:
            raise ImportFailed("does not exist")
        return self.files[path].encode()


def compiled(text: str, path: str = "x.scenario", folder: Folder | None = None) -> Compilation:
    return compile_source(SourceFile(path, text), Importer(folder))


def codes(compilation: Compilation) -> list[str]:
    return [finding.code for finding in compilation.findings]


def test_the_tree_alone_reads_no_import() -> None:
    folder = Folder(a="rules a { admit rest }")
    compilation = compiled(f'import "a.rules" scenario x {{ rules a {BODY} }}', folder=folder)
    assert compilation.tree is None or folder.asked == []
    assert compilation.scenarios == () or folder.asked == [":a.rules"]


def test_an_import_is_read_once_per_invocation() -> None:
    folder = Folder(a='import "b.rules" rules a { admit rest }', b="rules b { admit rest }")
    importer = Importer(folder)
    for number in range(3):
        text = f'import "a.rules" import "b.rules" scenario x{number} {{ level L0 horizon 9 rules b at 5 rules a }}'
        compilation = compile_source(SourceFile(f"in/{number}.scenario", text), importer)
        assert codes(compilation) == []
        assert compilation.scenarios[0].bundle is not None
    assert sorted(folder.asked) == ["in:a.rules", "in:b.rules"]


def test_what_is_asked_for_twice_is_computed_once() -> None:
    compilation = compiled(f"scenario x {{ {BODY} }}")
    assert compilation.scenarios is compilation.scenarios
    assert compilation.findings is compilation.findings
    assert compilation.tree is compilation.tree


def test_a_text_with_errors_of_syntax_has_findings_and_no_scenarios() -> None:
    compilation = compiled("scenario x { level }")
    assert compilation.tree is None
    assert compilation.scenarios == ()
    assert [finding.severity for finding in compilation.findings] == [Severity.ERROR]


def test_one_scenario_with_errors_does_not_keep_another_from_its_bundle() -> None:
    bad, good = compiled(f"scenario bad {{ level L0 }} scenario good {{ {BODY} }}").scenarios
    assert bad.bundle is None and bad.findings[0].scenario == "bad"
    assert good.bundle is not None and good.findings == ()


def test_a_broken_import_is_reported_once_and_keeps_only_its_users_from_their_bundles() -> None:
    folder = Folder(a="rules a { admit x when form is 1 }", b="rules b {")
    using = {name: BODY.replace("horizon 10", f"horizon 10 rules {name}") for name in ("a", "c", "all")}
    text = 'import "a.rules" import "b.rules" ' + " ".join(
        f"scenario x-{name} {{ {body} }}" for name, body in using.items()
    )
    compilation = compiled(text, folder=folder)
    assert codes(compilation)[0] == "WP205"
    assert not any(code == "WP201" for code in codes(compilation)), "what is unknown may stand in the broken file"
    assert [one.bundle is None for one in compilation.scenarios] == [True, True, False]


def test_without_an_importer_imports_cannot_be_read() -> None:
    compilation = compile_source(SourceFile("x.scenario", f'import "a.rules" scenario x {{ {BODY} }}'))
    assert codes(compilation) == ["WP221"]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a.scenario",
        ".rules",
        "a//b.rules",
        "a/",
        "../a.rules",
        "a/../b.rules",
        "/a.rules",
        "a\\\\b.rules",
        "a" * 2000 + ".rules",
    ],
)
def test_paths_that_an_import_cannot_have(path: str) -> None:
    folder = Folder()
    assert codes(compiled(f'import "{path}" scenario x {{ {BODY} }}', folder=folder)) == ["WP220"]
    assert folder.asked == []


def test_paths_that_say_the_same_are_one_import() -> None:
    folder = Folder(a="rules a { admit rest }")
    using = BODY.replace("horizon 10", "horizon 10 rules a")
    assert codes(compiled(f'import "a.rules" import "././a.rules" scenario x {{ {using} }}', folder=folder)) == []
    assert folder.asked == [":a.rules"]


def test_an_import_that_is_no_text_is_reported_where_it_is() -> None:
    class Bytes(Folder):
        def read_import(self, folder: str, path: str) -> bytes:
            return b"\xff"

    compilation = compiled(f'import "a.rules" scenario x {{ {BODY} }}', folder=Bytes())
    assert [(one.code, one.place.path if one.place else None) for one in compilation.findings] == [("WP102", "a.rules")]


def test_a_bundle_beyond_the_limits_of_its_form_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise CanonicalError(TOO_LARGE, "more than 5 values")

    monkeypatch.setattr("wellposed.compiler.compilation.bundle_of", refuse)
    compilation = compiled(f"scenario x {{ {BODY} }}")
    assert [(one.code, one.message) for one in compilation.findings] == [
        ("WP226", "the bundle of `x` would be too large: more than 5 values")
    ]
    assert compilation.scenarios[0].bundle is None


def test_files_of_rules_and_skins_compile_too() -> None:
    assert codes(compiled("rules a { admit rest }", "a.rules")) == []
    assert codes(compiled('skin a { massage "x" }', "a.skin")) == ["WP205"]


def test_too_many_imports_are_refused() -> None:
    files = {f"r{number}": f'import "r{number + 1}.rules"' for number in range(400)}
    compilation = compiled(f'import "r0.rules" scenario x {{ {BODY} }}', folder=Folder(**files))
    assert "WP221" in codes(compilation)


def test_a_long_circle_of_imports_is_told_from_its_first_file() -> None:
    names = ["d", "b", "c", "a"]
    files = {
        one: f'import "{other}.rules" rules {one} {{ admit rest }}'
        for one, other in zip(names, names[1:] + names[:1], strict=True)
    }
    messages = set()
    for start in names:
        compilation = compiled(
            f'import "{start}.rules" scenario x {{ {BODY} at 1 rules {start} }}', folder=Folder(**files)
        )
        messages |= {(one.message, one.place) for one in compilation.findings if one.code == "WP222"}
    ((message, place),) = messages
    assert message.endswith(": a.rules -> d.rules -> b.rules -> c.rules -> a.rules")
    assert place is not None and place.path == "a.rules"


def test_ids_are_unique_over_all_files_whatever_their_order() -> None:
    texts = {
        "b.scenario": "scenario Same",
        "a.scenario": "scenario same",
        "c.scenario": "scenario SAME",
        "d.scenario": "scenario other",
    }
    compilations = [compiled(f"{text} {{ {BODY} }}", path) for path, text in texts.items()]
    found = {check_unique(order) for order in permutations(compilations)}
    (findings,) = found
    assert [(one.code, one.place.path if one.place else None) for one in findings] == [
        ("WP225", "b.scenario"),
        ("WP225", "c.scenario"),
    ]
    assert {label.place.path for one in findings for label in one.labels} == {"a.scenario"}


def test_ids_are_unique_inside_a_file() -> None:
    compilation = compiled(f"scenario same {{ {BODY} }} scenario Same {{ {BODY} }}")
    assert codes(compilation) == ["WP225"]
    assert [one.bundle is None for one in compilation.scenarios] == [False, True]
    assert check_unique([compilation]) == ()


def test_the_same_file_given_twice_is_no_collision() -> None:
    compilation = compiled(f"scenario same {{ {BODY} }}")
    assert check_unique([compilation, compiled(f"scenario same {{ {BODY} }}")]) == ()


PROGRAM = """
import sys
from pathlib import Path
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader, collect
from wellposed.dsl.source import read_source
found = collect(sys.argv[1:])
importer = Importer(FolderReader())
for one in found.sources:
    source, _ = read_source(one.path, one.raw)
    compilation = compile_source(source, importer)
    for scenario in compilation.scenarios:
        sys.stdout.buffer.write(scenario.bundle.raw if scenario.bundle else b"-\\n")
    for finding in compilation.findings:
        print(finding.code, finding.message, finding.help, [label.text for label in finding.labels], flush=True)
"""


def run(folder: Path, *paths: str, seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PROGRAM, *paths]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, timeout=120).stdout


def test_hash_seed_working_directory_and_order_of_files_do_not_matter() -> None:
    golden = ["every-form", "unknown-names", "schedule-errors", "l6-gap-0"]
    first = run(ROOT, *(f"tests/golden/{case}/source.scenario" for case in golden), seed="0")
    assert b"wellposed-bundle/1" in first and b"WP201" in first
    for seed, folder in (("1", "tests"), ("2", "tests/golden"), ("random", "tests/golden/every-form")):
        paths = [
            os.path.relpath(ROOT / "tests/golden" / case / "source.scenario", ROOT / folder)
            for case in reversed(golden)
        ]
        assert sorted(run(ROOT / folder, *paths, seed=seed).split(b"\n")) == sorted(first.split(b"\n"))


def test_line_ends_do_not_matter() -> None:
    class Crlf(FolderReader):
        def read_import(self, folder: str, path: str) -> bytes:
            return super().read_import(folder, path).replace(b"\n", b"\r\n")

    hashes = set()
    raw = (EVERY_FORM / "source.scenario").read_bytes()
    for text, reader in ((raw, FolderReader(EVERY_FORM)), (raw.replace(b"\n", b"\r\n"), Crlf(EVERY_FORM))):
        source, _ = read_source("source.scenario", text)
        assert source is not None
        (scenario,) = compile_source(source, Importer(reader)).scenarios
        assert scenario.bundle is not None
        hashes.add(scenario.bundle.hash)
    assert len(hashes) == 1


@pytest.mark.parametrize("size", [5_000])
def test_large_texts_compile_in_time_that_grows_with_their_length(size: int) -> None:
    lines = [
        f'at {number} deliver m{number} in c "b"\nat m{number} + 1 approve m{number} as g{number}'
        for number in range(size)
    ]
    claims = "\n".join(f"m{number} sent within 5 of g{number}" for number in range(size))
    head = 'level L2 horizon 99999 conversation c { from "a" subject "s" }'
    compilation = compiled(f"scenario x {{ {head}\n" + "\n".join(lines) + f"\nexpect {{ {claims} }} }}")
    assert codes(compilation) == []
    (scenario,) = compilation.scenarios
    assert scenario.bundle is not None
    assert len(scenario.bundle.document["schedule"]) == 2 * size
