"""Optional packages that use only the arena's core and its public plugin hooks."""
