"""Rate bots and compute how certain the ratings are."""
