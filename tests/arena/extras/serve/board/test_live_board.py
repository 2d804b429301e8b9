"""The boards that pages show, read again when they have changed."""

from pathlib import Path

from arena.extras.serve.ladder.ladder_files import (
    PUBLIC,
    STATE,
    LadderState,
    StandingsFile,
    write_file,
)
from arena.extras.serve.ladder.live_standings import LiveStandings
from arena.rating.leaderboard import Leaderboard


def some_board(stored: int) -> StandingsFile:
    """Return a board without bots."""
    return StandingsFile(
        run="spring",
        is_final=False,
        is_over=False,
        made=0.0,
        stored=stored,
        scheduled=9,
        may_end_early=False,
        board=Leaderboard((), {}, 0, 0),
        students={},
        bots={},
        latest=(),
    )


def test_files_are_read_again_when_they_have_changed(tmp_path: Path) -> None:
    live = LiveStandings(tmp_path)
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
    live, made = LiveStandings(tmp_path), iter("ab")
    assert [live.part("x", one, lambda: next(made)) for one in (1, 1, 2, 2)] == list("aabb")
