"""A bot and a schedule for the bribe arena, as a package to be installed."""
