"""Server-sent events that tell open pages of another board."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

LOOK_S = 1.0
"""How often the connection of an open page looks whether the board has changed."""
MAX_SILENCE_S = 15.0
"""A connection that is silent for this long gets a comment, so that proxies keep it open."""
RETRY_MS = 3000
"""How long a browser waits before it connects again."""


async def board_events(
    version: Callable[[], str],
    is_ending: Callable[[], bool],
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> AsyncIterator[bytes]:
    """Yield server-sent events until the server ends: `board` whenever the version has changed.

    The first event has the current version, so a page that connects again learns what it missed.

    Args:
        version: returns the version of the board.
        is_ending: returns whether the server is about to stop.
        sleep: waits for a number of seconds.
    """
    yield b"retry: %d\n\n" % RETRY_MS
    told, silent_s = "", 0.0
    while not is_ending():
        if (now := version()) != told:
            told, silent_s = now, 0.0
            yield b"event: board\ndata: " + msgspec.json.encode(now) + b"\n\n"
        elif silent_s >= MAX_SILENCE_S:
            silent_s = 0.0
            yield b": still here\n\n"
        await sleep(LOOK_S)
        silent_s += LOOK_S
