"""What a seat cannot know, drawn at random so that it agrees with what the seat has seen [10].

Which tiles a seat owns is public; hidden is where they lie: in its hand, its delegations, on its
ship, in its alley or its borough hand. So the hidden tiles of each other seat change places among
themselves. What actions have proved of some places (see `proofs`) stays true. Hidden are also the
order of decks and boxes and guides that are not yet revealed.

Whom the state asks stays as it is, and so does that this seat has something to decide.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from engine.brides_and_bribes.abilities import WINDOWS, plays
from engine.brides_and_bribes.guides import guide_options
from engine.brides_and_bribes.placement import place_options, tile_options
from engine.brides_and_bribes.playing import counter_options, save_options
from engine.brides_and_bribes.proofs import CHARACTER, OBJECTS, holds
from engine.brides_and_bribes.tiles import FIRST_OBJECT, KIND, NONE, SEATS
from engine.brides_and_bribes.turn import declare_options

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

TRIES = 200
"""After so many draws that do not agree with the decision that is asked, none is drawn."""

OPTIONS: Mapping[str, "Callable[[BridesAndBribesState, int], Sequence[str]]"] = {
    "place": place_options,
    "tile": tile_options,
    "guide": guide_options,
    "replace": guide_options,
    "declare": declare_options,
    "counter": counter_options,
    "save": save_options,
    **{window: partial(plays, window=window) for window in WINDOWS},
}
"""By window: the legal list, where that depends on hidden tiles."""


def determinize(
    state: "BridesAndBribesState", seat: int, rng: random.Random
) -> "BridesAndBribesState":
    """Return a copy of a state in which all that `seat` cannot know is drawn anew."""
    copy = _shuffled(state, seat, rng)
    copy.proofs += legal_proofs(copy, seat)
    for _ in range(TRIES):
        redraw(copy, seat, rng)
        if agrees(copy, seat):
            return copy
    return _shuffled(state, seat, rng)


def _shuffled(
    state: "BridesAndBribesState", seat: int, rng: random.Random
) -> "BridesAndBribesState":
    """Return a copy in which all but the tiles of the seats is drawn anew."""
    copy = state.clone()
    _forget_secrets(copy, seat)
    shuffle_cards(copy, seat, rng)
    return copy


def _forget_secrets(state: "BridesAndBribesState", seat: int) -> None:
    """Let the events so far tell their secrets to this seat only."""
    state.end_chapter()
    earlier = [pair for pair in state.drawn_for if pair[0] != seat]
    state.drawn_for = (*earlier, (seat, len(state.chapters)))


def shuffle_cards(state: "BridesAndBribesState", seat: int, rng: random.Random) -> None:
    """Shuffle decks and boxes, but what the seat knows of their order."""
    for borough in state.in_play:
        deck = state.decks[borough]
        known = int(seat in state.known_below[borough])
        state.decks[borough] = (*deck[:known], *rng.sample(deck[known:], len(deck[known:])))
    for place, box in enumerate(state.boxes):
        unknown = len(box) - state.box_tails[place]
        state.boxes[place] = (*rng.sample(box[:unknown], unknown), *box[unknown:])


def legal_proofs(
    state: "BridesAndBribesState", seat: int
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return what its own legal list proves to a seat: whether a rat finds whom to change."""
    rats = [tile for tile in _usable(state, seat) if KIND[tile] == "rat"]
    window, reacting = state.window, state.window == "react"
    if state.seat_to_act != seat or not rats or window not in ("order", "react", "after"):
        return ()
    if reacting and state.declared > 1:  # no marriage: it cannot be played anyway
        return ()
    others = [state.active] if reacting else state.others(seat)
    hands = [state.hand[other] for other in others if not state.guide_married[other]]
    tiles = tuple([tile for hand in hands for tile in hand])
    offered = any(action.startswith("play rat") for action in state.options)
    return ((CHARACTER if offered else OBJECTS, tiles),)


def _usable(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    return state.usable(seat) if state.guide[seat] >= 0 else ()


# -- tiles --------------------------------------------------------------------------------------


def hidden_tiles(state: "BridesAndBribesState", seat: int) -> list[int]:
    """Return the tiles of a seat of which the others do not know where they lie."""
    hidden = [*state.hands[seat], *state.alley_hidden[seat], *state.ship_tiles[seat]]
    for borough in state.in_play:
        hidden += state.delegations[borough * SEATS + seat]
    hidden += [tile for tile in state.hand[seat] if tile not in state.exposed]
    return hidden


def redraw(state: "BridesAndBribesState", viewer: int, rng: random.Random) -> None:
    """Let the hidden tiles of all seats but the viewer change places, as far as is not proved."""
    objects = {tile for what, tiles in state.proofs if what == OBJECTS for tile in tiles}
    hidden = [hidden_tiles(state, seat) for seat in range(state.variant.seats) if seat != viewer]
    for _ in range(TRIES):
        moved: dict[int, int] = {}
        for tiles in hidden:
            moved.update(_permute(tiles, objects, rng))
        proofs = [(what, _move(tiles, moved)) for what, tiles in state.proofs]
        if all(holds(what, tiles) for what, tiles in proofs):
            _move_all(state, moved)
            state.proofs = tuple(proofs)
            break
    _choose_guides(state, viewer, rng)


def _permute(tiles: Sequence[int], objects: Iterable[int], rng: random.Random) -> dict[int, int]:
    """Return which tile comes to the place of which; where objects are proved only objects."""
    proved = [tile for tile in tiles if tile in objects]
    free = [tile for tile in tiles if tile not in proved]
    fitting = [tile for tile in tiles if tile >= FIRST_OBJECT]
    drawn = rng.sample(fitting, len(proved))
    rest = [tile for tile in tiles if tile not in drawn]
    rng.shuffle(rest)
    return dict(zip([*proved, *free], [*drawn, *rest], strict=True))


def _move(tiles: Iterable[int], moved: Mapping[int, int]) -> tuple[int, ...]:
    return tuple([moved.get(tile, tile) for tile in tiles])


def _move_all(state: "BridesAndBribesState", moved: Mapping[int, int]) -> None:
    for place in (
        state.hands,
        state.alley_hidden,
        state.ship_tiles,
        state.delegations,
        state.hand,
    ):
        for number, tiles in enumerate(place):
            if tiles:
                place[number] = _move(tiles, moved)


def _choose_guides(state: "BridesAndBribesState", viewer: int, rng: random.Random) -> None:
    """Choose guides at random for the other seats that have chosen, but not revealed [7.2.1]."""
    if state.window != "guide":
        return
    _, (_, number) = state.stack[-1]
    for seat in state.delegates[:number]:
        if seat != viewer:
            characters = [tile for tile in state.hand[seat] if tile < FIRST_OBJECT]
            state.chosen[seat] = rng.choice(characters) if characters else NONE


def agrees(state: "BridesAndBribesState", viewer: int) -> bool:
    """Work out the legal list after a draw; return whether it goes with what the viewer knows.

    The viewer's own list is as it was, and whoever else is asked has something to decide.
    """
    seat, window = state.seat_to_act, state.window
    if seat is None or window is None or window not in OPTIONS:
        return True
    options = OPTIONS[window](state, seat)
    if seat == viewer:
        return options == state.options
    state.options = options
    return len(options) > 1
