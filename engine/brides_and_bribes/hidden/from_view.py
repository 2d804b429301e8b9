"""Imagining of a position from nothing but the view of a seat [10].

A view does not show all that its seat has seen: what happened before, how a decision came about,
which other seat is asked. `imagine` guesses that, where `redraw` knows it. What was proved about
hidden tiles, the events tell (see `memory`).
"""
# compiled: see setup.py

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.brides_and_bribes.hidden.borough_questions import borough_questions
from engine.brides_and_bribes.hidden.layout import lay_out_view
from engine.brides_and_bribes.hidden.memory import Memory
from engine.brides_and_bribes.hidden.phase_questions import (
    activation_questions,
    colonies_questions,
    end_questions,
    opening_questions,
    placement_questions,
)
from engine.brides_and_bribes.hidden.questions import Question, ask_one
from engine.brides_and_bribes.hidden.redrawing import (
    choose_guides,
    move_all,
    move_tiles,
    shuffle_cards,
    swap_tiles,
)
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.view.structs import View

QUESTIONS: Mapping[str, Callable[[Position, View], Iterator[Question]]] = {
    "opening": opening_questions,
    "placement": placement_questions,
    "colonies": colonies_questions,
    "resolution": activation_questions,
    "end": end_questions,
}
"""By phase: what may be asked while no borough is being resolved."""

MAX_DRAWS = 2000
"""A view is of a real state, so some draw leads to a decision; most often the first does."""
MAX_LIKELY_DRAWS = 100
"""After this number of draws the guess at what is asked must be wrong."""


def imagine(
    parameters: Parameters, view: View, events: Sequence[object], rng: random.Random
) -> Position:
    """Return a position whose view for `view.seat` is `view`; what that hides is drawn.

    With all `events` of the seat, hidden tiles, decks and boxes are drawn as `redraw` draws them.
    """
    assert view.seat is not None
    memory = Memory(parameters, events)
    position = lay_out_view(parameters, view, rng, memory.seen)
    _remember(position, view, memory)
    shuffle_cards(position, view.seat, rng)
    if view.phase == "over":
        return position
    list_questions = QUESTIONS[view.phase]
    if view.resolution is not None:
        list_questions = borough_questions
    for number in range(MAX_DRAWS):
        likely = view.window is None and number < MAX_LIKELY_DRAWS
        swap_tiles(position, view.seat, rng)
        if ask_one(position, view, list_questions(position, view), rng, likely=likely):
            choose_guides(position, None, rng)
            return position
    raise AssertionError(f"no position has this view: {view}")


def _remember(position: Position, view: View, memory: Memory) -> None:
    """Add to a position what its seat remembers of boxes, borough hands and proofs."""
    if view.window == "replace":
        assert view.seat is not None
        memory.settle_before(view.seat)
    elif view.window is not None:  # else a seat may be about to take a guide
        memory.settle()
    for place, tail in enumerate(memory.tails):
        box = [bride for bride in position.boxes[place] if bride not in tail]
        position.boxes[place] = (*box, *tail)
        position.box_tails[place] = len(tail)
    resolution = position.resolution
    tile_of: dict[int, int] = {}
    for seat, tiles in enumerate(memory.hands):
        exposed = [tile for tile in tiles if tile in memory.exposed]
        resolution.exposed |= {*exposed}
        _put_into_hand(position, seat, exposed)
        if seat != view.seat:
            hand = [tile for tile in resolution.hand[seat] if tile not in exposed]
            tile_of.update(zip([token for token in tiles if token < 0], hand, strict=False))
            tile_of.update(zip(memory.alleys[seat], position.alley_hidden[seat], strict=False))
    if view.phase != "end":  # then all hidden tiles of a seat are in its alley
        position.proofs = tuple(
            [(what, move_tiles(tiles, tile_of)) for what, tiles in memory.proofs]
        )


def _put_into_hand(position: Position, seat: int, exposed: Sequence[int]) -> None:
    """Swap hidden tiles of a seat so that `exposed` ones are in its borough hand."""
    hand = position.resolution.hand[seat]
    missing = [tile for tile in exposed if tile not in hand]
    instead = [tile for tile in hand if tile not in exposed][: len(missing)]
    if missing:
        move_all(position, dict(zip(missing + instead, instead + missing, strict=True)))
