"""One module per output format; what they share (escaping, colour, snippets, tables) stands beside them."""
