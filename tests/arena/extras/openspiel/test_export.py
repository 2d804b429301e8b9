"""The games in OpenSpiel: its own checks, its search, and what they do not look at."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import UnknownVariant, variants
from engine.conformance import check_listed_deals, check_variant
from engine.errors import IllegalAction
from tests.arena.extras.openspiel.playthrough import path_of, playthrough
from tests.arena.nim import Heaps, NimVariant
from tests.arena.playing import Games, plug_in
from tests.engine.games import SEEDS

pytest.importorskip("pyspiel", reason="need the extra openspiel: pip install -e '.[openspiel]'")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import arena.extras.openspiel.export  # noqa: F401  # it registers the games
from arena.base.errors import SettingsError

VARIANTS = variants()
SHORT = [name for name in VARIANTS if not name.startswith("brides")]
EACH_KIND = ("pot-de-vin/4-teams", "bribery/2-advanced", "brides-and-bribes/3")


def marks(variant_id: str) -> Sequence[pytest.MarkDecorator]:
    """Return the marks of a variant: one of each kind is tested often, and the others rarely."""
    if variant_id not in EACH_KIND:
        return [pytest.mark.long]
    return [] if variant_id in SHORT else [pytest.mark.slow]


every_variant = pytest.mark.parametrize(
    "variant_id", [pytest.param(name, marks=marks(name)) for name in VARIANTS]
)


def game_of(variant_id: str, name: str = "bribe_arena", **parameters: object) -> Any:
    """Return a game of OpenSpiel."""
    return pyspiel.load_game(name, {"variant": variant_id, **parameters})


def played(game: Any, decisions: int, seed: int) -> Any:
    """Return a state after some decisions at random, or the last one before the end."""
    rng, state = random.Random(seed), game.new_initial_state()
    state.apply_action(0)
    for _ in range(decisions):
        following = state.child(rng.choice(state.legal_actions()))
        if following.is_terminal():
            break
        state = following
    return state


# -- OpenSpiel's own checks -----------------------------------------------------------------------


@every_variant
def test_rewards_stay_within_declared_bounds(variant_id: str) -> None:
    pyspiel.random_sim_test(game_of(variant_id), num_sims=1, serialize=False, verbose=False)
    for rewards in ("points", "win"):
        game = game_of(variant_id, rewards=rewards)
        options = {"num_sims": 1, "serialize": False, "mask_test": False}
        pyspiel.random_sim_test(game, verbose=False, **options)
    written = game_of(variant_id, "bribe_arena_deals")
    pyspiel.random_sim_test(written, num_sims=1, serialize=True, verbose=False)


@every_variant
def test_playthrough_is_stable(variant_id: str) -> None:
    assert playthrough(variant_id) == path_of(variant_id).read_text(encoding="utf-8")


# -- what they do not look at ---------------------------------------------------------------------


@given(st.sampled_from(SHORT), SEEDS, st.integers(0, 40))
def test_resampled_state_is_consistent(variant_id: str, seed: int, decisions: int) -> None:
    state = played(game_of(variant_id, history=3), decisions, seed)
    player = state.current_player()
    drawn = state.resample_from_infostate(player, random.Random(seed).random)
    assert drawn.current_player() == player
    assert drawn.legal_actions() == state.legal_actions()
    assert drawn.information_state_string(player) == state.information_state_string(player)
    assert drawn.information_state_tensor(player) == state.information_state_tensor(player)
    assert drawn.history() == state.history()


@given(st.sampled_from(SHORT), SEEDS, st.integers(0, 40))
def test_serialized_state_plays_on(variant_id: str, seed: int, decisions: int) -> None:
    game = game_of(variant_id)
    state = played(game, decisions, seed)
    read = game.deserialize_state(state.serialize())
    for each in (state, read):
        each.apply_action(each.legal_actions()[-1])
    assert str(read) == str(state)
    assert read.history() == state.history()


def test_sampled_deals_are_reproducible() -> None:
    def deals(seed: int) -> list[str]:
        game = game_of("pot-de-vin/3", rng_seed=seed)
        return [played(game, 0, 0).information_state_string(0) for _ in range(3)]

    assert deals(1) == deals(1) != deals(2)
    assert len(set(deals(1))) == 3


class SmallNim(NimVariant):
    """Nim with two deals, which it lists."""

    listed = ((Heaps((1, 1, 1)), 0.75), (Heaps((1, 1, 2)), 0.25))

    def deal(self, rng: random.Random) -> Heaps:
        return self.listed[rng.random() < 0.25][0]

    def list_deals(self) -> Sequence[tuple[Heaps, float]]:
        return self.listed


def test_listed_deals_give_exploitability() -> None:
    check_variant(SmallNim(), 1, [check_listed_deals])
    with plug_in(Games(SmallNim())):
        game = game_of("nim/2", "bribe_arena_deals")
        assert game.new_initial_state().chance_outcomes() == [(0, 0.75), (1, 0.25)]
        found = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        # With 1, 1, 1 nobody has a choice. With 1, 1, 2 both win half of the games by chance; the
        # first seat could win all of them, the second one three of four.
        assert found == pytest.approx(0.25 * (1 - 0) + 0.25 * (0.5 - 0))


def test_names_invalid_parameters() -> None:
    with pytest.raises(UnknownVariant, match="bribery/9"):
        game_of("bribery/9")
    with pytest.raises(SettingsError, match="rewards='gold'"):
        game_of("bribery/2", rewards="gold")


def test_names_illegal_actions() -> None:
    state = pyspiel.load_game("bribe_arena_deals(variant=pot-de-vin/3)").new_initial_state()
    state.apply_action(0)
    legal = state.legal_actions()
    illegal = next(action for action in range(state.num_distinct_actions()) if action not in legal)
    for action in (illegal, 10**6):
        with pytest.raises(IllegalAction, match=f"of seat {state.current_player()}; legal "):
            state.apply_action(action)


def test_spectators_know_no_hand() -> None:
    game = game_of("pot-de-vin/3")
    public = game.make_py_observer(
        pyspiel.IIGObservationType(
            public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
        )
    )
    state = played(game, 4, 1)
    other = state.resample_from_infostate(0, random.Random(1).random)
    assert public.string_from(state, 0) == public.string_from(other, 1)
    with pytest.raises(ValueError, match="expected none"):
        game.make_py_observer(None, {"size": 3})
