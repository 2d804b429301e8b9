"""The games as environments of PettingZoo: its own tests, and what they do not look at."""

import random
import warnings
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from arena.base.errors import SettingsError
from arena.extras.learn import as_agent
from arena.tournament.in_process import class_of
from engine import UnknownVariant, variants

pytest.importorskip("pettingzoo", reason="need the extra learn: pip install -e '.[learn]'")

import numpy as np

with warnings.catch_warnings():  # PettingZoo warns of an interface of its own
    warnings.simplefilter("ignore")
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        render_test,
        seed_test,
    )

from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from arena.extras.learn import pettingzoo
from arena.extras.shared.rewards import rewards_of

VARIANTS = variants()
CYCLES = 60
SMALLEST = ("pot-de-vin/3", "bribery/2", "brides-and-bribes/3")
every_variant = pytest.mark.parametrize(
    "variant_id",
    [name if name in SMALLEST else pytest.param(name, marks=pytest.mark.long) for name in VARIANTS],
)


@pytest.fixture(autouse=True)
def _warnings_of_pettingzoo() -> Iterator[None]:
    """PettingZoo's tests warn of observations that are dicts, as all of its card games have."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation", UserWarning)
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros", UserWarning)
        yield


def random_moves(env: Any, seed: int) -> Iterator[tuple[str, Any]]:
    """Play a game at random; yield each agent that acts and its observation, before it does."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        yield agent, observation
        env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))


# -- PettingZoo's own tests -----------------------------------------------------------------------


@every_variant
def test_passes_pettingzoo_tests(variant_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = partial(pettingzoo.env, variant_id)
    api_test(env(), num_cycles=CYCLES)
    seed_test(env, num_cycles=CYCLES)
    render_test(env)
    parallel_api_test(turn_based_aec_to_parallel(env()), num_cycles=5)


# -- ours -----------------------------------------------------------------------------------------


@every_variant
def test_mask_is_set_only_for_the_agent_to_act(variant_id: str) -> None:
    env = pettingzoo.env(variant_id)
    encoding = env.unwrapped.encoding
    for agent, observation in random_moves(env, 1):
        numbers = np.flatnonzero(observation["action_mask"])
        assert sorted(encoding.numbers(env.infos[agent]["legal"])) == numbers.tolist()
        for other in env.agents:
            assert env.observation_space(other).contains(env.observe(other))
            assert other == agent or not env.observe(other)["action_mask"].any()


@pytest.mark.parametrize("rewards", ["points", "ranks", "win"])
@pytest.mark.parametrize("variant_id", ["pot-de-vin/6-teams", "bribery/2"])
def test_rewards_are_paid_at_the_end_and_shared_by_teams(variant_id: str, rewards: Any) -> None:
    env = pettingzoo.env(variant_id, rewards=rewards)
    sums = dict.fromkeys([f"seat_{seat}" for seat in range(VARIANTS[variant_id].seats)], 0.0)
    env.reset(seed=3)
    for agent in env.agent_iter():
        observation, reward, termination, _, info = env.last()
        sums[agent] += reward
        assert termination or reward == 0
        env.step(None if termination else int(np.argmax(observation["action_mask"])))
        if termination:
            ranks, points = info["ranks"], info["points"]
    got = [*sums.values()]
    for side in VARIANTS[variant_id].sides:
        assert len({got[seat] for seat in side}) == 1
    assert got.index(max(got)) == ranks.index(1)
    if rewards == "points":
        assert got == list(points)
    elif rewards == "ranks":
        assert sum(got) == 0
        assert max(got) <= 1
    else:
        assert sum(got[side[0]] for side in VARIANTS[variant_id].sides) == pytest.approx(1)
    outcome: Any = SimpleNamespace(points=(5, 5, 1, 0), ranks=(1, 1, 3, 4))
    expected = {
        "points": (5, 5, 1, 0),
        "ranks": (2 / 3, 2 / 3, -1 / 3, -1),
        "win": (0.5, 0.5, 0, 0),
    }
    sides = ((0,), (1,), (2,), (3,))
    assert rewards_of(outcome, sides, rewards) == pytest.approx(expected[rewards])


def test_history_shows_the_last_events_newest_first() -> None:
    env = pettingzoo.env("pot-de-vin/3", history=2).unwrapped
    env.reset(seed=4)
    agent = env.agent_selection
    number = int(np.argmax(env.observe(agent)["action_mask"]))
    env.step(number)
    words = env.encoding.describe(env.observe(agent)["observation"].tolist()).splitlines()
    (history,) = [line for line in words if line.startswith("history: ")]
    played = env.encoding.actions[number].removeprefix("play ")
    assert f"event -1 kind play, event -1 by you, event -1 {played}, event -2 kind trump" in history


def test_illegal_action_is_replaced_and_reported() -> None:
    env = pettingzoo.env("pot-de-vin/3", render_mode="ansi")
    env.reset(seed=1)
    agent = env.agent_selection
    first = env.infos[agent]["legal"][0].removeprefix("play ")
    env.step(env.unwrapped.encoding.actions.index("pass"))  # the leader of a round cannot pass
    assert env.infos[agent] == {"illegal": "pass"}
    seen = env.observe(agent)["observation"].tolist()
    assert f"trick: you {first}" in env.unwrapped.encoding.describe(seen)
    assert "seat_0" in env.render()


def test_opponents_fill_other_seats_reproducibly() -> None:
    def seen() -> list[tuple[str, bytes]]:
        opponents = {seat: as_agent(class_of("random")) for seat in (0, 2)}
        env = pettingzoo.env("pot-de-vin/3", opponents=opponents)
        assert env.possible_agents == ["seat_1"]
        return [(agent, shown["observation"].tobytes()) for agent, shown in random_moves(env, 2)]

    moves = seen()
    assert moves == seen()
    assert {agent for agent, _ in moves} == {"seat_1"}
    assert len(moves) >= 12  # the cards of a hand


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"rewards": "money"}, "expected one of points, ranks, win"),
    ({"opponents": {2: None}}, "seat 2, expected 0 to 1"),
    ({"opponents": {0: None, 1: None}}, "one to learn"),
]


def test_rejects_invalid_options() -> None:
    with pytest.raises(UnknownVariant, match="pot-de-vin/9"):
        pettingzoo.env("pot-de-vin/9")
    for options, text in WRONG:
        with pytest.raises(SettingsError, match=text):
            pettingzoo.env("bribery/2", **options)
