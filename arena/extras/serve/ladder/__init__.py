"""The ladder of a contest: one process plays games, and another computes the leaderboards."""
