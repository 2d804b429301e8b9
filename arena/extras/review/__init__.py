"""Review a game: find the decisions by which a bot lost it, judged by what it knew at the time."""
