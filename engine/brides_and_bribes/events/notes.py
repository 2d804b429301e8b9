"""Notes: functions that make the events of the log, as a viewer is told them [10].

The rules write a note to the log: the name of a function and its arguments after `viewer`. Each
returns the event of its name; some leave out fields that only one seat may know. A function has as
many parameters as its event has fields, since a note keeps plain values only.
"""

from collections.abc import Sequence

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARE, DESTINATIONS
from engine.brides_and_bribes.deal import Deal
from engine.brides_and_bribes.events.structs import (
    ActionLost,
    Activated,
    BoroughEnded,
    BoughtBack,
    BrideCame,
    Built,
    Change,
    Charmed,
    Countered,
    Declared,
    Dismissed,
    Done,
    DowryGiven,
    Event,
    Failed,
    FavorAsked,
    FavorFixed,
    GameEnded,
    GameStarted,
    GuideLost,
    GuideNew,
    GuidesRevealed,
    HadNoEffect,
    HandOpened,
    IncomeGained,
    Married,
    MovedUp,
    Murdered,
    Opened,
    OrderFixed,
    Passed,
    Peeked,
    Played,
    PutAway,
    Reinforced,
    RoundBegan,
    Sent,
    ShipCame,
    Switched,
    TookEffect,
    Traded,
    UpkeepPaid,
)
from engine.brides_and_bribes.position import Changes
from engine.brides_and_bribes.position.log import Viewer
from engine.brides_and_bribes.scoring import Score, rank
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COLOURS,
    NONE,
    PLACES,
    SEATS,
    TILES,
)


def started(viewer: Viewer, variant: str, deal: Deal, first_seat: int) -> Event:
    n = len(deal.boroughs)
    return GameStarted(
        variant=variant,
        boroughs=deal.boroughs,
        families=deal.families,
        favor=deal.favor,
        lords=deal.lords,
        first_brides=deal.first_brides[:n],
        second_brides=deal.second_brides[:n],
        first_box=tuple(sorted(deal.first_brides[n:])),
        second_box=tuple(sorted(deal.second_brides[n:])),
        commons=tuple([deal.decks[borough][0] for borough in deal.boroughs]),
        first_seat=first_seat,
    )


def opened_with(viewer: Viewer, seat: int, colour: int) -> Event:
    return Opened(seat, COLOURS[colour])


def round_began(
    viewer: Viewer,
    number: int,
    first_seat: int,
    favor_order: tuple[int, ...],
    in_play: tuple[int, ...],
    commons: Sequence[int],
    workers: Sequence[int],
    tokens: Sequence[int],
) -> Event:
    return RoundBegan(
        round=number,
        first_seat=first_seat,
        favor_order=favor_order,
        commons={BOROUGHS[borough]: _tile(commons[borough]) for borough in in_play},
        workers={BOROUGHS[borough]: workers[borough] for borough in in_play},
        influence_tokens={BOROUGHS[borough]: tokens[borough] for borough in in_play},
    )


def sent(viewer: Viewer, seat: int, destination: int, number: int, tile: int) -> Event:
    return Sent(seat, DESTINATIONS[destination], number, TILES[tile] if viewer == seat else None)


def reinforced(viewer: Viewer, seat: int, destination: int, number: int, tile: int) -> Event:
    told = TILES[tile] if viewer == seat else None
    return Reinforced(seat, DESTINATIONS[destination], number, told)


def favor_asked(viewer: Viewer, seat: int, tile: int) -> Event:
    return FavorAsked(seat, TILES[tile])


def passed(viewer: Viewer, seat: int, number: int) -> Event:
    return Passed(seat, number)


def favor_fixed(viewer: Viewer, seats: tuple[int, ...]) -> Event:
    return FavorFixed(seats)


def ship_came(
    viewer: Viewer, seat: int, ship: int, characters: Sequence[int], objects: int
) -> Event:
    return ShipCame(seat, ship, _names(characters), objects)


def traded(viewer: Viewer, seat: int, price: int, gives: int, takes: int) -> Event:
    return Traded(seat, f"{price} coins" if gives < 0 else COLOURS[gives], COLOURS[takes])


def activated(viewer: Viewer, seat: int, borough: int) -> Event:
    return Activated(seat, BOROUGHS[borough])


def guides_revealed(viewer: Viewer, seats: tuple[int, ...], guides: tuple[int, ...]) -> Event:
    return GuidesRevealed({seat: _tile(guides[seat]) for seat in seats})


def order_fixed(viewer: Viewer, seats: tuple[int, ...]) -> Event:
    return OrderFixed(seats)


def declared(viewer: Viewer, seat: int, action: int) -> Event:
    return Declared(seat, DECLARE[action])


def failed(viewer: Viewer, seat: int, action: int) -> Event:
    return Failed(seat, DECLARE[action])


def charmed(viewer: Viewer, seat: int, action: int) -> Event:
    return Charmed(seat, DECLARE[action])


def action_lost(viewer: Viewer, seat: int, action: int) -> Event:
    return ActionLost(seat, None if action == NONE else DECLARE[action])


def done(viewer: Viewer, seat: int, action: int, gains: Changes) -> Event:
    return Done(seat, DECLARE[action], _changes(gains))


def played(viewer: Viewer, seat: int, tile: int, argument: int) -> Event:
    return Played(seat, TILES[tile], ARGUMENTS[argument] or None)


def countered(viewer: Viewer, seat: int, tile: int, how: str) -> Event:
    return Countered(seat, TILES[tile], how)


def had_no_effect(viewer: Viewer, seat: int, tile: int) -> Event:
    return HadNoEffect(seat, TILES[tile])


def took_effect(viewer: Viewer, seat: int, tile: int, argument: int, changes: Changes) -> Event:
    return TookEffect(seat, TILES[tile], ARGUMENTS[argument] or None, _changes(changes))


def peeked(viewer: Viewer, seat: int, borough: int, tile: int) -> Event:
    return Peeked(seat, BOROUGHS[borough], TILES[tile] if viewer == seat else None)


def switched(viewer: Viewer, borough: int, common: int) -> Event:
    return Switched(BOROUGHS[borough], TILES[common])


def opened(viewer: Viewer, seat: int, tiles: Sequence[int]) -> Event:
    return HandOpened(seat, _names(tiles))


def guide_lost(viewer: Viewer, seat: int, tile: int) -> Event:
    return GuideLost(seat, TILES[tile])


def guide_new(viewer: Viewer, seat: int, tile: int) -> Event:
    return GuideNew(seat, TILES[tile])


def married(
    viewer: Viewer, seat: int, spot: int, bride: int, tile: int, forfeit: int, bribe: int
) -> Event:
    return Married(seat, *_spot(spot), BRIDES[bride], TILES[tile], forfeit, bribe)


def dowry_given(viewer: Viewer, seat: int, coins: int, item: int) -> Event:
    return DowryGiven(seat, coins, _tile(item))


def murdered(viewer: Viewer, spot: int, bride: int, seat: int, tile: int, lost: int) -> Event:
    owner = None if seat == NONE else seat
    return Murdered(*_spot(spot), BRIDES[bride], owner, _tile(tile), lost)


def moved_up(viewer: Viewer, borough: int, seat: int) -> Event:
    return MovedUp(BOROUGHS[borough], seat)


def bride_came(viewer: Viewer, spot: int, bride: int) -> Event:
    return BrideCame(*_spot(spot), BRIDES[bride])


def borough_ended(
    viewer: Viewer, borough: int, alleys: Sequence[tuple[int, tuple[int, ...], int]]
) -> Event:
    put_away = [PutAway(seat, _names(shown), hidden) for seat, shown, hidden in alleys]
    return BoroughEnded(BOROUGHS[borough], tuple(put_away))


def income_gained(viewer: Viewer, seat: int, coins: int) -> Event:
    return IncomeGained(seat, coins)


def upkeep_paid(viewer: Viewer, seat: int, coins: int) -> Event:
    return UpkeepPaid(seat, coins)


def dismissed(viewer: Viewer, seat: int, tile: int) -> Event:
    return Dismissed(seat, TILES[tile])


def bought_back(viewer: Viewer, seat: int, tile: int) -> Event:
    return BoughtBack(seat, TILES[tile])


def built(viewer: Viewer, seat: int, card: int) -> Event:
    return Built(seat, CARDS[card])


def ended(
    viewer: Viewer, before: tuple[int, ...], influence: tuple[int, ...], scores: tuple[Score, ...]
) -> Event:
    return GameEnded(before, influence, scores, tuple(rank(scores)))


def _tile(tile: int) -> str | None:
    return None if tile == NONE else TILES[tile]


def _names(tiles: Sequence[int]) -> tuple[str, ...]:
    return tuple([TILES[tile] for tile in sorted(tiles)])


def _spot(spot: int) -> tuple[str, str]:
    return BOROUGHS[spot // 2], PLACES[spot % 2]


_WHERE = (*[f"seat-{seat}" for seat in range(SEATS)], *BOROUGHS)


def _changes(changes: Changes) -> tuple[Change, ...]:
    return tuple([Change(_WHERE[where], what, amount) for where, what, amount in changes])
