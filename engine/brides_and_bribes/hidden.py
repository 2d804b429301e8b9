"""Draw random positions that are consistent with a seat's knowledge [10].

Everyone knows which tiles each seat owns, but only the owner knows where they are. Each
opponent's hidden tiles are shuffled without contradicting what is publicly known about them
(`Position.proofs`). The cards in decks and in the brides' boxes get a random order. Guides that
opponents have chosen in secret are replaced with random ones.
"""
# compiled: see setup.py

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from engine.brides_and_bribes.actions import MARRY_SECOND, characters
from engine.brides_and_bribes.position.log import empty_log
from engine.brides_and_bribes.position.position import CHARACTER, OBJECTS, Position, holds
from engine.brides_and_bribes.rules.declarations import declare_options
from engine.brides_and_bribes.rules.guides import guide_options
from engine.brides_and_bribes.rules.placement import place_options, tile_options
from engine.brides_and_bribes.rules.plays import WINDOWS, counter_options, plays, save_options
from engine.brides_and_bribes.tiles import FIRST_OBJECT, KIND, NONE, SEATS
from engine.draws import sample, shuffle
from engine.errors import NoWorldFound

MAX_DRAWS = 5000

OPTIONS: Mapping[str, Callable[[Position, int], Sequence[str]]] = {
    "place": place_options,
    "tile": tile_options,
    "guide": guide_options,
    "replace": guide_options,
    "declare": declare_options,
    "counter": counter_options,
    "save": save_options,
    **{window: partial(plays, window=window) for window in WINDOWS},
}


def redraw(position: Position, seat: int, rng: random.Random) -> Position:
    """Return a copy of a position with random values for everything that is hidden from `seat`.

    Raises:
        NoWorldFound: No consistent position was found in `MAX_DRAWS` random draws.
    """
    copy = position.copy()
    copy.log.hide_secrets(seat)
    known = [(what, {*tiles}) for what, tiles in copy.proofs]
    copy.proofs += tuple([p for p in legal_proofs(copy, seat) if (p[0], {*p[1]}) not in known])
    _arrange(copy, seat)
    shuffle_cards(copy, seat, rng)
    for _ in range(MAX_DRAWS):
        swap_tiles(copy, seat, rng)
        if agrees(copy, seat):
            _sort(copy, seat)
            return copy
    raise NoWorldFound(position.parameters.variant_id, seat, MAX_DRAWS)


def forget(position: Position) -> None:
    position.log = empty_log()


def _arrange(position: Position, viewer: int) -> None:
    moved: dict[int, int] = {}
    for seat in range(position.parameters.seats):
        if seat != viewer:
            hidden = hidden_tiles(position, seat)
            moved.update(zip(hidden, sorted(hidden), strict=True))
    move_all(position, moved)
    position.proofs = tuple([(what, move_tiles(tiles, moved)) for what, tiles in position.proofs])


def _sort(position: Position, viewer: int) -> None:
    resolution = position.resolution
    rows = [position.hands, position.alley_shown, position.alley_hidden, position.ship_tiles]
    for row in (*rows, resolution.hand):
        for seat, tiles in enumerate(row):
            if seat != viewer and len(tiles) > 1:
                row[seat] = tuple(sorted(tiles))
    for place, tiles in enumerate(position.delegations):
        if place % SEATS != viewer and len(tiles) > 1:
            position.delegations[place] = tuple(sorted(tiles))
    position.proofs = tuple([(what, tuple(sorted(tiles))) for what, tiles in position.proofs])


def shuffle_cards(position: Position, seat: int, rng: random.Random) -> None:
    for borough in position.in_play:
        deck = position.decks[borough]
        known = int(seat in position.known_below[borough])
        rest = sorted(deck[known:])
        position.decks[borough] = (*deck[:known], *sample(rest, len(rest), rng))
    for place, box in enumerate(position.boxes):
        unknown = len(box) - position.box_tails[place]
        front = sorted(box[:unknown])
        position.boxes[place] = (*sample(front, unknown, rng), *box[unknown:])


def legal_proofs(position: Position, seat: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return what a seat's legal actions reveal about the hidden tiles of other seats."""
    if position.seat_to_act != seat or position.window not in ("order", "react", "after"):
        return ()
    resolution = position.resolution
    reacting = position.window == "react"
    if reacting and resolution.declared > MARRY_SECOND:  # then a rat cannot be played
        return ()
    if "rat" not in [KIND[tile] for tile in resolution.usable(seat)]:
        return ()
    others = [resolution.active] if reacting else position.others(seat)
    hands = [resolution.hand[other] for other in others if not resolution.guide_married[other]]
    tiles = tuple([tile for hand in hands for tile in hand])
    offered = any(action.startswith("play rat") for action in position.options)
    return ((CHARACTER if offered else OBJECTS, tiles),)


# -- tiles --------------------------------------------------------------------------------------


def hidden_tiles(position: Position, seat: int) -> list[int]:
    resolution = position.resolution
    proofs: dict[int, tuple[int, ...]] = {}
    for number, (_, tiles) in enumerate(position.proofs):
        for tile in tiles:
            proofs[tile] = (*proofs.get(tile, ()), number)
    rows = [position.hands[seat], position.alley_hidden[seat], position.ship_tiles[seat]]
    rows += [position.delegations[borough * SEATS + seat] for borough in position.in_play]
    rows.append(tuple([tile for tile in resolution.hand[seat] if tile not in resolution.exposed]))
    hidden: list[int] = []
    for row in rows:
        if proofs and len(row) > 1:
            hidden += sorted(row, key=lambda tile: proofs.get(tile, ()))
        else:
            hidden += row
    return hidden


def swap_tiles(position: Position, viewer: int, rng: random.Random) -> None:
    """Shuffle the hidden tiles of other seats so that all public facts about them remain true."""
    objects = {tile for what, tiles in position.proofs if what == OBJECTS for tile in tiles}
    hidden = [
        hidden_tiles(position, seat) for seat in range(position.parameters.seats) if seat != viewer
    ]
    for _ in range(MAX_DRAWS):
        moved: dict[int, int] = {}
        for tiles in hidden:
            moved.update(_permute(tiles, objects, rng))
        proofs = [(what, move_tiles(tiles, moved)) for what, tiles in position.proofs]
        if all(holds(what, tiles) for what, tiles in proofs):
            move_all(position, moved)
            position.proofs = tuple(proofs)
            break
    choose_guides(position, viewer, rng)


def _permute(tiles: list[int], objects: set[int], rng: random.Random) -> dict[int, int]:
    proved = [tile for tile in tiles if tile in objects]
    if not proved:
        rest = tiles.copy()
        shuffle(rest, rng)
        return dict(zip(tiles, rest, strict=True))
    free = [tile for tile in tiles if tile not in proved]
    fitting = [tile for tile in tiles if tile >= FIRST_OBJECT]
    drawn = sample(fitting, len(proved), rng)
    rest = [tile for tile in tiles if tile not in drawn]
    shuffle(rest, rng)
    return dict(zip([*proved, *free], [*drawn, *rest], strict=True))


def move_tiles(tiles: Iterable[int], moved: Mapping[int, int]) -> tuple[int, ...]:
    return tuple([moved.get(tile, tile) for tile in tiles])


def move_all(position: Position, moved: Mapping[int, int]) -> None:
    for place in (
        position.hands,
        position.alley_hidden,
        position.ship_tiles,
        position.delegations,
        position.resolution.hand,
    ):
        for number, tiles in enumerate(place):
            if tiles:
                place[number] = move_tiles(tiles, moved)


def choose_guides(position: Position, viewer: int | None, rng: random.Random) -> None:
    """Replace guides that the viewer cannot see with random ones [7.2.1]."""
    if position.window != "guide":
        return
    resolution = position.resolution
    _, (_, number) = position.stack[-1]
    for seat in resolution.delegates[:number]:
        if seat != viewer:
            candidates = characters(resolution.hand[seat])
            resolution.chosen[seat] = rng.choice(candidates) if candidates else NONE


def agrees(position: Position, viewer: int) -> bool:
    """Return whether a random position has plausible legal actions.

    If the viewer is to act, its legal actions must be the same as in the game. Any other seat to
    act must have at least two legal actions.
    """
    seat, window = position.seat_to_act, position.window
    if seat is None or window is None or window not in OPTIONS:
        return True
    options = OPTIONS[window](position, seat)
    if seat == viewer:
        return options == position.options
    position.options = options
    return len(options) > 1
