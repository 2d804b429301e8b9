"""Takes a tenth of a second for the first action of every game, and the last legal one."""

import time

from polite import listen, say

while (message := listen())["type"] != "bye":
    if message["type"] == "hello":
        say(type="ready", protocol=1)
    elif message["type"] == "turn":
        if message["turn"] == 1:
            time.sleep(0.1)
        say(type="act", table=message["table"], turn=message["turn"], action=message["legal"][-1])
