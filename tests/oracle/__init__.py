"""An independent test oracle: an explicit explorer of bundle documents that shares no code with the product.

Everything is decided by walking over the visible ticks of a scenario, one record at a time, and checking the
obligations of the model as they are stated. It is meant for small horizons and scaled-down budgets (whole sets of
traces) and, by memoised existence only, for full budgets.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Instance, MessageTrace, TooLarge, Trace
from tests.oracle.cores import all_instances, core_is_minimal, instance_of, runs_exist
from tests.oracle.judgement import Judgement, judge
from tests.oracle.traces import Factored, explore, explore_factored

__all__ = [
    "BASE",
    "Answers",
    "Budgets",
    "Factored",
    "Instance",
    "Judgement",
    "MessageTrace",
    "TooLarge",
    "Trace",
    "all_instances",
    "core_is_minimal",
    "explore",
    "explore_factored",
    "instance_of",
    "judge",
    "runs_exist",
]
