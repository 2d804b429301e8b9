"""A bot that plays every game by simulation, using heuristics from the game's own bots."""
