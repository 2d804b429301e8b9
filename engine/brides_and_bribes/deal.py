"""Deals of Brides & Bribes: all the chance of a game, drawn or read from JSON [3]."""

import random
from collections.abc import Sequence

import msgspec

from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDE_TYPE,
    BRIDES,
    COMMONS,
    FAMILIES,
    KIND,
    LORD_IN_PLAY,
    LORDS,
    PORT,
    TILES,
)
from engine.contract import RawJson
from engine.errors import InvalidDeal
from engine.fields import read_fields, types_of

FIRST_BRIDES, SECOND_BRIDES = [
    tuple([bride for bride, kind in zip(BRIDES, BRIDE_TYPE, strict=True) if kind == place])
    for place in range(2)
]
COMMONS_OF = {
    borough: tuple([TILES[tile] for tile in COMMONS[number]])
    for number, borough in enumerate(BOROUGHS)
}
ASSASSINS = tuple([TILES[tile] for tile in COMMONS[PORT] if KIND[tile] == "assassin"])
"""One of them is the top card of the port [3]."""


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal; section 3 says what each field holds."""

    boroughs: tuple[str, ...]
    families: tuple[str, ...]
    favor: tuple[int, ...]
    lords: tuple[str, ...]
    first_brides: tuple[str, ...]
    second_brides: tuple[str, ...]
    decks: dict[str, tuple[str, ...]]


def draw_deal(parameters: Parameters, rng: random.Random) -> Deal:
    """Draw a fair deal: every part uniformly and independently [3]."""
    n = parameters.seats
    others = [number for number in range(len(BOROUGHS)) if number != PORT]
    in_play = sorted([*rng.sample(others, n - 1), PORT])
    boroughs = tuple([BOROUGHS[number] for number in in_play])
    free = [lord for number, lord in enumerate(LORDS) if number != LORD_IN_PLAY]
    lords = [*rng.sample(free, n - 1), LORDS[LORD_IN_PLAY]]
    rng.shuffle(lords)
    return Deal(
        boroughs=boroughs,
        families=tuple(rng.sample(FAMILIES, n)),
        favor=tuple(rng.sample(range(n), n)),
        lords=tuple(lords),
        first_brides=tuple(rng.sample(FIRST_BRIDES, len(FIRST_BRIDES))),
        second_brides=tuple(rng.sample(SECOND_BRIDES, len(SECOND_BRIDES))),
        decks={borough: _shuffle_deck(borough, rng) for borough in boroughs},
    )


def _shuffle_deck(borough: str, rng: random.Random) -> tuple[str, ...]:
    """Return the deck of a borough; in the port an assassin is its top card."""
    deck = rng.sample(COMMONS_OF[borough], len(COMMONS_OF[borough]))
    if borough == BOROUGHS[PORT]:
        top = rng.choice(ASSASSINS)
        deck.remove(top)
        deck.insert(0, top)
    return tuple(deck)


def read_deal(parameters: Parameters, raw: RawJson) -> Deal:
    """Return the deal that a JSON object describes [3].

    Raises:
        InvalidDeal: a field is missing or unknown, or has a wrong type or value.
    """
    deal = Deal(**read_fields(raw, types_of(Deal)))
    _check_board(parameters.seats, deal)
    _check_all("first_brides", deal.first_brides, FIRST_BRIDES)
    _check_all("second_brides", deal.second_brides, SECOND_BRIDES)
    _check_decks(deal)
    return deal


def _check_board(n: int, deal: Deal) -> None:
    """Check the boroughs, families, favor order and lords."""
    _check_some("boroughs", deal.boroughs, BOROUGHS, n)
    if BOROUGHS[PORT] not in deal.boroughs:
        raise InvalidDeal("boroughs", f"expected {BOROUGHS[PORT]} among them, it is not")
    expected = tuple([borough for borough in BOROUGHS if borough in deal.boroughs])
    if deal.boroughs != expected:
        raise InvalidDeal(
            "boroughs",
            f"expected them in the order {', '.join(expected)}, got {', '.join(deal.boroughs)}",
        )
    _check_some("families", deal.families, FAMILIES, n)
    if sorted(deal.favor) != list(range(n)):
        raise InvalidDeal("favor", f"expected each seat 0..{n - 1} once, got {list(deal.favor)}")
    _check_some("lords", deal.lords, LORDS, n)
    if LORDS[LORD_IN_PLAY] not in deal.lords:
        raise InvalidDeal("lords", f"expected {LORDS[LORD_IN_PLAY]} among them, it is not")


def _check_decks(deal: Deal) -> None:
    """Check that each borough has its deck, and the port an assassin on top."""
    if sorted(deal.decks) != sorted(deal.boroughs):
        raise InvalidDeal(
            "decks",
            f"expected one for each of {', '.join(deal.boroughs)}, got {', '.join(deal.decks)}",
        )
    for borough, deck in deal.decks.items():
        _check_all("decks", deck, COMMONS_OF[borough], f" of {borough}")
    top = deal.decks[BOROUGHS[PORT]][0]
    if top not in ASSASSINS:
        raise InvalidDeal(
            "decks", f"expected {' or '.join(ASSASSINS)} on top of {BOROUGHS[PORT]}, got {top}"
        )


def _check_some(field: str, got: Sequence[str], known: Sequence[str], number: int) -> None:
    """Check that a field holds `number` different names of `known`."""
    for slug in got:
        if slug not in known:
            raise InvalidDeal(field, f"{slug!r} is none of {', '.join(known)}")
    if len(got) != number or len(set(got)) != number:
        raise InvalidDeal(field, f"expected {number} different ones, got {', '.join(got)}")


def _check_all(field: str, got: Sequence[str], known: Sequence[str], where: str = "") -> None:
    """Check that a field holds each name of `known` once."""
    if sorted(got) != sorted(known):
        raise InvalidDeal(
            field, f"expected{where} each of {', '.join(known)} once, got {', '.join(got)}"
        )
