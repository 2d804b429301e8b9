"""A contest that a class uses from its browsers, by `arena serve`."""
