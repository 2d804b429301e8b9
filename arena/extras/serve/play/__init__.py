"""Games that people play against bots in the browser."""
