"""Many games at once: the same games as one after the other."""

import random
from typing import Any

import pytest

from arena.base.errors import SettingsError
from engine import IllegalAction, variants

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

import numpy as np

from arena.extras.learn.vector import VectorEnv, random_actions

VARIANTS = variants()
SMALLEST = ("pot-de-vin/3", "bribery/2", "brides-and-bribes/3")


@pytest.mark.parametrize(
    "variant_id",
    [name if name in SMALLEST else pytest.param(name, marks=pytest.mark.long) for name in VARIANTS],
)
def test_rows_are_independent_games(variant_id: str) -> None:
    """What the arrays show of a game is what the engine shows of the same game."""
    variant = VARIANTS[variant_id]
    encoding = variant.encoding()
    games = VectorEnv(variant_id, games=2, seed=3)
    rng, dice = random.Random("vector 3 1"), np.random.default_rng(1)
    state = variant.start(variant.deal(rng))
    for _ in range(60):
        assert state.seat_to_act == games.seats[1]
        assert games.observations[1].tolist() == encoding.encode(state, state.seat_to_act).tolist()
        assert np.flatnonzero(games.masks[1]).tolist() == sorted(
            encoding.numbers(state.legal_actions())
        )
        numbers = random_actions(games.masks, dice)
        _, _, dones, _, infos = games.step(numbers)
        rewards = infos["seat_rewards"]
        state.apply(encoding.actions[numbers[1]])
        assert bool(dones[1]) == (state.seat_to_act is None)
        if state.seat_to_act is None:
            ranks = state.outcome().ranks
            assert int(np.argmax(rewards[1])) == ranks.index(1)
            state = variant.start(variant.deal(rng))
        else:
            assert not rewards[1].any()


def test_rewards_come_with_the_last_step() -> None:
    games = VectorEnv("pot-de-vin/3", games=3, rewards="win")
    dice, ended = np.random.default_rng(1), 0
    for _ in range(150):
        seats = games.seats.copy()
        _, rewards, dones, _, infos = games.step(random_actions(games.masks, dice))
        shared = infos["seat_rewards"]
        assert shared.sum(axis=1).tolist() == dones.tolist()
        assert rewards.tolist() == [shared[game, seat] for game, seat in enumerate(seats)]
        ended += int(dones.sum())
    assert ended >= 6
    masks = np.array([[0, 1, 0], [1, 0, 1]], np.int8)
    drawn = {tuple(random_actions(masks, np.random.default_rng(seed))) for seed in range(40)}
    assert drawn == {(1, 0), (1, 2)}


def test_reset_uses_seed_or_continues() -> None:
    games, same = [VectorEnv("pot-de-vin/3", games=2, seed=seed) for seed in (1, 2)]
    first, dice = games.observations.copy(), np.random.default_rng(1)
    for _ in range(5):
        games.step(random_actions(games.masks, dice))
    games.reset()
    assert not np.array_equal(games.observations, first)
    games.reset(seed=2)
    assert np.array_equal(games.observations, same.observations)
    games.reset(seed=1)
    assert np.array_equal(games.observations, first)


def test_rejects_invalid_actions_before_any_step() -> None:
    games = VectorEnv("pot-de-vin/3", games=2)
    good, before = int(np.argmax(games.masks[0])), games.observations.copy()
    for number, named in ((52, "'pass'"), (999, "'number 999'"), (-1, "'number -1'")):
        text = f"illegal action {named} of seat 1; legal actions: play"
        with pytest.raises(IllegalAction, match=text):
            games.step([good, number])
    for actions in ([good], [good, 0.5]):
        with pytest.raises(SettingsError, match="expected a whole number for each of 2 games"):
            games.step(actions)  # type: ignore[arg-type]
    assert np.array_equal(games.observations, before)


def test_end_of_a_game_has_points_and_ranks() -> None:
    games = VectorEnv("bribery/2", games=2)
    ended = 0
    for _ in range(60):
        *_, dones, _, infos = games.step(games.masks.argmax(axis=1))
        for game in np.flatnonzero(dones):
            ended += 1
            assert infos["_final_info"][game]
            assert min(infos["final_info"]["ranks"][game]) == 1
            assert infos["final_info"]["points"][game].any()
    assert ended


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"games": 0}, "got games=0, expected at least 1"),
    ({"rewards": "money"}, "got rewards='money'"),
    ({"opponents": {7: "random"}}, "seat 7, expected 0 to 2 in pot-de-vin/3"),
]


def test_rejects_invalid_options() -> None:
    for arguments, text in WRONG:
        with pytest.raises(SettingsError, match=text):
            VectorEnv("pot-de-vin/3", **{"games": 1, **arguments})
