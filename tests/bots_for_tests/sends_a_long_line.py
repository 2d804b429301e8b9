"""Sends a line without an end when it is asked for the second time."""

from polite import hang, next_turn, play

play(1)
next_turn()
print("x" * 200_000, end="", flush=True)
hang()
