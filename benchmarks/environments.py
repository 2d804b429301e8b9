"""Steps a second of environments for learning, beside those of PettingZoo and RLCard.

    python benchmarks/environments.py --rounds 5

A step is a decision: the vector and the mask for the seat to act, a random legal action, and that
action carried out; finished games begin again. All contenders run in turn in this process, and are
measured in processor time. Those that are not installed are left out, and it says so.
"""

import argparse
import importlib
import random
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from arena.extras.learn.vector import VectorEnv

GAMES = 32
"""Games at once in a vector environment."""
SECONDS = 1.0
"""Processor time of a contender in a round."""
VARIANTS = ("pot-de-vin/3", "pot-de-vin/4-teams", "bribery/2", "bribery/4-advanced")
LONG_VARIANTS = ("brides-and-bribes/3", "brides-and-bribes/5")

Steps = Iterator[int]
"""Yields after some steps how many they were, for ever."""


def vector(variant_id: str) -> Steps:
    """Play games of ours at once."""
    games, rng = VectorEnv(variant_id, GAMES), random.Random(1)
    while True:
        games.step(games.sample(rng))
        yield GAMES


def one_after_the_other(env: Any) -> Steps:
    """Play games of an environment of PettingZoo."""
    rng = random.Random(1)
    env.reset(seed=1)
    while True:
        env.reset()
        for agent in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(rng.choice(np.flatnonzero(mask).tolist()))
            assert agent
            yield 1


def ours(variant_id: str) -> Steps:
    """Play games of our own environment of PettingZoo."""
    environments = importlib.import_module("arena.extras.learn.pettingzoo")
    return one_after_the_other(environments.env(variant_id))


def classic(name: str) -> Steps:
    """Play games of a classic environment of PettingZoo."""
    return one_after_the_other(importlib.import_module(f"pettingzoo.classic.{name}").env())


def rlcard(name: str) -> Steps:
    """Play games of RLCard."""
    env, rng = importlib.import_module("rlcard").make(name), random.Random(1)
    while True:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice([*state["legal_actions"]]))
            yield 1


def contenders() -> dict[str, Callable[[], Steps]]:
    """Return all contenders by name, those that are compared with first."""
    found: dict[str, Callable[[], Steps]] = {
        "PettingZoo texas_holdem_v4": lambda: classic("texas_holdem_v4"),
        "PettingZoo hanabi_v5": lambda: classic("hanabi_v5"),
        "RLCard limit-holdem": lambda: rlcard("limit-holdem"),
        "RLCard gin-rummy": lambda: rlcard("gin-rummy"),
        "RLCard doudizhu": lambda: rlcard("doudizhu"),
        "pettingzoo pot-de-vin/3": lambda: ours("pot-de-vin/3"),
    }
    for variant_id in (*VARIANTS, *LONG_VARIANTS):
        found[f"vector {variant_id}"] = partial(vector, variant_id)
    return found


def begin_all() -> dict[str, Steps]:
    """Return the contenders that are installed, with their first step done."""
    begun = {}
    for name, make in contenders().items():
        try:
            steps = make()
            next(steps)
        except Exception as error:  # what a missing package or a missing extra of it raises
            print(f"left out: {name}: {type(error).__name__}: {str(error).splitlines()[0]}")
            continue
        begun[name] = steps
    return begun


def speed(steps: Steps) -> float:
    """Return the steps in a second of processor time."""
    begin, done = time.process_time(), 0
    while (taken := time.process_time() - begin) < SECONDS:
        done += sum(next(steps) for _ in range(20))
    return done / taken


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    warnings.simplefilter("ignore")  # those of PettingZoo, of its own interfaces
    begun = begin_all()
    speeds: dict[str, list[float]] = {name: [] for name in begun}
    for number in range(rounds):
        for name in sorted(begun, reverse=bool(number % 2)):
            speeds[name].append(speed(begun[name]))
    peers = [name for name in begun if not name.startswith(("vector", "pettingzoo"))]
    print("\n| | steps a second: median, range |" + "".join(f" / {name} |" for name in peers))
    print("|---|---|" + "---|" * len(peers))
    for name, measured in speeds.items():
        middle = median(measured)
        ratios = [
            median([one / other for one, other in zip(measured, speeds[peer], strict=True)])
            for peer in peers
        ]
        cells = "".join(f" {ratio:.1f} |" for ratio in ratios)
        print(f"| {name} | {middle:,.0f}, {min(measured):,.0f} to {max(measured):,.0f} |{cells}")


if __name__ == "__main__":
    main()
