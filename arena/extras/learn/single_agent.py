"""Gymnasium environments in which one learner plays against bots.

env = gymnasium.make("BribeArena/pot-de-vin-3-v0", opponents=["planner", "greedy"])
observation, info = env.reset(seed=1)  # info["action_mask"] has a 1 for each legal action
"""

import random
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.base.errors import ArenaError
from arena.extras.learn.options import Opponents, opponents_of
from arena.extras.learn.table import LearningTable
from arena.extras.learn.vector import VectorEnv, box_of
from arena.extras.shared.rewards import Rewards
from engine import get_variant, variants

NAMESPACE = "BribeArena"


class SeatEnv(gymnasium.Env[Any, Any]):
    """A Gymnasium environment with a learner in one seat and bots in the other seats.

    Observations are int8 vectors. The reward is given at the end of a game. The info dictionary
    contains `action_mask`, an int8 vector with a 1 for each legal action. At the end of a game,
    the info dictionary also contains `points` and `ranks` by seat.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # so does Gymnasium
        "render_modes": ["human", "ansi"],
        "render_fps": 2,
    }

    def __init__(  # noqa: PLR0913
        self,
        variant_id: str,
        *,
        seat: int = 0,
        rewards: Rewards = "ranks",
        history: int = 0,
        opponents: Opponents = ("random",),
        render_mode: str | None = None,
    ) -> None:
        """Create an environment with a learner in the given seat.

        Raise `EngineError` if the variant is unknown, `BotError` if an opponent is unknown, and
        `SettingsError` if an option is invalid.
        """
        self.variant = get_variant(variant_id)
        self.seat = seat
        self.render_mode = render_mode
        self.encoding = self.variant.encoding(history)
        seated = opponents_of(self.variant, opponents, seat)
        self._table = LearningTable(self.variant, self.encoding, rewards, seated)
        self.observation_space: gymnasium.Space[Any] = box_of(self.encoding)
        self.action_space = spaces.Discrete(len(self.encoding.actions))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start a new game. The same `seed` always starts the same game."""
        super().reset(seed=seed)
        self._table.begin(random.Random(int(self.np_random.integers(2**63))))
        return self._observation(), self._info()

    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Play an action, and continue until the learner's next decision or the end of the game.

        An illegal action is reported in the info dictionary and replaced with the first legal
        action. Raise `ArenaError` if there is no game in progress.
        """
        table = self._table
        if table.seat is None:
            raise ArenaError("the game is over: call `reset()` to begin the next one")
        chosen, info = table.choose_or_stand_in(int(action))
        table.act(chosen)
        is_over = table.seat is None
        reward = table.seat_rewards()[self.seat] if is_over else 0.0
        return self._observation(), reward, is_over, False, info | self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a mask of the legal actions, in the form that MaskablePPO from sb3-contrib
        expects.
        """
        mask = np.zeros(len(self.encoding.actions), bool)
        if self._table.seat is not None:
            mask[self._table.numbers()] = True
        return mask

    def render(self) -> str | None:
        """Print all hands and the table, or return them as text if the render mode is "ansi"."""
        if self.render_mode != "human":
            return self._table.drawing() if self.render_mode else None
        print(self._table.drawing())
        return None

    def close(self) -> None:
        self._table.close()

    def _observation(self) -> NDArray[np.int8]:
        return np.array(self._table.encode(self.seat), np.int8)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8)}
        if self._table.seat is None:
            outcome = self._table.state.outcome()
            info |= {"points": outcome.points, "ranks": outcome.ranks}
        return info


def vector_env(variant_id: str, num_envs: int, **options: Any) -> VectorEnv:
    """Return a vector environment for `gymnasium.make_vec`, in which each game has one learner.

    `options` are the keyword arguments of `SeatEnv`, except `render_mode`.
    """
    variant = get_variant(variant_id)
    seat, opponents = options.pop("seat", 0), options.pop("opponents", ("random",))
    seated = opponents_of(variant, opponents, seat)
    return VectorEnv(variant_id, num_envs, opponents=seated, **options)


def register() -> None:
    """Register all variants with Gymnasium, under names such as `BribeArena/pot-de-vin-3-v0`."""
    for variant_id in variants():
        name = f"{NAMESPACE}/{variant_id.replace('/', '-')}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:vector_env",
                kwargs={"variant_id": variant_id},
            )


register()
