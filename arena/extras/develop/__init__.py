"""Commands for authors: the folder of a new bot, the package of a new game, the conformance suite.

From the core it takes the referee and its messages, and games that broke in a run (`match`).
"""
