"""Second phase of a round: ships return from the colonies and are unloaded [6.2]."""
# compiled: see setup.py

from engine.brides_and_bribes.actions import BUY, DECLINE, SWAP, TRADE_OF, characters
from engine.brides_and_bribes.position.position import OBJECTS, Position
from engine.brides_and_bribes.tiles import COLOURS, FIRST_OBJECT, SHIP_PRICE


def begin(position: Position, _: None) -> None:
    position.phase = "colonies"
    visit(position, 0)


def visit(position: Position, number: int) -> None:
    """Empty the ship of the next seat [R14]."""
    n = position.parameters.seats
    for later in range(number, n):
        seat = (position.first_seat + later) % n
        if position.ship[seat]:
            position.push(visit, later + 1)
            _unload(position, seat)
            return


def _unload(position: Position, seat: int) -> None:
    ship, tiles = position.ship[seat], position.ship_tiles[seat]
    shown = tuple(characters(tiles))
    hidden = tuple([tile for tile in tiles if tile >= FIRST_OBJECT])
    position.log.notes.append(("ship", seat, ship, shown, len(hidden)))
    position.alley_shown[seat] += shown
    position.alley_hidden[seat] += hidden
    if hidden:
        position.proofs += ((OBJECTS, hidden),)
    position.ship[seat] = 0
    position.ship_tiles[seat] = ()
    position.coaches[seat] += 1
    offer_trade(position, seat, ship, len(shown))


def offer_trade(position: Position, seat: int, ship: int, times: int) -> None:
    if times:
        options = trade_options(position, seat, ship)
        position.ask(seat, "ship", options, trade, (seat, ship, times))


def trade_options(position: Position, seat: int, ship: int) -> list[str]:
    """Return the legal trades of a ship [6.2]."""
    price, pile = SHIP_PRICE[ship], position.worker_pile
    options: list[str] = []
    if not price:
        own = position.workers[seat]
        options = [
            SWAP[gives][takes]
            for gives in range(len(COLOURS))
            if own[gives]
            for takes in range(len(COLOURS))
            if pile[takes] and takes != gives
        ]
    elif position.coins[seat] >= price:
        options = [BUY[takes] for takes, left in enumerate(pile) if left]
    options.append(DECLINE)
    options.sort()
    return options


def trade(position: Position, action: str, offer: tuple[int, int, int]) -> None:
    """Carry out a trade and offer the next one [6.2]."""
    if action == DECLINE:
        return
    seat, ship, times = offer
    gives, takes = TRADE_OF[action]
    price = SHIP_PRICE[ship]
    if gives < 0:
        gave = f"{price} coins"
        position.coins[seat] -= price
        position.coin_pile += price
    else:
        gave = COLOURS[gives]
        position.workers[seat][gives] -= 1
        position.worker_pile[gives] += 1
    position.workers[seat][takes] += 1
    position.worker_pile[takes] -= 1
    position.log.notes.append(("traded", seat, gave, takes))
    offer_trade(position, seat, ship, times - 1)
