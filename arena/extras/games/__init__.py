"""Text and terminal drawings for the built-in games, registered the way a plugin does it.

Without this package, these games are shown field by field. From the core, it uses the interface
of tellings (`narration`).
"""
