"""`python -m wellposed`: the same as the installed command. In an untrusted folder use that, or `python -P -m wellposed`."""

from __future__ import annotations

import sys

from wellposed.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
