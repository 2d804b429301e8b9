"""Runs of trusted bots without processes of their own: the same games, marked as such."""

from pathlib import Path
from typing import Any

import pytest

import arena
from arena.base.contracts import IN_PROCESS
from arena.bot import Bot
from arena.plugins import registered
from tests.arena.playing import TOYS
from tests.arena.runs import make_bot
from tests.engine.high_card import HighCard

VARIANT = "pot-de-vin/3"
NAMES = ["greedy", "random", "timid"]


class Nth(Bot):
    """Takes the legal action with a number; its `name` follows from it."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.name = f"nth-{number}"

    def act(self, view: Any, legal: list[str]) -> str:
        return legal[self.number % len(legal)]


class Lost(Bot):
    def act(self, view: Any, legal: list[str]) -> str:
        raise RuntimeError("I am lost")


def run(bots: Any, results: Path, **options: Any) -> arena.Run:
    options = {"rounds": 9, "seed": 1, "in_process": True, "results": results} | options
    return arena.run(VARIANT, bots, **options)


def test_results_equal_those_of_processes(tmp_path: Path) -> None:
    apart = run(NAMES, tmp_path, name="apart", in_process=False, sandbox="none", workers=1)
    here = run(NAMES, tmp_path, name="here")
    assert list(here.games()) == list(apart.games())
    assert here.leaderboard().rows == apart.leaderboard().rows
    assert here.settings.sandbox == IN_PROCESS
    assert "without limits" in str(here.leaderboard().board.sandbox)
    assert here.verify().games == 9


def test_classes_and_objects_play_and_resume(tmp_path: Path) -> None:
    bots = [Nth, Nth(1), Nth(2), Lost]
    first = run(bots, tmp_path / "results", rounds=15, name="all")
    assert sorted(first.bots) == ["Lost", "Nth", "nth-1", "nth-2"]
    assert {record.faults[0].text for record in first.games(bot="Lost")} == {
        "raised RuntimeError: I am lost"
    }
    keys = [game.key for game in first.games()]
    again = run(bots, tmp_path / "results", rounds=30, name="all")
    assert [game.key for game in again.games()][: len(keys)] == keys


def test_reports_unimportable_game_before_the_run(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "mine")
    with registered(TOYS):
        for play in (
            lambda: arena.run(HighCard.id, bot, results=tmp_path / "results"),
            lambda: arena.compare(bot, "random", HighCard.id),
        ):
            with pytest.raises(arena.ArenaError, match="registered in this process only"):
                play()
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("bots", "text"),
    [([3], "got 3 as a bot"), ([int], "as a bot"), ([Nth, Nth], "only 1 of the bots")],
)
def test_rejects_unsuitable_bots(bots: Any, text: str, tmp_path: Path) -> None:
    with pytest.raises(arena.ArenaError, match=text):
        run(bots, tmp_path)


def test_processes_cannot_resume_in_process_run(tmp_path: Path) -> None:
    run(NAMES, tmp_path, name="here", rounds=3)
    with pytest.raises(arena.ArenaError, match="in-process"):
        run(NAMES, tmp_path, name="here", rounds=6, in_process=False, sandbox="none")
