"""A game of a person against bots, as plain data.

The position follows from the variant, the deal and the actions, so these are stored.
"""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from arena.bot import Start
from arena.match.referee import start_game
from arena.protocol import DEFAULT_LIMITS, SeatFault, raw
from arena.record import Game, key_of
from engine import State, Variant

PERSON: Final = "person"
"""The name of the person in the record, as in games of `arena play`."""
SEED_BITS: Final = 32


class Opponent(NamedTuple):
    """A bot that a person has chosen."""

    id: str
    """The id by which the server finds the bot again."""
    name: str
    """The name that pages show."""
    fingerprint: str


class BrowserGame(msgspec.Struct, frozen=True):
    """A game of a person against bots, as far as it was played."""

    key: str
    """The content key of its record."""
    variant: str
    seat: int
    """The seat of the person."""
    names: tuple[str, ...]
    """By seat."""
    bots: tuple[str, ...]
    """By seat, the id of the bot; empty for the person."""
    seeds: tuple[int, ...]
    """By seat, for the random generators of the bots."""
    deal: msgspec.Raw
    actions: tuple[str, ...] = ()
    faults: tuple[SeatFault, ...] = ()
    """The faults of bots. A stand-in plays for each of these bots from then on."""

    @property
    def as_game(self) -> Game:
        """The game as one of a schedule."""
        return Game(self.key, self.variant, 1, 0, self.deal, self.names, self.seeds)

    def start_of(self, variant: Variant, seat: int) -> Start:
        """Return the message that begins the game for the bot at `seat`."""
        seats, teams = variant.seats, variant.teams
        return Start(0, variant.game, variant.id, seat, seats, teams, self.seeds[seat])


def new_game(
    variant: Variant, seat: int, opponents: Sequence[Opponent], rng: random.Random
) -> BrowserGame:
    """Return a new game with a deal from `rng`.

    Args:
        variant: the rules.
        seat: the seat of the person.
        opponents: the bots of the other seats, clockwise from the person's left. They are repeated
            if there are fewer than seats.
        rng: the source of all chance. All hands follow from its seed.
    """
    deal = raw(variant.deal(rng))
    names, bots, prints = [""] * variant.seats, [""] * variant.seats, [""] * variant.seats
    names[seat] = PERSON
    for number in range(1, variant.seats):
        at = (seat + number) % variant.seats
        chosen = opponents[(number - 1) % len(opponents)]
        names[at] = f"{chosen.name}-{number}" if chosen.name in names else chosen.name
        bots[at], prints[at] = chosen.id, chosen.fingerprint
    key = key_of(variant, 1, deal, DEFAULT_LIMITS, tuple(zip(names, prints, strict=True)))
    seeds = tuple([rng.getrandbits(SEED_BITS) for _ in names])
    return BrowserGame(key, variant.id, seat, tuple(names), tuple(bots), seeds, deal)


def state_of(game: BrowserGame) -> State:
    """Return the position of a game as far as it was played."""
    state = start_game(game.variant, game.deal)
    for action in game.actions:
        state.apply(action)
    return state
