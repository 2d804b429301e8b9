"""Generate and validate deals of Brides & Bribes [3]."""

import random
from collections.abc import Iterator

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
from engine.fields import each_once, some_of

FIRST_BRIDES, SECOND_BRIDES = [
    tuple([bride for bride, kind in zip(BRIDES, BRIDE_TYPE, strict=True) if kind == place])
    for place in range(2)
]
COMMONS_OF = {
    borough: tuple([TILES[tile] for tile in COMMONS[number]])
    for number, borough in enumerate(BOROUGHS)
}
ASSASSINS = tuple([TILES[tile] for tile in COMMONS[PORT] if KIND[tile] == "assassin"])


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    boroughs: tuple[str, ...]
    families: tuple[str, ...]
    favor: tuple[int, ...]
    lords: tuple[str, ...]
    first_brides: tuple[str, ...]
    second_brides: tuple[str, ...]
    decks: dict[str, tuple[str, ...]]


def draw_deal(parameters: Parameters, rng: random.Random) -> Deal:
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
    deck = rng.sample(COMMONS_OF[borough], len(COMMONS_OF[borough]))
    if borough == BOROUGHS[PORT]:
        top = rng.choice(ASSASSINS)
        deck.remove(top)
        deck.insert(0, top)
    return tuple(deck)


def list_facts(parameters: Parameters, deal: Deal) -> Iterator[tuple[str, str]]:
    n, port, lord = parameters.seats, BOROUGHS[PORT], LORDS[LORD_IN_PLAY]
    yield "boroughs", some_of(deal.boroughs, BOROUGHS, n)
    expected = tuple([name for name in BOROUGHS if name in deal.boroughs])
    if deal.boroughs != expected or port not in expected:
        yield "boroughs", f"expected {port} among them, in the order {', '.join(BOROUGHS)}"
    yield "families", some_of(deal.families, FAMILIES, n)
    yield "favor", each_once(deal.favor, range(n))
    yield "lords", some_of(deal.lords, LORDS, n)
    if lord not in deal.lords:
        yield "lords", f"expected {lord} among them"
    yield "first_brides", each_once(deal.first_brides, FIRST_BRIDES)
    yield "second_brides", each_once(deal.second_brides, SECOND_BRIDES)
    yield "decks", each_once(list(deal.decks), deal.boroughs)
    for borough, deck in deal.decks.items():
        yield "decks", each_once(deck, COMMONS_OF[borough])
    if deal.decks[port][0] not in ASSASSINS:
        yield "decks", f"expected {' or '.join(ASSASSINS)} on top of {port}"
