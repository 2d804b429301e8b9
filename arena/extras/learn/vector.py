"""A Gymnasium vector environment that uses NumPy arrays to play many games at once.

    games = VectorEnv("pot-de-vin/3", games=256, seed=1)
    observations, infos = games.reset(seed=1)
    while learning:
        actions = policy(observations, infos["action_mask"])  # a number for each game
        observations, rewards, terminations, truncations, infos = games.step(actions)

Without opponents, one policy chooses the actions of all seats. A finished game restarts in the
same step.
"""

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from arena.base.errors import SettingsError, how_to_install

try:
    import gymnasium
    import numpy as np
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the extra `learn` is missing ({error}): {how_to_install('learn')}", name=error.name
    ) from None
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from arena.extras.learn.options import Opponents, seated_opponents
from arena.extras.learn.table import LearningTable
from arena.extras.shared.rewards import Rewards
from engine import Encoding, get_variant

Stepped = tuple[
    NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


def box_of(encoding: Encoding) -> spaces.Box:
    low = [part.low for part in encoding.slices for _ in range(part.length)]
    high = [part.high for part in encoding.slices for _ in range(part.length)]
    return spaces.Box(np.array(low, np.int8), np.array(high, np.int8), dtype=np.int8)


def masked_space_of(encoding: Encoding) -> spaces.Dict:
    """Return a Gymnasium `Dict` space that contains an observation and an action mask."""
    mask = spaces.Box(0, 1, (len(encoding.actions),), np.int8)
    return spaces.Dict({"observation": box_of(encoding), "action_mask": mask})


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A Gymnasium vector environment that plays many games of a variant at once."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # so does Gymnasium
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(  # noqa: PLR0913
        self,
        variant_id: str,
        games: int,
        *,
        rewards: Rewards = "ranks",
        history: int = 0,
        opponents: Opponents = (),
        seed: int = 0,
    ) -> None:
        """Create an environment and start its games. All seeds are derived from the given seed.

        Raise `EngineError` if the variant is unknown, and `SettingsError` if an option is
        invalid.
        """
        if games < 1:
            raise SettingsError(f"got games={games}, expected at least 1")
        self.variant = get_variant(variant_id)
        self.encoding = encoding = self.variant.encoding(history)
        seated = seated_opponents(self.variant, opponents)
        tables = [LearningTable(self.variant, encoding, rewards, seated) for _ in range(games)]
        self._tables, self._rngs = tables, [random.Random()] * games
        self.num_envs = games
        self.single_observation_space = box_of(encoding)
        self.single_action_space = spaces.Discrete(len(encoding.actions))
        batch_space = gymnasium.vector.utils.batch_space
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)
        self.observations: NDArray[np.int8] = np.zeros((games, encoding.size), np.int8)
        """The current observation of each game. The next call of `step` overwrites the array."""
        self.masks: NDArray[np.int8] = np.zeros((games, len(encoding.actions)), np.int8)
        """The current action mask of each game. The next call of `step` overwrites the array."""
        self.seats: NDArray[np.int8] = np.zeros(games, np.int8)
        self.reset(seed=seed)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Restart all games, including games in progress. Return observations and infos.

        `seed` is one number for all games, a sequence with a seed for each game, or None to draw
        new games.
        """
        if seed is not None:
            own = [f"{seed} {number}" for number in range(len(self._tables))]
            if not isinstance(seed, int | np.integer):
                own = [str(number) for number in seed]
            self._rngs = [random.Random(f"vector {text}") for text in own]
        for game, table in enumerate(self._tables):
            table.begin(self._rngs[game])
            self._show(game, table)
        return self.observations.copy(), self._infos()

    def step(self, actions: Sequence[int] | NDArray[np.integer]) -> Stepped:
        """Play one action in each game, and restart finished games.

        Return observations, rewards, terminations, truncations and infos for all games. Each
        observation is for the seat to act. Each reward is for the seat that acted, and is 0
        until the game ends.

        The info dictionary contains the `action_mask` and the `seat` of each observation, and
        the array `seat_rewards` with the rewards of all seats. When a game ends, the info
        dictionary also contains `final_obs` and `final_info`. The `final_info` entry contains
        the `points` and `ranks` of all seats. The boolean arrays `_final_obs` and `_final_info`
        show which games have ended.

        Raise `IllegalAction` if an action is illegal, and `SettingsError` if `actions` does not
        contain one integer per game. Exceptions leave all games unchanged.
        """
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise SettingsError(
                f"got actions of shape {numbers.shape} and type {numbers.dtype}, expected a whole "
                f"number for each of {self.num_envs} games"
            )
        tables, shape = self._tables, (self.num_envs, self.variant.seats)
        chosen = [
            table.choose(number) for table, number in zip(tables, numbers.tolist(), strict=True)
        ]
        rewards, dones = np.zeros(shape, np.float32), np.zeros(self.num_envs, bool)
        ended = {name: np.zeros(shape, np.int64) for name in ("points", "ranks")}
        finals: dict[int, NDArray[np.int8]] = {}
        actors = self.seats.copy()
        for game, (table, action) in enumerate(zip(tables, chosen, strict=True)):
            table.act(action)
            if table.seat is None:
                outcome = table.state.outcome()
                ended["points"][game], ended["ranks"][game] = outcome.points, outcome.ranks
                rewards[game], dones[game] = table.seat_rewards(), True
                finals[game] = np.frombuffer(table.encode(int(actors[game])), np.int8)
                table.begin(self._rngs[game])
            self._show(game, table)
        infos = self._infos() | {"seat_rewards": rewards}
        if dones.any():
            final = np.zeros_like(self.observations)
            final[list(finals)] = list(finals.values())
            infos |= {"final_obs": final, "_final_obs": dones.copy()}
            infos |= {"final_info": ended, "_final_info": dones.copy()}
        own = rewards[np.arange(self.num_envs), actors].astype(np.float64)
        return self.observations.copy(), own, dones, np.zeros_like(dones), infos

    def close_extras(self, **options: Any) -> None:
        self._tables[0].close()  # all have the same

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.masks.copy(), "seat": self.seats.copy()}

    def _show(self, game: int, table: LearningTable) -> None:
        seat = table.seat
        assert seat is not None, "expected a game in progress"
        mask = self.masks[game]
        mask.fill(0)
        for number in table.numbers():  # faster than an array for so few numbers
            mask[number] = 1
        self.observations[game] = np.frombuffer(table.encode(seat), np.int8)
        self.seats[game] = seat


def random_actions(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each game. `masks` has the shape (games, actions)."""
    draws = rng.random(masks.shape, np.float32)
    chosen: NDArray[np.int64] = np.argmax(draws * masks, axis=1)
    return chosen
