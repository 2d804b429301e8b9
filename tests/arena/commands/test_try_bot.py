"""A bot is tried: one game to watch, then some that are counted."""

import re
from pathlib import Path

import pytest

from arena.contest.entrants import seat_together
from arena.errors import SettingsError
from engine import get_variant
from tests.arena.command import arena
from tests.arena.runs import DICE_BOT, made_up, make_bot, make_bots

BREAKS = DICE_BOT.replace('dice[table].choice(message["legal"])', "dice[table].nothing()")


def test_one_game_is_watched_and_the_others_are_counted(tmp_path: Path) -> None:
    own, other = make_bots(tmp_path, 2)
    arguments = ["--against", f"{other},random", "--variant", "pot-de-vin/3", "--games", "7"]
    tried = arena("try", own, *arguments)
    assert tried.exit_code == 0, tried.stderr
    lines = tried.stdout.splitlines()
    moves = [line for line in lines if line.startswith("move ")]
    assert len(moves) > 20
    assert [line.split()[1] for line in moves] == [str(n) for n in range(1, len(moves) + 1)]
    assert any(line.startswith("over: bot-1 ") for line in lines)
    table = lines[next(n for n, line in enumerate(lines) if "7 games" in line) + 1 :]
    assert [line.split()[0] for line in table[:3]] == ["bot-1", "bot-2", "random"]
    beaten = [int(line.split()[3].rstrip("%")) for line in table[:3]]
    assert sum(beaten) == pytest.approx(150, abs=2)
    wins = int(table[0].split()[2].rstrip("%")) * 7
    interval = re.fullmatch(r"bot-1 wins (\d) of 7, (\d+)-(\d+) % at 95 %", lines[-2])
    assert interval
    assert int(interval[1]) == round(wins / 100)
    assert int(interval[2]) < wins / 7 < int(interval[3])
    score = r"score of bot-1: (\d+) %; too few boards for an interval, play more --games"
    assert re.fullmatch(score, lines[-1])
    assert arena("try", own, *arguments).stdout == tried.stdout


def test_the_score_has_an_interval_after_some_boards(tmp_path: Path) -> None:
    own, other = make_bots(tmp_path, 2)
    arguments = ["--against", str(other), "--variant", "bribery/2", "--games", "11"]
    *_, last = arena("try", own, *arguments).stdout.splitlines()
    match = re.fullmatch(
        r"score of bot-1: (\d+) %, between (\d+) % and (\d+) % at 95 % \(6 boards\)", last
    )
    assert match, last
    score, low, high = map(int, match.groups())
    assert low <= score <= high
    alone = arena("try", own, *arguments[:-1], "0").stdout
    assert "score of" not in alone


def test_teams_that_never_change_give_no_interval(tmp_path: Path) -> None:
    (own,) = make_bots(tmp_path, 1)
    arguments = ["--variant", "bribery/4-teams", "--games", "3"]
    *_, last = arena("try", own, *arguments).stdout.splitlines()
    assert re.fullmatch(
        r"score of bot-1: \d+ %; there is no interval, since the teams are the same in all games",
        last,
    )


def test_the_faults_of_a_bot_are_told(tmp_path: Path) -> None:
    folder = make_bot(tmp_path, "breaks", BREAKS)
    tried = arena("try", folder, "--variant", "bribery/2", "--games", "2")
    assert tried.exit_code == 1, tried.stderr
    assert "score of breaks: 0 %;" in tried.stdout, "never -0"
    assert "fault (crash)" in tried.stdout
    assert " breaks " in tried.stdout  # in the table, with both faults
    assert tried.stdout.count("\nbreaks: crash in bribery/2 board ") == 1, "those alike have one"
    assert "no attribute 'nothing'" in tried.stdout.replace("\n", " ")


def test_twins_have_numbers() -> None:
    own, other, third = made_up(3)
    variant = get_variant("pot-de-vin/4")
    names = [one.name for one in seat_together(own, [other], variant)]
    assert names == ["e1", "e2", "e2-2", "e2-3"]
    names = [one.name for one in seat_together(own, [own, third], variant)]
    assert names == ["e1", "e1-1", "e3", "e1-3"]


def test_a_name_that_stands_for_several_bots_is_refused() -> None:
    tried = arena("try", "quick")
    assert tried.exit_code == 1
    assert re.search(r"'quick' stands for \d+ bots: name one of them", tried.stderr)


def test_a_bot_that_does_not_play_the_game_is_refused() -> None:
    (own,) = made_up(1, games=("bribery",))
    with pytest.raises(SettingsError, match=r"e1 .*pot-de-vin.*bribery"):
        seat_together(own, made_up(2)[1:], get_variant("pot-de-vin/3"))
