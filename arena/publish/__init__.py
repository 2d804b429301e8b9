"""The static site of a run: leaderboard, pictures, a page for each bot, and replays."""
