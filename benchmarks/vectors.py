"""Compare decisions per second of `VectorEnv` with PettingZoo's `texas_holdem_v4`.

    python -m benchmarks.vectors

All seats take random legal actions, each with its observation and mask. The environments are
measured alternately by processor time, and the best of several measurements counts. Needs the
extra `learn`, `rlcard` and `pygame`.
"""

import random
import time
from collections.abc import Callable

import numpy as np

from arena.extras.learn.vector import VectorEnv, random_actions

VARIANTS = ("pot-de-vin/3", "bribery/3", "brides-and-bribes/3")
GAMES = 64
TURNS, TURN_S = 6, 0.5
STEPS = 8
"""Number of steps between two looks at the clock."""

Steps = Callable[[], int]
"""Takes `STEPS` steps, and returns the number of decisions."""


def steps_of(variant: str) -> Steps:
    """Return a function that steps many games of a variant at once."""
    env, rng = VectorEnv(variant, GAMES, seed=1), np.random.default_rng(1)
    _, infos = env.reset(seed=1)

    def step() -> int:
        nonlocal infos
        for _ in range(STEPS):
            *_, infos = env.step(random_actions(infos["action_mask"], rng))
        return GAMES * STEPS

    return step


def steps_of_texas_holdem() -> Steps:
    """Return a function that steps PettingZoo's environment."""
    from pettingzoo.classic import texas_holdem_v4

    env, rng = texas_holdem_v4.env(), random.Random(1)
    env.reset(seed=1)

    def step() -> int:
        for _ in range(STEPS):
            observation, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.reset()
                observation = env.last()[0]
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        return STEPS

    return step


def main() -> None:
    texas = "texas_holdem_v4"
    steps = {texas: steps_of_texas_holdem()} | {name: steps_of(name) for name in VARIANTS}
    best = dict.fromkeys(steps, 0.0)
    for _ in range(TURNS):
        for name, step in steps.items():
            decisions, begin = 0, time.process_time()
            while (taken := time.process_time() - begin) < TURN_S:
                decisions += step()
            best[name] = max(best[name], decisions / taken)
    for name, rate in best.items():
        print(f"{name:20} {rate:8,.0f} decisions a second, {rate / best[texas]:.1f} times")


if __name__ == "__main__":
    main()
