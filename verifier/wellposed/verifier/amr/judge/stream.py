"""The records of one file of a run, one after the other, with what is wrong with its lines told on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wellposed.verifier.amr.judge.folder import RunFiles
from wellposed.verifier.amr.judge.lines import LineReader, Piece
from wellposed.verifier.amr.judge.told import NO_RECORD, TORN, Told


def pieces(folder: RunFiles, file: str, told: Told) -> Iterator[Piece]:
    """The pieces of a file of the run. Lines that are no record are told, and None in their piece."""
    reader = LineReader(folder.chunks(file, told.limits.chunk_bytes), told.limits)
    for piece in reader.pieces():
        for fault in reader.faults:
            told.unreadable(NO_RECORD, f"the line is no record: {fault.text}", file, fault.line)
        yield piece
    if reader.torn is not None:
        text = "the last line does not end with a line feed, so its writer may have been cut off"
        told.unreadable(TORN, text, file, reader.torn)


def records(folder: RunFiles, file: str, told: Told) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file, each with the number of its line."""
    for piece in pieces(folder, file, told):
        for line, record in enumerate(piece.records, start=piece.first):
            if record is not None:
                yield line, record
