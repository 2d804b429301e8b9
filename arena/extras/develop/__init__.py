"""Commands for authors: create the folder of a new bot or the package of a new game."""
