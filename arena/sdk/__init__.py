"""The SDK for bots in Python: the bot class, its games, and searches."""
