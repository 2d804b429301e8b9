"""Closes its output when it is asked for the second time, and lives on."""

import os

from polite import hang, next_turn, play

play(1)
next_turn()
os.close(1)
hang()
