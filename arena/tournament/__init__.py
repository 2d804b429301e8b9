"""Play a run: schedule its games, play them and store the records."""
