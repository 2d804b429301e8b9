"""Play against bots in the terminal."""
