"""The built-in games, told in words and drawn in terminals, as a plugin does it for its game.

From the core it takes what a telling is (`narration`). Without it, these games are shown field by
field.
"""
