"""An environment: one seat of a game is yours, and bots in this process sit in the others."""

import random
from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import msgspec

from arena.agents import Agent, Seated
from arena.bot import Start
from arena.errors import ArenaError, SettingsError
from arena.extras.learn.options import Opponent, seated_opponents
from arena.match.referee import Ending, referee
from arena.match.seats import Answer, Ask, Reply
from arena.protocol import raw
from engine import State, Variant, get_variant
from engine.errors import IllegalAction


class Step(NamedTuple):
    """What your seat sees when it has to decide, or when the game is over."""

    view: dict[str, Any]
    """All that your seat may know, as a bot gets it. The rules of the game list its fields."""
    legal: list[str]
    """Your legal actions; none when the game is over."""
    events: list[Any]
    """What your seat was told since your last turn."""
    is_over: bool
    points: tuple[int, ...] | None
    """By seat; None until the game is over."""
    ranks: tuple[int, ...] | None
    """By seat, from 1, ties shared; None until the game is over."""


class Environment:
    """Games of a variant, one after the other. `make` makes one."""

    def __init__(self, variant: Variant, opponents: Sequence[Agent], seat: int) -> None:
        """Make an environment without a game.

        Args:
            variant: the variant.
            opponents: an agent for each other seat, in the order of the seats.
            seat: your seat.
        """
        self.variant = variant
        self.seat = seat
        self._opponents = opponents
        self._seated: dict[int, Seated] = {}  # by seat
        self._state: State | None = None
        self._refereeing: Generator[Ask, Answer, Ending] | None = None
        self._legal: list[str] = []
        self._told = 0

    @property
    def state(self) -> State:
        """The position with all that is hidden, only to be looked at.

        Raises:
            ArenaError: there is no game yet.
        """
        if self._state is None:
            raise ArenaError("there is no game yet: call `reset()` first")
        return self._state

    def reset(self, seed: int | None = None) -> Step:
        """Begin a new game, and return your first decision.

        The same `seed` gives the same deal and the same dice of the opponents. None stands for a
        new game each time.
        """
        rng = random.Random(seed)
        variant = self.variant
        self._state = variant.start(variant.deal(rng))
        seats = [seat for seat in range(variant.seats) if seat != self.seat]
        self._seated = {}
        for seat, agent in zip(seats, self._opponents, strict=True):
            self._seated[seat] = agent.sit(start_of(variant, seat, rng))
        self._told = 0
        self._refereeing = referee(self._state)
        return self._go_on(None)

    def step(self, action: str) -> Step:
        """Take an action, have the opponents answer, and return your next decision.

        Raises:
            IllegalAction: it is not legal; the game is unchanged.
            ArenaError: the game is over, or there is none yet.
            Exception: whatever an opponent raises. Then `reset`.
        """
        if self._refereeing is None:
            raise ArenaError("no game is under way: call `reset()` to begin one")
        if action not in self._legal:
            raise IllegalAction(action, self.seat, self._legal)
        return self._go_on(Reply(action))

    def _go_on(self, answer: Reply | None) -> Step:
        """Give the referee an answer, None at first, and ask the opponents up to your turn."""
        assert self._refereeing
        try:
            # A generator is started by sending it None.
            asked = self._refereeing.send(answer)  # type: ignore[arg-type]
            while asked.seat != self.seat:
                asked = self._refereeing.send(self._answer(asked))
        except StopIteration:
            self._refereeing = None
            return self._step([])
        except BaseException:  # of an opponent
            self._refereeing = None
            raise
        return self._step(asked.legal)

    def close(self) -> None:
        """Close the opponents: processes of bots end."""
        for agent in self._opponents:
            agent.close()

    def _answer(self, asked: Ask) -> Reply:
        action = self._seated[asked.seat].act(asked)
        if action not in asked.legal:
            raise IllegalAction(action, asked.seat, asked.legal)
        return Reply(action)

    def _step(self, legal: list[str]) -> Step:
        state = self.state
        self._legal = legal
        events = state.events(self.seat, self._told)
        self._told += len(events)
        outcome = state.outcome() if self._refereeing is None else None
        return Step(
            msgspec.json.decode(raw(state.view(self.seat))),
            list(legal),
            msgspec.json.decode(raw(events)),
            outcome is not None,
            outcome.points if outcome else None,
            outcome.ranks if outcome else None,
        )


def start_of(variant: Variant, seat: int, rng: random.Random) -> Start:
    """Return the message that begins a game for `seat`; the seed of its dice is drawn."""
    seats, teams = variant.seats, variant.teams
    return Start(0, variant.game, variant.id, seat, seats, teams, rng.getrandbits(32))


def make(
    variant_id: str, opponents: Sequence[Opponent] = ("random",), seat: int = 0
) -> Environment:
    """Return an environment in which you sit at `seat`.

    Args:
        variant_id: a variant, such as `pot-de-vin/3`.
        opponents: in the order of the other seats, and repeated until all seats are taken; see
            `arena.extras.learn.options.seated_opponents`.
        seat: your seat.

    Raises:
        EngineError: the variant is unknown.
        BotError: an opponent is unknown.
        SettingsError: there is no such seat, or no opponent.
    """
    variant = get_variant(variant_id)
    if not 0 <= seat < variant.seats:
        raise SettingsError(f"got seat {seat}, expected 0 to {variant.seats - 1} in {variant.id}")
    if isinstance(opponents, str) or not opponents:
        raise SettingsError(
            f'got opponents {opponents!r}, expected a list of bots such as ["planner", "greedy"]'
        )
    agents = seated_opponents(variant, opponents, seat)
    return Environment(variant, [*agents.values()], seat)
