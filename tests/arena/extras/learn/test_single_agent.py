"""One learner against bots, as environments of Gymnasium: registered, checked, and vectorized."""

import warnings
from typing import Any

import pytest

from arena.base.errors import ArenaError, BotError, SettingsError
from engine import variants

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from arena.extras.learn.single_agent import SeatEnv

NAMES = [f"BribeArena/{variant.replace('/', '-')}-v0" for variant in variants()]
POT = "BribeArena/pot-de-vin-3-v0"


def first(mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


def test_registers_all_variants_with_gymnasium() -> None:
    assert len(NAMES) == 16
    for name in NAMES[::5]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env = gymnasium.make(name, opponents=["random"])
            check_env(env.unwrapped, skip_render_check=True)
    assert set(NAMES) <= set(gymnasium.registry)


def test_reward_comes_at_the_end() -> None:
    env = SeatEnv("pot-de-vin/3", seat=1, opponents=["greedy", "timid"], history=2)
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    rewards, is_over = [], False
    while not is_over:
        assert info["action_mask"].tolist() == env.action_masks().astype(int).tolist()
        observation, reward, is_over, is_cut, info = env.step(first(info["action_mask"]))
        rewards.append(reward)
        assert not is_cut
    rank = info["ranks"][1]
    assert rewards[:-1] == [0.0] * (len(rewards) - 1)
    assert rewards[-1] == sum((o > rank) - (o < rank) for o in info["ranks"]) / 2
    assert not info["action_mask"].any()
    with pytest.raises(ArenaError, match="call `reset"):
        env.step(0)


def test_seed_repeats_a_game() -> None:
    env = SeatEnv("bribery/2")
    starts = [env.reset(seed=seed)[0].tolist() for seed in (1, 1, 2, None)]
    assert starts[0] == starts[1] != starts[2] != starts[3] != starts[0]


@pytest.mark.parametrize(("number", "named"), [(52, "pass"), (999, "number 999")])
def test_illegal_action_is_replaced_and_reported(number: int, named: str) -> None:
    env = SeatEnv("pot-de-vin/3")
    env.reset(seed=1)
    assert env.step(number)[4]["illegal"] == named


@pytest.mark.parametrize(
    "wrap", [lambda env: env, gymnasium.wrappers.vector.RecordEpisodeStatistics]
)
def test_works_in_a_vector_environment(wrap: Any) -> None:
    made: Any = gymnasium.make_vec(POT, 3, "vector_entry_point", opponents=["timid"], rewards="win")
    env = wrap(made)
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert (env.num_envs, env.single_action_space.n) == (3, 53)
    observations, infos = env.reset(seed=5)
    alone = SeatEnv("pot-de-vin/3", opponents=["timid"], rewards="win")
    assert env.observation_space.contains(observations)
    ended = 0
    while not ended:
        before = observations
        actions = [first(mask) for mask in infos["action_mask"]]
        observations, rewards, terminations, truncations, infos = env.step(actions)
        ended = int(terminations.sum())
        assert infos["seat"].tolist() == [0, 0, 0]
        assert ("final_obs" in infos) == bool(ended)
    assert not truncations.any()
    game = int(np.flatnonzero(terminations)[0])
    assert infos["_final_obs"][game]
    assert alone.observation_space.contains(infos["final_obs"][game])
    assert not np.array_equal(infos["final_obs"][game], observations[game])
    assert not np.array_equal(before, observations)  # copies, which no later step overwrites
    assert rewards[game] == infos["seat_rewards"][game, 0]
    env.close()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"seat": 3}, "got seat=3"),
    ({"opponents": []}, "expected opponents at all seats"),
    ({"opponents": {0: "greedy", 1: "greedy"}}, r"seats \[0, 1\]"),
    ({"opponents": "greedy"}, "expected a list"),
    ({"opponents": ["banker"]}, "does not play pot-de-vin"),
    ({"opponents": ["nobody"]}, "nobody"),
]


def test_rejects_invalid_options() -> None:
    for options, text in WRONG:
        with pytest.raises((SettingsError, BotError), match=text):
            SeatEnv("pot-de-vin/3", **options)
