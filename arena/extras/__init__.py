"""Optional parts of the arena, each of which uses only the core and its public plugin hooks."""
