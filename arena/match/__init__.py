"""Play games between bots: refereeing, time limits, and communication with the bot processes."""
