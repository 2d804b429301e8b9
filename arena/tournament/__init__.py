"""Schedule the games of a run, play the games and store their records."""
