"""Games, leaderboards and messages in a terminal."""
