"""Descriptions and terminal drawings for the built-in games, registered as plugins.

Without this package, the arena shows a game's view as a plain list of its fields.
"""
