"""Read a contest's settings, and find the bots that play."""
