"""What tells open pages that the board has changed."""

import asyncio
from pathlib import Path

from arena.serve.ladder.ladder_files import PUBLIC, STATE, BoardFile, LadderState, write_file
from arena.serve.board.live_board import BEAT_S, LOOK_S, Live, events
from arena.tournament.run_leaderboard import RunLeaderboard


def some_board(stored: int) -> BoardFile:
    """Return a board without bots."""
    return BoardFile(
        run="spring",
        is_final=False,
        is_over=False,
        made=0.0,
        stored=stored,
        scheduled=9,
        may_end_early=False,
        board=RunLeaderboard((), {}, 0, 0),
        students={},
        bots={},
        latest=(),
    )


def told_by(versions: list[str]) -> list[bytes]:
    """Return what is told of versions of which each lasts for one look, until the server ends."""

    async def listen() -> list[bytes]:
        left = list(versions)
        told = events(lambda: left[0], lambda: not left, lambda _: asyncio.sleep(0, left.pop(0)))
        return [line async for line in told]

    return asyncio.run(listen())


def test_a_page_is_told_of_each_version_once() -> None:
    first, *told = told_by(["a", "a", "b", "b", "a"])
    assert first.startswith(b"retry: ")
    assert told == [b'event: board\ndata: "%s"\n\n' % one for one in (b"a", b"b", b"a")]


def test_a_quiet_connection_is_kept_open() -> None:
    told = told_by(["a"] * (2 + int(BEAT_S / LOOK_S)))
    assert told[2:] == [b": still here\n\n"]


def test_files_are_read_again_when_they_have_changed(tmp_path: Path) -> None:
    live = Live(tmp_path)
    assert live.board(sees_all=False) is None
    before = live.version(sees_all=False)
    write_file(tmp_path, PUBLIC, some_board(1))
    board = live.board(sees_all=False)
    assert board == some_board(1)
    assert live.board(sees_all=False) is board
    assert live.board(sees_all=True) is None
    after = live.version(sees_all=False)
    assert after != before
    write_file(tmp_path, STATE, LadderState(activity="over", run="spring", since=0.0))
    assert live.version(sees_all=False) != after
    assert live.board(sees_all=False) is board
    write_file(tmp_path, PUBLIC, some_board(2))
    assert live.board(sees_all=False) == some_board(2)


def test_a_part_is_made_again_when_its_source_has_changed(tmp_path: Path) -> None:
    live, made = Live(tmp_path), iter("ab")
    assert [live.part("x", one, lambda: next(made)) for one in (1, 1, 2, 2)] == list("aabb")
