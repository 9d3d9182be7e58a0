"""Install the programs that tests need, where they are missing and this is a Debian with root: `make clients` runs this first.

Without root nothing is installed. That is said, and the tests with them are then skipped; under CI they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess

PROGRAMS = {
    "spin": {("spin",): "spin", ("gcc",): "build-essential"},
    "chromium": {("chromium", "chromium-browser", "google-chrome"): "chromium"},
    "neovim": {("nvim",): "neovim"},
}
"""What each needs: commands by the names that they have here and there, with their Debian package."""


def command(program: str) -> str | None:
    """The first command of a program that is on PATH."""
    names = next(iter(PROGRAMS[program]))
    return next((found for name in names if (found := shutil.which(name)) is not None), None)


def missing(program: str) -> list[str]:
    """The packages of the commands of a program that are not on PATH."""
    return [package for names, package in PROGRAMS[program].items() if not any(map(shutil.which, names))]


def main() -> None:
    """Install what is missing, or say why not."""
    wanted = [package for program in PROGRAMS for package in missing(program)]
    told = " and ".join(wanted)
    if not wanted:
        print(f"clients: {', '.join(PROGRAMS)} are on this machine", flush=True)
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(f"clients: {told} not on this machine, not tested; as root of a Debian they are installed", flush=True)
        return
    print(f"clients: installing {told}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *wanted]):
        subprocess.run(["apt-get", *step], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)


if __name__ == "__main__":
    main()
