"""Write again what tests compare with frozen bytes and is derived from the program: the schemas of the bundle and its lines.

Run as `python tests/compiler/regenerate.py` and read the difference before committing it.
"""

from __future__ import annotations

from wellposed.compiler.canonical import pretty
from wellposed.compiler.schemas import FOLDER, derived_schemas


def main() -> None:
    """Write the schemas that the table of shapes gives."""
    for name, schema in derived_schemas().items():
        (FOLDER / f"{name}.json").write_bytes((pretty(schema) + "\n").encode())


if __name__ == "__main__":
    main()
