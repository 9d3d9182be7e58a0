"""The verbs below `reserve`, one module each; `options` and `end` are what they share."""
