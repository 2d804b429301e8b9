"""Environments are copied and pickled whole, or refuse; what they give belongs to the caller."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="need the extra learn: pip install -e '.[learn]'")

import gymnasium

import arena.extras.learn.single_agent  # noqa: F401  # it registers the environments
from arena.base.errors import BotError
from arena.extras.learn import as_agent, pettingzoo
from arena.extras.learn.vector import VectorEnv

SINGLE, GAMES, SEATS = "BribeArena/pot-de-vin-3-v0", 2, (1, 2)


def single(opponent: Any) -> Any:
    made = gymnasium.make(SINGLE, opponents=[opponent])
    made.reset(seed=1)
    return made


def turns(opponent: Any) -> Any:
    made = pettingzoo.env("pot-de-vin/3", opponents=dict.fromkeys(SEATS, opponent))
    made.reset(seed=1)
    return made


def vector(opponent: Any) -> Any:
    return VectorEnv("pot-de-vin/3", GAMES, opponents=dict.fromkeys(SEATS, opponent), seed=1)


def go_single(env: Any) -> Any:
    return env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))[0]


def go_turns(env: Any) -> Any:
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    return env.observe("seat_0")["observation"]


def go_vector(env: Any) -> Any:
    return env.step(env.masks.argmax(axis=1))[0]


KINDS = {"single": (single, go_single), "turns": (turns, go_turns), "vector": (vector, go_vector)}
EACH = pytest.mark.parametrize(("make", "go"), KINDS.values(), ids=KINDS)
COPIES = {"copied": copy.deepcopy, "pickled": lambda env: pickle.loads(pickle.dumps(env))}


@EACH
@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
def test_copy_is_independent_of_the_original(
    make: Callable[[Any], Any], go: Callable[[Any], Any], again: Any
) -> None:
    undisturbed, original = make("planner"), make("planner")
    for env in (undisturbed, original):
        go(env)
    copied = again(original)
    expected = [go(undisturbed) for _ in range(4)]
    for env in (copied, original):
        assert [(go(env) == wanted).all() for wanted in expected] == [True] * 4


@EACH
def test_copies_share_no_bot_process(make: Callable[[Any], Any], go: Callable[[Any], Any]) -> None:
    with as_agent("random") as agent:  # type: ignore[attr-defined]
        env = make(agent)
        for again in COPIES.values():
            with pytest.raises(BotError, match="random plays in a process"):
                again(env)


@EACH
def test_results_belong_to_the_caller(make: Callable[[Any], Any], go: Callable[[Any], Any]) -> None:
    env, other = make("random"), make("random")
    go(env).fill(99)
    go(other)
    assert (go(env) == go(other)).all()
    if make is turns:
        env.observe("seat_0")["action_mask"].fill(99)
        assert env.observe("seat_0")["action_mask"].max() <= 1
