"""A contest: from `contest.toml`, submissions and registered bots to the entrants of a run."""
