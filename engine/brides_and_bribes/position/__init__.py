"""Positions of Brides & Bribes: the data and the log of a game in progress."""
