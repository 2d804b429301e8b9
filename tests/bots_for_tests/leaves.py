"""Exits with code 0 when it is asked for the second time."""

import sys

from polite import next_turn, play

play(1)
next_turn()
sys.exit()
