"""Answers its first turn once more when it is asked for the second time."""

from polite import hang, next_turn, play, say

play(1)
turn = next_turn()
say(type="act", table=turn["table"], turn=1, action=turn["legal"][0])
hang()
