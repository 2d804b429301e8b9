"""Rules for the last phase of a round: income, upkeep, buying back objects, and building workshops
[8.1-8.4].
"""
# compiled: see setup.py

from collections.abc import Callable
from typing import Final

from engine.brides_and_bribes.actions import (
    BUILD,
    BUY_BACK,
    DECLINE,
    DISMISS,
    DISMISSED_OF,
    KEEP,
    SHOP_BUILT,
)
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.rules.effects import gain_coins
from engine.brides_and_bribes.tiles import (
    CARD_INFLUENCE,
    CARD_OBJECT,
    CARD_WORKERS,
    FIRST_COMMON,
    FIRST_OBJECT,
    SHOP_OF,
    STACKS,
)

SHOP_COSTS: Final = tuple(
    [
        tuple([(colour, number) for colour, number in enumerate(CARD_WORKERS[stack[0]]) if number])
        for stack in STACKS
    ]
)


def begin(position: Position, _: None) -> None:
    """Pay every seat its income, and schedule the remaining steps of the phase [R51]."""
    position.phase = "end"
    for step in (build, buy_back, upkeep):
        position.push(for_each_seat, (step, 0))
    for seat in position.favor_order:
        gained = gain_coins(position, seat, sum(position.workers[seat]))
        position.log.notes.append(("income", seat, gained))


def for_each_seat(position: Position, what: tuple[Callable[[Position, int], None], int]) -> None:
    """Run a step for each seat in favor order. The step may ask the seat for one decision."""
    step, first_place = what
    order, stack = position.favor_order, position.stack
    for place in range(first_place, len(order)):
        step(position, order[place])
        if position.seat_to_act is not None:  # the other seats continue after the decision
            stack.insert(len(stack) - 1, (for_each_seat, (step, place + 1)))
            return


# -- upkeep -------------------------------------------------------------------------------------


def upkeep(position: Position, seat: int) -> None:
    """Let a seat pay the upkeep of its common characters, or dismiss one of them [8.2, R52]."""
    options = upkeep_options(position, seat)
    if options:
        position.ask(seat, "upkeep", options, paid_upkeep, seat)


def commons_of(position: Position, seat: int) -> list[int]:
    alley = position.alley_shown[seat] + position.alley_hidden[seat]
    return [tile for tile in alley if FIRST_COMMON <= tile < FIRST_OBJECT]


def upkeep_options(position: Position, seat: int) -> list[str]:
    options = [DISMISS[tile] for tile in commons_of(position, seat)]
    if options:
        options.sort()
        if position.coins[seat] >= len(options):
            options.append(KEEP)
    return options


def paid_upkeep(position: Position, action: str, seat: int) -> None:
    if action == KEEP:
        coins = len(commons_of(position, seat))
        position.coins[seat] -= coins
        position.coin_pile += coins
        position.log.notes.append(("upkeep", seat, coins))
        return
    tile = DISMISSED_OF[action]
    position.alley_shown[seat] = _without(position.alley_shown[seat], tile)
    position.alley_hidden[seat] = _without(position.alley_hidden[seat], tile)
    position.out += (tile,)
    position.log.notes.append(("dismissed", seat, tile))
    upkeep(position, seat)


def _without(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    return tuple([other for other in tiles if other != tile])


# -- buying back, building ----------------------------------------------------------------------


def buy_back(position: Position, seat: int) -> None:
    """Let a seat buy back used objects [8.3, R53]."""
    if position.used[seat] and position.coins[seat]:
        position.ask(seat, "buy-back", buy_back_options(position, seat), bought_back, seat)


def buy_back_options(position: Position, seat: int) -> list[str]:
    return sorted([DECLINE, *[BUY_BACK[tile] for tile in position.used[seat]]])


def bought_back(position: Position, action: str, seat: int) -> None:
    if action == DECLINE:
        return
    tile = next(tile for tile in position.used[seat] if BUY_BACK[tile] == action)
    position.used[seat] = _without(position.used[seat], tile)
    position.coins[seat] -= 1
    position.coin_pile += 1
    position.alley_shown[seat] += (tile,)
    position.log.notes.append(("bought_back", seat, tile))
    buy_back(position, seat)


def build(position: Position, seat: int) -> None:
    """Let a seat build a workshop [8.4]."""
    options = build_options(position, seat)
    if len(options) > 1:
        position.ask(seat, "build", options, built, seat)


def build_options(position: Position, seat: int) -> list[str]:
    own, options = position.workers[seat], [DECLINE]
    for shop, cost in enumerate(SHOP_COSTS):
        for colour, number in cost:
            if own[colour] < number:
                break
        else:
            owned = [SHOP_OF[card] for card in position.shops[seat]]
            if shop not in owned and position.shops_taken[shop] < len(STACKS[shop]):
                options.append(BUILD[shop])
    if len(options) > 1:
        options.sort()
    return options


def built(position: Position, action: str, seat: int) -> None:
    if action == DECLINE:
        return
    shop = SHOP_BUILT[action]
    card = STACKS[shop][position.shops_taken[shop]]
    own, pile = position.workers[seat], position.worker_pile
    for colour, number in enumerate(CARD_WORKERS[card]):
        own[colour] -= number
        pile[colour] += number
    position.shops_taken[shop] += 1
    position.shops[seat] += (card,)
    position.influence[seat] += CARD_INFLUENCE[card]
    position.alley_shown[seat] += (CARD_OBJECT[card],)
    position.log.notes.append(("built", seat, card))
