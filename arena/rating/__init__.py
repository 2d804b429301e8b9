"""How good the bots are, and how certain that is."""
