"""A person's games against bots in the browser."""
