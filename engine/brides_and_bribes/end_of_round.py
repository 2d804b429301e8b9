"""The fourth phase: income, upkeep, buying back, building [8.1-8.4]."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import (
    BUILD,
    BUY_BACK,
    DECLINE,
    DISMISS,
    DISMISSED_OF,
    KEEP,
    SHOP_BUILT,
)
from engine.brides_and_bribes.effects import gain_coins
from engine.brides_and_bribes.tiles import (
    CARD_INFLUENCE,
    CARD_OBJECT,
    CARD_WORKERS,
    FIRST_COMMON,
    FIRST_OBJECT,
    SHOP_OF,
    STACKS,
)

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def begin(state: "BridesAndBribesState") -> None:
    """Take the steps one after another, each for all seats in the favor order [R51]."""
    state.phase = "end"
    for step in (build, buy_back, upkeep):
        state.push(for_each_seat, step, 0)
    for seat in state.favor_order:
        gained = gain_coins(state, seat, sum(state.workers[seat]))
        state.tell(story.income_gained, seat, gained)


def for_each_seat(
    state: "BridesAndBribesState", step: "Callable[[BridesAndBribesState, int], None]", place: int
) -> None:
    """Take a step for the seats from this place of the favor order on."""
    if place < len(state.favor_order):
        state.push(for_each_seat, step, place + 1)
        step(state, state.favor_order[place])


# -- upkeep -------------------------------------------------------------------------------------


def upkeep(state: "BridesAndBribesState", seat: int) -> None:
    """Ask a seat to keep its commons or dismiss one, while it has any [8.2, R52]."""
    options = upkeep_options(state, seat)
    if options:
        state.ask(seat, "upkeep", options, paid_upkeep, seat)


def commons_of(state: "BridesAndBribesState", seat: int) -> list[int]:
    """Return the commons of a seat; at the end of a round all are in its alley."""
    alley = (*state.alley_shown[seat], *state.alley_hidden[seat])
    return [tile for tile in alley if FIRST_COMMON <= tile < FIRST_OBJECT]


def upkeep_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the legal list; empty if the seat has no common."""
    commons = commons_of(state, seat)
    options = sorted([DISMISS[tile] for tile in commons])
    if commons and state.coins[seat] >= len(commons):
        options.append(KEEP)
    return options


def paid_upkeep(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Pay for all commons, or let one leave the game and be asked again."""
    if action == KEEP:
        coins = len(commons_of(state, seat))
        state.coins[seat] -= coins
        state.coin_pile += coins
        state.tell(story.upkeep_paid, seat, coins)
        return
    tile = DISMISSED_OF[action]
    state.alley_shown[seat] = _without(state.alley_shown[seat], tile)
    state.alley_hidden[seat] = _without(state.alley_hidden[seat], tile)
    state.out += (tile,)
    state.tell(story.dismissed, seat, tile)
    state.push(upkeep, seat)


def _without(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    return tuple([other for other in tiles if other != tile])


# -- buying back, building ----------------------------------------------------------------------


def buy_back(state: "BridesAndBribesState", seat: int) -> None:
    """Ask a seat for a used object that it buys back, until it declines [8.3, R53]."""
    if state.used[seat] and state.coins[seat]:
        state.ask(seat, "buy-back", buy_back_options(state, seat), bought_back, seat)


def buy_back_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the legal list of a seat with a coin."""
    return sorted([DECLINE, *[BUY_BACK[tile] for tile in state.used[seat]]])


def bought_back(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Pay 1 coin for a used object, and be asked again, or decline."""
    if action == DECLINE:
        return
    tile = next(tile for tile in state.used[seat] if BUY_BACK[tile] == action)
    state.used[seat] = _without(state.used[seat], tile)
    state.coins[seat] -= 1
    state.coin_pile += 1
    state.alley_shown[seat] += (tile,)
    state.tell(story.bought_back, seat, tile)
    state.push(buy_back, seat)


def build(state: "BridesAndBribesState", seat: int) -> None:
    """Ask a seat for one workshop that it builds [8.4]."""
    options = build_options(state, seat)
    if len(options) > 1:
        state.ask(seat, "build", options, built, seat)


def build_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the legal list: shops whose workers the seat has, and to decline."""
    own, owned = state.workers[seat], [SHOP_OF[card] for card in state.shops[seat]]
    options = [DECLINE]
    if sum(own) > 2:  # the fewest that any card costs are 3, so most seats need no look at all
        for shop, taken in enumerate(state.shops_taken):
            if shop in owned or taken == len(STACKS[shop]):
                continue
            cost = CARD_WORKERS[STACKS[shop][taken]]
            if all(own[colour] >= number for colour, number in enumerate(cost)):
                options.append(BUILD[shop])
        options.sort()
    return options


def built(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Build a workshop: give the workers, take the card, its influence and its object."""
    if action == DECLINE:
        return
    shop = SHOP_BUILT[action]
    card = STACKS[shop][state.shops_taken[shop]]
    for colour, number in enumerate(CARD_WORKERS[card]):
        state.workers[seat][colour] -= number
        state.worker_pile[colour] += number
    state.shops_taken[shop] += 1
    state.shops[seat] += (card,)
    state.influence[seat] += CARD_INFLUENCE[card]
    state.alley_shown[seat] += (CARD_OBJECT[card],)
    state.tell(story.built, seat, card)
