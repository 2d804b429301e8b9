"""The Python SDK for bots: the `Bot` class, the game loop, and search algorithms."""
