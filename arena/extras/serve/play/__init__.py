"""Games of a person against bots, in the browser."""
