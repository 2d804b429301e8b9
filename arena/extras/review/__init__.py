"""Review a game: find the decisions that lost it, judged by the information the bot had at the
time.
"""
