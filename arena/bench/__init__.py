"""How fast the arena is on this machine, and how two bots compare in one process."""
