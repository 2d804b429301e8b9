"""The games in `examples/games`: small, whole, and with all that the arena has for games."""

import importlib.util
import random
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from engine import Game, NoWorldFound
from engine.conformance import CHECKS, check_variant
from engine.plugins import registered

FOLDER = Path(__file__).parents[4] / "examples" / "games"
LINES = {"kuhn_poker": 60, "rock_paper_scissors": 50}


@pytest.fixture(params=LINES)
def game(request: pytest.FixtureRequest) -> Iterator[Game[Any, Any, Any, Any]]:
    """Register the games of a module, and return the first."""
    path = FOLDER / f"{request.param}.py"
    assert len(path.read_text("utf-8").splitlines()) <= LINES[request.param]
    spec = importlib.util.spec_from_file_location(request.param, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, request.param, module)
        spec.loader.exec_module(module)
        with registered(module):
            yield next(each for each in vars(module).values() if isinstance(each, Game))


def test_example_games_conform(game: Game[Any, Any, Any, Any], tmp_path: Path) -> None:
    (variant,) = game.variants
    check_variant(variant, 1, CHECKS)
    encoding, state = variant.encoding(), variant.start(variant.deal(random.Random(1)))
    state.apply(game.actions[0])
    assert encoding.actions == tuple(game.actions)
    shown = encoding.describe(encoding.encode(state, 0))
    assert "pass" in shown or "rock" in shown
    bots = ["random", "monte-carlo", "champion"][: variant.seats]
    run = arena.run(
        variant.id, bots, rounds=2, seed=1, in_process=True, workers=1, results=tmp_path
    )
    site = run.publish(tmp_path / "site", all_games=True)
    scripts = [path.read_text("utf-8") for path in site.parent.glob("**/games/*.js")]
    assert any("said" in script or "shown" in script for script in scripts)


def test_example_games_work_in_pettingzoo(game: Game[Any, Any, Any, Any]) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from arena.extras.learn import pettingzoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(game.variants[0].id), num_cycles=20)


def test_example_games_work_in_openspiel(game: Game[Any, Any, Any, Any]) -> None:
    """In Kuhn poker, what can be won against two fixed bots is known; in a circle of signs, too."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from arena.extras.openspiel import export

    name = game.variants[0].id
    played = pyspiel.load_game(f"{export.LISTED}(variant={name},rewards=points)")
    by_chance = policy.UniformRandomPolicy(played)
    if played.num_players() > 2:
        assert exploitability.nash_conv(played, by_chance) == pytest.approx(0)
        return

    class Bets(policy.Policy):  # type: ignore[misc,name-defined]
        def action_probabilities(self, state: Any, player_id: int | None = None) -> Any:
            return {a: float(state.action_to_string(a) == "bet") for a in state.legal_actions()}

    assert exploitability.nash_conv(played, by_chance) == pytest.approx(11 / 12)
    assert exploitability.nash_conv(played, Bets(played, [0, 1])) == pytest.approx(2 / 3)


@pytest.mark.slow
def test_large_game_without_redraw_asks_for_it() -> None:
    from engine import State
    from tests.engine.high_card import HighCard, HighCardState

    class Guessed(HighCardState):
        determinize = State.determinize

    variant = HighCard(Guessed)
    state = variant.start(variant.deal(random.Random(1)))
    state.hands[0] = [99]  # a card that no deal has
    with pytest.raises(NoWorldFound, match="give the game a `redraw`"):
        state.determinize(0, random.Random(1))
