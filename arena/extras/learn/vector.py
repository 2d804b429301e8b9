"""A Gymnasium vector environment that plays many games at once in NumPy arrays.

    games = VectorEnv("pot-de-vin/3", games=256, seed=1)
    observations, infos = games.reset(seed=1)
    while learning:
        actions = policy(observations, infos["action_mask"])  # a number for each game
        observations, rewards, terminations, truncations, infos = games.step(actions)

Without opponents, one policy acts in all seats. A finished game restarts in the same step.
"""

import random
from array import array
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self, Unpack

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

from arena.extras.learn.options import (
    Illegal,
    LearningOptions,
    check_options,
    refuse_options,
    seated_opponents,
)
from arena.extras.learn.table import LearningTable
from arena.extras.shared.rewards import Rewards
from engine import Encoding, Variant, get_variant
from engine.errors import IllegalAction

Stepped = tuple[
    NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class VectorOptions(LearningOptions, total=False):
    seed: int
    """Seed from which the seeds of all games are derived. Default: 0."""
    illegal: Illegal
    """How to handle illegal actions. `error` (the default) raises `IllegalAction`. `stand-in` takes
    the first legal action instead and reports this in the infos."""


class Buffers(NamedTuple):
    """Arrays with one row per game, which are overwritten by each step."""

    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    """Action mask of each game, with a 1 for each legal action."""
    seats: NDArray[np.int8]
    rewards: NDArray[np.float32]
    """Rewards by game and seat. Rewards are 0 unless the last step ended the game."""
    dones: NDArray[np.int8]
    """1 for each game that ended in the last step, otherwise 0."""
    finals: NDArray[np.int8]
    points: NDArray[np.int64]
    ranks: NDArray[np.int64]


def buffers_of(variant: Variant, encoding: Encoding, games: int) -> Buffers:
    vectors = np.zeros((games, encoding.size), np.int8)
    return Buffers(
        vectors,
        np.zeros((games, len(encoding.actions)), np.int8),
        np.zeros(games, np.int8),
        np.zeros((games, variant.seats), np.float32),
        np.zeros(games, np.int8),
        vectors.copy(),
        np.zeros((games, variant.seats), np.int64),
        np.zeros((games, variant.seats), np.int64),
    )


def box_of(encoding: Encoding) -> spaces.Box:
    """Return a Gymnasium space for the int8 vectors of an encoding."""
    low = [part.low for part in encoding.slices for _ in range(part.length)]
    high = [part.high for part in encoding.slices for _ in range(part.length)]
    return spaces.Box(np.array(low, np.int8), np.array(high, np.int8), dtype=np.int8)


def masked_space_of(encoding: Encoding) -> spaces.Dict:
    """Return a space of dictionaries with an `observation` vector and an `action_mask`."""
    mask = spaces.Box(0, 1, (len(encoding.actions),), np.int8)
    return spaces.Dict({"observation": box_of(encoding), "action_mask": mask})


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A Gymnasium vector environment that plays many games of a variant at once."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]  # so does Gymnasium
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(self, variant_id: str, games: int, **options: Unpack[VectorOptions]) -> None:
        """Create an environment and start the games.

        Raise `EngineError` if the variant is unknown, and `SettingsError` if an option is
        invalid.
        """
        if games < 1:
            raise SettingsError(f"got games={games}, expected at least 1")
        self.variant = get_variant(variant_id)
        check_options(self.variant, options, VectorOptions.__annotations__)
        self._rewards: Rewards = options.get("rewards", "ranks")
        self._declare(games, self.variant.encoding(options.get("history", 0)))
        self._illegal: Illegal = options.get("illegal", "error")
        self.buffers = buffers_of(self.variant, self.encoding, games)
        opponents = seated_opponents(self.variant, options.get("opponents", {}))
        self._rngs: list[random.Random] = []
        self._tables = [LearningTable(self.variant, self.encoding, opponents) for _ in range(games)]
        self._size, self._actions = self.encoding.size, len(self.encoding.actions)
        self._look_into(self.buffers)
        self.reset(seed=options.get("seed", 0))

    def _look_into(self, buffers: Buffers) -> None:
        self._vectors = buffers.observations.reshape(-1).data
        self._masks = buffers.masks.reshape(-1).data
        self._no_actions = memoryview(array("b", bytes(self._actions)))
        self._seats = buffers.seats.data

    def __getstate__(self) -> dict[str, Any]:
        views = ("_vectors", "_masks", "_no_actions", "_seats")
        return {name: value for name, value in vars(self).items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._look_into(self.buffers)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Restart all games, including games in progress. Return observations and infos.

        If `seed` is a number, the games are the same as in a new environment with this seed. If
        `seed` is a sequence, it contains a seed for each game. If it is None, new games are
        drawn. Raise `SettingsError` if `options` are given.
        """
        refuse_options(options)
        if seed is not None:
            own = [f"{seed} {number}" for number in range(len(self._tables))]
            if not isinstance(seed, int | np.integer):
                own = [str(number) for number in seed]
            self._rngs = [random.Random(f"vector {text}") for text in own]
        self.buffers.rewards.fill(0)
        self.buffers.dones.fill(0)
        for game, table in enumerate(self._tables):
            table.begin(self._rngs[game])
            self._show(game, table)
        return self.observations.copy(), self._infos()

    def step(self, actions: Sequence[int] | NDArray[np.integer]) -> Stepped:
        """Take an action in each game, and restart finished games.

        Return observations, rewards, terminations, truncations and infos for all games. Each
        observation is for the seat to act. Each reward is for the seat that acted, and is 0
        until the game ends.

        Infos contain `action_mask` and `seat` for each observation, and an array `seat_rewards`
        with the rewards of all seats. When a game ends, infos also contain `final_obs`, and
        `final_info` with the `points` and `ranks` of all seats. The masks `_final_obs` and
        `_final_info` mark the games that ended.

        With the option `illegal="error"`, raise `IllegalAction` if an action is illegal. Raise
        `SettingsError` if `actions` does not contain one integer per game.
        """
        actors = self.seats.copy()
        checked, illegal = self._checked(actions)
        self.play(checked)
        return self._stepped(actors, illegal)

    def play(self, actions: NDArray[np.integer]) -> None:
        """Take a legal action in each game, and update `buffers`."""
        buffers = self.buffers
        buffers.rewards.fill(0)
        buffers.dones.fill(0)
        for game, (table, number) in enumerate(zip(self._tables, actions.tolist(), strict=True)):
            actor = int(buffers.seats[game])
            table.act(table.choose(number)[0])
            if table.seat is None:
                outcome = table.state.outcome()
                buffers.rewards[game] = table.rewards(self._rewards)
                buffers.points[game], buffers.ranks[game] = outcome.points, outcome.ranks
                buffers.dones[game] = 1
                buffers.finals[game] = table.encode(actor)
                table.begin(self._rngs[game])
            self._show(game, table)

    def sample(self, rng: random.Random) -> list[int]:
        return [rng.choice(table.numbers()) for table in self._tables]

    def close_extras(self, **options: Any) -> None:
        self._tables[0].close()  # all have the same

    @property
    def observations(self) -> NDArray[np.int8]:
        """Observations of the seats to act. The next step overwrites the array."""
        return self.buffers.observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """Action masks of all games. The next step overwrites the array."""
        return self.buffers.masks

    @property
    def seats(self) -> NDArray[np.int8]:
        return self.buffers.seats

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a mask of the legal actions in each game, for sb3-contrib."""
        return self.masks.astype(bool)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _declare(self, games: int, encoding: Encoding) -> None:
        self.encoding = encoding
        self.num_envs = games
        self.single_observation_space = box_of(encoding)
        self.single_action_space = spaces.Discrete(len(encoding.actions))
        batch_space = gymnasium.vector.utils.batch_space
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)

    def _checked(
        self, actions: Sequence[int] | NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise SettingsError(
                f"got actions of shape {numbers.shape} and type {numbers.dtype}, expected a whole "
                f"number for each of {self.num_envs} games"
            )
        names, masks = self.encoding.actions, self.masks
        is_known = (numbers >= 0) & (numbers < len(names))
        illegal = ~(is_known & (masks[np.arange(len(numbers)), numbers * is_known] == 1))
        numbers = numbers.astype(np.int64)
        if illegal.any() and self._illegal == "error":
            game = int(illegal.argmax())
            named = names[numbers[game]] if is_known[game] else f"number {numbers[game]}"
            legal = [names[number] for number in np.flatnonzero(masks[game])]
            raise IllegalAction(named, int(self.seats[game]), legal)
        for game in np.flatnonzero(illegal).tolist():  # the first of the list, as a stand-in takes
            numbers[game] = self._tables[game].numbers()[0]
        return numbers, illegal

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.masks.copy(), "seat": self.seats.copy()}

    def _stepped(self, actors: NDArray[np.int8], illegal: NDArray[np.bool_]) -> Stepped:
        buffers, infos = self.buffers, self._infos()
        dones = buffers.dones.astype(bool)
        infos["seat_rewards"] = buffers.rewards.copy()
        if illegal.any():
            infos["illegal"] = illegal
        if dones.any():
            ended = {"points": buffers.points.copy(), "ranks": buffers.ranks.copy()}
            infos |= {"final_obs": buffers.finals.copy(), "_final_obs": dones.copy()}
            infos |= {"final_info": ended, "_final_info": dones.copy()}
        rewards = buffers.rewards[np.arange(len(actors)), actors].astype(np.float64)
        return self.observations.copy(), rewards, dones, np.zeros_like(dones), infos

    def _show(self, game: int, table: LearningTable) -> None:
        seat = table.seat
        assert seat is not None, "expected a game in progress"
        masks, first = self._masks, game * self._actions
        masks[first : first + self._actions] = self._no_actions
        for number in table.numbers():
            masks[first + number] = 1
        start = game * self._size
        self._vectors[start : start + self._size] = memoryview(table.encode(seat))
        self._seats[game] = seat


def random_actions(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each row of `masks`, an array of shape (games, actions)."""
    draws = rng.random(masks.shape, np.float32)
    chosen: NDArray[np.int64] = np.argmax(draws * masks, axis=1)
    return chosen
