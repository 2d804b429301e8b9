"""A bot, a game and a schedule for the bribe arena, as a package to be installed."""
