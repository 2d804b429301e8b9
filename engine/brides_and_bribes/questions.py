"""Whom a state asks that was laid from a view, and what comes after that decision.

A view tells its seat whether it is asked, but not who else is, nor what led to the decision. So
every decision that the table allows is a *question*: a seat, a window and the steps that follow.
One that somebody really has to decide is drawn. Those of a borough are in `borough_questions`.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.brides_and_bribes import colonies, end_of_round, placement, resolution, rounds, set_up
from engine.brides_and_bribes.actions import DESTINATIONS
from engine.brides_and_bribes.tiles import SHIP_PRICE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState, Step
    from engine.brides_and_bribes.view import View

Steps = tuple[tuple["Step", tuple[Any, ...]], ...]
"""Steps with their arguments; the last is the next."""

END: Steps = ((rounds.end_round, ()),)
RESOLUTION: Steps = (*END, (end_of_round.begin, ()))
COLONIES: Steps = (*RESOLUTION, (resolution.begin, ()))
PLACEMENT: Steps = (*COLONIES, (colonies.begin, ()))
"""By phase: the steps of the round that are to come after it."""


class Question(NamedTuple):
    """A decision that the table allows."""

    seat: int
    window: str
    options: Sequence[str]
    steps: Steps
    """The answer's step is the last."""
    is_likely: bool = True
    """Otherwise it is drawn only if no other one is possible."""


def ask_one(
    state: "BridesAndBribesState",
    view: "View",
    questions: Iterable[Question],
    rng: random.Random,
    *,
    likely: bool,
) -> bool:
    """Ask one of these questions, if the view allows any; return whether it does."""
    allowed = [
        question
        for question in questions
        if _is_allowed(question, view) and (question.is_likely or not likely)
    ]
    if allowed:
        question = rng.choice(allowed)
        state.seat_to_act = question.seat
        state.window = question.window
        state.options = question.options
        state.stack = [*question.steps]
    return bool(allowed)


def _is_allowed(question: Question, view: "View") -> bool:
    """Return whether the viewer is asked this, or another seat is while the viewer is not."""
    if view.window is None:
        return question.seat != view.seat and len(question.options) > 1
    asked = (question.seat, question.window, tuple(question.options))
    return asked == (view.seat, view.window, view.legal)


def opening_questions(state: "BridesAndBribesState", view: "View") -> Iterator[Question]:
    """The first seat that has no worker takes one [4]."""
    number = sum([any(workers) for workers in state.workers])
    seat = (state.first_seat + number) % state.variant.seats
    options = set_up.opening_options(state, seat)
    yield Question(seat, "opening", options, ((set_up.take_worker, (seat, number)),))


def placement_questions(state: "BridesAndBribesState", view: "View") -> Iterator[Question]:
    """The seats that have not passed; of a second decision only the viewer's own [6.1].

    How many actions a seat has left is only in the view of one that is asked where to place.
    """
    state.actions_left = view.actions_left or 1
    if view.window == "tile":
        seat = view.seat
        assert seat is not None
        state.placing = DESTINATIONS.index(_destination(view.legal[0]))
        options = placement.tile_options(state, seat)
        yield Question(seat, "tile", options, (*PLACEMENT, (placement.put_tile, (seat,))))
    for seat, passed in enumerate(state.passed):
        if not passed:
            options = placement.place_options(state, seat)
            yield Question(seat, "place", options, (*PLACEMENT, (placement.place, (seat,))))


def _destination(action: str) -> str:
    """Return where a decision of the window `tile` puts one [5]."""
    verb, second, *last = action.split()
    if verb == "favor":
        return verb
    return f"ship-{second}" if verb == "ship" else last[0]


def colonies_questions(state: "BridesAndBribesState", view: "View") -> Iterator[Question]:
    """A seat whose ship has come back trades once more, on any ship that is free now [6.2]."""
    n = state.variant.seats
    for number in range(n):
        seat = (state.first_seat + number) % n
        if state.ship[seat]:  # this and those after it are still to come
            break
        later: Steps = (*COLONIES, (colonies.visit, (number + 1,)))
        for ship in SHIP_PRICE:
            if ship not in state.ship:
                options = colonies.trade_options(state, seat, ship)
                yield Question(seat, "ship", options, (*later, (colonies.trade, (seat, ship, 1))))


def activation_questions(state: "BridesAndBribesState", view: "View") -> Iterator[Question]:
    """The next seat activates a borough [6.3]."""
    number = sum(state.resolved)
    seat = (state.first_seat + number) % state.variant.seats
    options = resolution.activate_options(state)
    yield Question(seat, "activate", options, (*RESOLUTION, (resolution.activated, (seat, number))))


def end_questions(state: "BridesAndBribesState", view: "View") -> Iterator[Question]:
    """A seat keeps its commons, buys back or builds [8]."""
    windows = (
        ("upkeep", end_of_round.upkeep, end_of_round.upkeep_options, end_of_round.paid_upkeep),
        (
            "buy-back",
            end_of_round.buy_back,
            end_of_round.buy_back_options,
            end_of_round.bought_back,
        ),
        ("build", end_of_round.build, end_of_round.build_options, end_of_round.built),
    )
    for number, (window, step, list_options, answer) in enumerate(windows):
        later = [(end_of_round.for_each_seat, (other[1], 0)) for other in windows[number + 1 :]]
        for place, seat in enumerate(state.favor_order):
            yield Question(
                seat,
                window,
                list_options(state, seat),
                (
                    *END,
                    *reversed(later),
                    (end_of_round.for_each_seat, (step, place + 1)),
                    (answer, (seat,)),
                ),
            )
