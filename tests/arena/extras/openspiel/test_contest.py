"""Contests in OpenSpiel's games, from a new bot to the replay."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from tests.arena.command import printed, refused
from tests.arena.runs import RUN_OPTIONS

pytest.importorskip("pyspiel", reason="need the extra openspiel: pip install -e '.[openspiel]'")

SHOWN = {"connect_four/2": ".......", "leduc_poker/2": "[Round 1]", "hearts/4": "Pass Direction"}
"""A part of what OpenSpiel prints at the start."""


@pytest.mark.parametrize("variant", SHOWN)
def test_game_can_be_run_verified_replayed_and_published(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game, seats = variant.split("/")
    bots = [f"my-bot-{number}" for number in range(1, int(seats))]
    for bot in bots:
        printed("new", bot, "--game", game)
    entered = [word for bot in ["random", *bots] for word in ("--bot", bot)]
    printed(
        "run", "--variant", variant, "--rounds", "2", "--name", "spring", *entered, *RUN_OPTIONS
    )
    rows = json.loads(printed("leaderboard", "spring", "--json"))["overall"]
    assert {row["bot"] for row in rows} == {"random", *bots}
    assert all(row["games"] and not row["faults"] for row in rows)
    assert "games match their records" in printed("verify", "spring")
    assert SHOWN[variant] in printed("replay", "spring", f"{variant} board 1 rotation 0")
    printed("publish", "spring", "--to", "site", "--games", "all")
    assert all(SHOWN[variant] in path.read_text() for path in Path("site/games").glob("*.js"))
    assert "OpenSpiel's game" in Path(f"site/rules/{game}.html").read_text()


def test_new_bot_prints_its_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed("new", "my-bot", "--game", "leduc_poker")
    text = Path("my-bot/bot.py").read_text()
    assert "# {'view': {'game': 'leduc_poker'" in text
    assert 'games = ("leduc_poker",)' in text
    assert "'legal': ['Call', 'Raise']}" in text


def test_person_can_play_and_read_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["play", "--variant", "hex/2", "--against", "random", "--sandbox", "none"]
    shown = CliRunner().invoke(main, arguments, input="h\n1\nq\n").output
    assert "seat 0 (x) connects top and bottom" in " ".join(shown.split())
    assert ". . . . . . ." in shown


def test_bot_for_one_game_is_checked_and_tried_in_that_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("only.py").write_text(
        "class Only:\n    games = ('connect_four',)\n"
        "    def act(self, view, legal):\n        return legal[0]\n"
    )
    assert "plays connect_four/2" in printed("check", "only.py", "--sandbox", "none")
    assert "score of only: " in printed("try", "only.py", "--games", "2", "--sandbox", "none")
    assert "connect_four/2: only is seat 0" in printed("debug", "only.py", "--sandbox", "none")


def test_rejects_review_without_worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bots = ["--bot", "random", "--bot", "my-bot"]
    printed("new", "my-bot", "--game", "liars_dice")
    printed("run", "--game", "liars_dice", "--rounds", "2", "--name", "spring", *bots, *RUN_OPTIONS)
    assert "the variant has no worlds" in refused("review", "spring", "--bot", "random")
