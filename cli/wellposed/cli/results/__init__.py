"""Verdicts that are known already, verdicts found by several processes at once, and how far it has got."""
