"""Raises an exception when it is asked for the second time."""

from polite import next_turn, play

play(1)
next_turn()
raise RuntimeError("I am lost")
