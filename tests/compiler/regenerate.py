"""Write again what tests compare with frozen bytes and is derived from the program: schemas and the folders of two vectors.

Run as `python tests/compiler/regenerate.py` and read the difference before committing it.
"""

from __future__ import annotations

from pathlib import Path

from wellposed.compiler.canonical import pretty
from wellposed.compiler.folder import derive
from wellposed.compiler.load import load_bundle
from wellposed.compiler.schemas import FOLDER, derived_schemas

VECTORS = Path(__file__).parent / "vectors"


def main() -> None:
    """Write the schemas that the table of shapes gives, and the derived files of the vectors that have a folder."""
    for name, schema in derived_schemas().items():
        (FOLDER / f"{name}.json").write_bytes((pretty(schema) + "\n").encode())
    for folder in (VECTORS / "folders").iterdir():
        bundle, findings = load_bundle((VECTORS / f"{folder.name}.json").read_bytes(), folder.name)
        assert bundle is not None, findings
        for name, raw in derive(bundle).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(raw)


if __name__ == "__main__":
    main()
