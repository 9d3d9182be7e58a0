"""What `wellposed.toml` of the working directory sets: how things are shown, and nothing that a verdict or an exit status hangs on."""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wellposed.cli.output import reason
from wellposed.cli.usage import FORMATS

FILE, SHARED, TABLE = "wellposed.toml", "pyproject.toml", ("tool", "wellposed")
MOST_BYTES = 65_536
QUIET, NORMAL, VERBOSE = "quiet", "normal", "verbose"
CHOICES: Mapping[str, tuple[str, ...]] = {
    "format": FORMATS,
    "color": ("auto", "always", "never"),
    "volume": (NORMAL, QUIET, VERBOSE),
}
"""Every setting with what it may be; first what it is without a file."""
WITHOUT = frozenset(("reserve", "pr"))
"""Verbs that look at trees of strangers, or prove something to strangers: they read no settings."""


class BadSettings(Exception):
    """The file is not what it should be; `str()` is one sentence."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that a file makes, and which file that is."""

    values: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None

    def effective(self, name: str) -> tuple[str, str]:
        """The value of a setting, and where it is from."""
        if name in self.values:
            return self.values[name], str(self.source)
        return CHOICES[name][0], "default"

    def prefer(self, parser: argparse.ArgumentParser) -> None:
        """Make the settings the defaults of the options that a parser, or one of its verbs, has."""
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for below in action.choices.values():
                    self.prefer(below)
            elif action.dest in self.values and self.values[action.dest] in (action.choices or ()):
                action.default = self.values[action.dest]

    def settle(self, arguments: argparse.Namespace) -> None:
        """Set the volume where the command line says nothing of it."""
        if hasattr(arguments, "verbose") and not arguments.quiet and not arguments.verbose:
            arguments.quiet = self.values.get("volume") == QUIET
            arguments.verbose = self.values.get("volume") == VERBOSE


def read(folder: Path) -> Settings:
    """The settings for a working directory: of its own file, else of the table in the file that other tools share.

    Raises BadSettings.
    """
    own = _table(folder / FILE)
    if own is not None:
        return _checked(own, FILE)
    found: Any = _table(folder / SHARED)
    for name in TABLE:
        found = found.get(name) if isinstance(found, dict) else None
    return Settings() if found is None else _checked(found, f"{SHARED} [{'.'.join(TABLE)}]")


def _table(path: Path) -> dict[str, Any] | None:
    """What a TOML file says, None where there is none. A link is not followed."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as failure:
        raise BadSettings(f"{path.name} cannot be read: {reason(failure)}") from failure
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise BadSettings(f"{path.name} is not a regular file")
    with open(number, "rb") as stream:
        raw = stream.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise BadSettings(f"{path.name} is larger than {MOST_BYTES} bytes")
    import tomllib  # not before there is such a file: it takes longer to import than everything else here

    try:
        return tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, ValueError) as failure:
        raise BadSettings(f"{path.name} is not TOML: {failure}") from failure


def _checked(found: Any, source: str) -> Settings:
    if not isinstance(found, dict):
        raise BadSettings(f"{source} is not a table")
    for name, value in found.items():
        choices = CHOICES.get(name)
        if choices is None:
            raise BadSettings(f"{source} has no setting `{name}`; there are {', '.join(CHOICES)}")
        if value not in choices:
            raise BadSettings(f"{source} sets `{name}` to {value!r}, which is none of {', '.join(choices)}")
    return Settings(found, source)
