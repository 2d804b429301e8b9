"""Deals of Bribery: all the chance of a game, drawn or read from JSON [3]."""

import random
from collections.abc import Sequence

import msgspec

from engine.bribery.cards import BRIBES, JOKERS, OFFICIALS
from engine.bribery.parameters import SUITED_OFFICIALS, Parameters, build_decks
from engine.contract import RawJson
from engine.errors import InvalidDeal
from engine.fields import check_count, check_seat, read_fields, types_of

_BRIBES = frozenset(BRIBES)


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The jokers, board and decks of a game, and the seat that starts.

    `decks` is by seat. Each deck is given from the top, which is drawn first, to the bottom.
    """

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
    """Return the deal of two shuffled piles, both given from top to bottom [3.2]."""
    decks = build_decks(parameters.seats, start, bribes, officials[parameters.board_size :])
    return Deal(tuple(jokers), tuple(officials[: parameters.board_size]), decks, start)


def draw_deal(parameters: Parameters, rng: random.Random) -> Deal:
    """Draw a fair deal: jokers, both piles and the start uniformly and independently [3.2]."""
    jokers = sorted(rng.sample(JOKERS, parameters.jokers))
    bribes = rng.sample(BRIBES, len(BRIBES))
    officials = [*SUITED_OFFICIALS, *jokers]
    rng.shuffle(officials)
    return build_deal(parameters, jokers, bribes, officials, rng.randrange(parameters.seats))


def read_deal(parameters: Parameters, raw: RawJson) -> Deal:
    """Return the deal that a JSON object describes [3.1].

    Raises:
        InvalidDeal: a field is missing or unknown, or its type or value is wrong.
    """
    deal = Deal(**read_fields(raw, types_of(Deal)))
    _check_sizes(parameters, deal)
    _check_cards(deal)
    _check_patterns(parameters, deal)
    return deal


def _check_sizes(parameters: Parameters, deal: Deal) -> None:
    """Check the jokers, the start, and the number of cards on the board and of decks."""
    check_count("jokers", deal.jokers, parameters.jokers, "jokers")
    for joker in deal.jokers:
        if joker not in JOKERS:
            raise InvalidDeal("jokers", f"{joker!r} is not a joker")
    if list(deal.jokers) != sorted(set(deal.jokers)):
        raise InvalidDeal(
            "jokers", f"expected distinct ones, ascending, got {', '.join(deal.jokers)}"
        )
    check_seat("start", deal.start, parameters.seats)
    check_count("board", deal.board, parameters.board_size, "officials")
    for card in deal.board:
        if card not in OFFICIALS:
            raise InvalidDeal("board", f"{card!r} is not an official")
    check_count("decks", deal.decks, parameters.seats, "decks")


def _check_cards(deal: Deal) -> None:
    """Check that the board and the decks hold each card of the game once."""
    left = {*BRIBES, *SUITED_OFFICIALS, *deal.jokers}
    parts = [("board", deal.board, "there")]
    parts += [("decks", deck, f"in the deck of seat {s}") for s, deck in enumerate(deal.decks)]
    for field, cards, where in parts:
        for card in cards:
            if card in left:
                left.remove(card)
            elif card in _BRIBES or card in SUITED_OFFICIALS or card in deal.jokers:
                raise InvalidDeal(field, f"{card!r} {where} is dealt a second time")
            elif card in JOKERS:
                raise InvalidDeal(
                    field, f"{card!r} {where} is not one of the jokers {', '.join(deal.jokers)}"
                )
            else:
                raise InvalidDeal(field, f"{card!r} {where} is not a card")
    if left:
        raise InvalidDeal("decks", f"missing are {', '.join(sorted(left))}")


def _check_patterns(parameters: Parameters, deal: Deal) -> None:
    """Check that each deck has its officials and bribes in the order of its pattern."""
    for seat, deck in enumerate(deal.decks):
        types = "".join(["B" if card in _BRIBES else "O" for card in deck])
        expected = parameters.pattern(seat, deal.start)
        if types != expected:
            raise InvalidDeal(
                "decks",
                f"expected officials and bribes in the deck of seat {seat} as {expected}, "
                f"got {types}",
            )
