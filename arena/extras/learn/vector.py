"""Many games at once in numpy buffers, for throughput.

    games = VectorEnv("pot-de-vin/3", games=256, seed=1)
    while learning:
        actions = policy(games.observations, games.masks)  # a number for each game
        games.step(actions)

One policy acts in all seats: at each step it decides for the seat that is to act in each game. A
game that is over begins again in the same step.
"""

import random
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from arena.agents import Agent, as_agent
from arena.errors import SettingsError
from arena.extras.learn.options import Rewards, check_options
from arena.extras.learn.table import LearningTable
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
    opponents: Mapping[int, Agent | str]
    """Who sits in the seats that do not learn, in all games: agents, or what `as_agent` takes."""


class Buffers(NamedTuple):
    """The arrays of a number of games, row by row. Each step overwrites them."""

    observations: NDArray[np.int8]
    """By game: the vector that the seat to act sees."""
    masks: NDArray[np.int8]
    """By game: 1 for each legal action."""
    seats: NDArray[np.int8]
    """By game: the seat to act."""
    rewards: NDArray[np.float32]
    """By game and seat: the rewards of the game that ended with the last step, else 0."""
    dones: NDArray[np.int8]
    """By game: 1 if the last step ended a game; then the rest shows the start of the next one."""

    def part(self, first: int, end: int) -> "Buffers":
        """Return the rows of games `first` to `end` - 1, which share the memory."""
        rows: list[NDArray[Any]] = [array[first:end] for array in self]
        return Buffers(*rows)


def shapes_of(variant_id: str, games: int, history: int = 0) -> list[tuple[tuple[int, ...], str]]:
    """Return the shape and the type of each array of `Buffers`."""
    variant = get_variant(variant_id)
    encoding = variant.encoding(history)
    return [
        ((games, encoding.size), "int8"),
        ((games, len(encoding.actions)), "int8"),
        ((games,), "int8"),
        ((games, variant.seats), "float32"),
        ((games,), "int8"),
    ]


class GamesAtOnce:
    """Games whose decisions are shown in buffers."""

    buffers: Buffers

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


class VectorEnv(GamesAtOnce):
    """Games of a variant at once, in this process."""

    def __init__(
        self,
        variant_id: str,
        games: int,
        part: tuple[Buffers, int] | None = None,
        **options: Unpack[VectorOptions],
    ) -> None:
        """Begin the games.

        Args:
            variant_id: the variant.
            games: their number.
            part: buffers to write to, and the number of their first game among all games, from
                which it draws its deals; by default new buffers, from 0.
            options: see `VectorOptions`.

        Raises:
            EngineError: the variant is unknown.
            SettingsError: an option is wrong.
        """
        if games < 1:
            raise SettingsError(f"got games={games}, expected at least 1")
        self.variant = get_variant(variant_id)
        check_options(self.variant, options, VectorOptions.__annotations__)
        self._rewards: Rewards = options.get("rewards", "ranks")
        self.encoding = self.variant.encoding(options.get("history", 0))
        shapes = shapes_of(variant_id, games, self.encoding.history)
        self.buffers, first = part or (Buffers(*[np.zeros(*shape) for shape in shapes]), 0)
        opponents = {
            seat: as_agent(agent) if isinstance(agent, str) else agent
            for seat, agent in options.get("opponents", {}).items()
        }
        self._opponents = opponents
        self._first = first
        self._rngs: list[random.Random] = []
        self._tables = [LearningTable(self.variant, self.encoding, opponents) for _ in range(games)]
        self._numbers: list[list[int]] = [[] for _ in range(games)]
        # A row of a memoryview is written in a fraction of the time of a row of an array.
        self._size, self._actions = self.encoding.size, len(self.encoding.actions)
        self._vectors = self.buffers.observations.reshape(-1).data
        self._masks = self.buffers.masks.reshape(-1).data
        self._no_actions = memoryview(array("b", bytes(self._actions)))
        self._seats = self.buffers.seats.data
        self.reset(options.get("seed", 0))

    def reset(self, seed: int | None = None) -> None:
        """Begin all games again, those under way too.

        With a `seed` they are the games of a new environment with that seed; without one, the
        next games of this one.
        """
        if seed is not None:
            numbers = range(self._first, self._first + len(self._tables))
            self._rngs = [random.Random(f"vector {seed} {number}") for number in numbers]
        self.buffers.rewards.fill(0)
        self.buffers.dones.fill(0)
        for game, table in enumerate(self._tables):
            table.begin(self._rngs[game])
            self._show(game, table)

    def step(
        self, actions: Sequence[int] | NDArray[np.integer]
    ) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Take an action in each game, and begin those again that are over.

        Returns:
            Rewards by game and seat, and by game whether it ended; the buffers of `Buffers`.

        Raises:
            IllegalAction: an action is not legal; games with a lower number have gone on.
        """
        buffers = self.buffers
        buffers.rewards.fill(0)
        buffers.dones.fill(0)
        numbers = actions.tolist() if isinstance(actions, np.ndarray) else actions
        for game, (table, number) in enumerate(zip(self._tables, numbers, strict=True)):
            try:
                place = self._numbers[game].index(number)
            except ValueError:
                raise IllegalAction(table.name_of(number), table.seat, table.legal) from None
            table.act(table.legal[place])
            if table.seat is None:
                buffers.rewards[game] = table.rewards(self._rewards)
                buffers.dones[game] = 1
                table.begin(self._rngs[game])
            self._show(game, table)
        return buffers.rewards, buffers.dones

    def sample(self, rng: random.Random) -> list[int]:
        """Return a random legal action for each game."""
        return [rng.choice(numbers) for numbers in self._numbers]

    def close(self) -> None:
        """Close the opponents: processes of bots end."""
        for opponent in self._opponents.values():
            opponent.close()

    def _show(self, game: int, table: LearningTable) -> None:
        """Write what the seat to act sees to the row of the game."""
        seat = table.seat
        assert seat is not None, "expected a game in progress"
        self._numbers[game] = numbers = table.numbers()
        masks, first = self._masks, game * self._actions
        masks[first : first + self._actions] = self._no_actions
        for number in numbers:
            masks[first + number] = 1
        start = game * self._size
        self._vectors[start : start + self._size] = memoryview(table.encode(seat))
        self._seats[game] = seat


def random_actions(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each row of `masks`, of shape (games, actions)."""
    draws = rng.random(masks.shape, np.float32)
    chosen: NDArray[np.int64] = np.argmax(draws * masks, axis=1)
    return chosen
