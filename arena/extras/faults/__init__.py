"""Find out what went wrong with a bot: faults by cause, logs, and replays of games and faults.

From the core, it uses runs and their logs (`tournament`), fault files and reports (`check`), the
bots of runs (`contest`), and games (`match`).
"""
