"""A contest that a class uses from its browsers: people, submissions, the ladder."""
