"""An environment: one seat of a game is yours, and bots in this process sit in the others."""

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from arena.base.errors import ArenaError
from arena.base.protocol import raw
from arena.extras.learn.options import Opponents, opponents_of
from arena.extras.learn.table import LearningTable
from arena.tournament.agents import Agent
from engine import State, Variant, get_variant
from engine.errors import IllegalAction


class Step(NamedTuple):
    """The observation of your seat when it has to decide, or when the game is over."""

    view: dict[str, Any]
    """All that your seat may know, as a bot gets it. The rules of the game list its fields."""
    legal: list[str]
    """Your legal actions; none when the game is over."""
    events: list[Any]
    """The events that your seat was told since your last turn."""
    is_over: bool
    points: tuple[int, ...] | None
    """By seat; None until the game is over."""
    ranks: tuple[int, ...] | None
    """By seat, from 1, ties shared; None until the game is over."""


class Environment:
    """Games of a variant, one after the other. `make` makes one."""

    def __init__(self, variant: Variant, opponents: Mapping[int, Agent], seat: int) -> None:
        """Make an environment without a game. `opponents` are the agents in all other seats."""
        self.variant = variant
        self.seat = seat
        self._table = LearningTable(variant, variant.encoding(), opponents)
        self._is_broken = False
        self._told = 0

    @property
    def state(self) -> State:
        """The position with all that is hidden, only to be looked at.

        Raises:
            ArenaError: there is no game yet.
        """
        return self._table.state

    def reset(self, seed: int | None = None) -> Step:
        """Begin a new game, and return your first decision.

        The same `seed` gives the same deal and the same dice of the opponents. None stands for a
        new game each time.
        """
        self._told = 0
        self._is_broken = True
        self._table.begin(random.Random(seed))
        return self._step()

    def step(self, action: str) -> Step:
        """Take an action, have the opponents answer, and return your next decision.

        Raises:
            IllegalAction: it is not legal; the game is unchanged.
            ArenaError: the game is over, or there is none yet.
            Exception: whatever an opponent raises. Then `reset`.
        """
        if self._is_broken or self._table.seat is None:
            raise ArenaError("no game is under way: call `reset()` to begin one")
        if action not in self._table.legal:
            raise IllegalAction(action, self.seat, self._table.legal)
        self._is_broken = True
        self._table.act(action)
        return self._step()

    def close(self) -> None:
        """Close the opponents: processes of bots end."""
        self._table.close()

    def _step(self) -> Step:
        """Return what is seen now, after all opponents have answered."""
        self._is_broken = False
        state = self.state
        events = state.events(self.seat, self._told)
        self._told += len(events)
        outcome = state.outcome() if state.seat_to_act is None else None
        return Step(
            msgspec.json.decode(raw(state.view(self.seat))),
            [] if outcome else list(self._table.legal),
            msgspec.json.decode(raw(events)),
            outcome is not None,
            outcome.points if outcome else None,
            outcome.ranks if outcome else None,
        )


def make(variant_id: str, opponents: Opponents = ("random",), seat: int = 0) -> Environment:
    """Return an environment in which you sit at `seat`.

    Args:
        variant_id: a variant, such as `pot-de-vin/3`.
        opponents: who sits in the other seats; see
            `arena.extras.learn.options.seated_opponents`.
        seat: your seat.

    Raises:
        EngineError: the variant is unknown.
        BotError: an opponent is unknown.
        SettingsError: there is no such seat, or no opponent.
    """
    variant = get_variant(variant_id)
    return Environment(variant, opponents_of(variant, opponents, seat), seat)
