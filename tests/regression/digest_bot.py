"""A deterministic bot whose choices depend on everything that it is sent.

Its digest of all lines so far picks the next action, so one changed byte in a view, an event or a
legal list changes the rest of the game. Its name selects a habit: `crash...` exits in its third
game, `cheat...` sends an illegal action there.
"""

import hashlib
import json
import sys

habit = sys.argv[1]
digest = {}
started = 0


def say(**message):
    """Send one message to the referee."""
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    kind, table = message.pop("type"), message.pop("table", None)
    if kind == "hello":
        say(type="ready", protocol=1)
    elif kind == "start":
        started += 1
        message.pop("seed")  # it depends on the fingerprint, and so on the machine
        digest[table] = hashlib.sha256(json.dumps(message).encode())
    elif kind == "turn":
        turn, legal = message["turn"], message["legal"]
        message.pop("clock_ms")
        digest[table].update(json.dumps(message).encode())
        action = legal[digest[table].digest()[0] % len(legal)]
        if turn == 3 and legal[0].endswith(("3", "4", "s")) and habit == "crash":
            sys.exit(3)
        if turn == 4 and legal[-1].endswith(("5", "6", "d")) and habit == "cheat":
            action = "no such action"
        say(type="act", table=table, turn=turn, action=action, note=f"turn {turn}")
