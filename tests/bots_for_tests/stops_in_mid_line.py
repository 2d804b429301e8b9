"""Begins its second answer and does not end it."""

from polite import hang, next_turn, play

play(1)
next_turn()
print('{"type":"act",', end="", flush=True)
hang()
