"""Commands that create folders for new bots and packages for new games."""
