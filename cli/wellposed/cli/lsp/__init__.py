"""The language server: one module per thing that an editor asks for, over the same stages as the command line."""
