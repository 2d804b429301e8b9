"""Takes the first legal action; writes what it hears into `heard.jsonl` where it is started."""

import json
import sys
from pathlib import Path

with Path("heard.jsonl").open("a") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "protocol": 1, "author": "A\n  Spy"}), flush=True)
        elif message["type"] == "turn":
            answer = {"type": "act", "table": message["table"], "turn": message["turn"]}
            print(json.dumps(answer | {"action": message["legal"][0]}), flush=True)
