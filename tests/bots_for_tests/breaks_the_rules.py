"""Answers with an action that is not legal when it is asked for the second time."""

from polite import hang, next_turn, play, say

play(1)
turn = next_turn()
say(type="act", table=turn["table"], turn=turn["turn"], action="hide \x1b[31mall")
hang()
