"""One module per verb: `add_arguments(parser)` declares what it takes, `run(arguments)` does it and returns the status."""
