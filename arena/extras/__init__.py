"""Optional parts of the arena: each stands on the core and registers by its public hooks."""
