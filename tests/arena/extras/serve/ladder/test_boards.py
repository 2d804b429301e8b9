"""Tests of the ladder's board files: the public board and the teacher's."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from arena.contest.contest_file import read_contest
from arena.extras.serve.ladder.bot_results import MAX_LATEST, MAX_LATEST_OF_BOT
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    FINAL,
    PUBLIC,
    FinalFile,
    StandingsFile,
    final_name,
)
from arena.extras.serve.ladder.ladder_standings import next_board
from arena.extras.serve.ladder.ladder_standings import standings_of as standings_of_run
from arena.extras.serve.server_database import DATABASE, ServerDatabase
from arena.tournament.run import open_or_create
from tests.arena.extras.serve.sample_boards import (
    BOTS,
    keys_of,
    make_boards,
    play_run,
    settings_of_ladder,
)
from tests.arena.extras.serve.visiting import START, Clock, make_contest
from tests.arena.runs import silent

HOUR = 3600
FREEZES = """\
[deadline]
due = "{due}"
[serve]
freeze_minutes = 60
"""


def public_of(file: Path) -> StandingsFile | None:
    return PUBLIC.read(file.parent)


def standings_of(file: Path) -> StandingsFile | None:
    return BOARD.read(file.parent)


@pytest.fixture
def freezing(tmp_path: Path) -> Path:
    """A contest whose board freezes in an hour and whose deadline is an hour later."""
    due = datetime.fromtimestamp(START + 2 * HOUR, UTC).isoformat()
    return make_contest(tmp_path / "freezing", FREEZES.format(due=due))


def test_board_contains_data_for_its_pages(contest_file: Path, clock: Clock) -> None:
    run = contest_file.parent / "results/spring"
    boards = make_boards(contest_file, clock)
    assert not boards.update(), "before the first game"
    assert public_of(contest_file) is None
    play_run(run)
    assert boards.update()
    board = public_of(contest_file)
    assert board
    assert board == standings_of(contest_file)
    assert (board.run, board.is_over, board.is_final, board.made) == ("spring", True, False, START)
    assert board.stored == board.board.games == board.scheduled == len(keys_of(run))
    assert {row.bot for row in board.board.overall} == set(BOTS) == set(board.bots)
    ann = board.bots["ann"]
    assert sum(one.size for one in ann.causes) > 0
    assert ann.faults[0].report
    assert "crash" in ann.faults[0].report
    assert [one.opponent for one in ann.opponents] != []
    assert len(ann.latest) == MAX_LATEST_OF_BOT
    assert all("ann" in game.entrants for game in ann.latest)
    assert len(board.latest) == min(MAX_LATEST, board.stored)
    numbers = [game.number for game in board.latest]
    assert numbers == sorted(numbers, reverse=True)
    assert not boards.update(), "nothing has changed"
    with closing(ServerDatabase(contest_file.parent / DATABASE)) as database:
        rated = database.rows("SELECT bot, fingerprint FROM version_ratings")
    assert ("ann", "ann, version 1") in map(tuple, rated)


def test_frozen_board_is_unchanged_except_for_the_teacher(freezing: Path, clock: Clock) -> None:
    run = freezing.parent / "results/spring"
    play_run(run, settings_of_ladder(6), is_over=False)
    boards = make_boards(freezing, clock)
    boards.update()
    before = public_of(freezing)
    clock.now += HOUR
    play_run(run, settings_of_ladder(12), is_over=False)
    boards.update()
    assert public_of(freezing) == before
    ahead = standings_of(freezing)
    assert before
    assert ahead
    assert ahead.board.games > before.board.games
    restarted = make_boards(freezing, clock)
    restarted.update()
    assert public_of(freezing) == before


def test_server_started_while_frozen_shows_no_board(freezing: Path, clock: Clock) -> None:
    play_run(freezing.parent / "results/spring")
    clock.now += HOUR
    make_boards(freezing, clock).update()
    assert public_of(freezing) is None
    assert standings_of(freezing)


def test_finished_final_is_public(freezing: Path, clock: Clock) -> None:
    results = freezing.parent / "results"
    play_run(results / "spring")
    boards = make_boards(freezing, clock)
    boards.update()
    before = public_of(freezing)
    clock.now += 3 * HOUR
    FINAL.write(freezing.parent, FinalFile(run="spring-final", asked=clock()))
    boards.update()
    assert public_of(freezing) == before, "the final has not begun"
    play_run(results / "spring-final", is_over=False)
    boards.update()
    assert public_of(freezing) == before, "the final is under way"
    under_way = standings_of(freezing)
    assert under_way
    assert (under_way.run, under_way.is_over) == ("spring-final", False)
    play_run(results / "spring-final")
    boards.update()
    after = public_of(freezing)
    assert after
    assert (after.run, after.is_final, after.is_over) == ("spring-final", True, True)
    assert after.digest


def test_finals_have_unique_names(contest_file: Path) -> None:
    contest, results = read_contest(contest_file), contest_file.parent / "results"
    assert final_name(contest, results) == "spring-final"
    (results / "spring-final").mkdir(parents=True)
    assert final_name(contest, results) == "spring-final-2"
    FINAL.write(contest_file.parent, FinalFile(run="spring-final", asked=1.0, schema=2))
    assert FINAL.read(contest_file.parent) is None, "of another version"
    FINAL.path(contest_file.parent).write_text("{")
    assert FINAL.read(contest_file.parent) is None


def test_complete_board_stays_until_the_next_has_caught_up(tmp_path: Path) -> None:
    def board_of(rounds: int, version: str) -> StandingsFile:
        run = tmp_path / f"{rounds}-{version}" / "spring"
        play_run(run, settings_of_ladder(rounds, version), is_over=False)
        return standings_of_run(run, float(rounds), is_final=False)

    complete, few = board_of(24, "1"), board_of(4, "2")
    shown = next_board(complete, few)
    assert (shown.board, shown.made) == (complete.board, complete.made)
    assert [row.bot for row in shown.newcomers] == ["ann"]
    assert 0 < shown.newcomers[0].games < shown.board.games
    empty = msgspec.structs.replace(few.board, overall=(), variants={}, games=0)
    begun = msgspec.structs.replace(few, board=empty)
    assert next_board(shown, begun).newcomers == shown.newcomers
    many = board_of(20, "2")
    assert next_board(shown, many) == many
    assert next_board(None, few) == few
    over = msgspec.structs.replace(few, is_over=True)
    assert next_board(complete, over) == over


def test_detects_new_version_without_rank(contest_file: Path, clock: Clock) -> None:
    run, new = contest_file.parent / "results/spring", settings_of_ladder(version="2")
    play_run(run)
    boards = make_boards(contest_file, clock)
    boards.update()
    assert not boards.has_other_bots()
    open_or_create(run, new, silent).close()
    assert boards.has_other_bots()
    assert boards.update()
    assert (boards.has_other_bots(), boards.awaits_rank) == (False, True)
    play_run(run, new, is_over=False)
    assert boards.update()
    assert not boards.awaits_rank
