"""The stream of tokens as entries and the blocks that hold them, and which blocks may stay on one line."""

from __future__ import annotations

from dataclasses import dataclass, field

from wellposed.dsl.format_stream import Stream

# Blocks of pairs, which read as one thing, and those whose contents belong together; all others have one entry per line.
PAIRS = frozenset({"CONVERSATION", "WITH"})
ALTERNATIVE = "OF"
_SEVERAL = PAIRS | {ALTERNATIVE}
HEADS = frozenset({"SCENARIO", "FAMILY"})


@dataclass(slots=True)
class Block:
    """What stands between the tokens `open` and `close`, which are braces.

    `kind` is the terminal that the construct with the braces begins with; WITH for overrides, OF for each brace of
    `any of`. `short` says that it may stay on one line as far as its own contents go.
    """

    kind: str
    open: int
    close: int = -1
    entries: list[Entry] = field(default_factory=list)
    short: bool = False


@dataclass(slots=True)
class Entry:
    """The tokens from `first` to `last`: one construct with a line of its own, and the blocks that it has itself."""

    first: int
    last: int = -1
    blocks: list[Block] = field(default_factory=list)

    @property
    def short(self) -> bool:
        """Whether all blocks may stay on its line."""
        return all(block.short for block in self.blocks)


def blocks_of(stream: Stream, starts: set[int]) -> Block:
    """The whole file as a block without braces, in which entries begin at the offsets `starts`."""
    kinds, offsets = stream.kinds, stream.starts
    block = Block("", -1)
    around: list[Block] = []
    for index, kind in enumerate(kinds):
        if offsets[index] in starts:
            _end(block, index - 1)
            block.entries.append(Entry(index))
        if kind == "LBRACE":
            entry = block.entries[-1]
            inner = Block(_kind(kinds, entry, index), index)
            entry.blocks.append(inner)
            around.append(block)
            block = inner
        elif kind == "RBRACE":
            _end(block, index - 1)
            block.close = index
            block.short = _is_short(block, stream)
            block = around.pop()
    _end(block, len(kinds) - 1)
    block.close = len(kinds)
    return block


def _end(block: Block, last: int) -> None:
    if block.entries:
        block.entries[-1].last = last


def _kind(kinds: list[str], entry: Entry, brace: int) -> str:
    before = kinds[brace - 1]
    if before == "WITH":
        return before
    return ALTERNATIVE if before in ("OF", "OR") else kinds[entry.first]


def _is_short(block: Block, stream: Stream) -> bool:
    """Whether the author wrote the block on one line, and it is of a kind that may stay there."""
    entries = block.entries
    if not entries:
        return not stream.has_comment(block.open, block.close)
    return (
        stream.on_one_line(block.open, block.close)
        and (len(entries) == 1 or block.kind in _SEVERAL)
        and block.kind not in HEADS
        and all(stream.kinds[entry.first] != "ALLOW" and entry.short for entry in entries)
    )
