"""The signs of pictures as SVG paths around (0, 0): each kind of happening by its shape, so that no colour has to tell it.

What the harness does has corners: triangles for mail, diamonds for decisions, and so on. What a system does is round until
the item ends, which is square.
"""

from __future__ import annotations

FULL, RING, INNER, STROKE, DASHED = "full", "ring", "inner", "stroke", "dashed"
"""How a path is painted: filled, filled with the paper and outlined, drawn on a filled one, a line, outlined with dashes."""

_TRIANGLE = "M-6.5-5.5H6.5L0 6.5Z"
_DIAMOND = "M0-7.5 7.5 0 0 7.5-7.5 0Z"
_OCTAGON = "M-2.9-7H2.9L7-2.9V2.9L2.9 7H-2.9L-7 2.9V-2.9Z"
_SQUARE = "M-5.5-5.5H5.5V5.5H-5.5Z"
_CIRCLE = "M-5.5 0A5.5 5.5 0 1 1 5.5 0A5.5 5.5 0 1 1-5.5 0Z"
_CHECK, _CROSS = "M-2.8.2-.8 2.4 3-2", "M-2.4-2.4 2.4 2.4M-2.4 2.4 2.4-2.4"

OTHER = ("", ((RING, _CIRCLE),))
"""What has no sign of its own."""

SIGNS = {
    "deliver": ("mail", ((FULL, _TRIANGLE),)),
    "redeliver": ("mail", ((RING, _TRIANGLE),)),
    "approve": ("go", ((FULL, _DIAMOND), (INNER, _CHECK))),
    "reject": ("stop", ((FULL, _DIAMOND), (INNER, _CROSS))),
    "repeat": ("plain", ((RING, _DIAMOND),)),
    "forged": ("fault", ((DASHED, _DIAMOND), (STROKE, _CROSS))),
    "escalate": ("stop", ((FULL, _OCTAGON), (INNER, "M0-3.6V.8M0 3.2V3.7"))),
    "kill": ("fault", ((STROKE, "M-5.5-5.5 5.5 5.5M-5.5 5.5 5.5-5.5"),)),
    "crash": ("fault", ((FULL, "M2.5-8-5.5 1.5H-.8L-2.5 8 5.5-1.5H.8Z"),)),
    "jump": ("plain", ((STROKE, "M-5.5-5.5 0 0-5.5 5.5M.5-5.5 6 0 .5 5.5"),)),
    "posture": ("change", ((FULL, _SQUARE),)),
    "rules": ("change", ((FULL, _SQUARE), (INNER, "M-3-1.7H3M-3 1.7H3"))),
    "hold": ("change", ((STROKE, "M-3-5.5V5.5M3-5.5V5.5"),)),
    "release": ("change", ((RING, "M-4-6 6 0-4 6Z"),)),
    "admission": ("", ((RING, _CIRCLE),)),
    "draft": ("", ((RING, _CIRCLE), (FULL, "M0-5.5A5.5 5.5 0 0 0 0 5.5Z"))),
    "send": (
        "",
        ((FULL, "M-6.5 0A6.5 6.5 0 1 1 6.5 0A6.5 6.5 0 1 1-6.5 0Z"), (INNER, "M-3.6 0H3.2M.6-2.8 3.4 0 .6 2.8")),
    ),
    "completed": ("", ((FULL, _SQUARE), (INNER, _CHECK))),
    "abandoned": ("", ((FULL, _SQUARE), (INNER, _CROSS))),
    "reassignment": ("", ((RING, _CIRCLE), (FULL, "M-2.5 0A2.5 2.5 0 1 1 2.5 0A2.5 2.5 0 1 1-2.5 0Z"))),
    "deadline": ("due", ((STROKE, "M0-8V8"), (FULL, "M-1 0-7-4.5V4.5Z"))),
    "halo": ("", ((STROKE, "M-10 0A10 10 0 1 1 10 0A10 10 0 1 1-10 0Z"),)),
}
"""By kind: a colour, unless the run gives one, and the paths from the lowest to the topmost."""
