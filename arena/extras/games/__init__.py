"""Texts and terminal drawings for the built-in games, registered as plugins.

Without this package, the views of these games are shown field by field. The package implements
the interfaces in `narration`.
"""
