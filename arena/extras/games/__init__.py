"""Texts and terminal drawings for the built-in games, registered as plugins.

Without this package, the arena shows each field of a game's view on a line.
"""
