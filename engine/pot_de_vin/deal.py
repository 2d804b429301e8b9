"""Generate and validate deals of Pot de Vin [3]."""

import random
from collections.abc import Iterator

import msgspec

from engine.fields import each_once, of_length, within
from engine.pot_de_vin.cards import CARDS
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES, Parameters


class Deal(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A deal of Pot de Vin [3, R3].

    If the variant reuses its trump pile, `trump_orders` contains a permutation of the pile for
    each use.
    """

    start: int
    cards: tuple[str, ...]
    trump_orders: tuple[tuple[int, ...], ...] | None = None


def draw_deal(parameters: Parameters, rng: random.Random) -> Deal:
    return Deal(
        start=rng.randrange(parameters.seats),
        cards=tuple(rng.sample(CARDS, len(CARDS))),
        trump_orders=(
            tuple([tuple(rng.sample(range(PILE_SIZE), PILE_SIZE)) for _ in range(PILE_USES)])
            if parameters.recycled_trumps
            else None
        ),
    )


def list_facts(parameters: Parameters, deal: Deal) -> Iterator[tuple[str, str]]:
    yield "start", within(deal.start, 0, parameters.seats - 1)
    yield "cards", each_once(deal.cards, CARDS)
    orders = deal.trump_orders
    if (orders is not None) != parameters.recycled_trumps:
        yield "trump_orders", "missing" if orders is None else "unknown field here"
    if orders is not None:
        yield "trump_orders", of_length(orders, PILE_USES)
        for order in orders:
            yield "trump_orders", each_once(order, range(PILE_SIZE))
