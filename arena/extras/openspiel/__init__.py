"""Games between the arena and OpenSpiel, in both directions. It needs the extra `openspiel`."""
