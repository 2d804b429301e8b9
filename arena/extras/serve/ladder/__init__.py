"""Two processes for a contest: one plays games, and the other computes the leaderboards."""
