"""The second phase: the ships come back from the distant colonies [6.2]."""

from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import BUY, DECLINE, SWAP, TRADE_OF, characters
from engine.brides_and_bribes.proofs import OBJECTS
from engine.brides_and_bribes.tiles import COLOURS, FIRST_OBJECT, SHIP_PRICE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def begin(state: "BridesAndBribesState") -> None:
    """Empty the ships, clockwise from F."""
    state.phase = "colonies"
    state.push(visit, 0)


def visit(state: "BridesAndBribesState", number: int) -> None:
    """Empty the next ship, clockwise from F from the seat of this number on [R14]."""
    n = state.variant.seats
    for later in range(number, n):
        seat = (state.first_seat + later) % n
        if state.ship[seat]:
            state.push(visit, later + 1)
            _come_back(state, seat)
            return


def _come_back(state: "BridesAndBribesState", seat: int) -> None:
    """Show the characters of a ship and put its tiles away; then the seat may trade."""
    ship, tiles = state.ship[seat], state.ship_tiles[seat]
    shown = tuple(characters(tiles))
    hidden = tuple([tile for tile in tiles if tile >= FIRST_OBJECT])
    state.tell(story.ship_came, seat, ship, shown, len(hidden))
    state.alley_shown[seat] += shown
    state.alley_hidden[seat] += hidden
    if hidden:
        state.proofs += ((OBJECTS, hidden),)
    state.ship[seat] = 0
    state.ship_tiles[seat] = ()
    state.coaches[seat] += 1
    state.push(offer_trade, seat, ship, len(shown))


def offer_trade(state: "BridesAndBribesState", seat: int, ship: int, times: int) -> None:
    """Ask for a trade, as many times as there were characters or until the seat declines."""
    if times:
        options = trade_options(state, seat, ship)
        state.ask(seat, "ship", options, trade, seat, ship, times)


def trade_options(state: "BridesAndBribesState", seat: int, ship: int) -> list[str]:
    """Return the legal trades of a ship [6.2]."""
    price, pile = SHIP_PRICE[ship], state.worker_pile
    if price:
        options = [BUY[takes] for takes, left in enumerate(pile) if left]
        if state.coins[seat] < price:
            options = []
    else:
        own = state.workers[seat]
        options = [
            SWAP[gives][takes]
            for gives in range(len(COLOURS))
            if own[gives]
            for takes in range(len(COLOURS))
            if pile[takes] and takes != gives
        ]
    options.append(DECLINE)
    options.sort()
    return options


def trade(state: "BridesAndBribesState", action: str, seat: int, ship: int, times: int) -> None:
    """Trade, or go on with the next ship."""
    if action == DECLINE:
        return
    gives, takes = TRADE_OF[action]
    if gives < 0:
        state.coins[seat] -= SHIP_PRICE[ship]
        state.coin_pile += SHIP_PRICE[ship]
    else:
        state.workers[seat][gives] -= 1
        state.worker_pile[gives] += 1
    state.workers[seat][takes] += 1
    state.worker_pile[takes] -= 1
    state.tell(story.traded, seat, SHIP_PRICE[ship], gives, takes)
    state.push(offer_trade, seat, ship, times - 1)
