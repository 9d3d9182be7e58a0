"""Sealing, revealing and auditing of reserve scenarios: published as hashes first, opened later."""
