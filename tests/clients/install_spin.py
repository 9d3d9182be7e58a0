"""Install SPIN and a C compiler, where they are missing and this is a Debian with root: what `make clients` runs first.

Without root nothing is installed. That is said, and the tests with SPIN are then skipped; under CI they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess

PACKAGES = {"spin": "spin", "gcc": "build-essential"}
"""The Debian package of each command."""


def missing() -> list[str]:
    """The commands that are not on PATH."""
    return [command for command in PACKAGES if shutil.which(command) is None]


def main() -> None:
    """Install what is missing, or say why not."""
    wanted = missing()
    if not wanted:
        print("clients: spin and gcc are on this machine", flush=True)
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(f"clients: {' and '.join(wanted)} not on this machine, not tested; as root of a Debian they are installed", flush=True)
        return
    print(f"clients: installing {' and '.join(wanted)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", *(PACKAGES[each] for each in wanted)]):
        subprocess.run(["apt-get", *command], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment)


if __name__ == "__main__":
    main()
