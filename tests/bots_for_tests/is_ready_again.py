"""Says `ready` instead of an action when it is asked for the second time."""

from polite import hang, next_turn, play, say

play(1)
next_turn()
say(type="ready", protocol=1)
hang()
