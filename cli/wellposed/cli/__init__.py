"""The command line: one module per verb in `commands`, one per output format in `render`."""
