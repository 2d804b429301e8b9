"""The parts of a bot in Python: its class, its games, and searches."""
