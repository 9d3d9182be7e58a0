"""What no file of the repository may say."""

from __future__ import annotations

import re

import pytest
from repository import ROOT, files

# Put together here, so that this file does not contain what it looks for.
HOSTS = [
    re.escape(name)
    for name in (
        "py" + "pi.org",
        "python" + "hosted.org",
        "npm" + "js.org",
        "npm" + "js.com",
        "yarn" + "pkg.com",
        "deb." + "debian.org",
        "security." + "debian.org",
    )
]
MACHINE_PATHS = [
    "/" + "work/",
    "/" + "root/",
    "/" + "home/[a-z]",
    "/" + "Users/",
    "/opt/" + "py",
    "/opt/" + "wheels",
    ".py" + "env/",
    "/" + "tmp/wp",
]


def _texts() -> dict[str, str]:
    result = {}
    for path in files():
        try:
            result[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return result


@pytest.mark.parametrize("pattern", [*HOSTS, *MACHINE_PATHS])
def test_no_file_names_a_package_host_or_a_machine(pattern: str) -> None:
    found = [name for name, text in _texts().items() if re.search(pattern, text)]
    assert found == []


def test_pinned_requirements_have_hashes_and_no_options() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        lines = (ROOT / name).read_text().splitlines()
        assert all(line.startswith("    --hash=sha256:") or re.match(r"[a-z0-9-]+==\S+", line) for line in lines), name
        pins = [line for line in lines if not line.startswith(" ")]
        assert all(line.endswith("\\") for line in pins), name


def test_development_pins_are_the_run_time_pins_and_more() -> None:
    def pins(name: str) -> set[str]:
        lines = (ROOT / name).read_text().splitlines()
        return {line.split()[0] for line in lines if not line.startswith(" ")}  # without the environment marker

    assert pins("requirements.txt") <= pins("requirements-dev.txt")


def test_no_lock_file_that_spells_out_hosts() -> None:
    assert not [path for path in files() if path.name in ("uv.lock", "poetry.lock", "package-lock.json")]
