"""What a bot in Python is made of: its class, its games, and searches."""
