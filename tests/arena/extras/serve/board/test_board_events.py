"""What tells open pages that the board has changed."""

import asyncio

from arena.extras.serve.ladder.live_standings import LOOK_S, MAX_SILENCE_S, standings_events


def told_by(versions: list[str]) -> list[bytes]:
    """Return what is told of versions of which each lasts for one look, until the server ends."""

    async def listen() -> list[bytes]:
        left = list(versions)
        told = standings_events(
            lambda: left[0], lambda: not left, lambda _: asyncio.sleep(0, left.pop(0))
        )
        return [line async for line in told]

    return asyncio.run(listen())


def test_a_page_is_told_of_each_version_once() -> None:
    first, *told = told_by(["a", "a", "b", "b", "a"])
    assert first.startswith(b"retry: ")
    assert told == [b'event: board\ndata: "%s"\n\n' % one for one in (b"a", b"b", b"a")]


def test_a_quiet_connection_is_kept_open() -> None:
    told = told_by(["a"] * (2 + int(MAX_SILENCE_S / LOOK_S)))
    assert told[2:] == [b": still here\n\n"]
