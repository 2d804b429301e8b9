"""What there is: games, bots and runs, and how far a run is.

From the core it takes what is registered (`plugins`), and runs with their settings, records and
standings (`tournament`).
"""
