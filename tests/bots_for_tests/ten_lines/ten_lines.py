"""A bot without the SDK: it always plays the first legal action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
        print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
