"""Install Chromium, where it is missing and this is a Debian with root: what `make clients` runs first.

Without root nothing is installed. That is said, and the tests of pages are then skipped; under CI they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess

COMMANDS = ("chromium", "chromium-browser", "google-chrome")
"""What it is called, here and there."""


def command() -> str | None:
    """The browser on PATH."""
    return next((found for name in COMMANDS if (found := shutil.which(name)) is not None), None)


def main() -> None:
    """Install it if it is missing, or say why not."""
    if command() is not None:
        print("clients: chromium is on this machine", flush=True)
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print("clients: chromium not on this machine, not tested; as root of a Debian it is installed", flush=True)
        return
    print("clients: installing chromium", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
        subprocess.run(
            ["apt-get", *step], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment
        )


if __name__ == "__main__":
    main()
