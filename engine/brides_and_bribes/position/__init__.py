"""The position and the log of a Brides & Bribes game."""
