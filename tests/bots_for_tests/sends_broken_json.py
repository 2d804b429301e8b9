"""Sends no JSON when it is asked for the second time, and says why on stderr."""

import sys

from polite import hang, next_turn, play

play(1)
next_turn()
print("this is not JSON", file=sys.stderr, flush=True)
sys.stdout.write("{oops\n")
sys.stdout.flush()
hang()
