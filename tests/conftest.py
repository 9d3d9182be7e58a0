"""For all tests: no verdict comes out of what an earlier run kept, and none is kept for a later one."""

import os

os.environ["XDG_CACHE_HOME"] = os.devnull
