"""Games being played: the referee, and what carries it to bots."""
