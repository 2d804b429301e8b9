"""Sends its second answer byte by byte, always a little and always too slowly."""

import json
import time

from polite import hang, next_turn, play

play(1)
turn = next_turn()
answer = {"type": "act", "table": turn["table"], "turn": turn["turn"], "action": turn["legal"][0]}
for character in json.dumps(answer) + "\n":
    print(character, end="", flush=True)
    time.sleep(0.1)
hang()
