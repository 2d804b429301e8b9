"""Imagining of a position from nothing but the view of a seat [10].

A view does not show all that its seat has seen: what happened before, how a decision came about,
which other seat is asked. `imagine` guesses that, where `redraw` knows it. Events tell which tiles
in the alleys are objects.
"""
# compiled: see setup.py

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from engine.brides_and_bribes.hidden.borough_questions import borough_questions
from engine.brides_and_bribes.hidden.layout import lay_out_view
from engine.brides_and_bribes.hidden.phase_questions import (
    activation_questions,
    colonies_questions,
    end_questions,
    opening_questions,
    placement_questions,
)
from engine.brides_and_bribes.hidden.questions import Question, ask_one
from engine.brides_and_bribes.hidden.redrawing import choose_guides, shuffle_cards, swap_tiles
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import OBJECTS, Position
from engine.brides_and_bribes.position.position import Proof
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
    """Return a position whose view for `view.seat` is `view`; what that hides is drawn."""
    assert view.seat is not None
    position = lay_out_view(parameters, view, rng)
    put_away = _proofs_of_alleys(position, view.seat, events)
    position.proofs += put_away
    shuffle_cards(position, view.seat, rng)
    if view.phase == "over":
        return position
    list_questions = QUESTIONS[view.phase]
    if view.resolution is not None:
        list_questions = borough_questions
    for number in range(MAX_DRAWS):
        likely = view.window is None and number < MAX_LIKELY_DRAWS
        if number == MAX_LIKELY_DRAWS:
            position.proofs = put_away  # a seat without a guide may be about to take one
        swap_tiles(position, view.seat, rng)
        if ask_one(position, view, list_questions(position, view), rng, likely=likely):
            choose_guides(position, None, rng)
            return position
    raise AssertionError(f"no position has this view: {view}")


def _proofs_of_alleys(
    position: Position, viewer: int, events: Sequence[object]
) -> tuple[Proof, ...]:
    """Return what events of this round prove about alleys: how many hidden tiles are objects.

    Those are the objects of a ship, and the tiles of a delegation that had no character left.
    """
    objects = [0] * position.parameters.seats
    guides: dict[int, str | None] = {}
    for told in events:
        event = msgspec.to_builtins(told, str_keys=True)
        kind = event["event"]
        if kind == "round":
            objects = [0] * len(objects)
        elif kind == "ship":
            objects[event["seat"]] += event["objects"]
        elif kind == "guides":
            guides = {int(seat): guide for seat, guide in event["guides"].items()}
        elif kind in ("guide_lost", "guide_new"):
            guides[event["seat"]] = event["tile"] if kind == "guide_new" else None
        elif kind == "borough_end":
            for row in event["alleys"]:
                if guides[row["seat"]] is None:
                    objects[row["seat"]] += row["hidden"]
    return tuple(
        [
            (OBJECTS, position.alley_hidden[seat][:count])
            for seat, count in enumerate(objects)
            if count and seat != viewer
        ]
    )
