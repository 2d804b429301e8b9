"""Find the decisions that lost a game, judged by the information that the bot had at the time."""
