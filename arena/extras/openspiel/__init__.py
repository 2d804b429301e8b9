"""Import games from OpenSpiel, and export games to OpenSpiel. Needs the extra `openspiel`."""
