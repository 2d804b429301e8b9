"""The board of the ladder as people see it: live, with names or pseudonyms, bot by bot."""
