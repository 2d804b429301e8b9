"""Many games at once in numpy buffers, for throughput. They need the extra `rl`.

    games = VectorEnv("pot-de-vin/3", games=256, seed=1)
    while learning:
        actions = policy(games.observations, games.masks)  # a number for each game
        games.step(actions)

One policy acts in all seats: at each step it decides for the seat that is to act in each game. A
game that is over begins again in the same step.
"""

import random
from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from arena.envs.rewards import Rewards, check_rewards
from arena.envs.seats import Agent
from arena.envs.table import Table
from arena.errors import SettingsError
from engine import get_variant
from engine.errors import IllegalAction


class VectorOptions(TypedDict, total=False):
    """Options of games at once."""

    seed: int
    """Of the deals: game `i` draws its own from it. 0 by default."""
    rewards: Rewards
    """`points`, `ranks` (the default) or `win`; see `rewards_of`."""
    history: int
    """The number of last events in an observation; 0 by default."""
    opponents: Mapping[int, Agent]
    """Who sits in the seats that do not learn, in all games."""


class Buffers:
    """The arrays of `games` games; each process of a `ProcessVectorEnv` writes a part of them."""

    def __init__(
        self,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        seats: NDArray[np.int8],
        rewards: NDArray[np.float32],
        dones: NDArray[np.bool_],
    ) -> None:
        self.observations = observations
        """By game: the vector that the seat to act sees."""
        self.masks = masks
        """By game: 1 for each legal action."""
        self.seats = seats
        """By game: the seat to act."""
        self.rewards = rewards
        """By game and seat: the rewards of the game that ended with the last step, else 0."""
        self.dones = dones
        """By game: whether the last step ended a game, and what is seen is the next one's start."""

    @classmethod
    def empty(cls, games: int, size: int, actions: int, seats: int) -> "Buffers":
        """Return buffers of this number of games."""
        return cls(
            np.zeros((games, size), np.int8),
            np.zeros((games, actions), np.int8),
            np.zeros(games, np.int8),
            np.zeros((games, seats), np.float32),
            np.zeros(games, np.bool_),
        )

    def part(self, games: slice) -> "Buffers":
        """Return the rows of some games, which share the memory."""
        return Buffers(
            self.observations[games],
            self.masks[games],
            self.seats[games],
            self.rewards[games],
            self.dones[games],
        )


class VectorEnv:
    """Games of a variant at once, in this process."""

    def __init__(
        self,
        variant_id: str,
        games: int,
        buffers: Buffers | None = None,
        **options: Unpack[VectorOptions],
    ) -> None:
        """Begin the games.

        Args:
            variant_id: the variant.
            games: their number.
            buffers: where to write; by default new ones.
            options: see `VectorOptions`.

        Raises:
            EngineError: the variant is unknown.
            SettingsError: an option is wrong.
        """
        if games < 1:
            raise SettingsError(f"got games={games}, expected at least 1")
        self._rewards: Rewards = options.get("rewards", "ranks")
        check_rewards(self._rewards)
        self.variant = get_variant(variant_id)
        self.encoding = self.variant.encoding(options.get("history", 0))
        actions = len(self.encoding.actions)
        self.buffers = buffers or Buffers.empty(
            games, self.encoding.size, actions, self.variant.seats
        )
        opponents = dict(options.get("opponents", {}))
        seed = options.get("seed", 0)
        self._opponents = opponents
        self._rngs = [random.Random(f"vector {seed} {game}") for game in range(games)]
        self._tables = [Table(self.variant, self.encoding, opponents) for _ in range(games)]
        self._numbers: list[list[int]] = [[] for _ in range(games)]
        # A row of a memoryview is written in a fraction of the time of a row of an array.
        self._size, self._actions = self.encoding.size, actions
        self._vectors = self.buffers.observations.reshape(-1).data
        self._masks = self.buffers.masks.reshape(-1).data
        for game, table in enumerate(self._tables):
            table.begin(self._rngs[game])
            self._show(game, table)

    @property
    def observations(self) -> NDArray[np.int8]:
        """By game: the vector that the seat to act sees; overwritten by the next step."""
        return self.buffers.observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """By game: 1 for each legal action; overwritten by the next step."""
        return self.buffers.masks

    @property
    def seats(self) -> NDArray[np.int8]:
        """By game: the seat to act; overwritten by the next step."""
        return self.buffers.seats

    def step(
        self, actions: Sequence[int] | NDArray[np.integer]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Take an action in each game, and begin those again that are over.

        Returns:
            Rewards by game and seat, and by game whether it ended; the buffers of `Buffers`.

        Raises:
            IllegalAction: an action is not legal; games with a lower number have gone on.
        """
        buffers = self.buffers
        buffers.rewards.fill(0)
        buffers.dones.fill(False)
        numbers = actions.tolist() if isinstance(actions, np.ndarray) else actions
        for game, (table, number) in enumerate(zip(self._tables, numbers, strict=True)):
            try:
                place = self._numbers[game].index(number)
            except ValueError:
                named = self.encoding.actions[number]
                raise IllegalAction(named, table.seat, table.legal) from None
            table.act(table.legal[place])
            if table.seat is None:
                buffers.rewards[game] = table.rewards(self._rewards)
                buffers.dones[game] = True
                table.begin(self._rngs[game])
            self._show(game, table)
        return buffers.rewards, buffers.dones

    def sample(self, rng: random.Random) -> list[int]:
        """Return a random legal action for each game."""
        return [rng.choice(numbers) for numbers in self._numbers]

    def close(self) -> None:
        """Close the opponents: processes of bots end."""
        for one in self._opponents.values():
            one.close()

    def _show(self, game: int, table: Table) -> None:
        """Write what the seat to act sees to the row of the game."""
        seat = table.seat
        assert seat is not None, "expected a game in progress"
        masks, first = self._masks, game * self._actions
        for number in self._numbers[game]:
            masks[first + number] = 0
        self._numbers[game] = numbers = table.numbers()
        for number in numbers:
            masks[first + number] = 1
        start = game * self._size
        self._vectors[start : start + self._size] = memoryview(table.encode(seat))
        self.buffers.seats[game] = seat
