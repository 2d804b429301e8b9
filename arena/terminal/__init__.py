"""Display games, leaderboards and messages in a terminal."""
