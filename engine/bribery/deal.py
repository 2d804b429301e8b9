"""All the chance of one game: the jokers, the board, the decks, who starts [3]."""

import random
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import msgspec

from engine.bribery.cards import BRIBES, JOKERS, OFFICIALS
from engine.contract import RawJson
from engine.errors import InvalidDeal
from engine.fields import read_fields, types_of

if TYPE_CHECKING:
    from engine.bribery.variant import Bribery

HAND = 3
"""Cards that a seat draws for a round, and bribes that it is dealt between two officials."""

SUITED_OFFICIALS = tuple([card for card in OFFICIALS if card not in JOKERS])

_Card = TypeVar("_Card")


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal; `decks[seat]` from the top, which is drawn first, to the bottom."""

    jokers: tuple[str, ...]
    board: tuple[str, ...]
    decks: tuple[tuple[str, ...], ...]
    start: int


def build_decks(
    seats: int, start: int, bribes: Iterable[_Card], officials: Iterable[_Card]
) -> tuple[tuple[_Card, ...], ...]:
    """Return the decks that are dealt from two piles, given from top to bottom [3.2].

    The officials are those that are left when the board has been laid.
    """
    bribes, officials = iter(bribes), iter(officials)
    order = [(start + position) % seats for position in range(seats)]
    decks: list[list[_Card]] = [[] for _ in order]  # from the bottom up
    while True:
        size = sum(map(len, decks))
        for seat in order:
            decks[seat] += islice(bribes, HAND)
        for seat in order:
            decks[seat] += islice(officials, 1)
        if sum(map(len, decks)) == size:
            return tuple([tuple(reversed(deck)) for deck in decks])


def build_deal(
    variant: "Bribery",
    jokers: Sequence[str],
    bribes: Sequence[str],
    officials: Sequence[str],
    start: int,
) -> Deal:
    """Return the deal of two shuffled piles, given from top to bottom [3.2]."""
    decks = build_decks(variant.seats, start, bribes, officials[variant.board_size :])
    return Deal(tuple(jokers), tuple(officials[: variant.board_size]), decks, start)


def draw_deal(variant: "Bribery", rng: random.Random) -> Deal:
    """Draw a fair deal: jokers, both piles and the start uniformly and independently [3.2]."""
    jokers = sorted(rng.sample(JOKERS, variant.jokers))
    bribes = rng.sample(BRIBES, len(BRIBES))
    officials = [*SUITED_OFFICIALS, *jokers]
    rng.shuffle(officials)
    return build_deal(variant, jokers, bribes, officials, rng.randrange(variant.seats))


def read_deal(variant: "Bribery", raw: RawJson) -> Deal:
    """Return the deal that a JSON object describes [3.1].

    Raises:
        InvalidDeal: a field is missing, unknown, of a wrong type or has a wrong content.
    """
    deal = Deal(**read_fields(raw, types_of(Deal)))
    _check_sizes(variant, deal)
    _check_cards(deal)
    _check_patterns(variant, deal)
    return deal


def _check_sizes(variant: "Bribery", deal: Deal) -> None:
    """Check the first two conditions of a valid deal, and that every seat has a deck."""
    if len(deal.jokers) != variant.jokers:
        raise InvalidDeal("jokers", f"expected {variant.jokers} jokers, got {len(deal.jokers)}")
    for joker in deal.jokers:
        if joker not in JOKERS:
            raise InvalidDeal("jokers", f"{joker!r} is not a joker")
    if list(deal.jokers) != sorted(set(deal.jokers)):
        raise InvalidDeal(
            "jokers", f"expected distinct ones, ascending, got {', '.join(deal.jokers)}"
        )
    if not 0 <= deal.start < variant.seats:
        raise InvalidDeal("start", f"expected a seat 0..{variant.seats - 1}, got {deal.start}")
    if len(deal.board) != variant.board_size:
        raise InvalidDeal(
            "board", f"expected {variant.board_size} officials, got {len(deal.board)}"
        )
    for card in deal.board:
        if card not in OFFICIALS:
            raise InvalidDeal("board", f"{card!r} is not an official")
    if len(deal.decks) != variant.seats:
        raise InvalidDeal("decks", f"expected {variant.seats} decks, got {len(deal.decks)}")


def _check_cards(deal: Deal) -> None:
    """Check that the board and the decks hold the cards of the game, each once."""
    left = {*BRIBES, *SUITED_OFFICIALS, *deal.jokers}
    parts = [("board", deal.board, "there")]
    parts += [("decks", deck, f"in the deck of seat {s}") for s, deck in enumerate(deal.decks)]
    for field, cards, where in parts:
        for card in cards:
            if card in left:
                left.remove(card)
            elif card in BRIBES or card in SUITED_OFFICIALS or card in deal.jokers:
                raise InvalidDeal(field, f"{card!r} {where} is dealt a second time")
            elif card in JOKERS:
                raise InvalidDeal(
                    field, f"{card!r} {where} is not one of the jokers {', '.join(deal.jokers)}"
                )
            else:
                raise InvalidDeal(field, f"{card!r} {where} is not a card")
    if left:
        raise InvalidDeal("decks", f"missing are {', '.join(sorted(left))}")


def _check_patterns(variant: "Bribery", deal: Deal) -> None:
    """Check that officials and bribes lie in each deck as dealing puts them."""
    for seat, deck in enumerate(deal.decks):
        types = "".join(["B" if card in BRIBES else "O" for card in deck])
        expected = variant.pattern(seat, deal.start)
        if types != expected:
            raise InvalidDeal(
                "decks",
                f"expected officials and bribes in the deck of seat {seat} as {expected}, "
                f"got {types}",
            )
