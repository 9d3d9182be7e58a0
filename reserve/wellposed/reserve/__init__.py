"""Hash-only scenario sets: sealing, the ledger, reveal, and the check that an outsider makes of all of it."""
