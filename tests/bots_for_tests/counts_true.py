"""Gives true for the number of the table when it is asked for the second time."""

from polite import hang, next_turn, play, say

play(1)
turn = next_turn()
say(type="act", table=True, turn=turn["turn"], action=turn["legal"][0])
hang()
