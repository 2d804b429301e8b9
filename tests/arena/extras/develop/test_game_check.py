"""`arena game check`, and exceptions of games in a run."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import PluginError
from arena.extras.develop.game_check import check_game, variants_in
from arena.extras.develop.game_template import make_game
from engine.conformance import CHECKS
from tests.arena.command import arena
from tests.arena.installed import arena_with, install
from tests.arena.runs import RUN_OPTIONS, bot_options, make_bots
from tests.engine.high_card import HighCard

BREAKS = """
from arena.plugins import hookimpl
from tests.engine.high_card import HighCard, HighCardState

class BreakingState(HighCardState):
    def apply(self, action):
        if self.seat_to_act == 2:
            raise ZeroDivisionError("no rest")
        super().apply(action)

class Breaking(HighCard):
    id, game = "breaking/3", "breaking"

    def start(self, deal):
        state = super().start(deal)
        state.__class__ = BreakingState
        return state

@hookimpl
def register_variants():
    return [Breaking()]
"""


def test_a_sound_game_passes_each_check() -> None:
    results = list(check_game([HighCard()], 7))
    assert [one.error for one in results] == [""] * len(CHECKS)
    assert len({one.name for one in results}) == len(CHECKS)


def test_a_failed_check_is_told_and_the_others_go_on() -> None:
    class Uneven(HighCard):
        teams = ((0, 1), (2,))

        def read_deal(self, raw: object) -> object:
            raise KeyError("cards")

    results = list(check_game([Uneven()], 7))  # type: ignore[abstract]
    failed = {one.name: one.error for one in results if one.error}
    assert len(results) == len(CHECKS)
    assert any("splits the sides" in error for error in failed.values())
    assert any("KeyError: 'cards'" in error for error in failed.values())


def test_the_command_prints_a_line_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path / "my-game")
    checked = arena_with(tmp_path / "my-game", "game", "check", "my_game")
    assert checked.returncode == 0, checked.stderr
    lines = checked.stdout.splitlines()
    assert sum(line.startswith("+ my-game/2: ") for line in lines) == len(CHECKS) + 1
    assert lines[-1] == "my_game passes all checks"
    rules = tmp_path / "my-game" / "my_game.py"
    rules.write_text(rules.read_text().replace("table.sealed[seat : seat + 1]", "table.sealed[:1]"))
    broken = arena_with(tmp_path / "my-game", "game", "check", "my_game")
    assert broken.returncode == 1
    assert "my_game.py:" in broken.stdout


def test_the_modules_that_have_no_game_are_refused() -> None:
    assert [one.game for one in variants_in("pot-de-vin")] == ["pot-de-vin"] * 5
    for module, text in (("no_such_thing", "no module 'no_such_thing'"), ("json", "no variant")):
        with pytest.raises(PluginError, match=text):
            variants_in(module)
    assert arena("game", "check").exit_code == 2


ENDLESS = BREAKS.replace(
    """            raise ZeroDivisionError("no rest")
        super""",
    """            return
        super""",
).replace("    def start", "    max_decisions = 40\n\n    def start")


@pytest.mark.parametrize(
    ("module", "move", "error"),
    [
        (BREAKS, 3, "ZeroDivisionError: no rest"),
        (
            ENDLESS,
            40,
            "EndlessGame: breaking/3 has no end after 40 decisions, its `max_decisions`: "
            "seat 2 is still to act, the last actions were 'hide ",
        ),
    ],
    ids=["exception", "endless"],
)
def test_a_broken_game_is_named_once_and_can_be_seen_again(
    tmp_path: Path, module: str, move: int, error: str
) -> None:
    install(tmp_path, "breaking-game", breaking=module)
    options = ["--variant", "breaking/3", "--rounds", "3", *RUN_OPTIONS, "--name", "x"]
    played = arena_with(tmp_path, "run", *options, *bot_options(make_bots(tmp_path / "bots", 3)))
    assert played.returncode == 1
    assert "Traceback" not in played.stderr
    said = f"the game broke in breaking/3 board 1 rotation 0, move {move}: {error}"
    assert played.stderr.count(said) == 1
    command = "arena game check --again results/x/broken-game.json"
    assert f"`{command}`" in played.stderr
    again = arena_with(tmp_path, *command.split()[1:])
    assert again.returncode == 1
    assert "Traceback" in again.stdout
    assert error in again.stdout
    broken = json.loads((tmp_path / "results/x/broken-game.json").read_text())
    assert (broken["variant"], len(broken["actions"])) == ("breaking/3", move)


def test_an_endless_game_fails_every_check_that_plays_it() -> None:
    scope: dict[str, Any] = {}
    exec(ENDLESS, scope)
    errors = [result.error for result in check_game([scope["Breaking"]()], 7)]
    assert sum(error.startswith("breaking/3 has no end after 40 decisions") for error in errors) > 7


def test_an_exception_in_a_deal_names_the_board_and_can_be_seen_again(tmp_path: Path) -> None:
    deals = """    def deal(self, rng):
        if rng.random() < 0.5:
            raise ZeroDivisionError("no cards")
        return super().deal(rng)

    def start"""
    install(tmp_path, "breaking-game", breaking=BREAKS.replace("    def start", deals))
    options = ["--variant", "breaking/3", "--rounds", "60", *RUN_OPTIONS, "--name", "x"]
    played = arena_with(tmp_path, "run", *options, *bot_options(make_bots(tmp_path / "bots", 3)))
    assert played.returncode == 1
    assert "Traceback" not in played.stderr
    said = r"the game broke in (breaking/3 board \d+, the deal: ZeroDivisionError: no cards)"
    (text,) = re.findall(said, played.stderr)
    command = "arena game check --again results/x/broken-game.json"
    assert f"`{command}`" in played.stderr
    again = arena_with(tmp_path, *command.split()[1:])
    assert again.returncode == 1
    assert text.replace(": ", ": it raised ", 1) in again.stdout
    assert "\nZeroDivisionError: no cards" in again.stdout


def test_a_run_whose_plugin_is_gone_is_not_verified_and_one_sentence_says_why(
    tmp_path: Path,
) -> None:
    sound = BREAKS.replace("raise ZeroDivisionError", "len").replace("breaking", "gone")
    install(tmp_path, "gone-game", gone=sound)
    options = ["--variant", "gone/3", "--rounds", "3", *RUN_OPTIONS, "--name", "x"]
    played = arena_with(tmp_path, "run", *options, *bot_options(make_bots(tmp_path / "bots", 3)))
    assert played.returncode == 0, played.stderr
    assert arena_with(tmp_path, "verify", "x").returncode == 0
    shutil.rmtree(tmp_path / "gone_game-1.0.dist-info")
    verified = arena_with(tmp_path, "verify", "x")
    assert (verified.returncode, verified.stdout) == (1, "")
    assert verified.stderr == (
        "Error: the run plays gone/3, which is not installed here: install the package of the game "
        "gone, and verify again\n"
    )
