"""What went wrong with a bot: faults by cause, its log, and games and faults played again.

From the core it takes runs and their logs (`tournament`), fault files and their reports (`check`),
the bots of runs (`contest`), and games that are played (`match`).
"""
