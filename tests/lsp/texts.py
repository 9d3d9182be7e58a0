"""Texts that the tests of the language server edit."""

from __future__ import annotations

WAITS = """\
scenario waits {
  title   "😀😀 An approval that comes late"
  level   L2
  horizon 40

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  at 0  deliver m1 in order "Hello, where is {anchor}?"
  at 12 approve m1 as go

  expect {
    m1 admitted within 5
    m1 sent exactly once within 5 of go
  }
}
"""

TIGHT = WAITS.replace("scenario waits", "scenario tight").replace("within 5 of go", "within 2 of go")

FAMILY = """\
family late(gap in [10, 20], posture in [normal, vip-only]) {
  title   "Late by {gap}"
  level   L2
  horizon 60
  posture posture

  conversation order {
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-1001"
  }

  for n in 1..2 {
    at n - 1   deliver m[n] in order "Hello number {n}, where is {anchor}?"
    at gap + n approve m[n] as go[n]
  }

  expect {
    for n in 1..2 {
      m[n] sent exactly once within 5 of go[n]
    }
  }
}
"""

DESK = """\
rules desk {
  admit known when from is "ada@example.test"
  refuse rest
}
"""

USES = 'import "desk.rules"\n\n' + WAITS.replace("  horizon 40\n", "  horizon 40\n  rules   desk\n")
