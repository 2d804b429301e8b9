"""`arena check` on a game, and exceptions of games in a run."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import PluginError
from arena.check.game_check import check_game, variants_in
from arena.extras.develop.game_template import make_game
from engine import NoWorldFound
from engine.conformance import CHECKS
from tests.arena.command import arena
from tests.arena.installed import arena_with, install
from tests.arena.runs import RUN_OPTIONS, bot_options, make_bots
from tests.engine.high_card import HighCard, HighCardState

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


def test_failed_check_does_not_stop_the_others() -> None:
    class Uneven(HighCard):
        teams = ((0, 1), (2,))

        def read_deal(self, raw: object) -> object:
            raise KeyError("cards")

    assert [one.error for one in check_game([HighCard()], 7)] == [""] * len(CHECKS)
    scope: dict[str, Any] = {}
    exec(ENDLESS, scope)
    endless = [one.error for one in check_game([scope["Breaking"]()], 7)]
    assert sum(one.startswith("breaking/3 is not over after 40 decisions") for one in endless) > 7
    results = list(check_game([Uneven()], 7))  # type: ignore[abstract]
    failed = {one.name: one.error for one in results if one.error}
    assert len(results) == len(CHECKS)
    assert any("splits the sides" in error for error in failed.values())
    assert any("KeyError: 'cards'" in error for error in failed.values())


def test_searches_for_worlds_only_once_if_none_is_found() -> None:
    class Guessed(HighCardState):
        def determinize(self, seat: int, rng: object) -> HighCardState:
            raise NoWorldFound(self.variant.id, seat, 20_000)

    errors = [one.error for one in check_game([HighCard(Guessed)], 7)]
    assert len(errors) < len(CHECKS)
    assert [bool(error) for error in errors] == [False] * (len(errors) - 1) + [True]


def test_command_prints_one_line_per_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_game(tmp_path / "view")
    checked = arena_with(tmp_path / "view", "check", "--kind", "game", "view", "--all")
    assert checked.returncode == 0, checked.stderr
    lines = checked.stdout.splitlines()
    assert sum(line.startswith("+ view/2: ") for line in lines) == len(CHECKS) + 1
    assert lines[-1] == "view passes all checks"
    assert "rules.md contains the rules of Hush Money" in " ".join(checked.stderr.split())
    (tmp_path / "view" / "rules.md").write_text("# View\n")
    rules = tmp_path / "view" / "view.py"
    rules.write_text(rules.read_text().replace("table.sealed[seat : seat + 1]", "table.sealed[:1]"))
    broken = arena_with(tmp_path / "view", "check", "--kind", "game", "view")
    assert broken.returncode == 1
    (passed,) = re.findall(r"^\+ view/2: .*", broken.stdout, re.MULTILINE)
    assert f"{len(CHECKS)} checks passed" in passed
    assert "view.py:" in broken.stdout
    assert "Hush Money" not in broken.stderr


def test_rejects_modules_without_games(tmp_path: Path) -> None:
    assert [one.game for one in variants_in("pot-de-vin")] == ["pot-de-vin"] * 5
    for module, text in (("no_such_thing", "no module 'no_such_thing'"), ("json", "no variant")):
        with pytest.raises(PluginError, match=text):
            variants_in(module)
    assert arena("check", "--kind", "game").exit_code == 2
    make_game(tmp_path / "no-view")
    for path in (tmp_path / "no-view", tmp_path / "no-view" / "no_view.py"):
        with pytest.raises(PluginError, match=r"no-view && arena check --kind game no_view`$"):
            variants_in(str(path))


ENDLESS = BREAKS.replace(
    """            raise ZeroDivisionError("no rest")
        super""",
    """            return
        super""",
).replace("    def start", "    max_decisions = 40\n\n    def start")


def test_exception_in_a_game_stops_the_run(tmp_path: Path) -> None:
    install(tmp_path, "breaking-game", breaking=BREAKS)
    options = ["--variant", "breaking/3", "--rounds", "3", *RUN_OPTIONS, "--name", "x"]
    played = arena_with(tmp_path, "run", *options, *bot_options(make_bots(tmp_path / "bots", 3)))
    assert played.returncode == 1
    assert "Traceback" not in played.stderr
    message = r"the game failed in breaking/3 board \d+ rotation 0: ZeroDivisionError: no rest \("
    assert len(re.findall(message, played.stderr)) == 1


@pytest.mark.slow
def test_rejects_verification_without_the_plugin(tmp_path: Path) -> None:
    sound = BREAKS.replace("raise ZeroDivisionError", "len").replace("breaking", "gone")
    install(tmp_path, "gone-game", gone=sound)
    options = ["--variant", "gone/3", "--rounds", "3", *RUN_OPTIONS, "--name", "x"]
    played = arena_with(tmp_path, "run", *options, *bot_options(make_bots(tmp_path / "bots", 3)))
    assert played.returncode == 0, played.stderr
    assert arena_with(tmp_path, "verify", "x").returncode == 0
    shutil.rmtree(tmp_path / "gone_game-1.0.dist-info")
    verified = arena_with(tmp_path, "verify", "x")
    assert (verified.returncode, verified.stdout) == (1, "")
    assert "gone/3" in verified.stderr
