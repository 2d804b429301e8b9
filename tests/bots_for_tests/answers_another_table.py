"""Answers for a table where it does not sit when it is asked for the second time."""

from polite import hang, next_turn, play, say

play(1)
turn = next_turn()
say(type="act", table=99, turn=turn["turn"], action=turn["legal"][0])
hang()
