"""The tick of each record: the one at which the harness first saw it; without a recorded timeline, what the record says.

A stamp that a system writes is compared with it on the way.
"""

from __future__ import annotations

from wellposed.verifier.amr.judge.folder import CALLS
from wellposed.verifier.amr.judge.timeline import Seen
from wellposed.verifier.amr.judge.told import NEVER_SEEN, OUT_OF_ORDER, OUTSIDE, SHAPE, STAMP, Told

_FOREVER = 1 << 62


class Stamps:
    """The ticks of the lines of one file, asked for in order. `seen` is None without a recorded timeline."""

    def __init__(self, file: str, seen: Seen | None, horizon: int, told: Told) -> None:
        self._file = file
        self._seen = seen
        self._horizon = horizon
        self._told = told
        self._next = 0
        self._latest = 0
        self._unseen = 0
        self._doubted = False
        self.tick: int | None = None
        """The tick of the lines up to `until`; None where the record itself says it, or where nobody saw the line."""
        self.until = _FOREVER if seen is None else 0

    def move(self, line: int) -> None:
        """Makes `tick` that of a line beyond `until`."""
        assert self._seen is not None
        seen = self._seen
        while self._next < len(seen.ends) and seen.ends[self._next] < line:
            self._next += 1
        if self._next < len(seen.ends):
            self.tick, self.until = seen.ticks[self._next], seen.ends[self._next]
        else:
            self.tick, self.until = None, _FOREVER

    def of(self, line: int, stamp: object, member: str) -> int | None:
        """The tick of a record whose own stamp is this; None if the record cannot be used, which is then told.

        A record with a stamp that is `tick` need not be asked about.
        """
        if line > self.until:
            self.move(line)
        if self._seen is not None and self.tick is None:
            self._unseen += 1
            if self._unseen == 1:
                self._told.say(
                    NEVER_SEEN, "from this line on, nothing of the file was seen in the run", self._file, line
                )
            if self._file != CALLS and not self._doubted and type(stamp) is int and 0 <= stamp <= self._horizon:
                # The log or the record of the run is not whole, and nobody knows which: once is enough. Who calls a model does
                # not write down the calls.
                self._doubted = True
                text = f"`{member}` is {stamp}, a tick of the run, and nobody saw the line there"
                self._told.overlooked(text, self._file, line)
            return None
        if type(stamp) is not int:
            self._told.unreadable(SHAPE, f"a record here has `{member}`, a tick", self._file, line)
            return self.tick
        self._compare(line, stamp, member)
        if self._seen is not None:
            return self.tick
        if 0 <= stamp <= self._horizon:
            return stamp
        return None

    def _compare(self, line: int, stamp: int, member: str) -> None:
        if not 0 <= stamp <= self._horizon:
            text = f"`{member}` is {stamp}, and the run has the ticks 0 to {self._horizon}"
            if self._seen is None:
                self._told.unreadable(OUTSIDE, text, self._file, line)
            else:
                self._told.say(OUTSIDE, text, self._file, line)
            return
        if stamp < self._latest:
            text = f"`{member}` is {stamp}, behind a record of {self._latest}"
            self._told.say(OUT_OF_ORDER, text, self._file, line)
            return
        self._latest = stamp
        if self.tick is not None and stamp != self.tick:
            how = "back-dated" if stamp < self.tick else "dated ahead"
            text = f"`{member}` is {stamp}, but the line was first seen at {self.tick}: {how}"
            self._told.say(STAMP, text, self._file, line)

    def good(self, stamp: int) -> None:
        """A stamp that is `tick`: later ones may not be earlier."""
        self._latest = stamp
