"""The data and the log of a Brides & Bribes game in progress."""
