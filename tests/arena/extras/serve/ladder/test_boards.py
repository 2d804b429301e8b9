"""Tests of the ladder's leaderboard file."""

from pathlib import Path

import msgspec

from arena.contest.contest_file import read_contest
from arena.extras.serve.ladder.bot_results import MAX_LATEST, MAX_LATEST_OF_BOT
from arena.extras.serve.ladder.ladder_files import (
    BOARD,
    FINAL,
    FinalFile,
    StandingsFile,
    final_name,
)
from arena.tournament.run import open_or_create
from tests.arena.extras.serve.sample_boards import (
    BOTS,
    keys_of,
    make_boards,
    play_run,
    settings_of_ladder,
)
from tests.arena.extras.serve.visiting import START, Clock
from tests.arena.runs import silent


def standings_of(file: Path) -> StandingsFile | None:
    return BOARD.read(file.parent)


def test_board_contains_data_for_its_pages(contest_file: Path, clock: Clock) -> None:
    run = contest_file.parent / "results/spring"
    boards = make_boards(contest_file, clock)
    assert not boards.update(), "before the first game"
    assert standings_of(contest_file) is None
    play_run(run)
    assert boards.update()
    board = standings_of(contest_file)
    assert board
    assert (board.run, board.is_over, board.is_final, board.made) == ("spring", True, False, START)
    assert board.board.games == board.scheduled == len(keys_of(run))
    assert {row.bot for row in board.board.overall} == set(BOTS) == set(board.bots)
    ann = board.bots["ann"]
    assert sum(one.size for one in ann.causes) > 0
    assert ann.faults[0].report
    assert "crash" in ann.faults[0].report
    assert len(ann.opponents) == len(BOTS) - 1
    assert ann.opponents[0].ahead <= ann.opponents[-1].ahead
    assert ann.times
    assert len(ann.latest) == MAX_LATEST_OF_BOT
    assert all("ann" in game.entrants for game in ann.latest)
    assert len(board.latest) == min(MAX_LATEST, board.board.games)
    assert not boards.update(), "nothing has changed"


def test_only_a_finished_final_is_shown(contest_file: Path, clock: Clock) -> None:
    results = contest_file.parent / "results"
    play_run(results / "spring")
    boards = make_boards(contest_file, clock)
    boards.update()
    before = standings_of(contest_file)
    rehearsal = FinalFile(run="spring-rehearsal", asked=clock(), is_rehearsal=True)
    play_run(results / rehearsal.run)
    for final, is_over in ((rehearsal, True), (FinalFile(run="spring-final", asked=1), False)):
        FINAL.write(contest_file.parent, final)
        boards.update()
        play_run(results / final.run, is_over=is_over)
        boards.update()
        assert standings_of(contest_file) == before
    play_run(results / "spring-final")
    boards.update()
    after = standings_of(contest_file)
    assert after
    assert (after.run, after.is_final, after.is_over) == ("spring-final", True, True)
    assert after.digest
    deadline = contest_file.read_text() + '[deadline]\ndue = "2099-01-01 12:00"\n'
    contest_file.write_text(deadline)
    boards.update()
    assert standings_of(contest_file) == before, "the final no longer counts"


def test_finals_have_unique_names(contest_file: Path) -> None:
    contest, results = read_contest(contest_file), contest_file.parent / "results"
    assert final_name(contest, results) == "spring-final"
    (results / "spring-final").mkdir(parents=True)
    assert final_name(contest, results) == "spring-final-2"
    FINAL.write(contest_file.parent, FinalFile(run="spring-final", asked=1.0, schema=2))
    assert FINAL.read(contest_file.parent) is None, "of another version"
    FINAL.path(contest_file.parent).write_text("{")
    assert FINAL.read(contest_file.parent) is None


def test_board_stays_while_all_bots_are_new(contest_file: Path, clock: Clock) -> None:
    run, new = contest_file.parent / "results/spring", settings_of_ladder(version="2")
    play_run(run)
    boards = make_boards(contest_file, clock)
    boards.update()
    before = standings_of(contest_file)
    everyone = [msgspec.structs.replace(bot, fingerprint="2") for bot in new.entrants]
    new = msgspec.structs.replace(new, entrants=tuple(everyone))
    open_or_create(run, new, silent).close()
    assert boards.update()
    assert standings_of(contest_file) == before
    play_run(run, new, is_over=False)
    assert boards.update()
    assert standings_of(contest_file) != before
