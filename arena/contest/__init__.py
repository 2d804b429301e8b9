"""Turn `contest.toml`, submissions and registered bots into the entrants of a run."""
