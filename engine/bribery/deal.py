"""Draw and validate deals of Bribery [3]."""

import random
from collections.abc import Iterator, Sequence

import msgspec

from engine.bribery.cards import BRIBES, JOKERS
from engine.bribery.parameters import SUITED_OFFICIALS, Parameters, build_decks
from engine.fields import each_once, of_length, some_of, within

_BRIBES = frozenset(BRIBES)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The results of all random choices in a game. Decks are listed by seat, top card first."""

    jokers: tuple[str, ...]
    board: tuple[str, ...]
    decks: tuple[tuple[str, ...], ...]
    start: int


def build_deal(
    parameters: Parameters,
    jokers: Sequence[str],
    bribes: Sequence[str],
    officials: Sequence[str],
    start: int,
) -> Deal:
    decks = build_decks(parameters.seats, start, bribes, officials[parameters.board_size :])
    return Deal(tuple(jokers), tuple(officials[: parameters.board_size]), decks, start)


def draw_deal(parameters: Parameters, rng: random.Random) -> Deal:
    """Draw the random parts of a game [3.2]."""
    jokers = sorted(rng.sample(JOKERS, parameters.jokers))
    bribes = rng.sample(BRIBES, len(BRIBES))
    officials = [*SUITED_OFFICIALS, *jokers]
    rng.shuffle(officials)
    return build_deal(parameters, jokers, bribes, officials, rng.randrange(parameters.seats))


def list_facts(parameters: Parameters, deal: Deal) -> Iterator[tuple[str, str]]:
    yield "jokers", some_of(deal.jokers, JOKERS, parameters.jokers)
    if list(deal.jokers) != sorted(deal.jokers):
        yield "jokers", f"expected them ascending, got {', '.join(deal.jokers)}"
    yield "start", within(deal.start, 0, parameters.seats - 1)
    yield "board", some_of(deal.board, (*SUITED_OFFICIALS, *deal.jokers), parameters.board_size)
    yield "decks", of_length(deal.decks, parameters.seats)
    dealt = [card for deck in deal.decks for card in deck]
    cards = [*BRIBES, *SUITED_OFFICIALS, *deal.jokers]
    yield "decks", each_once(dealt, [card for card in cards if card not in deal.board])
    for seat, deck in enumerate(deal.decks):
        types = "".join(["B" if card in _BRIBES else "O" for card in deck])
        expected = parameters.pattern(seat, deal.start)
        if types != expected:
            yield (
                "decks",
                f"expected officials and bribes of seat {seat} as {expected}, got {types}",
            )
