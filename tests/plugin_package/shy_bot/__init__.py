"""A bot for the bribe arena, as a package to be installed."""
