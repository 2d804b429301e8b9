"""Commands for authors of games: the package of a new game, and the conformance suite on a game.

From the core it takes what writes templates (`commands.templates`) and games that broke in a run
(`match.broken_game`).
"""
