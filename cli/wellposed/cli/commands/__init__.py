"""One module per verb: `add(subparsers)` declares its arguments, `run(arguments, io)` does it and returns the exit status."""
