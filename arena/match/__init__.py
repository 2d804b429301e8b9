"""Play games: the referee, and the machinery that connects it to bots."""
