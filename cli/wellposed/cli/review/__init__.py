"""What a reviewer of scenarios asks for."""
