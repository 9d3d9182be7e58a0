"""What an operator does with a reserve; each of these adds its lines to the ledger, or refuses and changes nothing."""
